//go:build !windows

package export

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

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

// TestWriteToAPipe: what is no regular file, such as a pipe or /dev/null, is written to, also through a link, and is
// there afterwards: a file in its place broke every program of the machine.
func TestWriteToAPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(pipe, link))
	for _, name := range []string{pipe, link} {
		for _, write := range []func(string, []byte) error{Write, WritePrivate} {
			both, err := os.OpenFile(pipe, os.O_RDWR, 0) // so that neither end waits for the other
			require.NoError(t, err)
			require.NoError(t, write(name, []byte("a body")))
			info, err := os.Stat(pipe)
			require.NoError(t, err)
			require.Equal(t, fs.ModeNamedPipe, info.Mode().Type())
			info, err = os.Lstat(link)
			require.NoError(t, err)
			require.Equal(t, fs.ModeSymlink, info.Mode().Type())
			got := make([]byte, 6)
			require.NoError(t, both.SetReadDeadline(time.Now().Add(5*time.Second)))
			_, err = io.ReadFull(both, got)
			require.NoError(t, err)
			require.Equal(t, "a body", string(got))
			require.NoError(t, both.Close())
		}
	}
}
