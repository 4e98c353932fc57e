package redact_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/redact/redacttest"
)

func TestSecretNames(t *testing.T) {
	for _, name := range redacttest.Names() {
		for _, at := range []redact.Place{redact.InField, redact.InHidden, redact.InData, redact.InQuery, redact.InBody} {
			require.NotEmpty(t, redact.SecretName(name, at), "%s as %s", name, at)
		}
		require.NotEmpty(t, redact.DataSecret("data-"+name, "Canary-7f3a-91X"), name)
		require.Empty(t, redact.DataSecret("data-"+name, ""), name)
		require.Empty(t, redact.DataSecret("data-"+name, "true"), name)
	}
	for _, name := range redacttest.QueryNames() {
		require.NotEmpty(t, redact.SecretName(name, redact.InQuery), name)
	}
	for _, label := range redacttest.Labels() {
		require.NotEmpty(t, redact.SecretName(label, redact.InLabel), label)
	}
	for _, name := range redacttest.PlainNames() {
		for _, at := range []redact.Place{redact.InField, redact.InHidden, redact.InData, redact.InQuery, redact.InBody} {
			require.Empty(t, redact.SecretName(name, at), "%s as %s", name, at)
		}
	}
}

// TestBodyNames: a value is withheld by its name in each spelling of a body, and what stands beside it is not.
func TestBodyNames(t *testing.T) {
	const canary = "Canary7f3a91X"
	quoted := func(v any) string {
		b, err := json.Marshal(v)
		require.NoError(t, err)
		return string(b)
	}
	tried := 0
	for _, name := range redacttest.Names() {
		for place, body := range map[string]string{
			"JSON":           quoted(map[string]any{"a": "plain", name: canary, "z": "plain"}),
			"JSON in JSON":   quoted(map[string]any{"a": "plain", "arguments": quoted(map[string]any{name: canary, "z": "plain"})}),
			"form":           "a=plain&" + url.QueryEscape(name) + "=" + canary + "&z=plain",
			"address":        `{"a":"plain","url":"https://shop.example/x?a=plain&` + url.QueryEscape(name) + "=" + canary + `&z=plain"}`,
			"name and value": quoted(map[string]any{"headers": []any{map[string]any{"name": name, "value": canary}, "plain"}}),
			"multipart": "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nplain\r\n--b\r\nContent-Disposition: form-data; name=\"" +
				name + "\"\r\nContent-Type: text/plain\r\n\r\n" + canary + "\r\n--b--\r\n",
			"tag":       `<p title="plain">plain</p><input name="` + name + `" value="` + canary + `">`,
			"meta":      `<meta property="` + name + `" content="` + canary + `"><p title="plain">plain</p>`,
			"attribute": `<p title="plain" data-` + name + `="` + canary + `">plain</p>`,
		} {
			clean, spans := redact.Body([]byte(body), redact.Standard())
			if (place == "attribute" || place == "form" || place == "address") && strings.ContainsFunc(name, func(r rune) bool {
				return r > 127 || strings.ContainsRune("$[", r)
			}) {
				continue // no attribute and no parameter is called so, or it is escaped
			}
			tried++
			require.NotContains(t, string(clean), canary, "%s as %s", name, place)
			require.NotEmpty(t, spans, "%s as %s", name, place)
			require.Equal(t, strings.Count(body, "plain"), strings.Count(string(clean), "plain"), "%s as %s: %s", name, place, clean)
			require.Equal(t, json.Valid([]byte(body)), json.Valid(clean), "%s as %s", name, place)
			empty := strings.Replace(body, canary, "", 1)
			clean, spans = redact.Body([]byte(empty), redact.Standard())
			require.Equal(t, empty, string(clean), "%s as %s: nothing to withhold", name, place)
			require.Empty(t, spans)
		}
	}
	require.Greater(t, tried, 600)
	for _, name := range redacttest.PlainNames() {
		for _, body := range []string{
			quoted(map[string]any{name: canary}), name + "=" + canary, fmt.Sprintf(`<input name=%q value=%q>`, name, canary),
		} {
			clean, _ := redact.Body([]byte(body), redact.Standard())
			require.Equal(t, body, string(clean))
		}
	}
}
