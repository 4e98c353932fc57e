package turn

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestGeneration: the number of the snapshot that first gave a ref, in memory and read
// back; it never changes.
func TestGeneration(t *testing.T) {
	k := newFiledLedger()
	ask := func(c func()) {
		from := k.Highest()
		c()
		_, err := k.Snapshot(1, from, "h")
		require.NoError(t, err)
	}
	page := func(uids ...int) func() {
		return func() {
			var els []el
			for _, u := range uids {
				els = append(els, el{tag: "a", uid: u, v: vr})
			}
			k.Assign("t", 1, capture("L", els...))
		}
	}
	page(1)() // what a command showed before anybody asked
	require.Equal(t, 1, k.Generation(1))
	ask(page(1, 2))
	require.Equal(t, []int{1, 1}, []int{k.Generation(1), k.Generation(2)})
	page(1, 2, 3)() // and in between: the snapshot before
	ask(page(1, 2, 3, 4))
	ask(page(5))
	check := func(l *Ledger) {
		for ref, want := range map[int]int{1: 1, 2: 1, 3: 1, 4: 2, 5: 3, 6: 3} {
			require.Equal(t, want, l.Generation(ref), "ref %d", ref)
		}
		require.Equal(t, 3, len(l.snaps))
		h, ok := l.SnapshotHash(3)
		require.True(t, ok)
		require.Equal(t, "h", h)
		for _, n := range []int{0, -1, 4} {
			_, ok = l.SnapshotHash(n)
			require.False(t, ok)
		}
	}
	check(k.Ledger)
	b, err := k.encode(1, "")
	require.NoError(t, err)
	back := newFiledLedger()
	back.read(b)
	require.Empty(t, back.damage)
	check(back.Ledger)
	require.Error(t, back.apply(line{K: kindSnap, N: 9}), "a snapshot that does not follow")
}

// TestGive: an element that no format lists has a number once somebody pointed at it,
// and keeps it.
func TestGive(t *testing.T) {
	l := NewLedger()
	c := capture("L", el{tag: "a", uid: 1, v: vr}, el{tag: "div", uid: 2, v: vw})
	l.Assign("t", 1, c)
	require.Equal(t, 2, l.Give("t", 1, c, 2))
	require.Equal(t, 2, l.Give("t", 1, c, 2))
	require.Equal(t, 1, l.Give("t", 1, c, 1))
	require.Equal(t, 0, l.Give("t", 1, c, 99))
	c = capture("L", el{tag: "a", uid: 3, v: vr}, el{tag: "div", uid: 2, v: vw})
	l.Assign("t", 2, c)
	require.Equal(t, []int{3, 0}, refs(c))
	require.Equal(t, 2, l.Give("t", 2, c, 2))
	e, ok := l.Entry(2)
	require.True(t, ok)
	require.Equal(t, "div", e.Tag)
}
