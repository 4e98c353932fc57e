//go:build !windows

package export

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// What is written is its owner's alone, unless a file that was there says otherwise.
func TestWriteModes(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0o027))
	mode := func(name string) fs.FileMode {
		info, err := os.Stat(name)
		require.NoError(t, err)
		return info.Mode().Perm()
	}
	name := filepath.Join(t.TempDir(), "marked.png")
	require.NoError(t, Write(name, []byte("1")))
	require.Equal(t, fs.FileMode(0o600), mode(name), "of its owner alone")
	require.NoError(t, os.Chmod(name, 0o604))
	require.NoError(t, Write(name, []byte("2")))
	require.Equal(t, fs.FileMode(0o604), mode(name), "a file that was there keeps its mode")
	require.NoError(t, WritePrivate(name, []byte("3")))
	require.Equal(t, fs.FileMode(0o600), mode(name))
	list, err := os.ReadDir(filepath.Dir(name))
	require.NoError(t, err)
	require.Len(t, list, 1, "no temporary file is left")
	require.ErrorContains(t, Write(filepath.Join(t.TempDir(), "none", "x"), nil), "none/x: no such file")
}
