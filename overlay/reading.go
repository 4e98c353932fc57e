package overlay

import (
	"image"
	"slices"
	"strings"
)

// lineCSS is the greatest height in CSS px of what counts as one line. What is
// higher, such as a card or a sidebar, is read where its top is.
const lineCSS = 64

// inReadingOrder lists the marks in the picture as a person reads them: rows from
// the top, in each row from the left, or from the right on a page that runs that
// way. Two marks are in one row where they share half of the height of the lower
// one with the mark that begins it; of what stands in one place, the earlier in
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
	fromRight := s.fromRight()
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

// fromRight reports whether the page says that it runs from right to left: dir on
// its body, else on its root. A direction that only a style sheet gives is not on
// record.
func (s *Scene) fromRight() bool {
	dir := ""
	for p := range s.capture.Nodes {
		n := &s.capture.Nodes[p]
		if n.Frame != 0 || n.Tag != "html" && n.Tag != "body" {
			continue
		}
		if d := n.Attr("dir"); d != "" {
			dir = d
		}
		if n.Tag == "body" {
			break
		}
	}
	return strings.EqualFold(dir, "rtl")
}
