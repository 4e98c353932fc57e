package dump

import (
	"strconv"

	"github.com/refscope/refscope/snapshot/text"
)

// limits says how the shared cutters treat this format (trim.go). Under Compat
// MaxChars is the original's cut, and the other limits are ours.
func (w *dddk) limits(head int) {
	w.rules = &lineRules{head: head, chars: capDump, note: bracketed, sliced: w.o.Compat}
	if !w.o.Compat {
		return
	}
	max := w.o.MaxChars
	if max == 0 {
		max = capDump
	}
	if max > 0 && len(w.out) > max {
		w.slice(max)
	}
}

// slice is the original's cut: at the UTF-16 unit, in the middle of a line.
func (w *dddk) slice(max int) {
	if text.Units16(string(w.out)) <= max {
		return
	}
	at := text.Index16(string(w.out), max)
	gone := "its line is beyond the limit of " + strconv.Itoa(max) + " UTF-16 units"
	keep := 0
	for i, l := range w.lines {
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
			w.omit(l.Node, ReasonCut, detail)
		}
	}
	w.out = w.out[:at]
	w.lines, w.kinds = w.lines[:keep], w.kinds[:keep]
	if keep > 0 && w.lines[keep-1].End > at {
		w.lines[keep-1].End = at
	}
	w.add(nil, 0, "[...truncated]")
	w.truncated = true
}
