package details

import (
	"slices"

	"github.com/refscope/refscope/gui/core"
)

// VM is what the pane about one element shows. Compare with
// [VM.Equal].
type VM struct {
	// Ref is the element's ref, 0 where it has none; Node is its index in the capture.
	Ref, Node int
	// Number is what is shown for the ref, Ours the ref in words where that is an agent's own; "" for none.
	Number, Ours string
	// Title is its role and name, such as `button “Place order”`.
	Title string
	// Rows are facts, in order of use.
	Rows []Row
	// Copies are things that the head of the pane offers to copy as a whole.
	Copies []CopyItem
	// Note is a highlighted sentence or two, such as what covers the element.
	Note Note
	// Empty is the sentence in place of the facts where nothing is selected.
	Empty string
}

// Row is one fact. All text is already safe to show: control and direction
// characters are visible as escapes and the length is bounded.
type Row struct {
	Label, Value string
	// Copy is what a click on the value copies: the value without the cut, ""
	// where that is the value. It may be as the page wrote it; the pane hands it
	// out made harmless.
	Copy string
	Tone core.Tone
	// Mono asks for the monospace face: selectors and ids.
	Mono bool
	// Head: Label is a heading over the rows that follow, and there is no value.
	Head bool
	// Go is where a click on the row goes; a row that goes nowhere is copied.
	Go Link
}

// Link is another element that a row is about, or what a command opens. The zero value is none.
type Link struct {
	Some    bool
	Command string // that goes there, "" for an element
	Node    int    // index in the shown capture, -1 where only the number is known
	Ref     int    // 0 for none
}

// Msg is what going there sends.
func (g Link) Msg() core.Msg {
	if g.Node < 0 {
		return core.Picked{Ref: g.Ref, Source: core.PaneDetails}
	}
	return core.NodePicked{Node: g.Node, Source: core.PaneDetails}
}

// CopyItem is one thing to copy.
type CopyItem struct {
	Label string // "selector", "JSON", "lines"
	Text  string
}

// Note is the highlighted sentence.
type Note struct {
	Text string
	Tone core.Tone
}

// Equal reports whether both show the same.
func (v VM) Equal(o VM) bool {
	return v.Ref == o.Ref && v.Number == o.Number && v.Ours == o.Ours && v.Node == o.Node && v.Title == o.Title &&
		v.Note == o.Note &&
		v.Empty == o.Empty &&
		slices.Equal(v.Rows, o.Rows) && slices.Equal(v.Copies, o.Copies)
}
