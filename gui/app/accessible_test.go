package app

import (
	"fmt"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/connect"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts/partstest"
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
