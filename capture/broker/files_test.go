package broker

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/refscope/refscope/capture/registry"
	"github.com/stretchr/testify/require"
)

// Every home has a tab t1, so their files lie apart.
func TestFilesOfTwoHomesLieApart(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	one, err := Files("/home/one/.refscope")
	require.NoError(t, err)
	two, err := Files("/home/two/.refscope")
	require.NoError(t, err)
	require.NotEqual(t, one, two)
	require.Equal(t, filepath.Dir(one), filepath.Dir(two), "under one temp folder, C-22")
	again, err := Files("/home/one/../one/.refscope/")
	require.NoError(t, err)
	require.Equal(t, one, again)
	info, err := os.Stat(one)
	require.NoError(t, err)
	require.True(t, info.IsDir())
}

// What tabs, homes and brokers that are gone have left among the temporary files goes with the next command; what others
// use, and what is new, stays.
func TestNothingOutlivesItsTab(t *testing.T) {
	dir, err := os.MkdirTemp("", "rs") // short: the paths of sockets are limited
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(dir)) })
	t.Setenv("TMPDIR", dir)
	home := t.TempDir()
	require.NoError(t, registry.Open(home).Update(t.Context(), func(f *registry.File) error {
		f.Add(registry.Tab{TargetID: "A", Host: "127.0.0.1", Port: 9222})
		f.Add(registry.Tab{TargetID: "B", Host: "127.0.0.1", Port: 9222})
		f.Sweep("127.0.0.1:9222", []string{"B"})
		return nil
	}))
	own, err := Files(home)
	require.NoError(t, err)
	for _, name := range []string{"t1.after.png", "t2.after.png", "t3.after.png", "notes.txt"} {
		require.NoError(t, os.WriteFile(filepath.Join(own, name), nil, 0o600))
	}
	folder := func(home string, age time.Duration) string {
		dir, err := Files(home)
		require.NoError(t, err)
		require.NoError(t, os.Chtimes(dir, time.Time{}, time.Now().Add(-age)))
		return dir
	}
	gone, young := folder(filepath.Join(dir, "gone"), time.Hour), folder(filepath.Join(dir, "soon"), 0)
	there := folder(t.TempDir(), time.Hour)
	unnamed := folder(filepath.Join(dir, "earlier"), 0)
	require.NoError(t, os.Remove(filepath.Join(unnamed, homeName)))
	require.NoError(t, os.Chtimes(unnamed, time.Time{}, time.Now().Add(-48*time.Hour)))
	foreign := filepath.Join(filepath.Dir(own), "something else")
	require.NoError(t, os.Mkdir(foreign, 0o700))
	require.NoError(t, os.Chtimes(foreign, time.Time{}, time.Now().Add(-48*time.Hour)))
	SweepFiles(home)
	require.NoFileExists(t, filepath.Join(own, "t1.after.png"))
	for _, name := range []string{"t2.after.png", "t3.after.png", "notes.txt"} {
		require.FileExists(t, filepath.Join(own, name))
	}
	require.NoDirExists(t, gone)
	require.NoDirExists(t, unnamed)
	require.DirExists(t, young)
	require.DirExists(t, there)
	require.DirExists(t, foreign)
}
