package profiles

import (
	"slices"
	"strings"

	"github.com/refscope/refscope/snapshot/diff"
)

// Merge puts two texts together that were both made from base, line by line. Where only
// one side changed something, that change is taken. Where both did, the lines of both
// are kept, theirs first, and clean is false: no line that either wrote is lost, and
// a person has to look. Lines that one side took out and the other left alone are gone.
func Merge(base, yours, theirs string) (text string, clean bool) {
	if yours == theirs || theirs == base {
		return yours, true
	}
	if yours == base {
		return theirs, true
	}
	old := strings.Split(base, "\n")
	a, b := hunks(base, yours), hunks(base, theirs)
	var out []string
	clean = true
	at := 0
	for len(a) > 0 || len(b) > 0 {
		from := len(old)
		if len(a) > 0 {
			from = a[0].from
		}
		if len(b) > 0 {
			from = min(from, b[0].from)
		}
		out = append(out, old[at:from]...)
		// What touches belongs together: it is taken as one block of either side.
		to, mine, other := from, 0, 0
		for grew := true; grew; {
			grew = false
			for mine < len(a) && touches(a[mine], from, to, mine+other > 0) {
				to, mine, grew = max(to, a[mine].to), mine+1, true
			}
			for other < len(b) && touches(b[other], from, to, mine+other > 0) {
				to, other, grew = max(to, b[other].to), other+1, true
			}
		}
		left, right := apply(old, from, to, a[:mine]), apply(old, from, to, b[:other])
		switch {
		case other == 0:
			out = append(out, left...)
		case mine == 0, slices.Equal(left, right):
			out = append(out, right...)
		default:
			out = append(append(out, right...), left...)
			clean = false
		}
		a, b, at = a[mine:], b[other:], to
	}
	out = append(out, old[at:]...)
	return strings.Join(out, "\n"), clean
}

// hunk replaces lines from to to (excluded) of the base.
type hunk struct {
	from, to int
	lines    []string
}

// touches reports whether a hunk begins inside a block or at its edge; the first hunk of
// a block is the one that begins it.
func touches(h hunk, from, to int, begun bool) bool {
	if !begun {
		return h.from == from
	}
	return h.from <= to
}

// hunks are the changes from one text to another, in order, none touching the next.
func hunks(base, text string) []hunk {
	var list []hunk
	at, open := 0, false
	for _, e := range diff.Lines(base, text) {
		switch {
		case e.A >= 0 && e.B >= 0:
			at, open = e.A+1, false
			continue
		case !open:
			list, open = append(list, hunk{from: at, to: at}), true
		}
		h := &list[len(list)-1]
		if e.A >= 0 {
			at = e.A + 1
			h.to = at
		} else {
			h.lines = append(h.lines, e.Line)
		}
	}
	return list
}

// apply is lines from to to of the base with the hunks in them.
func apply(old []string, from, to int, list []hunk) []string {
	var out []string
	for _, h := range list {
		out = append(append(out, old[from:h.from]...), h.lines...)
		from = h.to
	}
	return append(out, old[from:to]...)
}
