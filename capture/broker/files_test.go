package broker

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every home has a tab t1, so their files lie apart.
func TestFilesOfTwoHomesLieApart(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	one, err := Files("/home/one/.refscope")
	require.NoError(t, err)
	two, err := Files("/home/two/.refscope")
	require.NoError(t, err)
	require.NotEqual(t, one, two)
	require.Equal(t, filepath.Dir(one), filepath.Dir(two), "under one temp folder, C-22")
	again, err := Files("/home/one/../one/.refscope/")
	require.NoError(t, err)
	require.Equal(t, one, again)
	info, err := os.Stat(one)
	require.NoError(t, err)
	require.True(t, info.IsDir())
}
