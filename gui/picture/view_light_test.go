package picture

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"reflect"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts/partstest"
	look "github.com/refscope/refscope/gui/theme"
	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/snapshot"
)

func TestGridStandsAtTheEdgesOfPixels(t *testing.T) {
	for _, tt := range []struct {
		name string
		cam  overlay.Camera
		want []int // columns with a line in the first 40
	}{
		{"below 8 there is none", overlay.Camera{Scale: 7.9}, nil},
		{"at 10", overlay.Camera{Scale: 10}, []int{0, 10, 20, 30}},
		{"moved by a part of a pixel", overlay.Camera{Scale: 10, X: 0.5, Y: 0.5}, []int{5, 15, 25, 35}},
		{"the picture begins within the view", overlay.Camera{Scale: 10, X: -1.2, Y: -1.2}, []int{12, 22, 32}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dst := image.NewRGBA(image.Rect(0, 0, 60, 60))
			draw.Draw(dst, dst.Rect, image.White, image.Point{}, draw.Src)
			pixelGrid(dst, tt.cam, image.Pt(100, 100))
			var got []int
			for x := range 40 {
				if dst.RGBAAt(x, 38) != (color.RGBA{255, 255, 255, 255}) {
					got = append(got, x)
				}
			}
			require.Equal(t, tt.want, got)
		})
	}
}

func TestGridEndsWithThePicture(t *testing.T) {
	dst := image.NewRGBA(image.Rect(0, 0, 100, 100))
	pixelGrid(dst, overlay.Camera{Scale: 10}, image.Pt(3, 3))
	for i := range 100 {
		require.Zero(t, dst.RGBAAt(i, 50), "column %d below the picture", i)
		require.Zero(t, dst.RGBAAt(50, i), "row %d right of it", i)
	}
}

func TestFoundBoxesAreOutlined(t *testing.T) {
	c := ink{line: color.RGBA{1, 0, 0, 255}, halo: color.RGBA{2, 0, 0, 255}, now: color.RGBA{3, 0, 0, 255}}
	dst := image.NewRGBA(image.Rect(0, 0, 200, 100))
	found := &core.FoundBoxes{Boxes: []snapshot.Box{{10, 10, 40, 20}, {60, 10, 40, 20}, {5000, 5000, 10, 10}}}
	light(dst, overlay.Camera{Scale: 2, Density: 1}, found, 1, c)
	require.Equal(t, c.line, dst.RGBAAt(60, 22), "inside the upper edge of the first")
	require.Equal(t, c.now, dst.RGBAAt(160, 22), "the current one")
	require.Zero(t, dst.RGBAAt(60, 40), "what is in it stays as it is")
	light(dst, overlay.Camera{Scale: 2, Density: 1}, nil, -1, c)
	light(dst, overlay.Camera{Scale: 1e9, Density: 1}, found, 0, c) // no box is too large
}

func TestCurrentMatchComesIntoView(t *testing.T) {
	v, _, _ := listening(t, fyne.NewSize(300, 200))
	v.zoomTo(2, 0, 0)
	vm := v.vm
	vm.Found, vm.FoundAt = &core.FoundBoxes{Boxes: []snapshot.Box{{700, 560, 20, 10}}}, -1
	v.Set(vm)
	cam := v.Camera()
	vm.FoundAt = 0
	v.Set(vm)
	require.NotEqual(t, cam, v.Camera())
	require.True(t, inView(v.Camera(), snapshot.Box{700, 560, 20, 10}, v.area()))
	require.Equal(t, 2.0, v.Zoom())
}

func TestElementWithoutAMarkIsOutlined(t *testing.T) {
	v, w, _ := listening(t, fyne.NewSize(760, 600))
	r := test.WidgetRenderer(v).(*renderer)
	vm := v.vm
	vm.Chosen = core.Outline{Box: snapshot.Box{300, 300, 100, 50}, Label: "<span>"}
	vm.Pointed = core.Outline{Box: snapshot.Box{100, 400, 100, 50}, Label: "<p>"}
	v.Set(vm)
	require.Equal(t, "<span>", r.plate.number.Text)
	require.Contains(t, r.objects, fyne.CanvasObject(r.plate.raster))
	require.Contains(t, r.objects, fyne.CanvasObject(r.hover[0]))
	partstest.Picture(t, w, "shot-outline")
	key(v, fyne.KeyEscape)
	v.zoomSelection()
	require.InDelta(t, 3.8, v.Zoom(), 1e-9, "half as wide as the view")
}

// asked is a list over a picture that reports what is asked of it.
func asked(t *testing.T, vm PickerVM) (*PickerList, *View, *[]string) {
	v, _, _ := listening(t, fyne.NewSize(760, 600))
	var said []string
	p := newPicker(PickerCallbacks{
		Move:   func(at int) { said = append(said, fmt.Sprint("move ", at)) },
		Choose: func() { said = append(said, "choose") },
		Close:  func() { said = append(said, "close") },
	})
	p.Set(vm, v)
	t.Cleanup(func() { partstest.Still(t, p) })
	return p, v, &said
}

func rows(n int) (out []PickerRow) {
	for i := range n {
		out = append(out, PickerRow{Ref: i, What: fmt.Sprint("element ", i), Fate: "kept"})
	}
	return out
}

func TestPickerKeys(t *testing.T) {
	p, v, said := asked(t, PickerVM{Open: true, X: 400, Y: 300, Rows: rows(3), At: 2})
	require.True(t, p.Visible())
	for _, k := range []fyne.KeyName{fyne.KeyDown, fyne.KeyUp, fyne.KeyHome, fyne.KeyEnd, fyne.KeyReturn,
		fyne.KeyEscape, fyne.KeyTab} {
		p.TypedKey(&fyne.KeyEvent{Name: k})
	}
	require.Equal(t, []string{"move 0", "move 1", "move 0", "move 2", "choose", "close"}, *said)
	p.Set(PickerVM{}, v)
	require.False(t, p.Visible())
	p.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	p.FocusLost()
	require.Len(t, *said, 6, "what is closed reports nothing")
}

func TestPickerPointer(t *testing.T) {
	p, _, said := asked(t, PickerVM{Open: true, X: 400, Y: 300, Rows: rows(3)})
	at := func(i int) fyne.Position { return fyne.NewPos(30, pickHead+(float32(i)+0.5)*pickRow) }
	p.MouseMoved(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: at(1)}})
	p.MouseMoved(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: at(0)}}) // is previewed already
	p.MouseMoved(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(30, 5)}})
	p.Tapped(&fyne.PointEvent{Position: at(2)})
	p.Tapped(&fyne.PointEvent{Position: at(3)})
	p.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, -10)})
	require.Equal(t, []string{"move 1", "move 2", "choose", "move 1"}, *said)
}

// TestPickerStaysInThePane: also in the last corner, and with more rows than fit.
func TestPickerStaysInThePane(t *testing.T) {
	p, v, _ := asked(t, PickerVM{Open: true, X: 799, Y: 599, Rows: rows(40), At: 39})
	end := p.Position().Add(p.Size())
	require.LessOrEqual(t, end.X, v.Size().Width)
	require.LessOrEqual(t, end.Y, v.Size().Height)
	require.GreaterOrEqual(t, p.Position().Y, float32(0))
	require.Equal(t, 40-pickRows, p.first, "the previewed row is in view")
}

// TestPickerDrawsWhatIsInView: of more rows than fit those in view are drawn, one below the other, inside the list.
func TestPickerDrawsWhatIsInView(t *testing.T) {
	p, _, _ := asked(t, PickerVM{Open: true, X: 400, Y: 300, Rows: rows(40), At: 39})
	last := float32(0)
	drawn := map[string]bool{}
	for _, o := range test.WidgetRenderer(p).Objects() {
		at := o.Position()
		require.GreaterOrEqual(t, at.Y, float32(0))
		require.LessOrEqual(t, at.Y+o.MinSize().Height, p.Size().Height)
		if text, ok := o.(*canvas.Text); ok && strings.HasPrefix(text.Text, "element ") {
			require.Greater(t, at.Y, last, text.Text)
			last = at.Y
			drawn[text.Text] = true
		}
	}
	require.Len(t, drawn, pickRows)
	require.Contains(t, drawn, "element 39")
}

// A list is drawn again where anything of it differs.
func TestPickersThatDifferAreNotEqual(t *testing.T) {
	of := PickerVM{Open: true, X: 1, Y: 2, Rows: rows(2), At: 1}
	require.True(t, of.Equal(PickerVM{Open: true, X: 1, Y: 2, Rows: rows(2), At: 1}))
	for field, other := range map[string]PickerVM{
		"Open": {X: 1, Y: 2, Rows: rows(2), At: 1},
		"X":    {Open: true, X: 3, Y: 2, Rows: rows(2), At: 1},
		"Y":    {Open: true, X: 1, Y: 3, Rows: rows(2), At: 1},
		"Rows": {Open: true, X: 1, Y: 2, Rows: rows(3), At: 1},
		"At":   {Open: true, X: 1, Y: 2, Rows: rows(2)},
	} {
		require.False(t, of.Equal(other), field)
	}
	require.Equal(t, 5, reflect.TypeFor[PickerVM]().NumField(), "a new field is one more case here")
}

// dense is a 4K picture with 1,000 boxes.
func dense(b *testing.B) (*View, *renderer) {
	c := &snapshot.Capture{Viewport: snapshot.Viewport{Width: 3840, Height: 2160, Scale: 1}}
	c.Nodes = append(c.Nodes, snapshot.Node{Parent: -1, Tag: "html", Verdict: snapshot.VerdictWrapper,
		Box: c.Viewport.Box()})
	for i := range 1000 {
		box := snapshot.Box{float64(i%40) * 96, float64(i/40) * 86, 80, 40}
		c.Nodes = append(c.Nodes, snapshot.Node{I: i + 1, Ref: i + 1, Tag: "button", Role: "button", Box: box,
			Visible: true, InViewport: true,
			Verdict: snapshot.VerdictRef, Interactive: []string{"native"}})
	}
	img := image.NewRGBA(image.Rect(0, 0, 3840, 2160))
	draw.Draw(img, img.Rect, image.White, image.Point{}, draw.Src)
	v, _ := window(b, look.Dark, fyne.NewSize(1600, 900), Callbacks{})
	v.Set(VM{Picture: overlay.NewPyramid(img), Scene: overlay.NewScene(c, img.Rect.Size(), overlay.Options{}),
		Layers: all, FoundAt: -1})
	return v, test.WidgetRenderer(v).(*renderer)
}

// BenchmarkDense are frames of a 4K picture with 1,000 boxes in a view of 1600 × 900: the
// work of one event with what it draws.
func BenchmarkDense(b *testing.B) {
	frame := func(v *View, r *renderer) {
		v.Refresh()
		r.draw(1600, 900)
	}
	b.Run("pan", func(b *testing.B) {
		v, r := dense(b)
		v.Actual()
		for i := 0; b.Loop(); i++ {
			v.pan(float64(i%2*14-7), 3)
			frame(v, r)
		}
	})
	b.Run("zoom", func(b *testing.B) {
		v, r := dense(b)
		for i := 0; b.Loop(); i++ {
			v.zoomTo(0.4+float64(i%40)/20, 800, 450)
			frame(v, r)
		}
	})
	b.Run("all in view", func(b *testing.B) {
		v, r := dense(b)
		v.Fit()
		for b.Loop() {
			frame(v, r)
		}
	})
	b.Run("hover", func(b *testing.B) {
		v, _ := dense(b)
		vm := v.vm
		for i := 0; b.Loop(); i++ {
			v.MouseMoved(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(float32(i%1600),
				float32(i%900))}})
			vm.Hover = i%1000 + 1
			v.Set(vm)
		}
	})
	b.Run("selection", func(b *testing.B) {
		v, _ := dense(b)
		vm := v.vm
		for i := 0; b.Loop(); i++ {
			vm.Selected = i%1000 + 1
			v.Set(vm)
		}
	})
	b.Run("1,000 matches", func(b *testing.B) {
		v, r := dense(b)
		found := &core.FoundBoxes{}
		for _, m := range v.vm.Scene.Marks() {
			found.Boxes = append(found.Boxes, m.Box)
		}
		vm := v.vm
		vm.Found = found
		for i := 0; b.Loop(); i++ {
			vm.FoundAt = i % 1000
			v.Set(vm)
			frame(v, r)
		}
	})
	b.Run("pixel grid", func(b *testing.B) {
		v, r := dense(b)
		v.zoomTo(8, 800, 450)
		for i := 0; b.Loop(); i++ {
			v.pan(float64(i%2*14-7), 0)
			frame(v, r)
		}
	})
}
