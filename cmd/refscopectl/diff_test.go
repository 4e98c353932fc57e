package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/diff"
	"github.com/refscope/refscope/snapshot/find"
)

// captureFile writes a capture of buttons with these names, numbered from 1.
func captureFile(t *testing.T, names ...string) string {
	t.Helper()
	c := &snapshot.Capture{
		Schema: snapshot.Schema, URL: "https://a.example/", Title: "Shop", Settled: true,
		Viewport: snapshot.Viewport{Width: 1280, Height: 720, Scale: 1},
		Frames:   []snapshot.Frame{{ID: "f", Loader: "l", Parent: -1, Owner: -1, Readable: true}},
	}
	for i, name := range names {
		c.Nodes = append(c.Nodes, snapshot.Node{
			I: i, Parent: -1, Ref: i + 1, UID: i + 1, Tag: "button", Role: "button", Name: name, Verdict: snapshot.VerdictRef,
			Interactive: []string{"native"},
			Box:         snapshot.Box{0, float64(30 * i), 100, 20}, InViewport: true, Visible: true,
		})
	}
	data, err := json.Marshal(c)
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "capture.json")
	require.NoError(t, os.WriteFile(file, data, 0o644))
	return file
}

func TestDiff(t *testing.T) {
	a, b := captureFile(t, "Buy", "Pay\x1b[31m"), captureFile(t, "Buy now", "Pay\x1b[31m", "Help")
	code, out, stderr := ctl(t, "diff", a, b)
	require.Equal(t, 0, code, stderr)
	require.Equal(t, `https://a.example/
~ [1] button "Buy": renamed to "Buy now"
+ [3] button "Help"
1 added, 1 renamed; 1 unchanged.
`, out)

	code, out, stderr = ctl(t, "diff", "--json", a, b)
	require.Equal(t, 0, code, stderr)
	var d diff.Diff
	require.NoError(t, json.Unmarshal([]byte(out), &d))
	require.Equal(t, diff.Schema, d.Schema)
	require.Equal(t, map[diff.Kind]int{diff.Added: 1, diff.Renamed: 1}, d.Counts)

	code, out, stderr = ctl(t, "diff", a, b, "--text", "dddk", "--context", "0")
	require.Equal(t, 0, code, stderr)
	require.Contains(t, out, "-[1]<button>Buy</button>\n+[1]<button>Buy now</button>\n?              ^^^^\n")
	require.NotContains(t, out, "\x1b")

	code, _, stderr = ctl(t, "diff", a, b, "--exit-code")
	require.Equal(t, 1, code)
	require.Empty(t, stderr)
	code, out, _ = ctl(t, "diff", a, a, "--exit-code")
	require.Equal(t, 0, code)
	require.Contains(t, out, "nothing changed; 2 elements are the same.")
	code, out, _ = ctl(t, "diff", a, a, "--text", "semantic", "--exit-code")
	require.Equal(t, 0, code)
	require.Empty(t, out)
}

func TestFind(t *testing.T) {
	file := captureFile(t, "Buy", "Buy\nit \"now\"", "Help")
	code, out, stderr := ctl(t, "find", file, "--text", "buy")
	require.Equal(t, 0, code, stderr)
	require.Equal(t, "[1] button \"Buy\"  at 0,0 100x20\n[2] button \"Buy it \\\"now\\\"\"  at 0,30 100x20\n", out)
	require.Equal(t, "2 of 3 kept elements match\n", stderr)

	code, out, stderr = ctl(t, "find", file, "--near", "50,70,45", "--json")
	require.Equal(t, 0, code, stderr)
	var answer find.Answer
	require.NoError(t, json.Unmarshal([]byte(out), &answer))
	require.Equal(t, 2, answer.MatchCount)
	require.Equal(t, 3, answer.Matches[0].Ref)

	code, out, _ = ctl(t, "find", file, "--text", "nowhere", "--quiet")
	require.Equal(t, 0, code)
	require.Empty(t, out)
}

func TestWrongDiffAndFindCalls(t *testing.T) {
	file := captureFile(t, "Buy")
	other := filepath.Join(t.TempDir(), "other.json")
	require.NoError(t, os.WriteFile(other, []byte(`{"schema":"x"}`), 0o644))
	for name, c := range map[string]struct {
		args []string
		code int
		want string
	}{
		"one side":       {[]string{"diff", file}, 2, "name two"},
		"unknown format": {[]string{"diff", file, file, "--text", "xml"}, 2, `--text "xml"`},
		"text and JSON":  {[]string{"diff", file, file, "--text", "dddk", "--json=true"}, 2, "give one of them"},
		"no such file":   {[]string{"diff", file, "nowhere.json"}, 1, "nowhere.json"},
		"no capture":     {[]string{"diff", file, other}, 1, `its schema is "x"`},
		"an element":     {[]string{"find", "x#1", "e12"}, 2, `--number "e12"`},
		"no target":      {[]string{"find", "--text", "x"}, 2, "name one"},
		"no question":    {[]string{"find", file}, 2, "say what to look for"},
		"bad pattern":    {[]string{"find", file, "--pattern", "("}, 2, `pattern "("`},
		"bad selector":   {[]string{"find", file, "--selector", "a:hover"}, 2, ":hover"},
		"bad place":      {[]string{"find", file, "--near", "1;2"}, 2, "X,Y,RADIUS"},
		"no limit":       {[]string{"find", file, "--text", "x", "--limit", "0"}, 2, "from 1 on"},
	} {
		t.Run(name, func(t *testing.T) {
			code, stdout, stderr := ctl(t, c.args...)
			require.Equal(t, c.code, code, stderr)
			require.Contains(t, stdout+stderr, c.want)
		})
	}
}

// TestDiffOfTurns follows a page from one turn to the next, and a reload of it.
func TestDiffOfTurns(t *testing.T) {
	needChrome(t)
	t.Setenv("REFSCOPE_HOME", t.TempDir())
	one, two := page(t, form), page(t,
		`<!doctype html><title>Form</title><h1>Sign in</h1><form><label>Name <input name="n" value="Eve"></label>
<label>Secret <input type="password" value="swordfish"></label><button disabled>Go</button></form><p>Some text<p>More`)
	code, _, stderr := ctl(t, "--quiet", "--session", "work", "turn", one, one, two)
	require.Equal(t, 0, code, stderr)
	t.Setenv("PATH", "")
	code, out, stderr := ctl(t, "--chrome", "/no/browser/needed", "diff", "work#1", "work#2", "--json")
	require.Equal(t, 0, code, stderr)
	var d diff.Diff
	require.NoError(t, json.Unmarshal([]byte(out), &d))
	require.Equal(t, d.After.Kept, d.Paired[diff.ByPlace], "an unchanged page in another document: %s", out)
	require.Zero(t, d.Counts[diff.Added]+d.Counts[diff.Removed])

	code, out, stderr = ctl(t, "--chrome", "/no/browser/needed", "diff", "work#2", "work#3")
	require.Equal(t, 0, code, stderr)
	require.Contains(t, out, `value "Ada" → "Eve"`)
	require.Contains(t, out, "disabled none → true")
	require.Regexp(t, `(?m)^\+ \[\d+\] paragraph "More"`, out)
	require.NotContains(t, out, "hunter2")
	require.NotContains(t, out, "swordfish")
	require.Contains(t, out, "elements have new numbers (paired by place): [9] → [17]")
}
