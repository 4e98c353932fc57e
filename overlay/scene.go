package overlay

import (
	"cmp"
	"image"
	"math"
	"slices"
	"sort"
	"strconv"
	"sync"

	"github.com/refscope/refscope/snapshot"
)

// Scene is the marks of one picture: what is drawn where, and why the rest is
// not. It never changes once it is made and is safe for concurrent use.
type Scene struct {
	capture *snapshot.Capture
	size    image.Point // of the picture, image px
	scale   scale
	options Options
	letters letterings
	grown   float64    // px of the style that letters are enlarged by: px for each CSS px, 1 at least
	density int        // the same for lines and gaps, in whole px
	window  letterings // of density 1
	// The sizes of label that it uses, as indices in letters: the usual one and the least.
	regular, floor int
	least          int     // the smallest size, of a number that would else have no place; else the floor
	forced         int     // labels that are far away or very small, for want of room: see placement.lastPlace
	zoom           float64 // of a scene that another one arranged for the window, else 0

	marks   []Mark                    // in ref order, every ref once
	reading []int32                   // marks in the picture, in reading order
	order   []int32                   // marks with a box, in the order of painting: large first
	halos   []haloPart                // of the style that keeps letters whole: see clearance.halo
	placed  []int32                   // marks that carry a label, in the order of placing: small first
	shaded  [shades][]image.Rectangle // image px, all disjoint
	tree    *tree
	covers  map[int]bool  // positions of the nodes with a ref that cover a mark
	markAt  map[int]*Mark // marks that are targets, by their node's position
	hits    *grid         // over hitBox
	shownAt *grid         // over hitBox of what is drawn, in small cells: for frames
	hitBy   []int32
	hitBox  []image.Rectangle
	signs   []Sign

	mu       sync.Mutex
	arranged []*Scene // for the window, the last one first: see Arrange
	last     *layout  // of the window, see layoutFor
	dense    *letterings
	denseBy  int
}

// NewScene makes the marks for a picture of that size in image px, which shows
// the capture's viewport, and places all labels. Where the size has no extent
// there is nothing to draw on, and every mark is offscreen or has a status of
// its own.
func NewScene(c *snapshot.Capture, size image.Point, o Options) *Scene {
	o.View, o.Style = cmp.Or(o.View, ViewQA), cmp.Or(o.Style, StyleDefault)
	s := &Scene{capture: c, size: image.Pt(max(0, size.X), max(0, size.Y)), options: o, tree: newTree(c)}
	s.scale, s.floor = scale{1, 1}, fontPx-fontFloorPx
	if c.Viewport.Width > 0 && c.Viewport.Height > 0 && s.size.X > 0 && s.size.Y > 0 {
		s.scale = scale{float64(s.size.X) / c.Viewport.Width, float64(s.size.Y) / c.Viewport.Height}
	}
	s.grown = 1
	if o.Style == StyleClear {
		s.grown = min(max(1, min(s.scale.x, s.scale.y)), maxDensity)
	}
	if o.portion != nil {
		s.grown = min(s.grown, o.portion.grown)
	}
	s.density = densityOf(s.grown)
	// The font is embedded and the sizes are bounded, so this fails in no build
	// that passes the tests; without it there would be boxes and no labels.
	s.window, _ = newLetterings(1)
	if s.letters = s.window; s.grown > 1 {
		s.letters, _ = newLetterings(s.grown)
	}
	s.least = s.floor
	switch {
	case o.Style != StyleClear:
	case s.grown > 1 && s.letters.shrink(s.density, s.seen()):
		s.least = leastSize
	case s.grown == 1 && float64(s.letters[smallSize].digit)*s.seen() >= MinDigits:
		s.least = smallSize
	}

	s.collect()
	if o.View == ViewModel && !o.All && !o.Containers && !o.Lines {
		s.unify()
	}
	s.reading = s.inReadingOrder()
	s.number()
	s.shareBoxes()
	if o.Palette == PaletteTints {
		s.tint()
	}
	s.outline()
	if o.View == ViewQA {
		s.markAt = make(map[int]*Mark, len(s.marks))
		for i := range s.marks {
			if s.marks[i].Status != Container {
				s.markAt[s.marks[i].pos] = &s.marks[i]
			}
		}
	}
	if s.letters[0].face != nil {
		s.place()
	}
	if o.View == ViewQA {
		s.shade()
		s.signs = s.usedSigns()
	}
	s.indexHits()
	return s
}

// px is a measure of the style in px of the picture.
func (s *Scene) px(n int) int { return n * s.density }

// Density is how many px of the picture a line or gap of one px of the style has.
func (s *Scene) Density() int { return s.density }

// Size is the picture's size in image px.
func (s *Scene) Size() image.Point { return s.size }

// Scale is image px for one CSS px on each axis.
func (s *Scene) Scale() (x, y float64) { return s.scale.x, s.scale.y }

// Marks lists every ref once, in ref order. The slice is the scene's own: read it
// only.
func (s *Scene) Marks() []Mark { return s.marks }

// ByRef is the mark of a ref, nil where the capture has none with that number.
func (s *Scene) ByRef(ref int) *Mark {
	if i := s.index(ref); i >= 0 {
		return &s.marks[i]
	}
	return nil
}

// index is the position of a ref in marks, -1 for none.
func (s *Scene) index(ref int) int {
	i := sort.Search(len(s.marks), func(i int) bool { return s.marks[i].Ref >= ref })
	if i < len(s.marks) && s.marks[i].Ref == ref {
		return i
	}
	return -1
}

// Reading lists the refs of the marks in the picture in reading order.
func (s *Scene) Reading() []int {
	out := make([]int, len(s.reading))
	for k, i := range s.reading {
		out[k] = s.marks[i].Ref
	}
	return out
}

// Hatch lists the covered parts of elements as disjoint rectangles in image px.
func (s *Scene) Hatch() []image.Rectangle { return s.shaded[shadeCovered] }

// Missed lists the places of Options.Missed that nothing else is shaded at, as disjoint rectangles in image px.
func (s *Scene) Missed() []image.Rectangle { return s.shaded[shadeMissed] }

// Filtered lists the places of Options.Filtered that nothing else is shaded at, as disjoint rectangles in image px.
func (s *Scene) Filtered() []image.Rectangle { return s.shaded[shadeFiltered] }

// collect makes a mark of every kept node with a ref and gives it a status.
func (s *Scene) collect() {
	c := s.capture
	if s.options.View == ViewQA {
		s.findCovers()
	}
	n := 0
	for p := range c.Nodes {
		if c.Nodes[p].Ref > 0 && c.Nodes[p].Verdict.Kept() {
			n++
		}
	}
	s.marks = make([]Mark, 0, n)
	for p := range c.Nodes {
		if node := &c.Nodes[p]; node.Ref > 0 && node.Verdict.Kept() && s.options.portion.owns(node.Ref) {
			s.marks = append(s.marks, s.mark(p, node))
		}
	}
	sort.SliceStable(s.marks, func(i, j int) bool { return s.marks[i].Ref < s.marks[j].Ref })
	// A ref names one element. Where a damaged capture has it twice, the first
	// in document order keeps it.
	out := s.marks[:0]
	for i := range s.marks {
		if len(out) == 0 || out[len(out)-1].Ref != s.marks[i].Ref {
			out = append(out, s.marks[i])
		}
	}
	s.marks = out
}

func (s *Scene) mark(p int, n *snapshot.Node) Mark {
	m := Mark{
		Ref: n.Ref, Node: n.I, Role: n.Role, Name: n.Name, pos: p,
		CovererNode: -1, VisibleShare: -1, Status: Drawn,
	}
	m.group = group(roleName(&m, s.capture))
	boxes := s.boxes(p, n)
	m.Box = s.scale.box(boxes.visible)
	m.Rects = boxes.rects
	full := s.scale.box(boxes.full)
	if len(m.Rects) > 0 {
		m.Cut = s.cut(full, m.Box)
	}
	if o := n.Occlusion; o != nil {
		m.VisibleShare = o.VisibleShare
		m.Glass = o.ClickThrough && o.State == snapshot.Clear
		if o.Coverer != nil {
			m.CovererNode = *o.Coverer
			if by := s.covererOf(p, o); by >= 0 {
				m.Coverer = s.capture.Nodes[by].Ref
			}
		}
	}
	covered := n.Occlusion != nil && n.Occlusion.State == snapshot.Covered
	switch {
	case s.options.Scope != nil && !s.options.Scope(n):
		m.Status = OutOfScope
	case n.Container() && !s.options.Containers && !(s.options.Lines && n.Verdict == snapshot.VerdictContent) &&
		!(s.covers[p] && n.Verdict == snapshot.VerdictRef):
		m.Status = Container
	case len(m.Rects) == 0:
		m.Status = Offscreen
		m.Direction, m.Distance = s.whereabouts(p, full)
	case full.W() < tooSmall || full.H() < tooSmall:
		m.Status = TooSmall
	case covered:
		m.Status = Covered
	}
	return m
}

// findCovers notes what covers the marks.
func (s *Scene) findCovers() {
	s.covers = map[int]bool{}
	for p := range s.capture.Nodes {
		n := &s.capture.Nodes[p]
		o := n.Occlusion
		if o == nil || o.Coverer == nil || n.Ref == 0 || n.Container() || !n.Verdict.Kept() {
			continue
		}
		if by := s.covererOf(p, o); by >= 0 {
			s.covers[by] = true
		}
	}
}

// covererOf is the position of the node with a ref that names what covers
// the node at p: the covering element or its nearest ancestor with one. An
// ancestor that holds both explains nothing, so there is -1 instead.
func (s *Scene) covererOf(p int, o *snapshot.Occlusion) int {
	for by := s.tree.pos(*o.Coverer); by >= 0; by = int(s.tree.parent[by]) {
		if n := &s.capture.Nodes[by]; n.Ref > 0 && n.Verdict.Kept() {
			if s.tree.contains(by, p) {
				return -1
			}
			return by
		}
	}
	return -1
}

// number gives the labels their numbers.
func (s *Scene) number() {
	for k, i := range s.reading {
		m := &s.marks[i]
		switch m.Number = m.Ref; {
		case s.options.Renumber:
			m.Number = k + 1
		case s.options.Number != nil:
			m.Number = s.options.Number(m.Ref)
		}
		if s.options.portion != nil {
			m.Number = s.options.portion.numbers[m.Ref]
		}
		m.plain = strconv.Itoa(m.Number)
		if s.options.Label != nil {
			m.plain = cmp.Or(s.options.Label(m.Ref), m.plain)
		}
		m.label = m.plain
	}
}

// alikePx is by how many px the edges of two boxes may differ that a person sees
// as one.
const alikePx = 2

// shareBoxes finds marks in the picture that have one box: sites hide a checkbox
// or radio without a trace and lay its label over it, or wrap a picture in a link
// of its size. Each of them keeps a number, and each records whose box it shares.
func (s *Scene) shareBoxes() {
	const cell = alikePx + 1
	// The first marks of their boxes by the place of their corner. A page that piles
	// up more than cellCap different boxes on one corner has none worth naming.
	firsts := make(map[image.Point][]int32, len(s.reading))
	for i := range s.marks {
		m := &s.marks[i]
		if !m.shown(s.options.View) {
			continue
		}
		at := bounds(m.Rects)
		corner := image.Pt(at.Min.X/cell, at.Min.Y/cell)
		first := int32(-1)
		for k := 0; k < 9 && first < 0; k++ {
			for _, j := range firsts[corner.Add(image.Pt(k%3-1, k/3-1))] {
				if alike(at, bounds(s.marks[j].Rects)) {
					first = j
					break
				}
			}
		}
		if first < 0 {
			if len(firsts[corner]) < cellCap {
				firsts[corner] = append(firsts[corner], int32(i))
			}
			continue
		}
		f := &s.marks[first]
		m.SharesBox = f.Ref
		f.SharesBox = cmp.Or(f.SharesBox, m.Ref)
	}
}

// alike reports whether two boxes look like one.
func alike(a, b image.Rectangle) bool {
	near := func(x, y int) bool { return x-y <= alikePx && y-x <= alikePx }
	return near(a.Min.X, b.Min.X) && near(a.Min.Y, b.Min.Y) && near(a.Max.X, b.Max.X) && near(a.Max.Y, b.Max.Y)
}

// lineCSS is the greatest height in CSS px of what counts as one line. What is
// higher, such as a card or a sidebar, is read where its top is.
const lineCSS = 64

// inReadingOrder lists the marks in the picture as a person reads them: rows from
// the top, in each row from the left, or from the right on a page that runs that
// way. Two marks are in one row where they share half of the height of the lower
// one with the mark that begins it; of those at one place, the earlier in
// the document is first.
//
// Models answer markedly worse where a list of elements has no order (som.md 3),
// and the order of the document is not the order on the page.
func (s *Scene) inReadingOrder() []int32 {
	type entry struct {
		mark        int32
		at          image.Rectangle
		top, bottom int // of the line that it is on
	}
	list := make([]entry, 0, len(s.marks))
	tall := max(1, int(lineCSS*s.scale.y))
	picture := image.Rectangle{Max: s.size}
	for i := range s.marks {
		m := &s.marks[i]
		if !m.shown(s.options.View) {
			continue
		}
		at := m.Rects[0].Intersect(picture)
		e := entry{int32(i), at, at.Min.Y, at.Max.Y}
		if at.Dy() > tall {
			e.bottom = e.top + tall/3
		}
		list = append(list, e)
	}
	slices.SortFunc(list, func(a, b entry) int {
		if d := a.top - b.top; d != 0 {
			return d
		}
		return s.marks[a.mark].pos - s.marks[b.mark].pos
	})
	fromRight := s.capture.RightToLeft()
	out := make([]int32, 0, len(list))
	row := make([]entry, 0, len(list))
	for len(list) > 0 {
		first, rest := list[0], list[:0]
		row = append(row[:0], first)
		k := 1
		for ; k < len(list) && list[k].top < first.bottom; k++ {
			e := list[k]
			shared := min(first.bottom, e.bottom) - max(first.top, e.top)
			if 2*shared >= min(first.bottom-first.top, e.bottom-e.top) {
				row = append(row, e)
			} else {
				rest = append(rest, e)
			}
		}
		// Those of these that wait for the next row stay before the others.
		gap := k - len(rest)
		copy(list[gap:], rest)
		list = list[gap:]
		slices.SortFunc(row, func(a, b entry) int {
			d := a.at.Min.X - b.at.Min.X
			if fromRight {
				d = b.at.Max.X - a.at.Max.X
			}
			if d != 0 {
				return d
			}
			return s.marks[a.mark].pos - s.marks[b.mark].pos
		})
		for _, e := range row {
			out = append(out, e.mark)
		}
	}
	return out
}

// indexHits prepares [Scene.At].
func (s *Scene) indexHits() {
	for i := range s.marks {
		for _, r := range s.marks[i].Rects {
			s.hitBox = append(s.hitBox, padTo(r, minTarget))
			s.hitBy = append(s.hitBy, int32(i))
		}
	}
	// Large pictures get large cells: a page of thousands of full-width containers
	// would otherwise fill memory with their indices.
	s.hits = newGrid(s.size, max(64, s.size.X/20, s.size.Y/20), 0, s.hitBox)
	drawn := make([]image.Rectangle, len(s.hitBox))
	for k, i := range s.hitBy {
		if s.marks[i].shown(s.options.View) {
			drawn[k] = s.hitBox[k]
		}
	}
	s.shownAt = newGrid(s.size, cellOf(s.size, 64), 8*cellCap, drawn)
}

// At lists the marks under a point of the picture in image px, the smallest
// first; of equal ones the later in the document, which is the one on top. It
// knows every mark that has a box in the picture, also containers and others
// that are not drawn: see Mark.Status.
func (s *Scene) At(x, y float64) []*Mark {
	if !(math.Abs(x) < far && math.Abs(y) < far) {
		return nil
	}
	p := image.Pt(int(math.Floor(x)), int(math.Floor(y)))
	if !p.In(image.Rectangle{Max: s.size}) {
		return nil
	}
	c := p.Y/s.hits.cell*s.hits.nx + p.X/s.hits.cell
	var out []*Mark
	for _, i := range s.hits.items[s.hits.start[c]:s.hits.start[c+1]] {
		if p.In(s.hitBox[i]) {
			if m := &s.marks[s.hitBy[i]]; !slices.Contains(out, m) {
				out = append(out, m)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b *Mark) int {
		if d := a.extent() - b.extent(); d != 0 {
			return d
		}
		return b.pos - a.pos
	})
	return out
}
