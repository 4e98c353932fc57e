package semantic

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestReduction(t *testing.T) {
	require.Equal(t, 92, reduction(100, 8))
	require.Equal(t, 0, reduction(0, 0))
	require.Equal(t, 0, reduction(5, 9))
	require.Equal(t, 33, reduction(3, 2))
}
