package dump

import (
	"fmt"
	"strconv"
	"unicode/utf8"
)

// shortestMarker is the least that the newline and the marker at the end take.
const shortestMarker = len("\n[...truncated: 1 node, 1 character]")

// limit cuts the text to MaxChars. head is the number of header lines, which are
// never cut, nor is the line that says what was cut: a limit that is smaller
// than these gives them alone.
func (w *dddk) limit(head int) {
	max := w.o.MaxChars
	if max == 0 {
		max = capDump
	}
	if max < 0 || len(w.out) <= max {
		return
	}
	if w.o.Compat {
		w.slice(max)
		return
	}
	total := utf8.RuneCount(w.out)
	if total <= max {
		return
	}
	// From the end backwards: the first line end that leaves room for the marker.
	nodes := make(map[int]bool, len(w.lines)) // that lost a line
	count := func(node int) {
		if node >= 0 {
			nodes[node] = true
		}
	}
	keep, chars, span := len(w.lines), total, len(w.spans)
	marker := ""
	for keep > head {
		keep--
		l := w.lines[keep]
		chars -= utf8.RuneCount(w.out[l.Start:l.End])
		if keep > 0 {
			chars-- // its newline
		}
		count(l.Node)
		for ; span > 0 && w.spans[span-1].Line == keep; span-- {
			count(w.spans[span-1].Node)
		}
		if w.continues[keep] || (chars+shortestMarker > max && keep > head) {
			continue
		}
		marker = fmt.Sprintf("[...truncated: %s, %s]", plural(len(nodes), "node"), plural(total-chars, "character"))
		if chars+1+utf8.RuneCountInString(marker) <= max {
			break
		}
	}
	if keep == len(w.lines) {
		return
	}
	whole := map[int]bool{}
	for _, l := range w.lines[:keep] {
		whole[l.Node] = true
	}
	for _, s := range w.spans[:span] {
		whole[s.Node] = true
	}
	limit := strconv.Itoa(max) + " characters"
	gone, partly := "its line is beyond the limit of "+limit, "some of its lines are beyond the limit of "+limit
	for node := range nodes {
		detail := gone
		if whole[node] {
			detail = partly
		}
		w.omit(node, ReasonCut, detail)
	}
	w.out = w.out[:w.lines[keep-1].End]
	w.lines, w.continues, w.spans = w.lines[:keep], w.continues[:keep], w.spans[:span]
	w.add(nil, 0, marker)
	w.truncated = true
}

// slice is the original's cut: at the UTF-16 unit, in the middle of a line.
func (w *dddk) slice(max int) {
	if units16(string(w.out)) <= max {
		return
	}
	at := index16(string(w.out), max)
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
	w.lines, w.continues = w.lines[:keep], w.continues[:keep]
	if keep > 0 && w.lines[keep-1].End > at {
		w.lines[keep-1].End = at
	}
	w.add(nil, 0, "[...truncated]")
	w.truncated = true
}

// plural is a count with its word: "1 node", "2,140 characters".
func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return thousands(n) + " " + word + "s"
}

func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
