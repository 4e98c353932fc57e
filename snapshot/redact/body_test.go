package redact_test

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/redact/redacttest"
)

// TestRedact: what goes, and that nothing else does.
func TestRedact(t *testing.T) {
	pass := redact.Secret{Value: `p"ä<1>/%2B`, Why: "password"}
	long := redact.Secret{Value: "correct horse", Why: "password"}
	nested := func(times int, s string) string {
		for range times {
			b, err := json.Marshal(s)
			require.NoError(t, err)
			s = string(b)
		}
		return s
	}
	for name, c := range map[string]struct {
		in, want string
		secrets  []redact.Secret
	}{
		"nothing":           {`{"a":[1,"x"]}`, `{"a":[1,"x"]}`, nil},
		"plain":             {`it is correct horse!`, `it is [redacted: password]!`, []redact.Secret{long}},
		"JSON":              {nested(1, `is p"ä<1>/%2B.`), `"is [redacted: password]."`, []redact.Secret{pass}},
		"JSON in JSON":      {nested(3, `is p"ä<1>/%2B.`), nested(3, `is [redacted: password].`), []redact.Secret{pass}},
		"JSON in ASCII":     {`"p\"\u00e4\u003c1>\/%2B"`, `"[redacted: password]"`, []redact.Secret{pass}},
		"form":              {"a=1&x=" + url.QueryEscape(pass.Value), "a=1&x=[redacted: password]", []redact.Secret{pass}},
		"form with a space": {"a=correct+horse&b=2", "a=[redacted: password]&b=2", []redact.Secret{long}},
		"HTML in JSON": {`{"dom":"<b>p&quot;&auml;&lt;1&gt;/%2B<\/b>"}`, `{"dom":"<b>[redacted: password]<\/b>"}`,
			[]redact.Secret{pass}},
		"number": {`{"code":471101,"n":4711010}`,
			`{"code":"[redacted: one-time code]","n":"[redacted: one-time code]"}`,
			[]redact.Secret{{Value: "471101", Why: "one-time code"}}},
		"short": {`{"a":7,"b":77,"c":"7, x7","d":-7.5}`,
			`{"a":"[redacted]","b":77,"c":"[redacted], x7","d":"[redacted]"}`, []redact.Secret{{Value: "7", Why: ""}}},
		"beyond a string": {`["a","b"]`, `["[redacted: x]","[redacted: x]"]`, []redact.Secret{{Value: `a","b`, Why: "x"}}},
		"structure":       {`[[],[]]`, `[[],[]]`, []redact.Secret{{Value: `],[]`, Why: "x"}}},
		"reason":          {`abcdef`, `[redacted: a b]`, []redact.Secret{{Value: "abcdef", Why: "a]\n\"\\ b"}}},
		"member": {`{"password":"x","apiKey":"y","max_tokens":5,"code":"NOT_FOUND"}`,
			`{"password":"[redacted: field]","apiKey":"[redacted: field]","max_tokens":5,"code":"NOT_FOUND"}`, nil},
		"empty member": {`{"password":""}`, `{"password":""}`, nil},
		"step": {`{"fill":{"selector":"#password","value":"x y"}}`,
			`{"fill":{"selector":"#password","value":"[redacted: field]"}}`, nil},
		"tool call": {`{"arguments":"{\"fields\":{\"#Password\":\"hunter2\"}}"}`,
			`{"arguments":"{\"fields\":{\"#Password\":\"[redacted: password]\"}}"}`, nil},
		"node": {`{"tag":"input","type":"password","value":"x","ref":3}`,
			`{"tag":"input","type":"password","value":"[redacted: field]","ref":3}`, nil},
		"node with objects in it": {`{"type":"password","bounds":{"x":1.5e2},"list":[{"text":"Go"},["a"],null],"value":"x"}`,
			`{"type":"password","bounds":{"x":1.5e2},"list":[{"text":"Go"},["a"],null],"value":"[redacted: field]"}`, nil},
		"JSON in a text": {`{"text":"{\"title\":{\"text\":\"Now\"},\"field\":{\"type\":\"password\",\"value\":\"\"}}"}`,
			`{"text":"{\"title\":{\"text\":\"Now\"},\"field\":{\"type\":\"password\",\"value\":\"\"}}"}`, nil},
		"tag": {`<input name="a" value="1"><input type='password' value="a>b" />`,
			`<input name="a" value="1"><input type='password' value="[redacted: field]" />`, nil},
		"wraith": {`@e13   [password]   "hunter2" placeholder="Password" value="hunter2"`,
			`@e13   [password]   "[redacted: field]" placeholder="Password" value="[redacted: field]"`, nil},
		"aria": {"- textbox \"Password\" [ref=e4]: hunter2\n- textbox \"Name\": Ada",
			"- textbox \"Password\" [ref=e4]: [redacted: field]\n- textbox \"Name\": Ada", nil},
		"stream": {"data: {\"delta\":\"correct horse\"}\n\ndata: [DONE]\n",
			"data: {\"delta\":\"[redacted: password]\"}\n\ndata: [DONE]\n", []redact.Secret{long}},
		"stray quotes": {`he said " and {"password":"x"} then " {"type":"password","value":"y"}`,
			`he said " and {"password":"[redacted: field]"} then " {"type":"password","value":"[redacted: field]"}`, nil},
		"before a quote": {`{"a":"<a href=\"/x?token=abc\">"}`, `{"a":"<a href=\"/x?token=[redacted]\">"}`, nil},
		"behind a mark, in JSON for HTML": {`{"a":"?token=[redacted]\u0026page=2\"\u003eReset"}`,
			`{"a":"?token=[redacted]\u0026page=2\"\u003eReset"}`, nil},
		"behind a mark, in JSON in JSON": {`{"a":"{\"b\":\"password is [redacted: password]\\n\\t\\u003cform\\u003e\"}"}`,
			`{"a":"{\"b\":\"password is [redacted: password]\\n\\t\\u003cform\\u003e\"}"}`, nil},
		"behind a mark, in an address": {`/x?to=%2Fy%3Ftoken%3D[redacted]%26page%3D2`,
			`/x?to=%2Fy%3Ftoken%3D[redacted]%26page%3D2`, nil},
		"beyond a line": {`{"a":"password: Go7-wald!\n- button \u003cb\u003e"}`,
			`{"a":"password: [redacted: password]\n- button \u003cb\u003e"}`, nil},
		"no secret without what follows": {`{"a":"signature: 4273170279\u0026#10;form"}`,
			`{"a":"signature: 4273170279\u0026#10;form"}`, nil},
		"beyond a parameter": {`{"a":"/x?token=abc\u0026page=2"}`, `{"a":"/x?token=[redacted]\u0026page=2"}`, nil},
		"a backslash in it":  {`{"a":"password: Go\\nearby7"}`, `{"a":"password: [redacted: password]"}`, nil},
		"half an escape": {`{"a":"\u00e9abc\"def"}`, `{"a":"\u00e9[redacted: x][redacted: x]"}`,
			[]redact.Secret{{Value: "e9abc", Why: "x"}, {Value: `"def`, Why: "x"}, {Value: "def", Why: "x"}}},
		"a vendor's signature of its model's reasoning": {`{"type":"thinking","thinking":"x","signature":"EqQBCgIYAhIM9zL7kk3Q"},` +
			`{"type":"text","signature":"EqQBCgIYAhIM9zL7kk3Q"}`,
			`{"type":"thinking","thinking":"x","signature":"EqQBCgIYAhIM9zL7kk3Q"},{"type":"text","signature":"[redacted: token]"}`,
			nil},
		"a vendor's signature in a stream": {`data: {"delta":{"type":"signature_delta","signature":"EqQBCgIYAhIM9zL7kk3Q"}}`,
			`data: {"delta":{"type":"signature_delta","signature":"EqQBCgIYAhIM9zL7kk3Q"}}`, nil},
		"a signature of Gemini": {`{"parts":[{"functionCall":{"name":"click"},"thoughtSignature":"CtwBAVSoXO7pTq9zL7kk3Q=="}]}`,
			`{"parts":[{"functionCall":{"name":"click"},"thoughtSignature":"CtwBAVSoXO7pTq9zL7kk3Q=="}]}`, nil},
		"a signature of Gemini in OpenAI's dialect": {`{"extra_content":{"google":{"thought_signature":"CtwBAVSoXO7pTq9zL7kk3Q=="}}}`,
			`{"extra_content":{"google":{"thought_signature":"CtwBAVSoXO7pTq9zL7kk3Q=="}}}`, nil},
		"a signature of Bedrock": {`{"reasoningText":{"text":"x","signature":"EqQBCgIYAhIM9zL7kk3Q"}},{"text":"x","signature":"EqQBCgIYAhIM9zL7kk3Q"}`,
			`{"reasoningText":{"text":"x","signature":"EqQBCgIYAhIM9zL7kk3Q"}},{"text":"x","signature":"[redacted: token]"}`, nil},
		"a signature of Bedrock in a stream": {`{"delta":{"reasoningContent":{"signature":"EqQBCgIYAhIM9zL7kk3Q"}}}`,
			`{"delta":{"reasoningContent":{"signature":"EqQBCgIYAhIM9zL7kk3Q"}}}`, nil},
		"a signature of OpenRouter": {`{"type":"reasoning.text","text":"x","signature":"EqQBCgIYAhIM9zL7kk3Q"}`,
			`{"type":"reasoning.text","text":"x","signature":"EqQBCgIYAhIM9zL7kk3Q"}`, nil},
		"a secret in a vendor's signature": {`{"type":"thinking","signature":"EqQBhunter2"}`,
			`{"type":"thinking","signature":"EqQB[redacted: password]"}`, []redact.Secret{{Value: "hunter2", Why: "password"}}},
		"stream of quotes": {`data: {"a":"href=\"/x?token=abc\"`, `data: {"a":"href=\"/x?token=[redacted]\"`, nil},
		"accesskey": {`<a accesskey="h" data-requires-token="true">`, `<a accesskey="h" data-requires-token="true">`,
			nil},
		"card as a number": {`{"n":4111111111111111,"order":1234567890123456}`,
			`{"n":"[redacted: card]","order":1234567890123456}`, nil},
		"marked before": {`{"password":"[redacted: password]"}`, `{"password":"[redacted: password]"}`, nil},
		"beside a picture": {`{"image":"` + strings.Repeat("AAAA", 2_000) + `","password":"x"}`,
			`{"image":"` + strings.Repeat("AAAA", 2_000) + `","password":"[redacted: field]"}`, nil},
		"in a picture": {`"` + strings.Repeat("AAAA", 2_000) + "hunter2\"",
			`"` + strings.Repeat("AAAA", 2_000) + "[redacted: password]\"",
			[]redact.Secret{{Value: "hunter2", Why: "password"}}},
	} {
		t.Run(name, func(t *testing.T) {
			got, spans := redact.Body([]byte(c.in), redact.Standard(), c.secrets...)
			require.Equal(t, c.want, string(got))
			require.Equal(t, json.Valid([]byte(c.in)), json.Valid(got))
			require.Len(t, spans, strings.Count(c.want, "[redacted"))
			redacttest.Outside(t, []byte(c.in), got, spans)
		})
	}
}

// TestRedactByLooks: the table that the collector and package snapshot are held to.
// A stream says a secret in pieces: each loses its part, whoever streams it, and every other byte is as it was.
func TestStreamedInPieces(t *testing.T) {
	secret := redact.Secret{Value: "Tr0ub4dor&3x", Why: "password"}
	for name, c := range map[string]struct{ head, one, tail string }{
		"OpenAI": {"", `data: {"id":"c","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"%s"}}]}}]}` + "\n\n", "data: [DONE]\n\n"},
		"Responses": {"", "event: response.function_call_arguments.delta\n" +
			`data: {"type":"response.function_call_arguments.delta","item_id":"fc","delta":"%s","output_index":2}` + "\n\n", ""},
		"Anthropic": {"event: ping\ndata: {\"type\":\"ping\"}\n\n",
			`data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"%s"}}` + "\n\n", ""},
		"Ollama":         {"", `{"model":"q","message":{"role":"assistant","content":"%s"},"done":false}` + "\n", `{"done":true}` + "\n"},
		"Gemini, a list": {"[", `{"candidates":[{"content":{"parts":[{"text":"%s"}]}}]},` + "\n", "{}]"},
	} {
		t.Run(name, func(t *testing.T) {
			stream := func(said ...string) string {
				out := c.head
				for _, s := range said {
					out += strings.Replace(c.one, "%s", s, 1)
				}
				return out + c.tail
			}
			check := func(want, in string, secrets ...redact.Secret) {
				t.Helper()
				got, spans := redact.Body([]byte(in), redact.Standard(), secrets...)
				require.Equal(t, want, string(got))
				require.Len(t, spans, strings.Count(want, "[redacted"))
				again, _ := redact.Body(got, redact.Standard(), secrets...)
				require.Equal(t, want, string(again))
			}
			// by its value
			check(stream("I type [redacted: password]", "[redacted: password]", "[redacted: password] now"),
				stream("I type Tr0u", "b4dor", "&3x now"), secret)
			// by the name of its member, which is in pieces as well
			check(stream(`{\"user\":\"Ada\",\"pass`, `word\":\"[redacted: password]`, `[redacted: password]\",\"n`, `\":1}`),
				stream(`{\"user\":\"Ada\",\"pass`, `word\":\"hun`, `ter2\",\"n`, `\":1}`))
			plain := stream("The next ", "page of ", "the list")
			check(plain, plain, secret)
		})
	}
	// calls that come in turns are put together each by itself
	two := func(a, b string) string {
		return `data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"` + a + `"}},{"index":1,"function":{"arguments":"` + b + `"}}]}}]}` + "\n\n"
	}
	got, _ := redact.Body([]byte(two("Tr0ub", "x")+two("4dor&3x", "y")), redact.Standard(), secret)
	require.Equal(t, two("[redacted: password]", "x")+two("[redacted: password]", "y"), string(got))
}

func TestRedactByLooks(t *testing.T) {
	for _, c := range redacttest.Cases() {
		if strings.HasPrefix(c.Name, "keep: ") {
			got, spans := redact.Body([]byte(c.In), redact.Standard())
			require.Equal(t, c.In, string(got), c.Name)
			there := redact.Marks([]byte(c.In))
			for i := range there {
				there[i].Before = true
			}
			require.Equal(t, there, spans)
			continue
		}
		got, spans := redact.Body([]byte(c.In), redact.Standard())
		require.NotEmpty(t, spans, c.Name)
		require.Equal(t, len(redactedParts(c.Want)), len(redactedParts(string(got))), c.Name)
	}
}

// A mark that is in a body already is listed as such, whatever is withheld around it.
func TestMarksThatWereThereBefore(t *testing.T) {
	secret := redact.Secret{Value: "Tr0ub4dor&3x", Why: "password"}
	got, spans := redact.Body([]byte(`{"a":"Tr0ub4dor&3x","b":"- textbox: [redacted: password]","c":"Tr0ub4dor&3x","d":"[redacted: card]"}`),
		redact.Standard(), secret)
	require.Equal(t, `{"a":"[redacted: password]","b":"- textbox: [redacted: password]","c":"[redacted: password]","d":"[redacted: card]"}`, string(got))
	var before []bool
	for _, s := range spans {
		before = append(before, s.Before)
	}
	require.Equal(t, []bool{false, true, false, true}, before)
}

func redactedParts(s string) []redact.Span { return redact.Marks([]byte(s)) }

// FuzzRedact: nothing of the secret is left outside of the marks, JSON stays JSON,
// everything outside of the spans stays, and twice is as once; for texts and bodies.
func FuzzRedact(f *testing.F) {
	for _, s := range []string{
		`{"a":"x hunter2","password":"y","n":4111111111111111}`, `"\"\\u0068unter2"`, "a=hunter2&password=x",
		`<input type="password" value="hunter2">`, "- textbox \"Password\": x", "[redacted: x] hunter2 [redacted",
		`["hunter2","hunter2"]`, `{"a":-1e5,"b":[12]}`, "\xff\\u", "&#104;unter2", "%68unter2",
		"[redacted: is hunter2]", "/x?token=ab[redacted: token]cd&y", "[redacted: %68unter2]",
	} {
		f.Add(s, "hunter2")
	}
	for _, c := range redacttest.Cases() {
		f.Add(c.In, "secret")
	}
	f.Add(`{"a":12}`, "12")
	r := redact.Standard()
	f.Fuzz(func(t *testing.T, body, value string) {
		secret := redact.Secret{Value: value, Why: "password"}
		got, spans := redact.Body([]byte(body), r, secret)
		redacttest.Outside(t, []byte(body), got, spans)
		again, same := redact.Body(got, r, secret)
		require.Equal(t, string(got), string(again))
		require.Len(t, same, len(spans))
		long := utf8.RuneCountInString(value) > 3
		if json.Valid([]byte(body)) {
			require.True(t, json.Valid(got), "%q", got)
			for _, l := range redact.Leaves(got) {
				if long && utf8.ValidString(value) {
					none(t, unmarked(l.Text), value)
				}
			}
		} else if long {
			none(t, unmarked(string(got)), value)
		}

		secret.Reach = redact.Anywhere
		text := r.Clean(body, secret)
		redacttest.Outside(t, []byte(body), []byte(text), redact.Marks([]byte(text)))
		require.Equal(t, text, r.Clean(text, secret))
		if value != "" {
			none(t, unmarked(text), value)
		}
		require.Equal(t, redact.Remove(text, secret), text)
	})
}

// unmarked are the pieces of a text between its marks.
func unmarked(s string) []string {
	var out []string
	done := 0
	for _, m := range redact.Marks([]byte(s)) {
		out = append(out, s[done:m.Start])
		done = m.End
	}
	return append(out, s[done:])
}

// none requires that no piece holds the value.
func none(t *testing.T, pieces []string, value string) {
	t.Helper()
	for _, p := range pieces {
		require.NotContains(t, p, value)
	}
}

// TestSplitSecrets: a page that puts letters of a secret into elements of their own does not get it out.
func TestSplitSecrets(t *testing.T) {
	secret := redact.Secret{Value: "Zebra7Quilt", Why: "password"}
	for in, want := range map[string]string{
		`{"html":"<p id=\"o\">Zebr<b class=\"x\">a7Qu</b>ilt</p>"}`:    `{"html":"<p id=\"o\">[redacted: password]</p>"}`,
		`{"html":"\u003cb\u003eZebra7\u003c/b\u003eQuilt, then more"}`: `{"html":"\u003cb\u003e[redacted: password], then more"}`,
		`<i>Zebra7</i> <i>Quilt</i>`:                                   `<i>Zebra7</i> <i>Quilt</i>`,
		`1 < 2 and Zebra7 < Quilt`:                                     `1 < 2 and Zebra7 < Quilt`,
	} {
		got, _ := redact.Body([]byte(in), redact.Standard(), secret)
		require.Equal(t, want, string(got))
		again, _ := redact.Body(got, redact.Standard(), secret)
		require.Equal(t, want, string(again))
	}
	got, _ := redact.Body([]byte(`<b>[redacted: password]</b>`), redact.Standard(), redact.Secret{Value: "password", Why: "password"})
	require.Equal(t, `<b>[redacted: password]</b>`, string(got))

	r := redact.Standard().With(secret)
	require.Equal(t, []string{"It is [redacted: password]", "", "!", "Zebra7Quilt", "Zebra7"},
		r.CleanSplit([]string{"It is Zebr", "a7Qu", "ilt!"[:3] + "!", "Zebra7Quilt", "Zebra7"}))
}
