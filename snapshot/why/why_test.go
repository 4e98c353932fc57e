package why

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/pagetest"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/turn"
)

// shop is a page with a dialog over a button, a hidden note, a link with a part and an
// element below the fold.
func shop(t testing.TB) *snapshot.Capture {
	c := pagetest.Parse(t, `
body @0,0,1280,2000
  button @100,100,80,30 %name=Pay %from=content %covered=cookies %click=140,115 "Pay"
  p %hidden "Hidden note"
  a href=/t @300,100,90,18 %name="Terms of sale" %from=content
    b @300,100,90,18 "Terms of sale"
  div id=cookies role=dialog @50,50,200,200 %name=Cookies %layer=fixed
  p @0,1500,200,20 "Far below"`)
	c.Frames[0].Loader = "l"
	c.Nodes[0].Path, c.Nodes[1].Path = "html > body", "html > body > button"
	c.Nodes[1].Evidence, c.Nodes[2].Evidence = "interactive: native", "display: none"
	c.Nodes[1].Occlusion.Points = [][3]float64{{140, 115, 5}, {101, 101, 5}}
	c.Nodes[1].Occlusion.VisibleShare = 0
	c.Nodes[5].Layer.Z = 9
	for i := range c.Nodes {
		c.Nodes[i].UID = i + 1
	}
	return c
}

func explain(t *testing.T, node int, views ...View) *Explanation {
	t.Helper()
	x, err := New(shop(t), views...).Explain(node)
	require.NoError(t, err)
	return x
}

// Why nobody sees an element is a code; the words of the evidence, in which the page names what is around, say nothing.
// Only releases that had no code are read by how they ended the evidence.
func TestUnseenIsACode(t *testing.T) {
	for name, x := range map[string]struct {
		node        snapshot.Node
		transparent bool
		label       bool
		words       string
	}{
		"code": {snapshot.Node{Verdict: snapshot.VerdictRef, Unseen: snapshot.VerdictClipped,
			Evidence: "interactive: native; not to be seen: clipped away by div#opacity (node 3)"}, false, false,
			VerdictWords(snapshot.VerdictClipped)},
		"the page's own word": {snapshot.Node{Verdict: snapshot.VerdictInsideAtomic, Evidence: "part of div.clipped-opacity (node 3)"},
			false, false, "it is transparent or cut off"},
		"label": {snapshot.Node{Verdict: snapshot.VerdictRef, Unseen: snapshot.UnseenByLabel}, false, true, "it is transparent or cut off"},
		"an earlier release": {snapshot.Node{Verdict: snapshot.VerdictRef,
			Evidence: "interactive: native; not to be seen: opacity 0 by div (node 3)"}, true, false,
			VerdictWords(snapshot.VerdictTransparent)},
		"its label, in an earlier release": {snapshot.Node{Verdict: snapshot.VerdictRef,
			Evidence: "interactive: native; not to be seen itself: it is where its label is, label (node 4)"}, false, true,
			"it is transparent or cut off"},
		"verdict":  {snapshot.Node{Verdict: snapshot.VerdictTurned}, false, false, VerdictWords(snapshot.VerdictTurned)},
		"filtered": {snapshot.Node{Verdict: snapshot.VerdictFiltered, Unseen: snapshot.UnseenByLabel}, false, false, "it is transparent or cut off"},
	} {
		require.Equal(t, x.transparent, Transparent(&x.node), name)
		require.Equal(t, x.label, SeenByLabel(&x.node), name)
		require.Equal(t, x.words, UnseenWords(&x.node), name)
	}
}

// What makes an element inert is named, also where it is outside the element's frame, and where no state says it: behind
// a modal dialog.
func TestInertHasItsReason(t *testing.T) {
	for name, x := range map[string]struct{ page, want string }{
		"around it":          {"body @0,0,99,99\n  div inert %state=inert @0,0,9,9\n    button %state=inert @0,0,9,9", "it is inert because div has the attribute inert"},
		"itself":             {"body @0,0,99,99\n  button inert %state=inert @0,0,9,9", "it is inert because it has the attribute inert"},
		"behind a modal":     {"body @0,0,99,99\n  button @0,0,9,9\n  dialog open %layer=modal @0,0,9,9 %name=Hi", `it is inert because a modal, [2] dialog "Hi" is open`},
		"in the modal":       {"body @0,0,99,99\n  dialog open %layer=modal @0,0,9,9 %name=Hi\n    button @0,0,9,9", ""},
		"behind a plain one": {"body @0,0,99,99\n  button @0,0,9,9\n  dialog open @0,0,9,9 %name=Hi", ""},
	} {
		t.Run(name, func(t *testing.T) {
			c := pagetest.Parse(t, x.page)
			for i := range c.Nodes {
				if l := c.Nodes[i].Layer; l != nil {
					l.Position, l.Top, l.Modal = "fixed", true, true
				}
			}
			for i := range c.Nodes {
				if n := &c.Nodes[i]; n.Tag == "button" {
					y, err := New(c).Explain(i)
					require.NoError(t, err)
					if x.want == "" {
						require.NotContains(t, facts(y), "inert")
						return
					}
					require.Contains(t, facts(y), "No click, key or focus gets to it: "+x.want+".")
				}
			}
		})
	}
}

func TestCovered(t *testing.T) {
	x := explain(t, 1)
	require.Equal(t, "It is kept, with number 1.", x.Sentence)
	require.Len(t, x.Coverers, 1)
	require.Equal(t, `[3] div (dialog) "Cookies"`, x.Coverers[0].Say())
	require.Contains(t, facts(x),
		`A click at its click point (140,115) reaches [3] div (dialog) "Cookies"; 0 of 2 points land on it. A person sees `+
			`0 % of it, a click reaches 0 %.`)
	require.Equal(t, len(Views()), len(x.Formats))
	require.Equal(t, format.DDDK, x.Formats[0].Format)
	require.Equal(t, "[1]<button>Pay</button>", x.Formats[0].Lines[0].Text)
	require.Equal(t, "dddk has it on line 5.", x.Formats[0].Sentence)
}

// What a person does not see, or cannot read, is not said to be seen.
func TestUnseen(t *testing.T) {
	c := pagetest.Parse(t, `
body @0,0,1280,700
  button id=clear @0,0,80,20 "Transparent"
  button id=polygon @0,30,80,20 "Cut to nothing"
  button id=pale @0,60,80,20 "White on white"
  button id=tiny @0,90,80,20 "Tiny"
  button id=indent @0,120,80,20 "Indented away"
  button id=fine @0,150,80,20 "Fine"`)
	for i := range c.Nodes {
		n := &c.Nodes[i]
		n.TextRects = []snapshot.Box{n.Box}
		n.Occlusion = &snapshot.Occlusion{State: snapshot.Clear, VisibleShare: 1, HitShare: 1}
		switch n.Attr("id") {
		case "clear":
			n.Visible, n.Occlusion.VisibleShare = false, 0
		case "polygon":
			n.Occlusion.Points = [][3]float64{{40, 40, 0}, {2, 32, 0}}
		case "pale":
			n.Ink = &snapshot.Ink{Size: 13, Contrast: 1}
		case "tiny":
			n.Ink = &snapshot.Ink{Size: 1}
		case "indent":
			n.TextRects = nil
		}
	}
	for id, want := range map[string]string{
		"clear": "A person sees 0 % of it, a click reaches 100 %.",
		"polygon": "A click reaches what is around it, body \"Transparent Cut to nothing White on white Tiny Indented away…\", " +
			"at all 2 points that were tried: it is not drawn there, or lies below that.",
		"pale":   "Nobody can read its text: its contrast is 1.00 to 1.",
		"tiny":   "Nobody can read its text: its font is 1 px.",
		"indent": "Nobody can read its text: its text is drawn outside of it (text-indent).",
		"fine":   "A person sees 100 % of it, a click reaches 100 %.",
	} {
		e := New(c, View{Format: format.DDDK})
		for i := range c.Nodes {
			if c.Nodes[i].Attr("id") != id {
				continue
			}
			x, err := e.Explain(i)
			require.NoError(t, err)
			require.Contains(t, facts(x), want, id)
			require.Equal(t, id == "pale" || id == "tiny" || id == "indent", strings.Contains(facts(x), "Nobody"), id)
		}
	}
}

// TestClickPointBesideAControl: it is told why the click point of a card is not in its middle.
func TestClickPointBesideAControl(t *testing.T) {
	const told = `In its middle lies [2] button "Delete", which a click there presses: its click point is 10,10.`
	for name, c := range map[string]struct {
		click  [2]float64
		inside snapshot.Box
		told   bool
	}{
		"beside":         {[2]float64{10, 10}, snapshot.Box{40, 40, 20, 20}, true},
		"in the control": {[2]float64{50, 50}, snapshot.Box{40, 40, 20, 20}, false},
		"control aside":  {[2]float64{10, 10}, snapshot.Box{70, 40, 20, 20}, false},
	} {
		shot := &snapshot.Capture{Nodes: []snapshot.Node{
			{I: 0, Parent: -1, Tag: "body"},
			{I: 1, Parent: 0, Tag: "div", Role: "button", Verdict: snapshot.VerdictRef, Ref: 1, Visible: true, InViewport: true,
				Box: snapshot.Box{0, 0, 100, 100}, Occlusion: &snapshot.Occlusion{State: snapshot.Clear, Click: c.click}},
			{I: 2, Parent: 1, Tag: "button", Role: "button", Name: "Delete", Box: c.inside, Verdict: snapshot.VerdictRef, Ref: 2,
				Interactive: []string{"native"}},
		}}
		x, err := New(shot).Explain(1)
		require.NoError(t, err)
		require.Equal(t, c.told, strings.Contains(facts(x), told), name+": "+facts(x))
	}
}

// TestCoverByLabel: what a click reaches is told by the label that it lands on, or by what is operated itself in it.
func TestCoverByLabel(t *testing.T) {
	points := func(at ...int) *snapshot.Occlusion {
		o := &snapshot.Occlusion{State: snapshot.Clear, VisibleShare: 1, HitShare: 1, Click: [2]float64{0, 5}}
		for k, i := range at {
			o.Points = append(o.Points, [3]float64{float64(10 * k), 5, float64(i)})
		}
		return o
	}
	covered := points(4, 4)
	covered.State, covered.HitShare = snapshot.Covered, 0
	for name, c := range map[string]struct {
		names string // the id that the label is for
		o     *snapshot.Occlusion
		want  string
	}{
		"around it":     {"", points(1, 3), `A click reaches its label, label "Buy", at every point that was tried; 2 of 2 points land on it.`},
		"by for":        {"box", points(1, 1), `A click reaches its label, label "Buy", at every point`},
		"of other":      {"other", points(1, 1), `A click reaches what is around it, label "Buy", at all 2 points`},
		"a link in it":  {"", points(3, 4), `A click at its click point reaches its label, label "Buy"; 1 of 2 points land on it.`},
		"only the link": {"", covered, `A click at its click point (0,5) reaches a (link) "Terms"; 0 of 2 points land on it.`},
	} {
		label := map[string]string{}
		if c.names != "" {
			label["for"] = c.names
		}
		shot := &snapshot.Capture{Nodes: []snapshot.Node{
			{I: 0, Parent: -1, Tag: "body"},
			{I: 1, Parent: 0, Tag: "label", Name: "Buy", Attrs: label},
			{I: 2, Parent: 1, Tag: "input", Attrs: map[string]string{"id": "box"}, Visible: true, InViewport: true, Occlusion: c.o,
				Interactive: []string{"native"}, Verdict: snapshot.VerdictRef, Ref: 1},
			{I: 3, Parent: 1, Tag: "span"},
			{I: 4, Parent: 1, Tag: "a", Role: "link", Name: "Terms", Attrs: map[string]string{"href": "#"}},
		}}
		x, err := New(shot).Explain(2)
		require.NoError(t, err)
		require.Contains(t, facts(x), c.want, name)
	}
}

// TestClicksPassThrough: of what ignores the pointer nobody says that a click reaches it, whatever lies over it.
func TestClicksPassThrough(t *testing.T) {
	over := 2
	for want, o := range map[string]*snapshot.Occlusion{
		"Clicks pass through it, and none is meant for it. A person sees 100 % of it.": {State: snapshot.Clear,
			VisibleShare: 1, HitShare: 1},
		"Clicks pass through it, and none is meant for it; div is drawn over it. A person sees 25 % of it.": {
			State: snapshot.Clear, VisibleShare: .25, HitShare: 1, Coverer: &over},
	} {
		shot := &snapshot.Capture{Nodes: []snapshot.Node{
			{I: 0, Parent: -1, Tag: "body"},
			{I: 1, Parent: 0, Tag: "label", Name: "Email", NoPointer: true, Visible: true, InViewport: true, Occlusion: o,
				Interactive: []string{"native"}, Verdict: snapshot.VerdictRef, Ref: 1},
			{I: 2, Parent: 0, Tag: "div"},
		}}
		x, err := New(shot).Explain(1)
		require.NoError(t, err)
		require.Contains(t, facts(x), want)
	}
}

// TestWhatNoScrollingReaches: what a style sheet moves before the page's start is not said to be "below".
func TestWhatNoScrollingReaches(t *testing.T) {
	for page, want := range map[string]string{
		"body\n  button @-9999,900,99,20 \"Go\"":                "9900 px left of the page's start, which no scrolling reaches.",
		"body\n  button @10,-500,99,20 \"Go\"":                  "480 px above the page's start, which no scrolling reaches.",
		"scroll: 600/900\nbody\n  button @10,-500,99,20 \"Go\"": "480 px above.",
		"body\n  button @10,900,99,20 \"Go\"":                   "180 px below.",
		"body dir=rtl\n  button @-200,900,99,20 %out \"Go\"":    "101 px left of the page's start, which no scrolling reaches.",
	} {
		x, err := New(pagetest.Parse(t, page)).Explain(1)
		require.NoError(t, err)
		require.Contains(t, facts(x), "It lies outside the viewport, "+want, page)
	}
}

func TestNotKept(t *testing.T) {
	x := explain(t, 2, View{Format: format.DDDK})
	require.Equal(t, "It is not kept: it is not drawn (display: none).", x.Sentence)
	require.Equal(t, "dddk has no line for it: it is not drawn (display: none).", x.Formats[0].Sentence)
	x = explain(t, 4, View{Format: format.DDDK})
	require.Equal(t, 3, x.Formats[0].Within)
	require.Contains(t, x.Formats[0].Sentence, `its text on line 6, the line of [2] a (link) "Terms of sale"`)
	x = explain(t, 6, View{Format: format.Wraith, Options: format.Options{Common: dump.Common{ViewportOnly: true}}})
	require.Equal(t, dump.ReasonViewport, x.Formats[0].Omitted[0].Reason)
	require.Contains(t, facts(x), "It lies outside the viewport, 780 px below.")
	_, err := New(shop(t)).Explain(99)
	require.ErrorContains(t, err, "no node 99")
	_, err = New(shop(t), View{Format: "xml"}).Explain(1)
	require.ErrorContains(t, err, `"xml"`)
}

func facts(x *Explanation) string {
	var b strings.Builder
	for _, f := range x.Facts {
		b.WriteString(f.Text + "\n")
	}
	return b.String()
}

func TestAt(t *testing.T) {
	e := New(shop(t))
	nodes := func(x, y float64) []int {
		var out []int
		for _, el := range e.At(x, y) {
			out = append(out, el.Node)
		}
		return out
	}
	require.Equal(t, []int{5, 1, 0}, nodes(140, 115), "the dialog lies over the button")
	require.Equal(t, []int{4, 3, 0}, nodes(310, 105), "a child lies over its parent")
	require.Equal(t, []int{0}, nodes(900, 600))
	require.Empty(t, nodes(-5, 3))
}

func TestQuestions(t *testing.T) {
	e := New(shop(t))
	for in, want := range map[string]int{
		"1": 1, "[2]": 3, "@e3": 5, "s3e4": 6, "f1_2": 3, "node:2": 2, "140,115": 5, "button": 1, "a > b": 4,
		"html > body": 0, "html > body > button": 1,
	} {
		q, err := ParseQuestion(in)
		require.NoError(t, err, in)
		got, err := e.Find(q)
		require.NoError(t, err, in)
		require.Equal(t, want, got[0].Node, in)
		require.Equal(t, in == "140,115", q.IsPlace())
	}
	for in, want := range map[string]string{"": "nothing is asked", "0": "count from 1", "a:hover": ":hover",
		"((": "besides a CSS selector"} {
		_, err := ParseQuestion(in)
		require.ErrorContains(t, err, want, in)
	}
	for in, want := range map[string]string{"77": "no element with number 77", "video": `no element matches "video"`,
		"5000,5000": "nothing lies at 5000,5000", "x >>> y": "no element has the path"} {
		q, err := ParseQuestion(in)
		require.NoError(t, err, in)
		_, err = e.Find(q)
		require.ErrorContains(t, err, want, in)
	}
}

func FuzzParseQuestion(f *testing.F) {
	for _, s := range []string{"12", "@e12", "s3e12", "1,2", "NaN,1", "1e999,0", "a > b", "html > body >>> x", "node:9",
		"f1_2", "[x", ",", "9999999999"} {
		f.Add(s)
	}
	e := New(shop(f), View{Format: format.DDDK})
	f.Fuzz(func(t *testing.T, s string) {
		q, err := ParseQuestion(s)
		if err != nil {
			return
		}
		again, err := ParseQuestion(q.String())
		require.NoError(t, err)
		require.Equal(t, []any{q.kind, q.ref, q.x, q.y, q.text}, []any{again.kind, again.ref, again.x, again.y, again.text})
		found, err := e.Find(q)
		if err != nil {
			require.False(t, text.HasHidden(err.Error()) || strings.Contains(err.Error(), "\n"), "%q", err)
			return
		}
		require.NotEmpty(t, found)
	})
}

// TestHistory: an element is seen, and renamed.
func TestHistory(t *testing.T) {
	l := turn.NewLedger()
	c := shop(t)
	for i := range c.Nodes {
		c.Nodes[i].Ref = 0
	}
	l.Assign("t1", 1, c)
	ref := c.Nodes[1].Ref
	require.Equal(t, []Event{{Turn: 1, Kind: firstSeen, Text: `First seen in turn 1 as button "Pay".`}}, History(l, ref))
	c.Nodes[1].Name = "Pay now"
	l.Assign("t1", 2, c)
	got := History(l, ref)
	require.Len(t, got, 2)
	require.Equal(t, renamed, got[1].Kind)
	require.Equal(t, `Renamed in turn 2 from "Pay" to "Pay now".`, got[1].Text)
	require.Nil(t, History(l, 0))
	require.Nil(t, History(l, 1000))
}

// TestHistoryOfADamagedLedger: what was lost is said, also of a number that nothing is known of any more.
func TestHistoryOfADamagedLedger(t *testing.T) {
	dir := t.TempDir()
	s, err := turn.Create(t.Context(), turn.Dir(dir), "test")
	require.NoError(t, err)
	c := shop(t)
	for i := range c.Nodes {
		c.Nodes[i].Ref = 0
	}
	_, err = s.Append(t.Context(), func(l *turn.Ledger) (*turn.Record, error) {
		l.Assign("t1", 1, c)
		return &turn.Record{Capture: c}, nil
	})
	require.NoError(t, err)
	ref := c.Nodes[1].Ref
	history := func() []Event {
		s, err := turn.OpenPath(dir) // as another process, which has read no ledger yet
		require.NoError(t, err)
		l, err := s.Ledger(t.Context())
		require.NoError(t, err)
		return History(l, ref)
	}
	require.Len(t, history(), 1)
	file := filepath.Join(dir, "ledger")
	b, err := os.ReadFile(file)
	require.NoError(t, err)
	lines := bytes.SplitAfter(b, []byte("\n"))
	for i := 2; i < len(lines)-2; i++ { // the refs
		lines[i] = bytes.Replace(lines[i], []byte(`"k":"ref"`), []byte(`"k":"rof"`), 1)
	}
	require.NoError(t, os.WriteFile(file, bytes.Join(lines, nil), 0o600))
	got := history()
	require.NotEmpty(t, got)
	require.Equal(t, damaged, got[len(got)-1].Kind)
	require.Contains(t, got[len(got)-1].Text, "The session's ledger is damaged in ")
}

// A place is hit as Chrome hits it: from less than one px before an edge, and whatever a sampled point
// beyond an edge of the topmost element says.
func TestAtEdges(t *testing.T) {
	c := pagetest.Parse(t, `
body @0,0,400,400
  label @10,10.5,100,18.5 "Code"
  input @10,29,100,20 type=text
  p @0,100,200,40
    a href=/x @20,105,60,16 "Read"`)
	at := func(x, y float64) string { return c.Node(New(c).At(x, y)[0].Node).Tag }
	require.Equal(t, "label", at(50, 28))
	require.Equal(t, "input", at(50, 28.5), "over the label, and nearer than one px to the input")
	require.Equal(t, "body", at(50, 9.5))
	require.Equal(t, "label", at(50, 9.6))
	require.Equal(t, "body", at(50, 49), "a box ends at its edge")
	c.Nodes[3].Occlusion = &snapshot.Occlusion{Points: [][3]float64{{40, 122, 3}}}
	require.Equal(t, "a", at(40, 120), "the sampled point lies below the link")
	require.Equal(t, "p", at(40, 121.5))
}

// TestAtLines: an inline element of several lines lies where its lines are, and not in the box around all of them,
// which is where the text is said to be that a style sheet writes. Text that sticks out of its element is a part of it.
func TestAtLines(t *testing.T) {
	c := &snapshot.Capture{Viewport: snapshot.Viewport{Width: 400, Height: 200, Scale: 1}, Nodes: []snapshot.Node{
		{I: 0, Parent: -1, Tag: "body", Box: snapshot.Box{0, 0, 400, 200}, Verdict: snapshot.VerdictWrapper},
		{I: 1, Parent: 0, Tag: "span", Box: snapshot.Box{10, 10, 300, 40}, Verdict: snapshot.VerdictContent,
			Rects:     []snapshot.Box{{200, 10, 110, 20}, {10, 30, 50, 20}},
			TextRects: []snapshot.Box{{10, 10, 300, 40}}},
		{I: 2, Parent: 0, Tag: "p", Box: snapshot.Box{10, 100, 300, 0}, Verdict: snapshot.VerdictContent,
			TextRects: []snapshot.Box{{10, 100, 80, 20}}},
	}}
	at := func(x, y float64) string { return c.Node(New(c).At(x, y)[0].Node).Tag }
	require.Equal(t, "body", at(50, 20))
	require.Equal(t, "span", at(250, 20))
	require.Equal(t, "span", at(30, 40))
	require.Equal(t, "body", at(200, 40))
	require.Equal(t, "p", at(50, 110))
}
