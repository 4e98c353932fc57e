package report

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/turn"
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
		tr th td code script`)
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
			if r != '\n' && r != '\t' && r != '\u202f' && !unicode.IsPrint(r) {
				p.faults = append(p.faults, "a character that nobody sees: "+strings.ToValidUTF8(string(r), "?"))
			}
		}
	}
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
			p.points = append(p.points, a.Val)
		case key == "href" && strings.HasPrefix(a.Val, "#"):
			p.points = append(p.points, a.Val[1:])
		case key == "href" && (n.Data == "image" && strings.HasPrefix(a.Val, "data:image/png;base64,") || n.Data == "link" && a.Val == "data:,"):
		case key == "href":
			p.faults = append(p.faults, "an address: "+a.Val)
		case key == "fill" && a.Val != "url(#covered)":
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
	require.Equal(t, "default-src 'none'; img-src data:; style-src "+sourceHash(p.styles[0])+"; script-src "+sourceHash(p.scripts[0])+
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

// hostile is a session in which everything that comes from elsewhere says s.
func hostile(t testing.TB, s string) *turn.Store {
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
			Payloads: []turn.Payload{{Dialect: valid, Model: valid, Way: turn.Request, Bytes: []byte(s + "x"), Redacted: []turn.Span{{Start: 0, End: 1, Why: valid}}, Wire: true}}}
	}
	store := recordSession(t, rec(c), rec(&again))
	for turnN := range 3 {
		_, err := store.Annotate(t.Context(), turn.Annotation{Turn: turnN, At: tick(9), By: cutBytes(valid, 100), Verdict: cutBytes(valid, 40), Text: valid})
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

func FuzzWrite(f *testing.F) {
	for _, c := range evil {
		f.Add(c.say)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if s == "" || len(s) > 200 {
			return
		}
		report, _ := write(t, hostile(t, s), Options{Name: s})
		sound(t, report)
	})
}
