package runs

import "slices"

// tie is a turn of one run beside its turn of the other.
type tie struct {
	// A and B are indexes in the two lists of turns; -1 where the run has none.
	A, B int
	// Again is "repeat" where the one turn does again what its run did just before, "retry"
	// where that had failed; "" otherwise.
	Again string
}

// What makes two turns alike, and what it costs to leave one alone.
const (
	alikeAction  = 3.0
	alikeAddress = 2.0
	alikePage    = 3.0 // times the share of equal elements
	alikeGoal    = 1.0
	unlike       = 3.5 // taken off: below it, turns are no pair
	alone        = -0.4
)

// likeness is how alike two turns are, above 0 for a pair.
func likeness(a, b *Turn) float64 {
	sum := -unlike
	if slices.Equal(a.Asked, b.Asked) {
		sum += alikeAction
	}
	if a.page.address == b.page.address {
		sum += alikeAddress
	}
	if a.goal == b.goal {
		sum += alikeGoal
	}
	return sum + alikePage*a.page.sketch.likeness(&b.page.sketch)
}

// align pairs the turns of two runs, in order.
func align(a, b []*Turn) []tie {
	n, m := len(a), len(b)
	best := make([][]float64, n+1)
	for i := range best {
		best[i] = make([]float64, m+1)
	}
	for i := n; i >= 0; i-- {
		for j := m; j >= 0; j-- {
			switch {
			case i == n && j == m:
			case i == n:
				best[i][j] = best[i][j+1] + alone
			case j == m:
				best[i][j] = best[i+1][j] + alone
			default:
				best[i][j] = max(best[i+1][j+1]+likeness(a[i], b[j]), best[i+1][j]+alone, best[i][j+1]+alone)
			}
		}
	}
	var out []tie
	for i, j := 0, 0; i < n || j < m; {
		switch {
		case i < n && j < m && best[i][j] == best[i+1][j+1]+likeness(a[i], b[j]):
			out = append(out, tie{A: i, B: j})
			i, j = i+1, j+1
		case i < n && best[i][j] == best[i+1][j]+alone:
			out = append(out, tie{A: i, B: -1})
			i++
		default:
			out = append(out, tie{A: -1, B: j})
			j++
		}
	}
	return named(a, b, joined(out))
}

// joined puts turns that stand alone at the same place side by side: there the runs did
// different things.
func joined(ties []tie) []tie {
	var out []tie
	for k := 0; k < len(ties); {
		from := k
		var left, right []int
		for ; k < len(ties) && (ties[k].A < 0 || ties[k].B < 0); k++ {
			if ties[k].A >= 0 {
				left = append(left, ties[k].A)
			} else {
				right = append(right, ties[k].B)
			}
		}
		if k == from {
			out = append(out, ties[k])
			k++
			continue
		}
		for i := range max(len(left), len(right)) {
			t := tie{A: -1, B: -1}
			if i < len(left) {
				t.A = left[i]
			}
			if i < len(right) {
				t.B = right[i]
			}
			out = append(out, t)
		}
	}
	return out
}

// named says of turns that stand alone what they do again.
func named(a, b []*Turn, ties []tie) []tie {
	for k := range ties {
		t := &ties[k]
		if t.A < 0 {
			t.Again = again(b, t.B)
		} else if t.B < 0 {
			t.Again = again(a, t.A)
		}
	}
	return ties
}

func again(list []*Turn, i int) string {
	switch {
	case i == 0 || len(list[i].Asked) == 0 || !slices.Equal(list[i].Asked, list[i-1].Asked):
		return ""
	case list[i-1].Failed:
		return "retry"
	}
	return "repeat"
}
