package domtool

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/pagetest"
)

// TestMurmur3 are published vectors of MurmurHash3_x86_32: Appleby's verification
// value, and the table that other implementations test with.
func TestMurmur3(t *testing.T) {
	for _, x := range []struct {
		text string
		seed uint32
		want uint32
	}{
		{"", 0, 0}, {"", 1, 0x514e28b7}, {"", 0xffffffff, 0x81f16f39},
		{"test", 0, 0xba6bd213}, {"test", 0x9747b28c, 0x704b81dc},
		{"Hello, world!", 0, 0xc0363e43}, {"Hello, world!", 0x9747b28c, 0x24884cba},
		{"The quick brown fox jumps over the lazy dog", 0, 0x2e4ff723},
		{"The quick brown fox jumps over the lazy dog", 0x9747b28c, 0x2fa826cd},
		{"\xff\xff\xff\xff", 0, 0x76293b50}, {"\x21\x43\x65\x87", 0, 0xf55b516b},
		{"\x21\x43\x65\x87", 0x5082edee, 0x2362f9de},
		{"\x21\x43\x65", 0, 0x7e4a8634}, {"\x21\x43", 0, 0xa0f7b07a}, {"\x21", 0, 0x72661cf4},
		{"\x00\x00\x00\x00", 0, 0x2362f9de}, {"\x00\x00\x00", 0, 0x85f0b427}, {"\x00\x00", 0, 0x30f4c306},
		{"\x00", 0, 0x514e28b7},
	} {
		require.Equal(t, x.want, murmur3([]byte(x.text), x.seed), "%q with seed %x", x.text, x.seed)
	}
	// SMHasher's VerificationTest: hash 0, 01, 012 … with seeds 256, 255 …, then the hashes.
	var key [256]byte
	var all []byte
	for i := range key {
		key[i] = byte(i)
		h := murmur3(key[:i], uint32(256-i))
		all = append(all, byte(h), byte(h>>8), byte(h>>16), byte(h>>24))
	}
	require.Equal(t, uint32(0xb0f57ee3), murmur3(all, 0))
}

// idsOf are the node ids of the elements of a capture, by node index.
func idsOf(c *snapshot.Capture) map[int]string {
	ids, out := newNodeIDs(c), map[int]string{}
	for i := range c.Nodes {
		out[c.Nodes[i].I] = ids.of(&c.Nodes[i])
	}
	return out
}

// TestNodeIDsStayAcrossCaptures changes everything that a style sheet, a script that
// paints, typing or a new session can change; the ids stay.
func TestNodeIDsStayAcrossCaptures(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	want := idsOf(pagetest.Shop(t, 600))
	for range 20 {
		c := pagetest.Shop(t, 600)
		c.Scroll.Y, c.Viewport.Width = 900, 400
		for i := range c.Nodes {
			n := &c.Nodes[i]
			n.Ref, n.UID, n.BackendNodeID = rng.IntN(9_999), rng.IntN(99), int64(rng.IntN(99))
			n.Box = snapshot.Box{rng.Float64() * 900, rng.Float64() * 900, rng.Float64() * 90, 9}
			n.Visible, n.InViewport, n.NoPointer = rng.IntN(2) == 0, rng.IntN(2) == 0, rng.IntN(2) == 0
			if rng.IntN(3) == 0 {
				n.Verdict = snapshot.VerdictDisplayNone
			}
			n.Name, n.Value, n.Text, n.Runs = "other", "typed", "other", nil
			n.States = snapshot.States{"checked": true}
			attrs := map[string]string{"class": "x", "style": "color: red", "data-x": "1"}
			for k, v := range n.Attrs {
				attrs[k] = v
			}
			n.Attrs = attrs
		}
		require.Equal(t, want, idsOf(c))
	}
}

// TestNodeIDsAreUnique: whatever the page, no two elements share an id; ids that
// collide are distinguished in document order, and so are those of equal elements.
func TestNodeIDsAreUnique(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 50 {
		c := &snapshot.Capture{}
		for i := range 400 {
			n := snapshot.Node{I: i, Parent: rng.IntN(i+1) - 1, Tag: []string{"div", "p", "a"}[rng.IntN(3)]}
			if rng.IntN(3) == 0 {
				n.Attrs = map[string]string{"id": "same", "role": []string{"", "x"}[rng.IntN(2)]}
			}
			c.Nodes = append(c.Nodes, n)
		}
		ids := idsOf(c)
		seen := map[string]bool{}
		for _, id := range ids {
			require.False(t, seen[id])
			seen[id] = true
		}
		require.Len(t, seen, 400)
		require.Equal(t, ids, idsOf(c))
	}
	// Three equal elements: the same id attribute at the same place.
	c := pagetest.Parse(t, "body\n  p id=a\n  p id=a\n  p id=a\n  p")
	ids := idsOf(c)
	require.Equal(t, []string{ids[1] + "-2", ids[1] + "-3"}, []string{ids[2], ids[3]})
	require.NotContains(t, ids[4], ids[1])
}

// TestNodeIDsWhenThePageChanges: an element with an id keeps its node id where
// siblings come and go; one without keeps it where siblings of other tags do.
func TestNodeIDsWhenThePageChanges(t *testing.T) {
	before := pagetest.Parse(t, "body\n  div\n    button \"a\"\n  div id=box\n    a href=1 \"b\"\n  p \"c\"")
	after := pagetest.Parse(t, "body\n  div\n    button \"a\"\n  div \"new\"\n  div id=box\n    a href=1 \"b\"\n  p \"c\"")
	old, now := idsOf(before), idsOf(after)
	require.Equal(t, old[2], now[2], "the button")
	require.Equal(t, old[3], now[4], "the box")
	require.Equal(t, old[4], now[5], "the link in it")
	require.Equal(t, old[5], now[6], "the paragraph")
	require.NotContains(t, old, now[3])
}
