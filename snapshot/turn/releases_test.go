package turn_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/turn"
)

// Every session that a released version wrote is opened, checked and rendered by this one, as a folder and as an archive,
// and takes another note. testdata/releases has one of each version: a turn of a page with a secret and a note, and a turn
// of steps with its payload. It is made before a release and never again.
func TestSessionsOfReleases(t *testing.T) {
	folders, err := filepath.Glob(filepath.Join("testdata", "releases", "*.refscope"))
	require.NoError(t, err)
	require.NotEmpty(t, folders)
	for _, archive := range folders {
		folder := strings.TrimSuffix(archive, ".refscope")
		t.Run(filepath.Base(folder), func(t *testing.T) {
			t.Run("folder", func(t *testing.T) {
				dir := filepath.Join(t.TempDir(), "s")
				require.NoError(t, os.CopyFS(dir, os.DirFS(folder)))
				whole(t, dir)
			})
			t.Run("archive", func(t *testing.T) {
				dir := filepath.Join(t.TempDir(), "s")
				s, err := turn.OpenPath(archive)
				require.NoError(t, err)
				damage, err := s.Import(t.Context(), dir, false)
				require.NoError(t, err)
				require.True(t, turn.Whole(damage), damage)
				require.NoError(t, s.Close())
				whole(t, dir)
			})
		})
	}
}

func whole(t *testing.T, dir string) {
	t.Helper()
	s, err := turn.Open(turn.Dir(dir))
	require.NoError(t, err)
	defer s.Close()
	damage, err := s.Check(t.Context())
	require.NoError(t, err)
	require.True(t, turn.Whole(damage), damage)
	list, damage, err := s.List(t.Context())
	require.NoError(t, err)
	require.Empty(t, damage)
	require.Len(t, list, 2)
	require.Equal(t, "Order tea", list[0].Title)
	payloads := 0
	for _, sum := range list {
		r, err := s.Load(t.Context(), sum.N)
		require.NoError(t, err)
		require.NotEmpty(t, r.Picture)
		payloads += len(r.Payloads)
		for _, name := range format.Names() {
			doc, err := format.Render(r.Capture, name, format.Options{})
			require.NoError(t, err, name)
			require.NotContains(t, doc.Text, "hunter2", name)
		}
	}
	require.Positive(t, payloads)
	notes, damage, err := s.Annotations(t.Context())
	require.NoError(t, err)
	require.Empty(t, damage)
	require.Len(t, notes, 1)
	_, err = s.Annotate(t.Context(), turn.Annotation{Turn: 2, Text: "opened by a later version"})
	require.NoError(t, err)
}
