package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// withProfile makes a home folder that holds a profile for the loopback pages.
func withProfile(t *testing.T, text string) (home string) {
	t.Helper()
	home = t.TempDir()
	t.Setenv("REFSCOPE_HOME", home)
	t.Setenv("HOME", t.TempDir()) // no profiles of cdp-skill
	dir := filepath.Join(home, "profiles")
	require.NoError(t, os.MkdirAll(dir, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "127.0.0.1.md"), []byte(text), 0o600))
	return home
}

func TestProfileCommand(t *testing.T) {
	home := withProfile(t, "---\nfilter:\n  - .a)\n---\n# loopback \x1b[31m\n")
	file := filepath.Join(home, "profiles", "127.0.0.1.md")
	for name, c := range map[string]struct {
		args []string
		code int
		want string // on standard output, or on standard error where code is 2
	}{
		"list":         {[]string{"profile", "list"}, 0, "127.0.0.1  "},
		"list as JSON": {[]string{"--json", "profile", "list"}, 0, `"domain":"127.0.0.1"`},
		"show":         {[]string{"profile", "show", "http://127.0.0.1:8080/x"}, 0, "# loopback \\u{1b}[31m\n"},
		"show as JSON": {[]string{"--json", "profile", "show", "127.0.0.1"}, 0, `"found":true`},
		"not there": {[]string{"--json", "profile", "show", "www.other.example"}, 0,
			`"domain":"other.example","found":false}`},
		"path": {[]string{"profile", "path", "127.0.0.1"}, 0, file},
		"path to be": {[]string{"profile", "path", "https://www.new.example/"}, 0,
			filepath.Join(home, "profiles", "new.example.md")},
		"lint":           {[]string{"--quiet", "profile", "lint", "127.0.0.1"}, 1, file + ":3: filter"},
		"lint a file":    {[]string{"--quiet", "profile", "lint", file}, 1, ":3: filter"},
		"lint all":       {[]string{"--json", "profile", "lint"}, 1, `"line":3`},
		"no verb":        {[]string{"profile"}, 2, "choose from"},
		"unknown verb":   {[]string{"profile", "burn"}, 2, "burn"},
		"two domains":    {[]string{"profile", "show", "a", "b"}, 2, "write profile show DOMAIN"},
		"other's flag":   {[]string{"profile", "list", "--base", "none"}, 2, "unknown flag --base"},
		"show no domain": {[]string{"profile", "show", "about:blank"}, 2, "no domain"},
	} {
		t.Run(name, func(t *testing.T) {
			code, stdout, stderr := ctl(t, c.args...)
			require.Equal(t, c.code, code, stderr)
			if c.code == 2 {
				stdout = stderr
			}
			require.Contains(t, stdout, c.want)
		})
	}
}

const secretForm = `<!doctype html><title>Form</title><nav class="ads"><a href="#">Buy now</a></nav><h1>Sign in</h1>
<form><label>Secret <input type="password" value="hunter2-x"></label><button>Go</button></form>
<p class="sum">Total 4711</p>`

func TestSnapWithProfileFilterAndSecrets(t *testing.T) {
	needChrome(t)
	withProfile(t, "---\nfilter:\n  - .ads\nredact:\n  - selector: .sum\n---\n# x\n")
	target := page(t, secretForm)
	code, out, stderr := ctl(t, "--quiet", "snap", target)
	require.Equal(t, 0, code, stderr)
	require.NotContains(t, out, "Buy now")
	require.NotContains(t, out, "4711")
	require.NotContains(t, out, "hunter2-x")
	require.Contains(t, out, "Sign in")

	code, out, stderr = ctl(t, "--quiet", "snap", "--filter", "el.localName !== 'h1'", "--allow-secrets", target)
	require.Equal(t, 0, code, stderr)
	require.NotContains(t, out, "Sign in")
	require.Contains(t, out, "hunter2-x")
	require.NotContains(t, out, "4711", "the profile's own redactions hold")

	code, out, stderr = ctl(t, "snap", "--allow-secrets", "--session", "s", target)
	require.Equal(t, 2, code)
	require.Empty(t, out)
	require.Contains(t, stderr, "leave out --session")

	code, _, stderr = ctl(t, "--quiet", "snap", "--filter", "el.matches(", target)
	require.Equal(t, 1, code)
	require.Contains(t, stderr, "not a JavaScript expression of el")
}

func TestABrokenRedactionIsNoSilence(t *testing.T) {
	needChrome(t)
	withProfile(t, "---\nredact:\n  - pattern: '('\n---\n# x\n")
	code, out, stderr := ctl(t, "--quiet", "snap", page(t, secretForm))
	require.Equal(t, 1, code)
	require.Empty(t, out)
	require.Regexp(t, `profile 127\.0\.0\.1 \(.*\), line 3: redact`, stderr)
}
