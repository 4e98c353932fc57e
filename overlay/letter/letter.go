// Package letter finds the letters of a page in the pixels of its picture, so that what marks hide is counted from what
// a reader sees and not from what a placement believes. All rectangles are in px of the picture. Start with [Find].
package letter

import (
	"image"
	"image/color"
)

// A pixel belongs to a letter where its brightness or colour is Step of 255 or more from the ground of its line of
// text. A line whose ground has less than groundShare of its px, in percent, is on a picture: nothing is known of its
// letters.
const (
	Step        = 48
	groundShare = 35
)

// Glyph is one letter, or several that touch: px columns of ink without a gap.
type Glyph struct {
	Bounds image.Rectangle
	Pixels []image.Point
}

// A row of px is of a rule, such as the line under a link or the border of a cell, where ink runs on for ruleLong times
// the height of the line of text. What of it is ruleShort parts of that long is no letter.
const (
	ruleLong  = 2
	ruleShort = 2
)

// Find lists the letters of a line of text from left to right, none where the line is on a picture. Rules are none.
func Find(img *image.RGBA, line image.Rectangle) []Glyph {
	line = line.Intersect(img.Rect)
	ground, ok := Ground(img, line)
	if !ok {
		return nil
	}
	var out []Glyph
	var now Glyph
	ink := inkOf(img, line, ground)
	for x := line.Min.X; x <= line.Max.X; x++ {
		found := false
		for y := line.Min.Y; y < line.Max.Y && x < line.Max.X; y++ {
			if !ink[(y-line.Min.Y)*line.Dx()+x-line.Min.X] {
				continue
			}
			found = true
			now.Pixels = append(now.Pixels, image.Pt(x, y))
			now.Bounds = now.Bounds.Union(image.Rect(x, y, x+1, y+1))
		}
		if !found && len(now.Pixels) > 0 {
			out, now = append(out, now), Glyph{}
		}
	}
	return out
}

// inkOf tells the px of a line that are ink and of no rule, row by row.
func inkOf(img *image.RGBA, line image.Rectangle, ground color.RGBA) []bool {
	wide := line.Dx()
	out := make([]bool, wide*line.Dy())
	for y := range line.Dy() {
		row := out[y*wide : (y+1)*wide]
		longest := 0
		run := 0
		for x := range row {
			row[x] = Apart(img.RGBAAt(line.Min.X+x, line.Min.Y+y), ground) >= Step
			if run++; !row[x] {
				run = 0
			}
			longest = max(longest, run)
		}
		if longest < ruleLong*line.Dy() {
			continue
		}
		for x := 0; x < wide; x++ {
			end := x
			for end < wide && row[end] {
				end++
			}
			if ruleShort*(end-x) >= line.Dy() {
				clear(row[x:end])
			}
			x = end
		}
	}
	return out
}

// hiddenShare is the share of a letter's px, in percent, from which on a letter that was painted over counts as hidden:
// what is left of it could be another one.
const hiddenShare = 25

// Hidden lists the letters of a line of text in a clean picture that a marked one of the same size no longer shows.
func Hidden(clean, marked *image.RGBA, line image.Rectangle) []Glyph {
	line = line.Intersect(clean.Rect)
	if line.Empty() || same(clean, marked, line) {
		return nil
	}
	var out []Glyph
	for _, l := range Find(clean, line) {
		gone := 0
		for _, at := range l.Pixels {
			if marked.RGBAAt(at.X, at.Y) != clean.RGBAAt(at.X, at.Y) {
				gone++
			}
		}
		if 100*gone >= hiddenShare*len(l.Pixels) {
			out = append(out, l)
		}
	}
	return out
}

// same reports whether two pictures of one size are alike in a rectangle.
func same(a, b *image.RGBA, r image.Rectangle) bool {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		if string(a.Pix[a.PixOffset(r.Min.X, y):a.PixOffset(r.Max.X, y)]) !=
			string(b.Pix[b.PixOffset(r.Min.X, y):b.PixOffset(r.Max.X, y)]) {
			return false
		}
	}
	return true
}

// Ground is the colour that most px of a line of text have, false where that is too few to be its ground.
func Ground(img *image.RGBA, line image.Rectangle) (color.RGBA, bool) {
	count := map[color.RGBA]int{}
	var best color.RGBA
	for y := line.Min.Y; y < line.Max.Y; y++ {
		for x := line.Min.X; x < line.Max.X; x++ {
			c := img.RGBAAt(x, y)
			count[c]++
			if count[c] > count[best] {
				best = c
			}
		}
	}
	return best, 100*count[best] >= groundShare*line.Dx()*line.Dy() && count[best] > 0
}

// Apart is the largest difference of a channel of two colours.
func Apart(a, b color.RGBA) int {
	d := func(x, y uint8) int { return max(int(x)-int(y), int(y)-int(x)) }
	return max(d(a.R, b.R), d(a.G, b.G), d(a.B, b.B))
}
