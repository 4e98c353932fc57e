package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/stretchr/testify/require"
)

// recorded writes a session of three turns without a picture into the home folder.
func recorded(t *testing.T, name string) (home string) {
	t.Helper()
	home = t.TempDir()
	t.Setenv("REFSCOPE_HOME", home)
	store, err := turn.Create(t.Context(), turn.Dir(turn.SessionDir(home, name)), "test")
	require.NoError(t, err)
	for range 3 {
		_, err := store.Append(t.Context(), func(l *turn.Ledger) (*turn.Record, error) {
			c := &snapshot.Capture{Schema: snapshot.Schema, URL: "https://a.example/", Title: "A", Settled: true,
				TakenAt:  time.Date(2026, 3, 14, 9, 0, l.NextTurn(), 0, time.UTC),
				Viewport: snapshot.Viewport{Width: 100, Height: 100, Scale: 1},
				Frames:   []snapshot.Frame{{ID: "f", Parent: -1, Owner: -1, Readable: true, Loader: "l"}},
				Nodes: []snapshot.Node{{Parent: -1, Tag: "html", UID: 1, Verdict: snapshot.VerdictWrapper},
					{I: 1, Parent: 0, Tag: "button", UID: 2, Role: "button", Name: "Go", Verdict: snapshot.VerdictRef,
						Interactive: []string{"native"},
						Box:         snapshot.Box{10, 10, 40, 20}, Visible: true, InViewport: true}}}
			c.Verdicts = c.CountVerdicts()
			l.Assign("tab", l.NextTurn(), c)
			return &turn.Record{Capture: c}, nil
		})
		require.NoError(t, err)
	}
	return home
}

func TestSessionReport(t *testing.T) {
	recorded(t, "shop")
	out := filepath.Join(t.TempDir(), "report.html")
	code, stdout, stderr := ctl(t, "session", "report", "shop", "-o", out)
	require.Zero(t, code, stderr)
	require.Empty(t, stdout)
	require.Empty(t, stderr)
	page, err := os.ReadFile(out)
	require.NoError(t, err)
	require.Contains(t, string(page), "<title>shop · Refscope session report</title>")
	require.Contains(t, string(page), `[1]</b>&lt;button&gt;Go&lt;/button&gt;`)
	require.Contains(t, string(page), "counted: o200k_base")

	code, stdout, stderr = ctl(t, "session", "report", "--json", "-o", out, "shop", "--turns", "2-", "--max-turns", "1",
		"--formats", "wraith,aria", "--dialects", "all")
	require.Zero(t, code, stderr)
	require.JSONEq(t, `{"schema":"refscope.sessionreport/1","status":"ok","file":`+quoted(t, out)+`,"turns":1,"left":1,"damaged":[]}`, stdout)
	page, err = os.ReadFile(out)
	require.NoError(t, err)
	require.Contains(t, string(page), "<b>wraith</b>")
	require.NotContains(t, string(page), "<b>dddk</b>")
	require.Contains(t, string(page), "<bdi>anthropic</bdi>")
	left, err := os.ReadDir(filepath.Dir(out))
	require.NoError(t, err)
	require.Len(t, left, 1, "the spool is gone")
}

func quoted(t *testing.T, s string) string {
	b, err := json.Marshal(s)
	require.NoError(t, err)
	return string(b)
}

func TestSessionReportSaysWhatIsWrong(t *testing.T) {
	home := recorded(t, "shop")
	dir := t.TempDir()
	out := filepath.Join(dir, "report.html")
	for name, c := range map[string]struct {
		args []string
		code int
		want string
	}{
		"no session":        {[]string{"-o", out}, 2, "session report SESSION -o REPORT.html"},
		"no file":           {[]string{"shop"}, 2, "-o REPORT.html"},
		"no such session":   {[]string{"shop2", "-o", out}, 1, "shop2"},
		"turns not found":   {[]string{"shop", "-o", out, "--turns", "8-9"}, 1, "turns not found"},
		"no list of turns":  {[]string{"shop", "-o", out, "--turns", "x"}, 2, `"x" is not a list of turns`},
		"no such format":    {[]string{"shop", "-o", out, "--formats", "dddk,xml"}, 2, `"xml"`},
		"format of a query": {[]string{"shop", "-o", out, "--formats", "filtered"}, 2, `"filtered"`},
		"no such dialect":   {[]string{"shop", "-o", out, "--dialects", "smoke"}, 2, `"smoke"`},
		"no such folder":    {[]string{"shop", "-o", filepath.Join(dir, "none", "r.html")}, 1, "no such file"},
	} {
		t.Run(name, func(t *testing.T) {
			code, stdout, stderr := ctl(t, append([]string{"session", "report"}, c.args...)...)
			require.Equal(t, c.code, code, stderr)
			require.Contains(t, stderr, c.want)
			require.Empty(t, stdout)
			left, err := os.ReadDir(dir)
			require.NoError(t, err)
			require.Empty(t, left, "no file, and no part of one")
		})
	}
	require.NoError(t, os.WriteFile(filepath.Join(turn.SessionDir(home, "shop"), "turns", "0002", "turn.json"),
		[]byte("harmed"), 0o600))
	code, _, stderr := ctl(t, "session", "report", "shop", "-o", out)
	require.Zero(t, code)
	require.Contains(t, stderr, "[2]")
}
