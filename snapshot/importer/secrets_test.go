package importer

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSecretWords holds the words that tell a secret field to the collector's own.
func TestSecretWords(t *testing.T) {
	js, err := os.ReadFile("../../capture/collect/js/sensitive.js")
	require.NoError(t, err)
	for name, pattern := range map[string]string{"SECRET_NAME": secretName, "SECRET_LABEL": secretLabel, "NOT_SECRET": notSecret, "TOKEN_NAME": tokenName} {
		m := regexp.MustCompile(`(?m)^const ` + name + ` = /(.*)/i;$`).FindSubmatch(js)
		require.NotNil(t, m, name)
		require.Equal(t, string(m[1]), pattern, name)
	}
	require.Contains(t, string(js), plainAuto)
}

func TestSecretFields(t *testing.T) {
	s, err := newSealer(nil)
	require.NoError(t, err)
	for _, x := range []struct {
		tag, attrs, label, value, want string
	}{
		{"input", `{"type":"password"}`, "", "", "password"},
		{"input", `{"type":"PassWord "}`, "", "", "password"},
		{"input", `{"name":"user_pwd"}`, "", "", "password"},
		{"input", `{"id":"newPassword"}`, "", "", "password"},
		{"textarea", `{"aria-label":"Passphrase"}`, "", "", "password"},
		{"input", `{"autocomplete":"section-a one-time-code"}`, "", "", "one-time code"},
		{"input", `{"autocomplete":"cc-number"}`, "", "", "card"},
		{"input", `{"name":"q"}`, "Kennwort", "", "password"},
		{"input", `{"name":"cvc"}`, "", "", "card"},
		{"input", `{"name":"q"}`, "", "4111 1111 1111 1111", "card"},
		{"input", `{"type":"hidden","name":"csrf_token"}`, "", "x", "token"},
		{"input", `{"name":"postal-code"}`, "", "", ""},
		{"input", `{"name":"promo_code"}`, "Promo code", "", ""},
		{"input", `{"type":"checkbox","name":"password"}`, "", "", ""},
		{"input", `{"name":"user"}`, "User name", "mia", ""},
		{"button", `{"name":"password"}`, "", "", ""},
	} {
		var attrs map[string]string
		require.NoError(t, json.Unmarshal([]byte(x.attrs), &attrs))
		require.Equal(t, x.want, s.kind(field{x.tag, attrs, x.label, x.value}, s.clean), "%s %s %s", x.tag, x.attrs, x.label)
	}
	for selector, want := range map[string]string{
		"#password": "password", `input[name="user-pwd"]`: "password", `internal:label="Card number"s`: "card", "#otp": "one-time code",
		"#user": "", `internal:role=button[name="Sign in"i]`: "", "#promo-code": "",
	} {
		require.Equal(t, want, s.spoken(selector), selector)
	}
}

// TestSealJSON: what stands under a name that speaks of a secret is withheld, and the
// typed value wherever it stands.
func TestSealJSON(t *testing.T) {
	s, err := newSealer(nil)
	require.NoError(t, err)
	s.learn("Hunter2x!")
	s.learn("short")
	s.learn("lettersonly")
	for in, want := range map[string]string{
		`{"value":"12345","selector":"#x 12345 123456"}`:                                     `{"value":"[redacted: password]","selector":"#x [redacted] 123456"}`,
		`{"password":"x","n":1}`:                                                             `{"password":"[redacted: password]","n":1}`,
		`{"httpCredentials":{"username":"mia","password":"pw"}}`:                             `{"httpCredentials":{"username":"mia","password":"[redacted: password]"}}`,
		`{"cookies":[{"name":"sid","value":"abc","domain":"a.example"}]}`:                    `{"cookies":[{"name":"sid","value":"[redacted: token]","domain":"a.example"}]}`,
		`{"headers":[{"name":"Authorization","value":"x"},{"name":"Accept","value":"*/*"}]}`: `{"headers":[{"name":"Authorization","value":"[redacted: token]"},{"name":"Accept","value":"*/*"}]}`,
		`["it is Hunter2x!","Hunter2x!y","short","lettersonly",1.50,true,null]`:              `["it is [redacted]","[redacted]y","short","lettersonly",1.50,true,null]`,
		`{"input_tokens":12,"key":"Enter","code":"KeyA"}`:                                    `{"input_tokens":12,"key":"Enter","code":"KeyA"}`,
		`{"arg":"sk-abcDEF0123456789abcdef"}`:                                                `{"arg":"[redacted: token]"}`,
		`12345`:                                                                              `"[redacted: password]"`,
		`no json`:                                                                            `null`,
		`{"a":1} {`:                                                                          `null`,
	} {
		require.JSONEq(t, want, string(s.json(json.RawMessage(in), "password", "12345")), in)
	}
	require.Nil(t, s.json(nil, "", ""))
	require.Contains(t, string(s.json(json.RawMessage(`1.50`), "", "")), "1.50", "numbers stay as they are written")
	require.Equal(t, strings.Repeat("[redacted] ", 3), s.text(strings.Repeat("Hunter2x! ", 3)))
}
