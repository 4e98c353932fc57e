package importer

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"image/png"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/audit"
	"github.com/refscope/refscope/snapshot/diff"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/payload"
	"github.com/refscope/refscope/snapshot/turn"
)

var update = flag.Bool("update", false, "rewrite the goldens")

// readAll reads a file and gives every turn the numbers of one session; each record is
// held to what package turn and the formats rely on.
func readAll(t testing.TB, data []byte, pictures fs.FS) ([]*turn.Record, *Report, error) {
	t.Helper()
	var all []*turn.Record
	ledger := turn.NewLedger()
	rep, err := Read(context.Background(), bytes.NewReader(data), int64(len(data)), Options{Pictures: pictures},
		func(rec *turn.Record) error {
			checkRecord(t, rec)
			ledger.Assign(rec.Meta.Target, len(all)+1, rec.Capture)
			all = append(all, rec)
			return nil
		})
	if rep != nil {
		require.Equal(t, len(all), rep.Turns)
		for _, s := range append(append([]string{}, rep.Damage...), rep.Lacks...) {
			require.NotContains(t, s, "\n")
			require.Less(t, len(s), 1024)
		}
	}
	return all, rep, err
}

// checkRecord holds a record to the rules of a capture.
func checkRecord(t testing.TB, rec *turn.Record) {
	t.Helper()
	c := rec.Capture
	require.NotNil(t, c)
	require.NotEmpty(t, c.Frames)
	for i, f := range c.Frames {
		require.True(t, f.Parent >= -1 && f.Parent < i && (i == 0 || f.Parent >= 0), "frame %d has parent %d", i, f.Parent)
		require.Less(t, f.Owner, len(c.Nodes))
	}
	require.LessOrEqual(t, len(c.Nodes), maxNodes)
	for i := range c.Nodes {
		n := &c.Nodes[i]
		if n.I != i || n.Parent < -1 || n.Parent >= i || n.Frame >= len(c.Frames) || n.Tag == "" || n.Verdict == "" ||
			n.Evidence == "" {
			t.Fatalf("node %d is %+v", i, n)
		}
		for _, r := range n.Runs {
			if r.Before < -1 || r.Before >= len(c.Nodes) || r.Before >= 0 && c.Nodes[r.Before].Parent != i {
				t.Fatalf("node %d has the run %+v", i, r)
			}
		}
	}
	_, err := json.Marshal(c) // no NaN
	require.NoError(t, err)
	for _, raw := range []json.RawMessage{rec.Steps, rec.Answer} {
		require.True(t, len(raw) == 0 || json.Valid(raw))
		require.LessOrEqual(t, len(raw), maxSteps)
	}
	if len(rec.Answer) > 0 { // the shape that payloads are made again from
		_, err := payload.AnswerOf(rec.Answer)
		require.NoError(t, err)
	}
	require.LessOrEqual(t, len(rec.Action), 4<<10)
	require.LessOrEqual(t, len(rec.Note), 64<<10)
	require.LessOrEqual(t, len(rec.Lacks), 64)
	for _, p := range rec.Payloads {
		end := 0
		for _, s := range p.Redacted {
			require.True(t, s.Start >= end && s.End > s.Start && s.End <= len(p.Bytes))
			end = s.End
		}
	}
}

// story is a session in words, for goldens.
func story(t testing.TB, all []*turn.Record, rep *Report, err error) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	for i, rec := range all {
		c := rec.Capture
		line("== turn %d: %s", i+1, rec.Action)
		line("at %s, target %s, viewport %gx%g, scale %g", c.TakenAt.Format("15:04:05.000"), rec.Meta.Target,
			c.Viewport.Width, c.Viewport.Height, c.Viewport.Scale)
		if rec.Picture != nil {
			cfg, err := png.DecodeConfig(bytes.NewReader(rec.Picture))
			require.NoError(t, err)
			line("picture %dx%d", cfg.Width, cfg.Height)
		}
		line("steps %s", rec.Steps)
		line("answer %s", rec.Answer)
		for _, p := range rec.Payloads {
			line("payload %s %s %s %v: %s", p.Dialect, p.Way, p.Media, p.Redacted, p.Bytes)
		}
		for _, e := range c.Console {
			line("console %s: %s (%.0f ms)", e.Level, e.Text, e.Age)
		}
		for _, d := range c.Dialogs {
			line("dialog %s: %s accepted %v", d.Type, d.Message, d.Accepted)
		}
		for _, f := range c.Failed {
			line("failed %s: %s", f.Layer, f.Why)
		}
		for _, l := range rec.Lacks[len(rep.Lacks):] {
			line("lacks %s", l)
		}
		if rec.Note != "" {
			line("note %s", rec.Note)
		}
		for j := range c.Nodes {
			if n := &c.Nodes[j]; !n.Box.Empty() && n.Tag != "iframe" {
				line("box of [%d]<%s>: %v", n.Ref, n.Tag, n.Box)
			}
		}
		doc, err := format.Render(c, format.DDDK, format.Options{})
		require.NoError(t, err)
		line("%s", strings.TrimSpace(doc.Text))
	}
	line("== report")
	line("%s, %d turns, error %v", rep.Tool, rep.Turns, err)
	for _, s := range rep.Lacks {
		line("lacks %s", s)
	}
	for _, s := range rep.Damage {
		line("damage %s", s)
	}
	return b.String()
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), got)
}

// TestTraceSample reads a trace that Playwright 1.65.1 recorded over a small page: nine
// actions, a frame, a shadow tree, a password, an action that fails, a dialog.
func TestTraceSample(t *testing.T) {
	data, err := os.ReadFile("testdata/trace-v10.zip")
	require.NoError(t, err)
	all, rep, err := readAll(t, data, nil)
	golden(t, "trace-v10.txt", story(t, all, rep, err))
	again, _, _ := readAll(t, data, nil)
	one, err := json.Marshal(all)
	require.NoError(t, err)
	two, err := json.Marshal(again)
	require.NoError(t, err)
	require.Equal(t, string(one), string(two), "not deterministic")
	require.Contains(t, string(unzipped(t, data, "trace.trace")), "Tr0ub4dor", "the sample types a password")
	require.NotContains(t, string(one), "Tr0ub4dor")
}

// TestTraceNumbers: an element that stays has one number in all turns, also where the
// trace tells it anew because something about it changed.
func TestTraceNumbers(t *testing.T) {
	data, err := os.ReadFile("testdata/trace-v10.zip")
	require.NoError(t, err)
	all, _, _ := readAll(t, data, nil)
	refs := map[string]map[int]bool{}
	for _, rec := range all {
		for i := range rec.Capture.Nodes {
			if n := &rec.Capture.Nodes[i]; n.Ref > 0 {
				key := fmt.Sprint(n.Tag, n.Attrs["id"], n.Name, n.Frame, n.Shadow)
				if refs[key] == nil {
					refs[key] = map[int]bool{}
				}
				refs[key][n.Ref] = true
			}
		}
	}
	require.Greater(t, len(refs), 15)
	for key, r := range refs {
		require.Len(t, r, 1, key)
	}
}

// TestHistorySamples reads two histories that were written by the documented shapes of
// browser-use 0.9 and 0.1; they were not recorded.
func TestHistorySamples(t *testing.T) {
	for _, name := range []string{"history", "history-old"} {
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile("testdata/" + name + ".json")
			require.NoError(t, err)
			all, rep, err := readAll(t, data, os.DirFS("testdata"))
			golden(t, name+".txt", story(t, all, rep, err))
			out, err := json.Marshal(all)
			require.NoError(t, err)
			require.Contains(t, string(data), "Hunter2x")
			require.NotContains(t, string(out), "Hunter2x")
		})
	}
}

// TestFormatsTakeThem: every text format renders every turn, and no kept element vanishes
// without a line or a reason.
func TestFormatsTakeThem(t *testing.T) {
	for _, name := range []string{"trace-v10.zip", "history.json", "history-old.json"} {
		data, err := os.ReadFile("testdata/" + name)
		require.NoError(t, err)
		all, _, _ := readAll(t, data, os.DirFS("testdata"))
		require.NotEmpty(t, all)
		for i, rec := range all {
			for _, f := range format.Names() {
				doc, err := format.Render(rec.Capture, f, format.Options{Common: dump.Common{Query: "sign in"}})
				require.NoError(t, err, "%s, turn %d, %s", name, i+1, f)
				told := map[int]bool{}
				for _, l := range doc.Lines {
					told[l.Node] = true
				}
				for _, s := range doc.Spans {
					told[s.Node] = true
				}
				for _, o := range doc.Omitted {
					told[o.Node] = true
				}
				for _, n := range rec.Capture.Nodes {
					if n.Verdict.Kept() {
						require.True(t, told[n.I], "%s, turn %d, %s: <%s> (node %d) vanished", name, i+1, f, n.Tag, n.I)
					}
				}
			}
		}
	}
}

// TestNoBoxIsNoPlace: what a recording without boxes is taken to have in the viewport is not said to lie outside it.
func TestNoBoxIsNoPlace(t *testing.T) {
	for _, name := range []string{"trace-v10.zip", "trace-mcp.zip"} {
		data, err := os.ReadFile("testdata/" + name)
		require.NoError(t, err)
		all, _, _ := readAll(t, data, os.DirFS("testdata"))
		require.NotEmpty(t, all)
		for i, rec := range all {
			for _, f := range format.Names() {
				doc, err := format.Render(rec.Capture, f, format.Options{})
				require.NoError(t, err)
				for _, o := range doc.Omitted {
					if o.Node >= 0 && rec.Capture.Nodes[o.Node].InViewport {
						require.NotEqual(t, dump.ReasonViewport, o.Reason, "%s, turn %d, %s", name, i+1, f)
					}
				}
			}
		}
	}
}

// TestWhatHasABoxInOneTurnAlone: a trace has the box of what is acted on in that turn: it has not moved there, and its
// words are not said to lie outside of it.
func TestWhatHasABoxInOneTurnAlone(t *testing.T) {
	data, err := os.ReadFile("testdata/trace-v10.zip")
	require.NoError(t, err)
	all, _, _ := readAll(t, data, os.DirFS("testdata"))
	boxed := 0
	for i, rec := range all {
		r, err := audit.Run(rec.Capture, audit.Options{})
		require.NoError(t, err)
		require.NotContains(t, r.Text(), "text-indent", "turn %d", i+1)
		for _, n := range rec.Capture.Nodes {
			if n.Box != (snapshot.Box{}) && n.Verdict == snapshot.VerdictRef {
				boxed++
			}
		}
		if i > 0 {
			for _, c := range diff.Captures(all[i-1].Capture, rec.Capture, diff.Options{}).Changes {
				if (c.Kind == diff.Moved || c.Kind == diff.Resized) && c.After != nil {
					require.Equal(t, "iframe", c.After.Tag, "turn %d: frames alone have their boxes in each turn", i+1)
				}
			}
		}
	}
	require.Greater(t, boxed, 3)
}

// TestStored: what is read is a whole session on disk, and stays so.
func TestStored(t *testing.T) {
	ctx := context.Background()
	data, err := os.ReadFile("testdata/trace-v10.zip")
	require.NoError(t, err)
	store, err := turn.Create(ctx, turn.Dir(t.TempDir()+"/s"), "test")
	require.NoError(t, err)
	defer store.Close()
	rep, err := Read(ctx, bytes.NewReader(data), int64(len(data)), Options{}, func(rec *turn.Record) error {
		_, err := store.Append(ctx, func(l *turn.Ledger) (*turn.Record, error) {
			l.Assign(rec.Meta.Target, l.NextTurn(), rec.Capture)
			return rec, nil
		})
		return err
	})
	require.NoError(t, err)
	damage, err := store.Check(ctx)
	require.NoError(t, err)
	require.Empty(t, damage)
	rec, err := store.Load(ctx, rep.Turns)
	require.NoError(t, err)
	require.Equal(t, "http://127.0.0.1:36829/account", rec.Capture.URL)
	require.Equal(t, snapshot.Schema, rec.Capture.Schema)
	require.NotEmpty(t, rec.Steps)
}
