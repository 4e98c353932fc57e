package app

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/details"
	"github.com/refscope/refscope/gui/find"
	"github.com/refscope/refscope/gui/picture"
	"github.com/refscope/refscope/gui/text"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/format"
)

// first is a window with a first turn, nothing under way.
func first(t *testing.T) (*bench, core.State) {
	b := open(t, newFake(), nil)
	b.await("a first turn", func(s core.State) bool { return s.Current != nil })
	return b, b.settled()
}

// answered waits for why the selected element is there.
func (b *bench) answered() core.State {
	b.t.Helper()
	return b.await("the why", func(s core.State) bool { return details.Of(s).Answer != nil })
}

// at is a point on the canvas over a place of the page in CSS px.
func (b *bench) at(x, y float64) fyne.Position {
	cam := b.shell.panes.picture.Shot().Camera()
	sx, sy := b.shell.State().Current.Scale()
	scale := float64(b.shell.win.Canvas().Scale())
	pane := fyne.CurrentApp().Driver().AbsolutePositionForObject(b.shell.panes.picture.Shot())
	inset, _ := b.shell.win.Canvas().InteractiveArea() // which the test driver's answer leaves out
	return pane.Add(inset).AddXY(float32((x*sx-cam.X)*cam.Scale/scale), float32((y*sy-cam.Y)*cam.Scale/scale))
}

func detail(s core.State, label string) details.Row {
	for _, r := range details.ViewOf(s).Rows {
		if r.Label == label {
			return r
		}
	}
	return details.Row{}
}

func TestWhyOfANumberedElement(t *testing.T) {
	b, s := first(t)
	button := refOf(t, s, "Place order")
	test.TapCanvas(b.shell.win.Canvas(), b.markAt(button))
	s = b.answered()
	require.Equal(t, button, s.Selected.Ref)
	require.Contains(t, detail(s, "dddk").Value, "Place order")
	require.Contains(t, detail(s, "full").Value, "<button")
	require.NotEmpty(t, detail(s, "UID").Value)
	require.Equal(t, "First seen in turn 1 as button \"Place order\".", detail(s, "turn 1").Value)
	b.shoot("why-1-numbered-dark")

	// The coverer is a click away.
	row := detail(s, "covered by")
	require.True(t, row.Go.Some)
	b.shell.Dispatch(row.Go.Msg())
	s = b.answered()
	require.Equal(t, refOf(t, s, "We use cookies"), s.Selected.Ref)
	require.Equal(t, core.PaneDetails, s.Selected.Source)
	b.command(core.CmdTheme)
	b.settled()
	b.shoot("why-2-coverer-light")
}

func TestWhyOfAnElementThatIsNotKept(t *testing.T) {
	b, s := first(t)
	at := b.at(1200, 300)
	test.TapCanvas(b.shell.win.Canvas(), at) // the page's own ground
	s = b.answered()
	require.Equal(t, 0, s.Selected.Node)
	require.Zero(t, s.Selected.Ref)
	require.Contains(t, detail(s, "left out").Value, "It is not kept")
	require.Equal(t, "<html>", picture.ViewOf(s).Chosen.Label)
	b.shoot("why-3-not-kept-dark")

	// A second click on the same spot has nothing below to go to; Esc leaves.
	test.TapCanvas(b.shell.win.Canvas(), at)
	require.Zero(t, b.settled().Selected.Node)
	b.shell.panes.picture.Shot().TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	require.False(t, b.settled().Selected.Some())
}

func TestPickerListsWhatLiesUnderThePointer(t *testing.T) {
	b, s := first(t)
	cookies, button := refOf(t, s, "We use cookies"), refOf(t, s, "Place order")
	place := b.at(740, 650) // the button's lower edge, under the banner
	test.MoveMouse(b.shell.win.Canvas(), place)
	b.command(picture.CmdUnder)
	s = b.settled()
	v := picture.PickerView(s)
	require.True(t, v.Open)
	require.Equal(t, cookies, v.Rows[0].Ref)
	require.Equal(t, button, v.Rows[1].Ref)
	require.Equal(t, "partly covered", v.Rows[1].Fate)
	require.Equal(t, "html", s.Current.Capture.Node(picture.Of(s).Picker.Nodes[len(v.Rows)-1]).Tag)
	require.True(t, the[*picture.PickerList](b).Visible())
	require.Equal(t, fyne.Focusable(the[*picture.PickerList](b)), b.shell.win.Canvas().Focused())
	b.shoot("why-4-picker-dark")

	press := func(k fyne.KeyName) core.State {
		the[*picture.PickerList](b).TypedKey(&fyne.KeyEvent{Name: k})
		return b.settled()
	}
	s = press(fyne.KeyDown)
	require.Equal(t, button, s.Hover.Ref, "the arrow previews")
	require.False(t, s.Selected.Some())
	s = press(fyne.KeyReturn)
	require.Equal(t, button, s.Selected.Ref)
	require.Nil(t, inView(b, func(o fyne.CanvasObject) bool { _, ok := o.(*picture.PickerList); return ok }))
	require.True(t, b.shell.panes.picture.Shot().Focused(), "the keyboard goes back to the picture")

	b.command(picture.CmdUnder)
	b.settled()
	press(fyne.KeyEnd)
	s = press(fyne.KeyEscape)
	require.False(t, picture.Of(s).Picker.Open)
	require.Equal(t, button, s.Selected.Ref, "Esc leaves the selection")
	require.False(t, s.Hover.Some())
}

func TestFindLightsLinesAndBoxes(t *testing.T) {
	b, _ := first(t)
	b.command("mark.goto")
	b.settled()
	require.True(t, b.shell.panes.picture.Shot().Focused())
	b.command(find.CmdFind)
	b.settled()
	require.Equal(t, b.shell.panes.sides.find.Entry(), b.shell.win.Canvas().Focused())
	test.Type(b.shell.panes.sides.find.Entry(), "r")
	test.Type(b.shell.panes.sides.find.Entry(), "e")
	s := b.await("the matches", func(s core.State) bool {
		return find.Of(s).Found != nil &&
			find.Of(s).Asked.Text == "re"
	})
	require.Greater(t, len(find.Of(s).Found.Matches), 1)
	require.NotEmpty(t, picture.ViewOf(s).Found.Boxes)
	require.Same(t, find.Of(s).Found.Text, text.ViewOf(s).Find)
	b.shoot("find-1-dark")
	was := find.Of(s).At
	b.command("find.next")
	s = b.settled()
	require.Equal(t, was+1, find.Of(s).At)

	b.shell.Dispatch(find.Typed{Query: find.Query{Text: "role=link"}})
	b.await("the links", func(s core.State) bool {
		return find.Of(s).Found != nil &&
			len(find.Of(s).Found.Matches) == 2
	})
	b.command(find.CmdFilter)
	b.command(core.CmdTheme)
	s = b.settled()
	require.Less(t, len(text.ViewOf(s).Doc.Lines), len(s.Doc(format.DDDK).Doc.Lines))
	b.shoot("find-2-filter-light")

	b.shell.Dispatch(find.Typed{Query: find.Query{Text: "(", Regexp: true}})
	s = b.await("the complaint", func(s core.State) bool { return find.Of(s).Problem != nil })
	require.Equal(t, "This is not a regular expression: missing closing ) in “(”.", find.ViewOf(s).Count)
	b.shoot("find-3-problem-light")

	b.shell.panes.sides.find.Entry().TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	s = b.settled()
	require.False(t, find.Of(s).Open)
	require.Nil(t, text.ViewOf(s).Find)
	require.Equal(t, fyne.Focusable(b.shell.panes.sides.text().Text()), b.shell.win.Canvas().Focused())
}

func TestKindsOfBoxes(t *testing.T) {
	b, _ := first(t)
	b.shell.Dispatch(picture.KindToggled(core.KindLinks))
	b.shell.Dispatch(picture.KindToggled(core.KindFields))
	s := b.await("the marks that remain", func(s core.State) bool {
		return picture.Of(s).Boxes.Scene != nil && picture.Of(s).Boxes.For.Hidden == picture.Of(s).Boxes.Hidden
	})
	require.Equal(t, "5 of 9 boxes shown · without links, fields", picture.Tools(s).Hint)
	require.NotSame(t, s.Current.Scene, picture.ViewOf(s).Scene)
	b.shoot("kinds-dark")
	b.shell.Dispatch(picture.KindsShown())
	s = b.settled()
	require.Same(t, s.Current.Scene, picture.ViewOf(s).Scene)
}

func TestReadoutAndGrid(t *testing.T) {
	b, _ := first(t)
	test.MoveMouse(b.shell.win.Canvas(), b.at(200.5, 30.5))
	s := b.settled()
	require.Equal(t, "x\u2007\u2007200\u2007\u2007y\u2007\u2007\u200730", Status(s).Right[0].Text)
	pane := b.shell.panes.picture.Shot()
	for s.Zoom < 8 {
		pane.ZoomIn()
		s = b.settled()
	}
	pane.LookAt(snapshot.Box{200, 30, 1, 1})
	test.MoveMouse(b.shell.win.Canvas(), b.at(200.5, 30.5))
	s = b.settled()
	require.Equal(t, "x\u2007\u2007200\u2007\u2007y\u2007\u2007\u200730\u2007 #1f3350", Status(s).Right[0].Text)
	b.shoot("grid-dark")
	test.MoveMouse(b.shell.win.Canvas(), fyne.NewPos(3, 3))
	require.NotContains(t, Status(b.settled()).Right[0].Text, "x\u2007")
}

func TestKeyboardWalksEveryPane(t *testing.T) {
	b, s := first(t)
	b.shell.Dispatch(core.Picked{Ref: refOf(t, s, "Place order"), Source: core.PaneDump})
	b.answered()
	b.shell.win.Canvas().Unfocus()
	p := b.shell.panes
	focused := func() fyne.Focusable { return b.shell.win.Canvas().Focused() }
	stops := []func() bool{
		func() bool { return focused() == fyne.Focusable(p.bar.address) },
		func() bool { return focused() == fyne.Focusable(p.turns.Focus()) },
		func() bool { return p.picture.Shot().Focused() },
		func() bool { return focused() == fyne.Focusable(p.sides.text().Text()) },
		func() bool { return p.details.Focused() },
		func() bool { return focused() == fyne.Focusable(p.bar.address) },
	}
	for i, here := range stops {
		b.command("pane.next")
		b.settled()
		require.True(t, here(), "stop %d", i)
	}
	b.command("pane.previous")
	b.settled()
	require.True(t, p.details.Focused())
	b.shoot("focus-details-dark")

	// A digit begins a number wherever the keyboard is.
	b.shell.keys.typedRune('7')
	require.True(t, p.picture.Shot().Focused())
	p.picture.Shot().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	s = b.settled()
	require.Equal(t, 7, s.Selected.Ref)
	line := s.Doc(format.DDDK).Doc.Lines[p.sides.text().Text().Line()]
	require.Equal(t, 7, line.Ref, "its line is the chosen one")
}

// TestSelectionWithoutANumberSurvives: an element is known again by its identity.
func TestSelectionWithoutANumberSurvives(t *testing.T) {
	b, _ := first(t)
	b.shell.Dispatch(core.NodePicked{Node: 0, Source: core.PanePicture})
	b.command("format.semantic")
	s := b.await("the other text", func(s core.State) bool { return s.Doc(format.Semantic) != nil })
	require.Equal(t, core.Selection{Node: 0, Source: core.PanePicture}, s.Selected)
	b.command(core.CmdCapture)
	s = b.await("a second turn", func(s core.State) bool { return s.Current.N == 2 && len(s.Tasks) == 0 })
	require.Equal(t, core.Selection{Node: 0, Source: core.PaneTurn}, s.Selected)
	require.Equal(t, snapshot.VerdictWrapper, s.Current.Capture.Node(0).Verdict)
}
