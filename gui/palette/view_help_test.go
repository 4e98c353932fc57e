package palette

import (
	"testing"

	"fyne.io/fyne/v2"
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
