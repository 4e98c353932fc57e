package seq

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

func symbols(s string) []int32 {
	out := make([]int32, len(s))
	for i := range s {
		out[i] = int32(s[i])
	}
	return out
}

// check holds for every alignment.
func check(t testing.TB, a, b []int32, ms []Match) {
	t.Helper()
	x, y := -1, -1
	for _, m := range ms {
		require.Greater(t, m.A, x)
		require.Greater(t, m.B, y)
		require.Equal(t, a[m.A], b[m.B])
		x, y = m.A, m.B
	}
}

// longest is the length of a longest common subsequence, by the textbook table.
func longest(a, b []int32) int {
	row := make([]int, len(b)+1)
	for i := range a {
		diagonal := 0
		for j := range b {
			up := row[j+1]
			if a[i] == b[j] {
				row[j+1] = diagonal + 1
			} else {
				row[j+1] = max(up, row[j])
			}
			diagonal = up
		}
	}
	return row[len(b)]
}

func TestAlign(t *testing.T) {
	for _, tt := range []struct{ name, a, b, want string }{
		{"equal", "abc", "abc", "abc"},
		{"nothing in common", "abc", "xyz", ""},
		{"one side empty", "", "abc", ""},
		{"insertion", "ac", "abc", "ac"},
		{"deletion in a list of equals", "AdBdCd", "BdCd", "BdCd"},
		{"an anchor beats a longer run of repeats", "x{}{}{}", "{}{}{}x", "x"},
		{"moved block", "abcXY", "XYabc", "abc"},
		{"repeats", "aaaa", "aa", "aa"},
		{"no anchors at all", "ababab", "bababa", "babab"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ms := Align(symbols(tt.a), symbols(tt.b))
			check(t, symbols(tt.a), symbols(tt.b), ms)
			got := ""
			for _, m := range ms {
				got += string(tt.a[m.A])
			}
			require.Equal(t, tt.want, got)
		})
	}
}

// TestMyersFindsALongest holds the part without anchors against the textbook.
func TestMyersFindsALongest(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 3_000 {
		some := func() []int32 {
			s := make([]int32, 1+r.IntN(40))
			for i := range s {
				s[i] = int32(r.IntN(4))
			}
			return s
		}
		a, b := some(), some()
		l := &aligner{a: a, b: b}
		l.myers(0, len(a), 0, len(b))
		check(t, a, b, l.out)
		require.Len(t, l.out, longest(a, b), "%v %v", a, b)
	}
}

// TestAlignSettles: where the exact search would cost too much, the answer is still
// an alignment, and still a good one.
func TestAlignSettles(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	some := func() []int32 {
		s := make([]int32, 4_000)
		for i := range s {
			s[i] = int32(r.IntN(30))
		}
		return s
	}
	a, b := some(), some()
	ms := Align(a, b)
	check(t, a, b, ms)
	require.Greater(t, len(ms)*10, longest(a, b)*8, "%d of %d", len(ms), longest(a, b))
}

func FuzzAlign(f *testing.F) {
	f.Add([]byte("abcabba"), []byte("cbabac"))
	f.Add([]byte("{f}{g}"), []byte("{g}{h}"))
	f.Fuzz(func(t *testing.T, x, y []byte) {
		if len(x) > 400 || len(y) > 400 {
			return
		}
		a, b := symbols(string(x)), symbols(string(y))
		ms := Align(a, b)
		check(t, a, b, ms)
		l := &aligner{a: a, b: b}
		l.myers(0, len(a), 0, len(b))
		require.LessOrEqual(t, len(ms), len(l.out), "no more than a longest one")
	})
}

func TestSymbols(t *testing.T) {
	var y Symbols
	require.Equal(t, []int32{0, 1, 0}, []int32{y.Of("a"), y.Of("b"), y.Of("a")})
}

func BenchmarkAlign(b *testing.B) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, n := range []int{5_000, 50_000} {
		unique, worst, other := make([]int32, n), make([]int32, n), make([]int32, n)
		for i := range n {
			unique[i], worst[i], other[i] = int32(i), int32(r.IntN(8)), int32(r.IntN(8))
		}
		edited := append(append([]int32{}, unique[:n/2]...), unique[n/2+20:]...)
		b.Run(fmt.Sprintf("edited/%d", n), func(b *testing.B) {
			for b.Loop() {
				Align(unique, edited)
			}
		})
		b.Run(fmt.Sprintf("worst/%d", n), func(b *testing.B) {
			for b.Loop() {
				Align(worst, other)
			}
		})
	}
}
