package report

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/network"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/wire"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"
)

// parsed is a report as a parser that is not ours sees it.
type parsed struct {
	text            strings.Builder
	styles, scripts []string
	policy          string
	ids             map[string]int
	points          []string // ids that attributes name
	faults          []string
}

// The names of all elements and attributes that a report is made of. What is not here
// came from a page.
var (
	knownTags = strings.Fields(`html head meta link title style body svg defs pattern rect image use path text a p span h1 h2 h3
		header main section nav div ul ol li dl dt dd bdi b strong blockquote footer figure figcaption details summary pre table thead tbody
		tr th td code script g`)
	knownAttrs = strings.Fields(`lang charset http-equiv content name rel href class id width height aria-hidden aria-label aria-labelledby
		patternunits patterntransform x y viewbox role d fill data-r textlength lengthadjust tabindex dir open scope hidden preserveaspectratio colspan`)
)

func parse(t testing.TB, report string) *parsed {
	t.Helper()
	root, err := html.Parse(strings.NewReader(report))
	require.NoError(t, err)
	p := &parsed{ids: map[string]int{}}
	for n := range root.Descendants() {
		switch n.Type {
		case html.TextNode:
			p.words(n)
		case html.ElementNode:
			p.element(n)
		case html.CommentNode:
			p.faults = append(p.faults, "a comment: "+n.Data)
		}
	}
	for _, id := range p.points {
		if p.ids[id] != 1 {
			p.faults = append(p.faults, "an attribute names "+id+", which is there not exactly once")
		}
	}
	for id, n := range p.ids {
		if n > 1 {
			p.faults = append(p.faults, "two elements have the id "+id)
		}
	}
	return p
}

func (p *parsed) words(n *html.Node) {
	switch n.Parent.Data {
	case "style":
		p.styles = append(p.styles, n.Data)
	case "script":
		p.scripts = append(p.scripts, n.Data)
	default:
		p.text.WriteString(n.Data)
		for _, r := range n.Data {
			if unseen(r) {
				p.faults = append(p.faults, "a character that nobody sees: "+strings.ToValidUTF8(string(r), "?"))
			}
		}
	}
}

// unseen reports whether a character would hide from a reader or reorder what is seen.
// Joiners and the signs of the kind Cf that are drawn stay, because words depend on
// them; spaces of every width are seen as spaces.
func unseen(r rune) bool {
	switch {
	case r == '\n', r == '\t', r == '\u200c', r == '\u200d', unicode.Is(unicode.Prepended_Concatenation_Mark, r):
		return false
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Bidi_Control, unicode.Noncharacter_Code_Point)
}

func (p *parsed) element(n *html.Node) {
	if !slices.Contains(knownTags, strings.ToLower(n.Data)) {
		p.faults = append(p.faults, "an element of a page: "+n.Data)
	}
	for _, a := range n.Attr {
		key := strings.ToLower(a.Key)
		switch {
		case !slices.Contains(knownAttrs, key):
			p.faults = append(p.faults, "an attribute of a page: "+key)
		case key == "id":
			p.ids[a.Val]++
		case key == "aria-labelledby":
			p.points = append(p.points, strings.Fields(a.Val)...)
		case key == "href" && strings.HasPrefix(a.Val, "#"):
			p.points = append(p.points, a.Val[1:])
		case key == "href" && (n.Data == "image" && isPicture(a.Val) || n.Data == "link" && a.Val == "data:,"):
		case key == "href":
			p.faults = append(p.faults, "an address: "+a.Val)
		case key == "fill" && a.Val != "url(#covered)" && a.Val != "url(#missed)":
			p.faults = append(p.faults, "a fill: "+a.Val)
		case key == "http-equiv" && a.Val == "Content-Security-Policy":
			for _, b := range n.Attr {
				if b.Key == "content" {
					p.policy = b.Val
				}
			}
		}
	}
}

func isPicture(href string) bool {
	return strings.HasPrefix(href, "data:image/png;base64,") || strings.HasPrefix(href, "data:image/webp;base64,")
}

// textOf is what a report says, without checks.
func textOf(t testing.TB, report string) string {
	t.Helper()
	return parse(t, report).text.String()
}

// sound checks that nothing in a report came from a page but text.
func sound(t testing.TB, report string) *parsed {
	t.Helper()
	p := parse(t, report)
	require.Empty(t, p.faults)
	require.Len(t, p.styles, 1)
	require.Len(t, p.scripts, 1)
	require.Equal(t, "default-src 'none'; img-src data:; style-src "+SourceHash(p.styles[0])+"; script-src "+SourceHash(p.scripts[0])+
		"; base-uri 'none'; form-action 'none'", p.policy)
	require.Less(t, strings.Index(report, "Content-Security-Policy"), strings.Index(report, "<style"), "a policy holds for what follows it")
	return p
}

func TestTheReportIsSound(t *testing.T) {
	report, _ := write(t, shop(t), Options{Name: "shop"})
	sound(t, report)
}

// evil is what pages, notes and files from elsewhere may say, and how a report shows it.
var evil = []struct{ name, say, see string }{
	{"script's end", `</script><script>alert(1)</script>`, `</script><script>alert(1)</script>`},
	{"style's end", `</style><img src=x onerror=alert(1)>`, `</style><img src=x onerror=alert(1)>`},
	{"title's end", `</title></svg><svg onload=alert(1)>`, `</title></svg><svg onload=alert(1)>`},
	{"pre's end", `</pre></details><iframe src=//evil.example>`, `</pre></details><iframe src=//evil.example>`},
	{"comment's end", `--!><b>`, `--!><b>`},
	{"quotes", `"'` + "`" + ` onmouseover="alert(1)`, `"'` + "`" + ` onmouseover="alert(1)`},
	{"address", `javascript:alert(1)//`, `javascript:alert(1)//`},
	{"entities", `&lt;b&gt; &#x202e;`, `&lt;b&gt; &#x202e;`},
	{"template", `{{.Policy}} ${1}`, `{{.Policy}} ${1}`},
	{"bidi", "pay \u202egnihton\u202c \u2066x", `pay \u{202e}gnihton\u{202c} \u{2066}x`},
	{"control", "a\x00b\x1b[31m\u0085c\u2028d", ""},
	{"zero width", "in\u200bvoice\ufeff", ""},
	{"no UTF-8", "a\xff\xfeb", ""},
}

// hostileTurns are two turns in which everything that comes from elsewhere says s, and
// what somebody noted about them and the session.
func hostileTurns(s string) ([]*turn.Record, []turn.Annotation) {
	valid := strings.ToValidUTF8(s, "?") // what the session's own API demands of people
	c := capture(s, s,
		element{tag: "button", role: s, name: s, box: snapshot.Box{20, 40, 80, 24}},
		element{tag: "p", text: s, box: snapshot.Box{20, 120, 300, 20}})
	n := &c.Nodes[2]
	n.Value, n.Description, n.Path, n.Evidence = s, s, s, s
	n.Attrs = map[string]string{"href": s, "title": s, s: s}
	n.States = snapshot.States{"checked": s}
	c.Chrome, c.Lang = s, s
	c.Page.Overlays = []snapshot.Overlay{{Node: 2, Kind: s, Title: s, Share: 0.5}}
	c.Console = []snapshot.ConsoleEntry{{Level: s, Text: s, URL: s, Line: 3}, {Level: "error", Text: s}}
	c.Dialogs = []snapshot.Dialog{{Type: s, Message: s, URL: s}}
	c.Network = &network.Layer{Requests: []network.Request{{ID: 1, Method: "GET " + s, URL: "https://x.example/" + s, Type: s,
		Began: c.TakenAt, State: network.Failed, Error: s, Initiator: &network.Initiator{Type: s, URL: s, Line: 2}}}}
	c.Mutations = []snapshot.Mutation{{Type: "added", Category: "error", What: s, Text: s}}
	c.Failed = []snapshot.Failure{{Layer: s, Why: s}}
	c.Frames = append(c.Frames, snapshot.Frame{ID: s, URL: s, Why: s, Owner: 2})
	again := *c
	again.Title = "now " + s
	again.Nodes = slices.Clone(c.Nodes)
	again.Nodes[2].Name = "now " + s
	rec := func(c *snapshot.Capture) *turn.Record {
		return &turn.Record{Capture: c, Action: s, Note: s, Meta: turn.Meta{Tool: s, Chrome: s},
			Steps: []byte(`"` + strings.Map(jsonSafe, valid) + `"`), Answer: []byte(`["` + strings.Map(jsonSafe, valid) + `"]`), Lacks: []string{valid},
			Profile:  &turn.Profile{Name: valid, Bytes: []byte(s)},
			Payloads: []turn.Payload{{Dialect: valid, Model: valid, Way: turn.Request, Bytes: []byte(s + "x"), Redacted: []redact.Span{{Start: 0, End: 1, Why: valid}}, Wire: true}, hostileRequest(valid), hostileAnswer(valid)}}
	}
	var notes []turn.Annotation
	for n := range 3 {
		notes = append(notes, turn.Annotation{Turn: n, At: tick(9), By: cutBytes(valid, 100), Verdict: cutBytes(valid, 40), Text: valid})
	}
	return []*turn.Record{rec(c), rec(&again)}, notes
}

// hostileRequest is a request to a model in which every text says s: roles, texts, a page, calls, results, tools.
func hostileRequest(s string) turn.Payload {
	call := map[string]any{"id": s, "type": "function", "function": map[string]any{"name": s, "arguments": `{"ref":` + quoted(s) + `}`}}
	return turn.Payload{Dialect: wire.OpenAIChat, Way: turn.Request, Wire: true, Bytes: marshal(map[string]any{
		"model": s, "user": s, "messages": []any{
			map[string]any{"role": "system", "content": s},
			map[string]any{"role": s, "content": s},
			map[string]any{"role": "user", "content": "- generic [ref=e1]:\n  - button " + quoted(s) + " [ref=e2]\n  - text: " + quoted(s) + "\n"},
			map[string]any{"role": "assistant", "content": nil, "tool_calls": []any{call}},
			map[string]any{"role": "tool", "tool_call_id": s, "content": strings.Repeat(s+"\n", 40)},
			map[string]any{"role": "user", "content": []any{map[string]any{"type": "image_url", "image_url": map[string]any{"url": "https://x.example/" + s}}}}},
		"tools": []any{map[string]any{"type": "function", "function": map[string]any{"name": s, "description": s,
			"parameters": map[string]any{"type": "object", "title": s}}}}})}
}

// hostileAnswer calls a tool on the element whose number is s, and on one that the page has.
func hostileAnswer(s string) turn.Payload {
	call := func(ref string) map[string]any {
		return map[string]any{"id": s, "type": "function", "function": map[string]any{"name": "browser_click",
			"arguments": string(marshal(map[string]any{"element": s, "ref": ref}))}}
	}
	return turn.Payload{Dialect: wire.OpenAIChat, Way: turn.Answer, Wire: true, Bytes: marshal(map[string]any{"choices": []any{map[string]any{
		"message": map[string]any{"role": "assistant", "content": s, "tool_calls": []any{call(s), call("e2")}}}}})}
}

func marshal(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // maps of strings always have a JSON
	}
	return b
}

func quoted(s string) string { return string(marshal(s)) }

// hostile is a session of these turns.
func hostile(t testing.TB, s string) *turn.Store {
	turns, notes := hostileTurns(s)
	store := recordSession(t, turns...)
	for _, a := range notes {
		_, err := store.Annotate(t.Context(), a)
		require.NoError(t, err)
	}
	return store
}

// jsonSafe keeps what may stand between JSON quotes as it is.
func jsonSafe(r rune) rune {
	if r < ' ' || r == '"' || r == '\\' {
		return '_'
	}
	return r
}

func cutBytes(s string, n int) string { return strings.ToValidUTF8(s[:min(n, len(s))], "") }

func TestHostileTexts(t *testing.T) {
	for _, c := range evil {
		t.Run(c.name, func(t *testing.T) {
			report, _ := write(t, hostile(t, c.say), Options{Name: c.say})
			p := sound(t, report)
			if c.see != "" {
				require.GreaterOrEqual(t, strings.Count(p.text.String(), c.see), 20, "it is shown, in every place, as what it is")
			}
		})
	}
}

// FuzzReport makes reports of hostile turns without a disk between, which would take
// most of the time.
func FuzzReport(f *testing.F) {
	for _, c := range evil {
		f.Add(c.say)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 2000 {
			return
		}
		p, err := newPage()
		require.NoError(t, err)
		b := &builder{page: p, options: Options{Name: s}, doctor: export.NewDoctor(nil), pictures: map[string]bool{}, annotations: map[int][]turn.Annotation{}, shown: []int{1, 2, 3}}
		require.NoError(t, b.options.check())
		turns, notes := hostileTurns(s)
		for _, a := range notes {
			b.annotations[a.Turn] = append(b.annotations[a.Turn], a)
		}
		b.summaries = map[int]turn.Summary{}
		b.damage = map[int][]string{3: {s}}
		b.summary.Damage = []string{s}
		ledger := turn.NewLedger()
		var out bytes.Buffer
		for i, rec := range append(turns, nil) {
			if rec != nil {
				ledger.Assign("tab", i+1, rec.Capture)
			}
			b.summaries[i+1] = turn.Summary{
				Head: turn.Head{N: i + 1, Time: tick(i), Action: s, Note: s, URL: s, Title: s},
				Meta: turn.Meta{Tool: s, Chrome: s}}
			require.NoError(t, b.add(&out, i+1, rec))
		}
		require.NoError(t, b.flush(&out))
		var report bytes.Buffer
		require.NoError(t, p.head(&report, b.head()))
		report.Write(out.Bytes())
		require.NoError(t, p.foot(&report))
		sound(t, report.String())
	})
}
