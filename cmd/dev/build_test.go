package main

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// A machine that has compiled nothing is told how much there is to do.
func TestWhatIsLeftToCompile(t *testing.T) {
	root, err := os.Getwd()
	require.NoError(t, err)
	d := &dev{root: root + "/../.."}
	t.Setenv("GOCACHE", t.TempDir())
	require.Greater(t, d.toCompile(t.Context()), manyPackages)
	t.Setenv("PATH", "")
	require.Zero(t, d.toCompile(t.Context()), "go build says what is wrong")
}
