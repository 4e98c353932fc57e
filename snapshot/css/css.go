// Package css matches CSS selectors against the elements of a capture, without a
// browser: for host filters that are tried on a recorded page (D-8, N-6) and for
// searches in it.
//
//	list     = complex { "," complex }
//	complex  = compound { ( " " | ">" | "+" | "~" ) compound }
//	compound = [ type | "*" ] { "#id" | ".class" | "[" attr "]" | ":" pseudo }
//	attr     = name [ ( "=" | "~=" | "|=" | "^=" | "$=" | "*=" ) value [ "i" ] ]
//	pseudo   = "root" | "empty" | "first-child" | "last-child" | "only-child"
//	         | "first-of-type" | "last-of-type" | "only-of-type"
//	         | ( "nth-child" | "nth-last-child" | "nth-of-type" | "nth-last-of-type" ) "(" An+B ")"
//	         | ( "not" | "is" | "where" ) "(" list ")" | "has" "(" [ ">" | "+" | "~" ] complex { "," … } ")"
//
// as in Selectors Level 4, with the escapes of CSS Syntax 4.3.7. Everything else
// (:hover, :checked, ::before, namespaces) is an error that names it: a filter
// that would quietly match nothing is worse than none. A capture knows live states
// as Node.States, which are no business of selectors here.
//
// Limits of a capture: it contains the composed tree, so slotted elements count
// their siblings in the order in which slots show them; attributes longer than 2,000
// UTF-16 units are cut, and withheld ones are "[redacted…]". Like matches() in a page, a
// selector looks neither into nor out of shadow roots and frames. Names of tags and
// attributes are compared without case, ids and classes with it (no quirks mode), and
// values by the rules of HTML ("Case-sensitivity of selectors").
package css

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/refscope/refscope/snapshot"
)

// Bounds of one selector list. They keep a pasted file from costing much.
const (
	maxBytes = 4_000
	maxNest  = 8 // :not(:is(:not(…)))
)

// Selector is a list of selectors that was read.
type Selector struct{ list []complexSelector }

// complexSelector is compounds with the combinators between them; the last compound
// is what is matched.
type complexSelector struct {
	compounds   []compound
	combinators []byte // combinators[i] is between compounds i and i+1
}

// compound is what must hold for one element.
type compound struct {
	tag   string // lower case, "" for any
	tests []test
}

type test func(t *Tree, n *snapshot.Node) bool

// SyntaxError is a selector that cannot be read.
type SyntaxError struct {
	Selector string
	At       int // the byte at which it is wrong, from 0
	Why      string
}

func (e *SyntaxError) Error() string {
	short, _, cut := strings.Cut(e.Selector, "\n")
	if cut {
		short += " …"
	}
	return fmt.Sprintf("selector %q at byte %d: %s", short, e.At, e.Why)
}

// Parse reads a selector list. Its error is a [*SyntaxError], or that the list is too long.
func Parse(s string) (*Selector, error) { return read(s, false, nil) }

// Own tells what a pseudo-class of a tool's own means, such as Playwright's :has-text("Save"), by its name and what
// stands in its brackets; nil for a name that is none of the tool's.
type Own func(name, argument string) (func(n *snapshot.Node) bool, error)

// ParseWith is [Parse] of a selector that may have pseudo-classes of a tool's own.
func ParseWith(s string, own Own) (*Selector, error) { return read(s, false, own) }

func read(s string, live bool, own Own) (*Selector, error) {
	if len(s) > maxBytes {
		return nil, fmt.Errorf("selector of %d bytes: at most %d are read", len(s), maxBytes)
	}
	p := &parser{s: s, live: live, own: own}
	list := p.list(0)
	if p.err == "" && p.at < len(s) {
		p.fail("unexpected %q", first(s[p.at:]))
	}
	if p.err != "" {
		return nil, &SyntaxError{s, p.failed, p.err}
	}
	return &Selector{list}, nil
}

func first(s string) string {
	_, size := utf8.DecodeRuneInString(s)
	return s[:size]
}

// Tree is a capture as selectors see it. It is made once and is safe for use by
// several goroutines.
type Tree struct {
	c      *snapshot.Capture
	place  []cascadeOrder
	at     func(i int) int // node index → position, -1 for none
	pierce bool            // see Piercing
	scope  *snapshot.Node  // see Within; nil for none
}

// cascadeOrder is the position of an element in the capture.
type cascadeOrder struct {
	parent, prev                 int32 // positions in the same tree, -1 for none
	host                         int32 // of what is in a shadow tree, the position of the element outside of it
	nth, last, nthType, lastType int32 // among its siblings, counted from 1
	holds                        bool  // it has a child in the capture
}

// NewTree indexes a capture. It takes time linear in its elements.
func NewTree(c *snapshot.Capture) *Tree {
	n := len(c.Nodes)
	t := &Tree{c: c, place: make([]cascadeOrder, n), at: snapshot.NewTree(c).Position}
	type key struct {
		parent, frame int32
		tag, shadow   string
	}
	all, types := map[key]*[2]int32{}, map[key]*[2]int32{} // how many so far, and the last one
	next := func(m map[key]*[2]int32, k key, p int) (nth, prev int32) {
		v := m[k]
		if v == nil {
			v = &[2]int32{0, -1}
			m[k] = v
		}
		prev = v[1]
		v[0], v[1] = v[0]+1, int32(p)
		return v[0], prev
	}
	keys := func(p int) (siblings, same key) {
		e := &c.Nodes[p]
		siblings = key{parent: t.place[p].parent, frame: int32(e.Frame), shadow: e.Shadow}
		if siblings.parent < 0 { // the tops of different trees are not siblings
			siblings.parent = -2 - int32(max(-1, e.Parent))
		}
		same = siblings
		same.tag = e.Tag
		return siblings, same
	}
	for p := range c.Nodes {
		e := &c.Nodes[p]
		up := -1
		if e.Parent >= 0 && e.Parent < e.I {
			up = t.at(e.Parent)
		}
		here := &t.place[p]
		here.host, here.parent = -1, -1
		if up >= 0 && up < p {
			t.place[up].holds = true
			parent := &c.Nodes[up]
			if here.host = t.place[up].host; parent.Shadow == "" {
				here.host = int32(up)
			}
			switch {
			case e.Frame != parent.Frame:
				here.host = -1
			case e.Shadow == parent.Shadow:
				here.parent = int32(up)
			case e.Shadow == "": // slotted: its parent is the host
				here.parent = here.host
			}
		}
		siblings, same := keys(p)
		t.place[p].nth, t.place[p].prev = next(all, siblings, p)
		t.place[p].nthType, _ = next(types, same, p)
	}
	for p := range c.Nodes {
		siblings, same := keys(p)
		t.place[p].last = all[siblings][0] - t.place[p].nth + 1
		t.place[p].lastType = types[same][0] - t.place[p].nthType + 1
	}
	return t
}

// parent is the parent in the same document or shadow tree, nil for none. What a
// shadow root holds has a kind of shadow that its host lacks; a root inside a root of
// the same kind cannot be distinguished from the one around it.
func (t *Tree) parent(n *snapshot.Node) *snapshot.Node {
	up := t.node(t.placeOf(n).parent)
	if t.pierce {
		up = t.Above(n)
	}
	if up == t.scope {
		return nil
	}
	return up
}

// Within is the same tree for selectors all of which lies inside an element, as in Playwright's locators: neither that
// one nor what is around it counts.
func (t *Tree) Within(scope *snapshot.Node) *Tree {
	out := *t
	out.scope = scope
	return &out
}

// Piercing is the same tree for selectors that look through shadow roots, as Playwright's do: what stands at the top of
// a shadow tree lies in its host.
func (t *Tree) Piercing() *Tree {
	out := *t
	out.pierce = true
	return &out
}

// Above is the parent in the same document or shadow tree, at the top of a shadow tree its host, nil for none. That of
// a slotted element is the host that it stands in.
func (t *Tree) Above(n *snapshot.Node) *snapshot.Node {
	place := t.placeOf(n)
	if place.parent < 0 && n.Shadow != "" {
		return t.node(place.host)
	}
	return t.node(place.parent)
}

// previous is the sibling before, nil for none.
func (t *Tree) previous(n *snapshot.Node) *snapshot.Node { return t.node(t.placeOf(n).prev) }

func (t *Tree) node(p int32) *snapshot.Node {
	if p < 0 {
		return nil
	}
	return &t.c.Nodes[p]
}

func (t *Tree) placeOf(n *snapshot.Node) cascadeOrder {
	if p := t.at(n.I); p >= 0 && p < len(t.place) {
		return t.place[p]
	}
	return cascadeOrder{parent: -1, prev: -1, host: -1}
}

// Matches reports whether one of the selectors matches the element.
func (s *Selector) Matches(t *Tree, n *snapshot.Node) bool { return matchList(s.list, t, n) }

// Several reports whether it is a list of more than one.
func (s *Selector) Several() bool { return len(s.list) > 1 }

// All are the elements that match, in document order.
func (s *Selector) All(t *Tree) []*snapshot.Node {
	var out []*snapshot.Node
	for p := range t.c.Nodes {
		if n := &t.c.Nodes[p]; s.Matches(t, n) {
			out = append(out, n)
		}
	}
	return out
}

func matchList(list []complexSelector, t *Tree, n *snapshot.Node) bool {
	for i := range list {
		steps := maxSteps
		if list[i].matches(t, n, len(list[i].compounds)-1, &steps) {
			return true
		}
	}
	return false
}

// maxSteps bounds the search for one element and one selector: "a a a a b" on a
// deep page would otherwise try every way to place the ancestors.
const maxSteps = 20_000

func (c *complexSelector) matches(t *Tree, n *snapshot.Node, k int, steps *int) bool {
	if *steps--; *steps < 0 || !c.compounds[k].matches(t, n) {
		return false
	}
	if k == 0 {
		return true
	}
	next := t.parent
	switch c.combinators[k-1] {
	case '>':
		up := t.parent(n)
		return up != nil && c.matches(t, up, k-1, steps)
	case '+':
		prev := t.previous(n)
		return prev != nil && c.matches(t, prev, k-1, steps)
	case '~':
		next = t.previous
	}
	for x := next(n); x != nil; x = next(x) {
		if c.matches(t, x, k-1, steps) {
			return true
		}
	}
	return false
}

func (c *compound) matches(t *Tree, n *snapshot.Node) bool {
	if c.tag != "" && !strings.EqualFold(c.tag, n.Tag) {
		return false
	}
	for _, f := range c.tests {
		if !f(t, n) {
			return false
		}
	}
	return true
}
