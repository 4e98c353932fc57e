package core

import (
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
)

// DumpVM is what the text pane shows. It is comparable with ==; Doc and Tones
// are immutable and shared by pointer.
type DumpVM struct {
	// Version grows whenever Doc is another one.
	Version int
	// Doc is the text with its line index, nil where there is none yet.
	Doc *dump.Document
	// Tones tints lines, such as those of covered elements; nil tints none.
	Tones *LineTones
	// Selected and Hover are ref numbers, 0 for none. All lines of that ref are
	// marked.
	Selected, Hover int
	// Find is what was found in Doc, nil where nothing is looked for; FindAt is the
	// place of the current match in it, -1 for none.
	Find   *FoundText
	FindAt int
	// Empty is the sentence in place of a text, with the next action in it.
	Empty string
}

// LineTones says which lines of one document stand out and why, and which parts
// of lines belong to elements of their own. It is immutable.
type LineTones struct {
	byLine map[int]Tone
	lines  []int // ascending
	cells  []Cell
}

// Cell is a part of a line that belongs to an element of its own, such as a cell
// of a table row, with that element's ref number.
type Cell struct {
	dump.Span
	Ref int
}

// NewLineTones tints the lines of doc whose element is covered ([ToneBad]) or
// partly covered ([ToneWarn]) in the capture, and finds the refs of its cells.
// Both may be nil.
func NewLineTones(c *snapshot.Capture, doc *dump.Document) *LineTones {
	t := &LineTones{byLine: map[int]Tone{}}
	if c == nil || doc == nil {
		return t
	}
	for i := range doc.Lines {
		n := c.Node(doc.Lines[i].Node)
		if n == nil || n.Occlusion == nil {
			continue
		}
		switch n.Occlusion.State {
		case snapshot.Covered:
			t.set(i, ToneBad)
		case snapshot.Partly:
			t.set(i, ToneWarn)
		}
	}
	for _, s := range doc.Spans {
		if n := c.Node(s.Node); n != nil && n.Ref > 0 {
			t.cells = append(t.cells, Cell{s, n.Ref})
		}
	}
	return t
}

// set tints a line; lines come in ascending order.
func (t *LineTones) set(line int, tone Tone) {
	t.byLine[line] = tone
	t.lines = append(t.lines, line)
}

// Cells are the parts of lines that have a ref number of their own, in the order
// of the document. The slice is shared: read it only.
func (t *LineTones) Cells() []Cell {
	if t == nil {
		return nil
	}
	return t.cells
}

// Of is the tone of a line, counted from 0. A nil LineTones has only
// [ToneNormal].
func (t *LineTones) Of(line int) Tone {
	if t == nil {
		return ToneNormal
	}
	return t.byLine[line]
}

// Len is the number of lines that stand out.
func (t *LineTones) Len() int {
	if t == nil {
		return 0
	}
	return len(t.byLine)
}

// Each calls f for every line that stands out, in order.
func (t *LineTones) Each(f func(line int, tone Tone)) {
	if t == nil {
		return
	}
	for _, l := range t.lines {
		f(l, t.byLine[l])
	}
}
