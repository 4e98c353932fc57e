package app

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"
	"github.com/stretchr/testify/require"
)

// TestFileDialogsOpen: each dialog that asks for a file or folder opens and closes.
func TestFileDialogsOpen(t *testing.T) {
	test.NewTempApp(t)
	win := test.NewTempWindow(t, widget.NewLabel(""))
	win.Resize(fyne.NewSize(1000, 700))
	d := &dialogs{win: win, fail: func(err error) { t.Error(err) }}
	done := func(string) {}
	for name, ask := range map[string]func(){
		"file":           func() { d.File("picture.png", done) },
		"folder":         func() { d.Folder(done) },
		"session folder": func() { d.Session(true, done) },
		"session file":   func() { d.Session(false, done) },
	} {
		t.Run(name, func(t *testing.T) {
			ask()
			require.NotNil(t, d.open)
			require.NotNil(t, win.Canvas().Overlays().Top())
			d.open.Hide()
			require.Nil(t, d.open)
		})
	}
}
