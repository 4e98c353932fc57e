package likeness

import (
	"cmp"
	"math"
	"slices"
)

// coarse is how many cells wide a page's picture is while a crop is slid over it.
const coarse = 160

// rough is the size in px at which fits are compared with each other.
const rough = 1 << 17

// slid lists the places where a crop of that scale is most like the page, the best first. It is slid by half a cell: on
// a page of rows of one height, others than its own look more like it where its own lies between two cells.
func (p *pair) slid(scale float64) []fit {
	w, h := float64(p.shown.w)/scale, float64(p.shown.h)/scale // px of the page
	z := max(1, float64(p.page.w)/coarse)
	cw, ch := int(w/z), int(h/z)
	if gw, gh := int(float64(p.page.w)/z), int(float64(p.page.h)/z); min(cw, ch) < 3 || cw > gw || ch > gh {
		return nil
	}
	small := p.shown.means(0, 0, z*scale, z*scale, cw, ch)
	type place struct {
		x, y float64 // px of the page
		far  int
	}
	var all []place
	for _, phase := range [4][2]float64{{0, 0}, {z / 2, 0}, {0, z / 2}, {z / 2, z / 2}} {
		gw, gh := int((float64(p.page.w)-phase[0])/z), int((float64(p.page.h)-phase[1])/z)
		if cw > gw || ch > gh {
			continue
		}
		large := p.page.means(phase[0], phase[1], z, z, gw, gh)
		columns, rows := gw-cw+1, gh-ch+1
		far := make([]int, columns*rows)
		for y := range rows {
			for x := range columns {
				far[y*columns+x] = distance(large[y*gw+x:], small, gw, cw)
			}
		}
		for y := range rows {
		next:
			for x := range columns {
				d := far[y*columns+x]
				for dy := -1; dy <= 1; dy++ {
					for dx := -1; dx <= 1; dx++ {
						if k, i := y+dy, x+dx; k >= 0 && i >= 0 && k < rows && i < columns && far[k*columns+i] < d {
							continue next
						}
					}
				}
				all = append(all, place{phase[0] + float64(x)*z, phase[1] + float64(y)*z, d})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b place) int { return cmp.Compare(a.far, b.far) })
	var out []fit
	for _, a := range all {
		near := func(f fit) bool { return math.Abs(f.x-a.x) < z && math.Abs(f.y-a.y) < z }
		if len(out) == mostSlid {
			break
		}
		if !slices.ContainsFunc(out, near) {
			out = append(out, fit{a.x, a.y, scale, scale})
		}
	}
	return out
}

// mostSlid is how many places of a crop are looked at closely.
const mostSlid = 5

// distance is how much the small cells, of that width, differ from those at the beginning of
// large, whose rows are stride apart.
func distance(large, small []uint8, stride, width int) int {
	sum := 0
	for at := 0; len(small) > 0; at += stride {
		for i, c := range small[:width] {
			d := int(large[at+i]) - int(c)
			if d < 0 {
				d = -d
			}
			sum += d
		}
		small = small[width:]
	}
	return sum
}

// cropped finds a crop at one of the scales that programs crop at.
func (p *pair) cropped() (fit, *edges) {
	pw, ph, sw, sh := float64(p.page.w), float64(p.page.h), float64(p.shown.w), float64(p.shown.h)
	var tried []float64
	var best fit
	score := 0.0
	for _, scale := range []float64{1, 1 / p.density, sw / pw, sh / ph} {
		if slices.ContainsFunc(tried, func(t float64) bool { return math.Abs(t-scale) < 0.005*scale }) {
			continue
		}
		tried = append(tried, scale)
		for _, f := range p.slid(scale) {
			if f, e := p.aligned(f, rough); e.score() > score {
				best, score = f, e.score()
			}
		}
		if score > 0.9 {
			break
		}
	}
	if score < enough {
		return best, nil
	}
	return p.aligned(best, working)
}

// twice reports whether a crop fits elsewhere on the page nearly as well.
func (p *pair) twice(at fit, e *edges) bool {
	const nearly, elsewhere = 0.03, 6 // px of the page
	_, here := p.aligned(at, rough)
	least := min(here.score(), e.score()) - nearly
	for _, f := range p.slid(at.sx) {
		if f, other := p.aligned(f, rough); other.score() >= least && math.Hypot(f.x-at.x, f.y-at.y) > elsewhere {
			return true
		}
	}
	return false
}
