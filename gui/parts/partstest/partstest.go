// Package partstest shows what a room draws on Fyne's test driver: [Window] puts it into a window, [Picture] is what
// that window looks like, [Find] is an object in it, [Still] holds it to rest once it is laid out.
package partstest

import (
	"image"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/theme"
)

// Window shows what show makes in a window of that size, in a theme. It lives as long as the test, which fails where
// the window is not [Still] at its end.
func Window[T fyne.CanvasObject](t testing.TB, mode theme.Mode, size fyne.Size, show func() T) (T, fyne.Window) {
	t.Helper()
	app := test.NewTempApp(t)
	app.Settings().SetTheme(theme.New(mode))
	shown := show()
	w := app.NewWindow("")
	w.SetPadded(false)
	w.SetContent(shown)
	w.Resize(size)
	t.Cleanup(func() { Still(t, shown) })
	return shown, w
}

// Still fails the test where what is at or below root is made of other objects once it is laid out again at the same
// size. Fyne lays out again what has other objects, each time that it paints: a window with such a widget is painted
// without end.
func Still(t testing.TB, root fyne.CanvasObject) {
	t.Helper()
	if !root.Visible() {
		return
	}
	before := slices.Clone(Below(root))
	switch o := root.(type) {
	case *fyne.Container:
		if o.Layout != nil {
			o.Layout.Layout(o.Objects, o.Size())
		}
	case fyne.Widget:
		test.WidgetRenderer(o).Layout(o.Size())
	}
	if !slices.Equal(before, Below(root)) {
		t.Errorf("a %T that is laid out again is made of other objects: %d and %d", root, len(before), len(Below(root)))
	}
	for _, o := range before {
		Still(t, o)
	}
}

// Picture is the window as it looks; REFSCOPE_PICTURES names a folder to keep it in as NAME.png.
func Picture(t testing.TB, w fyne.Window, name string) image.Image {
	t.Helper()
	img := w.Canvas().Capture()
	if dir := os.Getenv("REFSCOPE_PICTURES"); dir != "" {
		f, err := os.Create(filepath.Join(dir, name+".png"))
		require.NoError(t, err)
		require.NoError(t, png.Encode(f, img))
		require.NoError(t, f.Close())
	}
	return img
}

// Find is the first visible object at or below root that fits; nil for none.
func Find(root fyne.CanvasObject, fits func(fyne.CanvasObject) bool) fyne.CanvasObject {
	if !root.Visible() {
		return nil
	}
	if fits(root) {
		return root
	}
	for _, o := range Below(root) {
		if found := Find(o, fits); found != nil {
			return found
		}
	}
	return nil
}

// Below are the objects that root is made of.
func Below(root fyne.CanvasObject) []fyne.CanvasObject {
	switch o := root.(type) {
	case *fyne.Container:
		return o.Objects
	case fyne.Widget:
		return test.WidgetRenderer(o).Objects()
	}
	return nil
}

// Choose chooses the entry with that title of the menu that has the keyboard.
func Choose(t testing.TB, c fyne.Canvas, title string) {
	t.Helper()
	menu, ok := c.Focused().(*widget.PopUpMenu)
	require.True(t, ok, "%T has the keyboard", c.Focused())
	for _, item := range menu.Items {
		menu.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
		for _, o := range test.WidgetRenderer(item.(fyne.Widget)).Objects() {
			if label, ok := o.(*canvas.Text); ok && label.Text == title {
				menu.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
				return
			}
		}
	}
	require.Fail(t, "no entry "+title)
}
