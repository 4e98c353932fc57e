package audit

import (
	"fmt"
	"math"

	"github.com/refscope/refscope/snapshot"
)

// targetSize is the least width and height of a target, in CSS px (WCAG 2.2, 2.5.8).
const targetSize = 24

// targets is WCAG 2.5.8: a target is at least 24 by 24 CSS px, or so far from others that
// a circle of 24 px around its middle meets neither another target nor another small
// one's circle, or is in a line of text, or has the browser's own size.
func (a *auditor) targets() {
	type target struct {
		n     *snapshot.Node
		box   snapshot.Box
		small bool
	}
	var ts []target
	cells := map[[2]int][]int{}
	each := func(b snapshot.Box, fn func(cell [2]int) bool) {
		const size = 4 * targetSize
		x0, y0 := int(math.Floor(b.X()/size)), int(math.Floor(b.Y()/size))
		x1, y1 := int(math.Floor(b.Right()/size)), int(math.Floor(b.Bottom()/size))
		if x1-x0 > 64 || y1-y0 > 64 { // it is so large that its neighbours are few
			return
		}
		for y := y0; y <= y1; y++ {
			for x := x0; x <= x1; x++ {
				if !fn([2]int{x, y}) {
					return
				}
			}
		}
	}
	for p := range a.c.Nodes {
		n := &a.c.Nodes[p]
		if !n.Verdict.Kept() || !isControl(n) || !a.reachable(p) || a.nested(n) {
			continue
		}
		if n.VisibleBox().Empty() && !n.Box.Empty() {
			continue // it is scrolled away, and where it is then, nobody knows
		}
		t := target{n: n, box: n.VisibleBox()}
		t.small = t.box.W() < targetSize-0.5 || t.box.H() < targetSize-0.5
		i := len(ts)
		ts = append(ts, t)
		each(t.box, func(c [2]int) bool { cells[c] = append(cells[c], i); return true })
	}
	for i := range ts {
		t := &ts[i]
		if !t.small || a.inLine(t.n) || ownSize(t.n) {
			continue
		}
		x, y := t.box.Center()
		circle := snapshot.Box{x - targetSize, y - targetSize, 2 * targetSize, 2 * targetSize}
		var near *snapshot.Node
		looked := 0
		each(circle, func(c [2]int) bool {
			for _, j := range cells[c] {
				if looked++; looked > 2_000 {
					return false
				}
				o := &ts[j]
				if j == i || a.tree.Contains(o.n.I, t.n.I) || a.tree.Contains(t.n.I, o.n.I) {
					continue
				}
				ox, oy := o.box.Center()
				if distance(o.box, x, y) < targetSize/2 || o.small && math.Hypot(ox-x, oy-y) < targetSize {
					near = o.n
					return false
				}
			}
			return true
		})
		if near == nil {
			continue
		}
		a.add(SmallTarget, Note, t.n, Finding{
			Sentence: fmt.Sprintf("%s is %.0f by %.0f px, and %s is next to it.", a.say(t.n), t.box.W(),
				t.box.H(), a.say(near)),
			Others: []int{near.I},
		}, a.short(t.n.Name))
	}
}

// distance is how far the point is from the box, in px; 0 inside.
func distance(b snapshot.Box, x, y float64) float64 {
	dx := max(0, max(b.X()-x, x-b.Right()))
	dy := max(0, max(b.Y()-y, y-b.Bottom()))
	return math.Hypot(dx, dy)
}

// nested reports whether the element is a part of another control.
func (a *auditor) nested(n *snapshot.Node) bool {
	k := 0
	for up := range a.tree.Ancestors(n.I) {
		if k++; k > 8 {
			return false
		}
		if isControl(up) && up.Verdict.Kept() {
			return true
		}
	}
	return false
}

// inLine is the inline exception: the target is in a sentence, and its height is that
// of the line.
func (a *auditor) inLine(n *snapshot.Node) bool {
	if n.Block || n.Tag == "input" || n.Tag == "select" || n.Tag == "button" {
		return false
	}
	for up := range a.tree.Ancestors(n.I) {
		if hasWord(up.Text) {
			return true
		}
		if up.Block {
			return false
		}
	}
	return false
}

// ownSize is the user agent exception: a box or radio of the browser's own size.
func ownSize(n *snapshot.Node) bool {
	t := n.Attr("type")
	return n.Tag == "input" && (t == "checkbox" || t == "radio") && n.Box.W() == 13 && n.Box.H() == 13
}
