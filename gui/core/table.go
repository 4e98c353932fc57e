package core

import (
	"slices"

	"github.com/refscope/refscope/snapshot/dump"
)

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

// OrderAfter is the order of a table after a click on the title of a column, from 1: sorted by that column, or turned
// round, which is the negative number, where it was sorted by it. 0 is the order that a table begins with.
func OrderAfter(order, column int) int {
	if order == column {
		return -column
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
