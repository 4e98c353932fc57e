package app

import (
	"os"
	"path/filepath"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/core"
)

// TestPathsAreTyped asks for each kind of place with the keyboard alone: a path is typed,
// goes on with what is listed, Enter takes it and Esc leaves.
func TestPathsAreTyped(t *testing.T) {
	home := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(home, "sessions", "shop"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(home, "shop.refscope"), nil, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(home, "notes.txt"), nil, 0o600))
	b := open(t, newFake(), func(o *Options) { o.Ask, o.Prefs.Folder = nil, home })
	b.settled()
	d, c := b.shell.dialogs, b.shell.win.Canvas()
	enter := func() { d.pick.Entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn}) }
	down := func() { d.pick.Entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown}) }
	got := ""
	done := func(path string) { got = path }
	sep := string(filepath.Separator)

	d.File("turn.png", done)
	require.Equal(t, home+sep+"turn.png", d.pick.Entry.Text, "it begins in the last folder")
	require.Equal(t, fyne.Focusable(d.pick.Entry), c.Focused())
	enter()
	require.Equal(t, filepath.Join(home, "turn.png"), got)
	require.Nil(t, d.open)

	got = ""
	d.Folder("shop-dataset", done)
	require.Equal(t, home+sep+"shop-dataset", d.pick.Entry.Text, "a new folder in the last one")
	d.pick.Entry.SetText(home + sep + "se")
	require.Equal(t, "sessions"+sep, d.pick.Rows()[1].Title)
	down()
	enter() // goes into it
	require.Equal(t, home+sep+"sessions"+sep, d.pick.Entry.Text)
	require.Empty(t, got)
	test.Type(d.pick.Entry, "new")
	enter()
	require.Equal(t, filepath.Join(home, "sessions", "new"), got)
	d.Folder("shop-dataset", done)
	require.Equal(t, filepath.Join(home, "sessions", "shop-dataset"), d.pick.Entry.Text, "beside it, and not in it")
	d.dismiss()

	got = ""
	d.Session(false, done)
	d.pick.Entry.SetText(home + sep)
	var titles []string
	for _, r := range d.pick.Rows() {
		titles = append(titles, r.Title)
	}
	require.Contains(t, titles, "shop.refscope")
	require.NotContains(t, titles, "notes.txt")
	d.pick.Entry.SetText(filepath.Join(home, "none.refscope"))
	enter()
	require.Empty(t, got, "it does not exist")
	require.NotNil(t, d.open)
	d.pick.Entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	require.Nil(t, d.open)
	require.Nil(t, c.Overlays().Top())

	d.Session(true, done)
	d.pick.Entry.SetText(filepath.Join(home, "sessions", "shop"))
	enter()
	require.Equal(t, filepath.Join(home, "sessions", "shop"), got)
	require.Equal(t, got, b.shell.remembered(b.shell.State()).Folder)
}

// TestRecentSessionsAreRemembered opens a session by its folder.
func TestRecentSessionsAreRemembered(t *testing.T) {
	b := reviewing(t, 2, nil)
	b.engine.mu.Lock()
	b.engine.others = map[string][]*core.Recorded{"shop": recorded(2)}
	b.engine.mu.Unlock()
	b.shell.Dispatch(core.SessionChosen("shop"))
	b.settled()
	require.Equal(t, "/home/shop", b.shell.remembered(b.shell.State()).Recent[0])
}
