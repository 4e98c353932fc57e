package palette

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/parts"
	look "github.com/refscope/refscope/gui/theme"
)

// TestKeysAreApart: no key lies over that of the line below, whatever the size of the text.
func TestKeysAreApart(t *testing.T) {
	app := test.NewTempApp(t)
	for _, scale := range []float32{1, 1.6, 2} {
		app.Settings().SetTheme(look.Scaled(look.Dark, scale))
		keys := []fyne.CanvasObject{parts.KeyCaps("Ctrl+O"), widget.NewLabel("Open"), parts.KeyCaps("F3"),
			widget.NewLabel("Next")}
		table := container.New(&keyTable{}, keys...)
		table.Resize(table.MinSize())
		require.LessOrEqual(t, keys[0].Position().Y+keys[0].Size().Height, keys[2].Position().Y+0.5, "at %v", scale)
	}
}

// TestColumnsFillTheirWidth: there are as many columns as there is room for, of menus as wide as they are, and the size
// is theirs.
func TestColumnsFillTheirWidth(t *testing.T) {
	var menus []fyne.CanvasObject
	for _, w := range []float32{300, 100, 100, 100, 100, 100} {
		r := canvas.NewRectangle(nil)
		r.SetMinSize(fyne.NewSize(w, 50))
		menus = append(menus, r)
	}
	for width, want := range map[float32]fyne.Size{
		600: fyne.NewSize(300+2*(columnGap+100), 100),
		500: fyne.NewSize(300+columnGap+100, 150),
		10:  fyne.NewSize(300, 300),
	} {
		at, size := placed(menus, width)
		require.Equal(t, want, size, "in %v", width)
		for i, p := range at {
			for j, q := range at[:i] {
				apart := p.Y != q.Y || p.X >= q.X+menus[j].MinSize().Width+columnGap
				require.True(t, apart, "%d and %d in %v", i, j, width)
			}
		}
	}
}
