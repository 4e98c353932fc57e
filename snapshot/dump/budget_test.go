package dump

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMost(t *testing.T) {
	for n := range 40 {
		for edge := range n + 2 {
			for guess := -1; guess <= n+1; guess++ {
				asked := 0
				got := Most(guess, n, func(i int) bool {
					require.True(t, i >= 1 && i <= n)
					asked++
					return i < edge
				})
				require.Equal(t, max(0, min(edge-1, n)), got)
				require.LessOrEqual(t, asked, 16)
				if guess == got || guess == got+1 {
					require.LessOrEqual(t, asked, 3, "a good guess is soon confirmed")
				}
			}
		}
	}
}

func TestRanges(t *testing.T) {
	require.Equal(t, "1, 3-5, 9", ranges([]int{1, 3, 4, 5, 9}))
	require.Equal(t, "1, 3, 5, 7, 9, 11, 13, 15, …", ranges([]int{1, 3, 5, 7, 9, 11, 13, 15, 17}))
}
