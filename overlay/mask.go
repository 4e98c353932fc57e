package overlay

import (
	"image"
	"math/bits"
)

// disjoint is the union of rectangles within the picture, less those of without,
// as rectangles that do not overlap, so that a see-through fill lies everywhere
// once. It sets one bit for each px, a word at a time, and reads the bits back as
// runs that grow downwards while rows are equal.
func disjoint(parts, without []image.Rectangle, size image.Point) []image.Rectangle {
	if len(parts) == 0 {
		return nil
	}
	words := (size.X + 63) / 64
	mask := make([]uint64, words*size.Y)
	mark := func(rects []image.Rectangle, set bool) {
		for _, r := range rects {
			r = r.Intersect(image.Rectangle{Max: size})
			if r.Empty() {
				continue
			}
			w0, w1 := r.Min.X/64, (r.Max.X-1)/64
			first, last := ^uint64(0)<<(r.Min.X%64), ^uint64(0)>>(63-(r.Max.X-1)%64)
			for y := r.Min.Y; y < r.Max.Y; y++ {
				row := mask[y*words : (y+1)*words]
				for w := w0; w <= w1; w++ {
					v := ^uint64(0)
					if w == w0 {
						v &= first
					}
					if w == w1 {
						v &= last
					}
					if set {
						row[w] |= v
					} else {
						row[w] &^= v
					}
				}
			}
		}
	}
	mark(parts, true)
	mark(without, false)
	var out []image.Rectangle
	for y := 0; y < size.Y; {
		row := mask[y*words : (y+1)*words]
		end := y + 1
		for end < size.Y && equalWords(row, mask[end*words:(end+1)*words]) {
			end++
		}
		for x := 0; x < size.X; {
			x = nextBit(row, x, true)
			if x >= size.X {
				break
			}
			stop := min(nextBit(row, x, false), size.X)
			out = append(out, image.Rect(x, y, stop, end))
			x = stop
		}
		y = end
	}
	return out
}

func equalWords(a, b []uint64) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// nextBit is the first position from x on with that bit, or the length.
func nextBit(row []uint64, x int, set bool) int {
	for w := x / 64; w < len(row); w++ {
		v := row[w]
		if !set {
			v = ^v
		}
		if w == x/64 {
			v &= ^uint64(0) << (x % 64)
		}
		if v != 0 {
			return w*64 + bits.TrailingZeros64(v)
		}
	}
	return len(row) * 64
}
