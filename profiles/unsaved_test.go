package profiles

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestUnsaved: texts that nobody saved are kept beside the profiles without secrets, and are no profiles themselves.
func TestUnsaved(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "profiles")
	s := Open(dir, "")
	none, err := s.Unsaved()
	require.NoError(t, err)
	require.Empty(t, none)
	require.NoError(t, s.KeepUnsaved(t.Context(), nil, []string{"shop.example"}))
	require.NoDirExists(t, dir, "nothing to keep, nothing made")

	secret := "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
	mine := Unsaved{Domain: "shop.example", Text: "# a\nlogin with " + secret + "\nmore", BaseText: "# a\n", Base: VersionOf("# a\n")}
	other := Unsaved{Domain: "127.0.0.1_8080", Text: strings.Repeat("line\n", 50_000)}
	require.NoError(t, s.KeepUnsaved(t.Context(), []Unsaved{mine, other}, nil))
	got, err := s.Unsaved()
	require.NoError(t, err)
	require.Len(t, got, 2)
	require.Equal(t, other, got[0])
	require.Equal(t, "# a\n", got[1].BaseText)
	require.True(t, strings.HasSuffix(got[1].Text, "\nmore"))
	require.NotContains(t, got[1].Text, secret)
	list, err := s.List()
	require.NoError(t, err)
	require.Empty(t, list, "they are no profiles")

	require.NoError(t, os.WriteFile(filepath.Join(dir, unsavedDir, "broken.json"), []byte("{"), 0o600))
	require.NoError(t, os.Symlink("/etc/passwd", filepath.Join(dir, unsavedDir, "link.json")))
	require.NoError(t, s.KeepUnsaved(t.Context(), nil, []string{"shop.example", "never.example"}))
	got, err = s.Unsaved()
	require.NoError(t, err)
	require.Equal(t, []Unsaved{other}, got)
}
