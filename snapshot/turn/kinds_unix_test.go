//go:build unix

package turn_test

import (
	"context"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot/turn"
)

// TestNothingWaitsOnAFile: another kind of file in the place of each file and folder of a session is damage, or an error, at
// once: nothing that reads or writes a session waits for it.
func TestNothingWaitsOnAFile(t *testing.T) {
	folder := filepath.Join("testdata", "releases", "0.1.0")
	var names []string
	require.NoError(t, fs.WalkDir(os.DirFS(folder), ".", func(name string, _ fs.DirEntry, err error) error {
		if name != "." {
			names = append(names, name)
		}
		return err
	}))
	names = append(names, "lock")
	kinds := map[string]func(path string) error{
		"pipe":   func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"folder": func(path string) error { return os.Mkdir(path, 0o700) },
		"device": func(path string) error { return os.Symlink("/dev/zero", path) },
		"empty":  func(path string) error { return os.WriteFile(path, nil, 0o600) },
		"loop":   func(path string) error { return os.Symlink(filepath.Base(path), path) },
		"socket": func(path string) error {
			short := filepath.Join(os.TempDir(), filepath.Base(t.TempDir())+".sock") // its path may have 100 bytes
			l, err := net.ListenUnix("unix", &net.UnixAddr{Name: short})
			if err != nil {
				return err
			}
			l.SetUnlinkOnClose(false)
			_ = l.Close()
			return os.Rename(short, path)
		},
	}
	tried := 0
	for kind, put := range kinds {
		for _, name := range names {
			dir := filepath.Join(t.TempDir(), "s")
			require.NoError(t, os.CopyFS(dir, os.DirFS(folder)))
			path := filepath.Join(dir, filepath.FromSlash(name))
			require.NoError(t, os.RemoveAll(path))
			require.NoError(t, put(path), "%s for %s", kind, name)
			tried++
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				s, err := turn.OpenPath(dir)
				if err != nil {
					return
				}
				defer s.Close()
				_, _ = s.Check(ctx)
				list, _, _ := s.List(ctx)
				for _, sum := range list {
					_, _ = s.Load(ctx, sum.N)
				}
				_, _, _ = s.Annotations(ctx)
				_, _ = s.Export(ctx, io.Discard, true)
				_, _ = s.Annotate(ctx, turn.Annotation{Turn: 1, Text: "x"})
			}()
			select {
			case <-ended:
			case <-ctx.Done():
				t.Fatalf("a %s in the place of %s: it waits", kind, name)
			}
			cancel()
		}
	}
	require.Greater(t, tried, 50)
	t.Logf("%d sessions, each with one file of another kind", tried)
}
