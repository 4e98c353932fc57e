package collect

import (
	"strings"
	"testing"

	"github.com/refscope/refscope/snapshot"
	"github.com/stretchr/testify/require"
)

// TestJoinRuns: an element's own text has single spaces and none around it, whatever white space its run has.
func TestJoinRuns(t *testing.T) {
	for _, text := range []string{"", " ", "a", "a b", " a", "a ", "a  b", "a\tb", "a\nb", "a\x7fb", "a\u00a0", "\u00a0a b", "ä  ö", "a\u2003b"} {
		n := &snapshot.Node{Tag: "p", Runs: []snapshot.Run{{Text: text, Before: -1}}}
		require.Equal(t, strings.Join(strings.Fields(text), " "), n.JoinRuns(isBreak(nil)), "%q", text)
	}
	n := &snapshot.Node{Tag: "p", Runs: []snapshot.Run{{Text: "a", Before: 0}, {Text: " b", Before: -1}}}
	require.Equal(t, "a b", n.JoinRuns(isBreak([]snapshot.Node{{Tag: "br"}})))
	n = &snapshot.Node{Tag: "pre", Runs: []snapshot.Run{{Text: " a  b ", Before: -1}}}
	require.Equal(t, " a  b ", n.JoinRuns(isBreak(nil)))
}
