package changes

import (
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/snapshot/diff"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/text"
)

// textContext is how many lines around a change a unified difference shows.
const textContext = 3

// TextChanges is how the text of a turn differs from that of the turn before, made ready
// for the window. It is immutable.
type TextChanges struct {
	N, From int
	Format  dump.Format
	// Unified has a sign before each line; nil where the texts are the same.
	Unified *dump.Document
	Tones   *core.LineTones
	// Left and Right are the two texts, with empty lines where the other has more, so
	// that equal lines are beside each other.
	Left, Right           *dump.Document
	LeftTones, RightTones *core.LineTones
	Problem               *core.Problem
}

// TextsOf compares two documents of one format.
func TextsOf(from, n int, before, after *dump.Document) *TextChanges {
	t := &TextChanges{N: n, From: from, Format: after.Format}
	edits := diff.Lines(before.Text, after.Text)
	same := true
	for i := range edits {
		same = same && edits[i].Op == diff.Same
	}
	if same {
		return t
	}
	t.unified(edits, before, after)
	t.beside(edits, before, after)
	return t
}

// unified writes changed lines with some around them.
func (t *TextChanges) unified(edits []diff.Edit, before, after *dump.Document) {
	near := make([]bool, len(edits))
	for i := range edits {
		if edits[i].Op != diff.Same {
			for k := max(0, i-textContext); k <= min(len(edits)-1, i+textContext); k++ {
				near[k] = true
			}
		}
	}
	c := core.NewColumn()
	left := 0
	for i, e := range edits {
		if !near[i] {
			left++
			continue
		}
		if left > 0 {
			c.Add("… "+text.Count(left, "equal line", "equal lines"), after, -1, core.ToneNormal)
			left = 0
		}
		switch e.Op {
		case diff.Gone:
			c.Add("- "+e.Line, before, e.A, core.ToneBad)
		case diff.New:
			c.Add("+ "+e.Line, after, e.B, core.ToneGood)
		default:
			c.Add("  "+e.Line, after, e.B, core.ToneNormal)
		}
	}
	if left > 0 {
		c.Add("… "+text.Count(left, "equal line", "equal lines"), after, -1, core.ToneNormal)
	}
	t.Unified, t.Tones = c.Done()
}

// beside writes both texts so that equal lines, and the lines of a block that changed,
// are beside each other.
func (t *TextChanges) beside(edits []diff.Edit, before, after *dump.Document) {
	l, r := core.NewColumn(), core.NewColumn()
	for i := 0; i < len(edits); {
		if edits[i].Op == diff.Same {
			l.Add("  "+edits[i].Line, before, edits[i].A, core.ToneNormal)
			r.Add("  "+edits[i].Line, after, edits[i].B, core.ToneNormal)
			i++
			continue
		}
		for ; i < len(edits) && edits[i].Op != diff.Same; i++ {
			if e := edits[i]; e.Op == diff.Gone {
				l.Add("- "+e.Line, before, e.A, core.ToneBad)
			} else {
				r.Add("+ "+e.Line, after, e.B, core.ToneGood)
			}
		}
		for len(l.Doc.Lines) < len(r.Doc.Lines) {
			l.Add("", before, -1, core.ToneNormal)
		}
		for len(r.Doc.Lines) < len(l.Doc.Lines) {
			r.Add("", after, -1, core.ToneNormal)
		}
	}
	t.Left, t.LeftTones = l.Done()
	t.Right, t.RightTones = r.Done()
}
