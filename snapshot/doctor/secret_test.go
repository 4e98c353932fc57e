package doctor

import (
	"strings"
	"testing"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/stretchr/testify/require"
)

// What is withheld in a request is a secret that was sent, but for: an example in the words of a tool's author, a
// name=value that the page shows to everybody, and the nonce of a request to sign in. What the page itself shows or
// links to is told as that, and is less; what a field held, and a value of a schema itself, are always secrets.
func TestWhichWithheldValuesAreSecrets(t *testing.T) {
	const page = `To sign in, post firstName=Nikhil&favColor=blue&password=[redacted] to the server`
	for name, c := range map[string]struct {
		tool, text, why string
		told            string
	}{
		"an example in a tool's description": {tool: `{"description":"headers such as {\"Authorization\": \"MARK\"}"}`, why: "field"},
		"a default in a tool's schema":       {tool: `{"default":"MARK"}`, why: "field", told: Secret},
		"an article's line of code": {text: `StaticText: \"firstName=Nikhil&favColor=blue&password=MARK\"`,
			why: "withheld"},
		"a token on the user's own page": {text: `To sign in, post firstName=Nikhil&favColor=blue&password=MARK`,
			why: "token", told: PageSecret},
		"a piece of text with the words of a format before it": {text: `[0-35] StaticText: favColor=blue&password=MARK`, why: "withheld"},
		"a token in a line of code that several elements draw": {text: `cell: var u = new URLSearchParams(); u.append('method', 'list'); u.append('api_key', 'MARK')`, why: "token",
			told: PageSecret},
		"a name=value in a link of the page": {text: `- /url: https://shop.example/help/signup.cgi?lang=en&cc=MARK`, why: "withheld",
			told: PageSecret},
		"a name=value in a link without a path": {text: `uid=5_1 link \"Back\" url=\"https://shop.example/list/a.html?ep=1&f.sid=MARK\"`,
			why: "withheld", told: PageSecret},
		"a name=value in a link from a folder": {text: `- /url: https://shop.example/list/go.cgi?sid=MARK`, why: "withheld",
			told: PageSecret},
		"a name=value in a link as the page wrote it": {text: `- /url: ?ep=1&f.sid=MARK`, why: "withheld", told: PageSecret},
		"a part of such a link":                       {text: `- /url: go.cgi?f.sid=MARK`, why: "withheld", told: Secret},
		"a name=value without a path elsewhere": {text: `- /url: https://shop.example/other/a.html?ep=1&f.sid=MARK`, why: "withheld",
			told: Secret},
		"a name=value in another address": {text: `- /url: https://shop.example/other.cgi?lang=en&cc=MARK`, why: "withheld", told: Secret},
		"a token in a link of the page": {text: `- /url: https://shop.example/help/signup.cgi?lang=en&cc=MARK`, why: "token",
			told: Secret},
		"the nonce of a link that asks to sign in": {text: `- /url: https://id.example/authorize?client_id=a&response_type=code&nonce=MARK&state=x`,
			why: "withheld"},
		"a nonce of another address": {text: `- /url: https://id.example/once?nonce=MARK`, why: "withheld", told: Secret},
		"a token in a link that asks to sign in": {text: `- /url: https://id.example/authorize?client_id=a&response_type=code&access_token=MARK`,
			why: "withheld", told: Secret},
		"the nonce of a request to sign in inside of another address": {text: `- /url: https://a.example/go?to=https%3A%2F%2Fid.example` +
			`%2Fauthorize%3Fclient_id%3Da%26response_type%3Dcode%26nonce%3DMARK&x=1`, why: "withheld"},
		"a name=value of an address inside of a link of the page": {text: `- /url: https://shop.example/list/go.cgi?to=%2Fa%253Fcc%253DMARK`,
			why: "withheld", told: PageSecret},
		"a name=value of an address inside of another address": {text: `- /url: https://shop.example/list/no.cgi?to=%2Fa%3Fcc%3DMARK`,
			why: "withheld", told: Secret},
		"what a field held":         {text: `- textbox \"Password\" [ref=e5]: MARK`, why: "password", told: Secret},
		"a name=value of elsewhere": {text: `log in with user=ada&secretCode=alpha&password=MARK`, why: "withheld", told: Secret},
	} {
		t.Run(name, func(t *testing.T) {
			mark := "[redacted: " + c.why + "]"
			tools := ""
			if c.tool != "" {
				tools = `,"tools":[{"type":"function","function":{"name":"emulate","parameters":` + c.tool + `}}]`
			}
			body := strings.ReplaceAll(`{"model":"m","messages":[{"role":"user","content":"`+c.text+` and so on"}]`+tools+`}`,
				"MARK", mark)
			at := strings.Index(body, mark)
			rec := &turn.Record{Capture: &snapshot.Capture{Schema: snapshot.Schema, Frames: []snapshot.Frame{
				{Parent: -1, URL: "https://shop.example/list/a.html?x=1"}}, Nodes: []snapshot.Node{
				{Parent: -1, Tag: "p", Text: page, Verdict: snapshot.VerdictContent},
				{I: 1, Tag: "a", Attrs: map[string]string{"href": "/help/signup.cgi?lang=en&cc=[redacted]"}, Verdict: snapshot.VerdictRef},
				{I: 2, Tag: "tr", Name: "var u = new URLSearchParams(); u.append('method', 'list'); u.append('api_key', '[redacted: token]')", Verdict: snapshot.VerdictRef},
				{I: 3, Parent: 2, Tag: "span", Text: "'api_key'", Verdict: snapshot.VerdictInsideAtomic},
				{I: 4, Tag: "a", Attrs: map[string]string{"href": "?ep=1&f.sid=[redacted]"}, Verdict: snapshot.VerdictRef},
				{I: 5, Tag: "a", Attrs: map[string]string{"href": "go.cgi?sid=[redacted]"}, Verdict: snapshot.VerdictRef},
				{I: 6, Tag: "a", Attrs: map[string]string{"href": "go.cgi?to=%2Fa%253Fcc%253D[redacted]"}, Verdict: snapshot.VerdictRef}}},
				Payloads: []turn.Payload{{Dialect: "openai-chat", Way: turn.Request, Wire: true, Bytes: []byte(body),
					Redacted: []redact.Span{{Start: at, End: at + len(mark), Why: c.why}}}}}
			r, err := New(Options{}).Examine(rec)
			require.NoError(t, err)
			told := ""
			for _, f := range r.Findings {
				if told != f.Rule {
					told += f.Rule
				}
			}
			require.Equal(t, c.told, told, body)
		})
	}
}

// Where the page of a request is not known, a value in the address of a link, as the text of the page prints it, is
// still the page's own; in a field or in other words it is a secret.
func TestAddressesOfPagesThatAreNotKnown(t *testing.T) {
	for _, c := range []struct{ line, told string }{
		{`uid=1_2 link \"Sign up\" url=\"https://shop.example/signup.cgi?cc=MARK\"`, PageSecret},
		{`- link \"Sign up\" [ref=e2]:\n  - /url: https://shop.example/signup.cgi?cc=MARK`, PageSecret},
		{`uid=1_2 textbox \"Sign up\" value=\"https://shop.example/signup.cgi?cc=MARK\"`, Secret},
		{`uid=1_2 StaticText \"cc=MARK\"`, Secret},
	} {
		const mark = "[redacted: withheld]"
		list := `uid=1_0 RootWebArea \"Shop\"\n  uid=1_1 button \"Buy\"\n  `
		if strings.HasPrefix(c.line, "-") {
			list = `- button \"Buy\" [ref=e1]\n`
		}
		body := `{"model":"m","messages":[{"role":"user","content":"` + list + strings.ReplaceAll(c.line, "MARK", mark) + `"}]}`
		at := strings.Index(body, mark)
		rec := &turn.Record{Capture: &snapshot.Capture{Schema: snapshot.Schema}, Payloads: []turn.Payload{{Dialect: "openai-chat", Way: turn.Request, Wire: true, Bytes: []byte(body),
			Redacted: []redact.Span{{Start: at, End: at + len(mark), Why: "withheld"}}}}}
		r, err := New(Options{}).Examine(rec)
		require.NoError(t, err)
		told := ""
		for _, f := range r.Findings {
			if f.Rule == Secret || f.Rule == PageSecret {
				told += f.Rule
			}
		}
		require.Equal(t, c.told, told, c.line)
	}
}
