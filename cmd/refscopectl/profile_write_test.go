package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/refscope/refscope/cmd/refscopectl/cli"
	"github.com/refscope/refscope/profiles"
	"github.com/stretchr/testify/require"
)

// file writes a text for a test.
func file(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "text.md")
	require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	return name
}

// well runs the program, which must end well, and gives its standard output.
func well(t *testing.T, args ...string) string {
	t.Helper()
	code, out, errs := ctl(t, args...)
	require.Equal(t, 0, code, "%v: %s%s", args, out, errs)
	return out
}

// emptyHome makes a home folder without profiles, and a user's home that cdp-skill may
// have written into.
func emptyHome(t *testing.T) (home, user string) {
	t.Helper()
	home, user = t.TempDir(), t.TempDir()
	t.Setenv("REFSCOPE_HOME", home)
	t.Setenv("HOME", user)
	t.Setenv("USERPROFILE", user)
	return home, user
}

func TestProfileWriteHistoryRestoreDiff(t *testing.T) {
	home, _ := emptyHome(t)
	one, two := "# shop\n\n## Quirks\n- slow\n", "# shop\n\n## Quirks\n- slow on Mondays\n"
	out := well(t, "profile", "write", "https://www.shop.example/x", file(t, one))
	require.Equal(t, filepath.Join(home, "profiles", "shop.example.md")+"  "+"25 bytes  "+
		profiles.VersionOf(one).Short()+"\n", out)
	out = well(t, "profile", "write", "shop.example", file(t, two))
	require.Contains(t, out, "replaced version 1 ("+profiles.VersionOf(one).Short()+", 25 bytes)")
	require.Contains(t, well(t, "profile", "write", "shop.example", file(t, two)), "unchanged")
	require.Equal(t, two, well(t, "profile", "show", "shop.example"))

	lines := strings.Split(strings.TrimSpace(well(t, "profile", "history", "shop.example")), "\n")
	require.Len(t, lines, 2)
	require.Regexp(t, `^1    replaced \S+Z  25 bytes  `+profiles.VersionOf(one).Short()+"$", lines[0])
	require.Regexp(t, `^now  saved \S+Z  36 bytes  `+profiles.VersionOf(two).Short()+"$", lines[1])

	out = well(t, "profile", "diff", "shop.example", "1")
	require.Contains(t, out, "-- slow\n")
	require.Contains(t, out, "+- slow on Mondays\n")
	require.Contains(t, out, "version 1 (")

	out = well(t, "--json", "profile", "restore", "shop.example", "1")
	var written struct {
		Written         bool
		Domain, Version string
		Replaced        struct {
			N       int
			Version string
		}
		Problems []profiles.Problem
	}
	require.NoError(t, json.Unmarshal([]byte(out), &written))
	require.True(t, written.Written)
	require.Equal(t, string(profiles.VersionOf(one)), written.Version)
	require.Equal(t, 2, written.Replaced.N)
	require.Equal(t, string(profiles.VersionOf(two)), written.Replaced.Version)
	require.NotNil(t, written.Problems)
	require.Equal(t, one, well(t, "profile", "show", "shop.example"))
	require.Empty(t, well(t, "--quiet", "profile", "diff", "shop.example", "1"))
	require.Contains(t, well(t, "--json", "profile", "diff", "shop.example", "2", "1"), `-- slow on Mondays`)

	require.NoError(t, os.Remove(filepath.Join(home, "profiles", "shop.example.md")))
	require.NotContains(t, well(t, "profile", "history", "shop.example"), "now")
	code, _, errs := ctl(t, "profile", "diff", "shop.example", "1")
	require.Equal(t, 1, code)
	require.Contains(t, errs, "name two versions")
	well(t, "profile", "restore", "shop.example", "2", "--base", "none")
	require.Equal(t, two, well(t, "profile", "show", "shop.example"))
}

func TestProfileWriteShowsAConflict(t *testing.T) {
	emptyHome(t)
	read, theirs, mine := "# shop\n- read\n", "# shop\n- \x1b[31mtheirs\n", "# shop\n- mine\n"
	base := string(profiles.VersionOf(read))
	well(t, "profile", "write", "shop.example", file(t, read), "--base", "none")
	well(t, "profile", "write", "shop.example", file(t, theirs), "--base", base[:12])

	code, out, errs := ctl(t, "profile", "write", "shop.example", file(t, mine), "--base", base)
	require.Equal(t, 1, code)
	require.Contains(t, out, "-- \\u{1b}[31mtheirs\n")
	require.Contains(t, out, "+- mine\n")
	now := profiles.VersionOf(theirs).Short()
	require.Contains(t, errs, "save again with --base "+now)
	require.Equal(t, 1, strings.Count(errs, "\n"))
	require.Contains(t, well(t, "profile", "show", "shop.example"), "theirs", "nothing was written")

	code, out, errs = ctl(t, "--json", "profile", "write", "shop.example", file(t, mine), "--base", "none")
	require.Equal(t, 1, code)
	require.Empty(t, errs)
	var answer struct {
		Status   string
		Error    struct{ Type, Message string }
		Conflict struct{ Domain, Base, Now, Theirs, Yours string }
	}
	require.NoError(t, json.Unmarshal([]byte(out), &answer))
	require.Equal(t, "error", answer.Status)
	require.Equal(t, "EXECUTION", answer.Error.Type)
	require.Equal(t, theirs, answer.Conflict.Theirs)
	require.Equal(t, mine, answer.Conflict.Yours)
	require.Equal(t, string(profiles.VersionOf(theirs)), answer.Conflict.Now)

	code, _, _ = ctl(t, "profile", "restore", "shop.example", "1", "--base", base)
	require.Equal(t, 1, code, "restore minds the base too")
	well(t, "profile", "write", "shop.example", file(t, mine), "--base", strings.ToUpper(now))
	require.Equal(t, mine, well(t, "profile", "show", "shop.example"))
}

func TestProfileWriteTellsProblems(t *testing.T) {
	emptyHome(t)
	bad := file(t, "---\nfilter:\n  - .a)\n---\n# x\n")
	code, out, errs := ctl(t, "profile", "write", "a.example", bad, "--strict")
	require.Equal(t, 1, code)
	require.Contains(t, out, "line 3: filter")
	require.Contains(t, errs, "was not written")
	code, out, _ = ctl(t, "--json", "profile", "write", "a.example", bad, "--strict")
	require.Equal(t, 1, code)
	require.Contains(t, out, `"line":3`)
	code, _, _ = ctl(t, "profile", "show", "a.example")
	require.Equal(t, 1, code)
	for _, rules := range []string{"filter:\n  - .a)", "filter:\n  - div[", "redact:\n  - selector: a:contains(1)",
		"redact:\n  - pattern: (", "redact:\n  - .mail", "redact: .mail", "wait:\n  for: '<'"} {
		code, _, errs := ctl(t, "profile", "write", "a.example", file(t, "---\n"+rules+"\n---\n# x\n"))
		require.Equal(t, 1, code, rules)
		require.Regexp(t, `profile a.example was not written: .*: line [23]: `, errs, rules)
	}
	require.Contains(t, well(t, "profile", "write", "a.example", file(t, "---\nfacts:\n  - it holds\n---\n# x\n")), "line 3: the fact")
	require.Contains(t, well(t, "--json", "profile", "write", "a.example", file(t, "# a\n"), "--strict"), `"problems":[]`)
}

func TestProfileWriteFromStandardInput(t *testing.T) {
	home, _ := emptyHome(t)
	for _, args := range [][]string{{"profile", "write", "a.example"}, {"profile", "write", "b.example", "-"}} {
		var out, errs bytes.Buffer
		a := &cli.App{Stdout: &out, Stderr: &errs, In: strings.NewReader("# piped\n")}
		require.Equal(t, 0, a.Report(dispatch(context.Background(), a, args)), errs.String())
	}
	for _, name := range []string{"a.example.md", "b.example.md"} {
		text, err := os.ReadFile(filepath.Join(home, "profiles", name))
		require.NoError(t, err)
		require.Equal(t, "# piped\n", string(text))
	}
}

func TestProfileWriteRefuses(t *testing.T) {
	emptyHome(t)
	large := file(t, strings.Repeat("x", profiles.MaxText+1))
	well(t, "profile", "write", "a.example", file(t, "# a\n"))
	for name, c := range map[string]struct {
		args []string
		code int
		want string
	}{
		"no domain":    {[]string{"profile", "write", "about:blank", large}, 2, "no domain"},
		"too large":    {[]string{"profile", "write", "a.example", large}, 1, "more than the"},
		"no file":      {[]string{"profile", "write", "a.example", "/no/such.md"}, 1, "/no/such.md"},
		"a folder":     {[]string{"profile", "write", "a.example", t.TempDir()}, 1, "directory"},
		"no hash":      {[]string{"profile", "write", "a.example", file(t, "# b\n"), "--base", "latest"}, 2, "--base"},
		"no number":    {[]string{"profile", "restore", "a.example", "last"}, 2, "not a version"},
		"no version":   {[]string{"profile", "restore", "a.example", "7"}, 1, "no version 7"},
		"no such text": {[]string{"profile", "history", "b.example"}, 1, "there is no profile"},
		"lint large":   {[]string{"profile", "lint", large}, 1, "more than the"},
	} {
		t.Run(name, func(t *testing.T) {
			code, out, errs := ctl(t, c.args...)
			require.Equal(t, c.code, code, errs)
			require.Empty(t, out)
			require.Contains(t, errs, c.want)
		})
	}
	require.Equal(t, "# a\n", well(t, "profile", "show", "a.example"))
}

func TestProfileImport(t *testing.T) {
	home, user := emptyHome(t)
	theirs := filepath.Join(user, ".cdp-skill", "sites")
	code, _, errs := ctl(t, "profile", "import")
	require.Equal(t, 1, code)
	require.Contains(t, errs, theirs)
	require.NoError(t, os.MkdirAll(theirs, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(theirs, "old.example.md"), []byte("# old\n"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(theirs, "mine.example.md"), []byte("# theirs\n"), 0o600))
	well(t, "profile", "write", "mine.example", file(t, "# mine\n"))

	out := well(t, "profile", "import")
	require.Contains(t, out, "imported  old.example.md  as old.example  6 bytes\n")
	require.Contains(t, out, "kept      mine.example.md  as mine.example  9 bytes  there is another text already\n")
	text, err := os.ReadFile(filepath.Join(home, "profiles", "old.example.md"))
	require.NoError(t, err)
	require.Equal(t, "# old\n", string(text))
	require.Equal(t, "# mine\n", well(t, "profile", "show", "mine.example"))
	require.Contains(t, well(t, "--json", "profile", "import", theirs), `"outcome":"same"`)

	more := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(more, "a.example.md"), 0o700))
	code, out, _ = ctl(t, "profile", "import", more)
	require.Equal(t, 1, code, "a file that was refused is a failure")
	require.Contains(t, out, "refused   a.example.md")
}
