// Package find searches a capture, without a browser: elements by text, pattern,
// role, CSS selector or place (rows C-8 and C-13, seed "CDP-Skill" 7.10, 11.2, 11.3
// and 11.9).
//
// What is searched are the kept elements, hidden and outside the viewport or not,
// as all formats have them; searchedElements counts them. An element's text is its
// accessible name, else its own text with that of the inline elements in it.
// Matching is without case and with white space collapsed. Results are in document
// order, but for a search by place, which has the nearest first.
//
// Patterns are RE2 (package regexp): no input makes them slow. Pattern and text are
// bounded anyway.
//
// Start with [Search] for a query of an agent or a person and [Roles] for one by role;
// [Clickable] and [Field] find what a step names by its words or its label, [Locate] what a locator
// of Playwright means.
package find

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/css"
	"github.com/refscope/refscope/snapshot/text"
)

// Defaults and bounds.
const (
	// Limit is how many results there are where the query names no limit.
	Limit = 10
	// Levels is how many ancestors a result's path has by default.
	Levels = 2
	// maxPattern is the longest pattern, in characters.
	maxPattern = 1_000
	// maxText is how much of an element's text is looked at, in bytes, and maxNodes
	// of how many elements inside it.
	maxText  = 10_000
	maxNodes = 500
)

// Query describes what to look for; all that is given must hold. At least one of Text,
// Pattern, Role, Selector, Near and Nodes must be given.
type Query struct {
	// Text is a part of name and value; with Exact, the whole name.
	Text string `json:"text,omitempty"`
	// Pattern is a regular expression for a part of name or value, without case.
	Pattern string `json:"pattern,omitempty"`
	Role    string `json:"role,omitempty"`  // the ARIA role
	Exact   bool   `json:"exact,omitempty"` // Text is the whole name
	// Selector is a CSS selector; package css names which.
	Selector string `json:"selector,omitempty"`
	Near     *Near  `json:"near,omitempty"`
	// All looks at every element of the capture, and not only at those that are kept.
	All bool `json:"-"`
	// Nodes are indices of the elements that may match, kept ones or not; nil for all that are kept.
	Nodes []int `json:"nodes,omitempty"`
	// Limit is how many results to give; 0 is [Limit], below 0 all.
	Limit int `json:"limit,omitempty"`
	// Context is how many ancestors with a role a path has; 0 is [Levels], below 0
	// none.
	Context int `json:"context,omitempty"`
}

// Near is a circle: an element is in it where the middle of its box is.
type Near struct {
	X      float64 `json:"x"`      // CSS px of the viewport
	Y      float64 `json:"y"`      // CSS px of the viewport
	Radius float64 `json:"radius"` // CSS px; 0 is 50 (seed 11.9)
}

// Match is one result.
type Match struct {
	// Path are the roles (of landmarks and named containers with their names) of the
	// nearest ancestors that have one, outermost first, and the element's own.
	Path []string `json:"path"`
	Role string   `json:"role"` // the ARIA role
	Name string   `json:"name"` // the accessible name
	// Ref is the element's number, absent where it has none.
	Ref   int          `json:"ref,omitempty"`
	Value string       `json:"value,omitempty"` // what the field holds
	Box   snapshot.Box `json:"box"`             // CSS px of the top viewport
	// Distance is how far the middle of the box is from Near, in CSS px.
	Distance *float64 `json:"distance,omitempty"`
	Frame    int      `json:"frame,omitempty"`    // index in Capture.Frames
	Node     int      `json:"node"`               // index in the capture
	Selector string   `json:"selector,omitempty"` // a CSS selector that leads to it
}

// Answer is the result of a search (seed 11.2).
type Answer struct {
	Matches []Match `json:"matches"`
	// MatchCount is how many elements match, whatever the limit.
	MatchCount       int   `json:"matchCount"`
	SearchedElements int   `json:"searchedElements"` // how many elements were looked at
	Criteria         Query `json:"criteria"`
	// DidYouMean is a role of the page like the one that was asked for, where no element has that; "" else.
	DidYouMean string `json:"didYouMean,omitempty"`
}

// Search looks for elements. A query that names nothing, a pattern or selector
// that cannot be used and a negative radius are errors.
func Search(c *snapshot.Capture, q Query) (*Answer, error) {
	s, err := newSearch(c, q)
	if err != nil {
		return nil, err
	}
	out := &Answer{Criteria: s.q}
	var found []hit
	for p := range c.Nodes {
		n := &c.Nodes[p]
		switch {
		case q.Nodes != nil:
			if !slices.Contains(q.Nodes, n.I) {
				continue
			}
		case !q.All && !n.Verdict.Kept() && (q.Role != "option" || !listed(s.t, n)):
			continue
		}
		out.SearchedElements++
		if h, ok := s.try(n); ok {
			found = append(found, h)
		}
	}
	out.MatchCount = len(found)
	if q.Role != "" && len(found) == 0 {
		out.DidYouMean = likeRole(c, q.Role)
	}
	if q.Near != nil {
		slices.SortStableFunc(found, func(x, y hit) int { return cmp.Compare(x.distance, y.distance) })
	}
	if s.q.Limit >= 0 && len(found) > s.q.Limit {
		found = found[:s.q.Limit]
	}
	out.Matches = make([]Match, 0, len(found))
	for _, h := range found {
		out.Matches = append(out.Matches, s.match(h))
	}
	return out, nil
}

// likeRole is the role on the page that is like one that nothing there has; "" for none.
func likeRole(c *snapshot.Capture, role string) string {
	var roles []string
	for i := range c.Nodes {
		if r := c.Nodes[i].Role; r != "" && !slices.Contains(roles, r) {
			roles = append(roles, r)
		}
	}
	if slices.ContainsFunc(roles, func(r string) bool { return strings.EqualFold(r, role) }) {
		return ""
	}
	return text.Nearest(role, roles)
}

// search is a query made ready for one capture.
type search struct {
	t       *snapshot.Tree
	css     *css.Tree
	q       Query
	text    string // squashed, and folded where case does not count
	pattern *regexp.Regexp
	sel     *css.Selector
}

// listed reports whether an element is one to be found by its role or its text: a kept one, or an option of a select
// that is kept, which a closed one does not render.
func listed(t *snapshot.Tree, n *snapshot.Node) bool {
	if n.Verdict.Kept() || n.Tag != "option" {
		return n.Verdict.Kept()
	}
	for up := range t.Ancestors(n.I) {
		if up.Tag == "select" || up.Tag == "datalist" {
			return up.Tag == "select" && up.Verdict.Kept()
		}
	}
	return false
}

// hit is an element that matches.
type hit struct {
	n        *snapshot.Node
	name     string
	distance float64
}

func newSearch(c *snapshot.Capture, q Query) (*search, error) {
	if q.Text == "" && q.Pattern == "" && q.Role == "" && q.Near == nil && q.Selector == "" && q.Nodes == nil {
		return nil, errors.New("find: say what to look for: text, pattern, role, selector or near")
	}
	q.Limit = cmp.Or(q.Limit, Limit)
	if q.Context == 0 {
		q.Context = Levels
	}
	s := &search{t: snapshot.NewTree(c), q: q, text: strings.ToLower(text.CollapseSpace(q.Text))}
	if q.Text != "" && s.text == "" {
		return nil, errors.New("find: the text is nothing but white space")
	}
	if q.Near != nil {
		near := *q.Near
		switch {
		case !(near.Radius >= 0) || math.IsInf(near.Radius, 0) || math.IsNaN(near.X+near.Y) ||
			math.IsInf(near.X+near.Y, 0):
			return nil, fmt.Errorf("find: near %v,%v with radius %v: write numbers of CSS px, the radius from 0 on",
				near.X,
				near.Y, near.Radius)
		case near.Radius == 0:
			near.Radius = 50
		}
		s.q.Near = &near
	}
	if q.Pattern != "" {
		re, err := compile(q.Pattern)
		if err != nil {
			return nil, err
		}
		s.pattern = re
	}
	if q.Selector != "" {
		sel, err := css.Parse(q.Selector)
		if err != nil {
			return nil, fmt.Errorf("find: %w", err)
		}
		s.sel, s.css = sel, css.NewTree(c)
	}
	return s, nil
}

// compile reads a pattern that ignores case.
func compile(pattern string) (*regexp.Regexp, error) {
	if n := utf8.RuneCountInString(pattern); n > maxPattern {
		return nil, fmt.Errorf("find: a pattern of %d characters: at most %d are read", n, maxPattern)
	}
	re, err := regexp.Compile("(?i)" + pattern)
	if err != nil {
		return nil, fmt.Errorf("find: pattern %q: %w", pattern, err)
	}
	return re, nil
}

// try reports whether the element matches; cheap questions come first.
func (s *search) try(n *snapshot.Node) (hit, bool) {
	h := hit{n: n}
	if s.q.Role != "" && !strings.EqualFold(Role(n), s.q.Role) {
		return h, false
	}
	if near := s.q.Near; near != nil {
		x, y := n.Box.Center()
		h.distance = math.Hypot(x-near.X, y-near.Y)
		if n.Box.Empty() || !(h.distance <= near.Radius) {
			return h, false
		}
	}
	if s.sel != nil && !s.sel.Matches(s.css, n) {
		return h, false
	}
	h.name = s.name(n)
	switch {
	case s.text == "":
	case s.q.Exact:
		if strings.ToLower(h.name) != s.text {
			return h, false
		}
	case !strings.Contains(strings.ToLower(h.name+" "+text.CollapseSpace(text.StartBytes(n.Value, maxText))), s.text):
		return h, false
	}
	if s.pattern != nil && !s.pattern.MatchString(h.name) &&
		!s.pattern.MatchString(text.CollapseSpace(text.StartBytes(n.Value,
			maxText))) {
		return h, false
	}
	return h, true
}

func (s *search) match(h hit) Match {
	n := h.n
	m := Match{
		Path: s.path(n), Role: Role(n), Name: h.name, Ref: n.Ref, Value: n.Value, Box: n.Box, Frame: n.Frame, Node: n.I,
		Selector: n.Path,
	}
	if s.q.Near != nil {
		d := math.Round(h.distance*10) / 10
		m.Distance = &d
	}
	return m
}

// path are the roles above the element and its own.
func (s *search) path(n *snapshot.Node) []string {
	out := []string{Role(n)}
	for up := range s.t.Ancestors(n.I) {
		if len(out) > s.q.Context {
			break
		}
		if r := up.Role; r != "" && r != "generic" && r != "none" && r != "presentation" && r != "document" {
			if name := text.CollapseSpace(text.StartBytes(up.Name, maxText)); name != "" && up.NameFrom != "content" {
				r += " " + fmt.Sprintf("%q", text.Cut(name, 41))
			}
			out = append(out, r)
		}
	}
	slices.Reverse(out)
	return out
}

// Role is the element's role in a search: its role, else its tag in brackets,
// which no role has.
func Role(n *snapshot.Node) string {
	if n.Role == "" {
		return "<" + n.Tag + ">"
	}
	return n.Role
}

// name is the element's name, else the text of its line.
func (s *search) name(n *snapshot.Node) string {
	if name := text.CollapseSpace(text.StartBytes(n.Name, maxText)); name != "" {
		return name
	}
	if n.Verdict != snapshot.VerdictContent {
		return text.CollapseSpace(text.StartBytes(n.Text, maxText))
	}
	line := s.t.Gather(n, snapshot.Gather{
		Controls: true, Skip: func(c *snapshot.Node) bool { return c.Block }, MaxBytes: maxText, MaxNodes: maxNodes,
	})
	return text.CollapseSpace(text.StartBytes(line, maxText))
}
