package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/stretchr/testify/require"
)

// recordTurn appends a turn of a page with one button.
func recordTurn(t *testing.T, s *turn.Store, change func(*turn.Record)) {
	t.Helper()
	_, err := s.Append(context.Background(), func(l *turn.Ledger) (*turn.Record, error) {
		c := &snapshot.Capture{
			Schema: snapshot.Schema, URL: "https://shop.example/", Title: "Shop \x1b[2J", Settled: true,
			TakenAt:  time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC),
			Viewport: snapshot.Viewport{Width: 1280, Height: 720, Scale: 1},
			Frames:   []snapshot.Frame{{ID: "F", Parent: -1, Owner: -1, Loader: "L", Readable: true}},
			Nodes: []snapshot.Node{
				{I: 0, Parent: -1, Tag: "html", Verdict: snapshot.VerdictWrapper},
				{I: 1, Parent: 0, Tag: "button", UID: 1, Role: "button", Name: "Buy", Text: "Buy", Verdict: snapshot.VerdictRef,
					Visible:    true,
					InViewport: true, Box: snapshot.Box{10, 10, 80, 20}, Interactive: []string{"native"}},
			},
		}
		c.Verdicts = c.CountVerdicts()
		l.Assign("tab", l.NextTurn(), c)
		rec := &turn.Record{Capture: c, Action: "turn"}
		if change != nil {
			change(rec)
		}
		return rec, nil
	})
	require.NoError(t, err)
}

// recordSession makes a session of n turns in a home of the test's own.
func recordSession(t *testing.T, name string, n int) (*turn.Store, string) {
	t.Helper()
	home := t.TempDir()
	t.Setenv("REFSCOPE_HOME", home)
	dir := turn.SessionDir(home, name)
	s, err := turn.Create(context.Background(), turn.Dir(dir), "test")
	require.NoError(t, err)
	for range n {
		recordTurn(t, s, nil)
	}
	return s, dir
}

func TestSessionFile(t *testing.T) {
	s, dir := recordSession(t, "shop", 2)
	recordTurn(t, s, func(r *turn.Record) {
		r.Payloads = []turn.Payload{{Dialect: "dddk", Model: "m-1", Way: turn.Request, Wire: true, Bytes: []byte("[]")}}
		r.Lacks = []string{"no picture"}
	})
	code, out, stderr := ctl(t, "session", "note", "shop#2", "it is \x1b[31mcovered", "--verdict", "fail", "--by", "Ada")
	require.Equal(t, 0, code, stderr)
	require.Empty(t, out)

	file := filepath.Join(t.TempDir(), "bug 7.refscope")
	code, out, stderr = ctl(t, "session", "export", "shop", "-o", file)
	require.Equal(t, 0, code, stderr)
	require.Contains(t, out, "3 turns")
	first, err := os.ReadFile(file)
	require.NoError(t, err)

	// By name, by folder and as a file it shows the same.
	_, want, _ := ctl(t, "session", "show", "shop")
	require.Contains(t, want, "fail  it is \\u{1b}[31mcovered")
	require.Contains(t, want, "request dddk  m-1  2 bytes")
	require.Contains(t, want, "lacks: no picture")
	require.NotContains(t, want, "\x1b")
	for _, name := range []string{dir, file} {
		code, out, stderr = ctl(t, "session", "show", name)
		require.Equal(t, 0, code, stderr)
		require.Equal(t, want, out)
		code, _, stderr = ctl(t, "session", "check", name)
		require.Equal(t, 0, code, stderr)
	}
	// A turn of the file is a target.
	_, want, _ = ctl(t, "snap", "shop#1")
	require.Contains(t, want, "Buy")
	code, out, stderr = ctl(t, "snap", file+"#1")
	require.Equal(t, 0, code, stderr)
	require.Equal(t, want, out)
	code, _, stderr = ctl(t, "snap", file)
	require.Equal(t, 2, code)
	require.Contains(t, stderr, "#1")
	code, _, stderr = ctl(t, "snap", "gone.refscope#1")
	require.Equal(t, 1, code)
	require.Contains(t, stderr, "gone.refscope does not exist")

	code, out, stderr = ctl(t, "session", "import", file)
	require.Equal(t, 0, code, stderr)
	require.Contains(t, out, "bug-7  3 turns")
	code, _, stderr = ctl(t, "session", "import", file)
	require.Equal(t, 1, code)
	require.Contains(t, stderr, "choose another name with --session")
	code, out, _ = ctl(t, "--json", "session", "import", file, "--session", "second")
	require.Equal(t, 0, code)
	require.JSONEq(t, `{"schema":"refscope.sessionimport/1","status":"ok","to":"second","turns":3,"damage":[]}`, out)
	again := filepath.Join(t.TempDir(), "again.refscope")
	code, _, stderr = ctl(t, "session", "export", "second", "-o", again)
	require.Equal(t, 0, code, stderr)
	second, err := os.ReadFile(again)
	require.NoError(t, err)
	require.True(t, bytes.Equal(first, second), "export, import, export: the same bytes")

	_, out, _ = ctl(t, "session", "list")
	require.Regexp(t, `(?m)^bug-7  3 turns  2026-03-14 .*\nsecond  3 turns .*\nshop  3 turns `, out)
}

func TestSessionFileFails(t *testing.T) {
	_, dir := recordSession(t, "shop", 2)
	out := t.TempDir()
	file := filepath.Join(out, "x.refscope")
	code, _, stderr := ctl(t, "session", "export", "shop", "-o", file)
	require.Equal(t, 0, code, stderr)
	b, err := os.ReadFile(file)
	require.NoError(t, err)
	b[len(b)/3] ^= 8
	bad := filepath.Join(out, "bad.refscope")
	require.NoError(t, os.WriteFile(bad, b, 0o600))
	text := filepath.Join(out, "text.refscope")
	require.NoError(t, os.WriteFile(text, []byte("x"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "turns", "0002", "turn.json"), []byte("rust"), 0o600))
	for name, c := range map[string]struct {
		args []string
		code int
		want string
	}{
		"export what is damaged": {[]string{"export", "shop", "-o", filepath.Join(out, "no.refscope")}, 1,
			"with --damaged the intact turns are exported"},
		"export what is not there": {[]string{"export", "nope", "-o", filepath.Join(out, "no.refscope")}, 1,
			"does not exist"},
		"export into no folder": {[]string{"export", file, "-o", filepath.Join(out, "no", "no.refscope")}, 1,
			"no.refscope"},
		"export onto itself":        {[]string{"export", file, "-o", file}, 2, "is the session itself"},
		"import what is damaged":    {[]string{"import", bad}, 1, "with --damaged the intact turns are imported"},
		"import a text":             {[]string{"import", text}, 1, "is not a session file"},
		"import nothing":            {[]string{"import", filepath.Join(out, "none.refscope")}, 1, "does not exist"},
		"import under a bad name":   {[]string{"import", file, "--session", "../x"}, 2, "--session"},
		"import under a file name":  {[]string{"import", file, "--session", "x.refscope"}, 2, "ends like the name"},
		"note for no turn":          {[]string{"note", "shop#7", "x"}, 1, "turn not found"},
		"note without a turn":       {[]string{"note", "shop", "x"}, 2, "SESSION#N"},
		"note of nothing":           {[]string{"note", "shop#1"}, 2, "--verdict"},
		"note in a file":            {[]string{"note", file + "#1", "x"}, 1, "import it first"},
		"a flag of another verb":    {[]string{"list", "--follow"}, 2, "unknown flag --follow"},
		"export without a session":  {[]string{"export"}, 2, "write session export SESSION"},
		"check of what is damaged":  {[]string{"check", "shop"}, 1, "is damaged"},
		"follow what is not there":  {[]string{"show", "--follow", "nope"}, 1, "does not exist"},
		"check what is not a whole": {[]string{"check", bad}, 1, "bad.refscope"},
	} {
		t.Run(name, func(t *testing.T) {
			code, stdout, stderr := ctl(t, append([]string{"--quiet", "session"}, c.args...)...)
			require.Equal(t, c.code, code, stderr)
			require.Contains(t, stderr, c.want)
			if c.args[0] != "check" {
				require.Empty(t, stdout)
			}
		})
	}
	left, err := os.ReadDir(out)
	require.NoError(t, err)
	require.Len(t, left, 3, "nothing half written")
	sessions, err := os.ReadDir(filepath.Dir(dir))
	require.NoError(t, err)
	require.Len(t, sessions, 1, "nothing half imported")

	code, stdout, stderr := ctl(t, "session", "export", "shop", "--damaged", "-o", filepath.Join(out, "part.refscope"))
	require.Equal(t, 0, code, stderr)
	require.Contains(t, stderr, "turns/0002")
	require.Contains(t, stdout, "part.refscope")
	code, _, stderr = ctl(t, "snap", filepath.Join(out, "part.refscope")+"#1")
	require.Equal(t, 0, code, stderr)
	_, stdout, _ = ctl(t, "session", "list")
	require.Contains(t, stdout, "damaged: run refscopectl session check shop")
}

// TestSessionFollow: turns are printed as they are written, until the command is
// interrupted, which is well.
func TestSessionFollow(t *testing.T) {
	for _, form := range []string{"text", "json"} {
		t.Run(form, func(t *testing.T) {
			s, _ := recordSession(t, "shop", 1)
			ctx, stop := context.WithCancel(context.Background())
			defer stop()
			r, w := io.Pipe()
			var stderr bytes.Buffer
			code := make(chan int, 1)
			go func() {
				args := []string{"session", "show", "shop", "--follow"}
				if form == "json" {
					args = append(args, "--json")
				}
				code <- run(ctx, args, w, &stderr)
				_ = w.Close()
			}()
			lines := bufio.NewScanner(r)
			for n := 1; n <= 3; n++ {
				require.True(t, lines.Scan())
				if form == "json" {
					var row struct {
						Turn  int
						Title string
					}
					require.NoError(t, json.Unmarshal(lines.Bytes(), &row))
					require.Equal(t, n, row.Turn)
				} else {
					require.Contains(t, lines.Text(), fmt.Sprintf("%4d  ", n))
				}
				recordTurn(t, s, nil)
			}
			stop()
			require.NoError(t, drain(r))
			require.Equal(t, 0, <-code, stderr.String())
		})
	}
}

func drain(r io.Reader) error {
	_, err := io.Copy(io.Discard, r)
	return err
}

// TestNotesAreTakenBack: a note can be about an element, and be taken back by its number.
func TestNotesAreTakenBack(t *testing.T) {
	recordSession(t, "shop", 2)
	code, _, stderr := ctl(t, "session", "note", "shop#2", "wrong colour", "--verdict", "bad", "--ref", "3")
	require.Equal(t, 0, code, stderr)
	_, out, _ := ctl(t, "session", "show", "shop")
	require.Contains(t, out, "bad  wrong colour  (about 3)")
	code, out, stderr = ctl(t, "session", "note", "shop#2", "--undo", "1", "--json")
	require.Equal(t, 0, code, stderr)
	require.JSONEq(t, `{"schema":"refscope.sessionnote/1","status":"ok","undone":1}`, out)
	_, out, _ = ctl(t, "session", "show", "shop")
	require.NotContains(t, out, "wrong colour")
	code, _, stderr = ctl(t, "session", "note", "shop#2", "--undo", "1")
	require.Equal(t, 1, code)
	require.Contains(t, stderr, "number 1: note not found")
	code, _, _ = ctl(t, "session", "note", "shop#2", "text", "--undo", "1")
	require.Equal(t, 2, code)
}
