package overlay

import (
	"encoding/binary"
	"image"
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
