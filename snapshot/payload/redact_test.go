package payload

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/redacttest"
)

func rules(t testing.TB) *snapshot.Redactor {
	r, err := snapshot.NewRedactor()
	require.NoError(t, err)
	return r
}

// TestRedact: what goes, and that nothing else does.
func TestRedact(t *testing.T) {
	pass := Secret{`p"ä<1>/%2B`, "password"}
	long := Secret{"correct horse", "password"}
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
		secrets  []Secret
	}{
		"nothing":           {`{"a":[1,"x"]}`, `{"a":[1,"x"]}`, nil},
		"plain":             {`it is correct horse!`, `it is [redacted: password]!`, []Secret{long}},
		"JSON":              {nested(1, `is p"ä<1>/%2B.`), `"is [redacted: password]."`, []Secret{pass}},
		"JSON in JSON":      {nested(3, `is p"ä<1>/%2B.`), nested(3, `is [redacted: password].`), []Secret{pass}},
		"JSON in ASCII":     {`"p\"\u00e4\u003c1>\/%2B"`, `"[redacted: password]"`, []Secret{pass}},
		"form":              {"a=1&x=" + url.QueryEscape(pass.Value), "a=1&x=[redacted: password]", []Secret{pass}},
		"form with a space": {"a=correct+horse&b=2", "a=[redacted: password]&b=2", []Secret{long}},
		"HTML in JSON":      {`{"dom":"<b>p&quot;&auml;&lt;1&gt;/%2B<\/b>"}`, `{"dom":"<b>[redacted: password]<\/b>"}`, []Secret{pass}},
		"number":            {`{"code":471101,"n":4711010}`, `{"code":"[redacted: one-time code]","n":"[redacted: one-time code]"}`, []Secret{{"471101", "one-time code"}}},
		"short":             {`{"a":7,"b":77,"c":"7, x7","d":-7.5}`, `{"a":"[redacted]","b":77,"c":"[redacted], x7","d":"[redacted]"}`, []Secret{{"7", ""}}},
		"beyond a string":   {`["a","b"]`, `["[redacted: x]","[redacted: x]"]`, []Secret{{`a","b`, "x"}}},
		"structure":         {`[[],[]]`, `[[],[]]`, []Secret{{`],[]`, "x"}}},
		"reason":            {`abcdef`, `[redacted: a b]`, []Secret{{"abcdef", "a]\n\"\\ b"}}},
		"member":            {`{"password":"x","apiKey":"y","max_tokens":5,"code":"NOT_FOUND"}`, `{"password":"[redacted: field]","apiKey":"[redacted: field]","max_tokens":5,"code":"NOT_FOUND"}`, nil},
		"empty member":      {`{"password":""}`, `{"password":""}`, nil},
		"step":              {`{"fill":{"selector":"#password","value":"x y"}}`, `{"fill":{"selector":"#password","value":"[redacted: field]"}}`, nil},
		"tool call":         {`{"arguments":"{\"fields\":{\"#Password\":\"hunter2\"}}"}`, `{"arguments":"{\"fields\":{\"#Password\":\"[redacted: field]\"}}"}`, nil},
		"node":              {`{"tag":"input","type":"password","value":"x","ref":3}`, `{"tag":"input","type":"password","value":"[redacted: field]","ref":3}`, nil},
		"tag":               {`<input name="a" value="1"><input type='password' value="a>b" />`, `<input name="a" value="1"><input type='password' value="[redacted: field]" />`, nil},
		"wraith":            {`@e13   [password]   "hunter2" placeholder="Password" value="hunter2"`, `@e13   [password]   "[redacted: field]" placeholder="Password" value="[redacted: field]"`, nil},
		"aria":              {"- textbox \"Password\" [ref=e4]: hunter2\n- textbox \"Name\": Ada", "- textbox \"Password\" [ref=e4]: [redacted: field]\n- textbox \"Name\": Ada", nil},
		"stream":            {"data: {\"delta\":\"correct horse\"}\n\ndata: [DONE]\n", "data: {\"delta\":\"[redacted: password]\"}\n\ndata: [DONE]\n", []Secret{long}},
		"stray quotes":      {`he said " and {"password":"x"} then " {"type":"password","value":"y"}`, `he said " and {"password":"[redacted: field]"} then " {"type":"password","value":"[redacted: field]"}`, nil},
		"before a quote":    {`{"a":"<a href=\"/x?token=abc\">"}`, `{"a":"<a href=\"/x?token=[redacted]\">"}`, nil},
		"half an escape":    {`{"a":"\u00e9abc\"def"}`, `{"a":"\u00e9[redacted: x][redacted: x]"}`, []Secret{{"e9abc", "x"}, {`"def`, "x"}, {"def", "x"}}},
		"stream of quotes":  {`data: {"a":"href=\"/x?token=abc\"`, `data: {"a":"href=\"/x?token=[redacted]\"`, nil},
		"accesskey":         {`<a accesskey="h" data-requires-token="true">`, `<a accesskey="h" data-requires-token="true">`, nil},
		"card as a number":  {`{"n":4111111111111111,"order":1234567890123456}`, `{"n":"[redacted: card]","order":1234567890123456}`, nil},
		"marked before":     {`{"password":"[redacted: password]"}`, `{"password":"[redacted: password]"}`, nil},
		"beside a picture":  {`{"image":"` + strings.Repeat("AAAA", 2_000) + `","password":"x"}`, `{"image":"` + strings.Repeat("AAAA", 2_000) + `","password":"[redacted: field]"}`, nil},
		"in a picture":      {`"` + strings.Repeat("AAAA", 2_000) + "hunter2\"", `"` + strings.Repeat("AAAA", 2_000) + "[redacted: password]\"", []Secret{{"hunter2", "password"}}},
	} {
		t.Run(name, func(t *testing.T) {
			got, spans := Redact([]byte(c.in), rules(t), c.secrets...)
			require.Equal(t, c.want, string(got))
			require.Equal(t, json.Valid([]byte(c.in)), json.Valid(got))
			require.Len(t, spans, strings.Count(c.want, "[redacted"))
			outside(t, []byte(c.in), got, spans)
		})
	}
}

// outside requires that the stored bytes are those that were received outside of the
// spans, in order.
func outside(t testing.TB, received, stored []byte, spans []Span) {
	t.Helper()
	done := 0
	for i, s := range spans {
		require.Regexp(t, `^"?\[redacted.*[\]…]"?$`, string(stored[s.Start:s.End]))
		piece := stored[done:s.Start]
		done = s.End
		at := bytes.Index(received, piece)
		require.True(t, at >= 0 && (i > 0 || at == 0), "before span %d: %q", i, piece)
		received = received[at+len(piece):]
	}
	rest := stored[done:]
	require.True(t, bytes.HasSuffix(received, rest) && (len(spans) > 0 || len(received) == len(rest)), "after the last span: %q", rest)
}

// TestRedactByLooks: the table that the collector and package snapshot are held to.
func TestRedactByLooks(t *testing.T) {
	for _, c := range redacttest.Cases() {
		if strings.HasPrefix(c.Name, "keep: ") {
			got, spans := Redact([]byte(c.In), rules(t))
			require.Equal(t, c.In, string(got), c.Name)
			require.Empty(t, spans)
			continue
		}
		got, spans := Redact([]byte(c.In), rules(t))
		require.NotEmpty(t, spans, c.Name)
		require.Equal(t, len(redactedParts(c.Want)), len(redactedParts(string(got))), c.Name)
	}
}

func redactedParts(s string) []Span { return marks([]byte(s)) }

// TestWire: a body that crossed the wire is stored as the server received it, outside of
// the spans that are listed.
func TestWire(t *testing.T) {
	var received []byte
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, err := io.ReadAll(r.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		received = b
	}))
	defer server.Close()
	in := testInput(t)
	in.Query = "Sign in with hunter2! and pay with 4111 1111 1111 1111"
	in.History = append(in.History, Message{"assistant", `fill({"selector":"#password","value":"hunter2!"})`})
	in.Capture.Nodes[3].Value = "[redacted: password]"
	for _, dialect := range Dialects() {
		p, err := Build(dialect, in)
		require.NoError(t, err)
		res, err := http.Post(server.URL, "application/json", bytes.NewReader(p.Body))
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		require.Equal(t, p.Body, received)

		stored, spans := Redact(received, rules(t), Secret{"hunter2!", "password"})
		require.True(t, json.Valid(stored), dialect)
		outside(t, received, stored, spans)
		require.NotContains(t, string(stored), "hunter2")
		require.NotContains(t, string(stored), "4111 1111")
		require.GreaterOrEqual(t, len(spans), len(marks(received)), "the capture's own marks are listed too")
		require.NotEmpty(t, spans, dialect)
	}
}

// FuzzRedact: nothing of the secret is left, JSON stays JSON, everything outside of the
// spans stays, and twice is as once.
func FuzzRedact(f *testing.F) {
	for _, s := range []string{
		`{"a":"x hunter2","password":"y","n":4111111111111111}`, `"\"\\u0068unter2"`, "a=hunter2&password=x", `<input type="password" value="hunter2">`,
		"- textbox \"Password\": x", "[redacted: x] hunter2 [redacted", `["hunter2","hunter2"]`, `{"a":-1e5,"b":[12]}`, "\xff\\u", "&#104;unter2", "%68unter2",
	} {
		f.Add(s, "hunter2")
	}
	f.Add(`{"a":12}`, "12")
	r := rules(f)
	f.Fuzz(func(t *testing.T, body, secret string) {
		got, spans := Redact([]byte(body), r, Secret{secret, "password"})
		if json.Valid([]byte(body)) {
			require.True(t, json.Valid(got), "%q", got)
		}
		outside(t, []byte(body), got, spans)
		if utf8.RuneCountInString(secret) > shortSecret && !json.Valid([]byte(body)) && !strings.Contains("[redacted: password][redacted: field][redacted: token][redacted: card][redacted: key]", secret) {
			done := 0
			for _, s := range append(spans, Span{Start: len(got)}) {
				require.NotContains(t, string(got[done:s.Start]), secret)
				done = s.End
			}
		}
		if utf8.RuneCountInString(secret) > shortSecret && utf8.ValidString(secret) {
			again, _ := Redact(got, r, Secret{secret, "password"})
			require.Equal(t, string(got), string(again))
		}
	})
}

func BenchmarkRedact(b *testing.B) {
	in := testInput(b)
	in.Marked = append(in.Marked, make([]byte, 400_000)...)
	in.System = strings.Repeat("Words of a prompt, \"quoted\" and not.\n", 3_000)
	p, err := Build("openai-chat", in)
	require.NoError(b, err)
	r := rules(b)
	b.SetBytes(int64(len(p.Body)))
	b.ReportAllocs()
	for b.Loop() {
		Redact(p.Body, r, Secret{"hunter2", "password"})
	}
}
