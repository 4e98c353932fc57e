package app

import (
	"fmt"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/connect"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/gui/parts/partstest"
	"github.com/refscope/refscope/gui/settings"
)

// TestControlsHaveNames: whatever can be clicked has a name for a screen reader, in the window
// and in its dialogs. Fyne reads the names in builds with -tags accessibility.
func TestControlsHaveNames(t *testing.T) {
	b := reviewing(t, 3, nil)
	check := func(where string, o fyne.CanvasObject) {
		named, lacking := 0, map[string]bool{}
		for _, o := range visibleObjects(o) {
			if _, ok := o.(fyne.Tappable); !ok {
				continue
			}
			if a, ok := o.(fyne.Accessible); ok && a.AccessibilityLabel() != "" && a.AccessibilityRole() != "" {
				named++
				continue
			}
			if name := fmt.Sprintf("%T", o); !strings.HasPrefix(name, "*widget.") { // those are Fyne's
				lacking[name] = true
			}
		}
		require.Empty(t, lacking, "%s: %d others have names", where, named)
		require.NotZero(t, named, where)
	}
	for _, side := range b.shell.State().Sides() {
		b.command(side.Command)
		b.settled()
		check(side.Title, b.shell.win.Content())
	}
	for _, dialog := range []string{core.CmdExport, core.CmdPalette, core.CmdHelp} {
		b.command(dialog)
		b.await("the dialog", func(s core.State) bool { return s.Dialog != core.DialogNone })
		check(string(b.shell.State().Dialog), b.shell.win.Canvas().Overlays().Top())
		b.shell.Dispatch(core.Escaped{})
	}
}

// TestClicksReachWhatTakesThem: Fyne gives a click, of either button, to the innermost object under the pointer that
// takes any kind of click, key or button. Where that one does nothing with it, what is around it never hears of it.
func TestClicksReachWhatTakesThem(t *testing.T) {
	b := reviewing(t, 3, nil)
	taken := 0
	check := func(where string, o fyne.CanvasObject) {
		missed, n := swallowed(o, nil)
		require.Empty(t, missed, where)
		taken += n
	}
	for _, side := range b.shell.State().Sides() {
		b.command(side.Command)
		b.settled()
		check(side.Title, b.shell.win.Content())
	}
	for _, dialog := range []string{core.CmdExport, core.CmdPalette, core.CmdHelp, core.CmdSessions, settings.CmdSettings} {
		b.command(dialog)
		b.await("the dialog", func(s core.State) bool { return s.Dialog != core.DialogNone })
		check(string(b.shell.State().Dialog), b.shell.win.Canvas().Overlays().Top())
		b.shell.Dispatch(core.Escaped{})
	}
	require.Greater(t, taken, 500)
	inner := &offersOnly{}
	inner.ExtendBaseWidget(inner)
	inner.Resize(fyne.NewSize(10, 10))
	missed, _ := swallowed(inner, parts.NewChip(parts.Toggle, "around", nil))
	require.Equal(t, []string{"*app.offersOnly takes the clicks of *parts.Chip"}, missed)
}

// offersOnly takes clicks of the right button alone.
type offersOnly struct{ widget.BaseWidget }

func (*offersOnly) TappedSecondary(*fyne.PointEvent) {}
func (*offersOnly) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(canvas.NewRectangle(nil))
}

// swallowed are the visible objects below o, which around is around, that keep clicks from what is around them; and how
// many take clicks.
func swallowed(o, around fyne.CanvasObject) (missed []string, taken int) {
	if !o.Visible() || o.Size().IsZero() {
		return nil, 0
	}
	_, tap := o.(fyne.Tappable)
	_, double := o.(fyne.DoubleTappable)
	_, second := o.(fyne.SecondaryTappable)
	_, keys := o.(fyne.Focusable)
	_, buttons := o.(desktop.Mouseable)
	if tap || double || second || keys || buttons { // as the driver asks (window.processMouseClicked)
		taken++
		if _, ok := around.(*widget.PopUp); ok { // which closes for a click beside what it shows
			around = nil
		}
		_, tapAround := around.(fyne.Tappable)
		_, secondAround := around.(fyne.SecondaryTappable)
		if tapAround && !tap && !double && !buttons {
			missed = append(missed, fmt.Sprintf("%T takes the clicks of %T", o, around))
		}
		fynes := strings.HasPrefix(fmt.Sprintf("%T", o), "*widget.") // such as the eye in a field of a password
		if secondAround && !second && !buttons && !fynes {
			missed = append(missed, fmt.Sprintf("%T takes the right clicks of %T", o, around))
		}
		around = o
	}
	for _, b := range partstest.Below(o) {
		more, n := swallowed(b, around)
		missed, taken = append(missed, more...), taken+n
	}
	return missed, taken
}

// TestDialogsKeepTheKeyboard: also on the next page of one, the keyboard is at something that can be seen, and Esc
// leaves.
func TestDialogsKeepTheKeyboard(t *testing.T) {
	b := open(t, newFake(), nil)
	b.settled()
	c := b.shell.win.Canvas()
	for _, page := range []connect.Page{connect.Tools, connect.Requests, connect.Tools} {
		b.shell.Dispatch(connect.Asked{Page: page})
		b.settled()
		f, ok := c.Focused().(fyne.CanvasObject)
		require.True(t, ok, "page %d", page)
		require.Contains(t, visibleObjects(c.Overlays().Top()), f, "page %d", page)
	}
	c.Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	b.settled()
	require.Equal(t, core.DialogNone, b.shell.State().Dialog)
}

// visibleObjects are all objects below one that a person sees.
func visibleObjects(o fyne.CanvasObject) []fyne.CanvasObject {
	if !o.Visible() || o.Size().IsZero() {
		return nil
	}
	list := []fyne.CanvasObject{o}
	for _, b := range partstest.Below(o) {
		list = append(list, visibleObjects(b)...)
	}
	return list
}
