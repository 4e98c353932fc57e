package overlay

import (
	"fmt"
	"image"
	"slices"

	"golang.org/x/image/font/gofont/gomonobold"

	"github.com/refscope/refscope/overlay/atlas"
	"github.com/refscope/refscope/snapshot"
)

// ManyMarks is the number of marks on one picture from which on people and models lose
// their way (som.md 6).
const ManyMarks = 150

const (
	regionMargin = 16 // px that a region shows of its neighbours
	regionLeast  = 64 // px that a region is wide and high at least
	regionScale  = 2  // times that a region is enlarged at most
	regionRounds = 6  // times that crowded parts are cut again at most
	leastMarks   = 16 // marks that a region has at least where it is cut again
)

// region is a part of the picture with the boxes of the marks that it is about.
type region struct {
	rect  image.Rectangle
	boxes []image.Rectangle
}

// Regions cuts a picture of that size in px into parts with at most so many marks each, for
// [NewTiling]: a page that is too crowded for one picture, by what is on it. Each cut is
// where it goes through the fewest boxes and leaves a third of the marks on either side; parts
// show a little of their neighbours, and no empty ground around what is on them. A part in which a number lacks
// room, or is as near to another box, is cut again, until its halves cannot be enlarged further. Fit is the size at
// which a model sees a picture of a size, nil for its own. A picture with no more marks than that, all of them
// with a clear number, is one part, and so is one whose parts would leave more of them without.
// Marks that lie on each other cannot be parted, so a part may have more in the end.
func Regions(
	c *snapshot.Capture, size image.Point, o Options, most int, fit func(image.Point) image.Point,
) []image.Rectangle {
	s := NewScene(c, size, o)
	picture := image.Rectangle{Max: s.size}
	whole := region{rect: picture}
	for i := range s.marks {
		if m := &s.marks[i]; m.shown(s.options.View) {
			if r := m.Rects[0].Intersect(picture); !r.Empty() {
				whole.boxes = append(whole.boxes, r)
			}
		}
	}
	regions := whole.cut(most)
	few := len(regions) == 1
	if few && s.crowded() {
		regions = whole.cut(max(leastMarks, len(whole.boxes)-1))
	}
	if len(regions) == 1 {
		return []image.Rectangle{picture}
	}
	painted := s.painted()
	for range regionRounds {
		parts := partsOf(regions, painted, picture)
		t := NewTiling(c, size, parts, func(p image.Point) image.Point {
			if p = Enlarged(p); fit != nil {
				p = fit(p)
			}
			return p
		}, o)
		var next []region
		for k, r := range regions {
			n := len(r.boxes)
			if n >= leastMarks && enlargement(parts[k].Size()) < regionScale && t.tiles[k].Scene.crowded() {
				next = append(next, r.cut(n-1)...)
			} else {
				next = append(next, r)
			}
		}
		if len(next) == len(regions) {
			left := 0
			for k := range t.tiles {
				left += t.tiles[k].Scene.quality().LeftOut
			}
			if few && left > s.quality().LeftOut { // a margin of the whole had room that a part has not
				return []image.Rectangle{picture}
			}
			return parts
		}
		regions = next
	}
	return partsOf(regions, painted, picture)
}

// crowded reports whether a number lacks room, found it far from its box alone, or could be read as another element's.
func (s *Scene) crowded() bool {
	q := s.quality()
	return q.LeftOut+q.AsNear+s.forced > 0
}

// cut cuts a region into parts of at most so many marks, as far as that is possible.
func (r region) cut(most int) []region {
	if len(r.boxes) <= max(1, most) {
		return []region{r}
	}
	a, b, ok := halves(r.rect, r.boxes)
	if !ok {
		return []region{r}
	}
	in, rest := region{rect: a}, region{rect: b}
	for _, box := range r.boxes {
		if middle(box).In(a) {
			in.boxes = append(in.boxes, box)
		} else {
			rest.boxes = append(rest.boxes, box)
		}
	}
	return append(in.cut(most), rest.cut(most)...)
}

// painted are the places of marks, text, fields and pictures in px.
func (s *Scene) painted() []image.Rectangle {
	var out []image.Rectangle
	for i := range s.marks {
		if s.marks[i].shown(s.options.View) {
			out = append(out, s.marks[i].Rects...)
		}
	}
	for _, l := range s.textLines() {
		out = append(out, l.rect)
	}
	for p := range s.capture.Nodes {
		n := &s.capture.Nodes[p]
		switch n.Tag {
		case "img", "svg", "canvas", "video", "iframe", "object", "embed":
			if n.InViewport && n.Visible {
				out = append(out, s.boxes(p, n).rects...)
			}
		}
	}
	return out
}

// partsOf are the parts of the picture that show the regions.
func partsOf(regions []region, painted []image.Rectangle, picture image.Rectangle) []image.Rectangle {
	out := make([]image.Rectangle, len(regions))
	for k, r := range regions {
		var on image.Rectangle
		for _, p := range painted {
			on = on.Union(p.Intersect(r.rect))
		}
		if on.Empty() {
			on = r.rect
		}
		out[k] = on.Inset(-regionMargin).Intersect(picture)
	}
	return out
}

func middle(r image.Rectangle) image.Point {
	return image.Pt(floorHalf(r.Min.X+r.Max.X), floorHalf(r.Min.Y+r.Max.Y))
}

// halves cuts a part of the picture in two, false where that is not possible. It is cut across
// its longer side, seen as 16 to 9, if it can be.
func halves(r image.Rectangle, boxes []image.Rectangle) (a, b image.Rectangle, ok bool) {
	upright := 9*r.Dx() < 16*r.Dy()
	for range 2 {
		at, found := cutAt(r, boxes, upright)
		if found && upright {
			return image.Rect(r.Min.X, r.Min.Y, r.Max.X, at), image.Rect(r.Min.X, at, r.Max.X, r.Max.Y), true
		}
		if found {
			return image.Rect(r.Min.X, r.Min.Y, at, r.Max.Y), image.Rect(at, r.Min.Y, r.Max.X, r.Max.Y), true
		}
		upright = !upright
	}
	return r, r, false
}

// cutAt is where a part is cut on one axis: through the fewest boxes, and of such places
// nearest to where half of them are on either side.
func cutAt(r image.Rectangle, boxes []image.Rectangle, vertical bool) (at int, ok bool) {
	if len(boxes) < 2 {
		return 0, false
	}
	span := func(b image.Rectangle) (from, to, mid int) {
		if vertical {
			return b.Min.Y, b.Max.Y, middle(b).Y
		}
		return b.Min.X, b.Max.X, middle(b).X
	}
	mids := make([]int, len(boxes))
	for i, b := range boxes {
		_, _, mids[i] = span(b)
	}
	slices.Sort(mids)
	first, last, _ := span(r)
	lo, hi := max(mids[len(mids)/3], first+regionLeast), min(mids[(2*len(mids)-1)/3]+1, last-regionLeast)
	through := make([]int, max(0, hi-lo+2))
	for _, b := range boxes { // differences: one more from its start on, one less from its end on
		from, to, _ := span(b)
		if from, to = max(from+1, lo), min(to, hi+1); from < to {
			through[from-lo]++
			through[to-lo]--
		}
	}
	best, crossed, n := 0, -1, 0
	half := mids[len(mids)/2]
	for y := lo; y <= hi; y++ {
		n += through[y-lo]
		if crossed < 0 || n < crossed || n == crossed && abs(y-half) < abs(best-half) {
			best, crossed = y, n
		}
	}
	return best, crossed >= 0 && best > mids[0] && best <= mids[len(mids)-1]
}

// Enlarged is the size at which a region is looked at: as large as a tile, but no more than
// twice its own. Labels then take less of the page, and find more room.
func Enlarged(region image.Point) image.Point {
	k := enlargement(region)
	if k <= 1 {
		return region
	}
	return image.Pt(int(float64(region.X)*k), int(float64(region.Y)*k))
}

// enlargement is how many times larger a region is looked at, 1 or less for not at all.
func enlargement(region image.Point) float64 {
	return min(regionScale, float64(TileWidth)/float64(max(1, region.X)), float64(TileHeight)/float64(max(1, region.Y)))
}

// own is a region without what it shows of its neighbours.
func own(r image.Rectangle, size image.Point) image.Rectangle {
	if r.Min.X > 0 {
		r.Min.X += regionMargin
	}
	if r.Min.Y > 0 {
		r.Min.Y += regionMargin
	}
	if r.Max.X < size.X {
		r.Max.X -= regionMargin
	}
	if r.Max.Y < size.Y {
		r.Max.Y -= regionMargin
	}
	return r
}

// DrawIndex paints on the whole picture, at any size, which of the pictures of [Regions] shows
// what: each part in a frame of its own colour with its number from 1, as the manifest and
// the legend count them, and how many marks it has.
func (t *Tiling) DrawIndex(dst *image.RGBA) {
	face, err := atlas.New(gomonobold.TTF, fontPx+2)
	if err != nil {
		return // embedded, so never
	}
	x := float64(dst.Rect.Dx()) / float64(max(1, t.whole.size.X))
	y := float64(dst.Rect.Dy()) / float64(max(1, t.whole.size.Y))
	rects := make([]image.Rectangle, len(t.tiles))
	for k := range t.tiles {
		r := own(t.tiles[k].Rect, t.whole.size)
		rects[k] = scale{x, y}.rect(snapshot.Box{
			float64(r.Min.X), float64(r.Min.Y), float64(r.Dx()), float64(r.Dy()),
		}).Add(dst.Rect.Min).Intersect(dst.Rect.Inset(outerPx + haloPx)) // around what is on it, and in the picture
		c := tints()[k%len(tints())].color
		ring(dst, rects[k].Inset(-outerPx), outerPx+2*haloPx, haloColor)
		ring(dst, rects[k].Inset(-haloPx), outerPx, c)
	}
	for k, r := range rects {
		text := fmt.Sprintf("image %d: %d marks", k+1, len(t.tiles[k].Scene.reading))
		w, h := face.Width(text)+12, face.Height()+6
		plate := image.Rectangle{Min: r.Min, Max: r.Min.Add(image.Pt(w, h))}
		fill(dst, plate.Inset(-haloPx), haloColor)
		fill(dst, plate, tints()[k%len(tints())].color)
		face.Draw(dst, plate.Min.X+6, plate.Min.Y+3+face.Ascent(), text, digitColor)
	}
}
