package collect

import (
	"slices"

	"github.com/refscope/refscope/snapshot"
)

// readDrawings makes words that an SVG draws, such as those of a chart, words like any other where a person sees them.
func readDrawings(c *snapshot.Capture, p *part) {
	hide := p.cols.Hide
	for k, id := range p.ids {
		n := &c.Nodes[id]
		if hide[k] != hideSkipped || p.cols.Flags[k]&flagSVG == 0 || !n.Visible || n.Text == "" {
			continue
		}
		switch n.Tag {
		case "text", "tspan", "textPath":
			for at := k; at >= 0 && hide[at] == hideSkipped; at = p.cols.Parent[at] { // with what groups them
				if up := &c.Nodes[p.ids[at]]; up.Tag != "svg" && !up.Numbered() {
					hide[at], p.cols.Culprit[at] = hideNone, -1
				}
			}
		}
	}
}

// leaveToControls takes the evidence of elements that only listen or look pressable, and whose box one control inside
// them fills, with all that they show: a press anywhere in them is a press on it, so it alone is a target, and it has
// the evidence of their listeners. Hosts of component libraries are such elements. It returns the control by element.
// Where the control ignores the pointer, such an element takes the presses for it: part.hosts.
func leaveToControls(c *snapshot.Capture, p *part, shown []int) map[int]*snapshot.Node {
	const several = -2
	only := make([]int, len(p.ids)) // place of the only control inside, -1, several
	for k := range only {
		only[k] = -1
	}
	taken := map[int]*snapshot.Node{}
	p.hosts = map[int]int{}
	for k := len(p.ids) - 1; k >= 0; k-- {
		node, inside := &c.Nodes[p.ids[k]], only[k]
		hide := p.cols.Hide[k]
		if inside >= 0 && weak(node) {
			by := &c.Nodes[p.ids[inside]] // where it is disabled, it need not take presses: nobody makes them
			switch {
			case shown[k] != shown[inside] || !fills(by, node):
			case by.NoPointer && !by.States.Is("disabled"):
				_, nearer := p.hosts[by.I]
				if !nearer && !node.NoPointer && slices.Contains(node.Interactive, "listener") {
					p.hosts[by.I] = node.I
				}
			default:
				if slices.Contains(node.Interactive, "listener") && !slices.Contains(by.Interactive, "listener") {
					by.Interactive = append(slices.Clone(by.Interactive), "listener")
				}
				node.Interactive, taken[node.I] = nil, by
			}
		}
		if node.Tag == "label" && inside == -1 && ownLabel(c, p, k) && inWidget(c, node) {
			node.Interactive = nil // how the widget around it is drawn: it labels nothing that anybody operates
		}
		up := p.cols.Parent[k]
		if up < 0 {
			continue
		}
		if node.Control() && hide != hideDisplay && hide != hideVisibility && hide != hideContent {
			if inside = k; only[k] != -1 {
				inside = several
			}
		}
		switch {
		case inside == -1:
		case only[up] == -1:
			only[up] = inside
		default:
			only[up] = several
		}
	}
	return taken
}

// shownBelow counts the words, pictures and text fields to be seen in each element, its own too.
func shownBelow(c *snapshot.Capture, p *part) []int {
	shown := make([]int, len(p.ids))
	for k := len(p.ids) - 1; k >= 0; k-- {
		node := &c.Nodes[p.ids[k]]
		field := node.Tag == "input" && snapshot.IsTextType(node.Attr("type")) || node.Tag == "textarea"
		if p.cols.Hide[k] == hideNone && (field || node.Text != "" || node.IsPicture()) {
			shown[k]++
		}
		if up := p.cols.Parent[k]; up >= 0 {
			shown[up] += shown[k]
		}
	}
	return shown
}

// ownLabel reports whether a label is for nothing, or for what is in it.
func ownLabel(c *snapshot.Capture, p *part, k int) bool {
	id := c.Nodes[p.ids[k]].Attr("for")
	for j := k + 1; id != "" && j < len(p.ids) && p.cols.Parent[j] >= k; j++ {
		if c.Nodes[p.ids[j]].Attr("id") == id {
			return true
		}
	}
	return id == ""
}

// inWidget reports whether an element lies in one that is a control by its role.
func inWidget(c *snapshot.Capture, n *snapshot.Node) bool {
	for up := c.Node(n.Parent); up != nil; up = c.Node(up.Parent) {
		if up.Control() {
			return slices.Contains(up.Interactive, "role")
		}
	}
	return false
}

// weak reports whether an element is interactive by nothing but its listeners and the look of its cursor.
func weak(n *snapshot.Node) bool {
	return len(n.Interactive) > 0 && !slices.ContainsFunc(n.Interactive, func(by string) bool {
		return by != "listener" && by != "cursor"
	})
}

// fills reports whether a control lies over all of an element, but for a rim of 4 CSS px.
func fills(control, of *snapshot.Node) bool {
	const rim = 4
	a, b := control.Box, of.Box
	return !b.Empty() && a.X() <= b.X()+rim && a.Y() <= b.Y()+rim &&
		a.X()+a.W() >= b.X()+b.W()-rim && a.Y()+a.H() >= b.Y()+b.H()-rim
}

// pressedAlone reports whether an element in a control is pressed for itself, such as the cross of a chip or of a tab:
// it listens to being pressed, and more than it is pressed there.
func pressedAlone(n, control *snapshot.Node) bool {
	return slices.Contains(n.Interactive, "listener") && n.Visible && !n.NoPointer && !fills(n, control)
}
