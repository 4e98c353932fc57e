package picture

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts/partstest"
	look "github.com/refscope/refscope/gui/theme"
	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/snapshot"
)

// all shows every layer.
var all = overlay.Layers{Picture: true, Boxes: true, Labels: true, Occlusion: true}

// part is one element of the page that the tests show.
type part struct {
	ref   int
	role  string
	box   snapshot.Box
	fill  color.RGBA
	cover float64 // share that is seen; 0 means all
}

var elements = []part{
	{2, "main", snapshot.Box{0, 0, 800, 600}, color.RGBA{255, 255, 255, 255}, 0},
	{3, "link", snapshot.Box{140, 14, 56, 28}, color.RGBA{31, 51, 80, 255}, 0},
	{4, "link", snapshot.Box{202, 14, 74, 28}, color.RGBA{31, 51, 80, 255}, 0},
	{7, "textbox", snapshot.Box{20, 137, 360, 34}, color.RGBA{245, 245, 245, 255}, 0},
	{8, "textbox", snapshot.Box{20, 202, 360, 34}, color.RGBA{245, 245, 245, 255}, 0},
	{24, "button", snapshot.Box{440, 478, 150, 38}, color.RGBA{42, 109, 240, 255}, 0.58},
	{25, "button", snapshot.Box{610, 478, 110, 38}, color.RGBA{250, 250, 250, 255}, 0.58},
	{30, "dialog", snapshot.Box{0, 500, 800, 100}, color.RGBA{35, 35, 35, 255}, 0},
	{31, "button", snapshot.Box{556, 530, 94, 40}, color.RGBA{255, 255, 255, 255}, 0},
	{40, "link", snapshot.Box{20, 940, 100, 20}, color.RGBA{}, 0},
}

// page makes a capture and a picture of parts, at image px for a CSS px.
func page(scale float64) (*snapshot.Capture, *image.RGBA) {
	c := &snapshot.Capture{Viewport: snapshot.Viewport{Width: 800, Height: 600, Scale: scale}}
	c.Nodes = append(c.Nodes, snapshot.Node{Parent: -1, Tag: "html", Verdict: snapshot.VerdictWrapper,
		Box: c.Viewport.Box()})
	img := image.NewRGBA(image.Rect(0, 0, int(800*scale), int(600*scale)))
	draw.Draw(img, img.Rect, image.White, image.Point{}, draw.Src)
	covererAt := 0
	for _, p := range elements {
		n := snapshot.Node{
			I: len(c.Nodes), Parent: 0, Ref: p.ref, Role: p.role, Tag: "button", Box: p.box, Visible: true,
			InViewport: p.box.Y() < 600, Verdict: snapshot.VerdictRef, Interactive: []string{"native"},
		}
		switch p.role {
		case "main", "dialog":
			n.Tag, n.Interactive = p.role, nil
		}
		if p.role == "dialog" {
			covererAt = n.I
		}
		c.Nodes = append(c.Nodes, n)
		b := p.box.Scale(scale, scale)
		draw.Draw(img, image.Rect(int(b.X()), int(b.Y()), int(b.Right()), int(b.Bottom())), image.NewUniform(p.fill),
			image.Point{}, draw.Over)
	}
	for i, p := range elements {
		if p.cover == 0 {
			continue
		}
		n := &c.Nodes[i+1]
		x, y := n.Box.Center()
		n.Occlusion = &snapshot.Occlusion{State: snapshot.Partly, VisibleShare: p.cover, HitShare: 0.6,
			Coverer: &covererAt, Click: [2]float64{x, y},
			Points: [][3]float64{{x, y - 10, float64(n.I)}, {x, y, float64(n.I)}, {x - 40, y + 15, float64(covererAt)},
				{x + 40, y + 15, float64(covererAt)}}}
	}
	return c, img
}

// shot is a view-model of the page.
func shot(scale float64) VM {
	c, img := page(scale)
	return VM{Version: 1, Picture: overlay.NewPyramid(img), Scene: overlay.NewScene(c, img.Rect.Size(),
		overlay.Options{}), Layers: all}
}

// window shows a view in a window of that size and returns both.
func window(t testing.TB, mode look.Mode, size fyne.Size, on Callbacks) (*View, fyne.Window) {
	return partstest.Window(t, mode, size, func() *View { return newView(on) })
}

func TestLooks(t *testing.T) {
	for _, mode := range []look.Mode{look.Dark, look.Light, look.Contrast} {
		v, w := window(t, mode, fyne.NewSize(760, 600), Callbacks{})
		v.Set(VM{Empty: "Nothing captured yet. Enter an address above to begin."})
		partstest.Picture(t, w, fmt.Sprintf("shot-empty-%s", mode))
		vm := shot(1)
		vm.Selected, vm.Hover, vm.Busy = 24, 8, "Capturing http://127.0.0.1:8471/shop/checkout"
		v.Set(vm)
		partstest.Picture(t, w, fmt.Sprintf("shot-%s", mode))
	}
}

func TestPlateSaysWhatTheLabelSays(t *testing.T) {
	v, _, _ := listening(t, fyne.NewSize(760, 600))
	r := test.WidgetRenderer(v).(*renderer)
	named := 0
	for _, m := range v.vm.Scene.Marks() {
		if m.Text() == "" {
			continue
		}
		vm := v.vm
		vm.Selected = m.Ref
		v.Set(vm)
		require.Equal(t, m.Text(), r.plate.number.Text)
		if strings.Contains(m.Text(), "←") {
			named++
		}
	}
	require.Positive(t, named, "the page has covered elements that say by what")
	at := slices.IndexFunc(v.vm.Scene.Signs(), func(s overlay.Sign) bool { return s.Name == "named" })
	paper := color.RGBA{R: 1, G: 2, B: 3, A: 255}
	sample := drawSign(v.vm.Scene.Signs()[at], int(swatch(v.vm.Scene.Signs()[at])), swatchHigh, paper)
	for y := range swatchHigh {
		require.Equal(t, paper, sample.At(sample.Bounds().Dx()-1, y), "the sample of the key ends before its edge")
	}
}

// TestHoverShowsTheNumberThatHadNoRoom: a mark without a label in this frame has a plate while
// the pointer is over it, one with a label has none.
func TestHoverShowsTheNumberThatHadNoRoom(t *testing.T) {
	v, _, _ := listening(t, fyne.NewSize(760, 600))
	r := test.WidgetRenderer(v).(*renderer)
	hover := func(ref int, labels bool) bool {
		vm := v.vm
		vm.Hover, vm.Layers.Labels = ref, labels
		v.Set(vm)
		return slices.Contains(r.objects, fyne.CanvasObject(r.hovered.raster))
	}
	require.False(t, hover(8, true), "its label is on the picture")
	require.True(t, hover(8, false))
	require.Equal(t, "8", r.hovered.number.Text)
	require.False(t, hover(0, false))
	v.zoomTo(0.05, 0, 0) // no label has room
	require.True(t, r.labelOf(v.mark(8)).Empty())
	require.True(t, hover(8, true))
}

// TestTheScreenshotIsALayer: without it the marks remain, on the ground of the pane.
func TestTheScreenshotIsALayer(t *testing.T) {
	v, w := window(t, look.Dark, fyne.NewSize(760, 600), Callbacks{})
	vm := shot(1)
	v.Set(vm)
	c, _ := page(1)
	differs := func(before, after image.Image, box snapshot.Box) bool {
		x, y := int(box.X()+box.W()/2), int(box.Y()+box.H()/2)
		return before.At(x, y) != after.At(x, y)
	}
	with := w.Canvas().Capture()
	vm.Layers.Picture = false
	v.Set(vm)
	without := w.Canvas().Capture()
	require.True(t, differs(with, without, snapshot.Box{0, 0, c.Viewport.Width, c.Viewport.Height}))
	vm.Layers.Boxes, vm.Layers.Labels, vm.Layers.Occlusion = false, false, false
	v.Set(vm)
	require.NotEqual(t, w.Canvas().Capture(), without, "the marks were there without it")
	s, _ := core.Update(core.State{}, LayerToggled(LayerScreenshot))
	require.True(t, s.Layers.Picture)
}
