package picture

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"

	look "github.com/refscope/refscope/gui/theme"
	"github.com/refscope/refscope/overlay"
)

// Two pictures against each other: both are seen by one camera, so that zoom and pan are
// always the same and their top left corners lie on each other.

// pairLine is how wide the line between two pictures is, in device px of a display with
// scale 1.
const pairLine = 2

// compose paints the frame into dst; scratch is kept from frame to frame.
func (v *View) compose(dst *image.RGBA, scratch *[2]*image.RGBA, bg color.RGBA) {
	pair, cam := v.vm.Pair, v.frameCamera()
	now := func(dst *image.RGBA, layers overlay.Layers) {
		overlay.Compose(dst, v.vm.Picture, v.vm.Scene, cam, layers, bg)
	}
	before := func(dst *image.RGBA) {
		overlay.Compose(dst, pair.Before, nil, cam, overlay.Layers{Picture: true}, bg)
	}
	size := dst.Rect.Size()
	line := max(1, int(pairLine*v.scale))
	// Without marks: what is compared are the pictures.
	bare := overlay.Layers{Picture: true}
	switch pair.Mode {
	case PicturesSlider:
		at := int(pair.Share * float64(size.X))
		now(dst, bare)
		if at > 0 {
			left := v.buffer(&scratch[0], image.Pt(at, size.Y))
			before(left)
			draw.Draw(dst, left.Rect, left, image.Point{}, draw.Src)
		}
		v.rule(dst, at-line/2, line)
	case PicturesBeside:
		half := size.X / 2
		left, right := v.buffer(&scratch[0], image.Pt(half, size.Y)), v.buffer(&scratch[1],
			image.Pt(size.X-half, size.Y))
		before(left)
		now(right, bare)
		draw.Draw(dst, left.Rect, left, image.Point{}, draw.Src)
		draw.Draw(dst, image.Rect(half, 0, size.X, size.Y), right, image.Point{}, draw.Src)
		v.rule(dst, half-line/2, line)
	case PicturesOnion:
		before(dst)
		over := v.buffer(&scratch[0], size)
		now(over, bare)
		overlay.Mix(dst, over, pair.Share)
	case PicturesPixels:
		overlay.Compose(dst, pair.Pixels, nil, cam, bare, bg)
	default:
		layers := v.vm.Layers
		layers.Labels = false // they are over what else is drawn: see renderer
		now(dst, layers)
	}
}

// buffer is a picture of that size, the one from before where it fits.
func (v *View) buffer(img **image.RGBA, size image.Point) *image.RGBA {
	if *img == nil || (*img).Rect.Size() != size {
		*img = image.NewRGBA(image.Rectangle{Max: size})
	}
	return *img
}

// rule draws the line between two pictures.
func (v *View) rule(dst *image.RGBA, x, width int) {
	r := image.Rect(x, 0, x+width, dst.Rect.Dy()).Intersect(dst.Rect)
	draw.Draw(dst, r, image.NewUniform(look.RGBA(v.Theme(), look.ColorAccent)), image.Point{}, draw.Src)
}

// fitArea is the room that a picture is fitted into: half of the view where two are
// side by side.
func (v *View) fitArea() image.Point {
	a := v.area()
	if v.vm.Pair.Mode == PicturesBeside {
		a.X /= 2
	}
	return a
}

// screenX is a place in the view, in device px of the picture that it is in: of the right
// one where two are side by side and it is there.
func (v *View) screenX(x float32) float64 {
	at := float64(x) * v.scale
	if half := float64(v.area().X / 2); v.vm.Pair.Mode == PicturesBeside && at >= half {
		at -= half
	}
	return at
}

// splitAt is where the slider's line is, in Fyne units; ok is false where there is none.
func (v *View) splitAt() (x float32, ok bool) {
	return float32(v.vm.Pair.Share) * v.Size().Width, v.vm.Pair.Mode == PicturesSlider
}

// grip is how near to the line of the slider a drag moves it, in Fyne units.
const grip = 14

// slides moves the slider with a drag that began at its line, and reports whether it
// did.
func (v *View) slides(e *fyne.DragEvent) bool {
	x, ok := v.splitAt()
	if !ok || v.on.Split == nil {
		v.sliding = false
		return false
	}
	if !v.sliding && !v.dragging {
		from := e.Position.X - e.Dragged.DX
		v.sliding = from > x-grip && from < x+grip
	}
	v.dragging = true
	if v.sliding {
		v.on.Split(float64(e.Position.X / max(1, v.Size().Width)))
	}
	return v.sliding
}

// pillStrip is how high the foot of the picture is where sentences about what the pointer is over stand, in Fyne units.
const pillStrip = 44

// pointRadius is that of the ring around a click, in Fyne units.
const pointRadius = 11

// point is one place where a step acted, as it is drawn: a ring in a ring, a dot, and
// a word.
type point struct {
	outer, inner, dot *canvas.Circle
	word              *pill
}

// placePoints draws where the steps of the turn acted.
func (r *renderer) placePoints(th fyne.Theme) {
	v := r.v
	if v.vm.Points == nil || v.vm.Pair.Mode != PicturesOff {
		return
	}
	cam, area := v.frameCamera(), v.Size()
	numbers := r.numberBoxes()
	for i, p := range v.vm.Points.Points {
		x, y := float32((p.X-cam.X)*cam.Scale/v.scale), float32((p.Y-cam.Y)*cam.Scale/v.scale)
		if x < -beyond || y < -beyond || x > area.Width+beyond || y > area.Height+beyond {
			continue
		}
		if i == len(r.points) {
			r.points = append(r.points, point{canvas.NewCircle(nil), canvas.NewCircle(nil), canvas.NewCircle(nil),
				newPill()})
		}
		o := r.points[i]
		ring := func(c *canvas.Circle, radius, width float32, name fyne.ThemeColorName) {
			c.FillColor, c.StrokeColor, c.StrokeWidth = color.Transparent, look.RGBA(th, name), width
			c.Move(fyne.NewPos(x-radius, y-radius))
			c.Resize(fyne.NewSize(2*radius, 2*radius))
		}
		ring(o.outer, pointRadius+1.5, 5, look.ColorMarkHalo)
		ink := theme.ColorNameError
		if p.Lands {
			ink = look.ColorAccent
		}
		ring(o.inner, pointRadius, 2.5, ink)
		ring(o.dot, 3, 0, look.ColorMarkHalo)
		o.dot.FillColor = look.RGBA(th, ink)
		r.objects = append(r.objects, o.outer, o.inner, o.dot)
		label := p.Label
		if p.Aimed {
			label = "Click point"
		}
		if label == "" {
			continue
		}
		r.plates = append(r.plates, o.word.place(th, label, true, func(s fyne.Size) fyne.Position { // over all numbers
			return r.besidePoint(fyne.NewPos(x, y), s, numbers, p.X, p.Y)
		})...)
	}
}

// numberBoxes are where numbers stand on the view, in px.
func (r *renderer) numberBoxes() []image.Rectangle {
	v := r.v
	if !v.numbered() {
		return nil
	}
	var out []image.Rectangle
	s, cam := v.vm.Scene, v.frameCamera()
	for i := range s.Marks() {
		if l := s.ScreenLabel(&s.Marks()[i], cam, v.area()); !l.Empty() {
			out = append(out, l)
		}
	}
	return out
}

// besidePoint is where a word of that size stands at a point, which is at x, y of the picture: of the places around it
// that are in view the first that hides the fewest numbers and the least of the element there.
func (r *renderer) besidePoint(at fyne.Position, word fyne.Size, numbers []image.Rectangle,
	x, y float64) fyne.Position {
	v := r.v
	far := float32(pointRadius + 5)
	w, h := v.area().X, v.area().Y
	taken := []image.Rectangle{image.Rect(0, h-int(pillStrip*v.scale), w, h)}
	if s := v.vm.Scene; s != nil {
		if under := s.At(x, y); len(under) > 0 {
			taken = append(taken, s.ScreenRects(under[0], v.frameCamera(), v.area())...)
		}
	}
	places := []fyne.Position{
		{X: far, Y: -word.Height / 2}, {X: -far - word.Width, Y: -word.Height / 2},
		{X: -word.Width / 2, Y: -far - word.Height}, {X: -word.Width / 2, Y: far},
		{X: far, Y: -far - word.Height}, {X: far, Y: far},
		{X: -far - word.Width, Y: -far - word.Height}, {X: -far - word.Width, Y: far},
		{X: -word.Width / 2, Y: -2*far - 2*word.Height}, {X: -word.Width / 2, Y: 2*far + word.Height},
	}
	for i := range places {
		places[i] = at.Add(places[i])
	}
	if best, ok := r.clearest(places, word, numbers, taken); ok {
		return best
	}
	return at.AddXY(far, -word.Height/2) // it is at the edge of a view that is hardly larger than the word
}

// clearest is the first of the places in view where words of that size hide the fewest numbers, and then the least of
// what else is taken; false where none is in view.
func (r *renderer) clearest(places []fyne.Position, words fyne.Size, numbers, taken []image.Rectangle) (
	best fyne.Position, ok bool) {
	const number = 1 << 20 // no area in px weighs as much
	area, least := r.v.Size(), 0
	for _, pos := range places {
		if pos.X < 4 || pos.Y < 4 || pos.X+words.Width > area.Width-4 || pos.Y+words.Height > area.Height-4 {
			continue
		}
		own := r.px(pos, words)
		hidden := 0
		for _, t := range numbers {
			if in := own.Intersect(t); !in.Empty() {
				hidden += number + in.Dx()*in.Dy()
			}
		}
		for _, t := range taken {
			in := own.Intersect(t)
			hidden += in.Dx() * in.Dy()
		}
		if !ok || hidden < least {
			best, least, ok = pos, hidden, true
		}
	}
	return best, ok
}

// placeSides labels the two pictures, while they are compared.
func (r *renderer) placeSides(th fyne.Theme, size fyne.Size) {
	pair := r.v.vm.Pair
	left, right := fmt.Sprintf("turn %d, before", pair.From), fmt.Sprintf("turn %d", pair.To)
	bottom := func(x float32) func(fyne.Size) fyne.Position {
		return func(s fyne.Size) fyne.Position {
			return fyne.NewPos(min(max(6, x-s.Width/2), size.Width-s.Width-6), size.Height-s.Height-14)
		}
	}
	switch pair.Mode {
	case PicturesSlider, PicturesBeside:
		at := size.Width / 2
		if x, ok := r.v.splitAt(); ok {
			at = x
		}
		if at > 110 {
			r.objects = append(r.objects, r.sides[0].place(th, left, false, bottom(at/2))...)
		}
		if size.Width-at > 80 {
			r.objects = append(r.objects, r.sides[1].place(th, right, false, bottom(at+(size.Width-at)/2))...)
		}
	case PicturesOnion:
		text := fmt.Sprintf("turn %d %.0f %% over turn %d", pair.To, pair.Share*100, pair.From)
		r.objects = append(r.objects, r.sides[0].place(th, text, false, bottom(size.Width/2))...)
	case PicturesPixels:
		text := fmt.Sprintf("Pixels that differ between turn %d and turn %d", pair.From, pair.To)
		r.objects = append(r.objects, r.sides[0].place(th, text, false, bottom(size.Width/2))...)
	}
}
