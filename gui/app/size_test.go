package app

import (
	"testing"

	"fyne.io/fyne/v2"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/core"
)

func TestTheWindowFitsTheScreen(t *testing.T) {
	size := fyne.NewSize
	for name, c := range map[string]struct{ remembered, screen, want fyne.Size }{
		"first, screen not known":         {size(0, 0), size(0, 0), size(1280, 700)},
		"first, a small laptop":           {size(0, 0), size(1366, 728), size(1280, 688)},
		"first, a usual screen":           {size(0, 0), size(1920, 1040), size(1689.6, 915.2)},
		"first, a large screen":           {size(0, 0), size(2560, 1400), size(1760, 1080)},
		"first, 200 % on a laptop":        {size(0, 0), size(960, 520), size(960, 480)},
		"remembered":                      {size(900, 600), size(1920, 1040), size(900, 600)},
		"remembered of another screen":    {size(2400, 1300), size(1366, 728), size(1366, 688)},
		"remembered, screen not known":    {size(2400, 1300), size(0, 0), size(2400, 1300)},
		"remembered, but of no such size": {size(20, 10), size(1366, 728), size(1280, 688)},
	} {
		got := windowSize(core.Prefs{Width: c.remembered.Width, Height: c.remembered.Height}, c.screen)
		require.InDelta(t, c.want.Width, got.Width, 0.1, name)
		require.InDelta(t, c.want.Height, got.Height, 0.1, name)
	}
}
