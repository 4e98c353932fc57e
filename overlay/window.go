package overlay

import (
	"image"
	"image/color"
	"math"
	"strconv"
	"unicode/utf8"
)

// Camera is where the window looks from. A screen px is a device px of dst.
type Camera struct {
	Scale float64 // screen px for one image px
	X, Y  float64 // image px at the screen's top left corner
	// Density is device px for one px of Style, so that lines and digits keep
	// their size on a dense screen; it is rounded, and 0 means 1.
	Density float64
}

// maxDensity is the largest density that lines and digits grow with.
const maxDensity = 8

func (c Camera) density() int {
	if d := math.Round(c.Density); d >= 1 && d <= maxDensity {
		return int(d)
	}
	return 1
}

// valid reports whether there is anything to be seen through it.
func (c Camera) valid() bool {
	return c.Scale > 0 && c.Scale < far && math.Abs(c.X) < far && math.Abs(c.Y) < far
}

// screen maps an image coordinate less that of the camera to a screen px edge.
func (c Camera) screen(v float64) int {
	return int(math.Floor(float64(clamp(v*c.Scale, -far, far)) + 0.5))
}

// Rect maps a rectangle from image px to screen px.
func (c Camera) Rect(r image.Rectangle) image.Rectangle {
	return image.Rectangle{
		Min: image.Pt(c.screen(float64(r.Min.X)-c.X), c.screen(float64(r.Min.Y)-c.Y)),
		Max: image.Pt(c.screen(float64(r.Max.X)-c.X), c.screen(float64(r.Max.Y)-c.Y)),
	}
}

// Image maps a point from screen px to image px.
func (c Camera) Image(x, y float64) (float64, float64) { return x/c.Scale + c.X, y/c.Scale + c.Y }

// Layers are what a frame of the window shows.
type Layers struct{ Picture, Boxes, Labels, Occlusion bool }

// Compose paints one frame of the window: the picture as the camera sees it on a
// ground of bg, the hatch over what is covered, boxes, and labels. Lines and
// digits have the same size at every zoom. p and s may be nil; the scene is one
// for the pyramid's picture.
//
// The work depends on the size of dst and the number of marks in view, not on the
// page. Rows are split among the processors, and Compose returns when all are
// done; dst must not be read or written meanwhile. The caller may use one dst for
// all frames.
func Compose(dst *image.RGBA, p *Pyramid, s *Scene, cam Camera, l Layers, bg color.RGBA) {
	if dst.Rect.Empty() {
		return
	}
	if dst.Rect.Min != (image.Point{}) {
		moved := *dst
		moved.Rect = dst.Rect.Sub(dst.Rect.Min)
		dst = &moved
	}
	bg.A = 255
	if !cam.valid() {
		fill(dst, dst.Rect, bg)
		return
	}
	var lay *layout
	if s != nil && (l.Boxes || l.Labels || l.Occlusion) {
		lay = s.layoutFor(cam, dst.Rect.Size())
	}
	var view *sampler
	if p != nil && l.Picture {
		view = newSampler(p, cam, dst.Rect.Size())
	}
	rows(dst.Rect.Dy(), func(from, to int) {
		strip := dst.SubImage(image.Rect(0, from, dst.Rect.Dx(), to)).(*image.RGBA)
		if view != nil {
			view.draw(strip, bg)
		} else {
			fill(strip, strip.Rect, bg)
		}
		if lay != nil {
			lay.draw(strip, s, l)
		}
	})
}

// layout is where the marks of a scene are on one frame of the window, in screen
// px. It never changes once it is made.
type layout struct {
	cam     Camera
	view    image.Point
	density int
	letters *letterings

	boxes   []screenBox // in the order of painting
	labels  []screenLabel
	of      []image.Rectangle // label by mark, empty where there is none
	shaded  [shades][]image.Rectangle
	origin  image.Point     // of the picture, for the phase of the hatch
	picture image.Rectangle // boxes end where the picture does, as in the export
	crowded int
}

type screenBox struct {
	rect image.Rectangle
	look look
}

type screenLabel struct {
	rect     image.Rectangle
	text     string
	plate    color.RGBA
	size     int
	leader   bool
	from, to image.Point
}

// layoutFor is the layout for a camera. The last one is kept: most frames differ
// from the one before in what is selected and in nothing else.
func (s *Scene) layoutFor(cam Camera, view image.Point) *layout {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.last == nil || s.last.cam != cam || s.last.view != view {
		letters := &s.letters
		if d := cam.density(); d > 1 {
			if s.dense == nil || s.denseBy != d {
				made, _ := newLetterings(d) // cannot fail: see NewScene
				s.dense, s.denseBy = &made, d
			}
			letters = s.dense
		}
		s.last = s.layout(cam, view, letters)
	}
	return s.last
}

func (s *Scene) layout(cam Camera, view image.Point, letters *letterings) *layout {
	l := &layout{cam: cam, view: view, density: cam.density(), letters: letters}
	screen := image.Rectangle{Max: view}
	seen := screen.Inset(-outerPx * l.density)
	for _, i := range s.order {
		m := &s.marks[i]
		for k := range m.strokes {
			if r := l.stroke(m, k); r.Overlaps(seen) {
				l.boxes = append(l.boxes, screenBox{r, s.look(m)})
			}
		}
	}
	l.origin = image.Pt(cam.screen(-cam.X), cam.screen(-cam.Y))
	l.picture = cam.Rect(image.Rectangle{Max: s.Size()})
	for k, rects := range s.shaded {
		for _, r := range rects {
			if r = cam.Rect(r); r.Overlaps(screen) {
				l.shaded[k] = append(l.shaded[k], r)
			}
		}
	}
	l.place(s, screen)
	return l
}

// stroke is the line of a mark's box on the screen. The px by which it was moved
// to be seen beside others stay px.
func (l *layout) stroke(m *Mark, k int) image.Rectangle {
	r, exact := l.cam.Rect(m.Rects[k]), m.Rects[k]
	moved := m.strokes[k]
	d := l.density
	r.Min = r.Min.Add(moved.Min.Sub(exact.Min).Mul(d))
	r.Max = r.Max.Add(moved.Max.Sub(exact.Max).Mul(d))
	least := minTarget * d
	if l.cam.Scale < float64(d) { // zoomed out, padding would bury the neighbours
		least = max(3*d, int(minTarget*l.cam.Scale))
	}
	return padTo(r, least)
}

// place puts the labels: where the scene has them relative to their boxes, and
// where that is taken at this zoom, in the first slot that is free. A label for
// which there is none is left out of the frame and counted; zooming in brings it
// back.
func (l *layout) place(s *Scene, screen image.Rectangle) {
	l.of = make([]image.Rectangle, len(s.marks))
	used := newOccupancy(l.view, 48*l.density, len(s.placed))
	for k, i := range s.placed {
		m := &s.marks[i]
		box, at := image.Rectangle{}, m.anchor
		for j := range m.strokes { // the first line of a wrapped link that is in view
			if r := l.stroke(m, j).Intersect(l.picture); r.Overlaps(screen) {
				box, at = r, j
				break
			}
		}
		if box.Empty() {
			continue
		}
		in := box.Intersect(screen)
		lab := screenLabel{text: m.label, plate: s.look(m).color, size: m.size}
		ok := false
		free := func(r image.Rectangle) bool {
			lab.rect = r
			ok = r.In(screen) && used.free(int32(k), r)
			return ok
		}
		w, h := l.letters[m.size].size(utf8.RuneCountInString(lab.text))
		if m.slot == slotLeader && at == m.anchor {
			lab.leader = free(pushInto(l.apart(m, box, w, h), screen))
		}
		if !ok && m.slot != slotLeader {
			free(pushInto(slotRect(in, w, h, m.slot, l.density), screen))
		}
		if !ok && m.named() { // the number alone needs less room
			lab.text = strconv.Itoa(m.Number)
			w, h = l.letters[m.size].size(len(lab.text))
		}
		for slot := 0; !ok && slot < slots; slot++ {
			free(slotRect(in, w, h, slot, l.density))
		}
		if !ok {
			l.crowded++
			continue
		}
		if lab.leader {
			lab.from, lab.to = leaderLine(lab.rect, box)
		}
		used.put(int32(k), lab.rect)
		l.of[i] = lab.rect
		l.labels = append(l.labels, lab)
	}
}

// apart is where a label with a leader is on the screen: as many px from the
// same side of its box as on the picture.
func (l *layout) apart(m *Mark, box image.Rectangle, w, h int) image.Rectangle {
	from, d := m.strokes[m.anchor], l.density
	axis := func(l0, l1, b0, b1, s0, s1, n int) int {
		switch {
		case l1 <= b0:
			return s0 - (b0-l1)*d - n
		case l0 >= b1:
			return s1 + (l0-b1)*d
		}
		return (s0 + s1 - n) / 2
	}
	at := image.Pt(
		axis(m.Label.Min.X, m.Label.Max.X, from.Min.X, from.Max.X, box.Min.X, box.Max.X, w),
		axis(m.Label.Min.Y, m.Label.Max.Y, from.Min.Y, from.Max.Y, box.Min.Y, box.Max.Y, h))
	return image.Rectangle{Min: at, Max: at.Add(image.Pt(w, h))}
}

// draw paints a layout on a strip of the screen.
func (l *layout) draw(strip *image.RGBA, s *Scene, show Layers) {
	inside := strip.SubImage(l.picture).(*image.RGBA)
	if show.Occlusion {
		for k, rects := range l.shaded {
			if len(rects) == 0 {
				continue
			}
			w := newWeave(k, l.density)
			for _, r := range rects {
				pattern(inside, r, &w, l.origin)
			}
		}
	}
	if show.Boxes {
		for i := range l.boxes {
			if !l.boxes[i].look.dashed {
				halo(inside, l.boxes[i].rect, l.density)
			}
		}
		for i := range l.boxes {
			box(inside, l.boxes[i].rect, l.density, l.boxes[i].look)
		}
	}
	if !show.Labels {
		return
	}
	for i := range l.labels {
		if t := &l.labels[i]; t.leader {
			leader(strip, t.from, t.to, l.density, t.plate)
		}
	}
	for i := range l.labels {
		t := &l.labels[i]
		label(strip, &l.letters[t.size], t.rect, t.text, t.plate)
	}
}

// ScreenRects are the boxes of a mark on a screen of that size in screen px, for
// a highlight: as they are drawn where the mark is drawn, else where the element
// is. Boxes out of view are left out.
func (s *Scene) ScreenRects(m *Mark, cam Camera, view image.Point) []image.Rectangle {
	if !cam.valid() {
		return nil
	}
	l := layout{cam: cam, density: cam.density()}
	var out []image.Rectangle
	for k, r := range m.Rects {
		if len(m.strokes) > 0 {
			r = l.stroke(m, k)
		} else {
			r = cam.Rect(r)
		}
		if r.Overlaps(image.Rectangle{Max: view}) {
			out = append(out, r)
		}
	}
	return out
}

// ScreenLabel is the label of a mark on a screen of that size in screen px, empty
// where that frame shows none.
func (s *Scene) ScreenLabel(m *Mark, cam Camera, view image.Point) image.Rectangle {
	if !cam.valid() || view.X <= 0 || view.Y <= 0 {
		return image.Rectangle{}
	}
	i := s.index(m.Ref)
	if i < 0 {
		return image.Rectangle{}
	}
	return s.layoutFor(cam, view).of[i]
}
