package picture

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
	look "github.com/refscope/refscope/gui/theme"
	"github.com/refscope/refscope/overlay"
)

const (
	// shadows is how many rings make the shadow of the picture, and glows those
	// of the selection's glow.
	shadows = 4
	glows   = 3
	// maxRects bounds the objects for one mark: a link that wraps over a hundred
	// lines is marked by its first ones.
	maxRects = 12
	// beyond is how far out of the view objects may reach, in Fyne units. Objects
	// at high zoom would otherwise be larger than any texture.
	beyond = 24
)

// renderer holds the objects from back to front: the frame, the edge of the
// picture, hover, selection, the sign for a click, the numbers, plates, pills, the sentence of an empty view, the
// busy line, the focus ring. Numbers are over all frames, so that no line ever makes another one of them.
type renderer struct {
	v       *View
	raster  *canvas.Raster
	pix     *image.RGBA
	numbers *canvas.Raster
	figures *image.RGBA         // of numbers
	plates  []fyne.CanvasObject // of this frame
	scratch [2]*image.RGBA      // see [View.compose]
	points  []point             // pool
	sides   [2]*pill
	bg      color.RGBA
	ink     ink
	asked   frame // that the raster was last requested
	rings   [shadows + 1]*canvas.Rectangle
	hover   []*canvas.Rectangle // pool
	chosen  []*canvas.Rectangle // pool: halo, glow and line of each box
	plate   *plate
	hovered *plate
	point   *cross
	typed   *pill
	away    *pill
	busy    *pill
	badge   *pill
	heads   []image.Rectangle // of busy and badge in px, where they are shown
	line    *canvas.Rectangle
	empty   *widget.RichText
	focus   *canvas.Rectangle
	objects []fyne.CanvasObject
}

// CreateRenderer is Fyne's.
func (v *View) CreateRenderer() fyne.WidgetRenderer {
	r := &renderer{
		v: v, plate: newPlate(), hovered: newPlate(), point: newCross(), empty: parts.NewEmpty(),
		typed: newPill(), away: newPill(), busy: newPill(), badge: newPill(), sides: [2]*pill{newPill(), newPill()},
		line: canvas.NewRectangle(nil), focus: canvas.NewRectangle(nil),
	}
	r.raster = parts.NewRaster(r.draw)
	r.raster.ScaleMode = canvas.ImageScalePixels
	r.numbers = parts.NewRaster(r.drawNumbers)
	r.numbers.ScaleMode = canvas.ImageScalePixels
	for i := range r.rings {
		r.rings[i] = canvas.NewRectangle(color.Transparent)
	}
	if c := fyne.CurrentApp().Driver().CanvasForObject(v); c != nil {
		v.scale = float64(c.Scale())
	}
	r.update()
	return r
}

// MinSize is small: the pane decides.
func (r *renderer) MinSize() fyne.Size { return fyne.NewSize(120, 80) }

// Objects are the objects from back to front.
func (r *renderer) Objects() []fyne.CanvasObject { return r.objects }

// Destroy does nothing: there is nothing that outlives the objects.
func (r *renderer) Destroy() {}

// Layout fits the picture again where it was fitted, and else keeps the middle of
// what was in view in the middle.
func (r *renderer) Layout(size fyne.Size) {
	v := r.v
	old := r.raster.Size()
	r.raster.Resize(size)
	r.numbers.Resize(size)
	switch {
	case v.picture() == (image.Point{}):
	case v.fitted:
		v.refit()
	default:
		v.pan(float64(size.Width-old.Width)*v.scale/2, float64(size.Height-old.Height)*v.scale/2)
	}
	r.update()
}

// Refresh places the objects, and composes again only where the frame is another
// one: hover and selection leave it alone. The widget as a whole is never handed
// to canvas.Refresh, because that throws away the textures of all its objects.
func (r *renderer) Refresh() {
	r.update()
	if now := r.frameNow(); now != r.asked {
		r.v.arrange()
		r.asked = now
		r.raster.Refresh()
		r.numbers.Refresh()
		r.v.countWithheld()
	}
}

// frame is everything that the raster's pixels depend on.
type frame struct {
	picture *overlay.Pyramid
	scene   *overlay.Scene
	// arranged is Arranged of the view-model.
	arranged int
	layers   overlay.Layers
	cam      overlay.Camera
	bg       color.RGBA
	found    *core.FoundBoxes
	foundAt  int
	pair     PairVM
}

func (r *renderer) frameNow() frame {
	vm := &r.v.vm
	return frame{vm.Picture, vm.Scene, vm.Arranged, vm.Layers, r.v.frameCamera(), r.bg, vm.Found, vm.FoundAt, vm.Pair}
}

// draw is the generator of the raster; w and h are device px.
func (r *renderer) draw(w, h int) image.Image {
	v := r.v
	if width := float64(r.raster.Size().Width); width > 0 {
		// Only the raster receives the real density of the display.
		if s := float64(w) / width; math.Abs(s-v.scale) > 0.02*v.scale {
			v.scale = s
			if v.fitted {
				v.refit()
			}
			v.arrange()
			r.update()
		}
	}
	if r.pix == nil || r.pix.Rect.Dx() != w || r.pix.Rect.Dy() != h {
		r.pix = image.NewRGBA(image.Rect(0, 0, w, h))
	}
	v.compose(r.pix, &r.scratch, r.bg)
	if v.vm.Pair.Mode == PicturesOff {
		pixelGrid(r.pix, v.frameCamera(), v.picture())
		light(r.pix, v.frameCamera(), v.vm.Found, v.vm.FoundAt, r.ink)
	}
	return r.pix
}

// drawNumbers is the generator of the numbers over the frame.
func (r *renderer) drawNumbers(w, h int) image.Image {
	if r.figures == nil || r.figures.Rect.Dx() != w || r.figures.Rect.Dy() != h {
		r.figures = image.NewRGBA(image.Rect(0, 0, w, h))
	}
	overlay.ComposeNumbers(r.figures, r.v.vm.Scene, r.v.frameCamera())
	return r.figures
}

// numbered reports whether the picture shows numbers.
func (v *View) numbered() bool {
	return v.vm.Scene != nil && v.vm.Layers.Labels && v.vm.Pair.Mode == PicturesOff
}

// frameCamera is the camera with the density of the display.
func (v *View) frameCamera() overlay.Camera {
	c := v.cam
	c.Density = v.scale
	return c
}

// update places every object for the current state.
func (r *renderer) update() {
	v := r.v
	th := v.Theme()
	size := v.Size()
	r.bg = look.RGBA(th, look.ColorStage)
	r.ink = ink{line: look.RGBA(th, look.ColorWarn), halo: look.RGBA(th, look.ColorMarkHalo),
		now: look.RGBA(th, look.ColorMark)}
	r.objects, r.plates = append(r.objects[:0], r.raster), r.plates[:0]
	if v.picture() == (image.Point{}) {
		r.placeEmpty(size)
	} else {
		if v.vm.Pair.Mode == PicturesOff {
			r.placeEdge()
		}
		if v.vm.Pair.Mode != PicturesBeside {
			r.placeHover(th)
			r.placeSelection(th)
		}
		r.placePoints(th)
		r.placePoint(th)
		if v.numbered() {
			r.objects = append(r.objects, r.numbers)
		}
		r.objects = append(r.objects, r.plates...)
		r.placeSides(th, size)
		r.placePills(th, size)
	}
	if v.vm.Busy != "" {
		r.line.FillColor = look.RGBA(th, look.ColorAccent)
		r.line.Move(fyne.Position{})
		r.line.Resize(fyne.NewSize(size.Width, 2))
		r.objects = append(r.objects, r.line)
	}
	if v.focused {
		r.focus.FillColor, r.focus.StrokeWidth = color.Transparent, 1
		r.focus.StrokeColor = look.RGBA(th, theme.ColorNameFocus)
		r.focus.Resize(size)
		r.objects = append(r.objects, r.focus)
	}
	for _, o := range r.objects[1:] {
		if o != fyne.CanvasObject(r.numbers) { // only with its frame
			o.Refresh()
		}
	}
}

func (r *renderer) placeEmpty(size fyne.Size) {
	if start := r.v.vm.Start; start[0].Text != "" {
		parts.SayStart(r.empty, start)
	} else {
		parts.SayEmpty(r.empty, r.v.vm.Empty)
	}
	w := float32(math.Max(40, math.Min(float64(size.Width)-32, 460)))
	r.empty.Resize(fyne.NewSize(w, r.empty.Size().Height))
	h := r.empty.MinSize().Height
	r.empty.Resize(fyne.NewSize(w, h))
	r.empty.Move(fyne.NewPos((size.Width-w)/2, float32(math.Max(8, float64(size.Height-h)/2.2))))
	r.objects = append(r.objects, r.empty)
}

// units maps a rectangle in device px to Fyne units, cut to a little beyond the
// view.
func (v *View) units(r image.Rectangle) (fyne.Position, fyne.Size) {
	a := image.Rectangle{Max: v.area()}.Inset(-int(beyond * v.scale))
	r = r.Intersect(a)
	s := float32(v.scale)
	return fyne.NewPos(float32(r.Min.X)/s, float32(r.Min.Y)/s), fyne.NewSize(float32(r.Dx())/s, float32(r.Dy())/s)
}

// outline places a rectangle whose line of that width runs around the outside of
// the place, at a distance.
func outline(o *canvas.Rectangle, at fyne.Position, size fyne.Size, away, width float32) {
	// Fyne draws a line inside of the object's edge.
	d := away + width
	o.StrokeWidth = width
	o.Move(fyne.NewPos(at.X-d, at.Y-d))
	o.Resize(fyne.NewSize(size.Width+2*d, size.Height+2*d))
}

// placeEdge sets the picture off from the ground: a hairline and a soft shadow.
func (r *renderer) placeEdge() {
	v := r.v
	at, size := v.units(v.frameCamera().Rect(image.Rectangle{Max: v.picture()}))
	for i, o := range r.rings {
		o.FillColor = color.Transparent
		if i == 0 {
			o.StrokeColor = look.RGBA(v.Theme(), look.ColorLine)
			outline(o, at, size, 0, 1)
		} else {
			o.StrokeColor = color.NRGBA{A: uint8(34 / i)}
			o.CornerRadius = float32(2 * i)
			outline(o, at.AddXY(0, 1), size, float32(2*i-1), 2)
		}
		r.objects = append(r.objects, o)
	}
}

// rects are the boxes of a mark in view, or of an element without one, in device px.
func (r *renderer) rects(ref int, o core.Outline) []image.Rectangle {
	m := r.v.mark(ref)
	if m == nil {
		box := screen(r.v.frameCamera(), o.Box)
		if o.Box.Empty() || !box.Overlaps(image.Rectangle{Max: r.v.area()}) {
			return nil
		}
		return []image.Rectangle{box}
	}
	out := r.v.vm.Scene.ScreenRects(m, r.v.frameCamera(), r.v.area())
	return out[:min(len(out), maxRects)]
}

func (r *renderer) placeHover(th fyne.Theme) {
	if r.v.vm.Hover == r.v.vm.Selected && r.v.vm.Pointed == r.v.vm.Chosen {
		return
	}
	for i, box := range r.rects(r.v.vm.Hover, r.v.vm.Pointed) {
		if i == len(r.hover) {
			r.hover = append(r.hover, canvas.NewRectangle(nil))
		}
		o := r.hover[i]
		o.FillColor = color.Transparent
		if m := r.v.mark(r.v.vm.Hover); m != nil && m.Status != overlay.Container { // not the whole page
			o.FillColor = look.RGBA(th, look.ColorMarkGlow)
		}
		o.StrokeColor = look.RGBA(th, look.ColorMark)
		at, size := r.v.units(box)
		outline(o, at, size, -1, 2)
		r.objects = append(r.objects, o)
		if m := r.v.mark(r.v.vm.Hover); i == 0 && m != nil && (!r.v.numbered() || r.labelOf(m).Empty()) {
			r.placePlate(th, r.hovered, m.Ref, core.Outline{}, box)
		}
	}
}

// labelOf is the place of a mark's label in this frame, empty where it has no room.
func (r *renderer) labelOf(m *overlay.Mark) image.Rectangle {
	return r.v.vm.Scene.ScreenLabel(m, r.v.frameCamera(), r.v.area())
}

func (r *renderer) placeSelection(th fyne.Theme) {
	v := r.v
	boxes := r.rects(v.vm.Selected, v.vm.Chosen)
	for i, box := range boxes {
		for len(r.chosen) < (i+1)*(glows+2) {
			r.chosen = append(r.chosen, canvas.NewRectangle(nil))
		}
		at, size := v.units(box)
		set := r.chosen[i*(glows+2) : (i+1)*(glows+2)]
		glow := look.RGBA(th, look.ColorMarkGlow)
		for k, o := range set[:glows] { // widest first
			o.StrokeColor, o.FillColor = fade(glow, k+1, glows), color.Transparent
			o.CornerRadius = float32(2 * (glows - k))
			outline(o, at, size, float32(2*(glows-k)), 3)
		}
		halo, line := set[glows], set[glows+1]
		halo.StrokeColor, halo.FillColor = look.RGBA(th, look.ColorMarkHalo), color.Transparent
		outline(halo, at, size, 1, 2)
		line.StrokeColor, line.FillColor = look.RGBA(th, look.ColorMark), color.Transparent
		outline(line, at, size, -2, 3)
		for _, o := range set {
			r.objects = append(r.objects, o)
		}
	}
	if len(boxes) == 0 {
		return
	}
	r.placePlate(th, r.plate, v.vm.Selected, v.vm.Chosen, boxes[0])
}

// placePlate draws the number of a mark in the accent colour, or the tag of an element
// without one: where its label is, or where it covers no label of this frame.
func (r *renderer) placePlate(th fyne.Theme, p *plate, ref int, o core.Outline, box image.Rectangle) {
	v := r.v
	cam, area := v.frameCamera(), v.area()
	switch m := v.mark(ref); {
	case m != nil:
		p.number = v.vm.Scene.PlateOf(m, cam, area)
	case v.vm.Scene != nil && ref == 0:
		p.number = v.vm.Scene.PlateAt(box, o.Label, cam, area)
	default:
		p.number = overlay.Plate{}
	}
	if p.number.Rect.Empty() {
		return
	}
	p.ground, p.ink, p.halo = look.RGBA(th, look.ColorMarkPlate), look.RGBA(th, look.ColorMarkText),
		look.RGBA(th, look.ColorMarkHalo)
	pos, size := v.units(p.number.Bounds())
	p.raster.Move(pos)
	p.raster.Resize(size)
	r.plates = append(r.plates, p.raster)
}

// placePills shows the number being typed, where the selection is when it is not
// on the picture, and what runs.
func (r *renderer) placePills(th fyne.Theme, size fyne.Size) {
	v := r.v
	top := v.head() + 12
	head := func(p *pill, text string, warn bool) {
		r.objects = append(r.objects, p.place(th, text, warn, func(s fyne.Size) fyne.Position {
			x, y := (size.Width-s.Width)/2, top
			top += s.Height + 6
			r.heads = append(r.heads, r.px(fyne.NewPos(x, y), s))
			return fyne.NewPos(x, y)
		})...)
	}
	r.heads = r.heads[:0]
	if v.vm.Badge != "" {
		head(r.badge, v.vm.Badge, true)
	}
	if v.vm.Busy != "" {
		head(r.busy, v.vm.Busy, false)
	}
	if v.typed != "" {
		text := "Go to " + v.typed + " · Enter"
		if v.typed == asking {
			text = "Go to mark: type its number, then Enter"
		}
		if v.missing {
			text = "No mark " + v.typed + " on this picture"
		}
		r.objects = append(r.objects, r.typed.place(th, text, v.missing, func(s fyne.Size) fyne.Position {
			return fyne.NewPos((size.Width-s.Width)/2, size.Height-s.Height-14)
		})...)
	} else if text, warn := v.remark(); text != "" {
		r.objects = append(r.objects, r.away.place(th, text, warn, func(s fyne.Size) fyne.Position {
			return r.foot(size, s)
		})...)
	}
}

// px is a place in device px.
func (r *renderer) px(at fyne.Position, size fyne.Size) image.Rectangle {
	k := float32(r.v.scale)
	return image.Rect(int(at.X*k), int(at.Y*k), int((at.X+size.Width)*k), int((at.Y+size.Height)*k))
}

// head is the height of the notice about what covers the page, which lies over the top of the picture; 0 without one.
func (v *View) head() float32 {
	if v.vm.Cover.Text == "" {
		return 0
	}
	return coverHigh
}

// foot is where a sentence stands at the foot of the picture: in its middle, else where it hides fewer numbers, in the
// corners or at the head. It lies on no other sentence.
func (r *renderer) foot(size, words fyne.Size) fyne.Position {
	const edge = 14
	high, low, right := r.v.head()+edge, size.Height-words.Height-edge, size.Width-words.Width
	places := []fyne.Position{{X: right / 2, Y: low}, {X: edge, Y: low}, {X: right - edge, Y: low},
		{X: right / 2, Y: low - words.Height - 6}, {X: right / 2, Y: high}, {X: edge, Y: high},
		{X: right - edge, Y: high}}
	places = slices.DeleteFunc(places, func(at fyne.Position) bool {
		return slices.ContainsFunc(r.heads, r.px(at, words).Overlaps)
	})
	pos, ok := r.clearest(places, words, r.numberBoxes(), nil)
	if !ok {
		return fyne.NewPos(right/2, low)
	}
	return pos
}

// remark is the sentence at the bottom: where the chosen element is when it is not on
// the picture, or what covers the one that is pointed at. warn highlights it.
func (v *View) remark() (text string, warn bool) {
	switch {
	case v.vm.Missing != "" && v.vm.Hover == 0:
		return v.vm.Missing, true
	case v.vm.Hover == 0 || v.vm.Caption == "":
		if text := v.whereabouts(); text != "" {
			return text, false
		}
	}
	return v.vm.Caption, true
}

// whereabouts describes where the selected element is when it is not on the picture.
func (v *View) whereabouts() string {
	m := v.mark(v.vm.Selected)
	if m == nil || len(m.Rects) > 0 {
		return ""
	}
	if m.Direction == "" {
		return v.vm.Numbers.Text(m.Ref) + " is not visible"
	}
	return fmt.Sprintf("%s is outside the picture: %.0f px %s", v.vm.Numbers.Text(m.Ref), m.Distance, m.Direction)
}

// fade is a colour at n of m parts of its strength.
func fade(c color.RGBA, n, m int) color.RGBA {
	f := func(v uint8) uint8 { return uint8(int(v) * n / m) }
	return color.RGBA{f(c.R), f(c.G), f(c.B), f(c.A)}
}
