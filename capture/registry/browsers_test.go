package registry

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDefaultBrowser(t *testing.T) {
	r := Open(t.TempDir())
	nobody := func(string, Browser) bool { return false }
	first, err := r.Default(t.Context(), nobody)
	require.NoError(t, err)
	again, err := r.Default(t.Context(), nobody)
	require.NoError(t, err)
	require.Equal(t, first, again, "commands of one home meet at one port")
	require.NoError(t, r.Record("127.0.0.1:9333", Browser{PID: 7, Endpoint: "ws://x", Profile: r.Profile("127.0.0.1:9333")}))
	require.NoError(t, os.WriteFile(filepath.Join(r.home, "chrome", "notes.json"), []byte(`{"pid":1}`), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(r.home, "chrome", "9444.json"), []byte(`{"pid":`), 0o600))
	require.Len(t, r.Browsers(), 2, "what is no record is passed over")
	require.Equal(t, 7, r.Browsers()["127.0.0.1:9333"].PID)
	info, err := os.Stat(filepath.Join(r.home, "chrome", "9333.json"))
	require.NoError(t, err)
	if runtime.GOOS != "windows" { // its folder is the user's alone, and files have no such modes
		require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	}

	moved, err := r.Default(t.Context(), func(address string, _ Browser) bool { return address == first })
	require.NoError(t, err)
	require.NotEqual(t, first, moved, "another browser has taken the port")
	require.NotContains(t, r.Browsers(), first)
	require.NoError(t, r.Forget(moved))
	require.NoError(t, r.Forget(moved), "forgetting twice is no error")
	require.Len(t, r.Browsers(), 1)
}
