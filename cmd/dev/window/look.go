package window

import (
	"fmt"
	"image"
	"image/color"
)

// The window test looks at two pictures of the screen, one from before a click and
// one from after it, and asks what is new. So it knows nothing of the theme's
// colours: a highlight is a place where many pixels turned into one new colour.

// band is how far from its box an outline may lie, in px to either side.
const band = 4

// sameColour is the largest difference per channel that counts as one colour:
// highlights are drawn translucent and with soft edges.
const sameColour = 24

func near(a, b color.RGBA) bool {
	d := func(x, y uint8) bool { return max(x, y)-min(x, y) <= sameColour }
	return d(a.R, b.R) && d(a.G, b.G) && d(a.B, b.B)
}

// turned finds the colour that most of the changed pixels among points turned into.
func turned(before, after *image.RGBA, points []image.Point) (color.RGBA, bool) {
	counts := map[color.RGBA]int{}
	var best color.RGBA
	for _, p := range points {
		if was, is := before.RGBAAt(p.X, p.Y), after.RGBAAt(p.X, p.Y); !near(was, is) {
			counts[is]++
			if n := counts[is]; n > counts[best] || n == counts[best] && darker(is, best) {
				best = is
			}
		}
	}
	return best, counts[best] > 0
}

// darker orders colours so that a tie has one answer.
func darker(a, b color.RGBA) bool {
	return int(a.R)<<16|int(a.G)<<8|int(a.B) < int(b.R)<<16|int(b.G)<<8|int(b.B)
}

// outlined is the share of a box's outline beside which a new colour runs, 0 to 1:
// along the outline, every px that has a pixel of that colour within the band, which
// was not there before.
func outlined(before, after *image.RGBA, box image.Rectangle) float64 {
	// Each place on the outline with the pixels across it.
	var across [][]image.Point
	strip := func(x, y, dx, dy int) {
		var s []image.Point
		for i := -band; i <= band; i++ {
			if p := (image.Point{X: x + dx*i, Y: y + dy*i}); p.In(after.Rect) {
				s = append(s, p)
			}
		}
		if len(s) > 0 {
			across = append(across, s)
		}
	}
	for x := box.Min.X; x < box.Max.X; x++ {
		strip(x, box.Min.Y, 0, 1)
		strip(x, box.Max.Y-1, 0, 1)
	}
	for y := box.Min.Y; y < box.Max.Y; y++ {
		strip(box.Min.X, y, 1, 0)
		strip(box.Max.X-1, y, 1, 0)
	}
	var all []image.Point
	for _, s := range across {
		all = append(all, s...)
	}
	highlight, ok := turned(before, after, all)
	if !ok {
		return 0
	}
	hit := 0
	for _, s := range across {
		for _, p := range s {
			if near(after.RGBAAt(p.X, p.Y), highlight) && !near(before.RGBAAt(p.X, p.Y), highlight) {
				hit++
				break
			}
		}
	}
	return float64(hit) / float64(len(across))
}

// differ is how many px differ between two pictures of one size.
func differ(a, b *image.RGBA) int {
	n := 0
	for i := 0; i+4 <= len(a.Pix) && i+4 <= len(b.Pix); i += 4 {
		if [4]byte(a.Pix[i:i+4]) != [4]byte(b.Pix[i:i+4]) {
			n++
		}
	}
	return n
}

// busy reports whether a part of the screen shows something: more than a few colours.
func busy(picture *image.RGBA, area image.Rectangle) error {
	colours := map[color.RGBA]bool{}
	area = area.Intersect(picture.Rect)
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			colours[picture.RGBAAt(x, y)] = true
		}
	}
	if len(colours) < 32 {
		return fmt.Errorf("the screen shows %d colours at %v: nothing was drawn there", len(colours), area)
	}
	return nil
}

// lowest and tallest are the height in px that a highlighted row of text can have.
const lowest, tallest = 10, 80

// newRows finds rows of a text pane whose ground has a new colour: stretches of
// lines of pixels that are mostly of one colour which is not the pane's ground and
// was not the ground of any row before. So it does not matter whether the text was
// scrolled in between.
func newRows(before, after *image.RGBA, pane image.Rectangle) []image.Rectangle {
	pane = pane.Intersect(after.Rect)
	// What is lower than a row, such as a scroll bar, is no ground of one.
	grounds, height := map[color.RGBA]bool{}, map[color.RGBA]int{}
	for y := pane.Min.Y; y < pane.Max.Y; y++ {
		if c, ok := ground(before, pane, y); ok {
			if height[c]++; height[c] >= lowest {
				grounds[c] = true
			}
		}
	}
	fresh := func(c color.RGBA) bool {
		for g := range grounds {
			if near(g, c) {
				return false
			}
		}
		return true
	}
	var rows []image.Rectangle
	begin := -1
	for y := pane.Min.Y; y <= pane.Max.Y; y++ {
		is := false
		if y < pane.Max.Y {
			c, ok := ground(after, pane, y)
			is = ok && fresh(c)
		}
		switch {
		case is && begin < 0:
			begin = y
		case !is && begin >= 0:
			if y-begin >= lowest && y-begin <= tallest {
				rows = append(rows, image.Rect(pane.Min.X, begin, pane.Max.X, y))
			}
			begin = -1
		}
	}
	return rows
}

// ground is the colour that more than half of a line of pixels has.
func ground(picture *image.RGBA, pane image.Rectangle, y int) (color.RGBA, bool) {
	counts := map[color.RGBA]int{}
	for x := pane.Min.X; x < pane.Max.X; x++ {
		c := picture.RGBAAt(x, y)
		if counts[c]++; counts[c] > pane.Dx()/2 {
			return c, true
		}
	}
	return color.RGBA{}, false
}
