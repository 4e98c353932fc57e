// Package seq aligns two sequences: it names which items of one are the items of the
// other, in order. Differences of text and of captures are both made of it.
//
// Items are numbers that their owner gave to equal things ([Symbols] gives them).
// What only one side has cannot match and is set aside first. Then items that occur
// once on either side are anchors, as in the patience diff: of them the longest run
// that keeps its order splits the sequences, and each gap is aligned on its own.
// People read such a result more easily than a merely shortest one, and it costs
// O(n log n). Gaps without anchors go through the linear-space algorithm of Myers
// ("An O(ND) Difference Algorithm and Its Variations", 1986), which finds a longest
// common subsequence. Where that would cost too much, because two long gaps have
// little in common, it settles for a good one: so no input costs more than
// O(n log n + n × [maxCost]).
package seq

import "slices"

// maxCost is how many edits Myers' search follows from either end before it settles
// for the best split so far.
const maxCost = 512

// maxSplits is how deep anchors are looked for inside gaps between anchors. A page
// could be written to yield one anchor at each depth.
const maxSplits = 12

// Match means that item A of the first sequence is item B of the second.
type Match struct{ A, B int }

// Symbols assigns equal strings equal numbers, for several sequences together.
type Symbols struct{ known map[string]int32 }

// Of is the number of s, a new one where s is new.
func (y *Symbols) Of(s string) int32 {
	if y.known == nil {
		y.known = map[string]int32{}
	}
	n, ok := y.known[s]
	if !ok {
		n = int32(len(y.known))
		y.known[s] = n
	}
	return n
}

// Align pairs equal items of a and b. In the answer both A and B rise. Items are
// numbers from 0 on, without great gaps: memory is in proportion to the largest.
func Align(a, b []int32) []Match {
	top := int32(-1)
	for _, s := range [2][]int32{a, b} {
		for _, v := range s {
			top = max(top, v)
		}
	}
	l := &aligner{
		inA: make([]int32, top+1), inB: make([]int32, top+1),
		atA: make([]int32, top+1), atB: make([]int32, top+1),
	}
	for _, v := range a {
		l.inA[v]++
	}
	for _, v := range b {
		l.inB[v]++
	}
	// What only one side has is set aside.
	keep := func(s, other []int32) (values []int32, at []int) {
		for i, v := range s {
			if other[v] > 0 {
				values, at = append(values, v), append(at, i)
			}
		}
		return values, at
	}
	var fromA, fromB []int
	l.a, fromA = keep(a, l.inB)
	l.b, fromB = keep(b, l.inA)
	clear(l.inA)
	clear(l.inB)
	l.gap(0, len(l.a), 0, len(l.b), 0)
	for i := range l.out {
		l.out[i] = Match{fromA[l.out[i].A], fromB[l.out[i].B]}
	}
	return l.out
}

// aligner is one alignment in progress.
type aligner struct {
	a, b               []int32
	out                []Match
	inA, inB, atA, atB []int32 // by symbol; zero between uses
	forward, backward  []int   // Myers' furthest points, by diagonal
}

// between matches what a[a0:a1] and b[b0:b1] begin and end with, and has align do what is left between, where
// neither side of that is empty.
func (l *aligner) between(a0, a1, b0, b1 int, align func(a0, a1, b0, b1 int)) {
	for a0 < a1 && b0 < b1 && l.a[a0] == l.b[b0] {
		l.out = append(l.out, Match{a0, b0})
		a0, b0 = a0+1, b0+1
	}
	tail := 0
	for a0 < a1-tail && b0 < b1-tail && l.a[a1-1-tail] == l.b[b1-1-tail] {
		tail++
	}
	endA, endB := a1-tail, b1-tail
	if a0 < endA && b0 < endB {
		align(a0, endA, b0, endB)
	}
	for i := range tail {
		l.out = append(l.out, Match{endA + i, endB + i})
	}
}

// gap aligns a[a0:a1] with b[b0:b1].
func (l *aligner) gap(a0, a1, b0, b1, depth int) {
	l.between(a0, a1, b0, b1, func(a0, a1, b0, b1 int) {
		var anchors []Match
		if depth < maxSplits {
			anchors = l.anchors(a0, a1, b0, b1)
		}
		if len(anchors) == 0 {
			l.myers(a0, a1, b0, b1)
			return
		}
		x, y := a0, b0
		for _, m := range anchors {
			l.gap(x, m.A, y, m.B, depth+1)
			l.out = append(l.out, m)
			x, y = m.A+1, m.B+1
		}
		l.gap(x, a1, y, b1, depth+1)
	})
}

// anchors are the items that occur once on either side, and of them the longest
// run that has the same order on both.
func (l *aligner) anchors(a0, a1, b0, b1 int) []Match {
	for i := a0; i < a1; i++ {
		l.inA[l.a[i]]++
		l.atA[l.a[i]] = int32(i)
	}
	for j := b0; j < b1; j++ {
		l.inB[l.b[j]]++
		l.atB[l.b[j]] = int32(j)
	}
	var once []Match
	for i := a0; i < a1; i++ {
		if v := l.a[i]; l.inA[v] == 1 && l.inB[v] == 1 {
			once = append(once, Match{i, int(l.atB[v])})
		}
	}
	for i := a0; i < a1; i++ {
		l.inA[l.a[i]] = 0
	}
	for j := b0; j < b1; j++ {
		l.inB[l.b[j]] = 0
	}
	return rising(once)
}

// rising is the longest part of the matches in which B rises; A rises already.
func rising(ms []Match) []Match {
	var ends []int                 // ends[k]: the match that ends the best run of length k+1
	before := make([]int, len(ms)) // the match before each in its run, -1 for none
	for i, m := range ms {
		k, _ := slices.BinarySearchFunc(ends, m.B, func(e, b int) int { return ms[e].B - b })
		before[i] = -1
		if k > 0 {
			before[i] = ends[k-1]
		}
		if k == len(ends) {
			ends = append(ends, i)
		} else {
			ends[k] = i
		}
	}
	if len(ends) == 0 {
		return nil
	}
	run := make([]Match, len(ends))
	for k, i := len(ends)-1, ends[len(ends)-1]; k >= 0; k, i = k-1, before[i] {
		run[k] = ms[i]
	}
	return run
}
