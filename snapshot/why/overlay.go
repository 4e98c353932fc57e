package why

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/text"
)

// OverlayNotice describes what covers the page, and how to get rid of it.
type OverlayNotice struct {
	// Text is what it covers, Advice what to press first, "" where nothing is known.
	Text, Advice string
	Node         int    // the overlay's outermost element
	Press        int    // element to press, -1 where none is known
	What         string // that element in a few words
	Controls     []int  // kept controls whose clicks land on it, in the order of the page
	Covered      []int  // kept elements that it lies over, wholly or in part
}

// Advise says what to press first, with the number that a reader knows it by, "" for none.
func (n OverlayNotice) Advise(number string) string {
	if n.Press < 0 {
		return ""
	}
	if number != "" {
		number += " "
	}
	return "Press " + number + n.What + " first."
}

// Overlay is the notice about the overlay that covers most of the view, false where there is
// none.
func Overlay(c *snapshot.Capture) (OverlayNotice, bool) {
	var most *snapshot.Overlay
	for i := range c.Page.Overlays {
		if o := &c.Page.Overlays[i]; most == nil || o.Share > most.Share {
			most = o
		}
	}
	if most == nil {
		return OverlayNotice{}, false
	}
	n := OverlayNotice{Node: most.Node, Press: -1}
	tree := snapshot.NewTree(c)
	for i := range c.Nodes {
		el := &c.Nodes[i]
		o := el.Occlusion
		if el.Ref == 0 || o == nil || o.State == snapshot.Clear || o.Coverer == nil ||
			!tree.Contains(most.Node, *o.Coverer) || tree.Contains(most.Node, el.I) {
			continue
		}
		n.Covered = append(n.Covered, el.I)
		if len(el.Interactive) > 0 && o.State == snapshot.Covered {
			n.Controls = append(n.Controls, el.I)
		}
	}
	kind := cmp.Or(strings.ReplaceAll(text.Cut(text.Line(most.Kind), 30), "_", " "), "overlay")
	n.Text = text.Capital(kind) + " covers " + text.Percent(most.Share) + " of the view"
	if len(n.Controls) > 0 {
		n.Text += " and " + text.Count(len(n.Controls), "control", "controls")
	}
	n.Text += "."
	if most.Press != nil {
		if el := c.Node(*most.Press); el != nil {
			n.Press, n.What = el.I, Called(tree, el)
			number := ""
			if el.Ref > 0 {
				number = fmt.Sprint(el.Ref)
			}
			n.Advice = n.Advise(number)
		}
	}
	return n, true
}
