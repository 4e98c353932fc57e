package overlay

import (
	"encoding/binary"
	"image"
	"image/color"
	"math"
	"runtime"
	"sync"
)

// Pyramid is a picture at its size and at a half, a quarter, and so on: whatever
// the zoom, a frame of the window reads about as many pixels as it writes. It
// never changes once it is made.
type Pyramid struct {
	levels []*image.RGBA
	opaque bool // the picture as a whole, as screenshots are
}

// smallest is where halving ends, in px of the longer side.
const smallest = 64

// NewPyramid makes the smaller versions. It keeps img, which must not change any
// more.
func NewPyramid(img *image.RGBA) *Pyramid {
	if img.Rect.Min != (image.Point{}) {
		moved := *img
		moved.Rect = img.Rect.Sub(img.Rect.Min)
		img = &moved
	}
	p := &Pyramid{levels: []*image.RGBA{img}, opaque: img.Opaque()}
	for max(img.Rect.Dx(), img.Rect.Dy()) > smallest && min(img.Rect.Dx(), img.Rect.Dy()) > 1 {
		img = half(img)
		p.levels = append(p.levels, img)
	}
	return p
}

// Size is the picture's size in px.
func (p *Pyramid) Size() image.Point { return p.levels[0].Rect.Size() }

// Image is the picture at its full size. It must not be changed.
func (p *Pyramid) Image() *image.RGBA { return p.levels[0] }

// half averages squares of four px. An odd side rounds up and repeats its edge,
// so that a level's px are exactly two of the level before.
func half(src *image.RGBA) *image.RGBA {
	w, h := src.Rect.Dx(), src.Rect.Dy()
	dst := image.NewRGBA(image.Rect(0, 0, (w+1)/2, (h+1)/2))
	rows(dst.Rect.Dy(), func(from, to int) {
		for y := from; y < to; y++ {
			a := src.Pix[2*y*src.Stride:][:4*w]
			b := src.Pix[min(2*y+1, h-1)*src.Stride:][:4*w]
			out := dst.Pix[y*dst.Stride:][:4*dst.Rect.Dx()]
			pairs := w / 2
			for x := range pairs {
				put(out[4*x:], mean(pair(a[8*x:]), pair(b[8*x:])))
			}
			if w%2 == 1 {
				i := 4 * (w - 1)
				p, q := uint64(get(a[i:])), uint64(get(b[i:]))
				put(out[4*pairs:], mean(p|p<<32, q|q<<32))
			}
		}
	})
	return dst
}

// Two px are read as one word, and their channels are worked on four at a time:
// every second one, with room above each for sums and products.
const lanes = 0x00ff00ff00ff00ff

// mean is the average of four px, two of each of two rows.
func mean(a, b uint64) uint32 {
	even := a&lanes + b&lanes
	odd := a>>8&lanes + b>>8&lanes
	e := (uint32(even) + uint32(even>>32) + 0x00020002) >> 2 & (lanes & 0xffffffff)
	o := (uint32(odd) + uint32(odd>>32) + 0x00020002) >> 2 & (lanes & 0xffffffff)
	return e | o<<8
}

func pair(p []byte) uint64   { return binary.LittleEndian.Uint64(p) }
func get(p []byte) uint32    { return binary.LittleEndian.Uint32(p) }
func put(p []byte, v uint32) { binary.LittleEndian.PutUint32(p, v) }

// rows splits the numbers 0 to n among the processors, in runs, and waits for
// all of them.
func rows(n int, do func(from, to int)) {
	parts := min(runtime.GOMAXPROCS(0), (n+31)/32)
	if parts <= 1 {
		do(0, n)
		return
	}
	var wg sync.WaitGroup
	for k := range parts {
		wg.Go(func() { do(k*n/parts, (k+1)*n/parts) })
	}
	wg.Wait()
}

// sampler reads the picture for one frame: the nearest px where one is shown as
// several, else a mix of the four around.
type sampler struct {
	src     *image.RGBA
	nearest bool
	whole   bool            // px for px, and all opaque: rows are copied
	where   image.Rectangle // of the picture on the screen, within it
	x, y    []tap           // for each screen px from where.Min on
}

// tap is the source px at or before a screen px, as a byte offset along x and a
// row along y, and how far it is from there to the next one, in sixteenths.
type tap struct{ at, w int32 }

// enlarge is how much larger than it is a level may be shown where the next
// larger one would lose nearly every second px and cost twice the work.
const enlarge = 1.15

// newSampler picks the level that is at most twice as large as it will be shown.
func newSampler(p *Pyramid, cam Camera, view image.Point) *sampler {
	level, scale := 0, cam.Scale
	for level+1 < len(p.levels) && 2*scale <= enlarge {
		level, scale = level+1, 2*scale
	}
	s := &sampler{src: p.levels[level]}
	whole := cam.Scale == 1 && cam.X == math.Floor(cam.X) && cam.Y == math.Floor(cam.Y)
	s.whole = whole && p.opaque
	s.nearest = cam.Scale >= 2 || whole || s.src.Rect.Dx() < 2 || s.src.Rect.Dy() < 2
	s.where = cam.Rect(image.Rectangle{Max: p.Size()}).Intersect(image.Rectangle{Max: view})
	if s.where.Empty() {
		return s
	}
	per := 1 / float64(int(1)<<level) // px of the level for one image px
	s.x = s.taps(s.where.Min.X, s.where.Max.X, cam.X, cam.Scale, per, s.src.Rect.Dx())
	s.y = s.taps(s.where.Min.Y, s.where.Max.Y, cam.Y, cam.Scale, per, s.src.Rect.Dy())
	for i := range s.x {
		s.x[i].at *= 4
	}
	return s
}

func (s *sampler) taps(from, to int, origin, scale, per float64, n int) []tap {
	out := make([]tap, to-from)
	for i := range out {
		u := ((float64(from+i)+0.5)/scale + origin) * per
		if s.nearest {
			out[i].at = int32(min(max(int(math.Floor(u)), 0), n-1))
			continue
		}
		u -= 0.5
		f := math.Floor(u)
		switch at := int(f); {
		case at < 0:
		case at > n-2: // there is always a next one to read
			out[i] = tap{int32(n - 2), 16}
		default:
			out[i] = tap{int32(at), int32(math.Floor((u - f) * 16))}
		}
	}
	return out
}

// draw paints the picture and the ground around it on a strip of the screen.
func (s *sampler) draw(strip *image.RGBA, bg color.RGBA) {
	r := s.where.Intersect(strip.Rect)
	if r.Empty() {
		fill(strip, strip.Rect, bg)
		return
	}
	b := strip.Rect
	fill(strip, image.Rect(b.Min.X, b.Min.Y, b.Max.X, r.Min.Y), bg)
	fill(strip, image.Rect(b.Min.X, r.Max.Y, b.Max.X, b.Max.Y), bg)
	fill(strip, image.Rect(b.Min.X, r.Min.Y, r.Min.X, r.Max.Y), bg)
	fill(strip, image.Rect(r.Max.X, r.Min.Y, b.Max.X, r.Max.Y), bg)
	if s.nearest {
		s.drawNearest(strip, r)
	} else {
		s.drawMixed(strip, r)
	}
}

func (s *sampler) drawNearest(strip *image.RGBA, r image.Rectangle) {
	last, above := -1, []byte(nil)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		at := int(s.y[y-s.where.Min.Y].at)
		out := strip.Pix[strip.PixOffset(r.Min.X, y):][:4*r.Dx()]
		if at == last {
			copy(out, above)
			continue
		}
		src := s.src.Pix[at*s.src.Stride:][:4*s.src.Rect.Dx()]
		if s.whole {
			copy(out, src[s.x[0].at:])
			last, above = at, out
			continue
		}
		for i := range s.x {
			t := s.x[i].at
			put(out[4*i:4*i+4], get(src[t:t+4])|opaque)
		}
		last, above = at, out
	}
}

const opaque = 0xff000000 // alpha of a px read as a little-endian word

// drawMixed mixes along x first and keeps the result for two source rows: most
// screen rows then need one new one, or none.
func (s *sampler) drawMixed(strip *image.RGBA, r image.Rectangle) {
	upper, lower := make([]uint64, len(s.x)), make([]uint64, len(s.x))
	have := -2 // the source row in upper; the next one is in lower
	row := func(dst []uint64, y int) {
		along(dst, s.src.Pix[y*s.src.Stride:][:4*s.src.Rect.Dx()], s.x)
	}
	for y := r.Min.Y; y < r.Max.Y; y++ {
		t := s.y[y-s.where.Min.Y]
		at := int(t.at)
		switch at {
		case have:
		case have + 1:
			upper, lower = lower, upper
			row(lower, at+1)
		default:
			row(upper, at)
			row(lower, at+1)
		}
		have = at
		down(strip.Pix[strip.PixOffset(r.Min.X, y):], upper, lower, uint64(t.w))
	}
}

// along mixes a source row at the taps. A result has the four channels of a px in
// the order 0, 2, 1, 3, each times 16.
//
// In both passes a difference below zero borrows from the lane above and the sum
// gives it back: modulo the word, every lane ends up with its own weighted sum,
// which fits.
func along(dst []uint64, src []byte, xs []tap) {
	dst = dst[:len(xs)]
	for i := range xs {
		t := &xs[i]
		two := pair(src[t.at : t.at+8])
		even, odd := two&lanes, two>>8&lanes
		left := even&0xffffffff | odd<<32
		right := even>>32 | odd&^0xffffffff
		dst[i] = left<<4 + (right-left)*uint64(t.w)
	}
}

// down mixes two rows made by along and writes px, two at a time.
func down(out []byte, upper, lower []uint64, w uint64) {
	n := len(upper)
	lower, out = lower[:n], out[:4*n]
	const half = 0x0080008000800080
	for ; len(upper) >= 2 && len(lower) >= 2 && len(out) >= 8; upper, lower, out = upper[2:], lower[2:], out[8:] {
		a, b := upper[0], upper[1]
		a = (a<<4 + (lower[0]-a)*w + half) >> 8 & lanes
		b = (b<<4 + (lower[1]-b)*w + half) >> 8 & lanes
		a, b = a&0xffffffff|a>>24, b&0xffffffff|b>>24
		binary.LittleEndian.PutUint64(out, a&0xffffffff|b<<32|opaque|opaque<<32)
	}
	if len(upper) == 1 && len(lower) == 1 && len(out) >= 4 {
		a := upper[0]
		a = (a<<4 + (lower[0]-a)*w + half) >> 8 & lanes
		put(out, uint32(a)|uint32(a>>24)|opaque)
	}
}
