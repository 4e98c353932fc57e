package importer

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSealJSON: what stands under a name that speaks of a secret is withheld, and the
// typed value wherever it stands.
func TestSealJSON(t *testing.T) {
	s := newSealer()
	s.learn("Hunter2x!")
	s.learn("short")
	s.learn("lettersonly")
	for in, want := range map[string]string{
		`{"value":"12345","selector":"#x 12345 123456"}`: `{"value":"[redacted: ` +
			`password]","selector":"#x [redacted] 123456"}`,
		`{"password":"x","n":1}`: `{"password":"[redacted: ` +
			`password]","n":1}`,
		`{"httpCredentials":{"username":"mia","password":"pw"}}`: `{"httpCredentials":{"username":"mia",` +
			`"password":"[redacted: password]"}}`,
		`{"cookies":[{"name":"sid","value":"abc","domain":"a.example"}]}`: `{"cookies":[{"name":"sid",` +
			`"value":"[redacted: token]","domain":"a.example"}]}`,
		`{"headers":[{"name":"Authorization","value":"x"},{"name":"Accept","value":"*/*"}]}`: `{"headers":[{"name":` +
			`"Authorization","value":"[redacted: token]"},{"name":"Accept","value":"*/*"}]}`,
		`["it is Hunter2x!","Hunter2x!y","short","lettersonly",1.50,true,null]`: `["it is [redacted]",` +
			`"[redacted]y","short","lettersonly",1.50,true,null]`,
		`{"input_tokens":12,"key":"Enter","code":"KeyA"}`: `{"input_tokens":12,"key":"Enter","code":"KeyA"}`,
		`{"arg":"sk-abcDEF0123456789abcdef"}`:             `{"arg":"[redacted: token]"}`,
		`12345`:                                           `"[redacted: password]"`,
		`no json`:                                         `null`,
		`{"a":1} {`:                                       `null`,
	} {
		require.JSONEq(t, want, string(s.json(json.RawMessage(in), "password", "12345")), in)
	}
	require.Nil(t, s.json(nil, "", ""))
	require.Contains(t, string(s.json(json.RawMessage(`1.50`), "", "")), "1.50", "numbers stay as they are written")
	require.Equal(t, strings.Repeat("[redacted] ", 3), s.text(strings.Repeat("Hunter2x! ", 3)))
}
