package text

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
)

// TestHeadKeepsItsCounts: at no width do the choices over a text push its counts out.
func TestHeadKeepsItsCounts(t *testing.T) {
	test.NewTempApp(t)
	h := newHead(func(core.Msg) {})
	h.formats.Set("wraith-json", false, nil)
	h.attrs.Set("12 attributes hidden", false, []parts.Choice{{Title: "id"}})
	h.attrs.Show()
	h.costs.Set([]core.StatusItem{{Text: "11,284 of 12,000 characters"}, {Text: "3,821 tokens (o200k)"}})
	h.gauge.Show()
	costs := h.row.Objects[1]
	need := costs.MinSize().Width
	lines := map[float32]bool{}
	for _, width := range []float32{1200, 700, 560, 480, 400, 360} {
		h.fit(width)
		h.box.Resize(fyne.NewSize(width, h.box.MinSize().Height))
		require.GreaterOrEqual(t, costs.Size().Width, need, width)
		at, end := costs.Position(), h.row.Objects[0].Size()
		require.True(t, at.X >= end.Width || at.Y >= end.Height, "the counts lie on the choices at %v", width)
		require.LessOrEqual(t, at.Y+costs.Size().Height, h.row.Size().Height+0.5, width)
		if gauge := h.row.Objects[2]; gauge.Visible() {
			require.LessOrEqual(t, gauge.Position().X+gauge.Size().Width, h.row.Size().Width+0.5, width)
		}
		lines[at.Y] = true
	}
	require.Len(t, lines, 2, "one line where there is room, else two")
}
