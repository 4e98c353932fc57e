package text

import (
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/snapshot/dump"
)

// What only the tests of this package name from outside.

const (
	CmdAttributes = cmdAttributes
	CmdFold       = cmdFold
)

type (
	FoldToggled = foldToggled
	FoldedAll   = foldedAll
)

var (
	HeadOf = headOf
	Of     = modelOf
)

// Marks reports whether a line of a text of the turn in view is marked where an element is selected.
func Marks(d *dump.Document, line, key int) bool {
	x := newIndex(core.DumpVM{Doc: d, ByNode: true})
	return x.has(line, key) && x.first(key) >= 0
}

// ShowLine chooses a line and brings it into view, without reporting it.
func (v *View) ShowLine(line int) {
	v.cursor = line
	v.reveal(line)
	v.Refresh()
}
