package turn

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
)

// el is one element of a capture made by hand.
type el struct {
	tag    string
	uid    int
	node   int64
	v      snapshot.Verdict
	name   string
	parent int
}

func capture(loader string, els ...el) *snapshot.Capture {
	c := &snapshot.Capture{Schema: snapshot.Schema, URL: "https://shop.example/", Title: "Shop",
		Frames: []snapshot.Frame{{ID: "F", Parent: -1, Loader: loader, Owner: -1, Readable: true}}}
	c.Nodes = append(c.Nodes, snapshot.Node{Tag: "html", Parent: -1, Verdict: snapshot.VerdictWrapper})
	for i, e := range els {
		n := snapshot.Node{I: i + 1, Parent: e.parent, Tag: e.tag, UID: e.uid, BackendNodeID: e.node, Verdict: e.v,
			Name: e.name}
		c.Nodes = append(c.Nodes, n)
	}
	c.Verdicts = c.CountVerdicts()
	return c
}

func refs(c *snapshot.Capture) []int {
	var r []int
	for _, n := range c.Nodes[1:] {
		r = append(r, n.Ref)
	}
	return r
}

const (
	vr = snapshot.VerdictRef
	vc = snapshot.VerdictContent
	vw = snapshot.VerdictWrapper
)

// TestNumberFromOne: a capture of no session has the numbers of an empty one, whatever it had before.
func TestNumberFromOne(t *testing.T) {
	for seed := range uint64(5) {
		c, alone := genCapture(pageSpec{nodes: 300, seed: seed}), genCapture(pageSpec{nodes: 300, seed: seed})
		alone.Nodes[7].Ref = 99
		NewLedger().Assign("T", 1, c)
		NumberFromOne(alone)
		require.Equal(t, refs(c), refs(alone))
	}
}

// TestAssign: the order of numbers is frozen, and the identity decides who is who.
func TestAssign(t *testing.T) {
	type turn struct {
		target string
		c      *snapshot.Capture
		want   []int
	}
	for name, turns := range map[string][]turn{
		"primary set first, then content, wrappers none": {
			{"t", capture("L", el{tag: "p", uid: 1, v: vc}, el{tag: "a", uid: 2, v: vr}, el{tag: "div", uid: 3, v: vw},
				el{tag: "p", uid: 4, v: vc}, el{tag: "h1", uid: 5, v: vr}), []int{3, 1, 0, 4, 2}},
		},
		"newcomers after the highest, primary first; the gone are not used again": {
			{"t", capture("L", el{tag: "a", uid: 1, v: vr}, el{tag: "p", uid: 2, v: vc}), []int{1, 2}},
			{"t", capture("L", el{tag: "p", uid: 3, v: vc}, el{tag: "a", uid: 4, v: vr}, el{tag: "p", uid: 2, v: vc}),
				[]int{4, 3, 2}},
			{"t", capture("L", el{tag: "a", uid: 1, v: vr}, el{tag: "a", uid: 9, v: vr}), []int{1, 5}},
		},
		"an element that changes its verdict keeps its number": {
			{"t", capture("L", el{tag: "p", uid: 1, v: vc}), []int{1}},
			{"t", capture("L", el{tag: "p", uid: 1, v: vw}), []int{0}},
			{"t", capture("L", el{tag: "p", uid: 1, v: vr}), []int{1}},
		},
		"another document, another element": {
			{"t", capture("L", el{tag: "a", uid: 1, node: 7, v: vr}), []int{1}},
			{"t", capture("M", el{tag: "a", uid: 1, node: 7, v: vr}), []int{2}},
			{"t", capture("L", el{tag: "a", uid: 1, node: 7, v: vr}), []int{1}},
		},
		"another tab, another element": {
			{"t", capture("L", el{tag: "a", uid: 1, node: 7, v: vr}), []int{1}},
			{"u", capture("L", el{tag: "a", uid: 1, node: 7, v: vr}), []int{2}},
		},
		"the registry was lost: backendNodeIds find the elements again": {
			{"t", capture("L", el{tag: "a", uid: 1, node: 11, v: vr}, el{tag: "a", uid: 2, node: 12, v: vr}), []int{1, 2}},
			{"t", capture("L", el{tag: "a", uid: 1, node: 12, v: vr}, el{tag: "a", uid: 2, node: 13, v: vr},
				el{tag: "a", uid: 3, node: 11, v: vr}), []int{2, 3, 1}},
			{"t", capture("L", el{tag: "a", uid: 3, node: 0, v: vr}, el{tag: "a", uid: 1, node: 0, v: vr},
				el{tag: "a", uid: 2, node: 13, v: vr}), []int{1, 2, 3}},
		},
		"no uid: the backendNodeId alone": {
			{"t", capture("L", el{tag: "a", node: 11, v: vr}), []int{1}},
			{"t", capture("L", el{tag: "a", uid: 5, node: 11, v: vr}), []int{1}},
			{"t", capture("L", el{tag: "a", uid: 5, v: vr}), []int{1}},
		},
		"no identity at all: a new number each time": {
			{"t", capture("L", el{tag: "a", v: vr}, el{tag: "a", v: vr}), []int{1, 2}},
			{"t", capture("L", el{tag: "a", v: vr}), []int{3}},
		},
		"one uid on two elements: the second is a newcomer": {
			{"t", capture("L", el{tag: "a", uid: 1, v: vr}), []int{1}},
			{"t", capture("L", el{tag: "a", uid: 1, v: vr}, el{tag: "a", uid: 1, v: vr}), []int{1, 2}},
		},
		"an element cannot change its tag": {
			{"t", capture("L", el{tag: "a", uid: 1, node: 4, v: vr}), []int{1}},
			{"t", capture("L", el{tag: "b", uid: 1, node: 4, v: vr}), []int{2}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			l := NewLedger()
			for i, x := range turns {
				l.Assign(x.target, i+1, x.c)
				require.Equal(t, x.want, refs(x.c), "turn %d", i+1)
			}
		})
	}
}

// TestHistory: what the ledger says about a number, in memory and read back.
// What another ledger of the session gave out is adopted as it is, also where both gave it to the same element; a number
// that means another element here, by whichever part of its identity, is an error.
func TestAdopt(t *testing.T) {
	given := func(change func(doc, ref *line)) *Ledger {
		l := NewLedger()
		doc := line{K: kindDoc, D: 1, Target: "t", Frame: "F", Loader: "L"}
		ref := line{K: kindRef, T: 1, R: 1, D: 1, UID: 7, Node: 70, Tag: "a"}
		change(&doc, &ref)
		require.NoError(t, l.note(doc))
		require.NoError(t, l.note(ref))
		l.high = ref.R
		return l
	}
	same := func(_, _ *line) {}
	for name, c := range map[string]struct {
		change func(doc, ref *line)
		wrong  bool
	}{
		"the same element": {same, false},
		"the next number":  {func(_, ref *line) { ref.R, ref.UID, ref.Node = 2, 8, 80 }, false},
		"another uid":      {func(_, ref *line) { ref.UID = 8 }, true},
		"another node":     {func(_, ref *line) { ref.Node = 80 }, true},
		"another tag":      {func(_, ref *line) { ref.Tag = "b" }, true},
		"another document": {func(doc, _ *line) { doc.Loader = "M" }, true},
		"another tab":      {func(doc, _ *line) { doc.Target = "u" }, true},
		"another frame's":  {func(doc, _ *line) { doc.Frame = "G" }, true},
		"all is something else": {func(doc, ref *line) {
			doc.Loader, ref.UID, ref.Node, ref.Tag = "M", 9, 90, "p"
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			own, run := given(same), given(c.change)
			err := own.Adopt(run)
			if c.wrong {
				require.Error(t, err)
				return
			}
			require.NoError(t, err)
			for ref := range run.refs {
				theirs, _ := run.Entry(ref)
				ours, ok := own.Entry(ref)
				require.True(t, ok)
				require.Equal(t, theirs, ours)
			}
			require.Len(t, own.pending, 1+len(own.refs), "the document and the elements: what both have is not written twice")
		})
	}
	fresh := NewLedger()
	require.NoError(t, fresh.Adopt(given(same)))
	require.Len(t, fresh.pending, 2, "the document and the element")
}

func TestHistory(t *testing.T) {
	k := newFiledLedger()
	var file []byte
	end := func(n int) {
		b, err := k.encode(n, "")
		require.NoError(t, err)
		file = append(file, b...)
		k.seq += len(k.pending) + 1
		k.pending, k.seen = nil, map[int]bool{}
	}
	step := func(n int, c *snapshot.Capture) {
		k.Assign("tab", n, c)
		if n < 3 {
			end(n)
		}
	}
	step(1, capture("L", el{tag: "form", uid: 1, node: 5, v: vr, name: "Login"},
		el{tag: "a", uid: 2, node: 6, v: vr, name: "Buy", parent: 1}))
	step(2, capture("L", el{tag: "form", uid: 1, node: 5, v: vr, name: "Login"},
		el{tag: "a", uid: 2, node: 6, v: vr, name: "Sold\nout", parent: 0}))
	step(3, capture("L", el{tag: "form", uid: 1, node: 5, v: vr, name: strings.Repeat("ü", 300)},
		el{tag: "a", uid: 9, node: 8, v: vr, name: "Buy"}))
	require.NoError(t, k.Link(2, 3, 3))
	require.Error(t, k.Link(2, 2, 3))
	require.Error(t, k.Link(2, 99, 3))
	end(3)
	back := newFiledLedger()
	back.read(file)
	require.Empty(t, back.damage)
	require.Empty(t, back.tailDamage)
	for _, l := range []*Ledger{k.Ledger, back.Ledger} {
		e, ok := l.Entry(2)
		require.True(t, ok)
		require.Equal(t, []Change{{2, "name", "Buy", "Sold\nout"}, {2, "in", "1", "0"}}, e.Changes)
		require.Equal(t, [2]int{1, 2}, [2]int{e.First, e.Last})
		require.Equal(t, 3, e.ReplacedBy)
		require.Equal(t, "L", e.Loader)
		require.Equal(t, "tab", e.Target)
		require.Equal(t, int64(6), e.BackendNodeID)
		e, ok = l.Entry(1)
		require.True(t, ok)
		require.Equal(t, "Login", e.Name)
		require.Equal(t, 3, e.Last)
		require.Equal(t, strings.Repeat("ü", 60), e.Changes[0].New)
		e, _ = l.Entry(3)
		require.Equal(t, 2, e.Replaces)
		_, ok = l.Entry(4)
		require.False(t, ok)
		require.Equal(t, 3, l.Highest())
	}
}

func TestRanges(t *testing.T) {
	for want, in := range map[string][]int{"": nil, "7": {7}, "1-3": {1, 2, 3}, "1,3-4,9": {9, 4, 3, 1}} {
		set := map[int]bool{}
		for _, n := range in {
			set[n] = true
		}
		require.Equal(t, want, ranges(set))
		back := map[int]bool{}
		require.NoError(t, eachRange(want, func(lo, hi int) {
			for n := lo; n <= hi; n++ {
				back[n] = true
			}
		}))
		require.Equal(t, set, back)
	}
	for _, bad := range []string{"x", "3-1", "0", "-1", "1-", "1,,2", "99999999999999999999", "1-9999999999"} {
		require.Error(t, eachRange(bad, func(int, int) {}), bad)
	}
}

// TestLedgerDamage: what of a ledger counts when bytes of it are wrong.
func TestLedgerDamage(t *testing.T) {
	k := newFiledLedger()
	var file []byte
	first, err := sealLine(line{K: kindLedger, S: 1, Format: ledgerFormat, Session: "s"})
	require.NoError(t, err)
	file = append(file, first...)
	k.read(first)
	for n := 1; n <= 2; n++ {
		k.pending, k.seen = nil, map[int]bool{}
		k.Assign("t", n, capture("L", el{tag: "a", uid: 1, v: vr}, el{tag: "a", uid: 1 + n, v: vr}))
		b, err := k.encode(n, "")
		require.NoError(t, err)
		file = append(file, b...)
		k.seq += len(k.pending) + 1
	}
	lines := strings.SplitAfter(string(file), "\n")
	lines = lines[:len(lines)-1]
	require.Len(t, lines, 7) // ledger; doc, ref, ref, turn; ref, turn
	join := func(l ...string) string { return strings.Join(l, "") }
	flip := func(s string) string { return strings.Replace(s, `"r":`, `"R":`, 1) }
	future := `{"k":"poem","s":8,"t":3,"verse":[1,2]`
	for name, x := range map[string]struct {
		file        string
		wrong, tail bool
		turn, high  int
	}{
		"whole":                          {join(lines...), false, false, 2, 3},
		"cut in the last line":           {strings.TrimSuffix(join(lines...), "\"}\n"), false, true, 1, 2},
		"cut before the last line break": {strings.TrimSuffix(join(lines...), "\n"), false, true, 1, 2},
		"cut at a line":                  {join(lines[:6]...), false, true, 1, 2},
		"zeros at the end":               {join(lines...) + strings.Repeat("\x00", 100), false, true, 2, 3},
		"a flipped bit inside": {join(append([]string{lines[0], lines[1], flip(lines[2])}, lines[3:]...)...),
			true, false, 2, 3},
		"a lost line": {join(append([]string{lines[0], lines[1]}, lines[3:]...)...), true, false, 2, 3},
		"a line twice": {join(append([]string{lines[0], lines[1], lines[2], lines[2]}, lines[3:]...)...),
			true, false, 2, 3},
		"empty lines are nothing": {"\n\n" + join(lines...) + "\n", false, true, 2, 3},
		"a closing line lost to a bad byte": {join(lines[0], lines[1], lines[2], lines[3],
			strings.Replace(lines[4], "turn", "turm", 1), lines[5], lines[6]), true, false, 2, 3},
		"a kind of a later version": {join(lines...) + fmt.Sprintf("%s,\"crc\":\"%08x\"}\n", future, crc([]byte(future))),
			false, true, 2, 3},
		"empty": {"", false, false, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			b := newFiledLedger()
			b.read([]byte(x.file))
			require.Equal(t, x.wrong, len(b.damage) > 0, "%v", b.damage)
			require.Equal(t, x.tail, b.tailSize > 0)
			require.Equal(t, x.turn, b.turn)
			require.Equal(t, x.high, b.high)
			require.NoError(t, b.fatal)
		})
	}
	b := newFiledLedger()
	newer, err := sealLine(line{K: kindLedger, S: 1, Format: "refscope.ledger/2"})
	require.NoError(t, err)
	b.read(newer)
	require.ErrorIs(t, b.fatal, ErrNewer)
}
