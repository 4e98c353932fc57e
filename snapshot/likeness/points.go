package likeness

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
)

// point is a corner in a picture, with what is around it.
type point struct {
	x, y     int // px of its level
	strength float64
	around   [4]uint64
}

// reach is how far around a point its description looks, px.
const reach = 16

// comparison are two places around a point, of which one may be brighter.
type comparison struct{ ax, ay, bx, by int }

// comparisons are those of a description (Calonder and others, BRIEF, 2010): the same 256 for all
// points, spread at random.
var comparisons = func() (out [256]comparison) {
	dice := rand.New(rand.NewPCG(1, 2))
	at := func() int { return int(math.Round(max(-1, min(1, dice.NormFloat64()/2)) * (reach - 3))) }
	for i := range out {
		out[i] = comparison{at(), at(), at(), at()}
	}
	return out
}()

// points are the corners of a picture, the most distinct first, at most so many, spread over it.
func (s *shades) points(most int) []point {
	grey := s.means(0, 0, 1, 1, s.w, s.h)
	// The tensor of the gradients, summed over 5 x 5 px: its smaller eigenvalue is that of a corner
	// (Shi and Tomasi, 1994).
	strength := make([]float32, s.w*s.h)
	type tensor struct{ xx, xy, yy float32 }
	rows := make([]tensor, s.w*s.h) // summed over 5 px across
	for y := 1; y < s.h-1; y++ {
		var sum tensor
		var last [5]tensor
		for x := 1; x < s.w-1; x++ {
			i := y*s.w + x
			gx, gy := float32(int(grey[i+1])-int(grey[i-1])), float32(int(grey[i+s.w])-int(grey[i-s.w]))
			t := tensor{gx * gx, gx * gy, gy * gy}
			old := &last[x%5]
			sum.xx, sum.xy, sum.yy = sum.xx+t.xx-old.xx, sum.xy+t.xy-old.xy, sum.yy+t.yy-old.yy
			*old = t
			if x >= 3 {
				rows[i-2] = sum
			}
		}
	}
	for y := reach; y < s.h-reach; y++ {
		for x := reach; x < s.w-reach; x++ {
			i := y*s.w + x
			var t tensor
			for _, r := range [5]tensor{rows[i-2*s.w], rows[i-s.w], rows[i], rows[i+s.w], rows[i+2*s.w]} {
				t.xx, t.xy, t.yy = t.xx+r.xx, t.xy+r.xy, t.yy+r.yy
			}
			d := t.xx - t.yy
			strength[i] = (t.xx + t.yy - float32(math.Sqrt(float64(d*d+4*t.xy*t.xy)))) / 2
		}
	}
	const apart = 4 // px
	var out []point
	for y := reach; y < s.h-reach; y++ {
	next:
		for x := reach; x < s.w-reach; x++ {
			i := y*s.w + x
			if strength[i] < 4000 {
				continue
			}
			for dy := -apart; dy <= apart; dy++ {
				for dx := -apart; dx <= apart; dx++ {
					if other := strength[i+dy*s.w+dx]; other > strength[i] || other == strength[i] && (dy < 0 ||
						dy == 0 && dx < 0) {
						continue next
					}
				}
			}
			out = append(out, point{x: x, y: y, strength: float64(strength[i])})
		}
	}
	if len(out) > most {
		out = spread(out, most, s.w, s.h)
	}
	for i := range out {
		s.describe(&out[i])
	}
	return out
}

// spread keeps the strongest points of each part of a picture in turn.
func spread(all []point, most, w, h int) []point {
	const parts = 12
	var part [parts * parts][]point
	for _, p := range all {
		k := p.y*parts/h*parts + p.x*parts/w
		part[k] = append(part[k], p)
	}
	for k := range part {
		slices.SortFunc(part[k], func(a, b point) int {
			if a.strength > b.strength {
				return -1
			}
			return 1
		})
	}
	var out []point
	for rank := 0; len(out) < most; rank++ {
		for k := range part {
			if rank < len(part[k]) && len(out) < most {
				out = append(out, part[k][rank])
			}
		}
	}
	return out
}

// describe notes which places around a point are brighter than others.
func (s *shades) describe(p *point) {
	stride := s.w + 1
	sum := func(x, y int) int { // of 5 x 5 px
		a, b := (y-2)*stride+x, (y+3)*stride+x
		return int(s.sum[b+3] - s.sum[a+3] - s.sum[b-2] + s.sum[a-2])
	}
	for i, c := range comparisons {
		if sum(p.x+c.ax, p.y+c.ay) > sum(p.x+c.bx, p.y+c.by)+25*8 {
			p.around[i/64] |= 1 << (i % 64)
		}
	}
}

func (p *point) apart(q *point) int {
	return bits.OnesCount64(p.around[0]^q.around[0]) + bits.OnesCount64(p.around[1]^q.around[1]) +
		bits.OnesCount64(p.around[2]^q.around[2]) + bits.OnesCount64(p.around[3]^q.around[3])
}

// match is a point of the shown picture that is one of the page's, in px of both, at about that scale.
type match struct{ x, y, px, py, scale float64 }

// level is a picture made smaller by a factor of at most 1.
func (s *shades) level(factor float64) *shades {
	if factor == 1 {
		return s
	}
	w, h := int(float64(s.w)*factor), int(float64(s.h)*factor)
	out := &shades{w: w, h: h, sum: make([]uint64, (w+1)*(h+1))}
	grey := s.means(0, 0, 1/factor, 1/factor, w, h)
	for y := range h {
		row := uint64(0)
		for x := range w {
			row += uint64(grey[y*w+x])
			out.sum[(y+1)*(w+1)+x+1] = out.sum[y*(w+1)+x+1] + row
		}
	}
	return out
}

// Numbers of points that are compared.
const (
	mostShown = 600
	mostPage  = 5000
)

// matched finds a fit from points of both pictures that look the same.
func (p *pair) matched() (fit, *edges) {
	// Pictures larger than a working one are made smaller, and the shown one once more, for it may have
	// more px than the page's has.
	large := min(1, math.Sqrt(working/float64(p.page.w*p.page.h)))
	page := p.page.level(large)
	var ours [][]point // of each level
	var factors []float64
	for k := range 10 { // from 1 to 0.21
		factor := math.Pow(2, -float64(k)/4)
		if float64(min(page.w, page.h))*factor < 2*reach+8 {
			break
		}
		ours, factors = append(ours, page.level(factor).points(mostPage)), append(factors, factor)
	}
	var best fit
	var at *edges
	for _, small := range []float64{large, large / 2} {
		small = min(small, math.Sqrt(working/float64(p.shown.w*p.shown.h)))
		if min(float64(p.shown.w), float64(p.shown.h))*small < 2*reach+8 {
			break
		}
		theirs := p.shown.level(small).points(mostShown)
		if len(theirs) < leastMatches {
			continue
		}
		var all []match
		for k, factor := range factors {
			all = append(all, matches(theirs, ours[k], 1/small, 1/(factor*large), factor*large/small)...)
		}
		if f, e := p.agreed(all); e.score() > at.score() {
			best, at = f, e
		}
		if at.score() >= enough {
			break
		}
	}
	return best, at
}

// leastMatches is how many points must agree on a place.
const leastMatches = 5

// matches are the points that are like one of the others and like no second one.
func matches(theirs, ours []point, toShown, toPage, scale float64) []match {
	var out []match
	for i := range theirs {
		t := &theirs[i]
		best, second, at := 256, 256, -1
		for k := range ours {
			if d := t.apart(&ours[k]); d < best {
				best, second, at = d, best, k
			} else if d < second {
				second = d
			}
		}
		if at >= 0 && best <= 50 && 10*best < 8*second {
			o := &ours[at]
			out = append(out, match{(float64(t.x) + 0.5) * toShown, (float64(t.y) + 0.5) * toShown, (float64(o.x) +
				0.5) * toPage,
				(float64(o.y) + 0.5) * toPage, scale})
		}
	}
	return out
}

// agreed is the fit that most matches agree on (Fischler and Bolles, 1981), aligned; nil where
// too few do.
func (p *pair) agreed(all []match) (fit, *edges) {
	if len(all) < leastMatches {
		return fit{}, nil
	}
	dice := rand.New(rand.NewPCG(3, uint64(len(all))))
	inliers := func(f fit) (n int) {
		for i := range all {
			if all[i].off(f) {
				continue
			}
			n++
		}
		return n
	}
	var best fit
	most := 0
	for range 3000 {
		a, b := &all[dice.IntN(len(all))], &all[dice.IntN(len(all))]
		dx, dy := b.x-a.x, b.y-a.y
		px, py := b.px-a.px, b.py-a.py
		d := math.Hypot(dx, dy)
		if d < 24 {
			continue
		}
		s := d / math.Hypot(px, py)
		if !(s > 0.85*a.scale && s < 1.18*a.scale && s > 0.85*b.scale && s < 1.18*b.scale) || math.Hypot(dx-s*px,
			dy-s*py) > 3*max(1, s) {
			continue
		}
		f := fit{a.px - a.x/s, a.py - a.y/s, s, s}
		if n := inliers(f); n > most {
			best, most = f, n
		}
	}
	if most < leastMatches {
		return fit{}, nil
	}
	for range 3 {
		best = leastSquares(all, best)
	}
	return p.aligned(best, working)
}

// off reports whether a match contradicts a fit.
func (m *match) off(f fit) bool {
	within := 2.5 * max(1, m.scale)
	dx, dy := m.x-(m.px-f.x)*f.sx, m.y-(m.py-f.y)*f.sy
	return dx*dx+dy*dy > within*within
}

// leastSquares is the fit with the least squares to the matches that do not contradict one.
func leastSquares(all []match, f fit) fit {
	var n, x, y, px, py float64
	for i := range all {
		if m := &all[i]; !m.off(f) {
			n++
			x, y, px, py = x+m.x, y+m.y, px+m.px, py+m.py
		}
	}
	if n < 2 {
		return f
	}
	x, y, px, py = x/n, y/n, px/n, py/n
	var up, down float64
	for i := range all {
		if m := &all[i]; !m.off(f) {
			up += (m.x-x)*(m.px-px) + (m.y-y)*(m.py-py)
			down += (m.px-px)*(m.px-px) + (m.py-py)*(m.py-py)
		}
	}
	s := up / down
	if !(s > 0) || math.IsInf(s, 0) {
		return f
	}
	return fit{px - x/s, py - y/s, s, s}
}
