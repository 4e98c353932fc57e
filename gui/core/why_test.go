package core

import (
	"fmt"
	"image"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/why"
)

func TestWhatASelectionAsks(t *testing.T) {
	s := captured(t)
	for _, tt := range []struct {
		name string
		msgs []Msg
		want Selection
		ask  Explain
	}{
		{"a number", []Msg{Picked{Ref: 2, Source: PaneDump}}, Selection{2, 2, PaneDump}, Explain{s.Shown, 2, 2}},
		{"an element with a number", []Msg{NodePicked{Node: 1, Source: PanePicture}}, Selection{1, 1, PanePicture}, Explain{s.Shown, 1, 1}},
		{"an element without one", []Msg{NodePicked{Node: 4, Source: PanePicture}}, Selection{4, 0, PanePicture}, Explain{s.Shown, 4, 0}},
		{"an element that is not there", []Msg{NodePicked{Node: 99, Source: PanePicture}}, Selection{}, Explain{}},
		{"none", []Msg{Picked{Ref: 2}, NodePicked{Node: -1}}, Selection{}, Explain{}},
		{"the same again asks nothing", []Msg{Picked{Ref: 2, Source: PanePicture}, Picked{Ref: 2, Source: PaneDump}}, Selection{2, 2, PaneDump}, Explain{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			now, effects := step(s, tt.msgs...)
			require.Equal(t, tt.want, now.Selected)
			require.Equal(t, tt.ask, last[Explain](effects))
		})
	}
}

func TestAnswersOfAnotherElementAreDropped(t *testing.T) {
	s, _ := step(captured(t), Picked{Ref: 2, Source: PaneDump})
	answer := &Answer{Explanation: &why.Explanation{}}
	late, _ := step(s, Picked{Ref: 1, Source: PaneDump}, Explained{Turn: s.Shown, Node: 2, Answer: answer})
	require.Nil(t, late.Why.Answer)
	s, _ = step(s, Explained{Turn: s.Shown, Node: 2, Answer: answer})
	require.Same(t, answer, s.Why.Answer)
	s, _ = step(s, Escaped{})
	require.Equal(t, WhyPane{}, s.Why, "nothing is selected, nothing is known")
}

// explained selects a node and answers.
func explained(t *testing.T, s State, node int) State {
	t.Helper()
	s, effects := step(s, NodePicked{Node: node, Source: PanePicture})
	e := last[Explain](effects)
	require.NotNil(t, e.Turn)
	x, err := e.Turn.Explainer.Explain(e.Node)
	require.NoError(t, err)
	s, _ = step(s, Explained{Turn: e.Turn, Node: e.Node, Answer: &Answer{Explanation: x, XPath: "/html"}})
	return s
}

func rowsOf(s State) map[string]DetailRow {
	rows := map[string]DetailRow{}
	for _, r := range s.Details().Rows {
		rows[r.Label] = r
	}
	return rows
}

func TestWhyRows(t *testing.T) {
	s := captured(t)
	waiting, _ := step(s, NodePicked{Node: 4, Source: PanePicture})
	require.Equal(t, "looking it up…", rowsOf(waiting)["formats"].Value)
	require.Equal(t, "not drawn", rowsOf(waiting)["left out"].Value, "the verdict is known at once")

	rows := rowsOf(explained(t, s, 4))
	require.Equal(t, "It is not kept: it is not drawn (display: none).", rows["left out"].Value)
	require.Contains(t, rows["no line"].Value, "dddk, semantic")
	require.Equal(t, "/html", rows["XPath"].Value)
	require.Equal(t, "4", rows["node"].Copy)

	rows = rowsOf(explained(t, s, 2))
	require.Equal(t, "native control", rows["kept because"].Value)
	require.Contains(t, rows["dddk"].Value, "[2]<button>Buy</button>")
	require.True(t, rows["dddk"].Mono)
	require.Equal(t, "[2]<button>Buy</button>", rows["dddk"].Copy, "a copy has the line alone")
	require.Equal(t, DetailGo{Some: true, Node: 3, Ref: 3}, rows["covered by"].Go)
	require.Equal(t, "10, 60 to 70, 80", rows["corners"].Value)
	require.Equal(t, "40, 70", rows["middle"].Value)

	broken, _ := step(waiting, Explained{Turn: s.Shown, Node: 4, Problem: &Problem{Sentence: "It broke."}})
	require.Equal(t, "It broke.", rowsOf(broken)["formats"].Value)
}

func TestHistoryRows(t *testing.T) {
	s := explained(t, captured(t), 2)
	s.Why.Answer.History = []why.Event{{Turn: 1, Text: "First seen."}, {Turn: 3, Text: "Replaced.", Ref: 9}}
	rows := rowsOf(s)
	require.Equal(t, "First seen.", rows["turn 1"].Value)
	require.False(t, rows["turn 1"].Go.Some)
	require.Equal(t, Picked{Ref: 9, Source: PaneDetails}, rows["turn 3"].Go.Msg())
	require.Equal(t, NodePicked{Node: 0, Source: PaneDetails}, DetailGo{Some: true}.Msg())
}

func TestPlacesOfThePicture(t *testing.T) {
	s := captured(t) // 200 × 100: the button at 10,60 and the banner from 64 down over it
	for _, tt := range []struct {
		name  string
		x, y  float64
		below int // how often it is asked for what is below
		want  int // node
	}{
		{"the heading", 20, 20, 0, 1},
		{"the button, above the banner", 20, 62, 0, 2},
		{"the banner lies over the button", 20, 70, 0, 3},
		{"below it is the button", 20, 70, 1, 2},
		{"and then it begins again", 20, 70, 2, 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			now := s
			for i := 0; i <= tt.below; i++ {
				now, _ = step(now, PlacePicked{X: tt.x, Y: tt.y, Below: i > 0})
			}
			require.Equal(t, tt.want, now.Selected.Node)
			require.Equal(t, PanePicture, now.Selected.Source)
		})
	}
	s, _ = step(s, Picked{Ref: 2}, PlacePicked{X: 190, Y: 5})
	require.False(t, s.Selected.Some(), "nothing lies there")
	blank, _ := step(working(t), PlacePicked{X: 1, Y: 1}, PickerAsked{1, 1})
	require.False(t, blank.Picker.Open, "there is no picture")
}

// TestPartsStandForTheirControl: a click on the icon of a button is one on the button.
func TestPartsStandForTheirControl(t *testing.T) {
	c := capture()
	c.Nodes = append(c.Nodes, snapshot.Node{I: 5, Parent: 2, Tag: "svg", Box: snapshot.Box{50, 61, 2, 2}, Verdict: snapshot.VerdictInsideAtomic, Visible: true, InViewport: true})
	tr := NewTurn(1, "goto", c, nil, image.NewRGBA(image.Rect(0, 0, 400, 200))) // 2 image px for a CSS px
	require.Equal(t, []int{2, 5}, tr.Under(102, 123))
	c.Nodes[5].Verdict = snapshot.VerdictContent // what has a line of its own is chosen itself
	require.Equal(t, []int{5, 2}, tr.Under(102, 123))
	require.Empty(t, NewTurn(1, "goto", c, nil, nil).Under(102, 123), "without a picture there are no places")
}

func TestPickerMessages(t *testing.T) {
	s, _ := step(captured(t), PickerAsked{20, 70})
	require.True(t, s.Picker.Open)
	require.Equal(t, []int{3, 2}, s.Picker.Nodes)
	require.Equal(t, 3, s.Hover.Ref, "the first is previewed")
	v := s.PickerView()
	require.Equal(t, []PickerRow{{3, "region “Cookies”", "kept", ToneMuted}, {2, "button “Buy”", "covered", ToneBad}}, v.Rows)

	for _, at := range []int{-1, 2} {
		same, _ := step(s, PickerMoved{at})
		require.Equal(t, s.Picker, same.Picker)
	}
	s, _ = step(s, PickerMoved{1})
	require.Equal(t, 2, s.Hover.Ref)
	require.False(t, s.Selected.Some())
	chosen, effects := step(s, PickerChosen{})
	require.Equal(t, Selection{2, 2, PanePicture}, chosen.Selected)
	require.False(t, chosen.Picker.Open)
	require.False(t, chosen.Hover.Some())
	require.Equal(t, 2, last[Explain](effects).Node)
	again, _ := step(chosen, PickerAsked{20, 70})
	require.Equal(t, 1, again.Picker.At, "it begins at what is selected")

	for _, m := range []Msg{PickerClosed{}, Escaped{}} {
		left, _ := step(s, m)
		require.False(t, left.Picker.Open)
		require.False(t, left.Hover.Some())
	}
	for _, m := range []Msg{PickerMoved{0}, PickerChosen{}, PickerClosed{}} {
		shut, _ := step(captured(t), m)
		require.False(t, shut.Selected.Some())
	}
}

func TestSelectionWithoutANumberIsCarried(t *testing.T) {
	with := func(n int, change func(*snapshot.Capture)) *Turn {
		c := capture()
		c.Frames[0].Loader = "L"
		c.Nodes[4].UID = 44
		change(c)
		return NewTurn(n, "goto", c, nil, image.NewRGBA(image.Rect(0, 0, 200, 100)))
	}
	none := func(*snapshot.Capture) {}
	for _, tt := range []struct {
		name   string
		change func(*snapshot.Capture)
		want   Selection
	}{
		{"the same document", none, Selection{4, 0, PaneTurn}},
		{"it has a number now", func(c *snapshot.Capture) { c.Nodes[4].Ref = 8 }, Selection{4, 8, PaneTurn}},
		{"another document", func(c *snapshot.Capture) { c.Frames[0].Loader = "M" }, Selection{}},
		{"it is gone", func(c *snapshot.Capture) { c.Nodes[4].UID = 45 }, Selection{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := captured(t)
			s.Shown = with(1, none)
			s, _ = step(s, NodePicked{Node: 4, Source: PaneDump}, CaptureAsked{}, Captured{Task: 5, Turn: with(2, tt.change)})
			require.Equal(t, 2, s.Shown.N)
			require.Equal(t, tt.want, s.Selected)
		})
	}
}

func TestXPath(t *testing.T) {
	c := &snapshot.Capture{}
	add := func(paths ...string) {
		for _, p := range paths {
			c.Nodes = append(c.Nodes, snapshot.Node{I: len(c.Nodes), Path: p})
		}
	}
	const body = "html > body:nth-child(2)"
	add("html", "html > head:nth-child(1)", body, body+" > div:nth-child(1)", body+" > p:nth-child(2)", body+" > div:nth-child(3)",
		body+" > div:nth-child(3) > svg:nth-child(1)", body+" > div:nth-child(3) > svg:nth-child(1) > path:nth-child(2)",
		body+" > p:nth-child(5)", // the fourth is not in the capture
		body+" > p:nth-child(2) > *:nth-child(1)",
		body+" > div:nth-child(1) >>> b:nth-child(1)",
		body+" > p:nth-child(2) |> html", body+" > p:nth-child(2) |> html > body:nth-child(1)")
	for path, want := range map[string]string{
		"html":                       "/html",
		body:                         "/html/body",
		body + " > div:nth-child(3)": "/html/body/div[2]",
		body + " > p:nth-child(2)":   "/html/body/p[1]",
		body + " > p:nth-child(5)":   "/html/body/*[5]",
		body + " > div:nth-child(3) > svg:nth-child(1) > path:nth-child(2)": "/html/body/div[2]/*[1]/*[2]",
		body + " > p:nth-child(2) > *:nth-child(1)":                         "/html/body/p[1]/*[1]",
		body + " > div:nth-child(1) >>> b:nth-child(1)":                     "",
		body + " > p:nth-child(2) |> html > body:nth-child(1)":              "/html/body",
		"":           "",
		"garbage > ": "",
	} {
		require.Equal(t, want, XPath(c, &snapshot.Node{Path: path}), path)
	}
}

func TestKinds(t *testing.T) {
	s := captured(t)
	require.Equal(t, [kinds]int{KindCovered: 1, KindOthers: 2}, s.Shown.Kinds, "the banner covers, so it is drawn")
	require.Empty(t, s.boxesSay())
	s, effects := step(s, KindToggled{KindCovered})
	ask := last[Rescope](effects)
	require.Same(t, s.Shown, ask.Turn)
	require.Same(t, s.Shown.Scene, s.Shot().Scene, "the old marks stay until the new are there")
	scene := ask.Turn.Without(ask.Hidden)
	s, _ = step(s, Rescoped{Turn: ask.Turn, Hidden: ask.Hidden, Scene: scene})
	require.Same(t, scene, s.Shot().Scene)
	require.Equal(t, "2 of 3 boxes shown · without hidden or covered", s.Tools().Hint)
	require.Equal(t, ToneWarn, s.Tools().Tone())
	require.Equal(t, "Hidden or covered  (1)", s.KindRows()[KindCovered].Title)
	require.False(t, s.KindRows()[KindCovered].On)

	other, effects := step(s, KindToggled{KindLinks})
	require.Equal(t, [kinds]bool{KindCovered: true, KindLinks: true}, last[Rescope](effects).Hidden)
	late, _ := step(other, Rescoped{Turn: ask.Turn, Hidden: ask.Hidden, Scene: s.Shown.Scene})
	require.Same(t, scene, late.Boxes.Scene, "an answer to another question is dropped")

	next, effects := step(s, CaptureAsked{}, Captured{Task: 5, Turn: turnOf(2)})
	require.Same(t, next.Shown, last[Rescope](effects).Turn, "the choice holds for the next turn")
	require.Same(t, next.Shown.Scene, next.Shot().Scene)

	s, _ = step(s, KindsShown{})
	require.Same(t, s.Shown.Scene, s.Shot().Scene)
	same, _ := step(s, KindToggled{-1}, KindToggled{kinds})
	require.Equal(t, s.Boxes, same.Boxes)
	for _, k := range Kinds() {
		require.NotEmpty(t, k.String())
	}
}

func TestReadout(t *testing.T) {
	s := captured(t)
	s.Shown.Image.Pix[s.Shown.Image.PixOffset(12, 34)] = 0xab
	first := func(s State) string { return s.Status().Left[0].Text }
	over, _ := step(s, Pointed{Pointer{Over: true, X: 12.7, Y: 34.2}})
	require.Equal(t, "x\u2007\u2007\u200712\u2007\u2007y\u2007\u2007\u200734", first(over))
	near, _ := step(over, Zoomed{8})
	require.True(t, strings.HasSuffix(first(near), "#ab0000"), first(near))
	left, _ := step(near, Pointed{})
	require.Equal(t, "● one moment", first(left))
	blank, _ := step(working(t), Pointed{Pointer{Over: true}})
	require.Empty(t, blank.readout())
}

func TestCutIsSaid(t *testing.T) {
	cut := func(node int, detail string) dump.Omission {
		return dump.Omission{Node: node, Reason: dump.ReasonCut, Detail: detail}
	}
	for _, tt := range []struct {
		name string
		doc  dump.Document
		want string
	}{
		{"nothing", dump.Document{Omitted: []dump.Omission{{Node: 3, Reason: dump.ReasonViewport}}}, ""},
		{"with a reason", dump.Document{Truncated: true, Omitted: []dump.Omission{cut(-1, "title cut"), cut(3, "beyond 12,000 characters"), cut(4, "beyond 12,000 characters")}}, "3 elements were cut or left out: beyond 12,000 characters."},
		{"without", dump.Document{Omitted: []dump.Omission{cut(3, "")}}, "1 element was cut or left out by a limit."},
		{"the text as a whole", dump.Document{Truncated: true}, "The text ends at its limit."},
	} {
		require.Equal(t, tt.want, cutSentence(&tt.doc), tt.name)
	}
	s, _ := step(captured(t), Rendered{Turn: 1, Doc: Doc{Format: "dddk", Doc: &dump.Document{}, Cut: "Cut."}})
	require.Equal(t, "Cut.", s.CutView().Text)
	s, _ = step(s, SideChosen{SideChanges})
	require.Equal(t, CutVM{}, s.CutView(), fmt.Sprint(s.Side))
}
