package diff

import (
	"fmt"
	"strings"

	"github.com/refscope/refscope/snapshot/diff/seq"
)

// Op is the kind of a line of a text difference.
type Op byte

const (
	// Same: the line is in both texts.
	Same Op = ' '
	// Gone: it is in the first text only.
	Gone Op = '-'
	// New: it is in the second text only.
	New Op = '+'
)

// Mark is a part of a line that the line it became, or was, does not have.
type Mark struct{ Start, End int } // byte offsets in the line

// Edit is one line of a text difference.
type Edit struct {
	Op   Op
	A, B int // line number in either text, from 0; -1 where it is not there
	Line string
	// Pair is the index, in the list of edits, of the line that this one became or
	// was; -1 for none. Marks are what differs from it.
	Pair  int
	Marks []Mark
}

// Lines compares two texts line by line, for instance two dumps in one format. The
// edits are the lines of both in order; in a block of changes the gone lines come
// first. Lines that share at least half of their words are paired, and the words
// that differ are marked. The cost is bounded; see package seq.
func Lines(a, b string) []Edit {
	la, lb := strings.Split(a, "\n"), strings.Split(b, "\n")
	var y seq.Symbols
	symbols := func(ls []string) []int32 {
		out := make([]int32, len(ls))
		for i, l := range ls {
			out[i] = y.Of(l)
		}
		return out
	}
	out := make([]Edit, 0, max(len(la), len(lb)))
	i, j := 0, 0
	block := func(endA, endB int) {
		from := len(out)
		for ; i < endA; i++ {
			out = append(out, Edit{Op: Gone, A: i, B: -1, Line: la[i], Pair: -1})
		}
		middle := len(out)
		for ; j < endB; j++ {
			out = append(out, Edit{Op: New, A: -1, B: j, Line: lb[j], Pair: -1})
		}
		pairLines(out, from, middle)
	}
	for _, m := range seq.Align(symbols(la), symbols(lb)) {
		block(m.A, m.B)
		out = append(out, Edit{Op: Same, A: i, B: j, Line: la[i], Pair: -1})
		i, j = i+1, j+1
	}
	block(len(la), len(lb))
	return out
}

// Unified writes edits as a unified diff with that many lines of context around each
// change; below 0, all lines. It is "" where nothing differs.
//
// Lines are written as they are (dumps have no control characters but tabs). Every line
// begins with its sign, so that no line of the texts can pass for one of
// the diff's own. With marks, a line of a pair is followed by one that begins with
// "?" and has ^ under what differs, as Python's difflib prints it; patch(1) takes the
// diff without marks only.
func Unified(edits []Edit, nameA, nameB string, context int, marks bool) string {
	var b strings.Builder
	startA, startB, at := 0, 0, 0
	for _, h := range hunks(edits, context) {
		if b.Len() == 0 {
			fmt.Fprintf(&b, "--- %s\n+++ %s\n", quoteless(nameA), quoteless(nameB))
		}
		skipA, skipB := sides(edits[at:h[0]])
		countA, countB := sides(edits[h[0]:h[1]])
		startA, startB, at = startA+skipA, startB+skipB, h[1]
		fmt.Fprintf(&b, "@@ -%s +%s @@\n", extent(startA, countA), extent(startB, countB))
		startA, startB = startA+countA, startB+countB
		for _, e := range edits[h[0]:h[1]] {
			b.WriteByte(byte(e.Op))
			b.WriteString(e.Line)
			b.WriteByte('\n')
			if marks && len(e.Marks) > 0 {
				b.WriteString("?" + e.guide() + "\n")
			}
		}
	}
	return b.String()
}

// sides is how many lines of either text the edits hold.
func sides(edits []Edit) (a, b int) {
	for _, e := range edits {
		if e.Op != New {
			a++
		}
		if e.Op != Gone {
			b++
		}
	}
	return a, b
}

// extent is a range of lines as a hunk's header has it; one line has no count.
func extent(start, count int) string {
	switch count {
	case 0:
		return fmt.Sprintf("%d,0", start)
	case 1:
		return fmt.Sprint(start + 1)
	}
	return fmt.Sprintf("%d,%d", start+1, count)
}

// hunks are the ranges of edits to print, as start and end.
func hunks(edits []Edit, context int) [][2]int {
	var out [][2]int
	for i, e := range edits {
		if e.Op == Same {
			continue
		}
		start, end := max(0, i-context), min(len(edits), i+context+1)
		if context < 0 {
			start, end = 0, len(edits)
		}
		if n := len(out); n > 0 && start <= out[n-1][1] {
			out[n-1][1] = max(end, out[n-1][1])
		} else {
			out = append(out, [2]int{start, end})
		}
	}
	return out
}

// guide has a ^ under each marked character. Tabs stay tabs, so that columns agree.
func (e *Edit) guide() string {
	var b strings.Builder
	m := 0
	for i, r := range e.Line {
		for m < len(e.Marks) && i >= e.Marks[m].End {
			m++
		}
		switch {
		case m == len(e.Marks):
			return b.String()
		case i >= e.Marks[m].Start:
			b.WriteByte('^')
		case r == '\t':
			b.WriteByte('\t')
		default:
			b.WriteByte(' ')
		}
	}
	return b.String()
}
