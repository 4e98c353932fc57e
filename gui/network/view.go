package network

import (
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
)

// New makes the side: which requests, over the table.
func New(w *parts.Window) *parts.Table {
	return parts.NewTable(w, shows(), func(choice int) core.Msg { return chosen(Show(choice)) }, ViewOf)
}
