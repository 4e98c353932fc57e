package shell

import (
	"image"
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	fynetheme "fyne.io/fyne/v2/theme"

	"github.com/refscope/refscope/gui/theme"
	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/snapshot"
)

// Size of a sample in the key, in Fyne units.
const (
	swatchWide = 22
	swatchHigh = 12
)

// legend is the key below the picture: what boxes and hatching mean. Its samples are
// drawn by package overlay from little captures, so they are what the picture has.
type legend struct {
	widget.BaseWidget
	entries []legendEntry
}

type legendEntry struct {
	text  string
	scene *overlay.Scene
}

func newLegend() *legend {
	l := &legend{entries: []legendEntry{
		{"numbered element", sample(snapshot.Occlusion{State: snapshot.Clear, VisibleShare: 1, HitShare: 1})},
		{"covered part: a click lands on what lies over it; point at it to read what", sample(snapshot.Occlusion{State: snapshot.Covered})},
	}}
	l.ExtendBaseWidget(l)
	l.Hide()
	return l
}

// sample is a scene of one element that fills it, in that state.
func sample(o snapshot.Occlusion) *overlay.Scene {
	w, h := 4.0*swatchWide, 4.0*swatchHigh
	over := 2
	box := snapshot.Box{0, 0, w, h}
	o.Click = [2]float64{w / 2, h / 2}
	if o.State != snapshot.Clear || o.ClickThrough {
		o.Coverer = &over
		o.Points = [][3]float64{{w / 2, h / 2, 2}}
	}
	c := &snapshot.Capture{
		Schema: snapshot.Schema, Viewport: snapshot.Viewport{Width: w, Height: h, Scale: 1},
		Nodes: []snapshot.Node{
			{I: 0, Parent: -1, Tag: "html", Verdict: snapshot.VerdictWrapper, Box: box},
			{I: 1, Parent: 0, Tag: "button", Ref: 1, Role: "button", Box: box, Visible: true, InViewport: true, Verdict: snapshot.VerdictRef, Interactive: []string{"native"}, Occlusion: &o},
			{I: 2, Parent: 0, Tag: "div", Box: box, Visible: true, InViewport: true, Verdict: snapshot.VerdictWrapper},
		},
	}
	return overlay.NewScene(c, image.Pt(int(w), int(h)), overlay.Options{View: overlay.ViewQA})
}

// CreateRenderer is Fyne's.
func (l *legend) CreateRenderer() fyne.WidgetRenderer {
	r := &legendRenderer{legend: l, box: container.New(row{gap: 8})}
	r.Refresh()
	return r
}

type legendRenderer struct {
	legend *legend
	box    *fyne.Container
}

func (r *legendRenderer) MinSize() fyne.Size { return fyne.NewSize(0, 26) }
func (r *legendRenderer) Layout(size fyne.Size) {
	r.box.Move(fyne.NewPos(12, 0))
	r.box.Resize(size.SubtractWidthHeight(24, 0))
}
func (r *legendRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.box} }
func (r *legendRenderer) Destroy()                     {}

func (r *legendRenderer) Refresh() {
	th := r.legend.Theme()
	r.box.Objects = nil
	for _, e := range r.legend.entries {
		paper := theme.RGBA(th, theme.ColorStage)
		s := canvas.NewRaster(func(w, h int) image.Image { return drawSample(e.scene, w, h, paper) })
		s.SetMinSize(fyne.NewSize(swatchWide, swatchHigh))
		t := canvas.NewText(e.text, theme.RGBA(th, theme.ColorMuted))
		t.TextSize = th.Size(fynetheme.SizeNameCaptionText)
		r.box.Objects = append(r.box.Objects, s, t)
	}
	r.box.Refresh()
}

// drawSample composes the middle of a sample's scene at the size of a swatch.
func drawSample(scene *overlay.Scene, w, h int, paper color.RGBA) image.Image {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	scale := float64(w) / float64(scene.Size().X)
	overlay.Compose(img, nil, scene, overlay.Camera{Scale: scale, Density: float64(w) / swatchWide}, overlay.Layers{Boxes: true, Occlusion: true}, paper)
	return img
}
