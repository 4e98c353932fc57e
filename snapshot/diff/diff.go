package diff

import (
	"cmp"
	"fmt"
	"time"

	"github.com/refscope/refscope/snapshot"
)

// Schema names the shape of a difference's JSON. Changes are additive only.
const Schema = "refscope.diff/1"

// MoveThreshold is the default of [Options.Move], in CSS px. Layout rounds boxes to
// fractions of a pixel, and one more comes from the rounding of scroll positions.
const MoveThreshold = 2.0

// Options change what is compared. The zero value is the default.
type Options struct {
	// Move is how far an edge must go to count, in CSS px. 0 is [MoveThreshold];
	// below 0, boxes are not compared.
	Move float64
}

// Rule is how two elements were paired; see the package comment.
type Rule string

// The rules, in the order in which they are tried.
const (
	ByRef         Rule = "ref"
	ByUID         Rule = "uid"
	ByBackendNode Rule = "backendNodeId"
	ByPlace       Rule = "place"
	ByOrder       Rule = "order"
	ByOnly        Rule = "only"
	ByPath        Rule = "path"
)

// words is the rule in a sentence for people.
func (r Rule) words() string { return "paired by " + string(r) }

// Kind is the kind of change of an element.
type Kind string

const (
	// Removed: kept before and not now; Why is its verdict, or that it is gone.
	Removed Kind = "removed"
	// Added: kept now and not before.
	Added Kind = "added"
	// Replaced: an equal element has its place and another ref number.
	Replaced Kind = "replaced"
	// Role: another role.
	Role Kind = "role"
	// Renamed: another accessible name.
	Renamed Kind = "renamed"
	// Value: another live value.
	Value Kind = "value"
	// Text: another own text or description, or other options of a select; Field names which.
	Text Kind = "text"
	// State: a state changed, or whether it can be operated (field interactive).
	State Kind = "state"
	// Attr: href, type, placeholder, alt or src; Field names which.
	Attr Kind = "attr"
	// Covered: a click arrives worse than before, or something else is in the way.
	Covered Kind = "covered"
	// Uncovered: a click arrives better than before.
	Uncovered Kind = "uncovered"
	// Moved: From and To are the top left corners in the viewport, CSS px.
	Moved Kind = "moved"
	// Resized: From and To are width and height, CSS px.
	Resized Kind = "resized"
	// Viewport: it came into the visible part of the page, or left it.
	Viewport Kind = "viewport"
	// Scrolled: From and To are how far its content is scrolled, x and y, CSS px.
	Scrolled Kind = "scrolled"
)

// Kinds lists every kind in the order of the changes of one element.
func Kinds() []Kind {
	return []Kind{
		Removed, Added, Replaced, Role, Renamed, Value, Text, State, Attr, Covered, Uncovered, Moved, Resized, Viewport,
		Scrolled,
	}
}

// Element describes one side of a change, enough to find it and to name it.
type Element struct {
	Node  int          `json:"node"`            // index in its capture
	Ref   int          `json:"ref,omitempty"`   // its number, 0 for none
	Frame int          `json:"frame,omitempty"` // index in its capture's frames
	Tag   string       `json:"tag"`             // its tag, lower case
	Role  string       `json:"role,omitempty"`  // its ARIA role
	Name  string       `json:"name,omitempty"`  // its accessible name
	Text  string       `json:"text,omitempty"`  // own text, where there is no name
	Box   snapshot.Box `json:"box"`             // CSS px of the top viewport
	Path  string       `json:"path,omitempty"`  // a CSS selector that leads to it
}

// Change is one difference of one element.
type Change struct {
	Kind Kind `json:"kind"`
	// Field is the changed property: "name", "checked", "href"; "" for added and removed.
	Field string `json:"field,omitempty"`
	// From and To are strings, bools, numbers, or pairs of CSS px; nil is absent.
	From any `json:"from,omitempty"`
	To   any `json:"to,omitempty"`
	// Why is the verdict with its evidence, of added and removed elements that are
	// in the document of the other capture without being kept.
	Why string `json:"why,omitempty"`
	// Rule is how the two sides were paired, "" where there is one side only.
	Rule Rule `json:"paired,omitempty"`
	// Before and After are the two sides; one is nil where there is none.
	Before *Element `json:"before,omitempty"`
	After  *Element `json:"after,omitempty"`
	// By is what is in the way of a click, for covered.
	By *Element `json:"by,omitempty"`
}

// Fact is a difference of the page as a whole.
type Fact struct {
	What string `json:"what"` // url, title, scroll, viewport, formCount …
	From any    `json:"from"` // what it was
	To   any    `json:"to"`   // what it is
}

// FrameChange is a frame that was added, removed, shows another document, or became
// readable or unreadable.
type FrameChange struct {
	Kind   string `json:"kind"`             // added, removed, navigated, reloaded, readable, unreadable
	Before int    `json:"before"`           // index in the first capture's frames, -1 for none
	After  int    `json:"after"`            // index in the second's, -1 for none
	From   string `json:"from,omitempty"`   // URL
	To     string `json:"to,omitempty"`     // URL
	Why    string `json:"why,omitempty"`    // why it cannot be read
	Rule   string `json:"paired,omitempty"` // document, frame id, owner, url
}

// OverlayChange is something over the page that appeared, disappeared or changed.
type OverlayChange struct {
	Kind   string   `json:"kind"`             // added, removed, kind, title, press
	From   string   `json:"from,omitempty"`   // what it was: kind, title or the ref to press
	To     string   `json:"to,omitempty"`     // what it is
	Before *Element `json:"before,omitempty"` // its outermost element
	After  *Element `json:"after,omitempty"`
}

// Side is one of the captures that were compared.
type Side struct {
	URL     string    `json:"url"`     // the address of the page
	Title   string    `json:"title"`   // the title of the page
	TakenAt time.Time `json:"takenAt"` // when the capture was taken
	Kept    int       `json:"kept"`    // elements that a format may show
}

// Diff is how a second capture differs from a first.
type Diff struct {
	Schema string `json:"schema"`
	Before Side   `json:"before"`
	After  Side   `json:"after"`
	// Navigated: another page by origin, path or search; see [Navigated].
	Navigated bool `json:"navigated"`
	// SameDocument: the main frame still shows the document that it showed.
	SameDocument bool `json:"sameDocument"`
	// Threshold is how far an edge had to go to count, in CSS px; below 0, boxes
	// were not compared.
	Threshold float64 `json:"threshold"`
	// Paired counts the kept elements that each rule paired.
	Paired map[Rule]int `json:"paired"`
	// Unchanged is how many kept elements are in both captures without any change.
	Unchanged int          `json:"unchanged"`
	Counts    map[Kind]int `json:"counts"` // how many changes of each kind there are
	// Notes are reservations in words: a torn capture, a layer that is missing.
	Notes    []string        `json:"notes,omitempty"`
	Page     []Fact          `json:"page,omitempty"`
	Frames   []FrameChange   `json:"frames,omitempty"`
	Overlays []OverlayChange `json:"overlays,omitempty"`
	// Changes are in the document order of the second capture, after the removed
	// elements in that of the first.
	Changes []Change `json:"changes,omitempty"`
}

// Empty reports whether nothing differs. Notes do not count.
func (d *Diff) Empty() bool {
	return len(d.Page) == 0 && len(d.Frames) == 0 && len(d.Overlays) == 0 && len(d.Changes) == 0
}

// Captures compares two captures of the same or of different pages. It takes time
// in proportion to their elements. It never fails: whatever cannot be paired was
// added or removed.
func Captures(a, b *snapshot.Capture, o Options) *Diff {
	o.Move = cmp.Or(o.Move, MoveThreshold)
	d := &Diff{
		Schema: Schema, Before: side(a), After: side(b), Threshold: o.Move,
		Navigated: Navigated(a.URL, b.URL),
		Paired:    map[Rule]int{}, Counts: map[Kind]int{},
	}
	p := pair(a, b)
	d.SameDocument = p.same(0, 0)
	w := &comparison{Diff: d, pairing: p, o: o, restA: atRest(a), restB: atRest(b), inner: a.Whole() && b.Whole()}
	w.notes()
	w.page()
	w.frames()
	w.overlays()
	w.elements()
	for _, c := range d.Changes {
		d.Counts[c.Kind]++
	}
	return d
}

// Pairs maps the node indices of a to those of b, for the elements that [Captures]
// would compare with each other.
func Pairs(a, b *snapshot.Capture) map[int]int {
	p := pair(a, b)
	out := make(map[int]int, len(p.toB))
	for i, j := range p.toB {
		if j >= 0 {
			out[a.Nodes[i].I] = b.Nodes[j].I
		}
	}
	return out
}

// comparison is one comparison in progress.
type comparison struct {
	*Diff
	*pairing
	o            Options
	restA, restB [][2]float64 // how far scrolling has shifted each node, by position
	inner        bool         // both captures hold what is not kept
}

func side(c *snapshot.Capture) Side {
	s := Side{URL: c.URL, Title: c.Title, TakenAt: c.TakenAt}
	for p := range c.Nodes {
		if c.Nodes[p].Verdict.Kept() {
			s.Kept++
		}
	}
	return s
}

// element describes a node, nil for none.
func element(n *snapshot.Node) *Element {
	if n == nil {
		return nil
	}
	e := &Element{Node: n.I, Ref: n.Ref, Frame: n.Frame, Tag: n.Tag, Role: n.Role, Name: n.Name,
		Box: n.Box, Path: n.Path}
	if n.Name == "" {
		e.Text = n.Text
	}
	return e
}

// notes describes what of the captures makes the answer less sure.
func (w *comparison) notes() {
	if w.separate {
		w.Notes = append(w.Notes, "the captures have separate numberings: ref numbers are not compared")
	}
	for _, s := range [...]struct {
		name string
		c    *snapshot.Capture
	}{{"first", w.a}, {"second", w.b}} {
		if s.c.Moment.Torn {
			w.Notes = append(w.Notes, "the page changed while the "+s.name+" capture was taken")
		}
		if !s.c.Settled {
			w.Notes = append(w.Notes, "the page had not settled at the "+s.name+" capture")
		}
		times := map[string]int{} // frames often fail alike
		for _, f := range s.c.Failed {
			times[f.Layer+f.Why]++
		}
		for _, f := range s.c.Failed {
			note := fmt.Sprintf("the %s capture lacks %s: %s", s.name, f.Layer, f.Why)
			switch n := times[f.Layer+f.Why]; {
			case n == 0:
				continue // it is noted
			case n > 1:
				note += fmt.Sprintf(" (%d times)", n)
			}
			times[f.Layer+f.Why] = 0
			w.Notes = append(w.Notes, note)
		}
		if n := len(s.c.Nodes); n > 0 && s.c.Nodes[n-1].I != n-1 {
			w.Notes = append(w.Notes,
				"the "+s.name+" capture holds only the kept elements: what became hidden shows as gone")
		}
	}
	if w.a.Viewport.Width != w.b.Viewport.Width || w.a.Viewport.Height != w.b.Viewport.Height {
		w.Notes = append(w.Notes, "the viewports differ in size")
	}
}
