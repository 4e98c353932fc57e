package likeness

import "math"

// aligned improves a fit until edges lie on edges, on pictures of at most so many px, and says what
// agrees then; nil where the two share nothing. It is off by a few px at most before.
//
// It is the method of Lucas and Kanade (1981) for one displacement and one scale of all edges, in
// which px that differ by more than a small displacement explains do not count, as marks, cursors
// and banners do.
func (p *pair) aligned(f fit, most int) (fit, *edges) {
	sizes := []int{most}
	for n := most / 4; n >= 1<<15 && len(sizes) < 3; n /= 4 {
		sizes = append([]int{n}, sizes...)
	}
	stretched := f.sx != f.sy
	var shown []uint8
	was := 0
	for k, n := range sizes {
		z := math.Max(1,
			math.Sqrt(float64(p.shown.w*p.shown.h)/float64(n))) // px of the shown picture for one that is compared
		w, h := int(float64(p.shown.w)/z), int(float64(p.shown.h)/z)
		if w < 8 || h < 8 {
			continue
		}
		if w*h != was {
			shown, was = p.shown.means(0, 0, z, z, w, h), w*h
		}
		steps := 4
		if k == len(sizes)-1 {
			steps = 3
		}
		for range steps {
			page := p.page.means(f.x, f.y, z/f.sx, z/f.sy, w, h)
			next, moved, ok := f.step(page, shown, w, h, z, stretched)
			if !ok {
				return f, nil
			}
			f = next
			if moved < 0.02 {
				break
			}
		}
		if k == len(sizes)-1 {
			return f, p.agreement(f, shown, w, h, z)
		}
	}
	return f, nil
}

// step is one step of the alignment. moved is by how many of its px the fit moved at most.
func (f fit) step(page, shown []uint8, w, h int, z float64, stretched bool) (next fit, moved float64, ok bool) {
	cx, cy := float64(w)/2, float64(h)/2
	// Unknown: the displacement across and down, and the growth across and down, or of both.
	n := 3
	if stretched {
		n = 4
	}
	var m [4][5]float64
	for y := 1; y < h-1; y++ {
		for x := 1; x < w-1; x++ {
			i := y*w + x
			px, py := int(page[i+1])-int(page[i-1]), int(page[i+w])-int(page[i-w])
			qx, qy := int(shown[i+1])-int(shown[i-1]), int(shown[i+w])-int(shown[i-w])
			// An edge of one that is none of the other says nothing.
			if dot := px*qx + py*qy; dot < 200 {
				continue
			}
			d := float64(int(shown[i]) - int(page[i]))
			gx, gy := float64(px+qx)/4, float64(py+qy)/4
			g := gx*gx + gy*gy
			u := d * d / (g * 4) // squares of the displacement that would explain it, px, to those that are believed
			if u >= 1 {
				continue
			}
			weight := (1 - u) * (1 - u)
			rx, ry := (float64(x)-cx)*gx, (float64(y)-cy)*gy
			j := [4]float64{gx, gy, rx + ry, 0}
			if stretched {
				j[2], j[3] = rx, ry
			}
			for a := range n {
				for b := range n {
					m[a][b] += weight * j[a] * j[b]
				}
				m[a][4] += weight * j[a] * d
			}
		}
	}
	v, ok := solve(m, n)
	if !ok {
		return f, 0, false
	}
	grow := [2]float64{v[2], v[2]}
	if stretched {
		grow[1] = v[3]
	}
	moved = math.Max(math.Abs(v[0])+math.Abs(grow[0])*cx, math.Abs(v[1])+math.Abs(grow[1])*cy)
	if math.IsNaN(moved) || moved > 0.1*float64(w+h) || math.Abs(grow[0]) > 0.1 || math.Abs(grow[1]) > 0.1 {
		return f, 0, false
	}
	next = fit{x: f.x + (v[0]-grow[0]*cx)*z/f.sx, y: f.y + (v[1]-grow[1]*cy)*z/f.sy, sx: f.sx / (1 + grow[0]),
		sy: f.sy / (1 + grow[1])}
	return next, moved, true
}

// solve solves n equations by elimination; the last column is what they are equal to.
func solve(m [4][5]float64, n int) (v [4]float64, ok bool) {
	for i := range n {
		best := i
		for k := i + 1; k < n; k++ {
			if math.Abs(m[k][i]) > math.Abs(m[best][i]) {
				best = k
			}
		}
		if math.Abs(m[best][i]) < 1e-6 {
			return v, false
		}
		m[i], m[best] = m[best], m[i]
		for k := range n {
			if k == i {
				continue
			}
			r := m[k][i] / m[i][i]
			for c := i; c < 5; c++ {
				m[k][c] -= r * m[i][c]
			}
		}
	}
	for i := range n {
		v[i] = m[i][4] / m[i][i]
	}
	return v, true
}

// bin is the side of the squares that edges are counted in, px of the compared pictures.
const bin = 4

// edges are the edges of two pictures that lie on each other, counted in squares.
type edges struct {
	w, h  int     // squares
	z     float64 // px of the shown picture for one that is compared
	scale float64 // px of the shown picture for one CSS px
	// All counts, summed up over what is above and left: edges of the page, those of them that the
	// shown picture has, edges of the shown picture, and those of them that the page has.
	sums [4][]int32
}

const (
	pageEdges = iota
	pageKept
	shownEdges
	shownKept
)

// strong is from which difference of greys between two px an edge counts.
const strong = 24

// agreement counts the edges of a fit. What the page's picture does not show is left out.
func (p *pair) agreement(f fit, shown []uint8, w, h int, z float64) *edges {
	page := p.page.means(f.x, f.y, z/f.sx, z/f.sy, w, h)
	e := &edges{w: (w + bin - 1) / bin, h: (h + bin - 1) / bin, z: z, scale: f.sx * p.density}
	stride := e.w + 1
	for k := range e.sums {
		e.sums[k] = make([]int32, stride*(e.h+1))
	}
	// The part that the page's picture shows, one px inside of its rim.
	fromX, fromY := max(1, int(math.Ceil(-f.x*f.sx/z))+1), max(1, int(math.Ceil(-f.y*f.sy/z))+1)
	toX := min(w-1, int((float64(p.page.w)-f.x)*f.sx/z)-1)
	toY := min(h-1, int((float64(p.page.h)-f.y)*f.sy/z)-1)
	for y := fromY; y < toY; y++ {
		for x := fromX; x < toX; x++ {
			i := y*w + x
			px, py := int(page[i+1])-int(page[i-1]), int(page[i+w])-int(page[i-w])
			qx, qy := int(shown[i+1])-int(shown[i-1]), int(shown[i+w])-int(shown[i-w])
			a, b := px*px+py*py, qx*qx+qy*qy
			if a < strong*strong && b < strong*strong {
				continue
			}
			dot := px*qx + py*qy
			alike := dot > 0 && 10*dot >= 3*max(a, b) // in size and in direction
			at := (y/bin+1)*stride + x/bin + 1
			if a >= strong*strong {
				e.sums[pageEdges][at]++
				if alike {
					e.sums[pageKept][at]++
				}
			}
			if b >= strong*strong {
				e.sums[shownEdges][at]++
				if alike {
					e.sums[shownKept][at]++
				}
			}
		}
	}
	for _, s := range e.sums {
		for y := 1; y <= e.h; y++ {
			row := int32(0)
			for x := 1; x <= e.w; x++ {
				row += s[y*stride+x]
				s[y*stride+x] = s[(y-1)*stride+x] + row
			}
		}
	}
	return e
}

// within counts edges around a place in the shown picture, at most half a side away, in its px.
func (e *edges) within(x, y, half float64) (n [4]float64) {
	side := e.z * bin
	at := func(v float64, most int) int { return int(min(max(v/side, 0), float64(most))) }
	x0, x1 := at(x-half, e.w), at(x+half+side, e.w)
	y0, y1 := at(y-half, e.h), at(y+half+side, e.h)
	stride := e.w + 1
	for k, s := range e.sums {
		n[k] = float64(s[y1*stride+x1] - s[y0*stride+x1] - s[y1*stride+x0] + s[y0*stride+x0])
	}
	return n
}

// leastEdges is how many edges two pictures must share: fewer lie on each other by chance.
const leastEdges = 150

// score is 0 without edges. It is the share of the edges that lie on edges, those of the page
// counted twice: marks that are drawn on a picture add edges to it. A picture of which everything is
// on the page, to which something was added since, counts nearly as much.
func (e *edges) score() float64 {
	if e == nil {
		return 0
	}
	n := e.within(0, 0, math.Inf(1))
	if n[pageKept] < leastEdges || n[shownKept] < leastEdges {
		return 0
	}
	both := (2*n[pageKept] + n[shownKept]) / (2*n[pageEdges] + n[shownEdges])
	return max(both, 0.9*n[shownKept]/n[shownEdges])
}
