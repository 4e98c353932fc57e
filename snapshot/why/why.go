// Package why answers one question about one element: why is it, or is it not, in what
// the agent read (row N-2)?
//
// An [Explanation] has the element's verdict with its evidence, what covers it, its
// line in every format or the reason why the format has none, and what the session knows
// of its number. All of it is a pure function of a capture: no browser, so any recorded
// turn can be asked.
//
// An element is named by a [Question]: its ref number, a CSS selector, its path, or a
// place on the picture. A place is answered with everything that lies there, from the
// topmost down, kept or not (see [Explainer.At]).
//
// For several questions make an [Explainer], which renders each format once:
//
//	e := why.New(capture, why.Views()...)
//	for _, el := range e.At(120, 48) { … e.Explain(el.Node) … }
//
// It is the one narrator: the window, the command line, the audit and reports take their
// words from here. [VerdictWords], [ReasonWords] and [UnseenWords] explain one fact;
// [Explanation.Text] is an answer for a terminal.
//
// What sentences repeat of the page is one line, made harmless and cut (package text), so
// page text can neither forge a line of an answer nor hide in it.
package why

import (
	"fmt"
	"sync"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/css"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/observation"
	"github.com/refscope/refscope/snapshot/text"
)

// Schema names the shape of an explanation's JSON. Changes are additive only.
const Schema = "refscope.why/1"

// textLimit is how much of a page's text an answer repeats, in characters.
const textLimit = 200

// View is one way in which an agent may have read the page.
type View struct {
	Format  dump.Format
	Options format.Options
}

// Views are all formats that need no query, each with its defaults, as `refscopectl snap`
// prints them.
func Views() []View {
	var vs []View
	for _, f := range format.Plain() {
		vs = append(vs, View{Format: f})
	}
	return vs
}

// Element names one element.
type Element struct {
	Node  int    `json:"node"`           // index in the capture
	Ref   int    `json:"ref,omitempty"`  // 0 where it has no number
	Tag   string `json:"tag"`            // the tag, lower case
	Role  string `json:"role,omitempty"` // the ARIA role
	Name  string `json:"name,omitempty"` // accessible name, else its text; one line, at most 200 characters
	Frame int    `json:"frame"`          // index in Capture.Frames
	// Path is its CSS path, "" where the capture has none for it.
	Path string       `json:"path,omitempty"`
	Box  snapshot.Box `json:"box"` // CSS px of the top frame's viewport
	// Kept: a format may show it.
	Kept    bool             `json:"kept"`
	Verdict snapshot.Verdict `json:"verdict"`
}

// Fact is one more thing that is known about the element and bears on whether an agent
// or a person meets it.
type Fact struct {
	// Kind is interactive, name, viewport, clip, occlusion, text, scroll, shadow,
	// frame, network or redacted.
	Kind string `json:"kind"`
	Text string `json:"text"` // a sentence
	// Other is the element that the sentence is about besides, -1 for none.
	Other int `json:"other"`
}

// Line is one line of a format.
type Line struct {
	Number int    `json:"number"` // from 1
	Text   string `json:"text"`   // without indent; exactly as the format has it
	// Part is the stretch of the line that is the element's, "" for all of it.
	Part string `json:"part,omitempty"`
}

// Omission is a reason of a format, with what it means.
type Omission struct {
	Reason string `json:"reason"`           // as in dump.Omission
	Detail string `json:"detail,omitempty"` // the limit or the pattern that left it out
	Text   string `json:"text"`             // a sentence
}

// InFormat explains the element's place in one format.
type InFormat struct {
	Format dump.Format `json:"format"`
	Compat bool        `json:"compat,omitempty"` // the format as its own project writes it, with its faults
	// Lines are those about the element, in order; empty where there are none.
	Lines []Line `json:"lines"`
	// Within is the nearest element around it that has a line, -1 for none; given
	// where the element has no line. WithinLine is the first of those.
	Within     int   `json:"within"`
	WithinLine *Line `json:"withinLine,omitempty"`
	// Omitted are the reasons that the format gives for leaving out the element or a
	// part of it.
	Omitted []Omission `json:"omitted,omitempty"`
	// Sentence is the explanation in one sentence, which begins with the format's name and a blank.
	Sentence string `json:"sentence"`
	// Reason is the end of that sentence without its stop: why the format leaves it out; "" where nothing says that.
	Reason string `json:"-"`
}

// Explanation is the answer about one element.
type Explanation struct {
	Schema  string  `json:"schema"`
	Element Element `json:"element"`
	// Sentence describes what became of it, and Evidence is the collector's own.
	Sentence string `json:"sentence"`
	Evidence string `json:"evidence,omitempty"`
	// Coverers lie over it, the one that takes the click first.
	Coverers []Element  `json:"coverers,omitempty"`
	Facts    []Fact     `json:"facts,omitempty"`
	Formats  []InFormat `json:"formats"`
	// History is what the session knows of its number; see [History].
	History []Event `json:"history,omitempty"`
	// AsSent is what the text that a model was given says of it; nil where none is known. Who has the text sets it.
	AsSent *Told `json:"asSent,omitempty"`
}

// Told is what an agent's own text says of an element.
type Told struct {
	Format observation.Format `json:"format"` // of the text
	// Ref is the agent's own number of it, Line its line in the text from 1; "" and 0 where the text has none about it.
	Ref  string `json:"ref,omitempty"`
	Line int    `json:"line,omitempty"`
	Text string `json:"text,omitempty"` // of that line
	// Evidence is by what the line is known to be about the element.
	Evidence string `json:"evidence,omitempty"`
}

// Explainer answers questions about one capture. It is safe for concurrent use.
type Explainer struct {
	c     *snapshot.Capture
	tree  *snapshot.Tree
	page  *format.Page
	views []view
	css   func() *css.Tree
	order func() []stackEntry
}

type view struct {
	View
	document func() (*rendered, error)
}

// rendered is a document and its omissions by node.
type rendered struct {
	*dump.Document
	omitted map[int][]dump.Omission
}

// New returns an explainer for the capture with these views, in order; none means
// all of [Views]. Each is rendered when it is first needed.
func New(c *snapshot.Capture, views ...View) *Explainer {
	if len(views) == 0 {
		views = Views()
	}
	e := &Explainer{c: c, tree: snapshot.NewTree(c), page: format.NewPage(c)}
	e.css = sync.OnceValue(func() *css.Tree { return css.NewTree(c) })
	e.order = sync.OnceValue(func() []stackEntry { return stack(c, e.tree) })
	for _, v := range views {
		e.views = append(e.views, view{v, sync.OnceValues(func() (*rendered, error) {
			d, err := e.page.Render(v.Format, v.Options)
			if err != nil {
				return nil, err
			}
			r := &rendered{Document: d, omitted: map[int][]dump.Omission{}}
			for _, o := range d.Omitted {
				r.omitted[o.Node] = append(r.omitted[o.Node], o)
			}
			return r, nil
		})})
	}
	return e
}

// Explain answers for the element with that index. An index that the capture does not
// hold and a format that is unknown are errors.
func (e *Explainer) Explain(node int) (*Explanation, error) {
	n := e.tree.Node(node)
	if n == nil {
		return nil, fmt.Errorf("why: the capture holds no node %d", node)
	}
	x := &Explanation{Schema: Schema, Element: e.element(n), Sentence: e.verdict(n), Evidence: line(n.Evidence)}
	if o := n.Occlusion; o != nil {
		for _, i := range coverers(o, n.I) {
			if c := e.tree.Node(i); c != nil && !e.tree.Contains(n.I, i) {
				x.Coverers = append(x.Coverers, e.element(c))
			}
		}
	}
	x.Facts = e.facts(n)
	for _, v := range e.views {
		in, err := e.inFormat(v, n)
		if err != nil {
			return nil, fmt.Errorf("why: %w", err)
		}
		x.Formats = append(x.Formats, in)
	}
	return x, nil
}

// Document is the capture in the first view of that format, which is rendered once.
func (e *Explainer) Document(f dump.Format) (*dump.Document, error) {
	for _, v := range e.views {
		if v.Format == f {
			r, err := v.document()
			if err != nil {
				return nil, err
			}
			return r.Document, nil
		}
	}
	return e.page.Render(f, format.Options{})
}

func (e *Explainer) element(n *snapshot.Node) Element {
	name := n.Name
	if name == "" {
		name = e.tree.Gather(n, snapshot.Gather{Controls: true, MaxBytes: 4 * textLimit, MaxNodes: 100})
	}
	return Element{
		Node: n.I, Ref: n.Ref, Tag: line(n.Tag), Role: line(n.Role), Name: line(name), Frame: n.Frame,
		Path: n.Path, Box: n.Box, Kept: n.Verdict.Kept(), Verdict: n.Verdict,
	}
}

// coverers are the nodes that lie over an element, once each: the one named first, then
// the winners of the sampled points in their order.
func coverers(o *snapshot.Occlusion, self int) []int {
	if o.State == snapshot.Clear && o.Coverer == nil {
		return nil
	}
	var out []int
	seen := map[int]bool{self: true, -1: true}
	add := func(i int) {
		if !seen[i] {
			seen[i] = true
			out = append(out, i)
		}
	}
	if o.Coverer != nil {
		add(*o.Coverer)
	}
	for _, p := range o.Points {
		add(int(p[2]))
	}
	return out
}

// line is page text as one line of at most textLimit characters.
func line(s string) string { return text.Cut(text.Line(text.StartBytes(s, 8*textLimit)), textLimit+1) }
