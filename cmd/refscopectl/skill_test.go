package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/cmd/refscopectl/cli"
	"github.com/refscope/refscope/snapshot/testneed"
)

// skill runs the command in a folder with a home of its own.
func skillRun(t *testing.T, dir, home, in string, args ...string) (int, string, string) {
	t.Helper()
	t.Chdir(dir)
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	var out, errs bytes.Buffer
	a := &cli.App{Stdout: &out, Stderr: &errs, In: strings.NewReader(in)}
	code := a.Report(dispatch(context.Background(), a, append([]string{"skill"}, args...)))
	return code, out.String(), errs.String()
}

func TestSkillInstall(t *testing.T) {
	home, elsewhere := t.TempDir(), t.TempDir()
	code, out, _ := skillRun(t, elsewhere, home, "", "print")
	require.Equal(t, 0, code)
	require.True(t, strings.HasPrefix(out, "---\nname: refscope\n"))
	require.Contains(t, out, "# Refscope: examples")

	code, _, errs := skillRun(t, elsewhere, home, "", "install")
	require.Equal(t, 2, code)
	require.Contains(t, errs, "--for claude,codex")
	guide := filepath.Join(home, ".claude", "skills", "refscope", "SKILL.md")
	require.NoError(t, os.Mkdir(filepath.Join(home, ".claude"), 0o755))

	code, out, _ = skillRun(t, elsewhere, home, "", "install", "--dry-run")
	require.Equal(t, 0, code)
	require.Contains(t, out, "write  "+guide+"  (new)")
	code, _, errs = skillRun(t, elsewhere, home, "no\n", "install")
	require.Equal(t, 1, code)
	require.Contains(t, errs, "Install the guide there? [y/N]")
	require.NoFileExists(t, guide)
	code, _, _ = skillRun(t, elsewhere, home, "y\n", "install")
	require.Equal(t, 0, code)
	require.FileExists(t, guide)
	_, out, errs = skillRun(t, elsewhere, home, "", "install", "--yes")
	require.Contains(t, errs, "nothing of it has changed")
	require.NotContains(t, out, "write")

	// An older guide of ours is brought up to date; one that somebody changed is kept.
	mark := filepath.Join(filepath.Dir(guide), skillMarker)
	require.NoError(t, os.WriteFile(guide, []byte("old"), 0o600))
	require.NoError(t, os.WriteFile(mark, []byte(`{"files":{"SKILL.md":"`+hashOf([]byte("old"))+`"}}`), 0o600))
	_, out, _ = skillRun(t, elsewhere, home, "", "install", "--yes")
	require.Contains(t, out, "brings it up to date")
	require.NoFileExists(t, guide+".bak")
	require.NoError(t, os.WriteFile(guide, []byte("mine"), 0o600))
	_, out, _ = skillRun(t, elsewhere, home, "", "install", "--yes")
	require.Contains(t, out, "CHANGED")
	b, err := os.ReadFile(guide + ".bak")
	require.NoError(t, err)
	require.Equal(t, "mine", string(b))

	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"install", "--for", "emacs"}, `unknown agent "emacs"`},
		{[]string{"install", "--link"}, "needs the source tree"},
		{[]string{"install", "--link", "--copy"}, "exclude"},
		{[]string{"install", "--for", "codex", "--dir", "x"}, "both name"},
		{[]string{}, "choose from install, print"}, {[]string{"remove"}, "choose from install, print"},
		{[]string{"print", "x.md"}, "choose from SKILL.md"},
	} {
		code, _, errs = skillRun(t, elsewhere, home, "", tt.args...)
		require.Equal(t, 2, code, tt.args)
		require.Contains(t, errs, tt.want)
	}
}

// In the source tree the guide is linked, and a copy never writes through the link.
func TestSkillLink(t *testing.T) {
	if runtime.GOOS == "windows" {
		testneed.Extra(t, "links need a right of their own on Windows")
	}
	here, err := os.Getwd()
	require.NoError(t, err)
	source := filepath.Join(here, "..", "..", "assets", "skill")
	home, dir := t.TempDir(), t.TempDir()
	code, out, errs := skillRun(t, here, home, "", "install", "--dir", dir, "--yes")
	require.Equal(t, 0, code, errs)
	require.Contains(t, out, "link   "+filepath.Join(dir, "refscope"))
	to, err := os.Readlink(filepath.Join(dir, "refscope"))
	require.NoError(t, err)
	require.Equal(t, filepath.Clean(source), to)
	_, out, _ = skillRun(t, here, home, "", "install", "--dir", dir, "--yes")
	require.Contains(t, out, "linked already")
	before, err := os.ReadDir(source)
	require.NoError(t, err)
	code, out, errs = skillRun(t, here, home, "", "install", "--dir", dir, "--yes", "--copy")
	require.Equal(t, 0, code, errs)
	require.Contains(t, out, "unlink")
	after, err := os.ReadDir(source)
	require.NoError(t, err)
	require.Len(t, after, len(before))
	st, err := os.Lstat(filepath.Join(dir, "refscope"))
	require.NoError(t, err)
	require.True(t, st.IsDir())
	code, _, errs = skillRun(t, here, home, "", "install", "--dir", dir, "--yes")
	require.Equal(t, 1, code)
	require.Contains(t, errs, "is a folder already")
}
