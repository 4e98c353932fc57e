package costs

import (
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
)

// New makes the side: a choice of grouping over the table.
func New(w *parts.Window) *parts.Table {
	return parts.NewTable(w, groupings(), func(choice int) core.Msg { return grouped(grouping(choice)) }, ViewOf)
}
