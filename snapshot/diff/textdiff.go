package diff

import (
	"unicode"
	"unicode/utf8"

	"github.com/refscope/refscope/snapshot/diff/seq"
)

// Bounds of looking inside lines. Beyond them lines are not paired.
const (
	maxBlock = 400   // lines of either side of one block of changes
	maxWords = 2_000 // words of one line
	lookOn   = 8     // new lines that one gone line is tried against
)

// pairLines pairs the gone lines edits[from:middle] with the new ones edits[middle:]
// that they became, in order, and marks what differs.
func pairLines(edits []Edit, from, middle int) {
	gone, fresh := edits[from:middle], edits[middle:]
	if len(gone) == 0 || len(fresh) == 0 || len(gone) > maxBlock || len(fresh) > maxBlock {
		return
	}
	var y seq.Symbols
	var words [2][]line
	for k, side := range [2][]Edit{gone, fresh} {
		for i := range side {
			words[k] = append(words[k], lineOf(&y, side[i].Line))
		}
	}
	j := 0
	for i := range gone {
		best, at := 0.5, -1
		for k := j; k < min(j+lookOn, len(fresh)); k++ {
			if s := similar(words[0][i], words[1][k]); s >= best && (at < 0 || s > best) {
				best, at = s, k
			}
		}
		if at < 0 {
			continue
		}
		gone[i].Pair, fresh[at].Pair = middle+at, from+i
		gone[i].Marks, fresh[at].Marks = marks(words[0][i], words[1][at])
		j = at + 1
	}
}

// line is a line split into words.
type line struct {
	symbols []int32
	space   []bool // of each, whether it is white space
	starts  []int  // byte offset of each word, and of the end
}

// lineOf splits a line into runs of letters and digits, runs of white space, and
// single other characters.
func lineOf(y *seq.Symbols, s string) line {
	var l line
	for i := 0; i < len(s) && len(l.symbols) < maxWords; {
		l.starts = append(l.starts, i)
		r, size := utf8.DecodeRuneInString(s[i:])
		class, end := classOf(r), i+size
		for class != 0 && end < len(s) {
			r, size = utf8.DecodeRuneInString(s[end:])
			if classOf(r) != class {
				break
			}
			end += size
		}
		l.symbols = append(l.symbols, y.Of(s[i:end]))
		l.space = append(l.space, class == 2)
		i = end
	}
	l.starts = append(l.starts, len(s))
	if len(l.symbols) == maxWords {
		l.symbols = nil // too long to look inside
	}
	return l
}

// classOf is 1 for what words are made of, 2 for white space, 0 for the rest.
func classOf(r rune) int {
	switch {
	case unicode.IsLetter(r), unicode.IsDigit(r), unicode.Is(unicode.M, r), r == '_':
		return 1
	case unicode.IsSpace(r):
		return 2
	}
	return 0
}

// similar is the share of words that two lines have in common, in any order, 0 to 1.
// White space is not counted: any two lines have that.
func similar(x, y line) float64 {
	count := make(map[int32]int, len(x.symbols))
	both, all := 0, 0
	for i, s := range x.symbols {
		if !x.space[i] {
			count[s]++
			all++
		}
	}
	for i, s := range y.symbols {
		if y.space[i] {
			continue
		}
		if all++; count[s] > 0 {
			count[s]--
			both++
		}
	}
	if all == 0 {
		return 0
	}
	return 2 * float64(both) / float64(all)
}

// marks are the words of either line that the other does not have, neighbours joined.
func marks(x, y line) (mx, my []Mark) {
	inX, inY := make([]bool, len(x.symbols)), make([]bool, len(y.symbols))
	small := map[int32]int32{} // the symbols of these two lines alone, from 0
	renumber := func(symbols []int32) []int32 {
		out := make([]int32, len(symbols))
		for i, s := range symbols {
			if _, ok := small[s]; !ok {
				small[s] = int32(len(small))
			}
			out[i] = small[s]
		}
		return out
	}
	for _, m := range seq.Align(renumber(x.symbols), renumber(y.symbols)) {
		inX[m.A], inY[m.B] = true, true
	}
	join := func(l line, same []bool) (ms []Mark) {
		for i, ok := range same {
			if ok {
				continue
			}
			if n := len(ms); n > 0 && ms[n-1].End == l.starts[i] {
				ms[n-1].End = l.starts[i+1]
			} else {
				ms = append(ms, Mark{l.starts[i], l.starts[i+1]})
			}
		}
		return ms
	}
	return join(x, inX), join(y, inY)
}
