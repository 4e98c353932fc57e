package dump

import (
	"cmp"
	"slices"
	"strings"
)

// Format names a text format, spelled as on the command line.
type Format string

// Common are the options that more than one format uses. The zero value is every
// format's default.
type Common struct {
	// Compat selects the original's spelling and losses; each format's package names which.
	Compat bool
	// MaxChars limits the whole text, in characters (UTF-16 units under Compat).
	// 0 is the format's own limit: 12,000 for dddk, 16,000 and 50,000 bytes for domtool,
	// none for the others. Below 0: none. Every format and every profile; lines are cut
	// at their ends, JSON between elements, and HTML is closed.
	MaxChars int
	// MaxTokens limits the whole text in tokens, as CountTokens counts them; 0 or
	// below: no limit. Every format, cut as by MaxChars.
	MaxTokens int
	// CountTokens counts the tokens of a text for MaxTokens and what Query chooses; it must
	// be a pure function. nil is characters / 4, rounded up, as W-5 has it.
	CountTokens func(string) int
	// MaxNodes limits how many elements the text lists, from the start: those with a
	// line or a part of one, in domtool the nodes of the payload. 0 is the format's own
	// limit: 1,500 for domtool, none for the others. Below 0: none. Every format.
	MaxNodes int
	// Query renders only what is relevant to a task in words (S-13, package
	// relevance); "" renders all. Every format.
	Query string
	// QueryNodes limits what Query chooses; 0 is 50 elements, below 0 no limit.
	QueryNodes int
	// SummariseRepeats puts one line in the place of siblings of a kind after the
	// first 20, where there are more than 50 or their text is longer than 1,500
	// characters (B-6): dddk, wraith, aria, skeleton, hybrid and full; see repeats.go.
	// Not the others: domtool always has a summary node of its own, and the lists of
	// semantic, ax, filtered and wraith-json hold elements only: MaxNodes and Query
	// shorten these. Neither the interactive nor the summary detail of aria, where
	// siblings are not next to each other.
	SummariseRepeats bool
	// ViewportOnly leaves out what lies outside the visible part of the page: wraith, aria
	// and domtool, where off is the default (semantic, ax and filtered have
	// NoViewportPruning). The HTML formats and dddk print where an element is and have no
	// such cut; neither has Playwright's profile of aria.
	ViewportOnly bool
	// MarkCovered appends " (covered by [30])" to dddk lines of covered elements,
	// " [COVERED by @e30]" to wraith's, and " [covered=s1e30]" to the states of aria.
	// It gives them data-covered-by="30" in skeleton, hybrid and full.
	MarkCovered bool
	// Volatile prints what differs between two captures of an unchanged page:
	// semantic's meta.extractionTimeMs, wraith-json's timestamp, domtool's
	// meta.captureMs. Compat prints the first two, which its originals have.
	Volatile bool
}

// Line is one physical line of a document.
type Line struct {
	Start int // byte offset in Document.Text
	End   int // byte offset, the newline excluded
	Node  int // index of the element that the line is about, -1 for none
	// Ref is that element's ref number, 0 where it has none. Content lines have
	// one too although dddk does not print it.
	Ref    int
	Indent int // tabs before the line's text
}

// Span is a part of a line that belongs to an element of its own: a cell of a
// table row, or a stretch of a paragraph. Spans may lie inside other spans.
type Span struct {
	Start, End int // byte offsets in Document.Text
	Line       int // index in Document.Lines
	Node       int
}

// Reasons of an [Omission], as in the contract of the command line.
const (
	ReasonViewport  = "viewport"          // outside the visible part of the page
	ReasonCovered   = "covered"           // something else lies over it
	ReasonDuplicate = "duplicate"         // its text is on another line
	ReasonNoNumber  = "not-numbered-here" // the format does not address it
	ReasonRole      = "role-not-here"     // the format does not list such elements
	ReasonContainer = "container-pruned"  // a generic container without a boundary
	ReasonRatio     = "ratio"             // too little of it is visible
	ReasonQuery     = "query"             // not relevant to the query
	ReasonCut       = "cut"               // a limit cut it or a part of it
	ReasonScope     = "out-of-scope"      // outside the root, or in a tree that was not requested
)

// Omission is an element, or a part of it, that the format left out.
type Omission struct {
	Node   int // index of the element, -1 for the page as a whole
	Reason string
	Detail string // in words, with figures where there are some
}

// Document is a rendered capture.
type Document struct {
	Format Format
	// Text is the dump, without a newline at its end.
	Text string
	// Lines are all lines of Text in order, header and markers included.
	Lines []Line
	// Spans are the parts of lines that belong to other elements than the line's.
	Spans []Span
	// Omitted is ordered by node; a node may have several.
	Omitted []Omission
	// Refs are the ref numbers that Text prints for use in actions, in order; aria
	// alone lists them.
	Refs []int
	// Truncated: MaxChars, MaxTokens, MaxNodes or another limit of the format was reached.
	Truncated bool

	byNode map[int][]int
}

// Plain is a text that Render did not write, with its lines, which are about no element yet.
func Plain(f Format, text string) *Document {
	d := &Document{Format: f, Text: text}
	for at := 0; at < len(text); {
		line, _, _ := strings.Cut(text[at:], "\n")
		d.Lines = append(d.Lines, Line{Start: at, End: at + len(line), Node: -1})
		at += len(line) + 1
	}
	return d
}

// Index makes [Document.LinesOf] fast for a document that Render did not make, once its lines have their elements.
func (d *Document) Index() { d.byNode = indexLines(d) }

// LineOf is the index in Lines of the first line about the node, -1 for none.
func (d *Document) LineOf(node int) int {
	if l := d.LinesOf(node); len(l) > 0 {
		return l[0]
	}
	return -1
}

// LinesOf are the indices in Lines of all lines about the node, in order. The
// caller must not change them.
func (d *Document) LinesOf(node int) []int {
	if d.byNode == nil && len(d.Lines) > 0 {
		return indexLines(d)[node] // a document that Render did not make
	}
	return d.byNode[node]
}

// Finish accounts for what the query left out, sums repeats up, keeps the text within the
// limits, and makes the document of that format.
func (b *Builder) Finish(name Format, o Common) *Document {
	b.accountQuery(o)
	b.summarise(o)
	b.trim(o)
	return b.document(name)
}

// document closes the builder: it accounts for every kept node and indexes lines.
func (b *Builder) document(f Format) *Document {
	d := &Document{Format: f, Text: string(b.Out), Lines: b.Lines, Spans: b.Spans, Truncated: b.Truncated}
	d.byNode = indexLines(d)
	for _, n := range b.Refs {
		if d.byNode[n.I] != nil {
			d.Refs = append(d.Refs, n.Ref)
		}
	}
	named := make(map[int]bool, len(b.Omitted))
	for _, o := range b.Omitted {
		named[o.Node] = true
	}
	for p := range b.Capture.Nodes {
		n := &b.Capture.Nodes[p]
		if n.Verdict.Kept() && !named[n.I] && d.byNode[n.I] == nil {
			reason, detail := b.Unlisted(n)
			b.Omit(n.I, reason, detail)
		}
	}
	slices.SortStableFunc(b.Omitted, func(x, y Omission) int { return cmp.Compare(x.Node, y.Node) })
	d.Omitted = b.Omitted
	return d
}

// indexLines lists the lines of each node.
func indexLines(d *Document) map[int][]int {
	m := make(map[int][]int, len(d.Lines)+len(d.Spans))
	add := func(node, line int) {
		if node < 0 {
			return
		}
		if l := m[node]; len(l) == 0 || l[len(l)-1] != line {
			m[node] = append(l, line)
		}
	}
	s := 0
	for i, l := range d.Lines {
		add(l.Node, i)
		for ; s < len(d.Spans) && d.Spans[s].Line <= i; s++ {
			add(d.Spans[s].Node, d.Spans[s].Line)
		}
	}
	return m
}
