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

// TestWhatAReaderMissed: what a person sees and a reader was not told, and what a filter leaves out, is hatched in a
// colour of its own, also on words, and has a sign in the key; the model's view has no hatch.
func TestWhatAReaderMissed(t *testing.T) {
	t.Run("missed", func(t *testing.T) {
		hatches(t, "missed", func(o *overlay.Options, b []snapshot.Box) { o.Missed = b }, (*overlay.Scene).Missed)
	})
	t.Run("filtered", func(t *testing.T) {
		hatches(t, "filtered", func(o *overlay.Options, b []snapshot.Box) { o.Filtered = b }, (*overlay.Scene).Filtered)
	})
}

func hatches(t *testing.T, name string, set func(*overlay.Options, []snapshot.Box),
	of func(*overlay.Scene) []image.Rectangle) {
	c := &snapshot.Capture{Schema: snapshot.Schema, Viewport: snapshot.Viewport{Width: 300, Height: 200, Scale: 1},
		Frames: []snapshot.Frame{{Parent: -1, Owner: -1, Readable: true}}, Nodes: []snapshot.Node{
			{I: 0, Parent: -1, Tag: "html", Verdict: snapshot.VerdictWrapper, Visible: true},
			{I: 1, Parent: 0, Tag: "p", Verdict: snapshot.VerdictContent, Visible: true, InViewport: true,
				Box: snapshot.Box{20, 20, 100, 20}, Text: "A price", TextRects: []snapshot.Box{{20, 20, 60, 20}}}}}
	missed := []snapshot.Box{{20, 20, 100, 20}, {280, 190, 100, 100}}
	o := overlay.Options{View: overlay.ViewQA}
	set(&o, missed)
	s := overlay.NewScene(c, image.Pt(600, 400), o)
	require.Equal(t, []image.Rectangle{image.Rect(40, 40, 240, 80), image.Rect(560, 380, 600, 400)}, of(s))
	var names []string
	for _, sign := range s.Signs() {
		names = append(names, sign.Name)
		swatch := image.NewRGBA(image.Rect(0, 0, 40, 16))
		sign.Draw(swatch, swatch.Rect, 1)
		require.NotZero(t, swatch.RGBAAt(0, 0).A)
	}
	require.Equal(t, []string{name}, names)
	img := image.NewRGBA(image.Rect(0, 0, 600, 400))
	for i := range img.Pix {
		img.Pix[i] = 255
	}
	s.Draw(img)
	inside, outside := 0, 0
	for y := range 400 {
		for x := range 600 {
			if p := img.RGBAAt(x, y); p != (color.RGBA{255, 255, 255, 255}) {
				if image.Pt(x, y).In(image.Rect(40, 40, 240, 80)) || image.Pt(x, y).In(image.Rect(560, 380, 600, 400)) {
					inside++
				} else {
					outside++
				}
			}
		}
	}
	require.Greater(t, inside, 200*40/4)
	require.Less(t, inside, 200*40*2/3, "most of it can be read")
	require.Zero(t, outside)
	set(&o, []snapshot.Box{{0, 0, 300, 200}})
	large := of(overlay.NewScene(c, image.Pt(600, 400), o))
	require.NotEmpty(t, large)
	for _, r := range large {
		require.False(t, r.Overlaps(image.Rect(40, 40, 560, 360)), "what lies in a mask or a map stays readable: %v", r)
	}
	set(&o, missed)
	o.View = overlay.ViewModel
	require.Empty(t, of(overlay.NewScene(c, image.Pt(600, 400), o)))
}
