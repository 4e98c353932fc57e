package overlay

import (
	"image"
	"image/color"
	"math"
	"unicode/utf8"

	"github.com/refscope/refscope/overlay/geometry"
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
// ground of bg, the hatch over what is covered, boxes, and labels. Lines have the same
// size at every zoom, and digits from 100 % on; labels are where [Scene.Arrange] put them.
// p and s may be nil; the scene is one for the pyramid's picture.
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
			lay.draw(strip, l)
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
	by      *Scene // whose arrangement it is of
	exact   bool   // for the very zoom of the camera
	origins []Mark // of the scene, in image px

	boxes   []screenBox // in the order of painting
	labels  []screenLabel
	of      []image.Rectangle // label by mark, empty where there is none
	shaded  [shades][]image.Rectangle
	origin  image.Point     // of the picture, for the phase of the hatch
	picture image.Rectangle // boxes end where the picture does, as in the export
}

type screenBox struct {
	rect image.Rectangle
	look markStyle
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
		letters := &s.window
		if d := cam.density(); d > 1 {
			if s.dense == nil || s.denseBy != d {
				made, _ := newLetterings(float64(d)) // cannot fail: see NewScene
				s.dense, s.denseBy = &made, d
			}
			letters = s.dense
		}
		s.last = s.layout(cam, view, letters)
	}
	return s.last
}

func (s *Scene) layout(cam Camera, view image.Point, letters *letterings) *layout {
	l := s.frame(cam)
	l.view, l.letters = view, letters
	screen := image.Rectangle{Max: view}
	seen := screen.Inset(-(outerPx + 1) * l.density)
	for _, i := range s.order {
		m := &s.marks[i]
		for k := range m.strokes {
			if r := l.stroke(int(i), k); r.Overlaps(seen) {
				l.boxes = append(l.boxes, screenBox{r, s.style(m)})
			}
		}
	}
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

// frame is the geometry of a layout.
func (s *Scene) frame(cam Camera) *layout {
	l := &layout{cam: cam, density: cam.density(), by: s.arrangedFor(cam.zoom()), origins: s.marks}
	l.exact = l.by.zoom == cam.zoom()
	l.origin = image.Pt(cam.screen(-cam.X), cam.screen(-cam.Y))
	return l
}

// rect is where the screen has a rectangle in image px. It is rounded before it is moved,
// so that nothing shifts against its neighbour while the picture is scrolled.
func (l *layout) rect(r image.Rectangle) image.Rectangle {
	return resized(r, l.cam.Scale).Add(l.origin)
}

// stroke is the line of a mark's box on the screen. The px by which it was moved
// to be seen beside others stay px.
func (l *layout) stroke(i, k int) image.Rectangle {
	m := &l.by.marks[i]
	if l.exact {
		return l.up(m.strokes[k])
	}
	r, moved, d := l.rect(l.origins[i].Rects[k]), m.strokes[k], l.density
	r.Min = r.Min.Add(moved.Min.Sub(m.Rects[k].Min).Mul(d).Div(l.by.density))
	r.Max = r.Max.Add(moved.Max.Sub(m.Rects[k].Max).Mul(d).Div(l.by.density))
	return padTo(r, strokeOf(l.cam.zoom(), 1).least*d)
}

// up is where the screen has a rectangle of an arrangement for its very zoom.
func (l *layout) up(r image.Rectangle) image.Rectangle {
	return image.Rectangle{Min: r.Min.Mul(l.density), Max: r.Max.Mul(l.density)}.Add(l.origin)
}

// place puts the labels where they are arranged. Between two arrangements, and where a box
// reaches out of view with its label, only what lies on no other label and reads as no
// other element's is shown.
func (l *layout) place(s *Scene, screen image.Rectangle) {
	l.of = make([]image.Rectangle, len(s.marks))
	used := newOccupancy(l.view, 48*l.density, len(l.by.placed))
	var away []screenLabel // out of view, if only in part
	var whose []int
	for k, i := range l.by.placed {
		m := &l.by.marks[i]
		box := l.stroke(int(i), m.anchor)
		lab := screenLabel{text: m.label, plate: s.plate(m), size: m.size, leader: m.Leader}
		if l.exact {
			lab.rect = l.up(m.Label)
		} else {
			w, h := l.letters[m.size].size(utf8.RuneCountInString(lab.text))
			lab.rect = l.beside(m, box, w, h)
		}
		if lab.leader {
			lab.from, lab.to = leaderLine(lab.rect, box)
		}
		if !lab.rect.In(screen) {
			away, whose = append(away, lab), append(whose, k)
			continue
		}
		if !l.exact && (!used.free(int32(k), lab.rect) || l.misleads(s, int(i), lab.rect)) {
			continue
		}
		l.put(used, k, lab)
	}
	for n, lab := range away {
		if k := whose[n]; !l.follow(s, used, k, screen) && lab.rect.Overlaps(screen) && used.free(int32(k), lab.rect) &&
			(l.exact || !l.misleads(s, int(l.by.placed[k]), lab.rect)) {
			l.put(used, k, lab)
		}
	}
}

func (l *layout) put(used *occupancy, k int, lab screenLabel) {
	used.put(int32(k), lab.rect)
	l.of[l.by.placed[k]] = lab.rect
	l.labels = append(l.labels, lab)
}

// follow puts the label of a box that reaches into view, and whose own place does not, into
// the corner of what is in view of it: someone who looks at a part of a large element at
// 400 % still has its number. It reports whether there was room.
func (l *layout) follow(s *Scene, used *occupancy, k int, screen image.Rectangle) bool {
	i := int(l.by.placed[k])
	m := &l.by.marks[i]
	w, h := l.letters[m.size].size(utf8.RuneCountInString(m.label))
	for j := range m.strokes {
		in := l.stroke(i, j).Intersect(screen).Intersect(l.picture)
		if in.Dx() < 2*w || in.Dy() < 2*h { // a sliver; or its label would be most of it
			continue
		}
		for slot := inTopLeft; slot < slots; slot++ {
			r := geometry.PushInto(slotRect(in, w, h, slot, l.density), in)
			if used.free(int32(k), r) && !l.misleads(s, i, r) {
				l.put(used, k, screenLabel{rect: r, text: m.label, plate: s.plate(m), size: m.size})
				return true
			}
		}
	}
	return false
}

// misleads reports whether a label of a mark reads as another element's on this frame: it
// lies mostly on one and hardly on its own.
func (l *layout) misleads(s *Scene, i int, label image.Rectangle) bool {
	x0, y0 := l.cam.Image(float64(label.Min.X), float64(label.Min.Y))
	x1, y1 := l.cam.Image(float64(label.Max.X), float64(label.Max.Y))
	g := s.shownAt
	c0x, c0y, c1x, c1y, ok := g.span(image.Rect(int(x0), int(y0), int(x1)+1, int(y1)+1))
	if !ok {
		return false
	}
	m := &s.marks[i]
	own, worst, size := 0, 0, geometry.Area(label)
	for y := c0y; y <= c1y; y++ {
		for x := c0x; x <= c1x; x++ {
			c := y*g.nx + x
			for _, h := range g.items[g.start[c]:g.start[c+1]] {
				o := &s.marks[s.hitBy[h]]
				if o != m && (o.Status == Covered || s.tree.contains(o.pos, m.pos)) {
					continue
				}
				r := l.rect(s.hitBox[h])
				switch a := geometry.Common(label, r); {
				case a == 0:
				case o == m:
					own = max(own, a)
				case l.ground(i, s.hitBox[h], s.size) || m.SharesBox > 0 && alike(s.hitBox[h], bounds(m.Rects)):
				default:
					worst = max(worst, a)
				}
			}
		}
	}
	return 5*worst > 3*size && 5*own < size
}

// ground reports whether a box in image px is what the mark lies on: see item.within.
func (l *layout) ground(i int, r image.Rectangle, size image.Point) bool {
	own := l.origins[i].Rects[l.by.marks[i].anchor].Intersect(image.Rectangle{Max: size})
	return own.In(r) && geometry.Area(r) >= 3*geometry.Area(own)
}

// beside is where a label is on the screen beside its box, as it is arranged for another
// zoom: as many px from the same side.
func (l *layout) beside(m *Mark, box image.Rectangle, w, h int) image.Rectangle {
	from := m.strokes[m.anchor]
	far := func(px int) int { return px * l.density / l.by.density }
	axis := func(l0, l1, b0, b1, s0, s1, n int) int {
		switch start, end := l0-b0, b1-l1; {
		case l1 <= b0:
			return s0 - far(b0-l1) - n
		case l0 >= b1:
			return s1 + far(l0-b1)
		case start-end <= 1 && end-start <= 1:
			return floorHalf(s0 + s1 - n)
		case start < end:
			return s0 + far(start)
		default:
			return s1 - far(end) - n
		}
	}
	at := image.Pt(
		axis(m.Label.Min.X, m.Label.Max.X, from.Min.X, from.Max.X, box.Min.X, box.Max.X, w),
		axis(m.Label.Min.Y, m.Label.Max.Y, from.Min.Y, from.Max.Y, box.Min.Y, box.Max.Y, h))
	return image.Rectangle{Min: at, Max: at.Add(image.Pt(w, h))}
}

// draw paints a layout on a strip of the screen.
func (l *layout) draw(strip *image.RGBA, show Layers) {
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
	if show.Boxes && (l.cam.zoom() < thinBelow || l.by != nil && l.by.options.Palette == PaletteCalm) {
		l.thin(inside)
	} else if show.Boxes {
		for i := range l.boxes {
			if !l.boxes[i].look.dashed {
				halo(inside, l.boxes[i].rect, l.density)
			}
		}
		for i := range l.boxes {
			box(inside, l.boxes[i].rect, l.density, l.boxes[i].look)
		}
	}
	if show.Labels {
		l.numbers(strip)
	}
}

// numbers paints the labels of a layout and their lines on a strip of the screen.
func (l *layout) numbers(strip *image.RGBA) {
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

// thin draws the boxes with lines of 1 px, between which there is something to be seen.
func (l *layout) thin(dst *image.RGBA) {
	for i := range l.boxes {
		if !l.boxes[i].look.dashed {
			ring(dst, l.boxes[i].rect.Inset(-haloPx*l.density), haloPx*l.density, haloColor)
		}
	}
	for i := range l.boxes {
		if b := &l.boxes[i]; b.look.dashed {
			dashes(dst, b.rect, l.density, b.look.color)
		} else {
			ring(dst, b.rect, l.density, b.look.color)
		}
	}
}

// ScreenRects are the boxes of a mark on a screen of that size in screen px, for
// a highlight: as they are drawn where the mark is drawn, else where the element
// is. Boxes out of view are left out.
func (s *Scene) ScreenRects(m *Mark, cam Camera, view image.Point) []image.Rectangle {
	if !cam.valid() {
		return nil
	}
	s.mu.Lock()
	l := s.frame(cam)
	s.mu.Unlock()
	i := s.index(m.Ref)
	var out []image.Rectangle
	for k, r := range m.Rects {
		if i >= 0 && len(m.strokes) > 0 {
			r = l.stroke(i, k)
		} else {
			r = l.rect(r)
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
