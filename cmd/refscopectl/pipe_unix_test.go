//go:build unix

package main

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// A pipe in the place of a capture, of the picture beside one or of a session is refused at
// once: reading it would not end.
func TestPipesAreNoFiles(t *testing.T) {
	for _, args := range [][]string{{"snap", "pipe.json"}, {"session", "import", "pipe.refscope"}} {
		t.Chdir(t.TempDir())
		name := args[len(args)-1]
		require.NoError(t, syscall.Mkfifo(name, 0o600))
		code, _, errs := ctl(t, args...)
		require.Equal(t, 1, code)
		require.Contains(t, errs, "not a regular file")
	}
}

// Where nothing can be written, the answer names the folder, and nothing is half done.
func TestReadOnlyHome(t *testing.T) {
	home := t.TempDir()
	file := filepath.Join(home, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	t.Setenv("REFSCOPE_HOME", filepath.Join(file, "home")) // below a file: also for root, who may write anywhere else
	code, _, errs := ctl(t, "turn", page(t, form), "--session", "shop", "--fresh")
	require.Equal(t, 1, code)
	require.Contains(t, errs, filepath.Join(file, "home"))
	require.Contains(t, errs, "not a directory")
}
