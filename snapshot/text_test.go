package snapshot_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
)

func TestGather(t *testing.T) {
	wrapper := func(i, parent int, tag string, runs ...snapshot.Run) snapshot.Node {
		return snapshot.Node{I: i, Parent: parent, Tag: tag, Verdict: snapshot.VerdictWrapper, Runs: runs}
	}
	c := &snapshot.Capture{Nodes: []snapshot.Node{
		wrapper(0, -1, "div", snapshot.Run{Text: "Hello ", Before: 1}, snapshot.Run{Text: "!", Before: 2}),
		wrapper(1, 0, "b", snapshot.Run{Text: "you", Before: -1}),
		wrapper(2, 0, "p", snapshot.Run{Text: "block", Before: -1}),
		wrapper(3, 0, "img"),
		wrapper(4, 0, "br"),
		wrapper(5, 0, "i", snapshot.Run{Text: "hidden", Before: -1}),
		wrapper(6, 0, "select"),
		wrapper(7, 6, "option", snapshot.Run{Text: "choice", Before: -1}),
		wrapper(8, 0, "iframe"),
		wrapper(9, 8, "p", snapshot.Run{Text: "framed", Before: -1}),
		{I: 10, Parent: 0, Tag: "span", Verdict: snapshot.VerdictContent, Shadow: "open", Text: "shadow"},
	}}
	c.Nodes[2].Block, c.Nodes[9].Block = true, true
	c.Nodes[3].Attrs = map[string]string{"alt": "picture"}
	c.Nodes[5].Verdict = snapshot.VerdictDisplayNone
	tree := snapshot.NewTree(c)
	require.Equal(t, "Hello you! block picture choice framed shadow", tree.Text(0))
	require.Empty(t, tree.Text(99))
	for name, x := range map[string]struct {
		how  snapshot.Gather
		want string
	}{
		"drawn":     {snapshot.Gather{}, "Hello you! block  picture   shadow"},
		"pre":       {snapshot.Gather{Raw: true}, "Hello you!block picture \nshadow"},
		"all":       {snapshot.Gather{All: true}, "Hello you! block  picture   hiddenshadow"},
		"the DOM's": {snapshot.Gather{All: true, Glue: true}, "Hello you!blockhiddenchoice"},
		"skip": {snapshot.Gather{Skip: func(n *snapshot.Node) bool { return n.Tag == "b" }},
			"Hello  ! block  picture   shadow"},
		"bytes": {snapshot.Gather{MaxBytes: 6}, "Hello you!   picture   "},
		"nodes": {snapshot.Gather{MaxNodes: 2}, "Hello you!   picture   "},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, x.want, tree.Gather(c.Node(0), x.how)) })
	}
}

// An element's own text has single spaces and none around it, whatever white space its run has; a br parts lines.
func TestJoinRuns(t *testing.T) {
	none := func(int) bool { return false }
	for _, text := range []string{"", " ", "a", "a b", " a", "a ", "a  b", "a\tb", "a\nb", "a\x7fb", "a\u00a0", "\u00a0a b",
		"ä  ö", "a\u2003b"} {
		n := &snapshot.Node{Tag: "p", Runs: []snapshot.Run{{Text: text, Before: -1}}}
		require.Equal(t, strings.Join(strings.Fields(text), " "), n.JoinRuns(none), "%q", text)
	}
	n := &snapshot.Node{Tag: "p", Runs: []snapshot.Run{{Text: "a", Before: 0}, {Text: "b", Before: -1}}}
	require.Equal(t, "a b", n.JoinRuns(func(k int) bool { return k == 0 }))
	require.Equal(t, "ab", n.JoinRuns(none))
	n = &snapshot.Node{Tag: "pre", Runs: []snapshot.Run{{Text: " a  b ", Before: -1}}}
	require.Equal(t, " a  b ", n.JoinRuns(none))
}

// TestApart: neighbours without white space between them are words of their own where a person sees them so: cells of a
// table that is made of boxes, not the letters of a word that are boxes each.
func TestApart(t *testing.T) {
	word := func(i int, s string, box snapshot.Box, rects ...snapshot.Box) *snapshot.Node {
		return &snapshot.Node{I: i, Parent: 0, Text: s, Box: box, TextRects: rects}
	}
	for name, x := range map[string]struct {
		a, b *snapshot.Node
		want bool
	}{
		"inline words": {word(1, "Hel", snapshot.Box{0, 0, 30, 18}, snapshot.Box{0, 0, 30, 18}),
			word(2, "lo", snapshot.Box{30, 0, 20, 18}, snapshot.Box{30, 0, 20, 18}), false},
		"cells side by side": {word(1, "Person 0", snapshot.Box{0, 0, 200, 26}, snapshot.Box{4, 4, 60, 18}),
			word(2, "20", snapshot.Box{200, 0, 200, 26}, snapshot.Box{204, 4, 20, 18}), true},
		"right to left": {word(1, "Person 0", snapshot.Box{200, 0, 200, 26}, snapshot.Box{336, 4, 60, 18}),
			word(2, "20", snapshot.Box{0, 0, 200, 26}, snapshot.Box{176, 4, 20, 18}), true},
		"cells out of view": {word(1, "Person 30", snapshot.Box{0, 900, 420, 26}),
			word(2, "50", snapshot.Box{420, 900, 420, 26}), true},
		"letters in boxes": {word(1, "W", snapshot.Box{0, 900, 17, 18}), word(2, "i", snapshot.Box{17, 900, 5, 18}), false},
		"a little padding": {word(1, "x", snapshot.Box{0, 0, 12, 18}, snapshot.Box{2, 0, 8, 18}),
			word(2, "y", snapshot.Box{12, 0, 12, 18}, snapshot.Box{14, 0, 8, 18}), false},
		"lines": {word(1, "a", snapshot.Box{0, 0, 9, 18}), word(2, "b", snapshot.Box{0, 18, 9, 18}), true},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, x.want, snapshot.Apart(x.a, x.b)) })
	}
}
