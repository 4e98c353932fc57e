package dump

import (
	"strings"

	"github.com/refscope/refscope/snapshot"
)

// Builder collects the lines of a document. Formats add whole elements; the
// builder keeps offsets, so that text and lines cannot drift apart.
type Builder struct {
	Page    *Page
	Capture *snapshot.Capture
	Out     []byte
	// Lines and, for each of them, what it is to the lines around it.
	Lines     []Line
	Kinds     []LineKind
	Spans     []Span
	Omitted   []Omission
	Refs      []*snapshot.Node // those whose number the text prints for use in actions
	Truncated bool
	// Rules are what the cutters need to know about a format of lines; nil for one
	// that cuts itself.
	Rules *LineRules
	// why explains a kept node that has neither a line nor an omission.
	Unlisted func(n *snapshot.Node) (reason, detail string)
}

// LineKind is the role of a line among the lines around it, for the cutters.
type LineKind uint8

const (
	LineWhole     LineKind = iota // a line without a partner
	lineContinues                 // continues with the element of the line before (pre): no cut before it
	LineOpens                     // opens what a later line closes (HTML)
	LineCloses                    // closes the last open one; a cut document has it too
)

// NewBuilder is an empty document of the page.
func NewBuilder(p *Page) *Builder { return &Builder{Page: p, Capture: p.Capture} }

// newline starts the next line where there is one before.
func (b *Builder) newline() {
	if len(b.Lines) > 0 {
		b.Out = append(b.Out, '\n')
	}
}

// Add appends one element: node may be nil, s may hold newlines (each makes a
// line of its own), indent is in tabs and comes before the first line only.
func (b *Builder) Add(node *snapshot.Node, indent int, s string) {
	l := Line{Node: -1}
	if node != nil {
		l.Node, l.Ref = node.I, node.Ref
	}
	for first := true; ; first = false {
		head, rest, more := strings.Cut(s, "\n")
		b.newline()
		l.Start, l.Indent = len(b.Out), 0
		if first {
			l.Indent = indent
			for range indent {
				b.Out = append(b.Out, '\t')
			}
		}
		b.Out = append(b.Out, head...)
		l.End = len(b.Out)
		b.Lines = append(b.Lines, l)
		kind := LineWhole
		if !first {
			kind = lineContinues
		}
		b.Kinds = append(b.Kinds, kind)
		if !more {
			return
		}
		s = rest
	}
}

// Cell is a piece of a line: one element's text, with the parts of it that belong
// to elements inside it. The spans' offsets count from the cell's start.
type Cell struct {
	Node  *snapshot.Node
	Text  string
	Spans []Span
}

// AddCells appends one line made of the cells; the line is about the first one,
// and each of several cells has a span.
func (b *Builder) AddCells(cells []Cell, indent int) {
	b.Add(cells[0].Node, indent, "")
	line := len(b.Lines) - 1
	for _, c := range cells {
		start := len(b.Out)
		b.Out = append(b.Out, c.Text...)
		if len(cells) > 1 {
			b.Spans = append(b.Spans, Span{Start: start, End: len(b.Out), Line: line, Node: c.Node.I})
		}
		for _, s := range c.Spans {
			b.Spans = append(b.Spans, Span{Start: start + s.Start, End: start + s.End, Line: line, Node: s.Node})
		}
	}
	b.Lines[line].End = len(b.Out)
}

// AddEndTag appends the line of an end tag that is alone on it.
func (b *Builder) AddEndTag(node *snapshot.Node, indent int, tag string) {
	b.Add(node, indent, tag)
	b.Kinds[len(b.Kinds)-1] = LineCloses
}

// Omit records what the format left out or shortened of a node, -1 for the page as a whole, and why.
func (b *Builder) Omit(node int, reason, detail string) {
	b.Omitted = append(b.Omitted, Omission{Node: node, Reason: reason, Detail: detail})
}
