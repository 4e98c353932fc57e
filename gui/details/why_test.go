package details_test

import (
	"cmp"
	"fmt"
	"image"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/app"
	"github.com/refscope/refscope/gui/app/apptest"
	"github.com/refscope/refscope/gui/changes"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/details"
	"github.com/refscope/refscope/gui/picture"
	"github.com/refscope/refscope/gui/text"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	harmless "github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/why"
)

func TestWhatASelectionAsks(t *testing.T) {
	s := apptest.Captured(t)
	for _, tt := range []struct {
		name string
		msgs []core.Msg
		want core.Selection
		ask  details.Explain
	}{
		{"a number", []core.Msg{core.Picked{Ref: 2, Source: core.PaneDump}},
			core.Selection{Node: 2, Ref: 2, Source: core.PaneDump}, details.Explain{Turn: s.Current, Node: 2, Ref: 2}},
		{"an element with a number", []core.Msg{core.NodePicked{Node: 1, Source: core.PanePicture}},
			core.Selection{Node: 1, Ref: 1, Source: core.PanePicture}, details.Explain{Turn: s.Current, Node: 1, Ref: 1}},
		{"an element without one", []core.Msg{core.NodePicked{Node: 4, Source: core.PanePicture}},
			core.Selection{Node: 4, Ref: 0, Source: core.PanePicture}, details.Explain{Turn: s.Current, Node: 4, Ref: 0}},
		{"an element that is not there", []core.Msg{core.NodePicked{Node: 99, Source: core.PanePicture}},
			core.Selection{}, details.Explain{}},
		{"none", []core.Msg{core.Picked{Ref: 2}, core.NodePicked{Node: -1}}, core.Selection{}, details.Explain{}},
		{"the same again asks nothing", []core.Msg{core.Picked{Ref: 2, Source: core.PanePicture},
			core.Picked{Ref: 2, Source: core.PaneDump}}, core.Selection{Node: 2, Ref: 2, Source: core.PaneDump},
			details.Explain{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			now, effects := apptest.Step(s, tt.msgs...)
			require.Equal(t, tt.want, now.Selected)
			require.Equal(t, tt.ask, apptest.Last[details.Explain](effects))
		})
	}
}

func TestAnswersOfAnotherElementAreDropped(t *testing.T) {
	s, _ := apptest.Step(apptest.Captured(t), core.Picked{Ref: 2, Source: core.PaneDump})
	answer := &details.Answer{Explanation: &why.Explanation{}}
	late, _ := apptest.Step(s, core.Picked{Ref: 1, Source: core.PaneDump}, details.Explained{Turn: s.Current, Node: 2,
		Answer: answer})
	require.Nil(t, details.Of(late).Answer)
	s, _ = apptest.Step(s, details.Explained{Turn: s.Current, Node: 2, Answer: answer})
	require.Same(t, answer, details.Of(s).Answer)
	s, _ = apptest.Step(s, core.Escaped{})
	require.Equal(t, details.Model{}, details.Of(s), "nothing is selected, nothing is known")
}

// explained selects a node and answers.
func explained(t *testing.T, s core.State, node int) core.State {
	t.Helper()
	s, effects := apptest.Step(s, core.NodePicked{Node: node, Source: core.PanePicture})
	e := apptest.Last[details.Explain](effects)
	require.NotNil(t, e.Turn)
	x, err := e.Turn.Explainer.Explain(e.Node)
	require.NoError(t, err)
	s, _ = apptest.Step(s, details.Explained{Turn: e.Turn, Node: e.Node, Answer: &details.Answer{Explanation: x,
		XPath: "/html"}})
	return s
}

func rowsOf(s core.State) map[string]details.Row {
	rows := map[string]details.Row{}
	for _, r := range details.ViewOf(s).Rows {
		rows[r.Label] = r
	}
	return rows
}

// A line of a format is spelled out by the format: the details show and copy it as the text has it.
func TestLinesAreTheText(t *testing.T) {
	c := apptest.Capture()
	c.Nodes[2].Name, c.Nodes[2].Text = "click \u202efdp\u202c \x1b[31m", "click \u202efdp\u202c \x1b[31m"
	c.Nodes[2].Runs[0].Text = c.Nodes[2].Text
	s, effects := apptest.Step(apptest.Captured(t), core.CaptureAsked{})
	made := core.NewTurn(2, "capture", c, []byte("png"), image.NewRGBA(image.Rect(0, 0, 200, 100)))
	s, _ = apptest.Step(s, core.Captured{Task: effects[0].(core.Capture).Task, Turn: made})
	s = explained(t, s, 2)
	rows := rowsOf(s)
	require.Equal(t, `click \u{202e}fdp\u{202c} \u{1b}[31m`, rows["name"].Value)
	require.Equal(t, rows["name"].Value, rows["name"].Copy)
	for _, f := range details.Of(s).Answer.Formats {
		for _, l := range f.Lines[:min(1, len(f.Lines))] {
			require.NotContains(t, l.Text, "\u202e", "%s", f.Format)
			r := rows[string(f.Format)]
			require.Equal(t, cmp.Or(l.Part, l.Text), r.Copy)
			require.Contains(t, harmless.CollapseSpace(r.Copy), strings.TrimSuffix(strings.TrimPrefix(r.Value,
				strconv.Itoa(l.Number)+": "), "…"))
		}
	}
}

func TestWhyRows(t *testing.T) {
	s := apptest.Captured(t)
	waiting, _ := apptest.Step(s, core.NodePicked{Node: 4, Source: core.PanePicture})
	require.Equal(t, "Loading…", rowsOf(waiting)["formats"].Value)
	require.Equal(t, "Not rendered", rowsOf(waiting)["left out"].Value, "the verdict is known at once")

	rows := rowsOf(explained(t, s, 4))
	require.Equal(t, "It is not kept: it is not drawn (display: none).", rows["left out"].Value)
	require.Contains(t, rows["no line"].Value, "dddk, semantic")
	require.Equal(t, "/html", rows["XPath"].Value)
	require.Equal(t, "4", rows["Node index"].Copy)

	rows = rowsOf(explained(t, s, 2))
	require.Equal(t, "native control", rows["kept because"].Value)
	require.Contains(t, rows["dddk"].Value, "[2]<button>Buy</button>")
	require.True(t, rows["dddk"].Mono)
	require.Equal(t, "[2]<button>Buy</button>", rows["dddk"].Copy, "a copy has the line alone")
	require.Equal(t, details.Link{Some: true, Node: 3, Ref: 3}, rows["covered by"].Go)
	require.Equal(t, "10, 60 to 70, 80", rows["corners"].Value)
	require.Equal(t, "40, 70", rows["middle"].Value)

	broken, _ := apptest.Step(waiting, details.Explained{Turn: s.Current, Node: 4,
		Problem: &core.Problem{Sentence: "It broke."}})
	require.Equal(t, "It broke.", rowsOf(broken)["formats"].Value)
}

func TestHistoryRows(t *testing.T) {
	s := explained(t, apptest.Captured(t), 2)
	details.Of(s).Answer.History = []why.Event{{Turn: 1, Text: "First seen."}, {Turn: 3, Text: "Replaced.", Ref: 9}}
	rows := rowsOf(s)
	require.Equal(t, "First seen.", rows["turn 1"].Value)
	require.False(t, rows["turn 1"].Go.Some)
	require.Equal(t, core.Picked{Ref: 9, Source: core.PaneDetails}, rows["turn 3"].Go.Msg())
	require.Equal(t, core.NodePicked{Node: 0, Source: core.PaneDetails}, details.Link{Some: true}.Msg())
}

func TestPlacesOfThePicture(t *testing.T) {
	s := apptest.Captured(t) // 200 × 100: the button at 10,60 and the banner from 64 down over it
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
				now, _ = apptest.Step(now, picture.PlacePicked(tt.x, tt.y, i > 0))
			}
			require.Equal(t, tt.want, now.Selected.Node)
			require.Equal(t, core.PanePicture, now.Selected.Source)
		})
	}
	s, _ = apptest.Step(s, core.Picked{Ref: 2}, picture.PlacePicked(190, 5, false))
	require.False(t, s.Selected.Some(), "nothing lies there")
	blank, _ := apptest.Step(apptest.Working(t), picture.PlacePicked(1, 1, false), picture.PickerAsked(1, 1))
	require.False(t, picture.Of(blank).Picker.Open, "there is no picture")
}

// TestPartsStandForTheirControl: a click on the icon of a button is one on the button, one on a word of a heading, or
// of a line of text, is one on the line.
func TestPartsStandForTheirControl(t *testing.T) {
	c := apptest.Capture()
	c.Nodes = append(c.Nodes, snapshot.Node{I: 5, Parent: 2, Tag: "svg", Box: snapshot.Box{50, 61, 2, 2},
		Verdict: snapshot.VerdictInsideAtomic, Visible: true, InViewport: true})
	tr := core.NewTurn(1, "goto", c, nil, image.NewRGBA(image.Rect(0, 0, 400, 200))) // 2 image px for a CSS px
	require.Equal(t, []int{2, 5}, tr.Under(102, 123))
	c.Nodes[5].Verdict = snapshot.VerdictContent // what has a line of its own is chosen itself
	require.Equal(t, []int{5, 2}, tr.Under(102, 123))
	c.Nodes[5].Parent, c.Nodes[5].Box, c.Nodes[5].Verdict = 1, c.Nodes[1].Box, snapshot.VerdictInsideAtomic
	require.Empty(t, c.Nodes[1].Interactive)
	require.Equal(t, []int{1, 5}, tr.Under(40, 40), "a word of the heading")
	c.Nodes[5].Verdict = snapshot.VerdictWrapper // what holds other things is no part of a line
	require.Equal(t, []int{5, 1}, tr.Under(40, 40))
	require.Empty(t, core.NewTurn(1, "goto", c, nil, nil).Under(102, 123), "without a picture there are no places")
}

func TestPickerMessages(t *testing.T) {
	s, _ := apptest.Step(apptest.Captured(t), picture.PickerAsked(20, 70))
	require.True(t, picture.Of(s).Picker.Open)
	require.Equal(t, []int{3, 2}, picture.Of(s).Picker.Nodes)
	require.Equal(t, 3, s.Hover.Ref, "the first is previewed")
	v := picture.PickerView(s)
	require.Equal(t, []picture.PickerRow{{Ref: 3, What: "region “Cookies”", Fate: "Kept", Tone: core.ToneMuted},
		{Ref: 2, What: "button “Buy”", Fate: "covered", Tone: core.ToneBad}}, v.Rows)

	for _, at := range []int{-1, 2} {
		same, _ := apptest.Step(s, picture.PickerMoved{At: at})
		require.Equal(t, picture.Of(s).Picker, picture.Of(same).Picker)
	}
	s, _ = apptest.Step(s, picture.PickerMoved{At: 1})
	require.Equal(t, 2, s.Hover.Ref)
	require.False(t, s.Selected.Some())
	chosen, effects := apptest.Step(s, picture.PickerChosen{})
	require.Equal(t, core.Selection{Node: 2, Ref: 2, Source: core.PanePicture}, chosen.Selected)
	require.False(t, picture.Of(chosen).Picker.Open)
	require.False(t, chosen.Hover.Some())
	require.Equal(t, 2, apptest.Last[details.Explain](effects).Node)
	again, _ := apptest.Step(chosen, picture.PickerAsked(20, 70))
	require.Equal(t, 1, picture.Of(again).Picker.At, "it begins at what is selected")

	for _, m := range []core.Msg{picture.PickerClosed{}, core.Escaped{}} {
		left, _ := apptest.Step(s, m)
		require.False(t, picture.Of(left).Picker.Open)
		require.False(t, left.Hover.Some())
	}
	for _, m := range []core.Msg{picture.PickerMoved{At: 0}, picture.PickerChosen{}, picture.PickerClosed{}} {
		shut, _ := apptest.Step(apptest.Captured(t), m)
		require.False(t, shut.Selected.Some())
	}
}

func TestSelectionWithoutANumberIsCarried(t *testing.T) {
	with := func(n int, change func(*snapshot.Capture)) *core.Turn {
		c := apptest.Capture()
		c.Frames[0].Loader = "L"
		c.Nodes[4].UID = 44
		change(c)
		return core.NewTurn(n, "goto", c, nil, image.NewRGBA(image.Rect(0, 0, 200, 100)))
	}
	none := func(*snapshot.Capture) {}
	for _, tt := range []struct {
		name   string
		change func(*snapshot.Capture)
		want   core.Selection
	}{
		{"the same document", none, core.Selection{Node: 4, Ref: 0, Source: core.PaneTurn}},
		{"it has a number now", func(c *snapshot.Capture) { c.Nodes[4].Ref = 8 },
			core.Selection{Node: 4, Ref: 8, Source: core.PaneTurn}},
		{"another document", func(c *snapshot.Capture) { c.Frames[0].Loader = "M" }, core.Selection{}},
		{"it is gone", func(c *snapshot.Capture) { c.Nodes[4].UID = 45 }, core.Selection{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := apptest.Captured(t)
			s.Current = with(1, none)
			s, _ = apptest.Step(s, core.NodePicked{Node: 4, Source: core.PaneDump}, core.CaptureAsked{},
				core.Captured{Task: 5, Turn: with(2, tt.change)})
			require.Equal(t, 2, s.Current.N)
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
	add("html", "html > head:nth-child(1)", body, body+" > div:nth-child(1)", body+" > p:nth-child(2)",
		body+" > div:nth-child(3)",
		body+" > div:nth-child(3) > svg:nth-child(1)",
		body+" > div:nth-child(3) > svg:nth-child(1) > path:nth-child(2)",
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
		require.Equal(t, want, details.XPath(c, &snapshot.Node{Path: path}), path)
	}
}

func TestKinds(t *testing.T) {
	s := apptest.Captured(t)
	require.Equal(t, [core.NumKinds]int{core.KindCovered: 1, core.KindOthers: 2}, s.Current.Kinds,
		"the banner covers, so it is drawn")
	require.Empty(t, picture.BoxesSay(s))
	s, effects := apptest.Step(s, picture.KindToggled(core.KindCovered))
	ask := apptest.Last[picture.Rescope](effects)
	require.Same(t, s.Current, ask.Turn)
	require.Same(t, s.Current.Scene, picture.ViewOf(s).Scene, "the old marks stay until the new are there")
	answer := ask.Do(t.Context(), nil).(picture.Rescoped)
	scene := answer.Scene
	s, _ = apptest.Step(s, answer)
	require.Same(t, scene, picture.ViewOf(s).Scene)
	require.Equal(t, "2 of 3 boxes shown · without hidden or covered", picture.Tools(s).Hint)
	require.Equal(t, core.ToneWarn, picture.Tools(s).Tone())
	require.Equal(t, "Hidden or covered  (1)", picture.KindRows(s)[core.KindCovered].Title)
	require.False(t, picture.KindRows(s)[core.KindCovered].On)

	other, effects := apptest.Step(s, picture.KindToggled(core.KindLinks))
	require.Equal(t, [core.NumKinds]bool{core.KindCovered: true, core.KindLinks: true},
		apptest.Last[picture.Rescope](effects).Hidden)
	late, _ := apptest.Step(other, picture.Rescoped{Rescope: ask, Scene: s.Current.Scene})
	require.Same(t, scene, picture.Of(late).Boxes.Scene, "an answer to another question is dropped")

	next, effects := apptest.Step(s, core.CaptureAsked{}, core.Captured{Task: 5, Turn: apptest.TurnOf(2)})
	require.Same(t, next.Current, apptest.Last[picture.Rescope](effects).Turn, "the choice holds for the next turn")
	require.Same(t, next.Current.Scene, picture.ViewOf(next).Scene)

	s, _ = apptest.Step(s, picture.KindsShown())
	require.Same(t, s.Current.Scene, picture.ViewOf(s).Scene)
	same, _ := apptest.Step(s, picture.KindToggled(-1), picture.KindToggled(core.NumKinds))
	require.Equal(t, picture.Of(s).Boxes, picture.Of(same).Boxes)
	for _, k := range core.Kinds() {
		require.NotEmpty(t, k.String())
	}
}

func TestReadout(t *testing.T) {
	s := apptest.Captured(t)
	s.Current.Image.Pix[s.Current.Image.PixOffset(12, 34)] = 0xab
	first := func(s core.State) string { return app.Status(s).Right[0].Text }
	over, _ := apptest.Step(s, picture.Pointed{Pointer: picture.Pointer{Over: true, X: 12.7, Y: 34.2}})
	require.Equal(t, "x\u2007\u2007\u200712\u2007\u2007y\u2007\u2007\u200734", first(over))
	near, _ := apptest.Step(over, picture.Zoomed(8))
	require.True(t, strings.HasSuffix(first(near), "#ab0000"), first(near))
	left, _ := apptest.Step(near, picture.Pointed{})
	require.Equal(t, app.Status(left).Left, app.Status(near).Left, "the facts of the turn stay where they are")
	require.Equal(t, app.Status(left).Right, app.Status(near).Right[1:])
	blank, _ := apptest.Step(apptest.Working(t), picture.Pointed{Pointer: picture.Pointer{Over: true}})
	require.Empty(t, picture.Readout(blank))
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
		{"with a reason", dump.Document{Truncated: true, Omitted: []dump.Omission{cut(-1, "title cut"),
			cut(3, "beyond 12,000 characters"), cut(4, "beyond 12,000 characters")}},
			"3 elements were cut or left out, most often: beyond 12,000 characters."},
		{"one reason", dump.Document{Omitted: []dump.Omission{cut(3, "its line is beyond the limit"),
			cut(4, "its line is beyond the limit")}},
			"2 elements were cut or left out, each: its line is beyond the limit."},
		{"of one", dump.Document{Omitted: []dump.Omission{cut(3, "its line is beyond the limit")}},
			"1 element was cut or left out: its line is beyond the limit."},
		{"without", dump.Document{Omitted: []dump.Omission{cut(3, "")}}, "1 element was cut or left out by a limit."},
		{"the text as a whole", dump.Document{Truncated: true}, "The text ends at its limit."},
	} {
		require.Equal(t, tt.want, core.CutSentence(&tt.doc), tt.name)
	}
	s, _ := apptest.Step(apptest.Captured(t),
		core.Rendered{Turn: 1, Doc: core.Doc{Format: "dddk", Doc: &dump.Document{}, Cut: "Cut."}})
	require.Equal(t, "Cut.", text.CutView(s).Text)
	s, _ = apptest.Step(s, core.SideChosen(changes.Side))
	require.Equal(t, text.CutVM{}, text.CutView(s), fmt.Sprint(s.Side))
}
