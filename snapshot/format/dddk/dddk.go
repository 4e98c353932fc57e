// Package dddk is the format dddk: dotdotduck's indented tree, seed "DOM dump format".
//
//	dump     = "URL: " url NL "TITLE: " title NL "VIEWPORT: " N "px above · " N "px visible · " N "px below" NL
//	           NL { line NL } [ filtered NL ] [ truncated ]
//	line     = { TAB } [ "↑" | "↓" | "←" | "→" ] "[" ref "]" element [ covered ]   ; one per numbered node
//	         | { TAB } "<" tag ">" text "</" tag ">"                    ; content line, no number, no marker
//	         | { TAB } cell { cell }                                    ; the cells of one table row
//	         | { TAB } text                                             ; text of any other element
//	cell     = "<td>" text "</td>" | "<th>" text "</th>"
//	element  = '<a href="…">' text "</a>" | "<button>" text "</button>" | "<label>" … | "<summary>" … | "<h2>" …
//	         | '<button value="Oslo">City</button>'               ; what is on a button that a label names
//	         | '<input type="…" placeholder="…" value="…" />' | '<textarea placeholder="…" value="…" />'
//	         | '<select value="Two">options: One | Two | Three (disabled) | +5</select>'      ; +5: that many more
//	         | '<img alt="…" />' | '<img src="FILE" />' | "<pre>" text with line breaks "</pre>"
//	         | "<section> label"  | "<dialog> label" | "<iframe> title or URL"      ; children one tab deeper
//	         | "<checkbox>" text "</checkbox>"                          ; an ARIA widget by its role, else <control>,
//	                                                          ; whose own words are its value="…" where it has a name
//	covered  = " (covered by [30])" | " (covered by div)"               ; with Options.MarkCovered only
//	         | { TAB } "[...30 more <li> like the 20 above, numbered 41-70, 95]" ; with Options.SummariseRepeats only
//	filtered = '[...filtered for "add to cart": 8 of 500 elements]'    ; at the end, with Options.Query only
//	truncated = "[...truncated: 38 nodes, 2,140 characters: 30 in <main>, 8 in <footer>]"
//	            ; the regions where there are some
//
// A field whose name no label on the page shows has it as aria-label, title or label="…". checked, selected, expanded,
// required, disabled, inert, current, sort="…" and busy follow the other attributes, most as bare words ("mixed" as
// checked="mixed"). ↑, ↓, ← and → mark elements that a container has to be scrolled to; ↑ and ↓ also those wholly above
// and below the visible part. Only sections (D-2), dialogs and frames indent.
//
// What is on a line: the accessible name where there is one, else the text of the
// element. Text around numbered children comes as content lines of the same tag,
// in order, so nothing that a person reads is lost; words of inline elements are
// part of the line around them. A section is called by the name that its author
// gave it, else (section, article, aside, form, dialog) by the first heading in it.
//
// Limits in characters: text 120, link 80, cell 160, section label 80, title 100,
// pre 600, placeholder 60, input value 200, textarea value 400, alt 120, file name
// 60, options 8 and 100. A link's address and the page's, which the seed leaves
// open, 1,000 and 2,000: one address must not eat the dump. In the visible part of the
// page, where a person reads on, text, link, cell and label have 2,000, and a
// placeholder 200. The whole text 12,000, cut at a line end (snapshot/dump/trim.go). Every cut is an
// Omission.
//
// Escaping: "<" and ">" in text and attributes are &lt; and &gt;, a quote in an
// attribute is &quot;, & is &amp; only where it would read as one of these. A
// plain line of text that begins with one of [ ] @ - ↑ ↓ … \ or a quote, or with
// a header's word, gets a backslash in front. The lines of a pre are printed as they
// are, without indent; one whose first visible character is [ ] @ ↑ ↓ … \ or that
// begins with a header's word gets the backslash there. snapshot/text has the rest.
//
// Compat is in compat.go.
package dddk

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/text"
)

// MaxChars is the limit of the text where none is requested, in characters.
const MaxChars = 12_000

// Caps of the dddk format, in characters.
const (
	capText        = 120
	capLink        = 80
	capCell        = 160
	capLabel       = 80
	capTitle       = 100
	capPre         = 600
	capSeen        = 2_000 // of text that is in view
	capPlaceholder = 60
	capSeenHint    = 200 // of a placeholder in view
	capValue       = 200
	capTextarea    = 400
	capAlt         = 120
	capFile        = 60
	capOptions     = 100
	maxOptions     = 8
	maxIndent      = 100 // tabs: nesting beyond it is a page's trick, not its structure
)

// profile has the differences between the default and the original; compat.go has the original's
// walk and describes what it loses.
type profile struct {
	write           func(w *dddk)                       // writes the lines after the header
	inTag, inQuotes func(s string) string               // escape text between tags, and in an attribute
	cut             func(s string, n int) (string, int) // shortens to n of unit
	unit            string
	roomInView      bool // what is in view has more room
	states          bool // states, chosen options, values of widgets; no href where there is none
	masks           bool // passwords and telephone numbers are [redacted], a checkbox without a value is "on"
	glues           bool // a section without a name is called by all its text, a dialog by nothing
	sliced          bool // MaxChars cuts in the middle of a line; </pre is spelled <\/pre
}

// profileOf is the profile that the options select.
func profileOf(o dump.Common) profile {
	if o.Compat {
		return profile{
			write:    (*dddk).original,
			inTag:    func(s string) string { return s },
			inQuotes: func(s string) string { return strings.ReplaceAll(s, `"`, "&quot;") },
			cut:      text.Cut16, unit: "UTF-16 units",
			masks: true, glues: true, sliced: true,
		}
	}
	return profile{
		write: (*dddk).walk, inTag: escapeText, inQuotes: escapeAttr,
		cut: text.CutCount, unit: "characters", roomInView: true, states: true,
	}
}

// dddk renders one capture.
type dddk struct {
	*dump.Builder
	t        *snapshot.Tree
	o        settings
	profile  profile
	frames   map[int]int            // frame element → index in Capture.Frames
	headings map[int]*snapshot.Node // see the function of that name

	pend     []dump.Stretch // text that has not become a line yet
	pendAt   walkState
	atBlock  bool        // the next piece begins a block
	row      []dump.Cell // cells that have not become a line yet
	rowDepth int
	printed  int            // lines and cells so far
	deep     bool           // something is nested too deep to be followed
	ids      map[int]string // hash ids by ref, nil for numbers
}

// walkState is what the walk knows about where it is.
type walkState struct {
	host   *snapshot.Node // the element whose line text goes to
	from   *snapshot.Node // the kept element that text is from, nil for none
	depth  int            // tabs
	level  int            // nesting in the page
	line   bool           // host is a line of text and not a container
	merge  bool           // host takes the paragraphs in it too
	silent bool           // text is already on a line
	row    bool           // inside tr: cells share a line
}

// Render renders the tree.
func Render(p *dump.Page, k dump.Common, own Options) *dump.Builder {
	o := settings{k, own}
	c := p.Capture
	w := &dddk{Builder: dump.NewBuilder(p), t: p.Tree(), o: o, profile: profileOf(k),
		frames: dump.FrameOwners(c)}
	if o.IDs == IDsHash {
		w.ids = hashIDs(c, w.t)
	}
	w.Unlisted = func(n *snapshot.Node) (string, string) {
		if n.OnlyScrolls() {
			return dump.ReasonNoNumber, "a scroll container: the lines are those of its children"
		}
		if w.deep {
			return dump.ReasonCut, "it is nested deeper than " + text.Thousands(dump.MaxDepth) + " elements"
		}
		return dump.ReasonDuplicate, "its text is on the lines of its children"
	}
	w.headings = headings(c, w.t)
	w.header()
	head := len(w.Lines)
	w.profile.write(w)
	w.limits(head)
	return w.Builder
}

// walk writes the lines after the header.
func (w *dddk) walk() {
	for n := range w.t.Roots() {
		w.visit(n, walkState{})
		w.flush()
		w.flushRow()
	}
}

// header writes URL, TITLE, VIEWPORT and the blank line.
func (w *dddk) header() {
	url, title := text.CollapseSpace(w.Capture.URL), text.CollapseSpace(w.Capture.Title)
	w.Add(nil, 0, "URL: "+text.Visible(w.cut(-1, "address", url, dump.CapURL)))
	w.Add(nil, 0, "TITLE: "+text.Visible(w.cut(-1, "title", title, capTitle)))
	s := w.Capture.Scroll
	w.Add(nil, 0, fmt.Sprintf("VIEWPORT: %dpx above · %dpx visible · %dpx below",
		dump.Px(s.Y), dump.Px(w.Capture.Viewport.Height), dump.Px(s.MaxY-s.Y)))
	w.Add(nil, 0, "")
}

// cut shortens what is on a line and records that it did.
func (w *dddk) cut(node int, what, s string, n int) string {
	short, was := w.profile.cut(s, n)
	if was > 0 {
		w.Omit(node, dump.ReasonCut, fmt.Sprintf("%s cut from %d to %d %s", what, was, n, w.profile.unit))
	}
	return short
}

// room is how many characters of the element's text a line has: limit, and in the visible
// part of the page as many as seen.
func (w *dddk) room(n *snapshot.Node, limit, seen int) int {
	if !w.profile.roomInView || !n.InViewport {
		return limit
	}
	return max(limit, seen)
}

// visit walks one node.
func (w *dddk) visit(n *snapshot.Node, x walkState) {
	if x.level++; x.level > dump.MaxDepth {
		w.deep = true
		return
	}
	switch n.Verdict {
	case snapshot.VerdictRef:
		if !n.OnlyScrolls() {
			w.numbered(n, x)
			return
		}
		// Its number is for scrolling; the lines are of what is in it.
		if n.Text != "" && !x.silent {
			w.content(n, x)
			return
		}
	case snapshot.VerdictContent:
		w.content(n, x)
		return
	}
	switch {
	case !n.Verdict.Rendered():
		x.silent = true // its own text is not drawn; what is kept inside it is
		w.inner(n, x)
	case snapshot.IsContentTag(n.Tag) && !x.takes(n.Tag) && !x.silent:
		// A cell or an item whose text is all in elements of its own.
		w.flush()
		w.inner(n, w.host(n, nil, x))
		w.flush()
	default:
		if x.host == nil {
			x.host = n
		}
		w.boundary(n, x)
		w.inner(n, x)
		w.boundary(n, x)
	}
}

// host makes n the line that text goes to.
func (w *dddk) host(n, from *snapshot.Node, x walkState) walkState {
	x.host, x.from, x.line, x.silent, x.merge = n, from, true, false, false
	switch n.Tag {
	case "td", "th":
		x.merge = w.simple(n, capCell)
	case "li", "dt", "dd", "blockquote", "figcaption", "caption", "legend":
		x.merge = w.simple(n, capText)
		x.row = false
	default:
		x.row = false
	}
	return x
}

// inner walks the text and the children of a node.
func (w *dddk) inner(n *snapshot.Node, x walkState) {
	w.t.InOrder(n, func(s string) { w.text(s, x) }, func(c *snapshot.Node) { w.visit(c, x) })
}

// content prints a kept line of text and what is numbered inside it. Where it
// lies inside another line of text and is not a line by its tag (a bold word), or
// that line takes it (a cell's only paragraph), it becomes a part of that line.
func (w *dddk) content(n *snapshot.Node, x walkState) {
	before, waiting := w.printed, len(w.pend)
	part := x.line && !x.silent
	switch {
	case !part:
	case snapshot.IsContentTag(n.Tag):
		part = x.takes(n.Tag)
	default:
		part = !n.Block || snapshot.IsContentTag(x.host.Tag)
	}
	switch {
	case part:
		x.from = n
		w.boundary(n, x)
		w.inner(n, x)
		w.boundary(n, x)
		if w.printed > before || len(w.pend) > waiting {
			return
		}
	default:
		w.flush()
		x = w.host(n, n, x)
		w.inner(n, x)
		w.flush()
		if w.printed > before {
			return
		}
	}
	// Nothing inside: a gauge shows it as value, the rest is empty.
	s, name := text.CollapseSpace(n.Value), text.CollapseSpace(n.Name)
	if s == "" {
		s = name
	} else if n.Gauge() && name != "" && dump.AuthorNamed(n) {
		s = name + ": " + s
	}
	if s == "" {
		w.Omit(n.I, dump.ReasonNoNumber, "it has no text to print")
		return
	}
	x.from = n
	w.text(s, x)
	if x.host == n {
		w.flush()
	}
}

// numbered prints the one line of a numbered node, then what is inside it.
func (w *dddk) numbered(n *snapshot.Node, x walkState) {
	w.flush()
	s, k := w.line(n)
	w.flushRow()
	w.printed++
	w.Add(n, x.depth, w.index(n)+s+w.covered(n))
	x.host, x.from, x.line, x.merge = n, nil, false, false
	switch k {
	case kindSection:
		x.depth = min(x.depth+1, maxIndent)
		x.silent, x.row = false, n.Tag == "tr"
		w.inner(n, x)
		w.flush()
		w.flushRow()
	default:
		x.silent, x.row = true, false
		w.inner(n, x)
	}
}

// index is the marker and the number. A node that was never given a number has
// neither: a capture that has not been through a session's ledger.
func (w *dddk) index(n *snapshot.Node) string {
	if n.Ref == 0 {
		return ""
	}
	return w.marker(n) + "[" + w.id(n) + "]"
}

// id is the ref number, or the hash id where these are requested.
func (w *dddk) id(n *snapshot.Node) string {
	if id, ok := w.ids[n.Ref]; ok {
		return id
	}
	return strconv.Itoa(n.Ref)
}

// marker returns the place of an element that lies wholly outside the visible part.
func (w *dddk) marker(n *snapshot.Node) string {
	switch b := n.Box; {
	case w.Capture.Viewport.Height <= 0 || b == (snapshot.Box{}):
		return ""
	case b.Bottom() <= 0:
		return "↑"
	case b.Y() >= w.Capture.Viewport.Height:
		return "↓"
	}
	return w.scrolledOut(n)
}

// scrolledOut returns the side of an element that the window would show, were it not scrolled out of a container.
func (w *dddk) scrolledOut(n *snapshot.Node) string {
	if w.profile.glues || n.Clip == nil || !n.Clip.Empty() || n.Box.Empty() || !n.Visible || n.InViewport {
		return ""
	}
	side := ""
	for up := range w.t.Ancestors(n.I) {
		at := beside(n.Box, up.Box)
		if up.Scroller != nil && at != "" {
			return at
		}
		if side == "" && !up.Box.Empty() {
			side = at // one that scrolls too little to be called a scroll container
		}
	}
	return side
}

// beside is the side of a container that a box lies on, "" for one that is partly in it.
func beside(b, in snapshot.Box) string {
	switch {
	case b.Bottom() <= in.Y():
		return "↑"
	case b.Y() >= in.Bottom():
		return "↓"
	case b.Right() <= in.X():
		return "←"
	case b.X() >= in.Right():
		return "→"
	}
	return ""
}

// covered is the suffix of Options.MarkCovered.
func (w *dddk) covered(n *snapshot.Node) string {
	if !w.o.MarkCovered || n.Occlusion == nil || n.Occlusion.State != snapshot.Covered {
		return ""
	}
	by, what := dump.Coverer(w.t, n, hasLine)
	switch {
	case by != nil:
		return " (covered by [" + w.id(by) + "])"
	case what != "":
		return " (covered by " + what + ")"
	}
	return " (covered)"
}

// hasLine reports whether the element's number is printed: text has none, nor has what only scrolls.
func hasLine(n *snapshot.Node) bool {
	return n.Ref > 0 && n.Verdict == snapshot.VerdictRef && !n.OnlyScrolls()
}

// Options are the options of the format alone.
type Options struct {
	// IDs is how elements are addressed: [IDsNumeric], also for "", or [IDsHash].
	IDs string
}

// How elements are addressed.
const (
	IDsNumeric = "numeric" // [12], the ref number
	IDsHash    = "hash"    // [eti4l], an id of the shipped reader's kind (D-12); [HashIDs] maps them to nodes
)

// settings are the options of one rendering.
type settings struct {
	dump.Common
	Options
}
