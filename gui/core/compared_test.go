package core

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot/whatif"
)

// TestALineHasItsNumberOnce: the number stands before the words of a line, and not in them too, also where an arrow
// tells that it lies outside the view; of other numbers none goes.
func TestALineHasItsNumberOnce(t *testing.T) {
	for line, want := range map[string]string{
		"[7]<a>Home</a>": "<a>Home</a>", "↓[7]<a>Home</a>": "↓<a>Home</a>", "[71]<a>Home</a>": "[71]<a>Home</a>",
		"<p>see [7]</p>": "<p>see [7]</p>",
	} {
		require.Equal(t, want, effectRow(&whatif.LineChange{Kind: whatif.Went, Ref: 7, From: line}).Title)
	}
}
