package app

import (
	"bytes"
	"fmt"
	"image"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/export"
	"github.com/refscope/refscope/gui/findings"
	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/gui/parts/partstest"
	"github.com/refscope/refscope/gui/settings"
)

// TestKeyboardAlone: in each room F6 brings the keyboard in, Tab gets to everything that can be clicked and shows where
// it is, F6 brings it out again and Shift+F6 back.
func TestKeyboardAlone(t *testing.T) {
	b := reviewing(t, 3, nil)
	c := b.shell.win.Canvas()
	box := b.shell.panes.sides.box
	to := func(command string, wanted bool) bool {
		for range 8 { // more than there are panes
			b.command(command)
			b.settled()
			if parts.Holds(box, c.Focused()) == wanted {
				return true
			}
		}
		return false
	}
	looked := map[string]bool{} // kinds of controls
	for _, side := range b.shell.State().Sides() {
		t.Run(side.Title, func(t *testing.T) {
			b.command(side.Command)
			b.settled()
			c.Unfocus()
			require.True(t, to("pane.next", true), "F6 gets in")
			reached := tabs(c)
			require.Empty(t, unreached(box, reached))
			for _, f := range reached {
				if kind := reflectName(f); parts.Holds(box, f) && !looked[kind] {
					looked[kind] = true
					require.True(t, seen(b, c, f), "where the keyboard is can be seen: %T %s", f, label(f))
				}
			}
			require.True(t, to("pane.next", false), "F6 gets out")
			require.True(t, to("pane.previous", true), "Shift+F6 gets back")
		})
	}
}

// TestPanesShowTheKeyboard: wherever F6 brings the keyboard, it can be seen that it is there.
func TestPanesShowTheKeyboard(t *testing.T) {
	b := reviewing(t, 3, nil)
	c := b.shell.win.Canvas()
	for _, where := range []string{"below", "at the side"} {
		first := fyne.Focusable(nil)
		for c.Unfocus(); ; {
			b.command("pane.next")
			b.settled()
			f := c.Focused()
			if f == first {
				break
			}
			if first == nil {
				first = f
			}
			require.True(t, seen(b, c, f), "turns %s: %T %s", where, f, label(f))
			c.Focus(f)
		}
		b.command("view.turnsside")
		b.settled()
	}
}

// TestNextPaneIsOfWhereTheKeyboardIs: F6 goes on from the pane that has the keyboard, wherever in it Tab brought that,
// and Shift+F6 back: the next pane is the same for each of its controls, and the keyboard is never in the same pane.
func TestNextPaneIsOfWhereTheKeyboardIs(t *testing.T) {
	b := reviewing(t, 3, nil)
	c, p := b.shell.win.Canvas(), b.shell.panes
	panes := map[string]fyne.CanvasObject{"address": p.bar.box, "turns": p.turns.Object(),
		"picture": p.picture.Object(), "details": p.details.Object(), "side": p.sides.box}
	of := func(f fyne.Focusable) string {
		for _, name := range []string{"address", "turns", "picture", "details", "side"} {
			if f != nil && parts.Holds(panes[name], f) {
				return name
			}
		}
		return ""
	}
	// It has details then.
	b.shell.Dispatch(core.Picked{Ref: refOf(t, b.shell.State(), "Full name"), Source: core.PanePicture})
	b.settled()
	c.Unfocus()
	next := map[string]string{"address": "turns", "turns": "picture", "picture": "side", "side": "details",
		"details": "address"}
	back := map[string]string{}
	for from, to := range next {
		back[to] = from
	}
	for name := range next {
		for _, way := range []struct{ command, wanted string }{{"pane.next", next[name]},
			{"pane.previous", back[name]}} {
			for at := range 6 { // controls of it
				c.Unfocus()
				for of(c.Focused()) != name {
					b.command("pane.next")
					b.settled()
				}
				for range at {
					c.FocusNext()
				}
				f := c.Focused()
				if of(f) != name {
					require.Positive(t, at)
					break
				}
				b.command(way.command)
				b.settled()
				require.Equal(t, way.wanted, of(c.Focused()), "%s from %T %s of %s", way.command, f, label(f), name)
			}
		}
	}
}

// TestEnabledCommandsDoSomething: what can be chosen in a menu changes what is in view or begins something, except a
// choice that holds already and is ticked.
func TestEnabledCommandsDoSomething(t *testing.T) {
	b := reviewing(t, 3, nil)
	look := func(where string) {
		b.settled()
		s := b.shell.State()
		for _, c := range b.shell.commands {
			if !c.Enabled(s) || c.Checked != nil && c.Checked(s) {
				continue
			}
			now, effects := core.Update(s, c.Msg(s))
			require.True(t, len(effects) > 0 || !reflect.DeepEqual(now, s), "%s does nothing at %s", c.ID, where)
		}
	}
	look("the newest turn")
	b.shell.Dispatch(core.Picked{Ref: refOf(t, b.shell.State(), "Full name"), Source: core.PanePicture})
	for _, side := range b.shell.State().Sides() {
		b.command(side.Command)
		look(side.Title)
	}
	b.shell.Dispatch(core.TurnChosen{N: 1})
	b.await("the first turn", func(s core.State) bool { return s.Current.N == 1 })
	look("the first turn")
}

// TestKeyboardInDialogs: Tab gets to everything that can be clicked in a dialog, and nowhere else.
func TestKeyboardInDialogs(t *testing.T) {
	b := reviewing(t, 3, nil)
	c := b.shell.win.Canvas()
	for _, id := range []string{core.CmdPalette, core.CmdExport, core.CmdSessions, core.CmdHelp, settings.CmdSettings,
		export.CmdMarked} {
		t.Run(id, func(t *testing.T) {
			b.command(id)
			b.await("the dialog", func(s core.State) bool { return s.Dialog != core.DialogNone })
			b.settled()
			top := c.Overlays().Top()
			f := c.Focused()
			require.True(t, seen(b, c, f), "where the keyboard is can be seen: %T %s", f, label(f))
			require.Empty(t, unreached(b.shell.dialog.Object(), tabs(c)))
			for _, f := range tabs(c) {
				require.True(t, parts.Holds(top, f), "%T %s", f, label(f))
			}
			b.shell.Dispatch(core.Escaped{})
			b.await("no dialog", func(s core.State) bool { return s.Dialog == core.DialogNone })
		})
	}
}

// TestTabFollowsTheEye: Tab goes through each room and each dialog from top to bottom, and back up only to a column
// further right, as one reads.
func TestTabFollowsTheEye(t *testing.T) {
	b := reviewing(t, 3, nil)
	c, driver := b.shell.win.Canvas(), fyne.CurrentApp().Driver()
	look := func(t *testing.T) {
		b.settled()
		c.Unfocus()
		stops := tabs(c)
		for i := 1; i < len(stops); i++ {
			before, o := stops[i-1].(fyne.CanvasObject), stops[i].(fyne.CanvasObject)
			from, at := driver.AbsolutePositionForObject(before), driver.AbsolutePositionForObject(o)
			up := at.Y+o.Size().Height <= from.Y && at.X < from.X+before.Size().Width
			back := at.X+o.Size().Width <= from.X && at.Y < from.Y+before.Size().Height
			assert.False(t, up || back, "%T %s at %v, after %T %s at %v", o, label(o), at, before, label(before), from)
		}
	}
	for _, side := range b.shell.State().Sides() {
		t.Run(side.Title, func(t *testing.T) {
			b.command(side.Command)
			look(t)
		})
	}
	for id := range dialogTable() {
		t.Run(string(id), func(t *testing.T) {
			b.shell.Dispatch(core.Does(func(s core.State) (core.State, []core.Effect) {
				s.Dialog = id
				return s, nil
			}))
			look(t)
			b.shell.Dispatch(core.Escaped{})
		})
	}
}

// TestEnterDoesWhatTheHintSays: where a dialog says what Enter does, it does so from every box to tick and every list.
func TestEnterDoesWhatTheHintSays(t *testing.T) {
	b := reviewing(t, 3, nil)
	said := regexp.MustCompile(`Enter (exports|asks|fills|selects)`)
	hints := 0
	for id := range dialogTable() {
		b.shell.Dispatch(core.Does(func(s core.State) (core.State, []core.Effect) {
			s.Dialog = id
			return s, nil
		}))
		b.settled()
		says := func(o fyne.CanvasObject) bool {
			hint, ok := o.(*widget.Label)
			return ok && said.MatchString(hint.Text)
		}
		if s := b.shell; s.dialog != nil && slices.ContainsFunc(visibleObjects(s.dialog.Object()), says) {
			hints++
			for _, f := range tabs(s.win.Canvas()) {
				switch f := f.(type) {
				case *parts.Check:
					assert.NotNil(t, f.Enter, "%s: %s", id, f.Text)
				case *parts.Select:
					assert.NotNil(t, f.Enter, "%s: %s", id, f.AccessibilityLabel())
				}
			}
		}
		b.shell.Dispatch(core.Escaped{})
	}
	require.GreaterOrEqual(t, hints, 4)
}

// TestEscapeLeavesEveryDialog: also from whatever Tab gets to in it, and what had the keyboard has it again afterwards.
func TestEscapeLeavesEveryDialog(t *testing.T) {
	b := reviewing(t, 3, nil)
	c := b.shell.win.Canvas()
	for id := range dialogTable() {
		t.Run(string(id), func(t *testing.T) {
			open := func() {
				b.shell.Dispatch(core.Does(func(s core.State) (core.State, []core.Effect) {
					s.Dialog = id
					return s, nil
				}))
				b.await("the dialog", func(s core.State) bool { return s.Dialog == id })
				b.settled()
			}
			shot := b.shell.panes.picture.Shot()
			c.Focus(shot)
			open()
			for _, f := range append(tabs(c), nil) {
				c.Unfocus()
				if f != nil {
					c.Focus(f)
				}
				if f == nil {
					c.OnTypedKey()(&fyne.KeyEvent{Name: fyne.KeyEscape})
				} else {
					f.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
				}
				b.settled()
				require.Equal(t, core.DialogNone, b.shell.State().Dialog, "%T %s", f, label(f))
				require.Equal(t, fyne.Focusable(shot), c.Focused(), "the keyboard is where it was: %T %s", f, label(f))
				open()
			}
			b.shell.Dispatch(core.Escaped{})
			b.settled()
		})
	}
}

// TestChipsByKey: Enter and Space press a chip as a click does; a letter is a command from there too.
func TestChipsByKey(t *testing.T) {
	b := reviewing(t, 3, nil)
	c := b.shell.win.Canvas()
	chip := b.shell.panes.sides.tabs[findings.Side]
	c.Focus(chip)
	chip.TypedKey(&fyne.KeyEvent{Name: fyne.KeySpace})
	b.await("the side", func(s core.State) bool { return s.Side == findings.Side })
	c.Focus(chip)
	chip.TypedRune('t')
	b.await("the command of the letter", func(s core.State) bool { return s.Side == core.SideText })
	chip.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	b.await("the side again", func(s core.State) bool { return s.Side == findings.Side })
}

// TestLettersAreCommandsEverywhere: wherever Tab leads in the window, a key that the list of commands names does what
// it says there, but in the fields of a form.
func TestLettersAreCommandsEverywhere(t *testing.T) {
	b := reviewing(t, 3, nil)
	b.shell.Dispatch(core.Does(func(s core.State) (core.State, []core.Effect) {
		s.Complain(core.TaskNavigate, &core.Problem{Sentence: "It failed."}) // a note with its buttons
		return s, nil
	}))
	b.settled()
	c := b.shell.win.Canvas()
	pressed := map[string]bool{}
	for _, side := range b.shell.State().Sides() {
		b.command(side.Command)
		b.settled()
		for _, f := range tabs(c) {
			if ofForm(f) {
				continue
			}
			c.Focus(f)
			f.TypedRune('?')
			b.settled()
			require.Equal(t, core.DialogHelp, b.shell.State().Dialog, "%s: %T %s", side.Title, f, label(f))
			b.shell.escape()
			b.settled()
			pressed[fmt.Sprintf("%T %s", f, label(f))] = true
		}
	}
	require.Greater(t, len(pressed), 40)
}

// ofForm reports whether keys are what is typed or set there.
func ofForm(f fyne.Focusable) bool {
	switch f.(type) {
	case *parts.Editor, *parts.Check, *parts.Select, interface{ SelectedText() string }, interface{ SetValue(float64) }:
		return true
	}
	return false
}

// tabs are what Tab goes through from what has the keyboard until it comes round.
func tabs(c fyne.Canvas) []fyne.Focusable {
	var reached []fyne.Focusable
	for range 400 {
		f := c.Focused()
		if f != nil && slices.Contains(reached, f) {
			break
		}
		if f != nil {
			reached = append(reached, f)
		}
		c.FocusNext()
	}
	return reached
}

// unreached names what can be clicked below root and is not reached. Fyne's own parts of a widget belong to it, and
// the rows of a list to the list.
func unreached(root fyne.CanvasObject, reached []fyne.Focusable) (out []string) {
	for _, o := range visibleObjects(root) {
		if _, ok := o.(fyne.Tappable); !ok {
			continue
		}
		if d, ok := o.(fyne.Disableable); ok && d.Disabled() {
			continue
		}
		name := reflectName(o)
		if f, ok := o.(fyne.Focusable); ok && slices.Contains(reached, f) || strings.HasPrefix(name, "*widget.") ||
			slices.Contains([]string{"*parts.face", "*parts.sheet"}, name) {
			continue
		}
		out = append(out, name+" "+label(o))
	}
	return out
}

func reflectName(o any) string { return reflect.TypeOf(o).String() }

func label(o any) string {
	if a, ok := o.(fyne.Accessible); ok {
		return a.AccessibilityLabel()
	}
	return ""
}

// drawn is the window as it looks. Fyne throws away how a widget is drawn that nothing has asked for in a minute, which
// passes under the race detector, and the test driver does not lay it out anew when it is asked for again.
func drawn(c fyne.Canvas) *image.NRGBA {
	var ask func(o fyne.CanvasObject)
	ask = func(o fyne.CanvasObject) {
		for _, part := range partstest.Below(o) {
			ask(part)
		}
	}
	ask(c.Content())
	return c.Capture().(*image.NRGBA)
}

// seen reports whether the window looks different with the keyboard at f. Work that ends meanwhile may take the
// keyboard away, so it is looked at again where nothing is seen.
func seen(b *bench, c fyne.Canvas, f fyne.Focusable) bool {
	for range 5 {
		c.Unfocus()
		b.settled()
		before := drawn(c)
		c.Focus(f)
		after := drawn(c)
		if c.Focused() == f && !bytes.Equal(before.Pix, after.Pix) {
			return true
		}
		size := c.Size() // what was not in view when it was thrown away is laid out anew
		b.shell.win.Resize(size.AddWidthHeight(1, 1))
		b.shell.win.Resize(size)
	}
	return false
}

// TestKeysStayInTheDialog: where a click beside the fields of a dialog took the keyboard, what is typed is for the
// first of them; nothing of the window below is run.
func TestKeysStayInTheDialog(t *testing.T) {
	b := open(t, newFake(), func(o *Options) { o.Ask, o.Prefs.Folder = nil, t.TempDir() })
	b.await("a turn", func(s core.State) bool { return s.Current != nil })
	b.settled()
	c := b.shell.win.Canvas()
	for id := range dialogTable() {
		t.Run(string(id), func(t *testing.T) {
			b.shell.Dispatch(core.Does(func(s core.State) (core.State, []core.Effect) {
				s.Dialog = id
				return s, nil
			}))
			b.await("the dialog", func(s core.State) bool { return s.Dialog == id })
			b.settled()
			for _, r := range "m?/" { // each opens or goes to something else
				c.Unfocus()
				c.OnTypedRune()(r)
				b.settled()
				require.Equal(t, id, b.shell.State().Dialog, "%c", r)
				require.True(t, c.Focused() == nil || parts.Holds(c.Overlays().Top(), c.Focused()), "%c", r)
			}
			for _, key := range []fyne.KeyName{fyne.KeyF1, fyne.KeyF5, fyne.KeyF6, fyne.KeyDown} {
				c.Unfocus()
				c.OnTypedKey()(&fyne.KeyEvent{Name: key})
				b.settled()
				require.Equal(t, id, b.shell.State().Dialog, key)
				require.Empty(t, b.shell.State().Tasks, key)
				require.True(t, c.Focused() == nil || parts.Holds(c.Overlays().Top(), c.Focused()), key)
			}
			b.shell.escape()
			b.settled()
		})
	}
	b.shell.dialogs.Existing("Upload a file", "Upload", func(string) {})
	entry := b.shell.dialogs.pick.Entry
	before := entry.Text
	c.Unfocus()
	c.OnTypedRune()('m')
	b.settled()
	require.Equal(t, core.DialogNone, b.shell.State().Dialog)
	require.Equal(t, before+"m", entry.Text)
	require.Equal(t, fyne.Focusable(entry), c.Focused())

	c.Unfocus()
	c.OnTypedKey()(&fyne.KeyEvent{Name: fyne.KeyBackspace})
	require.Equal(t, before, entry.Text, "Backspace")
	require.Equal(t, fyne.Focusable(entry), c.Focused())
	c.Unfocus()
	b.shell.opt.App.Clipboard().SetContent("pasted")
	b.shell.typedShortcut(&fyne.ShortcutPaste{Clipboard: b.shell.opt.App.Clipboard()})
	require.Equal(t, before+"pasted", entry.Text, "Ctrl+V")
	entry.SetText(filepath.Dir(before) + string(filepath.Separator))
	c.Unfocus()
	c.OnTypedKey()(&fyne.KeyEvent{Name: fyne.KeyDown})
	require.Equal(t, 1, b.shell.dialogs.pick.Cursor(), "an arrow goes through the list")
	c.Unfocus()
	c.OnTypedKey()(&fyne.KeyEvent{Name: fyne.KeyEscape})
	require.Nil(t, b.shell.dialogs.open, "Esc leaves it")
}
