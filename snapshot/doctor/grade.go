package doctor

import (
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/why"
)

// Outcome is where an answer's action would land, beside the element that was wanted.
type Outcome string

// The outcomes.
const (
	// Hits: the visible area of the element, or something inside of it.
	Hits Outcome = "hits"
	// HitsCovered: the element, where something else takes the click.
	HitsCovered Outcome = "hits, covered"
	// HitsOther: another element.
	HitsOther Outcome = "hits another"
	// HitsNothing: no element that is known.
	HitsNothing Outcome = "hits nothing"
	// NoSuchRef: the ref is not in the request.
	NoSuchRef Outcome = "no such ref"
	// NoAction: the answer wants nothing done to an element.
	NoAction Outcome = "no action"
)

// Grade is how one answer did. It compares places; no model judges.
type Grade struct {
	Outcome Outcome `json:"outcome"`
	Verb    string  `json:"verb,omitempty"` // of the action that was graded: the first on an element
	// Ref and Element are where it lands: number, role and name; 0 and "" for nothing.
	Ref     int    `json:"ref,omitempty"`
	Element string `json:"element,omitempty"`
	Why     string `json:"why,omitempty"`
}

// GradeOf grades the answer of a report against the element with the number wanted on its page.
func GradeOf(r *Report, c *snapshot.Capture, wanted int) Grade {
	for i := range r.Targets {
		t := &r.Targets[i]
		if t.Ref == "" && t.Point == nil && t.Named == "" && t.Selector == "" {
			continue
		}
		g := Grade{Verb: t.Verb, Why: t.Why}
		n := c.Node(t.Node)
		switch want := c.ByRef(wanted); {
		case n == nil && t.Ref != "":
			g.Outcome = NoSuchRef
		case n == nil:
			g.Outcome = HitsNothing
		default:
			g.Ref, g.Element = n.Ref, why.Describe(n)
			g.Outcome = landing(c, n, want)
		}
		return g
	}
	return Grade{Outcome: NoAction}
}

// landing compares the element that is hit with the one that was wanted. A click on a part of
// a control, or on what a control is all of, is a click on it.
func landing(c *snapshot.Capture, hit, want *snapshot.Node) Outcome {
	if want == nil || !inside(c, hit, want) && !(inside(c, want, hit) && hit.VisibleBox() == want.VisibleBox()) {
		return HitsOther
	}
	if want.Occlusion != nil && want.Occlusion.State == snapshot.Covered {
		return HitsCovered
	}
	return Hits
}

// inside reports whether n is outer, or lies in it.
func inside(c *snapshot.Capture, n, outer *snapshot.Node) bool {
	for ; n != nil; n = c.Node(n.Parent) {
		if n == outer {
			return true
		}
	}
	return false
}
