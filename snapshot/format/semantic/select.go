package semantic

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
)

// Which elements semantic lists. One pass over the nodes in document order:
// parents come first, so what an element lies inside of is known.

// collect selects and encodes the elements.
func (w *semantic) collect() {
	w.controls = w.Page.NamingLabels()
	w.ordinal = map[int]int{}
	perFrame := map[int]int{}
	atomic := map[int]int{} // node → the atomic element that it lies in
	holds := w.holders()
	for p := range w.Capture.Nodes {
		n := &w.Capture.Nodes[p]
		if up := w.t.Node(n.Parent); up != nil {
			if a, ok := atomic[up.I]; ok && !itemOf(n, w.t.Node(a)) {
				atomic[n.I] = a
			} else if isAtomic(up) && !itemOf(n, up) {
				atomic[n.I] = up.I
			}
		}
		if !w.candidate(n) {
			continue
		}
		perFrame[n.Frame]++
		w.ordinal[n.I] = perFrame[n.Frame]
		in, inside := atomic[n.I]
		reason, detail := w.prune(n, holds[n.I])
		switch {
		case n.Tag == "label" && w.controls[n.I] != nil:
			w.Omit(n.I, dump.ReasonRole, "a label: its text is the name of its control")
			continue // no candidate: the control is one
		case inside && !w.o.NoAtomic:
			reason, detail = dump.ReasonNoNumber, "inside-atomic: part of "+numberOf(w.t.Node(in))
		}
		if reason != "" {
			w.pruned++
			w.Omit(n.I, reason, detail)
			continue
		}
		w.elements = append(w.elements, w.element(n))
	}
}

func numberOf(n *snapshot.Node) string { return "[" + strconv.Itoa(n.Ref) + "]" }

// candidate reports whether the element is of the kind that semantic lists.
func (w *semantic) candidate(n *snapshot.Node) bool {
	if w.ax {
		return w.axListed(n) || w.scrolls(n) && !w.profile.controlsOnly
	}
	return n.Verdict == snapshot.VerdictRef && len(n.Interactive) > 0 && !snapshot.IsFrame(n.Tag) || w.scrolls(n)
}

// isAtomic reports whether an element is a leaf of the tree whatever is inside
// it (seed 2.8.1).
func isAtomic(n *snapshot.Node) bool {
	if n.Verdict != snapshot.VerdictRef {
		return false
	}
	switch n.Tag {
	case "a", "button", "select":
		return len(n.Interactive) > 0
	}
	switch n.Role {
	case "button", "link", "menuitem", "tab", "option", "treeitem", "checkbox", "radio", "switch", "slider",
		"spinbutton", "textbox", "searchbox", "combobox":
		return true
	}
	return false
}

// itemOf reports whether an element in another is an item of its own: trees and menus nest theirs.
func itemOf(n, in *snapshot.Node) bool {
	return in.Role == "treeitem" && n.Role == "treeitem" ||
		in.Role == "menuitem" && strings.HasPrefix(n.Role, "menuitem")
}

// holders are the candidates that have another candidate inside.
func (w *semantic) holders() map[int]bool {
	holds := map[int]bool{}
	for p := len(w.Capture.Nodes) - 1; p >= 0; p-- {
		if n := &w.Capture.Nodes[p]; holds[n.I] || w.candidate(n) {
			holds[n.Parent] = true
		}
	}
	return holds
}

// prune explains why an element is left out, "" where it is not.
func (w *semantic) prune(n *snapshot.Node, holds bool) (reason, detail string) {
	view, box := w.Capture.Viewport.Box(), n.Box
	seen := n.VisibleBox()
	if w.profile.wholeBox {
		seen = box
	}
	if !w.o.NoViewportPruning {
		if box.Empty() && n.InViewport { // a recording without boxes
			return dump.ReasonNoNumber, "its box is not known"
		}
		side := dump.OutsideView(box, view)
		switch {
		case box.Empty():
			side = "it has no box in the viewport"
		case side == "" && !w.profile.wholeBox && (!n.InViewport || seen.Empty()):
			side = "clipped, or scrolled out of its container"
		}
		if side != "" {
			return dump.ReasonViewport, side
		}
		if min := w.o.MinVisible; min > 0 && !w.scrolls(n) && !box.Empty() {
			if share := seen.Intersect(view).Area() / box.Area(); share < min {
				return dump.ReasonRatio, fmt.Sprintf("%.2f of it is visible, %.2f needed",
					math.Floor(share*100)/100, min)
			}
		}
	}
	if !w.o.KeepContainers && holds && !w.meaningful(n) {
		return dump.ReasonContainer, "it holds other elements and has no background, border, shadow or landmark role"
	}
	return "", ""
}

// meaningful reports whether an element that holds others is worth its entry: it
// scrolls, has a visual boundary, is a landmark, or is a control by more than a
// listener or a cursor.
func (w *semantic) meaningful(n *snapshot.Node) bool {
	if n.Boundary || n.Scroller != nil || snapshot.IsLandmark(n.Role) || n.Role == "dialog" || n.Role == "alertdialog" {
		return true
	}
	return slices.ContainsFunc(n.Interactive, func(why string) bool { return why != "listener" && why != "cursor" })
}
