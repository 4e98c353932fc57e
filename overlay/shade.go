package overlay

import (
	"image"
	"math/bits"
	"slices"

	"github.com/refscope/refscope/overlay/geometry"
	"github.com/refscope/refscope/snapshot"
)

// What is shaded in the view for a person. Each kind has a pattern of its own and
// not only a colour.
const (
	shadeCovered  = iota // a click does not arrive
	shadeGlass           // hidden from a person, and a click arrives
	shadeCut             // along the side on which an element continues off-screen
	shadeMissed          // seen by a person, and not told to the reader: Options.Missed
	shadeFiltered        // left out by a filter: Options.Filtered
	shades
)

// bandPx is how wide the shade along the edge of what lies over an element is, in px of the
// picture: what lies over it, and what shows through that, stays as readable as it is.
// rimPx is how wide it is where words leave no room for it.
const (
	bandPx = 9
	rimPx  = 2
)

// wideShade: what was missed or left out and takes more than this part of the picture, as a map or a mask does, has a
// band along its edge, so that what lies in it stays readable.
const wideShade = 4

// cutPx is how wide the shade along a cut side is, at most a quarter of the
// element.
const cutPx = 8

// shade finds the parts of the picture to be shaded. No px has two shades: a
// covered part goes before one behind glass, both before a cut side, and all before what was left out or missed.
func (s *Scene) shade() {
	var parts [shades][]image.Rectangle
	words := s.textRects()
	parts[shadeCovered] = s.coveredParts()
	picture := image.Rectangle{Max: s.size}
	for i := range s.marks {
		m := &s.marks[i]
		if !m.shown(s.options.View) {
			continue
		}
		if m.Glass {
			parts[shadeGlass] = s.behindGlass(parts[shadeGlass], m, words)
		}
		if len(m.Cut) > 0 && m.Status != Covered && !s.capture.Nodes[m.pos].Container() {
			parts[shadeCut] = m.cutSides(parts[shadeCut], s.px(cutPx), picture)
		}
	}
	for shade, boxes := range map[int][]snapshot.Box{shadeMissed: s.options.Missed, shadeFiltered: s.options.Filtered} {
		for _, b := range boxes {
			in, ok := sane(b)
			if !ok {
				continue
			}
			r := s.scale.rect(in).Intersect(picture)
			if part := wideShade * areas([]image.Rectangle{r}); part > areas([]image.Rectangle{picture}) {
				parts[shade] = band(parts[shade], []image.Rectangle{r}, r, s.px(bandPx))
				continue
			}
			parts[shade] = append(parts[shade], r)
		}
	}
	without := words
	for k := range parts {
		s.shaded[k] = disjoint(parts[k], without, s.size)
		if k == shadeCovered {
			// what is behind glass has a rim on words, cut sides are where words end, and words are missed
			without = nil
		}
		without = append(without, s.shaded[k]...)
	}
}

// textRects are the lines of text that a person sees, which no shade of what is covered lies on.
func (s *Scene) textRects() []image.Rectangle {
	p := &placement{s: s, picture: image.Rectangle{Max: s.size}}
	p.gatherTexts()
	return p.texts.rects
}

// band is what is shaded of the covered parts of a box r: a band of so many px inside of them,
// along the edge where the element and what covers it meet. Of a box that is covered as a whole
// it is the band inside of its own edge, which takes a quarter of its sides at most.
func band(parts []image.Rectangle, covered []image.Rectangle, r image.Rectangle, wide int) []image.Rectangle {
	free := less([]image.Rectangle{r}, covered)
	if len(free) == 0 {
		w := min(wide, (r.Dx()+3)/4, (r.Dy()+3)/4)
		return without(parts, r, r.Inset(w))
	}
	for _, f := range free {
		f = f.Inset(-wide)
		for _, c := range covered {
			if in := f.Intersect(c); !in.Empty() {
				parts = append(parts, in)
			}
		}
	}
	return parts
}

// less is what holes leave of rectangles, which it does not change.
func less(list, holes []image.Rectangle) []image.Rectangle {
	for _, h := range holes {
		if !slices.ContainsFunc(list, h.Overlaps) {
			continue
		}
		var rest []image.Rectangle
		for _, r := range list {
			rest = without(rest, r, h)
		}
		list = rest
	}
	return list
}

// without appends r less hole, in up to four parts.
func without(list []image.Rectangle, r, hole image.Rectangle) []image.Rectangle {
	hole = hole.Intersect(r)
	if hole.Empty() {
		return append(list, r)
	}
	for _, part := range [4]image.Rectangle{
		image.Rect(r.Min.X, r.Min.Y, r.Max.X, hole.Min.Y), image.Rect(r.Min.X, hole.Max.Y, r.Max.X, r.Max.Y),
		image.Rect(r.Min.X, hole.Min.Y, hole.Min.X, hole.Max.Y), image.Rect(hole.Max.X, hole.Min.Y,
			r.Max.X, hole.Max.Y),
	} {
		if !part.Empty() {
			list = append(list, part)
		}
	}
	return list
}

// behindGlass adds what is shaded of a mark that a layer hides which ignores the pointer: a band
// along the edge where the two boxes meet, without the words on it. Hit tests pass through such
// a layer, so its box is all there is to go by.
func (s *Scene) behindGlass(parts []image.Rectangle, m *Mark, words []image.Rectangle) []image.Rectangle {
	layer := s.tree.pos(m.CovererNode)
	if layer < 0 || s.tree.contains(layer, m.pos) {
		return parts
	}
	box, ok := sane(s.capture.Nodes[layer].VisibleBox())
	if !ok {
		return parts
	}
	over := s.scale.rect(box).Intersect(image.Rectangle{Max: s.size})
	for _, r := range m.Rects {
		in := r.Intersect(over)
		if in.Empty() {
			continue
		}
		whole := band(nil, []image.Rectangle{in}, r, s.px(bandPx))
		left := less(whole, words)
		if 4*areas(left) < areas(whole) { // words, as in a link, leave no room for a sign
			left = band(left, []image.Rectangle{in}, r, s.px(rimPx))
		}
		parts = append(parts, left...)
	}
	return parts
}

// areas is the sum of the px of rectangles.
func areas(list []image.Rectangle) int {
	sum := 0
	for _, r := range list {
		sum += geometry.Area(r)
	}
	return sum
}

// cutSides adds the bands along the sides on which a mark continues.
func (m *Mark) cutSides(parts []image.Rectangle, wide int, picture image.Rectangle) []image.Rectangle {
	around := bounds(m.Rects).Intersect(picture)
	for _, r := range m.Rects {
		r = r.Intersect(picture)
		w, h := min(wide, (r.Dx()+3)/4), min(wide, (r.Dy()+3)/4)
		for _, side := range m.Cut {
			band := r
			switch side {
			case "top":
				band.Max.Y = min(r.Max.Y, around.Min.Y+h)
			case "bottom":
				band.Min.Y = max(r.Min.Y, around.Max.Y-h)
			case "left":
				band.Max.X = min(r.Max.X, around.Min.X+w)
			case "right":
				band.Min.X = max(r.Min.X, around.Max.X-w)
			}
			if !band.Empty() {
				parts = append(parts, band)
			}
		}
	}
	return parts
}

// coverWord is what lies over an element in a word, "" for nothing.
func coverWord(o *snapshot.Occlusion) string {
	switch {
	case o == nil:
		return ""
	case o.State == snapshot.Covered:
		return "covered"
	case o.State == snapshot.Partly:
		return "partly covered"
	case o.ClickThrough:
		return "behind glass"
	}
	return ""
}

// coveredParts finds what is shaded of the elements that something covers, in image px: see
// band. The rectangles may overlap.
//
// The evidence is the capture's sample points, each with the element that a hit
// there finds. Where that element, or one around it, has a box that explains the
// point and none that contradicts it, the part is where the two boxes meet: that
// is exact. What no box explains is given to the points around: each small cell
// of the element goes by the sample nearest to it.
func (s *Scene) coveredParts() []image.Rectangle {
	picture := image.Rectangle{Max: s.size}
	var parts []image.Rectangle
	for i := range s.marks {
		m := &s.marks[i]
		o := s.capture.Nodes[m.pos].Occlusion
		if o == nil || o.State == snapshot.Clear || !m.shown(s.options.View) {
			continue
		}
		for _, r := range m.Rects {
			if in := r.Intersect(picture); !in.Empty() {
				parts = band(parts, s.coveredPart(m, o, in), in, s.px(bandPx))
			}
		}
	}
	return parts
}

// sample is one hit test in image px.
type sample struct {
	at      image.Point
	hit     int // node position, -1 for none known
	covered bool
}

func (s *Scene) coveredPart(m *Mark, o *snapshot.Occlusion, r image.Rectangle) []image.Rectangle {
	var parts []image.Rectangle
	var all []sample
	loose, around := 0, 0
	for _, p := range o.Points {
		box, ok := sane(snapshot.Box{p[0], p[1], 1, 1})
		if !ok {
			continue
		}
		at := s.scale.rect(box).Min
		if !at.In(r.Inset(-2)) {
			continue
		}
		index := int(clamp(p[2], -1, far))
		hit := s.tree.pos(index)
		covered := false
		switch {
		case hit >= 0:
			// What is around the element shows where the element is not painted, as at
			// rounded corners; what lies on it with a box of its own is a target there.
			holds := s.tree.contains(hit, m.pos)
			covered = !s.tree.contains(m.pos, hit) && !holds && !s.liesOn(m, hit)
			if holds && hit != m.pos {
				around++
			}
		case index >= 0:
			covered = !s.mayContain(m.pos, index)
		default:
			covered = o.State == snapshot.Covered
		}
		all = append(all, sample{at, hit, covered})
		if all[len(all)-1].covered {
			loose++
		}
	}
	if len(all) == 0 {
		if o.State != snapshot.Covered {
			return parts
		}
		if o.Coverer != nil { // no points on record: the coverer's box is all there is
			if c := s.tree.pos(*o.Coverer); c >= 0 {
				if box, ok := sane(s.capture.Nodes[c].VisibleBox()); ok {
					if in := s.scale.rect(box).Intersect(r); !in.Empty() {
						return append(parts, in)
					}
				}
			}
		}
		return append(parts, r)
	}
	// No click reaches any of it, as it is inert or lies below what is around it; or nobody knows what covers it.
	if around == len(all) && o.HitShare == 0 || loose == len(all) && o.Coverer == nil {
		return append(parts, r)
	}
	for i := range all {
		if !all[i].covered {
			continue
		}
		if in, ok := s.explain(m, o, all, all[i], r); ok {
			parts = append(parts, in)
			for k := range all {
				if all[k].covered && s.hitsIn(all[k].at, in) {
					all[k].covered = false
					all[k].hit = -2 // explained: neither free nor to be explained
					loose--
				}
			}
		}
	}
	if loose > 0 {
		parts = nearestCells(parts, all, r)
	}
	return parts
}

// liesOn reports whether a hit belongs to another mark that lies wholly on this
// one, such as the button on a product picture. It is drawn and labelled itself;
// a hatch under it would look as if it were covered.
func (s *Scene) liesOn(m *Mark, hit int) bool {
	whole := bounds(m.Rects)
	for hit >= 0 {
		if k, ok := s.markAt[hit]; ok && k != m && k.shown(s.options.View) && len(k.Rects) > 0 {
			return bounds(k.Rects).In(whole)
		}
		up := s.tree.pos(s.capture.Nodes[hit].Parent)
		if up >= hit { // a broken capture: parents come first
			return false
		}
		hit = up
	}
	return false
}

// coversEdge reports whether all that is covered of a mark lies below the line of its box, so that it shows no shade.
func (s *Scene) coversEdge(m *Mark, o *snapshot.Occlusion) bool {
	picture := image.Rectangle{Max: s.size}
	for _, r := range m.Rects {
		inner := r.Inset(s.px(strokeIn + strokeOut))
		for _, part := range s.coveredPart(m, o, r.Intersect(picture)) {
			if inner.Empty() || part.Overlaps(inner) {
				return false
			}
		}
	}
	return true
}

func bounds(rects []image.Rectangle) image.Rectangle {
	var all image.Rectangle
	for _, r := range rects {
		all = all.Union(r)
	}
	return all
}

// mayContain reports whether a node that a filtered capture left out may have
// been inside the node at a position: whether its index lies before that of the
// next node outside.
func (s *Scene) mayContain(pos, index int) bool {
	if index < s.capture.Nodes[pos].I {
		return false
	}
	for q := pos + 1; q < len(s.capture.Nodes); q++ {
		if !s.tree.contains(pos, q) {
			return index < s.capture.Nodes[q].I
		}
	}
	return true
}

// explain finds the box that accounts for a covered point: that of the coverer on
// record where it holds the point, else that of the element hit, else of one
// around that. It must not hold a point where the element itself is on top.
func (s *Scene) explain(
	m *Mark, o *snapshot.Occlusion, all []sample, at sample, r image.Rectangle,
) (image.Rectangle, bool) {
	try := func(pos int) (image.Rectangle, bool) {
		if pos < 0 || s.tree.contains(pos, m.pos) {
			return image.Rectangle{}, false // what holds the element cannot lie over it
		}
		box, ok := sane(s.capture.Nodes[pos].VisibleBox())
		if !ok {
			return image.Rectangle{}, false
		}
		in := s.scale.rect(box).Intersect(r)
		if in.Empty() || !s.hitsIn(at.at, in) {
			return image.Rectangle{}, false
		}
		for _, p := range all {
			if !p.covered && p.hit != -2 && p.at.In(in) {
				return image.Rectangle{}, false
			}
		}
		return in, true
	}
	if o.Coverer != nil {
		if in, ok := try(s.tree.pos(*o.Coverer)); ok {
			return in, true
		}
	}
	for pos := at.hit; pos >= 0; pos = int(s.tree.parent[pos]) {
		if in, ok := try(pos); ok {
			return in, true
		}
	}
	return image.Rectangle{}, false
}

// hitsIn reports whether a hit at a point can be on a rectangle: Chrome tests the whole CSS px that begins at the
// point, so a hit on an element lies up to one before its box.
func (s *Scene) hitsIn(at image.Point, r image.Rectangle) bool {
	px := s.scale.rect(snapshot.Box{0, 0, 1, 1}).Size()
	return at.In(image.Rectangle{r.Min.Sub(px), r.Max})
}

// nearestCells cuts a box into cells of a few px and adds those whose nearest
// sample is covered, joined along rows.
func nearestCells(parts []image.Rectangle, all []sample, r image.Rectangle) []image.Rectangle {
	const along = 24 // cells in each direction at most
	cw, ch := max(2, (r.Dx()+along-1)/along), max(2, (r.Dy()+along-1)/along)
	for y := r.Min.Y; y < r.Max.Y; y += ch {
		row := image.Rectangle{}
		for x := r.Min.X; x < r.Max.X; x += cw {
			cell := image.Rect(x, y, x+cw, y+ch).Intersect(r)
			mid := cell.Min.Add(cell.Max).Div(2)
			best, covered := 0, false
			for k, p := range all {
				// Distance counts in proportion to the box: samples are spread over it.
				dx, dy := (p.at.X-mid.X)*r.Dy(), (p.at.Y-mid.Y)*r.Dx()
				if d := dx*dx + dy*dy; k == 0 || d < best {
					best, covered = d, p.covered
				}
			}
			switch {
			case !covered:
				if !row.Empty() {
					parts = append(parts, row)
				}
				row = image.Rectangle{}
			case row.Empty():
				row = cell
			default:
				row = row.Union(cell)
			}
		}
		if !row.Empty() {
			parts = append(parts, row)
		}
	}
	return parts
}

// disjoint is the union of rectangles within the picture, less those of without,
// as rectangles that do not overlap, so that a see-through fill lies everywhere
// once. It sets one bit for each px, a word at a time, and reads the bits back as
// runs that grow downwards while rows are equal.
func disjoint(parts, without []image.Rectangle, size image.Point) []image.Rectangle {
	if len(parts) == 0 {
		return nil
	}
	words := (size.X + 63) / 64
	mask := make([]uint64, words*size.Y)
	mark := func(rects []image.Rectangle, set bool) {
		for _, r := range rects {
			r = r.Intersect(image.Rectangle{Max: size})
			if r.Empty() {
				continue
			}
			w0, w1 := r.Min.X/64, (r.Max.X-1)/64
			first, last := ^uint64(0)<<(r.Min.X%64), ^uint64(0)>>(63-(r.Max.X-1)%64)
			for y := r.Min.Y; y < r.Max.Y; y++ {
				row := mask[y*words : (y+1)*words]
				for w := w0; w <= w1; w++ {
					v := ^uint64(0)
					if w == w0 {
						v &= first
					}
					if w == w1 {
						v &= last
					}
					if set {
						row[w] |= v
					} else {
						row[w] &^= v
					}
				}
			}
		}
	}
	mark(parts, true)
	mark(without, false)
	var out []image.Rectangle
	for y := 0; y < size.Y; {
		row := mask[y*words : (y+1)*words]
		end := y + 1
		for end < size.Y && slices.Equal(row, mask[end*words:(end+1)*words]) {
			end++
		}
		for x := 0; x < size.X; {
			x = nextBit(row, x, true)
			if x >= size.X {
				break
			}
			stop := min(nextBit(row, x, false), size.X)
			out = append(out, image.Rect(x, y, stop, end))
			x = stop
		}
		y = end
	}
	return out
}

// nextBit is the first position from x on with that bit, or the length.
func nextBit(row []uint64, x int, set bool) int {
	for w := x / 64; w < len(row); w++ {
		v := row[w]
		if !set {
			v = ^v
		}
		if w == x/64 {
			v &= ^uint64(0) << (x % 64)
		}
		if v != 0 {
			return w*64 + bits.TrailingZeros64(v)
		}
	}
	return len(row) * 64
}
