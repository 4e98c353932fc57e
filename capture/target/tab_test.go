package target

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot/turn"
)

// TestNewStore: each call makes a session of its own, and a folder of other things is left alone.
func TestNewStore(t *testing.T) {
	home := t.TempDir()
	other := filepath.Join(turn.SessionDir(home, "task-2"), "notes.txt")
	require.NoError(t, os.MkdirAll(filepath.Dir(other), 0o700))
	require.NoError(t, os.WriteFile(other, nil, 0o600))
	for _, want := range []string{"task", "task-3", "task-4"} {
		s, name, err := NewStore(t.Context(), home, "task", "test")
		require.NoError(t, err)
		require.Equal(t, want, name)
		require.Equal(t, turn.SessionDir(home, name), s.Path())
		require.NoError(t, s.Close())
	}
}
