package golden

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
)

func all(t testing.TB) *Normaliser {
	t.Helper()
	n, err := newNormaliser(nil, ruleNames())
	require.NoError(t, err)
	return n
}

// TestRules: what changes by itself, and its look-alikes.
func TestRules(t *testing.T) {
	n := all(t)
	for _, c := range []struct{ in, want string }{
		{"Updated 2026-11-21T18:25:41.123Z", "Updated ‹time›"},
		{"at 2026-11-21 18:25", "at ‹time›"},
		{"on 2026-11-21, 9:05 pm", "on ‹date›, ‹time›"},
		{"21.11.2026 and 11/21/26", "‹date› and ‹date›"},
		{"November 21, 2026", "‹date›"},
		{"21 Nov 2026", "‹date›"},
		{"3rd of May 2026", "‹date›"},
		{"21. März 2026", "‹date›"},
		{"5 minutes ago, an hour ago", "‹time›, ‹time›"},
		{"14:05:59", "‹time›"},
		{"$89", "‹price›"},
		{"$1,299.00 now", "‹price› now"},
		{"1.299,00 € statt 1 500 €", "‹price› statt ‹price›"},
		{"CHF 12.50, 12 USD", "‹price›, ‹price›"},
		{"-€5", "‹price›"},
		{"http://127.0.0.1:21345/x", "http://127.0.0.1:0/x"},
		{"http://localhost:80/", "http://localhost:0/"},
		{"id 6fa459ea-ee8a-3ca4-894e-db77e160355e!", "id ‹id›!"},
		{"«r1f» and :r0:", "‹id› and ‹id›"},
		{"sha 9f86d081884c7d65", "sha ‹id›"},
		{"order 1732213541123", "order ‹id›"},
		// Look-alikes stay.
		{"version 1.2.10", "version 1.2.10"},
		{"10.0.0.12:8080", "10.0.0.12:8080"},
		{"16:9", "16:9"},
		{"25:61", "25:61"},
		{"call 555-0100", "call 555-0100"},
		{"Mayor of 12 towns", "Mayor of 12 towns"},
		{"12 Marchers", "12 Marchers"},
		{"cafe deadbeef", "cafe deadbeef"},
		{"$HOME", "$HOME"},
		{"100 people agone", "100 people agone"},
		{"localhosting:80", "localhosting:80"},
	} {
		got, what := n.Text(c.in)
		require.Equal(t, c.want, got, c.in)
		require.Equal(t, c.in == c.want, len(what) == 0, c.in)
		again, _ := n.Text(got)
		require.Equal(t, got, again, "twice is as once")
	}
}

func TestRulesSayWhatTheyReplaced(t *testing.T) {
	n, err := newNormaliser([]Rule{{Name: "order", Pattern: `\bK-(\d)\d+`, Put: "K-$1…"}}, []string{"price"})
	require.NoError(t, err)
	got, what := n.Text("K-1060 for $24.00, K-1059 for $24.00, K-2001 and 14:05 " + strings.Repeat("K-99999", 1))
	require.Equal(t, "K-1… for ‹price›, K-1… for ‹price›, K-2… and 14:05 K-9…", got)
	require.Equal(t, []Replaced{
		{Rule: "order", Count: 4, Examples: []string{"K-1060", "K-1059", "K-2001", "K-99999"},
			Texts: []string{"K-1060", "K-1059", "K-2001", "K-99999"}},
		{Rule: "price", Count: 2, Examples: []string{"$24.00"}, Texts: []string{"$24.00", "$24.00"}},
	}, what)
	for name, r := range map[string]Rule{
		`rule "": a name has 1 to 60`:                      {Pattern: "x"},
		`rule "a": error parsing regexp`:                   {Name: "a", Pattern: "("},
		`rule "a": its pattern matches the empty text`:     {Name: "a", Pattern: "x*"},
		`rule "a": its pattern has more than`:              {Name: "a", Pattern: strings.Repeat("x", 1001)},
		`rule "a": what it puts has at most 200 printable`: {Name: "a", Pattern: "x", Put: "a\x1b[31m"},
		`rule "a\n": a name has 1 to 60 printable`:         {Name: "a\n", Pattern: "x"},
	} {
		_, err := newNormaliser([]Rule{r}, nil)
		require.ErrorContains(t, err, name)
	}
	_, err = newNormaliser(nil, []string{"colour"})
	require.EqualError(t, err, `unknown rule "colour": choose from host, id, time, date, price`)
}

func TestLists(t *testing.T) {
	l, err := Parse([]byte(`{"schema":"refscope.golden/1","normalise":["time"],"move":5,
		"rules":[{"name":"x","pattern":"x+"}],"pages":[{"name":"a","target":"a.html"},
		{"name":"b","target":"b.html","normalise":[],"move":0,"formats":["semantic"],"viewport":"iphone-14"}]}`))
	require.NoError(t, err)
	a, err := l.Settings(&l.Pages[0])
	require.NoError(t, err)
	b, err := l.Settings(&l.Pages[1])
	require.NoError(t, err)
	require.Equal(t, []any{"1280x720", 5.0, []dump.Format{format.DDDK, format.Aria}}, []any{a.Viewport, a.Move, a.Formats})
	require.Equal(t, []any{"iphone-14", 1e-9, []dump.Format{format.Semantic}}, []any{b.Viewport, b.Move, b.Formats})
	require.NotEqual(t, a.Key, b.Key)
	text, err := l.Text()
	require.NoError(t, err)
	again, err := Parse(text)
	require.NoError(t, err)
	require.Equal(t, l, again)

	for want, s := range map[string]string{
		"it is not JSON":                `{`,
		"another version of Refscope":   `{"schema":"refscope.golden/2","pages":[],"new":1}`,
		`its schema is ""`:              `{"pages":[]}`,
		`unknown field "normalize"`:     `{"schema":"refscope.golden/1","normalize":[],"pages":[]}`,
		"after top-level value":         `{"schema":"refscope.golden/1","pages":[]} {}`,
		"a name has 1 to 120 printable": `{"schema":"refscope.golden/1","pages":[{"name":"","target":"x"}]}`,
		`page "a": it needs a target`:   `{"schema":"refscope.golden/1","pages":[{"name":"a"}]}`,
		`that of page "a" on a disk`: `{"schema":"refscope.golden/1","pages":[{"name":"a","target":"x"},` +
			`{"name":"A","target":"y"}]}`,
		`page "a": unknown format "xml"`: `{"schema":"refscope.golden/1","pages":[{"name":"a","target":"x",` +
			`"formats":["xml"]}]}`,
		`page "a": the format "aria" is named twice`: `{"schema":"refscope.golden/1","pages":[{"name":"a","target":"x",` +
			`"formats":["aria","aria"]}]}`,
		`page "a": rule "r"`: `{"schema":"refscope.golden/1","pages":[{"name":"a","target":"x","rules":[{"name":"r",` +
			`"pattern":"["}]}]}`,
		`unknown rule "colour"`: `{"schema":"refscope.golden/1","normalise":["colour"],"pages":[]}`,
		"pixels is a share":     `{"schema":"refscope.golden/1","pages":[{"name":"a","target":"x","pixels":2}]}`,
	} {
		_, err := Parse([]byte(s))
		require.ErrorContains(t, err, want, s)
	}
	_, err = Parse([]byte(`{"schema":"refscope.golden/2"}`))
	require.ErrorIs(t, err, ErrVersion)
}

func TestFoldersLeadNowhere(t *testing.T) {
	for name, want := range map[string]string{
		"index": "index", "orders, phone": "orders%2C%20phone", "../../etc/passwd": "%2E./../etc/passwd", ".": "%2E",
		"..": "%2E%2E", "a.": "a%2E",
		"con": "%_con", "COM1.txt": "%_COM1.txt", "päge": "p%C3%A4ge", `a\b:c`: "a%5Cb%3Ac",
	} {
		want = strings.ReplaceAll(want, "/", "%2F")
		require.Equal(t, want, (&Page{Name: name}).Folder())
	}
	long := (&Page{Name: strings.Repeat("é", 100)}).Folder()
	require.Len(t, long, 98)
	require.NotEqual(t, long, (&Page{Name: strings.Repeat("é", 99)}).Folder())
}

// shop is a page of links and buttons.
func shop() *snapshot.Capture {
	c := &snapshot.Capture{Schema: snapshot.Schema, URL: "http://127.0.0.1:20001/shop", Title: "Shop", Settled: true,
		Viewport: snapshot.Viewport{Width: 1280, Height: 720, Scale: 1}, Verdicts: map[snapshot.Verdict]int{},
		Frames: []snapshot.Frame{{ID: "F1", Loader: "L1", Parent: -1, Owner: -1, Readable: true,
			URL: "http://127.0.0.1:20001/shop"}}}
	add := func(tag, role, text string, parent int) {
		i := len(c.Nodes)
		n := snapshot.Node{I: i, Parent: parent, Tag: tag, Role: role, Name: text, Text: text,
			Box:     snapshot.Box{10, float64(10 + 30*i), 200.004, 24},
			Visible: true, InViewport: true, Verdict: snapshot.VerdictWrapper,
			Path: fmt.Sprintf("html > body > %s:nth-child(%d)", tag, i), BackendNodeID: int64(100 + i), UID: i + 1}
		if text != "" {
			n.Runs, n.Verdict = []snapshot.Run{{Text: text, Before: -1}}, snapshot.VerdictContent
		}
		if role == "button" || role == "link" {
			n.Verdict, n.Ref, n.Interactive = snapshot.VerdictRef, len(c.Nodes), []string{"native"}
			n.Occlusion = &snapshot.Occlusion{State: snapshot.Clear, VisibleShare: 1, HitShare: 1,
				Click: [2]float64{110, float64(22 + 30*i)}}
		}
		c.Nodes = append(c.Nodes, n)
	}
	add("body", "", "", -1)
	add("a", "link", "Orders", 0)
	add("p", "paragraph", "Only $89 until 2026-11-30", 0)
	add("button", "button", "Add to basket", 0)
	add("button", "button", "Save for later", 0)
	return c
}

// later is the same page on another run, changed.
func later(change func(*snapshot.Capture)) *snapshot.Capture {
	c := shop()
	c.URL, c.Frames[0].URL = "http://127.0.0.1:31999/shop", "http://127.0.0.1:31999/shop"
	c.Frames[0].ID, c.Frames[0].Loader = "F9", "L9"
	for i := range c.Nodes {
		c.Nodes[i].BackendNodeID += 77
		c.Nodes[i].Box[0] += 0.4
	}
	if change != nil {
		change(c)
	}
	return c
}

func side(t testing.TB, c *snapshot.Capture) *Side {
	t.Helper()
	s := &Side{Capture: c}
	for _, f := range []dump.Format{format.DDDK, format.Aria, format.Semantic} {
		d, err := format.Render(c, f, format.Options{})
		require.NoError(t, err)
		s.Texts = append(s.Texts, Text{string(f), d.Text})
	}
	return s
}

func compare(t testing.TB, was, is *snapshot.Capture) (*Comparison, []Replaced) {
	t.Helper()
	n := all(t)
	a, _ := n.Capture(was)
	b, what := n.Capture(is)
	return Compare(side(t, a), side(t, Align(a, b, 2, Loose(is, b))), 2), what
}

// TestWhatIsFound: each kind of change gives its sentence, and what changes by itself
// gives none.
func TestWhatIsFound(t *testing.T) {
	rename := func(n *snapshot.Node, s string) { n.Name, n.Text, n.Runs = s, s, []snapshot.Run{{Text: s, Before: -1}} }
	for name, c := range map[string]struct {
		change func(*snapshot.Capture)
		want   []string // of the report; none: as accepted
		not    []string
	}{
		"another run":          {nil, nil, nil},
		"a new price and date": {func(c *snapshot.Capture) { rename(&c.Nodes[2], "Only $94 until 2026-12-24") }, nil, nil},
		"a price of another width": {func(c *snapshot.Capture) {
			rename(&c.Nodes[2], "Only $1,294 until 2026-12-24")
			c.Nodes[2].Box[2] += 40
		}, nil, nil},
		"a price elsewhere": {func(c *snapshot.Capture) {
			rename(&c.Nodes[2], "Only $1,294 until 2026-12-24")
			c.Nodes[2].Box[0] += 40
		}, []string{"moved from"}, nil},
		"a renamed button": {func(c *snapshot.Capture) { rename(&c.Nodes[3], "Add to cart") },
			[]string{`~ [3] button "Add to basket": renamed to "Add to cart"`, `-[3]<button>Add to basket</button>`,
				`+[3]<button>Add to cart</button>`}, []string{"-[4]", "+[4]"}},
		"a removed link": {func(c *snapshot.Capture) { c.Nodes = append(c.Nodes[:1:1], c.Nodes[2:]...) },
			[]string{`- [1] link "Orders"`, "1 removed"}, []string{"is now", "+["}},
		"a new button in front": {func(c *snapshot.Capture) {
			n := c.Nodes[3]
			n.I, n.Ref, n.Path, n.BackendNodeID = 9, 2, "html > body > button:nth-child(9)", 999
			rename(&n, "Try it")
			c.Nodes[3].Ref, c.Nodes[4].Ref = 3, 4
			c.Nodes = append(c.Nodes, n)
		}, []string{`+ [5] button "Try it"`, "+[5]<button>Try it</button>"}, []string{"-[", "renamed"}},
		"a moved box": {func(c *snapshot.Capture) { c.Nodes[4].Box[1] += 60 },
			[]string{`~ [4] button "Save for later": moved from 10, 130 to 10, 190`}, nil},
		"a covered control": {func(c *snapshot.Capture) {
			by := 3
			c.Nodes[4].Occlusion = &snapshot.Occlusion{State: snapshot.Covered, VisibleShare: 0.1, HitShare: 0,
				Click: [2]float64{110, 142}, Coverer: &by}
		}, []string{`~ [4] button "Save for later": covered by [3] button "Add to basket" (clear → covered)`}, nil},
		"another state": {func(c *snapshot.Capture) { c.Nodes[4].States = snapshot.States{"disabled": true} },
			[]string{"disabled none → true"}, nil},
		"another title": {func(c *snapshot.Capture) { c.Title = "Shop\u202e\n- [1] gone" },
			[]string{`page: title "Shop" → "Shop\u202e`}, []string{"\n- [1] gone"}},
		"another address": {func(c *snapshot.Capture) { c.URL = "http://127.0.0.1:1/other" }, []string{"navigated"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			got, what := compare(t, shop(), later(c.change))
			require.Equal(t, len(c.want) == 0, got.Same(), got.Report())
			if got.Same() {
				require.Equal(t, "as accepted", got.Sentence())
				require.Empty(t, got.Report())
				require.NotEmpty(t, what)
			}
			for _, s := range c.want {
				require.Contains(t, got.Report(), s)
			}
			for _, s := range c.not {
				require.NotContains(t, got.Report(), s)
			}
		})
	}
}

// TestNormalisedCapturesAreStable: nothing of one run is left, the original stays as it
// was, and normalising again changes nothing.
func TestNormalisedCapturesAreStable(t *testing.T) {
	n := all(t)
	was := shop()
	before, err := json.Marshal(was)
	require.NoError(t, err)
	a, what := n.Capture(was)
	after, err := json.Marshal(was)
	require.NoError(t, err)
	require.Equal(t, string(before), string(after))
	host := "127.0.0.1:20001"
	require.Equal(t, []Replaced{{"host", 2, []string{host}, []string{host, host}},
		{"date", 1, []string{"2026-11-30"}, []string{"2026-11-30"}}, {"price", 1, []string{"$89"}, []string{"$89"}}}, what)
	twice, _ := n.Capture(a)
	require.Equal(t, a, twice)
	other := later(func(c *snapshot.Capture) {
		for i := range c.Nodes {
			c.Nodes[i].Box[0] -= 0.4
			c.Nodes[i].Box[0] += 0.001
		}
	})
	b, _ := n.Capture(other)
	require.Equal(t, a, b)
}

func TestTextsThatWereNotAccepted(t *testing.T) {
	a, b := side(t, shop()), side(t, shop())
	b.Texts = append(b.Texts[1:], Text{"wraith", "x"})
	got := Compare(a, b, 2)
	require.False(t, got.Same())
	require.Equal(t,
		"wraith: it was not accepted: accept the page again; dddk: it was accepted, and the list does not ask for it now",
		got.Sentence())
}

func FuzzParse(f *testing.F) {
	f.Add(`{"schema":"refscope.golden/1","pages":[{"name":"a","target":"x","rules":[{"name":"r","pattern":"a+"}]}]}`)
	f.Add(`{"schema":"refscope.golden/1","normalise":["time"],"move":-1,"pages":[]}`)
	f.Fuzz(func(t *testing.T, s string) {
		l, err := Parse([]byte(s))
		if err != nil {
			return
		}
		text, err := l.Text()
		require.NoError(t, err)
		again, err := Parse(text)
		require.NoError(t, err)
		second, err := again.Text()
		require.NoError(t, err)
		require.Equal(t, string(text), string(second))
		for i := range l.Pages {
			folder := l.Pages[i].Folder()
			require.NotContains(t, folder, "/")
			require.NotContains(t, folder, `\`)
			require.NotContains(t, []string{"", ".", ".."}, folder)
		}
	})
}

// FuzzRules: whatever the text, normalising comes to an end: what a rule puts feeds no
// other rule for ever.
func FuzzRules(f *testing.F) {
	for _, s := range []string{"$1 2 USD 3", "1 Jan 2 Feb 3", "12:30:45:50", "2026-11-21 18:25 2026-11-21", "€€5,-,-",
		"0123456789abcdef-0123456789"} {
		f.Add(s)
	}
	n := all(f)
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 2_000 {
			return
		}
		once, _ := n.Text(s)
		twice, _ := n.Text(once)
		thrice, _ := n.Text(twice)
		require.Equal(t, twice, thrice, "it settles")
	})
}

func BenchmarkCompare(b *testing.B) {
	c := shop()
	for len(c.Nodes) < 5_000 {
		n := c.Nodes[1+len(c.Nodes)%4]
		n.I = len(c.Nodes)
		if n.Ref > 0 {
			n.Ref = n.I
		}
		n.Path = fmt.Sprintf("html > body > %s:nth-child(%d)", n.Tag, n.I)
		c.Nodes = append(c.Nodes, n)
	}
	n := all(b)
	accepted, _ := n.Capture(c)
	was := side(b, accepted)
	b.ReportAllocs()
	for b.Loop() {
		now, _ := n.Capture(c)
		if !Compare(was, side(b, Align(accepted, now, 2, Loose(c, now))), 2).Same() {
			b.Fatal("it is the same page")
		}
	}
}

// TestReadTextsAreCompared: of a list that names no rules, every word, number, price, date and id that a
// person reads counts, wherever it stands; ids that nobody reads do not.
func TestReadTextsAreCompared(t *testing.T) {
	s, err := (&List{}).Settings(&Page{})
	require.NoError(t, err)
	for was, now := range map[string]string{
		"$64": "$99", "12:30": "12:31", "2026-11-30": "2026-12-01", "5 minutes ago": "6 minutes ago",
		"Order 1234567890": "Order 1234567891", "64 €": "65 €", "0a1b2c3d4e5f60": "0a1b2c3d4e5f61",
	} {
		for name, put := range map[string]func(*snapshot.Node, string){
			"text":  func(n *snapshot.Node, s string) { n.Name, n.Text, n.Runs = s, s, []snapshot.Run{{Text: s, Before: -1}} },
			"value": func(n *snapshot.Node, s string) { n.Value = s },
			"alt":   func(n *snapshot.Node, s string) { n.Attrs = map[string]string{"alt": s} },
		} {
			a, b := shop(), shop()
			put(&a.Nodes[2], was)
			put(&b.Nodes[2], now)
			x, _ := s.Normaliser.Capture(a)
			y, _ := s.Normaliser.Capture(b)
			require.NotEqual(t, x, y, "%s of %s", was, name)
		}
		require.NotEqual(t, []string{"host"}, Proven(pageWith(was), pageWith(now)), was)
		require.Equal(t, []string{"host"}, Proven(pageWith(was), pageWith(was)), was)
	}
	a, b := shop(), shop()
	a.Nodes[2].Attrs, b.Nodes[2].Attrs = map[string]string{"id": ":r1:"}, map[string]string{"id": ":r2:"}
	x, _ := s.Normaliser.Capture(a)
	y, _ := s.Normaliser.Capture(b)
	require.Equal(t, x, y)
}

// pageWith is a page with that text.
func pageWith(text string) *snapshot.Capture {
	c := shop()
	c.Nodes[2].Name, c.Nodes[2].Text, c.Nodes[2].Runs = text, text, nil
	return c
}

// TestMaskedIsListed: what was asked to be masked is named with its old and new value.
func TestMaskedIsListed(t *testing.T) {
	n := Builtin("price")
	_, a := n.Text("$64, then $50 and $7")
	_, b := n.Text("$99, then $50 and $8, $9")
	require.Equal(t, []Masked{{"price", "$64", "$99"}, {"price", "$7", "$8"}, {"price", "", "$9"}}, MaskedBetween(a, b))
	require.Empty(t, MaskedBetween(a, a))
}
