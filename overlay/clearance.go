package overlay

import (
	"cmp"
	"image"
	"image/draw"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/refscope/refscope/overlay/geometry"
	"github.com/refscope/refscope/overlay/letter"
	"github.com/refscope/refscope/snapshot"
)

// Where the boxes of the second style lie. The first style draws the line of a box on the
// element's edge, half of it inside; where text reaches the edge, as in every link, the
// line takes the sides of its first and last letter and the feet of all. The second moves
// each side on its own out by as many px as keep letters whole, those of the element and
// those of its neighbours, and a box around another one moves out before the inner one moves in.

const (
	clearPx   = 2 // px that a side moves out where text reaches it: one of them stays free
	clearIn   = 2 // px that it moves in where text outside reaches it, and none inside
	mostClear = 8 // and at most, for the sake of boxes inside

	// The cost of a side, for each px: on letters, next to letters, on another mark's box,
	// and for each px of its length where the box inside has to give way, or that it moves in.
	clearOnText = 16
	clearNear   = 2
	clearOnBox  = 1
	clearInside = 6
	clearInward = 1
)

// textLine is one line of text in the picture with its node.
type textLine struct {
	rect image.Rectangle // px of the picture, as high as its font
	pos  int
}

// textLines lists the lines of text in view that nothing covers.
func (s *Scene) textLines() []textLine {
	var out []textLine
	picture := image.Rectangle{Max: s.size}
	for pos := range s.capture.Nodes {
		n := &s.capture.Nodes[pos]
		if len(n.TextRects) == 0 || !n.InViewport || !n.Visible {
			continue
		}
		if n.Occlusion != nil && n.Occlusion.State == snapshot.Covered {
			continue
		}
		for _, b := range n.TextRects {
			b, ok := sane(b)
			if !ok {
				continue
			}
			if n.Clip != nil {
				if clip, ok := sane(*n.Clip); ok {
					b = b.Intersect(clip)
				}
			}
			out = append(out, textLine{s.scale.rect(b).Intersect(picture), pos})
		}
	}
	return append(append(out, s.bullets()...), s.unloaded()...)
}

// The picture that a browser paints in place of one that it could not load, with the words of alt beside and below it:
// its side, and the width of a letter and the height of a line there, in CSS px. In a script such as Japanese a letter
// is square.
const (
	brokenIcon = 16
	altLetter  = 7
	altSquare  = 16
	altLine    = 18
)

// unloaded lists the words that stand in place of pictures that did not load.
func (s *Scene) unloaded() []textLine {
	var out []textLine
	picture := image.Rectangle{Max: s.size}
	for pos := range s.capture.Nodes {
		n := &s.capture.Nodes[pos]
		if !n.Broken || n.Attr("alt") == "" || !n.InViewport || !n.Visible ||
			n.Occlusion != nil && n.Occlusion.State == snapshot.Covered {
			continue
		}
		b, ok := sane(n.Box)
		if !ok || b.H() < altLine/2 {
			continue
		}
		words := 0.0
		for _, r := range n.Attr("alt") {
			if words += altLetter; r >= firstSquare {
				words += altSquare - altLetter
			}
		}
		room := max(1, math.Round(b.H()/altLine))
		for k := range int(min(room, math.Ceil((brokenIcon+words)/max(1, b.W())))) {
			line := snapshot.Box{b.X(), b.Y() + float64(k)*altLine, b.W(), min(altLine, b.H())}
			if k == 0 {
				line[0], line[2] = line.X()+brokenIcon, max(0, line.W()-brokenIcon)
			}
			if r := s.scale.rect(line).Intersect(picture); !r.Empty() {
				out = append(out, textLine{r, pos})
			}
		}
	}
	return out
}

// firstSquare is the first of the characters that are as wide as they are high: CJK and what follows.
const firstSquare = 0x2E80

// Where the bullet or number of a list item is, in CSS px before its box, and from how much room beside the list it is
// there at all.
const (
	bulletFrom  = 20
	bulletTo    = 4
	bulletRoom  = 20
	numberFrom  = 26
	bulletsLine = 18 // height of a line that has no text
)

// bullets lists where list items have their bullets or numbers, which a browser gives no rectangles of: beside the
// first line of an item that leaves the room for one.
func (s *Scene) bullets() []textLine {
	var out []textLine
	picture := image.Rectangle{Max: s.size}
	for pos := range s.capture.Nodes {
		n := &s.capture.Nodes[pos]
		if n.Tag != "li" || !n.InViewport || !n.Visible || n.Occlusion != nil && n.Occlusion.State == snapshot.Covered {
			continue
		}
		list := s.tree.parent[pos]
		item, ok := sane(n.Box)
		if list < 0 || !ok {
			continue
		}
		around, ok := sane(s.capture.Nodes[list].Box)
		if !ok {
			continue
		}
		line := snapshot.Box{item.X(), item.Y(), item.W(), min(item.H(), bulletsLine)}
		for p := pos; p < len(s.capture.Nodes) && (p == pos || s.tree.contains(pos, p)); p++ {
			if rects := s.capture.Nodes[p].TextRects; len(rects) > 0 {
				line = rects[0]
				break
			}
		}
		from := float64(bulletFrom)
		if s.capture.Nodes[list].Tag == "ol" {
			from = numberFrom
		}
		b := snapshot.Box{item.X() - from, line.Y(), from - bulletTo, line.H()}
		switch {
		case item.X()-around.X() >= bulletRoom:
		case around.Right()-item.Right() >= bulletRoom: // from right to left
			b[0] = item.Right() + bulletTo
		default:
			continue
		}
		if r := s.scale.rect(b).Intersect(picture); !r.Empty() {
			out = append(out, textLine{r, pos})
		}
	}
	return out
}

// How wide a letter is at most on average, for a line of that height, in percent; and the height of a line of text in
// CSS px in a field that does not say.
const (
	letterWidth = 55
	fieldLine   = 20
	lineHeight  = 115 // of the letters' size, in percent
	selectArrow = 18  // CSS px that a browser keeps free for the arrow of a select
)

// smallPicture is the longer side in CSS px up to which a picture is an icon, which a label may not hide.
const smallPicture = 64

// paintedFields lists where fields show their values and placeholders, and where small pictures, checkboxes and radios
// are: a browser gives no rectangles of letters for these. onArrows: the arrow of a select may give way to a number, as
// no letter is there.
func (s *Scene) paintedFields(onArrows bool) []shownPart {
	var out []shownPart
	picture := image.Rectangle{Max: s.size}
	for pos := range s.capture.Nodes {
		n := &s.capture.Nodes[pos]
		if !n.InViewport || !n.Visible || n.Occlusion != nil && n.Occlusion.State == snapshot.Covered {
			continue
		}
		b, ok := sane(n.VisibleBox())
		if !ok || b.Empty() {
			continue
		}
		switch n.Tag {
		case "input":
			switch kind := strings.ToLower(n.Attr("type")); kind {
			case "hidden", "range", "color", "image", "file":
				continue
			case "checkbox", "radio":
				if b.W() > smallPicture || b.H() > smallPicture {
					continue
				}
			default:
				if b = shownIn(n, b, kind == "submit" || kind == "button" || kind == "reset"); b.Empty() {
					continue
				}
			}
		case "textarea", "select":
			if n.Tag == "select" { // its arrow
				arrow := snapshot.Box{max(b.X(), b.Right()-fieldLine), b.Y(), min(b.W(), fieldLine), b.H()}
				out = append(out, shownPart{textLine{s.scale.rect(arrow).Intersect(picture), pos}, true})
				if onArrows {
					b[2] = max(0, b.W()-selectArrow)
				}
			}
			if b = shownIn(n, b, false); b.Empty() {
				continue
			}
		case "img", "svg", "canvas":
			if b.W() > smallPicture || b.H() > smallPicture {
				continue
			}
		default:
			continue
		}
		soft := n.Tag != "textarea" && n.Tag != "select" && (n.Tag != "input" || n.Role == "checkbox" ||
			n.Role == "radio")
		out = append(out, shownPart{textLine{s.scale.rect(b).Intersect(picture), pos}, soft})
	}
	return out
}

// shownPart is what is painted and has no rectangles of letters. Soft: a picture, which may give way to a number where
// nothing else does.
type shownPart struct {
	textLine
	soft bool
}

// shownIn is where a field of the box b shows text, without extent where it shows none.
func shownIn(n *snapshot.Node, b snapshot.Box, centred bool) snapshot.Box {
	shown := cmp.Or(n.Value, n.Attr("placeholder"))
	if centred {
		shown = cmp.Or(n.Value, n.Name, n.Tag)
	}
	if shown == "" {
		return snapshot.Box{}
	}
	high := min(b.H(), fieldLine)
	letters := max(0, min(fieldLine, (b.H()-2)*100/lineHeight)) // a border takes a px above and below
	wide := min(b.W(), float64(utf8.RuneCountInString(shown)+3)*letters*letterWidth/100)
	x, y := b.X(), b.Y()+(b.H()-high)/2
	if centred {
		x += (b.W() - wide) / 2
	}
	if n.Tag == "textarea" {
		y = b.Y()
	}
	return snapshot.Box{x, y, wide, high}
}

// clearance is what the sides of boxes keep off.
type clearance struct {
	s     *Scene
	ink   []image.Rectangle // letters, a line each
	texts *finder
	boxes []image.Rectangle
	of    []int32 // mark of each box
	marks *finder
}

func (s *Scene) newClearance() *clearance {
	c := &clearance{s: s}
	for _, l := range s.textLines() {
		// Above the letters a line has a sixth of its height free, below none.
		r := l.rect
		r.Min.Y += r.Dy() / 6
		if !r.Empty() {
			c.ink = append(c.ink, r)
		}
	}
	for i := range s.marks {
		if !s.marks[i].shown(s.options.View) {
			continue
		}
		for _, r := range s.marks[i].Rects {
			c.boxes, c.of = append(c.boxes, r), append(c.of, int32(i))
		}
	}
	c.texts = newFinder(newGrid(s.size, cellOf(s.size, 32), cellCap, c.ink), len(c.ink))
	c.marks = newFinder(newGrid(s.size, cellOf(s.size, 64), cellCap, c.boxes), len(c.boxes))
	return c
}

// clear is where the boxes of the marks lie before those that share a side are kept apart,
// by mark; nil for marks that are not shown. byPos are the shown marks in document order,
// and parent is the nearest mark around each, -1 for none.
func (c *clearance) clear(byPos, parent []int32) [][]image.Rectangle {
	s := c.s
	out := make([][]image.Rectangle, len(s.marks))
	// By how many px the sides of a mark's rects must move out for the boxes inside:
	// left, top, right, bottom.
	need := make([][][4]int, len(s.marks))
	for k := len(byPos) - 1; k >= 0; k-- { // what is inside comes first
		i := byPos[k]
		m := &s.marks[i]
		out[i] = make([]image.Rectangle, len(m.Rects))
		for j, r := range m.Rects {
			var inner [4]int
			if need[i] != nil {
				inner = need[i][j]
			}
			out[i][j] = c.grown(i, r, inner)
		}
		up := parent[k]
		if up < 0 {
			continue
		}
		around := &s.marks[up]
		if need[up] == nil {
			need[up] = make([][4]int, len(around.Rects))
		}
		for j, r := range m.Rects {
			for k, a := range around.Rects {
				if !r.Overlaps(a) {
					continue
				}
				for side, d := range sides(r, a) {
					if d > -s.px(apart) && d < s.px(apart) {
						lies := sides(out[i][j], a)[side]
						need[up][k][side] = max(need[up][k][side], lies+s.px(apart))
					}
				}
			}
		}
	}
	return out
}

// sides is by how many px each side of r lies outside that of a: left, top, right, bottom.
func sides(r, a image.Rectangle) [4]int {
	return [4]int{a.Min.X - r.Min.X, a.Min.Y - r.Min.Y, r.Max.X - a.Max.X, r.Max.Y - a.Max.Y}
}

// grown is a rect of a mark with each side where it costs least.
func (c *clearance) grown(i int32, r image.Rectangle, inner [4]int) image.Rectangle {
	out := r
	in := r.Intersect(image.Rectangle{Max: c.s.size}) // what is off the picture has no letters
	if in.Empty() {
		return out
	}
	m := &c.s.marks[i]
	var near, boxes []image.Rectangle
	for side := range 4 {
		best, cost := 0, -1
		most, least := max(c.s.px(clearPx), min(inner[side], c.s.px(mostClear))), -c.s.px(clearIn)
		if small := min(r.Dx(), r.Dy()); small < c.s.px(2*minTarget) {
			least = 0
		}
		inmost, _, _ := c.s.sideBand(in, side, least)
		_, utmost, _ := c.s.sideBand(in, side, most)
		reach := inmost.Union(utmost).Inset(-1)
		near, boxes = near[:0], boxes[:0]
		for _, k := range c.texts.near(reach) {
			if touches(c.ink[k], reach) {
				near = append(near, c.ink[k])
			}
		}
		for _, k := range c.marks.near(reach) {
			o := &c.s.marks[c.of[k]]
			if o != m && touches(c.boxes[k], reach) && !c.s.tree.contains(o.pos, m.pos) &&
				!c.s.tree.contains(m.pos, o.pos) &&
				!c.boxes[k].In(r) && !r.In(c.boxes[k]) {
				boxes = append(boxes, c.boxes[k])
			}
		}
		for k := range most - least + 1 {
			g := k // from the edge outwards, and then inwards
			if k > most {
				g = most - k
			}
			sum := 0
			line, halo, length := c.s.sideBand(in, side, g)
			for _, t := range near {
				near := geometry.Common(line, t.Inset(-1)) + geometry.Common(halo, t)
				sum += clearOnText*geometry.Common(line, t) + clearNear*near
			}
			for _, b := range boxes {
				sum += clearOnBox * geometry.Common(line, b)
			}
			sum += clearInside*max(0, inner[side]-g)*length + clearInward*max(0, -g)*length
			if cost < 0 || sum < cost {
				best, cost = g, sum
			}
		}
		switch side {
		case 0:
			out.Min.X = r.Min.X - best
		case 1:
			out.Min.Y = r.Min.Y - best
		case 2:
			out.Max.X = r.Max.X + best
		case 3:
			out.Max.Y = r.Max.Y + best
		}
	}
	return out
}

// sideBand is what the line and the halo of one side take up where it lies g px outside a
// rect, and how long the side is.
func (s *Scene) sideBand(r image.Rectangle, side, g int) (line, halo image.Rectangle, length int) {
	in, out, rim := g-s.px(strokeIn), g+s.px(strokeOut), g+s.px(outerPx) // px from the edge
	switch side {
	case 0:
		return image.Rect(r.Min.X-out, r.Min.Y, r.Min.X-in, r.Max.Y), image.Rect(r.Min.X-rim, r.Min.Y, r.Min.X-out,
			r.Max.Y), r.Dy()
	case 1:
		return image.Rect(r.Min.X, r.Min.Y-out, r.Max.X, r.Min.Y-in), image.Rect(r.Min.X, r.Min.Y-rim, r.Max.X,
			r.Min.Y-out), r.Dx()
	case 2:
		return image.Rect(r.Max.X+in, r.Min.Y, r.Max.X+out, r.Max.Y), image.Rect(r.Max.X+out, r.Min.Y, r.Max.X+rim,
			r.Max.Y), r.Dy()
	}
	return image.Rect(r.Min.X, r.Max.Y+in, r.Max.X, r.Max.Y+out), image.Rect(r.Min.X, r.Max.Y+out, r.Max.X,
		r.Max.Y+rim), r.Dx()
}

// haloPart is a part of the white line around a mark's box.
type haloPart struct {
	rect image.Rectangle
	mark int32
}

// halo is the white line around a box with its edge at r, less what would lie on letters: as
// rectangles.
func (c *clearance) halo(r image.Rectangle) []image.Rectangle {
	o, haloPx := r.Inset(-c.s.px(outerPx)), c.s.px(haloPx)
	var out []image.Rectangle
	for _, side := range geometry.Sides(o, haloPx) {
		parts := []image.Rectangle{side}
		for _, k := range c.texts.near(side) {
			t := c.ink[k]
			for n := len(parts) - 1; n >= 0; n-- {
				p := parts[n]
				if !p.Overlaps(t) {
					continue
				}
				parts = without(append(parts[:n], parts[n+1:]...), p, t)
			}
		}
		out = append(out, parts...)
	}
	return out
}

// gaps are the parts of a picture without marks that the lines of boxes leave open: letters that a line would hide,
// with a px around them. A full stop behind a link stands where the side of its box does, and no place beside it is
// free.
func (s *Scene) gaps(clean *image.RGBA) []*image.RGBA {
	if s.options.Style != StyleClear {
		return nil
	}
	lines := s.textLines()
	rects := make([]image.Rectangle, len(lines))
	for i := range lines {
		rects[i] = lines[i].rect
	}
	find := newFinder(newGrid(s.size, cellOf(s.size, 32), 0, rects), len(rects))
	type crossed struct{ line, rim image.Rectangle } // a side, and with the white line around it
	crossing := make([][]crossed, len(lines))        // those on each line of text
	for _, i := range s.order {
		if s.marks[i].LeftOut {
			continue
		}
		for _, r := range s.marks[i].strokes {
			rims := s.sidesOf(r, s.px(haloPx))
			for n, side := range s.sidesOf(r, 0) {
				for _, k := range find.near(rims[n]) {
					if rims[n].Overlaps(rects[k]) {
						crossing[k] = append(crossing[k], crossed{side, rims[n]})
					}
				}
			}
		}
	}
	var out []*image.RGBA
	for k, sides := range crossing {
		if len(sides) == 0 {
			continue
		}
		for _, l := range letter.Find(clean, rects[k]) {
			if l.Bounds.Dx() > 3*rects[k].Dy() { // that wide is an edge
				continue
			}
			under := slices.ContainsFunc(sides, func(c crossed) bool { return c.line.Overlaps(l.Bounds) })
			if !under && !slices.ContainsFunc(sides, func(c crossed) bool { return c.rim.Overlaps(l.Bounds) }) {
				continue
			}
			free := 0 // px of the line around the letter
			if under {
				free = s.density
			}
			kept := image.NewRGBA(l.Bounds.Inset(-free).Intersect(clean.Rect))
			draw.Draw(kept, kept.Rect, clean, kept.Rect.Min, draw.Src)
			out = append(out, kept)
		}
	}
	return out
}

// sidesOf are the four sides of the line of a box with its edge at r, and so many px more outside.
func (s *Scene) sidesOf(r image.Rectangle, more int) [4]image.Rectangle {
	o, wide := r.Inset(-s.px(strokeOut)-more), s.px(strokeIn+strokeOut)+more
	return [4]image.Rectangle{
		{Min: o.Min, Max: image.Pt(o.Max.X, o.Min.Y+wide)}, {Min: image.Pt(o.Min.X, o.Max.Y-wide), Max: o.Max},
		{Min: o.Min, Max: image.Pt(o.Min.X+wide, o.Max.Y)}, {Min: image.Pt(o.Max.X-wide, o.Min.Y), Max: o.Max},
	}
}

// How far beside a label another element may be that has the label in its row, in px: one anywhere, and one in the
// column of the label's own element, such as the next line of a list.
const (
	rowPx  = 120
	listPx = 480
)

// inOtherRow reports whether a label above, below or at a corner of its box, or at the end of a line, stands in the row
// of another element, and not in that of its own.
func (p *placement) inOtherRow(it *item, c *place) bool {
	switch {
	case c.slot == leftMiddle, c.slot == rightMiddle, c.slot == leftNext, c.slot == rightNext, !outside(c.slot):
		return false
	}
	row := func(box image.Rectangle) bool {
		return 2*(min(c.rect.Max.Y, box.Max.Y)-max(c.rect.Min.Y, box.Min.Y)) >= c.rect.Dy()
	}
	if row(it.anchor) {
		return false
	}
	beside := c.rect
	beside.Min.X, beside.Max.X = beside.Min.X-p.s.px(listPx), beside.Max.X+p.s.px(listPx)
	atCorner := c.slot >= outTopLeft && c.slot <= outBottomRight || c.slot == slotLeader
	self := p.s.marks[it.mark].pos
	for _, k := range p.boxes.find.near(beside) {
		pos, box := int(p.boxes.pos[k]), p.boxes.rects[k]
		column := box.Min.X < it.anchor.Max.X && it.anchor.Min.X < box.Max.X
		gap := max(box.Min.X-c.rect.Max.X, c.rect.Min.X-box.Max.X)
		if !column && (!atCorner || gap >= p.s.px(rowPx)) {
			continue
		}
		if pos != self && !p.boxes.faint[k] && touches(box, beside) && row(box) && !it.shared(box) &&
			!p.s.tree.contains(pos, self) && !it.within(box) {
			return true
		}
	}
	return false
}

// clearBy is by how many px its own box is nearer to a label than that of any other element, at least.
const clearBy = 2

// unclear reports whether another box is nearly as near to a label as its own, so that an eye could
// take it for that one's. A label with a line to its box, or inside it, is clear.
func (p *placement) unclear(it *item, c *place, boxes []obstacle) bool {
	if c.slot == slotLeader {
		return false
	}
	plate := c.rect.Inset(p.s.px(haloPx))
	own, gap := geometry.NearnessOf(plate, it.anchor, p.s.density), geometry.Distance(c.rect, it.anchor)
	inside := 2*geometry.Common(c.rect, it.anchor) > geometry.Area(c.rect)
	for k := range boxes {
		o := &boxes[k]
		switch {
		case o.kin == kinOwn, o.kin == kinShared:
		case o.kin == kinGround:
			if !own.Less(geometry.NearnessOf(plate, o.line, p.s.density)) {
				return true
			}
		case inside:
			if !own.Less(geometry.NearnessOf(plate, o.line, p.s.density)) {
				return true
			}
		case geometry.Distance(c.rect, o.line) < gap+p.s.px(clearBy):
			return true
		}
	}
	return false
}
