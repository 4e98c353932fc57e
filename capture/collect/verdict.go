package collect

import (
	"fmt"
	"strings"

	"github.com/refscope/refscope/snapshot"
)

// assignVerdicts gives every node of a frame its verdict and the evidence in words. Parents
// come before children, so what is atomic is known on the way down.
func assignVerdicts(c *snapshot.Capture, p *part) {
	n := len(p.ids)
	readDrawings(c, p)
	shown := shownBelow(c, p)
	filledBy := leaveToControls(c, p, shown)
	below := lookBelow(c, p)
	atomic := make([]int, n) // place of the control or line around it, -1
	line := make([]int, n)   // index of the line of text that it is a part of, -1
	for k, id := range p.ids {
		node := &c.Nodes[id]
		atomic[k], line[k] = -1, -1
		if up := p.cols.Parent[k]; up >= 0 {
			parent := &c.Nodes[p.ids[up]]
			if a := atomic[up]; a >= 0 {
				atomic[k] = a
			} else if parent.Atomic(below[up].heavy) {
				atomic[k] = up
			}
			if !node.Block && !node.Numbered() {
				line[k] = line[up]
				if parent.Verdict == snapshot.VerdictContent {
					line[k] = parent.I
				}
			}
		}
		culprit := -1
		if q := p.cols.Culprit[k]; q >= 0 && q < n {
			culprit = p.ids[q]
		}
		s := surrounding{hide: p.cols.Hide[k], culprit: culprit, atomic: -1, line: line[k], words: below[k].words}
		if a := atomic[k]; a >= 0 {
			s.atomic = p.ids[a]
			s.part = s.hide == hideNone && shown[k] < shown[a] && pressedAlone(node, &c.Nodes[s.atomic])
		}
		node.Verdict, node.Evidence = verdictOf(c, node, s)
		if node.Verdict == snapshot.VerdictRef {
			node.Unseen = unseen[p.cols.Hide[k]]
		}
		if by := filledBy[id]; by != nil && node.Verdict == snapshot.VerdictWrapper {
			node.Evidence = "what it listens for happens on " + describe(by) + ", which fills it"
		}
	}
}

// surrounding is what a verdict depends on besides the node itself.
type surrounding struct {
	hide, culprit int
	atomic        int  // the control that it lies in, -1
	part          bool // it is pressed for itself in that, which shows more than it
	line          int  // the line of text whose words it holds, -1
	words         bool // it or what flows in its line has text
}

// verdictOf is one node's verdict, and why.
func verdictOf(c *snapshot.Capture, node *snapshot.Node, s surrounding) (snapshot.Verdict, string) {
	hide, culprit, around := s.hide, s.culprit, s.atomic
	by := func(text string) string {
		if culprit == node.I || culprit < 0 {
			return text
		}
		return text + " on " + describe(c.Node(culprit))
	}
	switch hide {
	case hideDisplay:
		return snapshot.VerdictDisplayNone, by("display: none")
	case hideUnslotted:
		return snapshot.VerdictDisplayNone, "no slot of " + describe(c.Node(culprit)) + " takes it"
	case hideContent:
		return snapshot.VerdictContentHidden, by("its content is not rendered (closed details or content-visibility)")
	case hideSkipped:
		return snapshot.VerdictSkippedTag, by("its tag shows no text")
	case hideOptOut:
		return snapshot.VerdictOptOut, by("dddk-skip")
	case hideVisibility:
		return snapshot.VerdictVisibilityHidden, by("visibility: hidden")
	}
	if up := c.Node(node.Parent); up != nil {
		switch node.Tag {
		case "option", "optgroup":
			if up.Tag == "select" || up.Tag == "optgroup" || up.Tag == "datalist" {
				return snapshot.VerdictInsideAtomic, "an option of " + describe(up)
			}
		case "button": // a customizable select draws it and is pressed itself (HTML, 4.10.7)
			if up.Tag == "select" {
				return snapshot.VerdictInsideAtomic, "the button of " + describe(up)
			}
		}
	}
	numbered := node.Numbered()
	if hide == hideZeroBox {
		if numbered && node.Contents {
			return snapshot.VerdictWrapper, "display: contents"
		}
		if len(node.TextRects) == 0 || numbered && len(node.Interactive) > 0 {
			return snapshot.VerdictZeroBox, fmt.Sprintf("its box is %g by %g px", node.Box.W(), node.Box.H())
		}
	}
	// Weak evidence makes no control of its own of what another shows: that is how the other is made.
	if around >= 0 && !node.Control() && !s.part {
		return snapshot.VerdictInsideAtomic, "part of " + describe(c.Node(around))
	}
	switch {
	case numbered:
		return snapshot.VerdictRef, keptBecause(node, hide, c.Node(culprit))
	case node.Text != "" && hide == hideTransparent:
		return snapshot.VerdictTransparent, by("opacity: 0, or a filter or mask")
	case node.Text != "" && hide == hideClipped:
		return snapshot.VerdictClipped, by("clipped away")
	case node.Text != "" && hide == hideTurned:
		return snapshot.VerdictTurned, by("turned away")
	case s.line >= 0 && node.Text != "":
		return snapshot.VerdictInsideAtomic, "words of " + describe(c.Node(s.line))
	case node.Text != "":
		return snapshot.VerdictContent, "own text"
	case node.Line(s.words) && (hide == hideNone || !node.Gauge()):
		return snapshot.VerdictContent, "text"
	case hide == hideTransparent:
		return snapshot.VerdictTransparent, by("opacity: 0, or a filter or mask")
	case hide == hideClipped:
		return snapshot.VerdictClipped, by("clipped away")
	case hide == hideTurned:
		return snapshot.VerdictTurned, by("turned away")
	}
	return snapshot.VerdictWrapper, "nothing of its own"
}

// unseen is what keeps a person from seeing an element that is kept, by how the page hides it.
var unseen = map[int]snapshot.Verdict{
	hideTransparent: snapshot.VerdictTransparent, hideClipped: snapshot.VerdictClipped,
	hideTurned: snapshot.VerdictTurned, hideByLabel: snapshot.UnseenByLabel,
}

// keptBecause explains why a numbered element is in the primary set, and what keeps a
// person from seeing it.
func keptBecause(n *snapshot.Node, hide int, culprit *snapshot.Node) string {
	why := n.WhyNumbered()
	switch hide {
	case hideTransparent:
		why += "; not to be seen: opacity 0, or a filter or mask"
	case hideClipped:
		why += "; not to be seen: clipped away"
	case hideTurned:
		why += "; not to be seen: turned away"
	case hideByLabel:
		why += "; not to be seen itself: it is where its label is"
		if culprit != nil {
			why += ", " + describe(culprit)
		}
		return why
	default:
		return why
	}
	if culprit != nil && culprit.I != n.I {
		why += " by " + describe(culprit)
	}
	return why
}

// inside is the result of lookBelow for an element.
type inside struct {
	heavy bool // a content line, section, heading or strong control somewhere inside
	words bool // text of its own or of inline elements that flow in its line
}

// lookBelow goes from the last element to the first, so that children come before
// their parents.
func lookBelow(c *snapshot.Capture, p *part) []inside {
	found := make([]inside, len(p.ids))
	for k := len(p.ids) - 1; k >= 0; k-- {
		node := &c.Nodes[p.ids[k]]
		found[k].words = found[k].words || node.Text != ""
		up := p.cols.Parent[k]
		if up < 0 {
			continue
		}
		if found[k].heavy || snapshot.IsContentTag(node.Tag) || snapshot.IsSection(node.Tag) ||
			snapshot.IsHeading(node.Tag) || node.Control() && p.cols.Hide[k] != hideDisplay {
			found[up].heavy = true
		}
		if found[k].words && !node.Block && !node.Numbered() && p.cols.Hide[k] == hideNone {
			found[up].words = true
		}
	}
	return found
}

// describe names an element in words that page text cannot forge: tag, id, first
// class, and its index.
func describe(n *snapshot.Node) string {
	if n == nil {
		return "an element that is gone"
	}
	s := n.Tag
	if id := word(n.Attrs["id"]); id != "" {
		s += "#" + id
	} else if class := word(n.Attrs["class"]); class != "" {
		s += "." + class
	}
	return fmt.Sprintf("%s (node %d)", s, n.I)
}

// word is the first word of an attribute where it is a plain identifier.
func word(s string) string {
	f := strings.Fields(s)
	if len(f) == 0 || len(f[0]) > 40 {
		return ""
	}
	for _, r := range f[0] {
		if r != '-' && r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') {
			return ""
		}
	}
	return f[0]
}
