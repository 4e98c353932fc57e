package core

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/refscope/refscope/snapshot"
)

// Numbers are what the window shows in place of the refs of one capture: 1 to n in the order of
// the page. A nil Numbers shows the refs themselves. It is immutable.
type Numbers struct {
	of   map[int]int // by ref; nil for the refs themselves
	refs []int       // by number, less one
	own  map[int]string
}

// AgentNumbers show an agent's own numbers of elements in the place of refs, and the refs of what it was not told; nil
// for none.
func AgentNumbers(own map[int]string) *Numbers {
	if len(own) == 0 {
		return nil
	}
	return &Numbers{own: own}
}

// Own is an agent's own number for a ref, "" without one.
func (n *Numbers) Own(ref int) string {
	if n == nil {
		return ""
	}
	return n.own[ref]
}

// newNumbers counts the refs of a capture.
func newNumbers(c *snapshot.Capture) *Numbers {
	n := &Numbers{of: map[int]int{}}
	count := func(printed bool) {
		for i := range c.Nodes {
			if v := &c.Nodes[i]; v.Ref > 0 && n.of[v.Ref] == 0 && printed == (v.Verdict == snapshot.VerdictRef) {
				n.refs = append(n.refs, v.Ref)
				n.of[v.Ref] = len(n.refs)
			}
		}
	}
	count(true)
	count(false) // lines of text have refs too, which few formats print
	return n
}

// Of is the number that is shown for a ref. A ref of another turn has none: 0.
func (n *Numbers) Of(ref int) int {
	if n == nil || n.of == nil {
		return ref
	}
	return n.of[ref]
}

// OfOwn is the ref of an agent's own number, letters and all, false where no element has it.
func (n *Numbers) OfOwn(own string) (ref int, ok bool) {
	if n == nil || own == "" {
		return 0, false
	}
	for r, o := range n.own {
		if o == own && strings.Trim(own, "0123456789") != "" && (!ok || r < ref) {
			ref, ok = r, true
		}
	}
	return ref, ok
}

// Begins reports whether an agent's own number begins so.
func (n *Numbers) Begins(s string) bool {
	if n != nil {
		for _, own := range n.own {
			if strings.HasPrefix(own, s) {
				return true
			}
		}
	}
	return false
}

// Text is the number that is shown for a ref.
func (n *Numbers) Text(ref int) string {
	if own := n.Own(ref); own != "" {
		return own
	}
	if v := n.Of(ref); v > 0 {
		return strconv.Itoa(v)
	}
	return "–"
}

// Ref is the ref of a number, 0 for none.
func (n *Numbers) Ref(number int) int {
	switch {
	case n == nil:
		return number
	case n.of == nil:
		for ref, own := range n.own { // 92 for e92, whose letters a person need not type
			if strings.TrimLeft(own, "abcdefghijklmnopqrstuvwxyz") == strconv.Itoa(number) {
				return ref
			}
		}
		return number
	case number < 1 || number > len(n.refs):
		return 0
	}
	return n.refs[number-1]
}

// Words is a sentence of the window with the numbers in the place of the refs that it names, as
// in "[4837]" and wraith's "@e4837"; what stands in quotes is the page's own. A ref of another turn is named as such.
func (n *Numbers) Words(s string) string {
	if n == nil || !strings.ContainsAny(s, "[@") {
		return s
	}
	return namedRef.ReplaceAllStringFunc(s, func(m string) string {
		ref, err := strconv.Atoi(strings.Trim(m, "[@e]"))
		switch {
		case err != nil: // it is in quotes
			return m
		case n.own[ref] != "":
			return strings.Replace(m, strconv.Itoa(ref), n.own[ref], 1)
		case n.of == nil:
			return m
		case n.of[ref] > 0:
			return strings.Replace(m, strconv.Itoa(ref), strconv.Itoa(n.of[ref]), 1)
		}
		return "ref " + strconv.Itoa(ref)
	})
}

// namedRef finds a ref in a sentence, and what is in quotes, which it passes over.
var namedRef = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|“[^”]*”|\[\d+\]|@e\d+`)

// Line is a line of a text format with the numbers in the place of its refs.
func (n *Numbers) Line(s string) string {
	if n == nil || n.of == nil { // a line of a format of ours has our refs
		return s
	}
	return spelledRef.ReplaceAllStringFunc(s, func(m string) string {
		at := strings.LastIndexAny(m, `[e":`) + 1
		refs := strings.Split(m[at:], " ")
		for i, s := range refs {
			digits := strings.LastIndexByte(s, '_') + 1
			if ref, err := strconv.Atoi(s[digits:]); err == nil && n.of[ref] > 0 {
				refs[i] = s[:digits] + strconv.Itoa(n.of[ref])
			}
		}
		return m[:at] + strings.Join(refs, " ")
	})
}

// spelledRef finds a ref as the formats spell it: dddk, aria, wraith, JSON, markup, of
// which a template names several, and semantic, which names the frame before it.
var spelledRef = regexp.MustCompile(`(?:\[|\[ref=s\d+e|@e|"(?:ref|ref_id|covered_by|coveredBy|frame)":|` +
	`(?: (?:data-)?ids?="|"(?:i|id)":"))(?:(?:f\d+_)?\d+ ?)+`)

// Row is a row with the numbers in the place of the refs in its words. Those of the row and of its
// chips stay refs.
func (n *Numbers) Row(r *Row) *Row {
	if n == nil {
		return r
	}
	out, title := *r, n.Words
	if r.Code {
		title = n.Line
	}
	out.Title, out.Body, out.Aside = title(r.Title), title(r.Body), n.Words(r.Aside)
	return &out
}

// In is the capture with the numbers in the place of its refs: what is written of it shows them.
func (n *Numbers) In(c *snapshot.Capture) *snapshot.Capture {
	if n == nil || n.of == nil {
		return c
	}
	out := *c
	out.Nodes = slices.Clone(c.Nodes)
	for i := range out.Nodes {
		out.Nodes[i].Ref = n.of[out.Nodes[i].Ref]
	}
	return &out
}

// Numbers are what is shown for the refs of the turn in view, nil where that is the refs.
func (s State) Numbers() *Numbers { return s.NumbersOf(s.Current) }

// NumbersOf are those of another turn, which may be nil.
func (s State) NumbersOf(t *Turn) *Numbers {
	switch {
	case t == nil:
		return nil
	case s.Reading.FromOne && t.Numbers != nil:
		return t.Numbers()
	case s.Agent.Of == t && !s.Agent.Ours:
		return s.Agent.Numbers
	}
	return nil
}

// Reading is how the text in view is written for a person. It is comparable.
type Reading struct {
	// FromOne: elements are counted from 1 and not by the refs of the session.
	FromOne bool `json:"fromOne,omitempty"`
	// Without are the attributes that are left out, in order and with a blank between them.
	Without string `json:"without,omitempty"`
}

// Lacks reports whether an attribute is left out.
func (r Reading) Lacks(attribute string) bool {
	return slices.Contains(strings.Fields(r.Without), attribute)
}

type (
	// AttributeToggled leaves an attribute out of the text in view, or shows it again; "" shows
	// all.
	AttributeToggled struct{ Name string }
)

// FromOneToggled numbers picture and text from 1, or by the session's refs again.
func FromOneToggled() Msg {
	return Does(func(s State) (State, []Effect) {
		r := s.Reading
		r.FromOne = !r.FromOne
		return s.read(r)
	})
}

// Apply implements [Msg].
func (m AttributeToggled) Apply(s State) (State, []Effect) {
	names := map[string]bool{}
	for _, a := range strings.Fields(s.Reading.Without) {
		names[a] = true
	}
	switch {
	case m.Name == "":
		clear(names)
	case names[m.Name]:
		delete(names, m.Name)
	default:
		names[m.Name] = true
	}
	r := s.Reading
	r.Without = strings.Join(slices.SortedFunc(maps.Keys(names), cmp.Compare[string]), " ")
	return s.read(r)
}

// read writes the texts of the turn in view again.
func (s State) read(r Reading) (State, []Effect) {
	if r == s.Reading {
		return s, nil
	}
	s.Reading, s.Docs = r, nil
	s, effects := s.writeText()
	if s.Side == SideText {
		return s, effects
	}
	s, more := s.fill()
	return s, append(effects, more...)
}
