package redact

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestControls(t *testing.T) {
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
		{"input", `{"name":"authorization"}`, "", "x", "token"},
		{"input", `{"name":"authorization_number"}`, "", "x", ""},
		{"input", `{"name":"a1","placeholder":"app_secret"}`, "", "x", "key"},
		{"input", `{"name":"a1"}`, "mfa_code", "x", "one-time code"},
		{"input", `{"name":"a1"}`, "App secret santa", "x", ""},
		{"input", `{"type":"radio","name":"payment_token"}`, "", "tok_1NxAb2Cc", "token"},
		{"input", `{"type":"radio","name":"payment_token"}`, "", "USDC", ""},
		{"input", `{"type":"checkbox","name":"password"}`, "", "remember", ""},
	} {
		var attrs map[string]string
		require.NoError(t, json.Unmarshal([]byte(x.attrs), &attrs))
		require.Equal(t, x.want, Control{x.tag, attrs, x.label, x.value}.Secret(Standard()), "%s %s %s", x.tag, x.attrs,
			x.label)
	}
	for selector, want := range map[string]string{
		"#password": "password", `input[name="user-pwd"]`: "password", `internal:label="Card number"s`: "card",
		"#otp":  "one-time code",
		"#user": "", `internal:role=button[name="Sign in"i]`: "", "#promo-code": "",
	} {
		require.Equal(t, want, NamedSecret(selector), selector)
	}
}
