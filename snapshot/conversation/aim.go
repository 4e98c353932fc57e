package conversation

import (
	"fmt"
	"strings"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/doctor"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/why"
)

// Aim is one action of an answer: what it means on the page, and why it cannot work. Its sentences are safe to show.
type Aim struct {
	doctor.Target
	// Label is how the answer names its target: the agent's own id, words, or a point; "" where it names none.
	Label string
	// What is the element that it means, such as: button “Add”; "" where that is not known.
	What string
	// Trouble is why it could not work, in one sentence, "" where nothing speaks against it. Doubt: it is not certain.
	Trouble string
	Doubt   bool
	// By is the element that lies over the point, by its place in the capture, -1 for none.
	By int
}

// Sentence says what is wanted: click e17, link “Sign in”.
func (a Aim) Sentence() string {
	out := Verb(a.Verb)
	if a.Label != "" {
		out += " " + a.Label
	}
	if a.What != "" {
		out += ", " + a.What
	}
	return out
}

// Aims are what the answer to a request wants done, each with its element, in the answer's order.
func Aims(r *doctor.Report, c *snapshot.Capture) []Aim {
	if r == nil {
		return nil
	}
	out := make([]Aim, 0, len(r.Targets))
	for _, t := range r.Targets {
		a := Aim{Target: t, By: -1}
		switch {
		case t.Ref != "":
			a.Label = text.Cut(text.Line(t.Ref), 24)
		case t.Point != nil:
			a.Label = fmt.Sprintf("at %.0f, %.0f", t.Point[0], t.Point[1])
		case t.Named != "":
			a.Label = "“" + text.Cut(text.Line(t.Named), 60) + "”"
		}
		n := c.Node(t.Node)
		if n != nil {
			a.What = why.Describe(n)
		}
		a.judge(r, c, n)
		out = append(out, a)
	}
	return out
}

// judge finds what speaks against an action, by the page and by what the doctor found of its target.
func (a *Aim) judge(r *doctor.Report, c *snapshot.Capture, n *snapshot.Node) {
	switch {
	case n == nil && a.Point != nil:
		if a.CSS == nil {
			a.Trouble, a.Doubt = "Where the point lies on the page is not known.", true
		} else if p := *a.CSS; p[0] < 0 || p[1] < 0 || p[0] > c.Viewport.Width || p[1] > c.Viewport.Height {
			a.Trouble = "The point is outside the view."
		}
	case n == nil:
		a.Trouble, a.Doubt = "Which element is meant is not known.", true
		if a.Why != "" {
			a.Trouble = "Which element is meant is not known: " + text.Cut(text.Line(a.Why), 160) + "."
		}
		for _, f := range r.Findings { // what the doctor is sure of
			if f.Node >= 0 || !strings.Contains(f.Sentence, a.Label) {
				continue
			}
			switch f.Rule {
			case doctor.RefUnknown, doctor.RefGone, doctor.RefAmbiguous:
				a.Trouble, a.Doubt = "It could not work: "+f.Sentence, false
			}
		}
	case a.Point != nil: // it hits what it hits
	case !n.Verdict.Rendered():
		a.Trouble = "It could not work: the element is not drawn on the page."
	case n.States.Is("disabled") && a.Clicks():
		a.Trouble = "It could not work: the element is disabled."
	case n.Occlusion != nil && n.Occlusion.State == snapshot.Covered && a.Clicks():
		by := "something else"
		if n.Occlusion.Coverer != nil {
			if over := c.Node(*n.Occlusion.Coverer); over != nil {
				by, a.By = why.Describe(over), over.I
			}
		}
		a.Trouble = "It could not work: the point is covered by " + by + "."
	case !n.InViewport:
		a.Trouble, a.Doubt = "It is outside the view, so it has to be scrolled to first.", true
	}
}
