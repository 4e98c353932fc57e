//go:build !windows

package broker

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOnlyTheUserMayComeToTheSocket(t *testing.T) {
	home := t.TempDir()
	serve(t, home, nil)
	_ = client(t, home)
	path, err := socket(home)
	require.NoError(t, err)
	st, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), st.Mode().Perm())
	require.LessOrEqual(t, len(path), maxSocket)
	long, err := socket(filepath.Join(home, strings.Repeat("x", 150)))
	require.NoError(t, err)
	require.LessOrEqual(t, len(long), maxSocket)
}

// What a killed broker leaves does not keep the next one from starting.
func TestAStaleSocketIsReplaced(t *testing.T) {
	home := t.TempDir()
	l, _, _, err := listen(home)
	require.NoError(t, err)
	require.NoError(t, l.Close()) // the file stays, as after kill -9
	path, err := socket(home)
	require.NoError(t, err)
	require.FileExists(t, path)
	_, err = Dial(t.Context(), home)
	require.Error(t, err)
	serve(t, home, nil)
	require.True(t, client(t, home).Hello.Same(newer))
}
