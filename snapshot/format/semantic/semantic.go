// Package semantic is the format semantic: minified JSON of what can be operated, seed "DOM
// extraction architecture" 2, 2.5, 2.8, 9 and 16.
//
//	{"mode":"semantic","url":…,"title":…,"viewport":{"width":…,"height":…},"scroll_position":"25%",
//	 "interactive_tree":[
//	{"i":"12","r":"btn","n":"Submit","xy":[400,350],"box":[350,330,100,40]},
//	{"i":"f1_15","r":"inp","n":"Search","v":"SpaceX","s":"required","xy":[400,300],"f":1,"box":[…],"focused":true}
//	],"scrollable_containers":[
//	{"id":"7","depth":"10%","hasMore":true}
//	],"recent_events":[…],"has_errors":false,"has_success":true,"meta":{…}}
//
// It is one JSON value without spaces. A line feed comes before and after each
// element of the two lists and nowhere else, so that lines map to elements; a
// reader who wants one line may drop the line feeds, which no string contains.
//
//   - i is the ref number as a string, f1_12 for number 12 in frame 1.
//   - r is the role, shortened by the seed's map; an element without a role goes by
//     its tag.
//   - n is the accessible name, else the text, placeholder, title or alt, cut at 200.
//   - v is the value of a field or the chosen options, cut at 400; absent where empty.
//   - s holds the states that are true, joined by a comma, always in the order
//     disabled, readonly, required, invalid, checked, mixed, selected, pressed,
//     expanded, collapsed; by default also current, sort=ascending and busy.
//   - xy is where a click goes (CSS px of the viewport, whole numbers), box is
//     x, y, width, height.
//   - f is the frame, absent for the main one. scr is how far a container is
//     scrolled of what it can be and whether more follows (depth, h), and the same
//     sideways where it scrolls that way (depthX, hX). occ: a click there lands on something else.
//     focused: it has the focus.
//
// Left out, with their reasons in the document: what is not interactive and does
// not scroll (role-not-here), a label whose control is listed (role-not-here),
// elements outside the viewport (viewport) or with less than 0.66 of their area in
// it (ratio; scroll containers are exempt), generic containers around other
// elements without background, border, shadow or landmark role (container-pruned),
// and elements inside a link, button or select (not-numbered-here). meta counts
// them: totalElements are all candidates, prunedElements those left out,
// viewportElements those listed, estimatedTokens the list's characters / 4.
// extractionTimeMs is volatile and so printed with Options.Volatile or Compat only.
// With MaxChars, MaxTokens or MaxNodes, elements that do not fit are cut from the
// end and counted as meta.cutElements.
//
// Options.Long gives the unminified elements: id, role, name, value, state, type,
// placeholder, href, coordinates, box, isInShadow, frameId, scrollable, occluded,
// focused.
//
// Compat: names and roles by the seed's own lists (package compat), cut at 100; an
// unnamed field is "Unknown Input", another
// element its tag; the click point is the box's centre; occ where fewer than half
// of the sampled points reach the element; only what scrolls down counts as a scroll
// container; pruning looks at the box against the
// viewport only; depth is measured against the scroll height, so it never reaches
// 100 %; elements of a child frame are counted per frame (f1_1, f1_2 …).
package semantic

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/compat"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/ordered"
	"github.com/refscope/refscope/snapshot/text"
)

// Caps of the semantic format, in characters.
const (
	capName       = 200
	capNameCompat = 100
	capValue      = 400
)

// semantic renders one capture.
type semantic struct {
	*dump.Builder
	t        *snapshot.Tree
	o        settings
	ax       bool // the ax format: ax.go
	profile  profile
	controls map[int]*snapshot.Node // labels (by node) whose control is in the tree
	ordinal  map[int]int            // compat: node → its number within its frame
	elements []element
	pruned   int

	// Compat, but for ax: the seed's own names and roles.
	namer *compat.Namer
	order compat.Order
}

// profile has the differences between the default and the originals.
type profile struct {
	ownNames     bool // names and roles by the original's own lists (package compat)
	wholeBox     bool // pruning looks at the whole box, a click goes to its centre, half of it must be reached
	wholeHeight  bool // how far something is scrolled is measured against its height
	sideways     bool // scrolling sideways and virtual lists are looked at
	ordinals     bool // elements of child frames are counted per frame
	time         bool // extractionTimeMs is printed in any case
	source       bool // ax: the key source
	backend      bool // ax: i is Chrome's own number
	namedOnly    bool // ax: elements without a name are left out
	controlsOnly bool // ax: scroll containers are
	capAX        int  // ax: UTF-16 units of a name, 0 for the cap of all formats
}

// profileOf is the profile that the options select.
func profileOf(o settings, ax bool) profile {
	switch {
	case !o.Compat:
		return profile{sideways: true, source: ax}
	case ax:
		return profile{
			wholeBox: true, wholeHeight: true, ordinals: true, time: true,
			backend: true, namedOnly: true, controlsOnly: true, capAX: 50,
		}
	}
	return profile{ownNames: true, wholeBox: true, wholeHeight: true, ordinals: true, time: true}
}

// element is one entry of interactive_tree.
type element struct {
	n       *snapshot.Node
	name    string
	value   string
	state   string
	x, y    int
	occ     bool
	encoded []byte
}

// Render renders the format semantic.
func Render(p *dump.Page, k dump.Common, own Options) *dump.Builder {
	o := settings{k, own}
	w := newSemantic(p, o, false)
	w.write()
	return w.Builder
}

func newSemantic(p *dump.Page, o settings, ax bool) *semantic {
	o.MinVisible = cmp.Or(o.MinVisible, 0.66)
	w := &semantic{Builder: dump.NewBuilder(p), t: p.Tree(), o: o, ax: ax, profile: profileOf(o, ax)}
	w.Unlisted = func(n *snapshot.Node) (string, string) {
		if ax {
			return dump.ReasonRole, "its role is not that of a control"
		}
		return dump.ReasonRole, "semantic lists what can be operated or scrolled"
	}
	if w.profile.ownNames {
		w.namer, w.order = compat.NewNamer(w.Capture, w.t), compat.Semantic()
		w.order.Limit = 0 // cut where the name is written, which records it
	}
	w.collect()
	return w
}

// Tree is the interactive_tree of the semantic format alone, as one
// line of JSON, for requests that carry it in an envelope of their own.
func Tree(c *snapshot.Capture, k dump.Common, own Options) []byte {
	o := settings{k, own}
	p := dump.NewPage(c)
	w := newSemantic(Narrow(p, o.Common), o, false)
	out := []byte{'['}
	for i := range w.elements {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, w.elements[i].encoded...)
	}
	return append(out, ']')
}

// IDs reports which ref each i of the interactive tree is. They are the same
// number but under Compat, which counts the elements of child frames from 1.
func IDs(c *snapshot.Capture, k dump.Common, own Options) map[string]int {
	o := settings{k, own}
	w := newSemantic(dump.NewPage(c), o, false)
	ids := make(map[string]int, len(w.elements))
	for i := range w.elements {
		ids[w.id(w.elements[i].n)] = w.elements[i].n.Ref
	}
	return ids
}

// write puts the envelope together. The builder's lines follow the line feeds.
func (w *semantic) write() {
	head, scrollers := w.head(), w.scrollers()
	order := w.o.ViewFirst(len(w.elements), func(i int) *snapshot.Node { return w.elements[i].n })
	chosen := func(keep int) []element {
		list := make([]element, 0, keep)
		for _, i := range slices.Sorted(slices.Values(order[:keep])) {
			list = append(list, w.elements[i])
		}
		return list
	}
	keep, limit := w.o.Budget(0).Fit(len(order), func(i int) int {
		return utf8.RuneCount(w.elements[order[i]].encoded) + 2
	},
		func(keep int) string {
			x := semantic{Builder: dump.NewBuilder(w.Page), o: w.o, profile: w.profile, elements: w.elements,
				pruned: w.pruned}
			x.lay(head, scrollers, chosen(keep))
			return string(x.Out)
		})
	for _, i := range order[keep:] {
		w.Omit(w.elements[i].n.I, dump.ReasonCut, limit.Beyond())
	}
	w.Truncated = keep < len(w.elements)
	w.lay(head, scrollers, chosen(keep))
}

// lay adds the lines of an envelope with the listed elements.
func (w *semantic) lay(head []byte, scrollers []scroller, listed []element) {
	w.Add(nil, 0, string(head))
	for i, e := range listed {
		w.item(e.n, e.encoded, i == len(listed)-1)
	}
	w.Add(nil, 0, `],"scrollable_containers":[`)
	for i, s := range scrollers {
		w.item(s.n, s.text, i == len(scrollers)-1)
	}
	w.Add(nil, 0, string(w.tail(listed)))
}

// head is the envelope before the lists.
func (w *semantic) head() []byte {
	c := w.Capture
	var j ordered.Writer
	j.Open("", '{').String("mode", "semantic").Optional("source", w.source())
	j.String("url", c.URL).String("title", text.CollapseSpace(c.Title))
	j.Open("viewport", '{').Int("width", dump.Px(c.Viewport.Width)).Int("height", dump.Px(c.Viewport.Height)).Close("}")
	return j.String("scroll_position", w.scrollPosition()).Open("interactive_tree", '[').Out
}

// item adds one list element on its line.
func (w *semantic) item(n *snapshot.Node, s []byte, last bool) {
	comma := ","
	if last {
		comma = ""
	}
	w.Add(n, 0, string(s)+comma)
}

// ScrollPosition is how far the page is scrolled of what it can be, as the semantic
// format has it: "25%".
func ScrollPosition(c *snapshot.Capture) string {
	return (&semantic{Builder: dump.NewBuilder(dump.NewPage(c))}).scrollPosition()
}

// scrollPosition is how far the page is scrolled of what it can be.
func (w *semantic) scrollPosition() string {
	s := w.Capture.Scroll
	whole := s.MaxY
	if w.profile.wholeHeight {
		whole += w.Capture.Viewport.Height
	}
	if whole <= 0 {
		return "0%"
	}
	return percent(s.Y / whole)
}

func percent(share float64) string {
	return strconv.Itoa(int(math.Round(100*max(0, min(1, share))))) + "%"
}

// scroller is one entry of scrollable_containers.
type scroller struct {
	n    *snapshot.Node
	text []byte
}

// scrollers lists the containers that scroll and have a number to be named by.
func (w *semantic) scrollers() []scroller {
	var out []scroller
	for p := range w.Capture.Nodes {
		n := &w.Capture.Nodes[p]
		if !w.scrolls(n) {
			continue
		}
		var j ordered.Writer
		w.scrolled(j.Open("", '{').String("id", w.id(n)), n, "hasMore", "hasMoreX")
		j.True("virtual", n.Scroller.Virtual && w.profile.sideways).Close("}")
		out = append(out, scroller{n, j.Out})
	}
	return out
}

// scrolls reports whether the node is a scroll container that can be addressed:
// more than 50 px to scroll (seed 2.5.5), down or, which the original does not look
// at, sideways, and not the page itself.
func (w *semantic) scrolls(n *snapshot.Node) bool {
	return n.Scroller != nil && n.Ref > 0 && n.Verdict.Kept() && n.Tag != "html" &&
		(n.Scroller.Range > 50 || w.profile.sideways && n.Scroller.RangeX > 50)
}

// scrolled writes how far a container is scrolled: depth and whether there is more
// below, and the same sideways where it scrolls that way too.
func (w *semantic) scrolled(j *ordered.Writer, n *snapshot.Node, more, moreX string) *ordered.Writer {
	j.String("depth", w.depth(n)).Bool(more, n.Scroller.HasMore)
	if s := n.Scroller; s.RangeX > 50 && w.profile.sideways {
		j.String("depthX", percent(s.DepthX)).Bool(moreX, s.HasMoreX)
	}
	return j
}

// depth is how far a container is scrolled.
func (w *semantic) depth(n *snapshot.Node) string {
	if w.profile.wholeHeight {
		if h := n.Scroller.Range + n.Box.H(); h > 0 {
			return percent(n.Scroller.Depth * n.Scroller.Range / h)
		}
	}
	return percent(n.Scroller.Depth)
}

// tail is the envelope after the lists.
func (w *semantic) tail(listed []element) []byte {
	events, errors, success := RecentEvents(w.Capture.Mutations)
	j := ordered.Writer{Out: []byte("]")}
	j.Open("recent_events", '[')
	for _, e := range events {
		j.String("", e)
	}
	j.Close("]").Bool("has_errors", errors).Bool("has_success", success)
	chars, occluded := 2, 0
	for _, e := range listed {
		chars += utf8.RuneCount(e.encoded) + 1
		if e.occ {
			occluded++
		}
	}
	j.Open("meta", '{').Int("totalElements", len(w.elements)+w.pruned).Int("viewportElements", len(listed))
	j.Int("prunedElements", w.pruned).Int("occludedElements", occluded)
	if w.o.Volatile || w.profile.time {
		t := w.Capture.Timings
		j.Int("extractionTimeMs", int(math.Round(t.Walk+t.Frames+t.Listeners+t.Hit)))
	}
	j.Int("estimatedTokens", dump.EstimateTokens(chars)).Positive("cutElements", len(w.elements)-len(listed))
	return j.Close("}}").Out
}

// RecentEvents are the last ten changes in the seed's words, oldest first, and whether
// any of all the changes was an error message or one of success (S-9).
func RecentEvents(all []snapshot.Mutation) (events []string, errors, success bool) {
	for _, m := range all {
		errors = errors || m.Category == "error"
		success = success || m.Category == "success"
	}
	for _, m := range all[max(0, len(all)-10):] {
		events = append(events, event(m))
	}
	return events, errors, success
}

// event is one mutation in the seed's words: "[2s ago] Added: 'Saved'", "[1s ago]
// Removed button: 'Submit'". An error is marked as one; another element than text has its
// kind.
func event(m snapshot.Mutation) string {
	word := "Changed"
	switch m.Type {
	case "added":
		word = "Added"
	case "removed":
		word = "Removed"
	}
	switch m.Category {
	case "error", "warning":
		if m.Type != "removed" {
			word = map[string]string{"error": "Error", "warning": "Warning"}[m.Category]
		}
	case "element", "form", "loading":
		if word += " "; m.What != "" {
			word += dump.TagName(m.What)
		} else {
			word += m.Category
		}
	}
	text := text.Cut(text.CollapseSpace(m.Text), capName)
	return "[" + strconv.Itoa(int(max(0, m.Age)/1000)) + "s ago] " + word + ": '" + text + "'"
}

// Options are the options of the formats semantic, ax and filtered alone.
type Options struct {
	// NoViewportPruning keeps elements outside the visible part of the page; it switches
	// the MinVisible rule off too.
	NoViewportPruning bool
	// MinVisible is the share of an element's area, 0 to 1, that the viewport must
	// show. 0 is the default 0.66; below 0 is no such rule.
	MinVisible float64
	// KeepContainers keeps generic containers without a visual boundary.
	KeepContainers bool
	// NoAtomic keeps elements that lie inside a link, button or select.
	NoAtomic bool
	// Long spells keys in full (id, role, name …) and adds type, placeholder, href,
	// isInShadow and frameId.
	Long bool
}

// settings are the options of one rendering.
type settings struct {
	dump.Common
	Options
}

// TreeHash is 32 hexadecimal digits that are equal for two captures where the semantic
// format with these options would be the same to an agent (S-10, the seed's delta
// hashing): the address and title, every listed element with its number, role, name,
// value, states and place, and how far the page and its containers are scrolled. Who
// has sent a page with that hash need not send it again.
//
// It knows less than [snapshot.StateHash], which also covers texts and elements that
// semantic does not list, and it is stricter in one point: numbers and places count,
// because they are sent. Recent events and figures about the capture do not count, and
// neither does MaxChars.
func TreeHash(c *snapshot.Capture, k dump.Common, own Options) string {
	o := settings{k, own}
	w := newSemantic(dump.NewPage(c), o, false)
	b := text.AppendJSON(nil, c.URL)
	b = text.AppendJSON(b, text.CollapseSpace(c.Title))
	b = text.AppendJSON(b, w.scrollPosition())
	for i := range w.elements {
		b = append(b, w.elements[i].encoded...)
	}
	for _, s := range w.scrollers() {
		b = append(b, s.text...)
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:16])
}
