package element

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/turn"
)

// page is a capture with one button for each uid.
func page(uids ...int) *snapshot.Capture {
	c := &snapshot.Capture{
		Schema: snapshot.Schema, URL: "https://shop.example/", Viewport: snapshot.Viewport{Width: 100, Height: 100},
		Frames: []snapshot.Frame{{ID: "T", Parent: -1, Owner: -1, Loader: "L", Readable: true}},
		Nodes:  []snapshot.Node{{Tag: "html", Parent: -1, Verdict: snapshot.VerdictWrapper}},
	}
	for i, uid := range uids {
		c.Nodes = append(c.Nodes, snapshot.Node{I: i + 1, Tag: "button", Role: "button", UID: uid, Verdict: snapshot.VerdictRef})
	}
	c.Verdicts = c.CountVerdicts()
	return c
}

func refs(c *snapshot.Capture) (out []int) {
	for _, n := range c.Nodes[1:] {
		out = append(out, n.Ref)
	}
	return out
}

func newStore(t *testing.T) *turn.Store {
	store, err := turn.Create(t.Context(), turn.Dir(t.TempDir()+"/s"), "test")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	return store
}

// A transaction writes with the turn what it gave in memory, and the next one goes on from there.
func TestNumbersAreWrittenWithTheTurn(t *testing.T) {
	store := newStore(t)
	n, err := newNumbers(t.Context(), store, "T", nil)
	require.NoError(t, err)
	first, second := page(7, 8), page(8, 9)
	n.Assign(first)
	require.Equal(t, []int{1, 2}, refs(first))
	gen, err := n.Snapshot("hash")
	require.NoError(t, err)
	require.Equal(t, 1, gen)
	require.Equal(t, 2, n.Known())
	n.Assign(second)
	require.Equal(t, []int{2, 3}, refs(second))
	n.Link(1, 3)
	n.Link(1, 3) // once is enough
	e, ok := n.Ledger().Entry(3)
	require.True(t, ok)
	require.Equal(t, 1, e.Replaces)
	require.Equal(t, "s1e3", n.Spell(3))
	require.Equal(t, "", n.Spell(0))

	rec, err := n.Append(t.Context(), &turn.Record{Capture: second})
	require.NoError(t, err)
	require.Equal(t, 1, rec.N)
	require.Equal(t, "T", rec.Meta.Target)
	kept, err := store.Ledger(t.Context())
	require.NoError(t, err)
	require.Equal(t, 3, kept.Highest())
	e, ok = kept.Entry(3)
	require.True(t, ok)
	require.Equal(t, 1, e.Replaces)
	hash, ok := kept.SnapshotHash(1)
	require.True(t, ok)
	require.Equal(t, "hash", hash)

	third := page(9, 10)
	n.Assign(third)
	require.Equal(t, []int{3, 4}, refs(third))
	rec, err = n.Append(t.Context(), &turn.Record{Capture: third})
	require.NoError(t, err)
	require.Equal(t, 2, rec.N)
	damage, err := store.Check(t.Context())
	require.NoError(t, err)
	require.True(t, turn.Whole(damage), "%v", damage)
}

// Two transactions at a time: what both gave to the same elements stands, a number that means two elements is
// refused, and the session stays as it was.
func TestNumbersThatAnotherHasGiven(t *testing.T) {
	store := newStore(t)
	begin := func() *Numbers {
		n, err := newNumbers(t.Context(), store, "T", nil)
		require.NoError(t, err)
		return n
	}
	one, same, other := begin(), begin(), begin()
	for n, c := range map[*Numbers]*snapshot.Capture{one: page(7), same: page(7), other: page(8)} {
		n.Assign(c)
		require.Equal(t, []int{1}, refs(c))
	}
	_, err := one.Append(t.Context(), &turn.Record{Capture: withRefs(page(7), 1)})
	require.NoError(t, err)
	_, err = same.Append(t.Context(), &turn.Record{Capture: withRefs(page(7), 1)})
	require.NoError(t, err)
	_, err = other.Append(t.Context(), &turn.Record{Capture: withRefs(page(8), 1)})
	require.ErrorContains(t, err, "another program has used this session meanwhile")
	list, _, err := store.List(t.Context())
	require.NoError(t, err)
	require.Len(t, list, 2)
}

func withRefs(c *snapshot.Capture, refs ...int) *snapshot.Capture {
	for i, ref := range refs {
		c.Nodes[i+1].Ref = ref
	}
	return c
}

// What is not kept is numbered from 1.
func TestNumbersWithoutASession(t *testing.T) {
	n, err := newNumbers(t.Context(), nil, "T", nil)
	require.NoError(t, err)
	c := page(7)
	n.Assign(c)
	require.Equal(t, []int{1}, refs(c))
	rec, err := n.Append(t.Context(), &turn.Record{Capture: c})
	require.NoError(t, err)
	require.Nil(t, rec)
	again := page(7, 8)
	n.Assign(again)
	require.Equal(t, []int{1, 2}, refs(again))
	given := &again.Nodes[0]
	require.Equal(t, 3, n.Give(again, given))
	require.Equal(t, 3, n.Give(again, given))
}

// What may be meant comes best first; what nobody sees or has no number is not offered.
func TestNear(t *testing.T) {
	c := page(1, 2, 3, 4, 5, 6)
	for i, n := range []struct {
		role, name string
		visible    bool
	}{
		{"link", "Save", true}, {"button", "Save all", true}, {"button", "save ", true}, {"button", "Save", false}, {"link", "Saved", true},
		{"button", "Delete", true},
	} {
		node := &c.Nodes[i+1]
		node.Role, node.Name, node.Visible, node.Ref = n.role, n.name, n.visible, i+1
	}
	var got []int
	for _, n := range Near(c, "button", "Save", 5) {
		got = append(got, n.Ref)
	}
	require.Equal(t, []int{3, 1, 2, 5}, got)
	require.Len(t, Near(c, "button", "Save", 2), 2)
	require.Empty(t, Near(c, "slider", "Volume", 5))
}
