package find

import (
	"cmp"
	"slices"

	"github.com/refscope/refscope/snapshot"
)

// Scope is where a person's words are looked for: the document of one frame, and behind it those of the frames
// inside it. Of elements that match equally well, one in the frame itself comes first, whatever the documents' order.
type Scope struct {
	Frame int // index in Capture.Frames, 0 for the main one
	// Everywhere adds the frames that are not inside it, behind all others.
	Everywhere bool
	// Within limits the search to the nodes that it is true for; nil does not.
	Within func(*snapshot.Node) bool
}

// away is how far from the scope's frame a node lies, in frames; -1 for one that is not looked at.
func (s Scope) away(c *snapshot.Capture, n *snapshot.Node) int {
	if s.Within != nil && !s.Within(n) {
		return -1
	}
	levels := c.FramesBetween(n.Frame, s.Frame)
	if levels < 0 && s.Everywhere {
		return len(c.Frames)
	}
	return levels
}

// ranked is an element that matches, and how well; smaller numbers are better, the first one that differs counts.
type ranked struct {
	n     *snapshot.Node
	words int // how its words match: see matches
	away  int // frames between it and the scope's
	kind  int // its place among the kinds of elements
	outer int // 1 where another one like it is inside it, whose click it hears too
}

// byRank are the elements, the best first. Behind all others are those that a person does not see, such as the slides
// of a carousel that are not shown: they stand in the texts with a number, and a script can bring them into view.
func byRank(list []ranked) []*snapshot.Node {
	unseen := func(r ranked) int {
		if r.n.Visible {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(list, func(a, b ranked) int {
		return cmp.Or(unseen(a)-unseen(b), a.words-b.words, a.away-b.away, a.kind-b.kind, a.outer-b.outer)
	})
	out := make([]*snapshot.Node, len(list))
	for i, r := range list {
		out[i] = r.n
	}
	return out
}
