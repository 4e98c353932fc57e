package profiles

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestImport(t *testing.T) {
	theirs, ours := t.TempDir(), filepath.Join(t.TempDir(), "profiles")
	put := func(name, text string) {
		t.Helper()
		require.NoError(t, os.WriteFile(filepath.Join(theirs, name), []byte(text), 0o600))
	}
	put("new.example.md", "new")
	put("www.Cap.example.md", "capitals")
	put("mine.example.md", "theirs")
	put("same.example.md", "same")
	put("localhost_3000.md", "dev")
	put("large.example.md", strings.Repeat("x", MaxText+1))
	put("notes.txt", "no profile")
	put(".hidden.md", "no profile")
	put("...md", "no domain")
	require.NoError(t, os.Mkdir(filepath.Join(theirs, "folder.example.md"), 0o700))
	secret := filepath.Join(t.TempDir(), "secret")
	require.NoError(t, os.WriteFile(secret, []byte("secret"), 0o600))
	links := os.Symlink(secret, filepath.Join(theirs, "out.example.md")) == nil &&
		os.Symlink("new.example.md", filepath.Join(theirs, "in.example.md")) == nil

	s := Open(ours, theirs)
	save(t, Open(ours, ""), "mine.example", "mine", "")
	save(t, Open(ours, ""), "same.example", "same", "")
	got, err := s.Import(t.Context(), s.Fallback())
	require.NoError(t, err)
	want := map[string]Outcome{
		"folder.example.md": Refused, "large.example.md": Refused, "localhost_3000.md": Taken, "mine.example.md": Kept,
		"new.example.md": Taken, "same.example.md": Same, "www.Cap.example.md": Taken,
	}
	if links {
		want["in.example.md"], want["out.example.md"] = Refused, Refused
	}
	have := map[string]Outcome{}
	for i, f := range got {
		have[f.File] = f.Outcome
		require.Equal(t, f.Outcome == Refused || f.Outcome == Kept, f.Why != "", f.File)
		require.True(t, i == 0 || got[i-1].File < f.File, "in the order of their names")
	}
	require.Equal(t, want, have)

	own := Open(ours, "")
	for domain, text := range map[string]string{"new.example": "new", "cap.example": "capitals", "mine.example": "mine",
		"localhost_3000": "dev"} {
		f, err := own.Load(domain)
		require.NoError(t, err)
		require.Equal(t, text, f.Text)
		list, err := own.History(domain)
		require.NoError(t, err)
		require.Empty(t, list, "nothing was replaced")
	}
	for _, domain := range []string{"out.example", "in.example", "large.example", "folder.example"} {
		_, err := own.Load(domain)
		require.ErrorIs(t, err, ErrNotFound, domain)
	}

	again, err := s.Import(t.Context(), theirs)
	require.NoError(t, err)
	for _, f := range again {
		require.NotEqual(t, Taken, f.Outcome, f.File)
	}
	_, err = s.Import(t.Context(), ours)
	require.ErrorContains(t, err, "itself")
	_, err = s.Import(t.Context(), filepath.Join(theirs, "nowhere"))
	require.ErrorContains(t, err, "nowhere")
}
