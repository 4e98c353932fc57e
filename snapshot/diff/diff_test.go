package diff

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
)

// page is a capture of the nodes, of document "d1" in the main frame. Indices, and
// where a node has none, a parent (the first node), box and path are filled in.
func page(nodes ...snapshot.Node) *snapshot.Capture {
	c := &snapshot.Capture{
		Schema: snapshot.Schema, URL: "https://a.example/cart", Title: "Cart", Settled: true,
		Viewport: snapshot.Viewport{Width: 1280, Height: 720, Scale: 1},
		Frames: []snapshot.Frame{{ID: "main", Parent: -1, Owner: -1, Readable: true, Loader: "d1",
			URL: "https://a.example/cart"}},
	}
	root := snapshot.Node{Tag: "body", UID: 1, Verdict: snapshot.VerdictWrapper, Path: "html > body"}
	for i, n := range append([]snapshot.Node{root}, nodes...) {
		n.I = i
		if i == 0 {
			n.Parent = -1
		}
		if n.Box == (snapshot.Box{}) {
			n.Box = snapshot.Box{10, float64(30 * i), 100, 20}
		}
		if n.Path == "" {
			n.Path = fmt.Sprintf("html > body > %s:nth-child(%d)", n.Tag, i)
		}
		if n.Verdict == "" {
			n.Verdict = snapshot.VerdictRef
		}
		n.InViewport = n.Box.Y() < 720 && n.Box.Bottom() > 0
		c.Nodes = append(c.Nodes, n)
	}
	return c
}

// el is an operable element whose uid is its number.
func el(ref int, tag, role, name string) snapshot.Node {
	return snapshot.Node{Tag: tag, Role: role, Name: name, Ref: ref, UID: 100 + ref, BackendNodeID: int64(1000 + ref),
		Interactive: []string{"native"}}
}

func button(ref int, name string) snapshot.Node { return el(ref, "button", "button", name) }

// with is the node after a change.
func with(n snapshot.Node, f func(*snapshot.Node)) snapshot.Node { f(&n); return n }

// reload gives the page another document and other identities.
func reload(c *snapshot.Capture) *snapshot.Capture {
	c.Frames[0].Loader = "d2"
	for i := range c.Nodes {
		if n := &c.Nodes[i]; n.Ref > 0 {
			n.Ref, n.UID, n.BackendNodeID = n.Ref+50, n.UID+50, n.BackendNodeID+50
		}
	}
	return c
}

// short spells the changes, one a line: kind, field, from, to, rule.
func short(d *Diff) string {
	var b strings.Builder
	for _, c := range d.Changes {
		e := c.After
		if e == nil {
			e = c.Before
		}
		fmt.Fprintf(&b, "%s %s", c.Kind, e.title())
		if c.Field != "" {
			fmt.Fprintf(&b, " %s %s → %s", c.Field, spell(c.From), spell(c.To))
		}
		if c.Why != "" {
			b.WriteString(" " + c.Why)
		}
		if c.Rule != "" {
			b.WriteString(" by " + string(c.Rule))
		}
		if c.By != nil {
			b.WriteString(" under " + c.By.title())
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestCaptures(t *testing.T) {
	one := 1
	for _, tt := range []struct {
		name string
		a, b *snapshot.Capture
		want string
	}{
		{"nothing", page(button(1, "Buy")), page(button(1, "Buy")), ""},
		{"added and removed", page(button(1, "Buy"), button(2, "Old")), page(button(1, "Buy"), button(3, "New")),
			"removed [2] button \"Old\"\nadded [3] button \"New\"\n"},
		{"renamed", page(button(1, "Save")), page(button(1, "Saved")),
			"renamed [1] button \"Saved\" name \"Save\" → \"Saved\" by ref\n"},
		{"hidden, with the reason", page(button(1, "Buy")), page(with(button(0, "Buy"), func(n *snapshot.Node) {
			n.UID, n.Verdict, n.Evidence = 101, snapshot.VerdictDisplayNone, "on it"
		})), "removed button \"Buy\" display-none: on it by uid\n"},
		{"shown", page(with(button(0, "Buy"), func(n *snapshot.Node) { n.UID, n.Verdict = 101, snapshot.VerdictZeroBox })),
			page(button(1, "Buy")),
			"added [1] button \"Buy\" zero-box by uid\n"},
		{"registry lost", page(button(0, "Buy")), page(with(button(0, "Purchase"), func(n *snapshot.Node) { n.UID = 0 })),
			"renamed button \"Purchase\" name \"Buy\" → \"Purchase\" by backendNodeId\n"},
		{"value and states", page(el(1, "input", "textbox", "Name")),
			page(with(el(1, "input", "textbox", "Name"), func(n *snapshot.Node) {
				n.Value, n.States = "Ada", snapshot.States{"focused": true, "required": true}
			})), "value [1] textbox \"Name\" value \"\" → \"Ada\" by ref\nstate [1] textbox \"Name\" focused none → true by " +
				"ref\nstate [1] textbox \"Name\" required none → true by ref\n"},
		{"a state read from disk is the same number", page(with(el(1, "h2", "heading", "Hi"),
			func(n *snapshot.Node) { n.States = snapshot.States{"level": 2} })),
			page(with(el(1, "h2", "heading", "Hi"), func(n *snapshot.Node) { n.States = snapshot.States{"level": 2.0} })), ""},
		{"covered", page(with(button(1, "Buy"),
			func(n *snapshot.Node) { n.Occlusion = &snapshot.Occlusion{State: snapshot.Clear} }),
			el(2, "div", "dialog", "Cookies")),
			page(with(button(1, "Buy"), func(n *snapshot.Node) {
				two := 2
				n.Occlusion = &snapshot.Occlusion{State: snapshot.Covered, Coverer: &two}
			}), el(2, "div", "dialog", "Cookies")),
			"covered [1] button \"Buy\" occlusion \"clear\" → \"covered\" by ref under [2] dialog \"Cookies\"\n"},
		{"uncovered", page(with(button(1, "Buy"), func(n *snapshot.Node) {
			n.Occlusion = &snapshot.Occlusion{State: snapshot.Covered, Coverer: &one}
		})), page(with(button(1, "Buy"),
			func(n *snapshot.Node) { n.Occlusion = &snapshot.Occlusion{State: snapshot.Partly} })),
			"uncovered [1] button \"Buy\" occlusion \"covered\" → \"partly\" by ref\n"},
		{"cover is unknown outside the viewport", page(with(button(1, "Buy"),
			func(n *snapshot.Node) { n.Occlusion = &snapshot.Occlusion{State: snapshot.Covered} })),
			page(button(1, "Buy")), ""},
		{"moved and resized beyond the threshold", page(with(button(1, "Buy"),
			func(n *snapshot.Node) { n.Box = snapshot.Box{10, 10, 100, 20} })),
			page(with(button(1, "Buy"), func(n *snapshot.Node) { n.Box = snapshot.Box{10, 14, 130, 20} })),
			"moved [1] button \"Buy\" box 10, 10 → 10, 14 by ref\nresized [1] button \"Buy\" box 100, 20 → 130, 20 by ref\n"},
		{"within the threshold", page(with(button(1, "Buy"), func(n *snapshot.Node) {
			n.Box = snapshot.Box{10, 10, 100,
				20}
		})),
			page(with(button(1, "Buy"), func(n *snapshot.Node) { n.Box = snapshot.Box{11.9, 8.1, 101, 21} })), ""},
		{"attributes and role", page(el(1, "a", "link", "Terms")),
			page(with(el(1, "a", "button", "Terms"), func(n *snapshot.Node) {
				n.Attrs = map[string]string{"href": "/t", "class": "x"}
			})), "role [1] button \"Terms\" role \"link\" → \"button\" by ref\nattr [1] button \"Terms\" href none → \"/t\" " +
				"by ref\n"},
		{"no longer operable", page(button(1, "Buy")), page(with(button(1, "Buy"),
			func(n *snapshot.Node) { n.Interactive = nil })),
			"state [1] button \"Buy\" interactive true → false by ref\n"},
		{"replaced by an equal element in its place", page(button(1, "Buy"), button(2, "Pay")),
			page(button(1, "Buy"), button(7, "Pay")),
			"replaced [7] button \"Pay\" ref 2 → 7 by place\n"},
		{"replaced, and further down", page(button(1, "Buy"), button(2, "Pay")),
			page(button(1, "Buy"), button(8, "Hello"), button(7, "Pay")),
			"added [8] button \"Hello\"\nreplaced [7] button \"Pay\" ref 2 → 7 by order\nmoved [7] button \"Pay\" box 10, 60 " +
				"→ 10, 90 by order\n"},
		{"the only one of its name went elsewhere", page(button(2, "Pay"), button(1, "Buy")),
			page(button(1, "Buy"), button(7, "Pay")),
			"moved [1] button \"Buy\" box 10, 60 → 10, 30 by ref\nreplaced [7] button \"Pay\" ref 2 → 7 by only\nmoved [7] " +
				"button \"Pay\" box 10, 30 → 10, 60 by only\n"},
		{"a new element of another name is not the old one", page(button(1, "Buy")), page(button(7, "Sell")),
			"removed [1] button \"Buy\"\nadded [7] button \"Sell\"\n"},
		{"not one of several equal ones elsewhere", page(button(1, "Delete"), button(2, "x"), button(3, "Delete")),
			page(button(2, "x"), button(3, "Delete"), button(4, "Delete")),
			"removed [1] button \"Delete\"\nmoved [2] button \"x\" box 10, 60 → 10, 30 by ref\nmoved [3] button \"Delete\" " +
				"box 10, 90 → 10, 60 by ref\nadded [4] button \"Delete\"\n"},
		{"after a reload, paired by looks and place", page(button(1, "Buy"), el(2, "input", "textbox", "Name")),
			reload(page(button(1, "Purchase"), el(2, "input", "textbox", "Name"))),
			"replaced [51] button \"Purchase\" ref 1 → 51 by path\nrenamed [51] button \"Purchase\" name \"Buy\" → " +
				"\"Purchase\" by path\nreplaced [52] textbox \"Name\" ref 2 → 52 by place\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := Captures(tt.a, tt.b, Options{})
			require.Equal(t, tt.want, short(d))
			require.Equal(t, tt.want == "", d.Empty())
			accounts(t, tt.a, tt.b, d)
		})
	}
}

// accounts holds for every difference: each kept element of either side is paired
// or was added or removed, and counts are what is listed.
func accounts(t testing.TB, a, b *snapshot.Capture, d *Diff) {
	t.Helper()
	paired, removed, added := 0, 0, 0
	for _, n := range d.Paired {
		paired += n
	}
	counts := map[Kind]int{}
	changed := map[int]bool{}
	for _, c := range d.Changes {
		counts[c.Kind]++
		switch c.Kind {
		case Removed:
			removed++
			require.True(t, a.Node(c.Before.Node).Verdict.Kept())
		case Added:
			added++
			require.True(t, b.Node(c.After.Node).Verdict.Kept())
		default:
			require.NotEmpty(t, c.Rule, "every pair says how it was made")
			changed[c.After.Node] = true
		}
		require.Equal(t, c.Before == nil || c.After == nil, c.Rule == "")
	}
	require.Equal(t, counts, d.Counts)
	require.Equal(t, d.Before.Kept, paired+removed)
	require.Equal(t, d.After.Kept, paired+added)
	require.Equal(t, paired, d.Unchanged+len(changed))
}

func TestSeparateNumberings(t *testing.T) {
	a, b := page(button(1, "Buy"), button(2, "Pay")), page(button(1, "News"), button(2, "Buy"), button(3, "Pay"))
	b.Frames[0].Loader = "other"
	d := Captures(a, b, Options{Move: -1})
	require.Equal(t, "added [1] button \"News\"\n", short(d), "number 1 is not the same element")
	require.Contains(t, d.Notes, "the captures have separate numberings: ref numbers are not compared")
	require.Equal(t, map[Rule]int{ByOrder: 2}, d.Paired)

	// In one document, an equal number with another identity is as good a proof.
	b.Frames[0].Loader = "d1"
	for i := range b.Nodes {
		b.Nodes[i].UID += 40
		b.Nodes[i].BackendNodeID += 40
	}
	require.Equal(t, "added [1] button \"News\"\n", short(Captures(a, b, Options{Move: -1})))
	b.Nodes[2].States = snapshot.States{"pressed": true}
	report := Captures(a, b, Options{Move: 1}).Report()
	require.Contains(t, report, "\n~ [1] → [2] button \"Buy\": pressed none → true")
}

func TestScrollingIsNotMoving(t *testing.T) {
	list := snapshot.Node{Tag: "div", Role: "list", Ref: 1, UID: 101,
		Scroller: &snapshot.ScrollFact{Range: 1000, HasMore: true}}
	build := func(page0, inner float64) *snapshot.Capture {
		l, s := list, *list.Scroller
		s.Depth = inner / s.Range
		l.Scroller = &s
		header := button(2, "Menu")
		header.Layer = &snapshot.Layer{Position: "fixed"}
		header.Box = snapshot.Box{0, 0, 100, 20}
		l.Box = snapshot.Box{0, 100 - page0, 300, 200}
		row := button(3, "Row")
		row.Box = snapshot.Box{0, 150 - page0 - inner, 100, 20}
		sticky := button(4, "Head")
		sticky.Box = snapshot.Box{0, 40, 100, 20}
		c := page(l, header, row, sticky)
		c.Nodes[3].Parent = 1
		c.Scroll = snapshot.Scroll{Y: page0, MaxY: 5000}
		return c
	}
	d := Captures(build(0, 0), build(60, 30), Options{})
	require.Equal(t, "scrolled [1] list scroll 0, 0 → 0, 30 by ref\n", short(d))
	require.Equal(t, []Fact{{"scroll", [2]float64{0, 0}, [2]float64{0, 60}}}, d.Page)

	b := build(60, 30)
	b.Nodes[3].Box[1] += 44
	require.Contains(t, short(Captures(build(0, 0), b, Options{})), "moved [3] button \"Row\"", "moved within its list")
}

func TestPageFramesAndOverlays(t *testing.T) {
	a, b := page(button(1, "Buy"), el(2, "iframe", "", "Ad"), el(3, "iframe", "", "Pay")),
		page(button(1, "Buy"), el(2, "iframe", "", "Ad"), el(9, "div", "dialog", "Sign in"), button(10, "Close"))
	a.Frames = append(a.Frames, snapshot.Frame{ID: "f1", Owner: 2, URL: "https://ad.example/1", Readable: true,
		Loader: "x"},
		snapshot.Frame{ID: "f2", Owner: 3, URL: "https://pay.example/", Readable: true, Loader: "y"})
	b.Frames = append(b.Frames, snapshot.Frame{ID: "f9", Owner: 2, URL: "https://ad.example/2", Why: "it did not answer",
		Loader: "z"})
	b.Title, b.URL = "Cart (1)", "https://a.example/cart#top"
	four := 4
	b.Page.Overlays = []snapshot.Overlay{{Node: 3, Kind: "modal", Title: "Sign in", Press: &four, Share: 0.4}}
	b.Page.HasLoginForm = true
	d := Captures(a, b, Options{})
	require.False(t, d.Navigated)
	require.True(t, d.SameDocument)
	require.Equal(t, []Fact{{"url", a.URL, b.URL}, {"title", "Cart", "Cart (1)"}, {"hasLoginForm", false, true}}, d.Page)
	require.Equal(t, []FrameChange{
		{Kind: "navigated", Before: 1, After: 1, From: "https://ad.example/1", To: "https://ad.example/2", Rule: "owner"},
		{Kind: "unreadable", Before: 1, After: 1, From: "https://ad.example/1", To: "https://ad.example/2",
			Why: "it did not answer", Rule: "owner"},
		{Kind: "removed", Before: 2, After: -1, From: "https://pay.example/"},
	}, d.Frames)
	require.Len(t, d.Overlays, 1)
	require.Equal(t, "overlay: added \"modal Sign in\" [9] dialog \"Sign in\"", d.Overlays[0].line())

	back := Captures(b, a, Options{})
	require.Equal(t, "removed", back.Overlays[0].Kind)
	changed := *b
	changed.Page.Overlays = []snapshot.Overlay{{Node: 3, Kind: "consent_dialog", Title: "Sign in"}}
	require.Equal(t, []string{"kind", "press"}, []string{Captures(b, &changed, Options{}).Overlays[0].Kind,
		Captures(b, &changed, Options{}).Overlays[1].Kind})
}

func TestNavigated(t *testing.T) {
	for _, tt := range []struct {
		from, to string
		want     bool
	}{
		{"https://a.example/x", "https://a.example/x#part", false},
		{"https://a.example/x#a", "https://a.example/x#b", false},
		{"https://a.example", "https://a.example/", false},
		{"https://a.example:443/", "https://a.example/", false},
		{"https://A.example/", "https://a.example/", false},
		{"https://a.example/x", "https://a.example/y", true}, // as by pushState
		{"https://a.example/x?q=1", "https://a.example/x?q=2", true},
		{"https://a.example/", "http://a.example/", true},
		{"https://a.example/", "https://a.example:8443/", true},
		{"https://a.example/", "", true},
		{"", "", true},
		{"https://a.example/", "%zz", true},
		{"about:blank", "about:blank", false},
		{"about:blank", "about:srcdoc", true},
		{"data:text/html,a", "data:text/html,b", true},
		{"https://a.example/a%2Fb", "https://a.example/a/b", true},
	} {
		require.Equal(t, tt.want, Navigated(tt.from, tt.to), "%q → %q", tt.from, tt.to)
	}
}

func TestReport(t *testing.T) {
	a := page(button(1, "Buy"), button(2, "Old"), button(3, "A"), button(4, "B"), el(5, "input", "textbox", "Name"),
		button(6, "Gone"))
	b := page(button(1, "Buy"), snapshot.Node{Tag: "p", Ref: 9, UID: 109, Text: "New", Verdict: snapshot.VerdictContent},
		with(button(3, "A"), func(n *snapshot.Node) { n.Box[1] = 0; n.Box = snapshot.Box{10, 130, 100, 20} }),
		with(button(4, "B"), func(n *snapshot.Node) { n.Box = snapshot.Box{10, 160, 100, 20} }),
		with(el(5, "input", "textbox", "Name"), func(n *snapshot.Node) {
			n.Value, n.States = "x\n- [1]",
				snapshot.States{"focused": true}
		}),
		with(button(6, "Gone"), func(n *snapshot.Node) { n.Verdict = snapshot.VerdictDisplayNone }))
	b.Title = "Cart\n+ [1] button"
	d := Captures(a, b, Options{})
	require.Equal(t, `https://a.example/cart
page: title "Cart" → "Cart + [1] button"
- [2] button "Old"
- [6] button "Gone" (display-none)
+ [9] <p> "New"
~ [5] textbox "Name": value "" → "x - [1]"; focused none → true
> 2 elements moved by 0, 40: [3], [4]
2 removed, 1 added, 1 with another value, 1 with another state, 2 moved, 1 fact of the page; 1 unchanged.`, d.Report())
	require.Equal(t, "https://a.example/cart\nnothing changed; 6 elements are the same.",
		Captures(a, a, Options{}).Report())
}

func TestJSONIsWhole(t *testing.T) {
	a, b := page(button(1, "Buy"), button(2, "\u202eOld")),
		page(with(button(1, "Buy"), func(n *snapshot.Node) { n.States = snapshot.States{"disabled": false} }))
	data, err := json.Marshal(Captures(a, b, Options{}))
	require.NoError(t, err)
	var back map[string]any
	require.NoError(t, json.Unmarshal(data, &back))
	require.Equal(t, Schema, back["schema"])
	require.ElementsMatch(t, []string{"schema", "before", "after", "navigated", "sameDocument", "threshold", "paired",
		"unchanged", "counts", "changes"},
		func() (keys []string) {
			for k := range maps.Keys(back) {
				keys = append(keys, k)
			}
			return keys
		}())
	var first Change
	part, err := json.Marshal(back["changes"].([]any)[1])
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(part, &first))
	require.Equal(t, false, first.To)
	require.Contains(t, string(part), `"to":false`, "false is a value, absent is none")
}

func TestReportLinesSayWhatTheyAreAbout(t *testing.T) {
	down := func(n snapshot.Node) snapshot.Node {
		return with(n, func(n *snapshot.Node) { n.Box = snapshot.Box{10, float64(100 + 30*n.Ref), 100, 20} })
	}
	at := func(n snapshot.Node) snapshot.Node {
		return with(n, func(n *snapshot.Node) { n.Box = snapshot.Box{10, float64(60 + 30*n.Ref), 100, 20} })
	}
	d := Captures(page(button(1, "Old"), at(button(2, "One [9]")), at(button(3, "Two"))),
		page(down(button(2, "One [9]")), down(button(3, "Two")), button(4, "New")), Options{})
	var texts []string
	about, named := map[int]string{}, 0
	for _, l := range d.ReportLines() {
		texts = append(texts, l.Text)
		switch {
		case l.After != nil:
			about[l.After.Ref] = l.Text
		case l.Before != nil:
			about[l.Before.Ref] = l.Text
		}
		for _, n := range l.Named {
			named++
			require.Equal(t, fmt.Sprintf("[%d]", n.Element.Ref), l.Text[n.Start:n.End])
		}
	}
	require.Equal(t, d.Report(), strings.Join(texts, "\n"))
	require.Equal(t, map[int]string{1: `- [1] button "Old"`, 4: `+ [4] button "New"`}, about)
	require.Equal(t, 2, named)
}

// TestFactsOfThePageAreSentences: a window says each as a sentence; the report keeps its own words.
func TestFactsOfThePageAreSentences(t *testing.T) {
	for want, f := range map[string]Fact{
		"The page has a login form no longer.":   {"hasLoginForm", true, false},
		"The page has a captcha now.":            {"hasCaptcha", false, true},
		"The page has 1 form, before 0.":         {"formCount", 0, 1},
		`The title is "Cart", before "Shop".`:    {"title", "Shop", "Cart"},
		"The viewport is 800, 600, before 9, 9.": {"viewport", [2]float64{9, 9}, [2]float64{800, 600}},
	} {
		require.Equal(t, want, f.words())
	}
	a, b := page(), page()
	b.Page.HasLoginForm = true
	l := Captures(a, b, Options{}).ReportLines()[1]
	require.Equal(t, "page: hasLoginForm false → true", l.Text)
	require.Equal(t, "The page has a login form now.", l.Words)
}

// TestTextInside: what an element's line says with what is in it counts as its text, where both captures hold that.
func TestTextInside(t *testing.T) {
	page := func(words string, verdict snapshot.Verdict) *snapshot.Capture {
		c := &snapshot.Capture{Frames: []snapshot.Frame{{ID: "F", Loader: "L", Parent: -1, Owner: -1, Readable: true}},
			Nodes: []snapshot.Node{
				{I: 0, Parent: -1, UID: 1, Tag: "p", Verdict: snapshot.VerdictContent, Visible: true, Text: "Price:",
					Runs: []snapshot.Run{{Text: "Price: ", Before: 1}}},
				{I: 1, Parent: 0, UID: 2, Tag: "b", Verdict: verdict, Visible: true, Text: words}}}
		c.Verdicts = c.CountVerdicts()
		return c
	}
	d := Captures(page("100", snapshot.VerdictInsideAtomic), page("101", snapshot.VerdictInsideAtomic), Options{})
	require.Len(t, d.Changes, 1)
	require.Equal(t, []any{Text, "text", "Price: 100", "Price: 101", 0}, []any{d.Changes[0].Kind, d.Changes[0].Field,
		d.Changes[0].From, d.Changes[0].To, d.Unchanged})
	d = Captures(page("100", snapshot.VerdictDisplayNone), page("101", snapshot.VerdictDisplayNone), Options{})
	require.Empty(t, d.Changes, "nobody reads it")
	d = Captures(page("100", snapshot.VerdictRef), page("101", snapshot.VerdictRef), Options{})
	require.Len(t, d.Changes, 1, "what is kept has a change of its own")
	require.Equal(t, 1, d.Changes[0].After.Node)
	d = Captures(page("100", snapshot.VerdictInsideAtomic), page("101", snapshot.VerdictInsideAtomic).Kept(), Options{})
	require.Empty(t, d.Changes, "one of both does not hold it")
}

// TestNotesOfWhatFailedAlike: a reason that several frames have is noted once.
func TestNotesOfWhatFailedAlike(t *testing.T) {
	failed := func(frame int, why string) snapshot.Failure {
		return snapshot.Failure{Layer: "frame", Frame: frame, Why: why}
	}
	a, b := page(), page()
	b.Failed = []snapshot.Failure{failed(1, "no answer"), failed(2, "no name"), failed(3, "no answer")}
	require.Equal(t, []string{"the second capture lacks frame: no answer (2 times)", "the second capture lacks frame: no name"},
		Captures(a, b, Options{}).Notes)
}

// TestHiddenInAnotherSession: what a page hides has no role, and is found by its path all the same: it is hidden, and
// not gone.
func TestHiddenInAnotherSession(t *testing.T) {
	page := func(loader string, nav snapshot.Node) *snapshot.Capture {
		nav.I, nav.Parent, nav.Tag, nav.Path = 1, 0, "nav", "body > nav"
		return &snapshot.Capture{Schema: snapshot.Schema, Frames: []snapshot.Frame{{ID: "f", Parent: -1, Owner: -1,
			Loader: loader, Readable: true}}, Nodes: []snapshot.Node{{Parent: -1, Tag: "body", Path: "body"}, nav}}
	}
	seen := page("one", snapshot.Node{Ref: 1, Role: "navigation", Verdict: snapshot.VerdictRef})
	hidden := page("two", snapshot.Node{Verdict: snapshot.VerdictDisplayNone, Evidence: "display: none"})
	other := page("two", snapshot.Node{Ref: 1, Role: "menu", Verdict: snapshot.VerdictRef})
	require.Equal(t, "display-none: display: none", Captures(seen, hidden, Options{}).Changes[0].Why)
	require.Equal(t, "display-none: display: none", Captures(hidden, seen, Options{}).Changes[0].Why)
	require.Empty(t, Captures(seen, other, Options{}).Changes[0].Why)
}
