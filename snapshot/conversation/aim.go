package conversation

import (
	"fmt"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/doctor"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/why"
	"github.com/refscope/refscope/snapshot/wire"
)

// Aim is one action of an answer: what it means on the page, and why it cannot work. Its sentences are safe to show.
type Aim struct {
	doctor.Target
	// Label is how the answer names its target: the agent's own id, words, or a point; "" where it names none.
	Label string
	// What is the element that it means, such as: button “Add”, and Name its name alone; "" where that is not known.
	What, Name string
	// Trouble is why it could not work, in one sentence, "" where nothing speaks against it. Doubt: it is not certain.
	Trouble string
	Doubt   bool
	// Note is what has to happen first and does, "" for nothing: a tool that is given an element scrolls to it.
	Note string
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
		a := Aim{Target: t, By: -1, Label: label(t.Action)}
		n := c.Node(t.Node)
		if n != nil {
			a.What, a.Name = why.Describe(n), text.Line(n.Name)
		}
		a.checkOutcome(c, n)
		out = append(out, a)
	}
	return out
}

// label is how an action names its target, "" where it names none. It is safe to show.
func label(a wire.Action) string {
	switch {
	case a.Ref != "":
		return text.Cut(text.Line(a.Ref), 24)
	case a.Point != nil:
		return fmt.Sprintf("at %.0f, %.0f", a.Point[0], a.Point[1])
	case a.Named != "":
		return "“" + text.Cut(text.Line(a.Named), 60) + "”"
	case a.Selector != "":
		return text.Cut(text.Line(a.Selector), 60)
	}
	return ""
}

// modalOver is the modal dialog outside of which an element lies, so that no click reaches it; nil for none.
func modalOver(c *snapshot.Capture, n *snapshot.Node) *snapshot.Node {
	var tree *snapshot.Tree
	var over *snapshot.Node
	for i := range c.Nodes {
		d := &c.Nodes[i]
		if d.Layer == nil || !d.Layer.Modal || !d.Verdict.Rendered() {
			continue
		}
		if tree == nil {
			tree = snapshot.NewTree(c)
		}
		if tree.Contains(d.I, n.I) {
			return nil // of several, which lies on top is not told
		}
		over = d
	}
	return over
}

// checkOutcome finds what speaks against an action, by the page and by what the doctor found of its target.
func (a *Aim) checkOutcome(c *snapshot.Capture, n *snapshot.Node) {
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
		if a.Fault != "" { // what the doctor is sure of
			a.Trouble, a.Doubt = "It could not work: "+a.Fault, false
		}
	case a.Point != nil: // it hits what it hits
	case n.Hidden():
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
		if over := modalOver(c, n); over != nil && a.Clicks() {
			a.Trouble = "It could not work: " + why.Describe(over) +
				" is modal, so nothing outside of it can be clicked."
			return
		}
		a.Note = "It is outside the view: the tool scrolls to it first."
	}
}
