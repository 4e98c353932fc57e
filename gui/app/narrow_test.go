package app

import (
	"fmt"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/gui/parts/partstest"
)

// narrowest is how narrow a window gets, in Fyne units: a screen of 1600 px at 200 % has no more.
const narrowest = 800

// TestNarrowWindow: whatever side is in view, and the turns below the picture alone or below all, the window fits 800
// units. What has no room in a row drops down or wraps: the zoom and the filter of the turns stay.
func TestNarrowWindow(t *testing.T) {
	b := reviewing(t, 3, nil)
	content := b.shell.win.Content()
	for _, high := range []float32{500, 1000} {
		for _, side := range b.shell.State().Sides() {
			b.command(side.Command)
			b.settled()
			b.shell.win.Resize(fyne.NewSize(narrowest, high))
			require.Equal(t, high == 500, b.shell.panes.low)
			if w := content.MinSize().Width; w > narrowest {
				t.Errorf("%s, %g high: %.0f units\n%s", side.Title, high, w, widest(content, narrowest/3, ""))
			}
			zoom := inView(b, func(o fyne.CanvasObject) bool {
				d, ok := o.(*parts.DropDown)
				return ok && strings.HasSuffix(d.Title(), "%")
			})
			require.NotNil(t, zoom, "the zoom, at %s", side.Title)
		}
	}
}

// widest says which objects have no room in so many units.
func widest(o fyne.CanvasObject, most float32, indent string) string {
	if !o.Visible() || o.MinSize().Width <= most || len(indent) > 60 {
		return ""
	}
	out := fmt.Sprintf("%s%T %.0f\n", indent, o, o.MinSize().Width)
	for _, o := range partstest.Below(o) {
		out += widest(o, most, indent+" ")
	}
	return out
}
