package picture

import (
	"image"
	"image/color"
	"image/draw"
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/core"
	look "github.com/refscope/refscope/gui/theme"
	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/snapshot"
)

func plain(w, h int, c color.RGBA) *overlay.Pyramid {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.Draw(img, img.Rect, image.NewUniform(c), image.Point{}, draw.Src)
	return overlay.NewPyramid(img)
}

var red, blue, green = color.RGBA{200, 0, 0, 255}, color.RGBA{0, 0, 200, 255}, color.RGBA{0, 160, 0, 255}

// paired is a view of 400 × 300 on which blue pictures are held against red ones.
func paired(t testing.TB, mode PicturesMode, share float64) (*View, func() *image.RGBA) {
	t.Helper()
	test.NewTempApp(t)
	v := newView(Callbacks{})
	w := test.NewTempWindow(t, v)
	w.SetPadded(false)
	w.Resize(fyne.NewSize(400, 300))
	v.Set(VM{Version: 2, Picture: plain(200, 150, blue), Layers: overlay.Layers{Picture: true}})
	v.Set(VM{Version: 2, Picture: v.vm.Picture, Layers: overlay.Layers{Picture: true},
		Pair: PairVM{Mode: mode, Before: plain(200, 150, red), Pixels: plain(200, 150, green), Share: share, From: 1,
			To: 2}})
	var scratch [2]*image.RGBA
	return v, func() *image.RGBA {
		dst := image.NewRGBA(image.Rectangle{Max: v.area()})
		v.compose(dst, &scratch, color.RGBA{9, 9, 9, 255})
		return dst
	}
}

func TestPairs(t *testing.T) {
	tests := []struct {
		mode        PicturesMode
		share       float64
		left, right color.RGBA // at a quarter and at three quarters of the picture's width
	}{
		{PicturesOff, 0, blue, blue},
		{PicturesSlider, 0.5, red, blue},
		{PicturesSlider, 0, blue, blue},
		{PicturesSlider, 1, red, red},
		{PicturesOnion, 0, red, red},
		{PicturesOnion, 1, blue, blue},
		{PicturesPixels, 0, green, green},
	}
	for _, tt := range tests {
		t.Run(string(tt.mode), func(t *testing.T) {
			v, draw := paired(t, tt.mode, tt.share)
			img := draw()
			at := v.frameCamera().Rect(image.Rect(0, 0, 200, 150))
			y := (at.Min.Y + at.Max.Y) / 2
			require.Equal(t, tt.left, img.RGBAAt(at.Min.X+at.Dx()/4, y))
			require.Equal(t, tt.right, img.RGBAAt(at.Min.X+3*at.Dx()/4, y))
		})
	}
}

func TestSideBySide(t *testing.T) {
	v, draw := paired(t, PicturesBeside, 0)
	img := draw()
	half := v.area().X / 2
	at := v.frameCamera().Rect(image.Rect(0, 0, 200, 150))
	require.True(t, at.In(image.Rect(0, 0, half, v.area().Y)), "%v fits into a half", at)
	mid := at.Min.Add(at.Max).Div(2)
	require.Equal(t, red, img.RGBAAt(mid.X, mid.Y))
	require.Equal(t, blue, img.RGBAAt(half+mid.X, mid.Y), "the same place of the other picture")
	// The wheel keeps what is under the pointer, in either half.
	x, y := v.cam.Image(float64(mid.X+9), float64(mid.Y+5))
	v.Scrolled(&fyne.ScrollEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(float32(half+mid.X+9),
		float32(mid.Y+5))}, Scrolled: fyne.NewDelta(0, 30)})
	x2, y2 := v.cam.Image(float64(mid.X+9), float64(mid.Y+5))
	require.InDelta(t, x, x2, 0.01)
	require.InDelta(t, y, y2, 0.01)
	x, y = v.imagePoint(fyne.NewPos(30, 40))
	x2, y2 = v.imagePoint(fyne.NewPos(float32(half)+30, 40))
	require.Equal(t, [2]float64{x, y}, [2]float64{x2, y2}, "the same place of either picture")
	v.LookAt(snapshot.Box{0, 0, 20, 20})
	require.InDelta(t, float64(half)/2, (10-v.cam.X)*v.cam.Scale, 30)
}

func TestPoints(t *testing.T) {
	v, _ := paired(t, PicturesOff, 0)
	vm := v.vm
	vm.Points = &core.ActionPoints{After: true, Points: []core.ActionPoint{{X: 100, Y: 75, Label: "click"},
		{X: 9e9, Y: -9e9, Label: "far"}}}
	before := len(test.WidgetRenderer(v).Objects())
	v.Set(vm)
	r := test.WidgetRenderer(v).(*renderer)
	require.Equal(t, before+5, len(r.objects), "three rings and a word; none for what is out of view")
	at := v.frameCamera().Rect(image.Rect(100, 75, 100, 75)).Min
	c := r.points[0].dot
	require.InDelta(t, float32(at.X), c.Position().X+c.Size().Width/2, 1)
	require.InDelta(t, float32(at.Y), c.Position().Y+c.Size().Height/2, 1)
	vm.Pair = PairVM{Mode: PicturesSlider, Before: vm.Picture}
	v.Set(vm)
	require.NotContains(t, r.objects, fyne.CanvasObject(c), "not while pictures are compared")
}

// BenchmarkPairs is the composing of a frame of 1600 × 900 device px.
func BenchmarkPairs(b *testing.B) {
	for _, mode := range append([]PicturesMode{PicturesOff}, PicturesModes()...) {
		b.Run("mode="+string(mode), func(b *testing.B) {
			test.NewTempApp(b)
			v := newView(Callbacks{})
			v.Resize(fyne.NewSize(1600, 900))
			v.vm = VM{Picture: plain(1280, 800, blue), Layers: overlay.Layers{Picture: true},
				Pair: PairVM{Mode: mode, Before: plain(1280, 800, red), Pixels: plain(1280, 800, green), Share: 0.5}}
			v.cam = overlay.Camera{Scale: 1.1}
			dst := image.NewRGBA(image.Rect(0, 0, 1600, 900))
			var scratch [2]*image.RGBA
			b.ResetTimer()
			for range b.N {
				v.compose(dst, &scratch, color.RGBA{9, 9, 9, 255})
			}
		})
	}
}

// TestAWordAtAPointHidesNoNumber at any element, in windows of three sizes.
func TestAWordAtAPointHidesNoNumber(t *testing.T) {
	for _, size := range []fyne.Size{fyne.NewSize(760, 600), fyne.NewSize(420, 400), fyne.NewSize(1200, 900)} {
		v, _ := window(t, look.Dark, size, Callbacks{})
		vm := shot(1)
		seen := 0
		for i := range vm.Scene.Marks() {
			if len(vm.Scene.Marks()[i].Rects) == 0 {
				continue
			}
			box := vm.Scene.Marks()[i].Rects[0]
			x, y := float64(box.Min.X+box.Max.X)/2, float64(box.Min.Y+box.Max.Y)/2
			vm.Points = &core.ActionPoints{Points: []core.ActionPoint{{X: x, Y: y, Label: "click at 881, 601"}}}
			v.Set(vm)
			r := test.WidgetRenderer(v).(*renderer)
			if len(r.points) == 0 || !slices.Contains(r.objects, fyne.CanvasObject(r.points[0].word.ground)) {
				continue
			}
			seen++
			word := r.points[0].word.ground
			require.Less(t, slices.Index(r.objects, fyne.CanvasObject(r.numbers)),
				slices.Index(r.objects, fyne.CanvasObject(word)), "it can be read over a number too")
			at, to := word.Position(), word.Position().Add(word.Size())
			require.True(t, at.X >= 0 && at.Y >= 0 && to.X <= v.Size().Width && to.Y <= v.Size().Height, "in view")
			own := image.Rect(int(at.X*float32(v.scale)), int(at.Y*float32(v.scale)), int(to.X*float32(v.scale)),
				int(to.Y*float32(v.scale)))
			for k := range vm.Scene.Marks() {
				m := &vm.Scene.Marks()[k]
				l := vm.Scene.ScreenLabel(m, v.frameCamera(), v.area())
				require.True(t, own.Intersect(l).Empty(), "%v: the word at %d hides the number of %d", size,
					vm.Scene.Marks()[i].Ref, m.Ref)
			}
		}
		require.Greater(t, seen, 5)
	}
}
