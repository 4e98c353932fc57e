package main

import (
	"bytes"
	"context"
	"encoding/json"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/stretchr/testify/require"
)

// ctl runs the program in this process, with a home of the test's own.
func ctl(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	t.Setenv("REFSCOPE_CHROME_FLAGS", `"host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"`)
	if os.Getenv("REFSCOPE_HOME") == "" {
		t.Setenv("REFSCOPE_HOME", t.TempDir())
	}
	var out, errs bytes.Buffer
	code = run(context.Background(), args, &out, &errs)
	return code, out.String(), errs.String()
}

func needChrome(t testing.TB) {
	t.Helper()
	if _, err := browser.Find(""); err != nil {
		testneed.Missing(t, "there is no Chrome or Chromium on this machine")
	}
}

func page(t *testing.T, html string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "page.html")
	require.NoError(t, os.WriteFile(name, []byte(html), 0o644))
	return name
}

const form = `<!doctype html><title>Form</title><h1>Sign in</h1><form><label>Name <input name="n" value="Ada"></label>
<label>Secret <input type="password" value="hunter2"></label><button>Go</button></form><p>Some text`

func TestWrongCallsAreUsageErrors(t *testing.T) {
	turnDir := t.TempDir()
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"no command":           {nil, "no command"},
		"unknown command":      {[]string{"snapp"}, `no command "snapp"`},
		"unknown flag":         {[]string{"snap", "--nope", "x"}, "nope"},
		"no target":            {[]string{"snap"}, "name a target"},
		"several targets":      {[]string{"snap", "a.example", "b.example"}, "--jsonl"},
		"unknown format":       {[]string{"snap", "--format", "xml", "x.example"}, `no format "xml"`},
		"bad viewport":         {[]string{"--viewport", "big", "snap", "x.example"}, "WIDTHxHEIGHT"},
		"bad session name":     {[]string{"snap", "--session", "../x", "x.example"}, "--session"},
		"mark without output":  {[]string{"mark", "x.example"}, "-o OUT.png"},
		"turn without folder":  {[]string{"turn", "x.example"}, "-o DIR"},
		"not an address":       {[]string{"turn", "-o", turnDir, "what is this"}, "not an address"},
		"unknown session verb": {[]string{"session", "burn"}, "burn"},
	} {
		t.Run(name, func(t *testing.T) {
			code, stdout, stderr := ctl(t, c.args...)
			require.Equal(t, 2, code, stderr)
			require.Contains(t, stderr, c.want)
			require.Empty(t, stdout)
		})
	}
}

func TestErrorsAsJSON(t *testing.T) {
	code, stdout, stderr := ctl(t, "snap", "--json", "--format", "xml", "x.example")
	require.Equal(t, 2, code)
	require.Empty(t, stderr)
	var got struct {
		Status string
		Error  struct{ Type, Message string }
	}
	require.NoError(t, json.Unmarshal([]byte(stdout), &got))
	require.Equal(t, "error", got.Status)
	require.Contains(t, got.Error.Message, "xml")
}

func TestFailuresAreOneLineAndExitOne(t *testing.T) {
	needChrome(t)
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"no such file":       {[]string{"snap", "./no-such.html"}, "no-such.html"},
		"no such turn":       {[]string{"snap", "nowhere#3"}, "nowhere#3"},
		"wrong chrome":       {[]string{"--chrome", "/no/such/chrome", "snap", page(t, form)}, "/no/such/chrome"},
		"unreachable host":   {[]string{"snap", "http://no-such-host.invalid/"}, "cannot be found"},
		"scheme is added":    {[]string{"snap", "no-such-host.invalid"}, "https://no-such-host.invalid"},
		"nothing to attach":  {[]string{"--attach", "127.0.0.1:1", "snap", page(t, form)}, "no browser answers"},
		"folder is a file":   {[]string{"turn", page(t, form), "-o", file}, file},
		"cannot write there": {[]string{"mark", page(t, form), "-o", filepath.Join(file, "x.png")}, "x.png"},
	} {
		t.Run(name, func(t *testing.T) {
			code, stdout, stderr := ctl(t, append([]string{"--quiet"}, c.args...)...)
			require.Equal(t, 1, code, stderr)
			require.Contains(t, stderr, c.want)
			require.Equal(t, 1, strings.Count(stderr, "\n"), "one line: %s", stderr)
			require.Empty(t, stdout)
		})
	}
}

func TestSnapPrintsEveryFormat(t *testing.T) {
	needChrome(t)
	target := page(t, form)
	code, out, stderr := ctl(t, "--quiet", "snap", target)
	require.Equal(t, 0, code, stderr)
	require.Contains(t, out, `[4]<input type="text" value="Ada" />`)
	require.NotContains(t, out, "hunter2")
	require.Contains(t, out, "<p>Some text</p>")

	code, out, stderr = ctl(t, "--quiet", "snap", target, "--format", "semantic")
	require.Equal(t, 0, code, stderr)
	var semantic struct {
		Mode string
		Tree []struct{ I, R, N string } `json:"interactive_tree"`
	}
	require.NoError(t, json.Unmarshal([]byte(out), &semantic))
	require.Equal(t, "semantic", semantic.Mode)
	require.Equal(t, "4", semantic.Tree[0].I)

	code, out, stderr = ctl(t, "--quiet", "snap", "--format", "capture", target)
	require.Equal(t, 0, code, stderr)
	var kept, all snapshot.Capture
	require.NoError(t, json.Unmarshal([]byte(out), &kept))
	require.NotContains(t, out, "hunter2")
	_, out, _ = ctl(t, "--quiet", "snap", "--format", "capture", "--all", target)
	require.NoError(t, json.Unmarshal([]byte(out), &all))
	require.Less(t, len(kept.Nodes), len(all.Nodes))
	require.Equal(t, kept.Verdicts, all.Verdicts, "counts are of all elements either way")

	code, out, stderr = ctl(t, "--quiet", "snap", "--jsonl", target, "./no-such.html", target)
	require.Equal(t, 1, code, stderr)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	require.Len(t, lines, 3)
	require.Contains(t, lines[0], `"status":"ok"`)
	require.Contains(t, lines[1], `"status":"error"`)
}

func TestMarkAgreesWithItsManifest(t *testing.T) {
	needChrome(t)
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	code, _, stderr := ctl(t, "mark", page(t, form), "-o", at("m.png"), "--clean", at("c.png"), "--manifest", at("m.json"), "--legend", at("l.txt"))
	require.Equal(t, 0, code, stderr)
	require.Contains(t, stderr, "marks drawn")
	var m overlay.Manifest
	data, err := os.ReadFile(at("m.json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &m))
	require.Equal(t, "m.png", m.Images[0].File)
	drawn := 0
	for _, k := range m.Marks {
		if k.Status == overlay.Drawn {
			drawn++
		}
	}
	legend, err := os.ReadFile(at("l.txt"))
	require.NoError(t, err)
	require.Equal(t, drawn, strings.Count(string(legend), "\n"), "a line for each mark")
	for _, name := range []string{"m.png", "c.png"} {
		f, err := os.Open(at(name))
		require.NoError(t, err)
		cfg, err := png.DecodeConfig(f)
		f.Close()
		require.NoError(t, err)
		require.Equal(t, 1280, cfg.Width)
		require.Equal(t, 720, cfg.Height)
	}
}

func TestTurnsAreKeptAndReadWithoutABrowser(t *testing.T) {
	needChrome(t)
	home := t.TempDir()
	t.Setenv("REFSCOPE_HOME", home)
	code, out, stderr := ctl(t, "--quiet", "--session", "work", "turn", page(t, form), page(t, "<h1>Two"))
	require.Equal(t, 0, code, stderr)
	require.Equal(t, 2, strings.Count(out, "\n"))

	code, out, _ = ctl(t, "session", "show", "work", "--json")
	require.Equal(t, 0, code)
	var show struct{ Turns []struct{ Turn, Refs int } }
	require.NoError(t, json.Unmarshal([]byte(out), &show))
	require.Len(t, show.Turns, 2)

	t.Setenv("PATH", "")
	code, out, stderr = ctl(t, "--chrome", "/no/browser/needed", "snap", "work#1")
	require.Equal(t, 0, code, stderr)
	require.Contains(t, out, "Sign in")
	code, out, _ = ctl(t, "session", "list")
	require.Equal(t, 0, code)
	require.Regexp(t, `^work  2 turns  \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\n$`, out)
	code, _, _ = ctl(t, "session", "check", "work")
	require.Equal(t, 0, code)

	// A damaged turn is named, and hides nothing.
	require.NoError(t, os.WriteFile(filepath.Join(home, "sessions", "work", "turns", "0001", "turn.json"), []byte("{"), 0o644))
	code, _, stderr = ctl(t, "session", "check", "work")
	require.Equal(t, 1, code)
	require.Contains(t, stderr, "damaged")
	code, _, stderr = ctl(t, "snap", "work#1")
	require.Equal(t, 1, code, stderr)
	code, _, stderr = ctl(t, "snap", "work#2")
	require.Equal(t, 0, code, stderr)
}

func TestHelpAndVersion(t *testing.T) {
	code, out, _ := ctl(t, "--help")
	require.Equal(t, 0, code)
	for _, c := range commands() {
		require.Contains(t, out, c.name)
		code, help, _ := ctl(t, c.name, "--help")
		require.Equal(t, 0, code, c.name)
		require.Contains(t, help, "-timeout", "%s lists its flags", c.name)
	}
	code, out, _ = ctl(t, "version")
	require.Equal(t, 0, code)
	require.Contains(t, out, snapshot.Schema)
}

func TestSplitFlags(t *testing.T) {
	require.Equal(t, []string{"a=b c", "d"}, splitFlags(`"a=b c"  d `))
	require.Equal(t, []string{"--x", ""}, splitFlags(`--x ""`))
	require.Empty(t, splitFlags("  "))
}

func TestVisible(t *testing.T) {
	require.Equal(t, "a␛[31mb\n\tc�", visible("a\x1b[31mb\n\tc\u202e"))
}
