package overlay

import (
	"image"
	"image/color"
)

// tintReach is how near to each other two boxes are, in px, that have different colours of
// PaletteTints: what the eye or a model takes in at once around a label.
const tintReach = 24

// tints are the colours of PaletteTints. Their contrast with white is 7.1, to one decimal,
// for all: none stands out.
func tints() colors {
	return colors{
		{"", color.RGBA{0x00, 0x49, 0xda, 255}}, // blue
		{"", color.RGBA{0xb4, 0x00, 0x1e, 255}}, // red
		{"", color.RGBA{0x08, 0x66, 0x28, 255}}, // green
		{"", color.RGBA{0x81, 0x0b, 0xd6, 255}}, // purple
		{"", color.RGBA{0x8f, 0x43, 0x00, 255}}, // brown
		{"", color.RGBA{0x00, 0x62, 0x6b, 255}}, // teal
		{"", color.RGBA{0xa9, 0x00, 0x77, 255}}, // magenta
		{"", color.RGBA{0x46, 0x59, 0x75, 255}}, // slate
	}
}

// tint gives the marks in the picture colours of PaletteTints so that neighbours differ: a
// colouring of the graph whose edges are boxes that lie within tintReach of each other. Each
// mark in the order of refs takes the colour of its ref, or the next one that no neighbour
// has; where more neighbours meet than there are colours, the one that fewest of them have.
// So a mark keeps its colour from turn to turn unless one with a smaller ref comes near it.
func (s *Scene) tint() {
	var rects []image.Rectangle
	var of []int32
	for i := range s.marks {
		if !s.marks[i].shown(s.options.View) {
			continue
		}
		for _, r := range s.marks[i].Rects {
			rects, of = append(rects, r), append(of, int32(i))
		}
	}
	find := newFinder(newGrid(s.size, cellOf(s.size, 64), cellCap, rects), len(rects))
	n := len(tints())
	done := make([]bool, len(s.marks))
	for i := range s.marks {
		m := &s.marks[i]
		if !m.shown(s.options.View) {
			continue
		}
		var used [16]int
		for _, r := range m.Rects {
			around := r.Inset(-tintReach)
			for _, k := range find.near(around) {
				if o := of[k]; done[o] && int(o) != i && touches(rects[k], around) {
					used[s.marks[o].group]++
				}
			}
		}
		best := m.Ref % n
		for k := range n {
			if c := (m.Ref + k) % n; used[c] < used[best] {
				best = c
			}
		}
		m.group, done[i] = best, true
	}
}
