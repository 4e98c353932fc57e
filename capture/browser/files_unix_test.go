//go:build !windows

package browser

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTooFewFilesAreNamed(t *testing.T) {
	require.ErrorContains(t, enoughFiles(64), "64 files only")
	require.NoError(t, enoughFiles(0))
	require.NoError(t, enoughFiles(1024))
	require.NotZero(t, openFiles())
}
