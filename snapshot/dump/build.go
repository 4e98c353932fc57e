package dump

import (
	"strings"

	"github.com/refscope/refscope/snapshot"
)

// builder collects the lines of a document. Formats add whole elements; the
// builder keeps offsets, so that text and lines cannot drift apart.
type builder struct {
	c   *snapshot.Capture
	out []byte
	// lines and, for each of them, what it is to the lines around it.
	lines     []Line
	kinds     []lineKind
	spans     []Span
	omitted   []Omission
	refs      []*snapshot.Node // those whose number the text prints for use in actions
	truncated bool
	// rules are what the cutters need to know about a format of lines; nil for one
	// that cuts itself.
	rules *lineRules
	// why explains a kept node that has neither a line nor an omission.
	why func(n *snapshot.Node) (reason, detail string)
}

// lineKind is what a line is to the lines around it. The cutters need to know.
type lineKind uint8

const (
	lineWhole     lineKind = iota // stands for itself
	lineContinues                 // goes on with the element of the line before (pre): no cut before it
	lineOpens                     // opens what a later line closes (HTML)
	lineCloses                    // closes the last open one; a cut document has it too
)

// newline starts the next line where there is one before.
func (b *builder) newline() {
	if len(b.lines) > 0 {
		b.out = append(b.out, '\n')
	}
}

// add appends one element: node may be nil, s may hold newlines (each makes a
// line of its own), indent is in tabs and stands before the first line only.
func (b *builder) add(node *snapshot.Node, indent int, s string) {
	l := Line{Node: -1}
	if node != nil {
		l.Node, l.Ref = node.I, node.Ref
	}
	for first := true; ; first = false {
		head, rest, more := strings.Cut(s, "\n")
		b.newline()
		l.Start, l.Indent = len(b.out), 0
		if first {
			l.Indent = indent
			for range indent {
				b.out = append(b.out, '\t')
			}
		}
		b.out = append(b.out, head...)
		l.End = len(b.out)
		b.lines = append(b.lines, l)
		kind := lineWhole
		if !first {
			kind = lineContinues
		}
		b.kinds = append(b.kinds, kind)
		if !more {
			return
		}
		s = rest
	}
}

// cell is a piece of a line: one element's text, with the parts of it that belong
// to elements inside it. The spans' offsets count from the cell's start.
type cell struct {
	node  *snapshot.Node
	text  string
	spans []Span
}

// addCells appends one line made of the cells; the line is about the first one,
// and each of several cells has a span.
func (b *builder) addCells(cells []cell, indent int) {
	b.add(cells[0].node, indent, "")
	line := len(b.lines) - 1
	for _, c := range cells {
		start := len(b.out)
		b.out = append(b.out, c.text...)
		if len(cells) > 1 {
			b.spans = append(b.spans, Span{Start: start, End: len(b.out), Line: line, Node: c.node.I})
		}
		for _, s := range c.spans {
			b.spans = append(b.spans, Span{Start: start + s.Start, End: start + s.End, Line: line, Node: s.Node})
		}
	}
	b.lines[line].End = len(b.out)
}

// addTag appends the line of a start or an end tag that stands alone.
func (b *builder) addTag(node *snapshot.Node, indent int, tag string, kind lineKind) {
	b.add(node, indent, tag)
	b.kinds[len(b.kinds)-1] = kind
}

func (b *builder) omit(node int, reason, detail string) {
	b.omitted = append(b.omitted, Omission{Node: node, Reason: reason, Detail: detail})
}
