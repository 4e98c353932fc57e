package core

import (
	"image"
	"slices"
	"strings"

	"github.com/refscope/refscope/snapshot/conversation"
	"github.com/refscope/refscope/snapshot/dump"
)

// Rows are what a native list shows: headings, cards, lines, tables. A room makes them
// where its answer arrives and shares them by pointer; they are immutable. The widget is in
// package parts.
type Rows struct {
	List []Row
	// Doc has the words of each row in a line of its own, for the bar that finds.
	Doc *dump.Document
}

// formatRows names the words of a list. No capture renders to it.
const formatRows dump.Format = "rows"

// NewRows makes a list ready.
func NewRows(list []Row) *Rows {
	r := &Rows{List: list, Doc: &dump.Document{Format: formatRows}}
	var b strings.Builder
	for i := range list {
		if i > 0 {
			b.WriteByte('\n')
		}
		at := b.Len()
		b.WriteString(list[i].Words())
		node := list[i].Node - 1
		r.Doc.Lines = append(r.Doc.Lines, dump.Line{Start: at, End: b.Len(), Node: node, Ref: list[i].Ref})
	}
	r.Doc.Text = b.String()
	return r
}

// RowKind is the shape of a row.
type RowKind int

const (
	// RowLine is a line: a lead, the element's number, words, figures.
	RowLine RowKind = iota
	// RowCard is a card of its own, with a stripe in its tone, words below the title, chips.
	RowCard
	// RowHead is the heading of the rows that follow.
	RowHead
	// RowColumns names the figures of the lines that follow; Sorts are what a click on each
	// sends.
	RowColumns
	// RowPart is a piece of a message. A stripe runs along all parts of one, in the accent where On, else in its tone.
	// Title is who speaks and begins the message, Chips stand as links behind it, Cells at its right end, Body is what
	// is said: beside the Picture where there is one, in a box and in fixed pitch where Code, its values in the colours
	// of their types where JSON, bold where Strong.
	RowPart
)

// Row is one row. All texts are safe to show. Only Kind and Title are needed.
type Row struct {
	Kind RowKind
	Tone Tone
	// Level sets it in, Lead is a sign or a short word before the title.
	Level int
	Lead  string
	Title string
	// Code: the title is text of the page or of a format, in fixed pitch.
	Code         bool
	JSON, Strong bool // see [RowPart]
	// Inline is the Body of a [RowPart] in stretches of one style, nil where it has one.
	Inline []conversation.Stretch
	// Aside follows the title of a [RowLine], cut to the room there is.
	Aside string
	// Body is one paragraph for each of its lines.
	Body  string
	Chips []RowChip
	// Action is the word at the end, Do what it sends.
	Action string
	Do     Msg
	// Cells are figures in columns at the right; Share draws a bar of that length, 0 to 1.
	Cells []string
	Share float64
	// Sorts are the messages of the columns of a [RowColumns], the title's first; Sorted is
	// the place of the one in use, from 1, negative where it ascends.
	Sorts  []Msg
	Sorted int
	// Ref is the number of the element that the row is about, Node its place in the capture
	// plus one; 0 for none.
	Ref, Node int
	// Picture names a small picture before the title, "" for none; [ListVM.Pictures] has it.
	Picture string
	// Pick is what choosing the row sends, nil where it cannot be chosen. On: it is chosen.
	Pick Msg
	On   bool
}

// RowChip is an element, or another thing to go to, in a row.
type RowChip struct {
	Ref  int // 0: without a number
	Text string
	Msg  Msg
}

// Words are the text of a row, in one line.
func (r *Row) Words() string {
	parts := make([]string, 0, 4)
	for _, s := range []string{r.Lead, r.Title, r.Aside, strings.ReplaceAll(r.Body, "\n", " "),
		strings.Join(r.Cells, " ")} {
		if s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, " ")
}

// PickOf chooses the element of a capture by its place, or by its number where it is not in
// the shown turn.
func PickOf(node, ref int) Msg {
	switch {
	case node >= 0:
		return NodePicked{Node: node, Source: PaneDump}
	case ref > 0:
		return Picked{Ref: ref, Source: PaneDump}
	}
	return nil
}

// Pictures are small pictures of rows by their names: nil is that of a row whose picture is known to be missing. They
// are immutable; a room replaces them where more arrive.
type Pictures struct{ ByName map[string]image.Image }

// Of is the picture with that name, and whether it was read already.
func (p *Pictures) Of(name string) (im image.Image, known bool) {
	if p != nil {
		im, known = p.ByName[name]
	}
	return im, known
}

// ListVM is the content of a list. It is comparable with ==.
type ListVM struct {
	Rows *Rows
	// Numbers are what is shown for refs, nil for the refs.
	Numbers *Numbers
	// Pictures are those that were read so far; the list reports rows in view that lack theirs.
	Pictures *Pictures
	// Selected and Hover are ref numbers, 0 for none.
	Selected, Hover int
	// Find is what was found, nil where nothing is looked for; FindAt is the current match.
	Find   *FoundText
	FindAt int
	// Empty is the sentence in place of rows.
	Empty string
}

// List is a list without rows that follows the selection.
func (s State) List() ListVM {
	return ListVM{Selected: s.Selected.Ref, Hover: s.Hover.Ref, Numbers: s.Numbers()}
}

// TableVM is the content of a side that is one table below a choice of what it has. The widget is parts.Table. Compare
// with [TableVM.Equal].
type TableVM struct {
	// Choice is the chip in use, by its place.
	Choice int
	// Facts are about the whole table, beside the chips.
	Facts []StatusItem
	List  ListVM
}

// Equal reports whether both show the same.
func (v TableVM) Equal(o TableVM) bool {
	return v.Choice == o.Choice && v.List == o.List && slices.Equal(v.Facts, o.Facts)
}

// OrderAfter is the order of a table after a click on the title of a column, from 1: sorted by that column, turned
// round (the negative number) by the second click, and by the third as it was at first, which is 0.
func OrderAfter(order, column int) int {
	switch order {
	case column:
		return -column
	case -column:
		return 0
	}
	return column
}

// Text is the words of the rows for [SideRow.Text]: nothing where there are none.
func (r *Rows) Text() (*dump.Document, *LineTones) {
	if r == nil {
		return nil, nil
	}
	return r.Doc, nil
}
