package markup

import (
	"cmp"
	"slices"
	"strings"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
)

// htmlWriter writes lines of HTML. A line is composed as a whole and then taken; lines
// of start tags and of end tags that stand alone say so, so that the cutters (trim.go)
// close what is open where they cut: a text that was cut is whole HTML too.
type htmlWriter struct {
	*dump.Builder
	compat bool // prints addresses whole

	line  []byte
	parts []dump.Span // of the line in the making, from its start
}

// most tabs before a line; what is nested deeper stays at that depth.
const maxTabs = 24

// mark makes what the line has got since start the part that is about the node.
func (w *htmlWriter) mark(n *snapshot.Node, start int) {
	if n != nil {
		w.parts = append(w.parts, dump.Span{Start: start, End: len(w.line), Node: n.I})
	}
}

// take adds the composed line, which is about the node (nil for none).
func (w *htmlWriter) take(n *snapshot.Node, indent int, kind dump.LineKind) {
	line, parts := w.line, w.parts
	w.line, w.parts = w.line[:0], w.parts[:0]
	first := len(w.Lines)
	w.Add(n, min(indent, maxTabs), string(line))
	if kind != dump.LineWhole {
		w.Kinds[first] = kind
	}
	if len(parts) > 0 {
		w.place(first, parts)
	}
}

// closing adds the line of an end tag.
func (w *htmlWriter) closing(n *snapshot.Node, indent int, tag string) {
	w.AddTag(n, min(indent, maxTabs), tag, dump.LineCloses)
}

// place turns spans of a composed text into spans of the physical lines from first on.
func (w *htmlWriter) place(first int, parts []dump.Span) {
	at := make([]dump.Span, 0, len(parts))
	base := w.Lines[first].Start + w.Lines[first].Indent // where the composed text begins
	for _, s := range parts {
		s.Start, s.End = s.Start+base, s.End+base
		i, _ := slices.BinarySearchFunc(w.Lines[first:], s.Start, func(l dump.Line, p int) int { return cmp.Compare(l.End, p) })
		for i += first; i < len(w.Lines) && (w.Lines[i].Start < s.End || w.Lines[i].Start == s.Start); i++ {
			l := w.Lines[i]
			at = append(at, dump.Span{Start: max(s.Start, l.Start), End: min(s.End, l.End), Line: i, Node: s.Node})
		}
	}
	slices.SortStableFunc(at, func(x, y dump.Span) int { return cmp.Compare(x.Line, y.Line) })
	w.Spans = append(w.Spans, at...)
}

// htmlNote spells a note as a comment. Only a query in it may have two hyphens, which
// could end it: in a JSON string they can be spelled out.
func htmlNote(remark string) string {
	return "<!-- " + strings.ReplaceAll(remark, "--", `-\u002d`) + " -->"
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
