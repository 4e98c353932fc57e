package vision

import (
	"image"
	"runtime"
	"slices"
	"sync"

	"github.com/refscope/refscope/overlay/geometry"
)

// Resize scales a picture to that size in px with the Catmull-Rom filter, widened
// where it shrinks so that every px counts. Colours are premultiplied, as they are
// in image.RGBA, and stay so. The result has its top left corner at 0,0 and shares
// no memory with img, also where the sizes are equal. A size or a picture without
// extent results in an empty picture.
//
// The filter works in integers: weights in 1/16384, which sum to exactly one, and
// rows in between in 1/64 of a step. So the px are equal on every processor and for
// every number of threads, and a flat ground stays flat to the px. x/image/draw's
// Catmull-Rom gives the same to one step of 255; it has one thread, takes 2.4 times as
// long on two processors, and holds all rows in between as float64, which for a full
// page of 1280 x 16384 px is half a gigabyte.
func Resize(img *image.RGBA, to image.Point) *image.RGBA {
	from := img.Rect.Size()
	if to.X <= 0 || to.Y <= 0 || from.X <= 0 || from.Y <= 0 {
		return &image.RGBA{}
	}
	dst := image.NewRGBA(image.Rectangle{Max: to})
	if from == to {
		for y := range to.Y {
			at := img.PixOffset(img.Rect.Min.X, img.Rect.Min.Y+y)
			copy(dst.Pix[y*dst.Stride:][:4*to.X], img.Pix[at:])
		}
		return dst
	}
	across, down := newFilter(from.X, to.X), newFilter(from.Y, to.Y)
	split(to.Y, func(y0, y1 int) {
		sum := make([]int32, 4*to.X)
		var rows []int16
		for ; y0 < y1; y0 += band {
			rows = resizeBand(dst, img, across, down, y0, min(y1, y0+band), rows, sum)
		}
	})
	return dst
}

// band is how many rows of the result are made from one set of rows in between: it
// bounds their memory, and few are made twice.
const band = 64

// resizeBand makes the rows y0 to y1 of dst. It uses the memory of rows, returned
// for the next band, and of sum, a row's.
func resizeBand(dst, img *image.RGBA, across, down *filter, y0, y1 int, rows []int16, sum []int32) []int16 {
	width := len(sum)
	first, last := down.first[y0], 0
	for y := y0; y < y1; y++ {
		first, last = min(first, down.first[y]), max(last, down.first[y]+len(down.weights(y)))
	}
	rows = slices.Grow(rows[:0], width*(last-first))[:width*(last-first)]
	for y := first; y < last; y++ {
		at := img.PixOffset(img.Rect.Min.X, img.Rect.Min.Y+y)
		across.row(rows[(y-first)*width:][:width], img.Pix[at:at+4*img.Rect.Dx()])
	}
	for y := y0; y < y1; y++ {
		clear(sum)
		for k, w := range down.weights(y) {
			row := rows[(down.first[y]-first+k)*width:][:width]
			for i, v := range row {
				sum[i] += int32(v) * w
			}
		}
		pack(dst.Pix[y*dst.Stride:][:width], sum)
	}
	return rows
}

// Fixed point: weights have weightBits after the point, rows in between rowBits.
const (
	weightBits = 14
	rowBits    = 6
	one        = 1 << weightBits
)

// filter is the weights of one axis: which source px make each px of the result.
type filter struct {
	first []int   // source px of the first weight
	from  []int   // where its weights begin in all; one more than px
	all   []int32 // of one px they sum to one
}

func (f *filter) weights(i int) []int32 { return f.all[f.from[i]:f.from[i+1]] }

// newFilter makes the weights for n px out of src.
func newFilter(src, n int) *filter {
	f := &filter{first: make([]int, n), from: make([]int, n+1)}
	// Positions are in 1/(2n) of a source px: those of px centres are whole then.
	unit := 2 * n
	reach := 4 * max(src, n) // of the filter, in the same: 2 px of the coarser grid
	var raw []int64
	for i := range n {
		centre := (2*i + 1) * src
		lo, hi := max(0, geometry.FloorDiv(centre-reach, unit)), min(src-1, geometry.FloorDiv(centre+reach, unit))
		start := len(f.all)
		total, top := int64(0), start
		raw = raw[:0]
		for p := lo; p <= hi; p++ {
			d := (2*p+1)*n - centre
			w := kernel(int64(max(d, -d)) * 2 << kernelBits / int64(reach))
			raw = append(raw, w)
			total += w
		}
		left := int32(one)
		for k, w := range raw {
			v := int32(roundDiv(w<<weightBits, total))
			f.all = append(f.all, v)
			left -= v
			if v > f.all[top] {
				top = start + k
			}
		}
		f.all[top] += left // what rounding took goes to the heaviest
		f.first[i], f.from[i+1] = lo, len(f.all)
	}
	return f
}

// kernelBits is the precision of the kernel's argument and value.
const kernelBits = 18

// kernel is the Catmull-Rom cubic at a distance of t/2^18 px, t not below 0, times
// 2^18: (3t³ - 5t² + 2)/2 up to 1, (-t³ + 5t² - 8t + 4)/2 up to 2, then 0.
func kernel(t int64) int64 {
	const u = int64(1) << kernelBits
	if t >= 2*u {
		return 0
	}
	t2 := t * t >> kernelBits
	t3 := t2 * t >> kernelBits
	if t < u {
		return (3*t3 - 5*t2 + 2*u) / 2
	}
	return (-t3 + 5*t2 - 8*t + 4*u) / 2
}

// row scales a source row.
func (f *filter) row(dst []int16, src []byte) {
	for i := range f.first {
		var r, g, b, a int32
		p := src[4*f.first[i]:]
		for _, w := range f.weights(i) {
			r += int32(p[0]) * w
			g += int32(p[1]) * w
			b += int32(p[2]) * w
			a += int32(p[3]) * w
			p = p[4:]
		}
		const half, shift = 1 << (weightBits - rowBits - 1), weightBits - rowBits
		out := dst[4*i : 4*i+4 : 4*i+4]
		out[0], out[1] = int16((r+half)>>shift), int16((g+half)>>shift)
		out[2], out[3] = int16((b+half)>>shift), int16((a+half)>>shift)
	}
}

// pack rounds sums to px: within 0 to 255, no colour above its alpha.
func pack(dst []byte, sum []int32) {
	const shift = weightBits + rowBits
	at := func(v int32, most int32) int32 { return min(max((v+1<<(shift-1))>>shift, 0), most) }
	for i := 0; i+3 < len(sum); i += 4 {
		a := at(sum[i+3], 255)
		dst[i], dst[i+1], dst[i+2], dst[i+3] = byte(at(sum[i], a)), byte(at(sum[i+1], a)),
			byte(at(sum[i+2], a)), byte(a)
	}
}

// split does the numbers 0 to n in runs, one for each processor, and waits.
func split(n int, do func(from, to int)) {
	var wg sync.WaitGroup
	parts := max(1, min(runtime.GOMAXPROCS(0), n/32))
	for k := range parts {
		wg.Go(func() { do(k*n/parts, (k+1)*n/parts) })
	}
	wg.Wait()
}

// roundDiv is a/b to the nearest; b is positive.
func roundDiv(a, b int64) int64 {
	if a < 0 {
		return -((-a + b/2) / b)
	}
	return (a + b/2) / b
}
