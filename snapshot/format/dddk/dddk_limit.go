package dddk

import (
	"strconv"

	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/text"
)

// limits says how the shared cutters treat this format (trim.go). Under Compat
// MaxChars is the original's cut, and the other limits are ours.
func (w *dddk) limits(head int) {
	w.Rules = &dump.LineRules{Head: head, Chars: capDump, Note: dump.Bracketed, Sliced: w.o.Compat}
	if !w.o.Compat {
		return
	}
	max := w.o.MaxChars
	if max == 0 {
		max = capDump
	}
	if max > 0 && len(w.Out) > max {
		w.slice(max)
	}
}

// slice is the original's cut: at the UTF-16 unit, in the middle of a line.
func (w *dddk) slice(max int) {
	if text.Units16(string(w.Out)) <= max {
		return
	}
	at := text.Index16(string(w.Out), max)
	gone := "its line is beyond the limit of " + strconv.Itoa(max) + " UTF-16 units"
	keep := 0
	for i, l := range w.Lines {
		if l.Start < at || (l.Start == at && l.End == at) {
			keep = i + 1
		}
		if l.End <= at {
			continue
		}
		if l.Node >= 0 {
			detail := gone
			if l.Start < at {
				detail = "its line is cut in the middle, at " + strconv.Itoa(max) + " UTF-16 units"
			}
			w.Omit(l.Node, dump.ReasonCut, detail)
		}
	}
	w.Out = w.Out[:at]
	w.Lines, w.Kinds = w.Lines[:keep], w.Kinds[:keep]
	if keep > 0 && w.Lines[keep-1].End > at {
		w.Lines[keep-1].End = at
	}
	w.Add(nil, 0, "[...truncated]")
	w.Truncated = true
}
