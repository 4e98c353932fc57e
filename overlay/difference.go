package overlay

import (
	"cmp"
	"encoding/binary"
	"image"
	"image/color"
	"slices"
)

// Difference is how one picture differs from another, pixel by pixel. Both lie with
// their top left corners on each other; what only one of them has is different.
type Difference struct {
	// Size is that of both together, in px; Before and After are the sizes of each.
	Size, Before, After image.Point
	// Changed counts pixels of Size that differ.
	Changed int
	// Boxes are where they are, in px, from top to bottom and then from left to right:
	// disjoint rectangles that hold every changed pixel. Changes closer to each other
	// than some words of text are one box, and there are at most 200: where there would
	// be more, near boxes are joined.
	Boxes []image.Rectangle
	// Picture shows it: the later picture pale and without colours, what changed in
	// magenta, by as much as it changed, what one picture alone has striped, and the
	// boxes outlined.
	Picture *image.RGBA
}

// Share is the part of the pixels that differ, 0 to 1.
func (d *Difference) Share() float64 {
	if n := d.Size.X * d.Size.Y; n > 0 {
		return float64(d.Changed) / float64(n)
	}
	return 0
}

const (
	// diffCell is the edge in px of the cells in which changes are gathered, and
	// diffBoxes how many boxes there may be.
	diffCell  = 8
	diffBoxes = 200
)

// NewDifference compares two pictures whose top left corners are at 0,0, either of
// which may be nil. It takes some 5 ms for a million pixels and changes neither. The
// same pictures give the same answer on every machine. Two of Chrome that show the same are equal to the bit, so that
// a pixel is another one where any channel differs.
func NewDifference(before, after *image.RGBA) *Difference {
	d := &Difference{Before: extent(before), After: extent(after)}
	d.Size = image.Pt(max(d.Before.X, d.After.X), max(d.Before.Y, d.After.Y))
	d.Picture = image.NewRGBA(image.Rectangle{Max: d.Size})
	both := image.Pt(min(d.Before.X, d.After.X), min(d.Before.Y, d.After.Y))
	columns, lines := (d.Size.X+diffCell-1)/diffCell, (d.Size.Y+diffCell-1)/diffCell
	cells := make([]bool, columns*lines)
	counts := make([]int, lines)
	// Whole lines of cells, so that no two goroutines write one.
	rows(lines, func(from, to int) {
		for line := from; line < to; line++ {
			for y := line * diffCell; y < min((line+1)*diffCell, d.Size.Y); y++ {
				counts[line] += d.row(before, after, y, both, cells[line*columns:(line+1)*columns])
			}
		}
	})
	for _, n := range counts {
		d.Changed += n
	}
	d.Boxes = gathered(cells, columns, lines, image.Rectangle{Max: d.Size})
	for _, b := range d.Boxes {
		frameRect(d.Picture, b.Inset(-2).Intersect(d.Picture.Rect), color.RGBA{176, 0, 120, 255})
	}
	return d
}

func extent(img *image.RGBA) image.Point {
	if img == nil {
		return image.Point{}
	}
	return img.Rect.Size()
}

// row compares and paints one row, marks its cells, and counts.
func (d *Difference) row(
	before, after *image.RGBA, y int, both image.Point, cells []bool,
) (changed int) {
	out := d.Picture.Pix[y*d.Picture.Stride:]
	for x := range d.Size.X {
		o := out[4*x : 4*x+4 : 4*x+4]
		o[3] = 255
		if x >= both.X || y >= both.Y { // in one of them at most
			cells[x/diffCell] = true
			changed++
			if (x+y)%8 < 4 {
				o[0], o[1], o[2] = 246, 196, 226
			} else {
				o[0], o[1], o[2] = 255, 236, 248
			}
			continue
		}
		a := before.Pix[y*before.Stride+4*x:][:4]
		b := after.Pix[y*after.Stride+4*x:][:4]
		far := 0
		for i := range 3 {
			far = max(far, int(a[i])-int(b[i]), int(b[i])-int(a[i]))
		}
		grey := (299*int(b[0]) + 587*int(b[1]) + 114*int(b[2])) / 1000
		if far == 0 {
			p := uint8(200 + grey*55/255) // pale, so that magenta is easy to see in either theme
			o[0], o[1], o[2] = p, p, p
			continue
		}
		cells[x/diffCell] = true
		changed++
		// From a magenta that can be seen at all to a full one.
		t := 96 + far*159/255
		o[0], o[1], o[2] = uint8(255-t*35/255), uint8(210-t*210/255), uint8(240-t*110/255)
	}
	return changed
}

// changedCells is a grid of cells, each with the rectangle of what changed in it, in
// units of diffCell; empty where nothing did.
type changedCells struct {
	columns, lines int
	at             []image.Rectangle
}

// gathered are the boxes in px around groups of cells. Where they are too many, the
// grid is made coarser, so that more of them touch.
func gathered(cells []bool, columns, lines int, all image.Rectangle) []image.Rectangle {
	g := changedCells{columns, lines, make([]image.Rectangle, len(cells))}
	for i, on := range cells {
		if on {
			x, y := i%columns, i/columns
			g.at[i] = image.Rect(x, y, x+1, y+1)
		}
	}
	boxes := g.groups()
	for len(boxes) > diffBoxes {
		g = g.coarser()
		boxes = g.groups()
	}
	for i, b := range boxes {
		boxes[i] = image.Rect(b.Min.X*diffCell, b.Min.Y*diffCell, b.Max.X*diffCell, b.Max.Y*diffCell).Intersect(all)
	}
	slices.SortFunc(boxes, func(a, b image.Rectangle) int {
		return cmp.Or(a.Min.Y-b.Min.Y, a.Min.X-b.Min.X)
	})
	return boxes
}

// coarser is the grid at half its size.
func (g changedCells) coarser() changedCells {
	c := changedCells{columns: (g.columns + 1) / 2, lines: (g.lines + 1) / 2}
	c.at = make([]image.Rectangle, c.columns*c.lines)
	for i, r := range g.at {
		k := i/g.columns/2*c.columns + i%g.columns/2
		c.at[k] = c.at[k].Union(r)
	}
	return c
}

// groups are the rectangles around cells that touch, or nearly do: sideways one cell
// may be between, for the gaps between words are wider than those between lines.
// Rectangles that overlap are joined.
func (g changedCells) groups() []image.Rectangle {
	seen := make([]bool, len(g.at))
	var boxes []image.Rectangle
	var todo []int
	for i, r := range g.at {
		if r.Empty() || seen[i] {
			continue
		}
		seen[i] = true
		todo = append(todo[:0], i)
		box := image.Rectangle{}
		for len(todo) > 0 {
			at := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			x, y := at%g.columns, at/g.columns
			box = box.Union(g.at[at])
			for ny := max(0, y-1); ny <= min(g.lines-1, y+1); ny++ {
				for nx := max(0, x-2); nx <= min(g.columns-1, x+2); nx++ {
					if n := ny*g.columns + nx; !seen[n] && !g.at[n].Empty() {
						seen[n] = true
						todo = append(todo, n)
					}
				}
			}
		}
		boxes = append(boxes, box)
	}
	if len(boxes) > 8*diffBoxes {
		return boxes // too many anyway
	}
	for again := true; again; {
		again = false
		for i := 0; i < len(boxes); i++ {
			for k := len(boxes) - 1; k > i; k-- {
				if boxes[i].Overlaps(boxes[k]) {
					boxes[i] = boxes[i].Union(boxes[k])
					boxes = slices.Delete(boxes, k, k+1)
					again = true
				}
			}
		}
	}
	return boxes
}

// frameRect draws a line of one px along the inside of a rectangle.
func frameRect(img *image.RGBA, r image.Rectangle, c color.RGBA) {
	for x := r.Min.X; x < r.Max.X; x++ {
		img.SetRGBA(x, r.Min.Y, c)
		img.SetRGBA(x, r.Max.Y-1, c)
	}
	for y := r.Min.Y; y < r.Max.Y; y++ {
		img.SetRGBA(r.Min.X, y, c)
		img.SetRGBA(r.Max.X-1, y, c)
	}
}

// Mix lays picture b over picture a, of one size, with a share of b from 0 to 1, and
// writes the result to a: the onion skin of two frames.
func Mix(a, b *image.RGBA, share float64) {
	n := uint64(min(max(share, 0), 1)*256 + 0.5)
	// Every second byte of eight, each in 16 bits, which hold 255 × 256.
	const even = 0x00ff00ff00ff00ff
	rows(min(a.Rect.Dy(), b.Rect.Dy()), func(from, to int) {
		width := 4 * min(a.Rect.Dx(), b.Rect.Dx())
		for y := from; y < to; y++ {
			p, q := a.Pix[y*a.Stride:][:width], b.Pix[y*b.Stride:][:width]
			i := 0
			for ; i+8 <= width; i += 8 {
				x, z := binary.LittleEndian.Uint64(p[i:]), binary.LittleEndian.Uint64(q[i:])
				low := ((x&even)*(256-n) + (z&even)*n) >> 8 & even
				high := ((x>>8&even)*(256-n) + (z>>8&even)*n) &^ even
				binary.LittleEndian.PutUint64(p[i:], low|high)
			}
			for ; i < width; i++ {
				p[i] = uint8((uint64(p[i])*(256-n) + uint64(q[i])*n) >> 8)
			}
		}
	})
}

// differSlack is how far a channel of a px may be off, of 255: fonts are smoothed a
// little differently from one version of a browser to the next.
const differSlack = 16

// differColor marks a px that differs.
var differColor = color.RGBA{214, 0, 110, 255}

// Differ compares two pictures px by px. The picture that it gives is as large as both
// together: what is equal is grey and faint, what differs is of one strong colour, and
// so is what only one of them has. The numbers are of px that differ and of all px.
func Differ(a, b *image.RGBA) (picture *image.RGBA, differs, of int) {
	wa, ha, wb, hb := a.Rect.Dx(), a.Rect.Dy(), b.Rect.Dx(), b.Rect.Dy()
	picture = image.NewRGBA(image.Rect(0, 0, max(wa, wb), max(ha, hb)))
	for y := range picture.Rect.Dy() {
		for x := range picture.Rect.Dx() {
			at := picture.PixOffset(x, y)
			out := picture.Pix[at : at+4 : at+4]
			if x < min(wa, wb) && y < min(ha, hb) {
				p := a.Pix[a.PixOffset(a.Rect.Min.X+x, a.Rect.Min.Y+y):]
				q := b.Pix[b.PixOffset(b.Rect.Min.X+x, b.Rect.Min.Y+y):]
				if closeTo(p[0], q[0]) && closeTo(p[1], q[1]) && closeTo(p[2], q[2]) {
					grey := (299*int(q[0]) + 587*int(q[1]) + 114*int(q[2])) / 1000
					v := uint8(255 - (255-grey)/3)
					out[0], out[1], out[2], out[3] = v, v, v, 255
					continue
				}
			}
			differs++
			out[0], out[1], out[2], out[3] = differColor.R, differColor.G, differColor.B, 255
		}
	}
	return picture, differs, picture.Rect.Dx() * picture.Rect.Dy()
}

func closeTo(a, b uint8) bool { return int(a)-int(b) <= differSlack && int(b)-int(a) <= differSlack }
