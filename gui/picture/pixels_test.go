package picture

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"maps"
	"os"
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/core"
	look "github.com/refscope/refscope/gui/theme"
	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/overlay/geometry"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/testpages"
)

// gateWindows are the windows in which numbers are looked at, in px. The picture has the share of them that it has in
// the window with its text on the right.
var gateWindows = []image.Point{{X: 1024, Y: 640}, {X: 1366, Y: 768}, {X: 1600, Y: 1000}, {X: 2560, Y: 1440}}

// gateZooms are the zooms, in device px for an image px; 0 is the picture fitted into its pane.
var gateZooms = []float64{0, 0.5, 0.75, 1, 2}

// gateCount is what the pixels of one or many frames say about the numbers on them.
type gateCount struct {
	frames, numbers     int
	nearer, overpainted int
	hidden, leaders     int
	asNear              int
}

func (c *gateCount) add(o gateCount) {
	c.frames, c.numbers = c.frames+o.frames, c.numbers+o.numbers
	c.nearer, c.overpainted = c.nearer+o.nearer, c.overpainted+o.overpainted
	c.hidden, c.leaders = c.hidden+o.hidden, c.leaders+o.leaders
	c.asNear += o.asNear
}

func (c gateCount) String() string {
	return fmt.Sprintf("%4d frames, %6d numbers: %d nearer to a stranger, %d overpainted; %d as near, %d on a line, %d hidden and counted",
		c.frames, c.numbers, c.nearer, c.overpainted, c.asNear, c.leaders, c.hidden)
}

// TestNumbersInPixels: on the picture of the window, with an element selected, another one pointed at and boxes that
// were found, every number is whole to the px, and none is nearer to another element's box than to its own. REFSCOPE_NUMBERS
// looks at all windows and zooms in place of two; REFSCOPE_CAPTURES adds pages: `go run ./cmd/dev bench -numbers`.
func TestNumbersInPixels(t *testing.T) {
	windows, zooms := gateWindows[:1], []float64{0, 1}
	if os.Getenv("REFSCOPE_NUMBERS") != "" {
		windows, zooms = gateWindows, gateZooms
	}
	pages := testpages.Captures(t)
	var sum gateCount
	for _, name := range slices.Sorted(maps.Keys(pages)) {
		c := pages[name]
		size := image.Pt(int(c.Viewport.Width), int(c.Viewport.Height))
		if size.X <= 0 || size.Y <= 0 {
			continue
		}
		picture := image.NewRGBA(image.Rectangle{Max: size})
		draw.Draw(picture, picture.Rect, image.NewUniform(color.RGBA{128, 160, 200, 255}), image.Point{}, draw.Src)
		vm := VM{Version: 1, Picture: overlay.NewPyramid(picture), Layers: all, FoundAt: -1,
			Scene: overlay.NewScene(c, size, overlay.Options{Palette: overlay.PaletteCalm})}
		vm.Found, vm.Selected, vm.Hover = lit(vm.Scene)
		of := gateCount{}
		for _, w := range windows {
			t.Run(fmt.Sprintf("%.40s %v", name, w), func(t *testing.T) { // its window ends with it
				v, shown := window(t, look.Dark, fyne.NewSize(float32(w.X*58/100), float32(w.Y-160)), Callbacks{})
				v.Set(vm)
				for _, zoom := range zooms {
					if zoom == 0 {
						v.Fit()
					} else {
						v.zoomTo(zoom, 0, 0)
					}
					v.Refresh()
					n, bad := lookAtNumbers(v, shown.Canvas().Capture())
					of.add(n)
					require.Empty(t, bad, "%s in a window of %v at %g", name, w, zoom)
				}
			})
		}
		sum.add(of)
		t.Logf("%-40.40s %v", name, of)
	}
	t.Logf("%-40s %v", fmt.Sprintf("%d pages", len(pages)), sum)
	require.Positive(t, sum.numbers)
}

// lit are boxes that were found on a scene, with what is selected and pointed at: the first marks, the middle and the
// last, so that frames lie over many numbers.
func lit(s *overlay.Scene) (found *core.FoundBoxes, selected, hover int) {
	read := s.Reading()
	found = &core.FoundBoxes{}
	for i, ref := range read {
		if i%3 == 0 {
			r := s.ByRef(ref).Rects[0]
			found.Boxes = append(found.Boxes, snapshot.Box{float64(r.Min.X), float64(r.Min.Y), float64(r.Dx()), float64(r.Dy())})
		}
	}
	if len(read) > 0 {
		selected, hover = read[len(read)/2], read[len(read)/3]
	}
	return found, selected, hover
}

// lookAtNumbers compares the pixels of a window with each number that it should show, and measures which box is nearest
// to it. bad are the numbers that do not pass, in words.
func lookAtNumbers(v *View, shot image.Image) (n gateCount, bad []string) {
	s, cam, area := v.vm.Scene, v.frameCamera(), v.area()
	th := v.Theme()
	n.frames, n.hidden = 1, s.Withheld(cam, area)
	boxes := map[int][]image.Rectangle{}
	for _, ref := range s.Reading() {
		boxes[ref] = s.ScreenRects(s.ByRef(ref), cam, area)
	}
	for _, ref := range s.Reading() {
		m := s.ByRef(ref)
		label := s.ScreenLabel(m, cam, area)
		if label.Empty() || !label.In(image.Rectangle{Max: area}) {
			continue
		}
		n.numbers++
		plate := s.PlateOf(m, cam, area)
		want := image.NewRGBA(image.Rectangle{Max: plate.Bounds().Size()})
		white := color.RGBA{255, 255, 255, 255}
		ground, ink, halo := toRGBA(shot.At(label.Min.X+1, label.Min.Y+1)), white, white
		if ref == v.vm.Selected {
			ground, ink, halo = look.RGBA(th, look.ColorMarkPlate), look.RGBA(th, look.ColorMarkText), look.RGBA(th, look.ColorMarkHalo)
		}
		plate.Draw(want, ground, ink, halo)
		off := 0
		for y := label.Min.Y; y < label.Max.Y; y++ {
			for x := label.Min.X; x < label.Max.X; x++ {
				if p := (image.Point{X: x, Y: y}).Sub(plate.Bounds().Min); toRGBA(shot.At(x, y)) != want.RGBAAt(p.X, p.Y) {
					off++
				}
			}
		}
		if off > 0 {
			n.overpainted++
			bad = append(bad, fmt.Sprintf("%d px of number %s at %v are not its own", off, plate.Text, label))
		}
		if plate.Leader() {
			n.leaders++
			continue
		}
		inner := label.Inset(1)
		nearest := func(ref int) (best geometry.Nearness) {
			for i, r := range boxes[ref] {
				if near := geometry.NearnessOf(inner, r, 1); i == 0 || near.Less(best) {
					best = near
				}
			}
			return best
		}
		own, as := nearest(ref), false
		for other := range boxes {
			o := s.ByRef(other)
			if other == ref || len(boxes[other]) == 0 || o.SharesBox == ref || m.SharesBox == other || m.SharesBox > 0 && m.SharesBox == o.SharesBox ||
				o.Status == overlay.Covered {
				continue
			}
			switch near := nearest(other); {
			case near.Less(own):
				n.nearer++
				bad = append(bad, fmt.Sprintf("number %s at %v is nearer to %d at %v than to its own %v", plate.Text, label, other, boxes[other], boxes[ref]))
			case !own.Less(near):
				as = true
			}
		}
		if as {
			n.asNear++
		}
	}
	return n, bad
}

func toRGBA(c color.Color) color.RGBA { return color.RGBAModel.Convert(c).(color.RGBA) }
