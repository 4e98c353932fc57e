package text

import (
	"slices"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/snapshot/dump"
)

// index is what the view has to know about a document as a whole. It is made
// once per document, in time linear in its length, without laying out any text.
type index struct {
	doc   *dump.Document
	cols  int                 // estimated width of the widest line, in columns
	node  bool                // lines without a ref have a key, see [core.DumpVM]
	byRef map[int][]int       // lines of each ref or key, ascending
	cells map[int][]core.Cell // cells of each line that has some
	folds *core.Folds         // nil where nothing can be folded
}

// newIndex indexes the document of a view-model and its cells; nil is an empty one.
func newIndex(vm core.DumpVM) *index {
	doc := vm.Doc
	x := &index{doc: doc, node: vm.ByNode, byRef: map[int][]int{}, cells: map[int][]core.Cell{}}
	if doc == nil {
		return x
	}
	for i, l := range doc.Lines {
		x.cols = max(x.cols, columnsOf(x.text(i)))
		if r := x.key(l); r != 0 {
			x.byRef[r] = append(x.byRef[r], i)
		}
	}
	for _, c := range vm.Tones.Cells() {
		if c.Line < 0 || c.Line >= len(doc.Lines) {
			continue
		}
		x.cells[c.Line] = append(x.cells[c.Line], c)
		if l := x.byRef[c.Ref]; len(l) == 0 || l[len(l)-1] != c.Line {
			x.byRef[c.Ref] = append(l, c.Line)
		}
	}
	return x
}

// lines is the number of lines.
func (x *index) lines() int {
	if x.doc == nil {
		return 0
	}
	return len(x.doc.Lines)
}

// rows is the number of lines that are not folded away.
func (x *index) rows() int { return x.folds.Rows(x.lines()) }

// text is a line without its newline, "" where there is no such line.
func (x *index) text(line int) string {
	if line < 0 || line >= x.lines() {
		return ""
	}
	l := x.doc.Lines[line]
	start := min(max(l.Start, 0), len(x.doc.Text))
	return x.doc.Text[start:min(max(l.End, start), len(x.doc.Text))]
}

// key is the ref number of a line, or, where it has none, what stands for its element.
func (x *index) key(l dump.Line) int {
	if !x.node {
		return l.Ref
	}
	return core.LineKey(l.Node, l.Ref)
}

// ref is the ref number or key that a line belongs to, 0 for none.
func (x *index) ref(line int) int {
	if line < 0 || line >= x.lines() {
		return 0
	}
	return x.key(x.doc.Lines[line])
}

// has reports whether the line, or a cell of it, belongs to the ref; no line
// belongs to 0.
func (x *index) has(line, ref int) bool {
	if ref == 0 {
		return false
	}
	return x.ref(line) == ref || x.cell(line, ref) != nil
}

// cell is the cell of a line that belongs to the ref, nil where none does.
func (x *index) cell(line, ref int) *core.Cell {
	cells := x.cells[line]
	i := slices.IndexFunc(cells, func(c core.Cell) bool { return c.Ref == ref })
	if i < 0 {
		return nil
	}
	return &cells[i]
}

// info is what a line, or the cell of it at a byte of the line, is about.
func (x *index) info(line, at int) dump.Line {
	l := x.doc.Lines[line]
	for _, c := range x.cells[line] {
		if at >= c.Start-l.Start && at < c.End-l.Start {
			l.Node, l.Ref = c.Node, c.Ref
		}
	}
	return l
}

// first is the first line of a ref, -1 where the document does not print it.
func (x *index) first(ref int) int {
	if l := x.byRef[ref]; len(l) > 0 {
		return l[0]
	}
	return -1
}
