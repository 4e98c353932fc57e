package app

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/export"
	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/gui/parts/partstest"
	"github.com/refscope/refscope/gui/settings"
	"github.com/refscope/refscope/gui/text"
)

// narrowest is how narrow a window gets, in Fyne units: a screen of 1600 px at 200 % has no more.
const narrowest = 800

// TestNarrowWindow: whatever side is in view, and the turns below the picture alone or below all, the window fits 800
// units. What has no room in a row drops down or wraps: the zoom and the filter of the turns stay.
func TestNarrowWindow(t *testing.T) {
	b := reviewing(t, 3, nil)
	content := b.shell.win.Content()
	for _, high := range []float32{500, 1000} {
		for _, side := range b.shell.State().Sides() {
			b.command(side.Command)
			b.settled()
			b.shell.win.Resize(fyne.NewSize(narrowest, high))
			require.Equal(t, high == 500, b.shell.panes.low)
			if w := content.MinSize().Width; w > narrowest {
				t.Errorf("%s, %g high: %.0f units\n%s", side.Title, high, w, widest(content, narrowest/3, ""))
			}
			zoom := inView(b, func(o fyne.CanvasObject) bool {
				d, ok := o.(*parts.DropDown)
				return ok && strings.HasSuffix(d.Title(), "%")
			})
			require.NotNil(t, zoom, "the zoom, at %s", side.Title)
			for _, o := range visibleObjects(content) {
				if e, ok := o.(interface{ SetPlaceHolder(string) }); ok && o.Size().Width > 0 {
					hint := reflect.ValueOf(e).Elem().FieldByName("PlaceHolder").String()
					wide := fyne.MeasureText(hint, fynetheme.TextSize(), fyne.TextStyle{}).Width
					require.LessOrEqual(t, wide, o.Size().Width, "%s: the field %q", side.Title, hint)
				}
			}
		}
	}
}

// widest says which objects have no room in so many units.
func widest(o fyne.CanvasObject, most float32, indent string) string {
	if !o.Visible() || o.MinSize().Width <= most || len(indent) > 60 {
		return ""
	}
	out := fmt.Sprintf("%s%T %.0f\n", indent, o, o.MinSize().Width)
	for _, o := range partstest.Below(o) {
		out += widest(o, most, indent+" ")
	}
	return out
}

// TestLongAddressEndsBeforeTheBadge: in a window of any width no letter of the address lies below the words at the
// field's end.
func TestLongAddressEndsBeforeTheBadge(t *testing.T) {
	b := reviewing(t, 3, nil)
	b.shell.Dispatch(core.TurnChosen{N: 1})
	b.await("the first turn", func(s core.State) bool { return s.Current.N == 1 })
	bar := b.shell.panes.bar
	shown := 0
	for _, wide := range []float32{narrowest, 1000, 1600} {
		b.shell.win.Resize(fyne.NewSize(wide, 700))
		b.settled()
		for _, o := range bar.field.Objects[1:] {
			if o.Visible() {
				shown++
				require.LessOrEqual(t, bar.address.Size().Width-bar.address.free.Size().Width, o.Position().X)
			}
		}
	}
	require.GreaterOrEqual(t, shown, 4)
}

// exporting is a message that has work run, or ends it.
type exporting struct{ on bool }

// Apply implements [core.Msg].
func (m exporting) Apply(s core.State) (core.State, []core.Effect) {
	s.Tasks = nil
	if m.on {
		s.Tasks = []core.Task{{ID: 99, Kind: core.TaskExport, Sentence: "Exporting", Stage: "file 3 of 7"}}
	}
	return s, nil
}

// TestToolsAreAboveThePicture: also where a turn without one was in view before, whose row had one line.
func TestToolsAreAboveThePicture(t *testing.T) {
	b := reviewing(t, 3, nil)
	driver, turn := fyne.CurrentApp().Driver(), b.shell.State().Current
	show := func(t *core.Turn) {
		b.shell.Dispatch(core.Does(func(s core.State) (core.State, []core.Effect) {
			s.Current = t
			return s, nil
		}))
		b.settled()
	}
	without := *turn
	without.Pyramid, without.Image = nil, nil
	for wide := float32(narrowest); wide < 1500; wide += 53 {
		show(&without)
		b.shell.win.Resize(fyne.NewSize(wide, 700))
		show(turn)
		shot := b.shell.panes.picture.Shot()
		top := driver.AbsolutePositionForObject(shot).Y
		for _, o := range visibleObjects(b.shell.panes.picture.Object()) {
			if _, ok := o.(*parts.DropDown); ok {
				require.LessOrEqual(t, driver.AbsolutePositionForObject(o).Y+o.Size().Height, top, "%g wide", wide)
			}
		}
	}
}

// TestRowsThatWrapAreAboveTheirLists: in each room, in a window of any width, also once another turn brings other
// words.
func TestRowsThatWrapAreAboveTheirLists(t *testing.T) {
	b := reviewing(t, 3, nil)
	driver, box := fyne.CurrentApp().Driver(), b.shell.panes.sides.box
	for _, side := range b.shell.State().Sides() {
		b.command(side.Command)
		for wide := float32(narrowest); wide < 1500; wide += 97 {
			b.shell.win.Resize(fyne.NewSize(wide, 700))
			for n := 1; n <= 2; n++ {
				b.shell.Dispatch(core.TurnChosen{N: n})
				b.settled()
				var rows, lists []fyne.CanvasObject
				for _, o := range visibleObjects(box) {
					switch o.(type) {
					case *parts.Chip, *parts.DropDown:
						rows = append(rows, o)
					case *parts.List, *text.View:
						lists = append(lists, o)
					}
				}
				for _, o := range rows {
					at, size := driver.AbsolutePositionForObject(o), o.Size()
					for _, l := range lists {
						to, other := driver.AbsolutePositionForObject(l), l.Size()
						require.False(t, at.X+0.5 < to.X+other.Width && to.X+0.5 < at.X+size.Width &&
							at.Y+0.5 < to.Y+other.Height && to.Y+0.5 < at.Y+size.Height,
							"%s, %g wide, turn %d: %s at %v over %T at %v", side.Title, wide, n, label(o), at, l, to)
					}
				}
			}
		}
	}
}

// TestToolsDoNotOverlap: over the picture no button lies on another, in a window of any width, with work that runs and
// without; the picture keeps its height when work begins.
func TestToolsDoNotOverlap(t *testing.T) {
	b := reviewing(t, 3, nil)
	pane := b.shell.panes.picture.Object()
	driver := fyne.CurrentApp().Driver()
	for wide := float32(narrowest); wide < 1500; wide += 23 {
		b.shell.win.Resize(fyne.NewSize(wide, 700))
		var high [2]float32
		for i, on := range []bool{false, true} {
			b.shell.Dispatch(exporting{on})
			b.await("work or none", func(s core.State) bool { return len(s.Tasks) > 0 == on })
			high[i] = b.shell.panes.picture.Shot().Size().Height
			var all []fyne.CanvasObject
			for _, o := range visibleObjects(pane) {
				switch o.(type) {
				case *parts.Chip, *parts.DropDown, *parts.BusyBar:
					all = append(all, o)
				}
			}
			require.Greater(t, len(all), 8)
			for k, o := range all {
				at, size := driver.AbsolutePositionForObject(o), o.Size()
				for _, p := range all[:k] {
					to, other := driver.AbsolutePositionForObject(p), p.Size()
					require.False(t, at.X+0.5 < to.X+other.Width && to.X+0.5 < at.X+size.Width &&
						at.Y+0.5 < to.Y+other.Height && to.Y+0.5 < at.Y+size.Height,
						"%g wide, work %v: %T at %v over %T at %v", wide, on, o, at, p, to)
				}
			}
		}
		require.Equal(t, high[0], high[1], "%g wide", wide)
	}
}

// TestDialogsFollowTheWindow: a dialog that is open while the window gets another size has then the size and the place
// that it would have been opened with. The list of keys is one that takes all the room there is.
func TestDialogsFollowTheWindow(t *testing.T) {
	b := reviewing(t, 3, nil)
	for _, command := range []string{core.CmdHelp, core.CmdExport, core.CmdSessions, settings.CmdSettings} {
		at := func(size fyne.Size, open bool) (fyne.Position, fyne.Size) {
			b.shell.win.Resize(size)
			if open {
				b.command(command)
				b.settled()
			}
			return b.shell.dialog.box.Position(), b.shell.dialog.box.Size()
		}
		large, small := fyne.NewSize(1400, 900), fyne.NewSize(narrowest, 500)
		wantAt, want := at(large, true)
		at(small, false)
		nowAt, now := at(large, false)
		require.Equal(t, want, now, command)
		require.Equal(t, wantAt, nowAt, command)
		b.shell.escape()
		b.settled()
	}
}

// TestHelpIsReadByKeyboard: in a window that is too low and too narrow for the list of keys its button to close is in
// view, no line is cut, and the arrow keys and End go through all of it.
func TestHelpIsReadByKeyboard(t *testing.T) {
	b := reviewing(t, 3, nil)
	b.shell.win.Resize(fyne.NewSize(narrowest, 500))
	b.command(core.CmdHelp)
	b.settled()
	driver, canvas := fyne.CurrentApp().Driver(), b.shell.win.Canvas()
	button := canvas.Focused().(fyne.CanvasObject)
	inView := func(o fyne.CanvasObject) bool {
		at, end := driver.AbsolutePositionForObject(o), driver.AbsolutePositionForObject(o).Add(o.Size())
		return at.X >= 0 && at.Y >= 0 && end.X <= canvas.Size().Width && end.Y <= canvas.Size().Height
	}
	require.True(t, inView(button))
	seen := map[string]bool{}
	look := func() {
		for _, o := range visibleObjects(canvas.Overlays().Top()) {
			if l, ok := o.(*widget.Label); ok {
				seen[l.Text] = seen[l.Text] || inView(l)
			}
		}
	}
	for look(); slices.Contains(slices.Collect(maps.Values(seen)), false); look() {
		before := driver.AbsolutePositionForObject(visibleLabel(canvas, "Quit"))
		canvas.Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
		require.Less(t, driver.AbsolutePositionForObject(visibleLabel(canvas, "Quit")).Y, before.Y, seen)
	}
	require.Greater(t, len(seen), 80)
	end := driver.AbsolutePositionForObject(visibleLabel(canvas, "Quit"))
	canvas.Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyHome})
	require.True(t, inView(visibleLabel(canvas, "Quit")))
	canvas.Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyEnd})
	require.LessOrEqual(t, driver.AbsolutePositionForObject(visibleLabel(canvas, "Quit")).Y, end.Y)
	canvas.Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	b.settled()
	require.Empty(t, b.shell.State().Dialog)
}

// visibleLabel is the label with that text in what lies over the window.
func visibleLabel(c fyne.Canvas, text string) fyne.CanvasObject {
	for _, o := range visibleObjects(c.Overlays().Top()) {
		if l, ok := o.(*widget.Label); ok && l.Text == text {
			return l
		}
	}
	return nil
}

// TestDialogsFitALowWindow: each dialog stays in the window, and all in it has the room that it needs, where it is to
// be scrolled too; the buttons of the export are in view.
func TestDialogsFitALowWindow(t *testing.T) {
	b := reviewing(t, 3, nil)
	for of, make := range dialogTable() {
		for _, size := range []fyne.Size{{Width: 1400, Height: 900}, {Width: narrowest, Height: 500},
			{Width: 500, Height: 300}} {
			b.shell.win.Resize(size)
			size = b.shell.win.Canvas().Size()
			v := make(b.shell.host)
			d := &dialog{view: v, of: of, box: openOver(v.Object(), b.shell.win.Canvas())}
			v.Show(b.shell.State())
			d.fit()
			d.box.Show()
			at := d.box.Content.Size()
			require.LessOrEqual(t, at.Width, size.Width, of)
			require.LessOrEqual(t, at.Height, size.Height, of)
			require.GreaterOrEqual(t, v.Object().Size().Height, v.Object().MinSize().Height, "%s in %v", of, size)
			require.GreaterOrEqual(t, v.Object().Size().Width, v.Object().MinSize().Width, "%s in %v", of, size)
			if button, ok := v.Focus().(fyne.CanvasObject); ok && of == export.DialogExport {
				foot := fyne.CurrentApp().Driver().AbsolutePositionForObject(button).Y + button.Size().Height
				require.LessOrEqual(t, foot, size.Height, "its button, in %v", size)
			}
			d.box.Hide()
		}
	}
}
