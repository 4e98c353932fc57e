package browser

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gofrs/flock"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/stretchr/testify/require"
)

// A throw-away profile is its user's alone, forgets by itself, and goes with its program:
// at the end, or at the next start where the program was killed.
func TestThrowAwayProfiles(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	dir, remove, err := throwAway(t.Context())
	require.NoError(t, err)
	info, err := os.Stat(dir)
	require.NoError(t, err)
	require.Zero(t, info.Mode().Perm()&0o077)
	preferences, err := os.ReadFile(filepath.Join(dir, "Default", "Preferences"))
	require.NoError(t, err)
	require.JSONEq(t, forgetful, string(preferences))

	old := func(name string) string {
		orphan := filepath.Join(os.TempDir(), profilePrefix+name)
		require.NoError(t, os.MkdirAll(orphan, 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(orphan, "Login Data"), nil, 0o600))
		require.NoError(t, os.WriteFile(filepath.Join(orphan, profileLock), nil, 0o600))
		require.NoError(t, os.Chtimes(orphan, time.Time{}, time.Now().Add(-time.Hour)))
		return orphan
	}
	killed, busy, young := old("killed"), old("busy"), old("young")
	lock := flock.New(filepath.Join(busy, profileLock))
	mine, err := lock.TryLock()
	require.NoError(t, err)
	require.True(t, mine)
	defer lock.Close()
	require.NoError(t, os.Chtimes(young, time.Time{}, time.Now()))
	require.NoError(t, os.Chtimes(dir, time.Time{}, time.Now().Add(-time.Hour)))
	sweepProfiles(t.Context(), os.TempDir())
	require.NoDirExists(t, killed)
	require.DirExists(t, busy, "another program uses it")
	require.DirExists(t, young, "it may be about to be locked")
	require.DirExists(t, dir, "it is in use")
	remove()
	require.NoDirExists(t, dir)
}

// Chrome starts also where the folder for temporary files has a path that is too long for its socket.
func TestALongFolderForTemporaryFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), strings.Repeat("long-", 20))
	require.NoError(t, os.Mkdir(dir, 0o700))
	t.Setenv("TMPDIR", dir)
	if _, err := Find(""); err != nil {
		testneed.Missing(t, "there is no Chrome or Chromium on this machine")
	}
	b, err := Start(t.Context(), Options{})
	require.NoError(t, err)
	require.NoError(t, b.Close())
}

// Nothing of a browser outlives it in the folder for temporary files.
func TestNothingOfABrowserOutlivesIt(t *testing.T) {
	dir, err := os.MkdirTemp("", "rs") // short: the paths of sockets are limited
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(dir)) })
	t.Setenv("TMPDIR", dir)
	if _, err := Find(""); err != nil {
		testneed.Missing(t, "there is no Chrome or Chromium on this machine")
	}
	b, err := Start(t.Context(), Options{})
	require.NoError(t, err)
	list, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, list, 1, "all is in the profile")
	require.NoError(t, b.Close())
	list, err = os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, list)
}
