package dump

import (
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/refscope/refscope/snapshot"
)

// The semantic format: minified JSON of what can be operated, seed "DOM
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
// It is one JSON value without spaces. A line feed stands before and after each
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
//     expanded, collapsed.
//   - xy is where a click goes (CSS px of the viewport, whole numbers), box is
//     x, y, width, height.
//   - f is the frame, absent for the main one. scr is how far a container is
//     scrolled down and whether more follows (depth, h); where it scrolls sideways,
//     depthX and hx say the same from its start edge (S-11). occ: a click there lands
//     on something else. focused: it has the focus.
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
// With MaxChars, elements that do not fit are cut from the end and counted as
// meta.cutElements.
//
// Options.Long gives the unminified elements: id, role, name, value, state, type,
// placeholder, href, coordinates, box, isInShadow, frameId, scrollable, occluded,
// focused.
//
// Compat: names are cut at 100 and an unnamed field is "Unknown Input", another
// element its tag; the click point is the box's centre; occ where fewer than half
// of the sampled points reach the element; pruning looks at the box against the
// viewport only; depth is measured against the scroll height, so it never reaches
// 100 %, and what scrolls sideways only is no container; elements of a child frame are counted per frame (f1_1, f1_2 …).

// Caps of the semantic format, in characters.
const (
	capName       = 200
	capNameCompat = 100
	capSemValue   = 400
)

// semantic renders one capture.
type semantic struct {
	*builder
	t        *snapshot.Tree
	o        Options
	controls map[int]bool // labels (by node) whose control is in the tree
	ordinal  map[int]int  // compat: node → its number within its frame
	elements []element
	pruned   int
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

func renderSemantic(c *snapshot.Capture, o Options) *builder {
	w := newSemantic(c, o)
	w.write()
	return w.builder
}

func newSemantic(c *snapshot.Capture, o Options) *semantic {
	if o.MinVisible == 0 {
		o.MinVisible = 0.66
	}
	w := &semantic{builder: &builder{c: c}, t: snapshot.NewTree(c), o: o}
	w.why = func(n *snapshot.Node) (string, string) {
		return ReasonRole, "semantic lists what can be operated or scrolled"
	}
	w.collect()
	return w
}

// InteractiveTree is the interactive_tree of the semantic format alone, as one
// line of JSON, for requests that carry it in an envelope of their own.
func InteractiveTree(c *snapshot.Capture, o Options) []byte {
	w := newSemantic(c, o)
	out := []byte{'['}
	for i := range w.elements {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, w.elements[i].encoded...)
	}
	return append(out, ']')
}

// write puts the envelope together. The builder's lines follow the line feeds.
func (w *semantic) write() {
	c := w.c
	head := []byte(`{"mode":"semantic","url":`)
	head = AppendJSON(head, c.URL)
	head = AppendJSON(append(head, `,"title":`...), squash(c.Title))
	head = append(head, `,"viewport":{"width":`...)
	head = strconv.AppendInt(head, int64(px(c.Viewport.Width)), 10)
	head = append(head, `,"height":`...)
	head = strconv.AppendInt(head, int64(px(c.Viewport.Height)), 10)
	head = AppendJSON(append(head, `},"scroll_position":`...), w.scrollPosition())
	head = append(head, `,"interactive_tree":[`...)

	middle, scrollers := []byte(`],"scrollable_containers":[`), w.scrollers()
	size := utf8.RuneCount(head) + utf8.RuneCount(middle) + 2
	for _, s := range scrollers {
		size += utf8.RuneCount(s.text) + 2
	}
	listed := len(w.elements)
	tail := w.tail(listed)
	if max := w.o.MaxChars; max > 0 {
		listed = w.fit(max, size+utf8.RuneCount(tail)+len(`,"cutElements":99999`))
		tail = w.tail(listed)
	}

	w.add(nil, 0, string(head))
	for i := range w.elements[:listed] {
		w.item(w.elements[i].n, w.elements[i].encoded, i == listed-1)
	}
	w.add(nil, 0, string(middle))
	for i, s := range scrollers {
		w.item(s.n, s.text, i == len(scrollers)-1)
	}
	w.add(nil, 0, string(tail))
}

// item adds one list element on its line.
func (w *semantic) item(n *snapshot.Node, s []byte, last bool) {
	comma := ","
	if last {
		comma = ""
	}
	w.add(n, 0, string(s)+comma)
}

// fit is how many elements a text of max characters has room for; the others
// are omitted as cut.
func (w *semantic) fit(max, rest int) int {
	keep := 0
	for keep < len(w.elements) {
		rest += utf8.RuneCount(w.elements[keep].encoded) + 2
		if rest > max {
			break
		}
		keep++
	}
	for _, e := range w.elements[keep:] {
		w.omit(e.n.I, ReasonCut, "it is beyond the limit of "+strconv.Itoa(max)+" characters")
	}
	w.truncated = keep < len(w.elements)
	return keep
}

// scrollPosition is how far the page is scrolled of what it can be.
func (w *semantic) scrollPosition() string {
	s := w.c.Scroll
	whole := s.MaxY
	if w.o.Compat {
		whole += w.c.Viewport.Height
	}
	if whole <= 0 {
		return "0%"
	}
	return percent(s.Y / whole)
}

func percent(share float64) string {
	return strconv.Itoa(int(math.Round(100*math.Max(0, math.Min(1, share))))) + "%"
}

// scroller is one entry of scrollable_containers.
type scroller struct {
	n    *snapshot.Node
	text []byte
}

// scrollers lists the containers that scroll and have a number to be named by.
func (w *semantic) scrollers() []scroller {
	var out []scroller
	for p := range w.c.Nodes {
		n := &w.c.Nodes[p]
		if !w.scrolls(n) {
			continue
		}
		b := AppendJSON([]byte(`{"id":`), w.id(n))
		b = AppendJSON(append(b, `,"depth":`...), w.depth(n))
		b = append(b, `,"hasMore":`...)
		b = strconv.AppendBool(b, n.Scroller.HasMore)
		b = w.sideways(b, n, `,"hasMoreX":`)
		if n.Scroller.Virtual && !w.o.Compat {
			b = append(b, `,"virtual":true`...)
		}
		out = append(out, scroller{n, append(b, '}')})
	}
	return out
}

// scrolls reports whether the node is a scroll container that can be addressed:
// more than 50 px to scroll down (seed 2.5.5) or, which compat does not know,
// sideways, and not the page itself.
func (w *semantic) scrolls(n *snapshot.Node) bool {
	s := n.Scroller
	return s != nil && (s.Range > 50 || w.wide(n)) && n.Ref > 0 && n.Verdict.Kept() && n.Tag != "html"
}

// wide reports whether a container scrolls sideways by more than 50 px.
func (w *semantic) wide(n *snapshot.Node) bool { return !w.o.Compat && n.Scroller.RangeX > 50 }

// sideways adds how far a container is scrolled sideways, where it can be; more is
// how the key of the flag is spelled here. The seed's own keys say nothing of it.
func (w *semantic) sideways(b []byte, n *snapshot.Node, more string) []byte {
	if !w.wide(n) {
		return b
	}
	b = AppendJSON(append(b, `,"depthX":`...), percent(n.Scroller.DepthX))
	return strconv.AppendBool(append(b, more...), n.Scroller.HasMoreX)
}

// depth is how far a container is scrolled.
func (w *semantic) depth(n *snapshot.Node) string {
	if w.o.Compat {
		if h := n.Scroller.Range + n.Box.H(); h > 0 {
			return percent(n.Scroller.Depth * n.Scroller.Range / h)
		}
	}
	return percent(n.Scroller.Depth)
}

// tail is the envelope after the lists.
func (w *semantic) tail(listed int) []byte {
	b := []byte(`],"recent_events":[`)
	ms := w.c.Mutations
	if len(ms) > 10 {
		ms = ms[len(ms)-10:]
	}
	errors, success := false, false
	for _, m := range w.c.Mutations {
		errors = errors || m.Category == "error"
		success = success || m.Category == "success"
	}
	for i, m := range ms {
		if i > 0 {
			b = append(b, ',')
		}
		b = AppendJSON(b, event(m))
	}
	b = strconv.AppendBool(append(b, `],"has_errors":`...), errors)
	b = strconv.AppendBool(append(b, `,"has_success":`...), success)
	b = append(b, `,"meta":{"totalElements":`...)
	chars := 2
	for _, e := range w.elements[:listed] {
		chars += utf8.RuneCount(e.encoded) + 1
	}
	occluded := 0
	for _, e := range w.elements[:listed] {
		if e.occ {
			occluded++
		}
	}
	total := len(w.elements) + w.pruned
	b = strconv.AppendInt(b, int64(total), 10)
	b = strconv.AppendInt(append(b, `,"viewportElements":`...), int64(listed), 10)
	b = strconv.AppendInt(append(b, `,"prunedElements":`...), int64(w.pruned), 10)
	b = strconv.AppendInt(append(b, `,"occludedElements":`...), int64(occluded), 10)
	if w.o.Volatile || w.o.Compat {
		t := w.c.Timings
		b = strconv.AppendInt(append(b, `,"extractionTimeMs":`...), int64(math.Round(t.Walk+t.Frames+t.Listeners+t.Hit)), 10)
	}
	b = strconv.AppendInt(append(b, `,"estimatedTokens":`...), int64((chars+3)/4), 10)
	if cut := len(w.elements) - listed; cut > 0 {
		b = strconv.AppendInt(append(b, `,"cutElements":`...), int64(cut), 10)
	}
	return append(b, "}}"...)
}

// event is one mutation in the seed's words: "[2s ago] Added: 'Saved'", "[1s ago]
// Removed button: 'Submit'". An error says so, another element than text says what
// it is.
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
			word += tagName(m.What)
		} else {
			word += m.Category
		}
	}
	text, _, _ := cut(squash(m.Text), capName)
	return "[" + strconv.Itoa(int(math.Max(0, m.Age)/1000)) + "s ago] " + word + ": '" + text + "'"
}
