package record

import (
	"path/filepath"
	"testing"

	"github.com/refscope/refscope/cmd/refscopectl/cli"
	"github.com/stretchr/testify/require"
)

// Two servers that start at once have a session each.
func TestSessionsOfServers(t *testing.T) {
	a := &cli.App{Home: t.TempDir()}
	names := map[string]bool{}
	for range 3 {
		store, err := mcpSession(t.Context(), a, "", "Play wright")
		require.NoError(t, err)
		defer store.Close()
		require.Contains(t, filepath.Base(store.Path()), "mcp-play-wright-")
		names[store.Path()] = true
	}
	require.Len(t, names, 3)
}
