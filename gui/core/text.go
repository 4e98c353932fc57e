package core

import (
	"fmt"
	"maps"
	"slices"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/text"
)

// DumpVM is the content of the text pane. It is comparable with ==; Doc and Tones
// are immutable and shared by pointer.
type DumpVM struct {
	// Version grows whenever Doc is another one.
	Version int
	// Doc is the text with its line index, nil where there is none yet.
	Doc *dump.Document
	// Tones tints lines, such as those of covered elements; nil tints none.
	Tones *LineTones
	// Folds are the sections of Doc, nil where none can be folded.
	Folds *Folds
	// Selected and Hover are ref numbers, 0 for none. All lines of that ref are
	// marked. With ByNode they are a [Selection.Key]: Doc is of the turn in view.
	Selected, Hover int
	ByNode          bool
	// Find is what was found in Doc, nil where nothing is looked for; FindAt is the
	// place of the current match in it, -1 for none.
	Find   *FoundText
	FindAt int
	// Empty is the sentence in place of a text, with the next action in it.
	Empty string
}

// PlainDoc is a text without elements, line by line.
func PlainDoc(f dump.Format, text string) *dump.Document {
	return dump.Plain(f, text)
}

// Only are the tones of some lines, by their places in a text that has only these.
func (t *LineTones) Only(place map[int]int) *LineTones {
	if t == nil {
		return nil
	}
	out := &LineTones{ByLine: map[int]Tone{}}
	for _, l := range t.lines {
		if i, ok := place[l]; ok {
			out.Set(i, t.ByLine[l])
		}
	}
	for l, words := range t.notes {
		if i, ok := place[l]; ok {
			out.Note(i, words)
		}
	}
	for _, c := range t.cells {
		if i, ok := place[c.Line]; ok {
			c.Line = i
			out.cells = append(out.cells, c)
		}
	}
	return out
}

// LineTones lists which lines of one document are highlighted and why, and which parts
// of lines belong to elements of their own. It is immutable.
type LineTones struct {
	ByLine map[int]Tone
	lines  []int // ascending
	cells  []Cell
	notes  map[int]string
}

// Note puts a few words of the window behind a line, such as why it has no element.
func (t *LineTones) Note(line int, words string) {
	if t.notes == nil {
		t.notes = map[int]string{}
	}
	t.notes[line] = words
}

// Clone is a copy to which notes can be added.
func (t *LineTones) Clone() *LineTones {
	out := *t
	out.notes = maps.Clone(t.notes)
	return &out
}

// NoteOf is what stands behind a line, "" for nothing.
func (t *LineTones) NoteOf(line int) string {
	if t == nil {
		return ""
	}
	return t.notes[line]
}

// Set tints a line; lines come in ascending order.
func (t *LineTones) Set(line int, tone Tone) {
	t.ByLine[line] = tone
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
	return t.ByLine[line]
}

// Len is the number of highlighted lines.
func (t *LineTones) Len() int {
	if t == nil {
		return 0
	}
	return len(t.ByLine)
}

// Each calls f for every highlighted line, in order.
func (t *LineTones) Each(f func(line int, tone Tone)) {
	if t == nil {
		return
	}
	for _, l := range t.lines {
		f(l, t.ByLine[l])
	}
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
	t := &LineTones{ByLine: map[int]Tone{}}
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
			t.Set(i, ToneBad)
		case snapshot.Partly:
			t.Set(i, ToneWarn)
		}
	}
	for _, s := range doc.Spans {
		if n := c.Node(s.Node); n != nil && n.Ref > 0 {
			t.cells = append(t.cells, Cell{s, n.Ref})
		}
	}
	return t
}

// FoundMatch is one match.
type FoundMatch struct {
	Line       int // of the text, -1 where the element has none
	Start, End int // bytes of the line; equal where the whole line is meant
	Node       int // element that it is about, -1 for none
	Box        int // its place in the boxes, -1 for none
}

// Found is what a search of one text found. It is immutable.
type Found struct {
	// Matches are in the order of the text. Those of elements that have no line in it
	// come last.
	Matches []FoundMatch
	// More: there were more than fit.
	More bool
	// Reasons are, by element, why those without a line have none; of the first of them only.
	Reasons map[int]string
	// Lines is how many lines have a match, Absent how many matches are of elements
	// Without a line in the text.
	Lines, Absent int
	// Text are the matches in the whole text. Filtered and its Doc and Tones are the
	// text reduced to lines with matches and those around them.
	Text     *FoundText
	Doc      *dump.Document
	Tones    *LineTones
	Filtered *FoundText
	// Boxes are those of the matches on the picture.
	Boxes *FoundBoxes
}

// Say is the count of what was found, with the current match.
func (f *Found) Say(at int) string {
	n := text.Thousands(len(f.Matches))
	if f.More {
		n = "more than " + n
	}
	out := text.Thousands(at+1) + " of " + n
	if b := len(f.Boxes.Boxes); b > 0 {
		out += " · " + text.Count(b, "box", "boxes")
	}
	if f.Absent > 0 {
		out += " · " + text.Thousands(f.Absent) + " not in this text"
	}
	if at >= 0 && at < len(f.Matches) {
		if m := &f.Matches[at]; m.Line < 0 && f.Reasons[m.Node] != "" {
			out += " · this one: " + f.Reasons[m.Node]
		}
	}
	return out
}

// FoundText are matches as one text shows them. It is immutable.
type FoundText struct {
	// Line is, for each match, its line in this text, -1 for none.
	Line []int
	// Spans are, for each line with matches, stretches in bytes of the line. A line
	// that is meant as a whole has an empty one.
	Spans map[int][][2]int
	// Lines are the lines with matches, ascending.
	Lines []int
	// Numbers are the numbers of the lines of a filtered text in the whole one, from 0;
	// nil where it is the whole one.
	Numbers []int
	// Source is the whole text, which identifies the text, and Of the
	// search that found all this.
	Source *dump.Document
	Of     *Found
}

// Number is the number of a line in the whole text, from 0.
func (f *FoundText) Number(line int) int {
	if f == nil || f.Numbers == nil || line < 0 {
		return line
	}
	if line >= len(f.Numbers) {
		return len(f.Numbers)
	}
	return f.Numbers[line]
}

// Place is the line with that number of the whole text, or, where it was left out, the
// next one that was not.
func (f *FoundText) Place(number int) int {
	if f == nil || f.Numbers == nil {
		return number
	}
	i, _ := slices.BinarySearch(f.Numbers, number)
	return min(i, len(f.Numbers)-1)
}

// FoundBoxes are the boxes of what was found, in image px of the picture, one for each
// element. They are immutable.
type FoundBoxes struct {
	Boxes []snapshot.Box
}

// Box is the box at a place, empty where there is none.
func (f *FoundBoxes) Box(at int) snapshot.Box {
	if f == nil || at < 0 || at >= len(f.Boxes) {
		return snapshot.Box{}
	}
	return f.Boxes[at]
}

// CutSentence describes what limits removed from a text and why, "" for nothing.
func CutSentence(d *dump.Document) string {
	elements, cuts, why, last := 0, 0, "", -2
	counts := map[string]int{}
	for _, o := range d.Omitted {
		if o.Reason != dump.ReasonCut {
			continue
		}
		cuts++
		if counts[o.Detail]++; counts[o.Detail] > counts[why] { // the reason of most of them
			why = o.Detail
		}
		if o.Node != last {
			elements, last = elements+1, o.Node // they come in the order of nodes
		}
	}
	switch {
	case elements == 0 && !d.Truncated:
		return ""
	case elements == 0:
		return "The text ends at its limit."
	case why == "":
		return fmt.Sprintf("%s cut or left out by a limit.", text.Count(elements, "element was", "elements were"))
	}
	of := "" // a reason is that of one element
	if counts[why] < cuts {
		of = ", most often"
	} else if elements > 1 {
		of = ", each"
	}
	return fmt.Sprintf("%s cut or left out%s: %s.", text.Count(elements, "element was", "elements were"), of,
		text.Cut(text.Line(why), 120))
}
