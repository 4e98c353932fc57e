package overlay_test

import (
	"image"
	"image/color"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/snapshot"
)

// TestLabelsOfAnAgent: a label may be an agent's own id; an element that it was not told of has a dashed box in a
// colour of its own, no label, and a sign in the key.
func TestLabelsOfAnAgent(t *testing.T) {
	c := &snapshot.Capture{Schema: snapshot.Schema, Viewport: snapshot.Viewport{Width: 300, Height: 200, Scale: 1},
		Frames: []snapshot.Frame{{Parent: -1, Owner: -1, Readable: true}}, Nodes: []snapshot.Node{
			{I: 0, Parent: -1, Tag: "html", Verdict: snapshot.VerdictWrapper, Visible: true},
			{I: 1, Parent: 0, Tag: "button", Ref: 54, Role: "button", Name: "Add", Verdict: snapshot.VerdictRef, Visible: true,
				InViewport: true, Interactive: []string{"native"}, Box: snapshot.Box{40, 40, 80, 30}},
			{I: 2, Parent: 0, Tag: "button", Ref: 55, Role: "button", Name: "Off", Verdict: snapshot.VerdictRef, Visible: true,
				InViewport: true, Interactive: []string{"native"}, Box: snapshot.Box{40, 120, 80, 30}}}}
	own := map[int]string{54: "f22e92"}
	s := overlay.NewScene(c, image.Pt(300, 200), overlay.Options{View: overlay.ViewQA,
		Label:  func(ref int) string { return own[ref] },
		Untold: func(ref int) bool { return own[ref] == "" }})
	require.Equal(t, "f22e92", s.ByRef(54).Text())
	require.False(t, s.ByRef(54).Label.Empty())
	require.True(t, s.ByRef(55).Label.Empty())
	var words []string
	for _, sign := range s.Signs() {
		words = append(words, sign.Words)
	}
	require.Contains(t, words, "No known line in the text sent")
	img := image.NewRGBA(image.Rect(0, 0, 300, 200))
	for i := range img.Pix {
		img.Pix[i] = 255
	}
	s.Draw(img)
	amber := 0
	for y := 115; y < 155; y++ {
		for x := 30; x < 130; x++ {
			if img.RGBAAt(x, y) == (color.RGBA{178, 107, 0, 255}) {
				amber++
			}
		}
	}
	require.Greater(t, amber, 60, "its box is dashed in amber")
}
