package dump

import (
	"cmp"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/refscope/refscope/snapshot"
)

// htmlWriter writes lines of HTML and keeps the limit: a line is composed as a whole
// and then taken or dropped, and the end tags of what is open are always paid for, so
// that a text that was cut is whole HTML too. Once a line has been dropped, all that
// follow are.
type htmlWriter struct {
	*builder
	max     int  // characters (UTF-16 units under compat), below 1 for no limit
	compat  bool // counts UTF-16 units, prints addresses whole
	used    int
	pending int // what the end tags of the open elements will need
	cutAt   bool
	dropped int // elements on dropped lines

	line  []byte
	parts []Span // of the line in the making, from its start
}

// cutMark is the room that is kept for the comment about what did not fit.
const cutMark = len("\n<!-- truncated: 1,000,000 elements do not fit -->")

// most tabs before a line; what is nested deeper stays at that depth.
const maxTabs = 24

// mark makes what the line has got since start the part that is about the node.
func (w *htmlWriter) mark(n *snapshot.Node, start int) {
	if n != nil {
		w.parts = append(w.parts, Span{Start: start, End: len(w.line), Node: n.I})
	}
}

// size is the length of s in the unit of the limit.
func (w *htmlWriter) size(s []byte) int {
	if w.compat {
		return units16(string(s))
	}
	return utf8.RuneCount(s)
}

// take adds the composed line, which is about the node (nil for none), and reserves
// room for the end tag of the element that it opens. It reports whether the line fits;
// elements is how many elements begin on it.
func (w *htmlWriter) take(n *snapshot.Node, indent, reserve, elements int) bool {
	line, parts := w.line, w.parts
	w.line, w.parts = w.line[:0], w.parts[:0]
	indent = min(indent, maxTabs)
	if w.max > 0 {
		need := w.size(line) + indent + 1
		if w.cutAt = w.cutAt || w.used+need+w.pending+reserve+cutMark > w.max; w.cutAt {
			w.dropped += elements
			return false
		}
		w.used += need
		w.pending += reserve
	}
	first := len(w.lines)
	w.add(n, indent, string(line))
	if len(parts) > 0 {
		w.place(first, parts)
	}
	return true
}

// closing adds the line of an end tag, for which room has been reserved.
func (w *htmlWriter) closing(n *snapshot.Node, indent, reserved int, tag string) {
	w.pending -= reserved
	w.used += reserved
	w.add(n, min(indent, maxTabs), tag)
}

// reserve is what the line of an end tag will need.
func reserve(tag string, indent int) int { return len(tag) + 1 + min(indent, maxTabs) }

// place turns spans of a composed text into spans of the physical lines from first on.
func (w *htmlWriter) place(first int, parts []Span) {
	at := make([]Span, 0, len(parts))
	base := w.lines[first].Start + w.lines[first].Indent // where the composed text begins
	for _, s := range parts {
		s.Start, s.End = s.Start+base, s.End+base
		i, _ := slices.BinarySearchFunc(w.lines[first:], s.Start, func(l Line, p int) int { return cmp.Compare(l.End, p) })
		for i += first; i < len(w.lines) && (w.lines[i].Start < s.End || w.lines[i].Start == s.Start); i++ {
			l := w.lines[i]
			at = append(at, Span{Start: max(s.Start, l.Start), End: min(s.End, l.End), Line: i, Node: s.Node})
		}
	}
	slices.SortStableFunc(at, func(x, y Span) int { return cmp.Compare(x.Line, y.Line) })
	w.spans = append(w.spans, at...)
}

// finish adds the comment about what did not fit.
func (w *htmlWriter) finish() {
	if !w.cutAt {
		return
	}
	w.truncated = true
	noun := " elements do"
	if w.dropped == 1 {
		noun = " element does"
	}
	w.add(nil, 0, "<!-- truncated: "+thousands(w.dropped)+noun+" not fit -->")
}

// frameID is the number of an element as the HTML formats and semantic spell it: 12,
// or f1_12 in frame 1 (S-17).
func frameID(n *snapshot.Node) string {
	if n.Frame == 0 {
		return strconv.Itoa(n.Ref)
	}
	return "f" + strconv.Itoa(n.Frame) + "_" + strconv.Itoa(n.Ref)
}

// text writes text between the tags of an element of that written name. A parser drops
// a line break right after the start tag of pre and textarea, so one more is written
// where the text is the first thing in it.
func (w *htmlWriter) text(name, s string, first, keep bool) {
	if first && s != "" && (s[0] == '\n' || s[0] == '\r') && (name == "pre" || name == "textarea") {
		w.line = appendHTML(w.line, "\n", false, keep)
	}
	w.line = appendHTML(w.line, s, false, keep)
}
