package engine

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/core/coretest"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/importer"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/turn"
)

// written makes a session in home with n turns, as another program would.
func written(t *testing.T, home, name string, n int) *turn.Store {
	t.Helper()
	store, err := turn.OpenOrCreate(context.Background(), turn.Dir(turn.SessionDir(home, name)), "other")
	require.NoError(t, err)
	for range n {
		add(t, store)
	}
	return store
}

func add(t *testing.T, store *turn.Store) *turn.Record {
	t.Helper()
	rec, err := store.Append(context.Background(), func(l *turn.Ledger) (*turn.Record, error) {
		c := coretest.Checkout()
		c.TakenAt = time.Date(2026, 11, 21, 12, l.NextTurn(), 0, 0, time.UTC)
		c.Nodes[4].Verdict = snapshot.VerdictContent // a line of text, which has a number and is no ref
		c.Verdicts = c.CountVerdicts()
		l.Assign("A", l.NextTurn(), c)
		return &turn.Record{Capture: c, Picture: coretest.Picture(c), Action: "click", Payloads: []turn.Payload{
			{Dialect: "openai-chat", Way: turn.Request, Media: "application/json",
				Bytes: []byte(`{"k":"[redacted: key]"}`), Wire: true,
				Redacted: []redact.Span{{Start: 6, End: 21, Why: "key"}}},
		}}, nil
	})
	require.NoError(t, err)
	return rec
}

func TestLiveOpensSessions(t *testing.T) {
	ctx := context.Background()
	home := t.TempDir()
	shop := written(t, home, "shop", 2)
	_, err := shop.Annotate(ctx, turn.Annotation{Turn: 2, By: "QA", Verdict: "fail", Text: "the total is wrong"})
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "shop.refscope")
	f, err := os.Create(file)
	require.NoError(t, err)
	_, err = shop.Export(ctx, f, false)
	require.NoError(t, err)
	require.NoError(t, f.Close())
	plain := filepath.Join(t.TempDir(), "notes.txt")
	require.NoError(t, os.WriteFile(plain, []byte("x"), 0o600))
	dir := turn.SessionDir(home, "shop")

	zipped := filepath.Join(t.TempDir(), "shop.zip")
	b, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(zipped, b, 0o600))
	tests := []struct {
		name string
		open string
		turn int
		file bool
		none bool
		err  string
	}{
		{name: "by name", open: "shop"},
		{name: "a turn of it", open: "shop#2", turn: 2},
		{name: "by folder", open: dir},
		{name: "a turn by folder", open: dir + "#1", turn: 1},
		{name: "a file", open: file, file: true},
		{name: "one that was named .zip", open: zipped, file: true},
		{name: "a turn of a file", open: file + "#2", turn: 2, file: true},
		{name: "none of that name", open: "shep", none: true},
		{name: "no such folder", open: filepath.Join(home, "nothing"), none: true},
		{name: "no such file", open: filepath.Join(home, "no.refscope"), none: true},
		{name: "another file", open: plain, err: importer.ErrUnknown.Error()},
		{name: "a folder of other things", open: t.TempDir(), err: "is not a session"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := liveEngine(t, home)
			own, _, err := l.OpenSession(ctx, "")
			require.NoError(t, err)
			require.Empty(t, own.Turns)
			s, n, err := l.OpenSession(ctx, tt.open)
			if tt.none || tt.err != "" {
				require.Equal(t, tt.none, errors.Is(err, core.ErrNoSession), "%v", err)
				require.ErrorContains(t, err, tt.err)
				_, err = l.Load(ctx, 1)
				require.Error(t, err, "the session in use stays: it has no turns")
				return
			}
			require.NoError(t, err)
			require.Equal(t, tt.turn, n)
			require.True(t, s.ReadOnly, "what is not the window's own is a recording")
			require.Equal(t, tt.file, s.File)
			require.Len(t, s.Turns, 2)
			require.Equal(t, 1, s.Turns[0].Wire)
			require.Len(t, s.Notes, 1)
			require.Equal(t, "fail", s.Notes[0].Verdict)
			require.Equal(t, "the total is wrong", s.Notes[0].Text)
			require.True(t, strings.HasPrefix(s.Name, "shop"), s.Name)
			rec, err := l.Load(ctx, 2)
			require.NoError(t, err)
			require.Empty(t, rec.Note, "what was said later is no part of the turn")
			require.Equal(t, []turn.Payload{{Dialect: "openai-chat", Way: "request", Media: "application/json",
				Bytes: []byte(`{"k":"[redacted: key]"}`), Wire: true,
				Redacted: []redact.Span{{Start: 6, End: 21, Why: "key"}}}}, rec.Payloads)
			ready, err := rec.Ready()
			require.NoError(t, err)
			refs := rec.Capture.CountVerdicts()[snapshot.VerdictRef] // as refscopectl session show has them
			require.Equal(t, refs, s.Turns[1].Refs)
			require.Equal(t, refs, ready.Row().Refs)
		})
	}
}

// TestRecordingsOfOtherTools: the window opens what refscopectl session import reads, says what it lacks, and makes one
// session of a file however often it is opened.
func TestRecordingsOfOtherTools(t *testing.T) {
	for file, last := range map[string]string{"trace-v10.zip": "evaluateExpression", "history.json": "done"} {
		l := liveEngine(t, t.TempDir())
		s, _, err := l.OpenSession(t.Context(), filepath.Join("..", "..", "snapshot", "importer", "testdata", file))
		require.NoError(t, err)
		require.Contains(t, s.Turns[len(s.Turns)-1].Action, last)
		require.True(t, s.ReadOnly)
		require.False(t, s.File, "notes on it are possible")
		require.NotEmpty(t, s.Lost)
		again, _, err := l.OpenSession(t.Context(), filepath.Join("..", "..", "snapshot", "importer", "testdata", file))
		require.NoError(t, err)
		require.Equal(t, s.Path, again.Path)
		require.Empty(t, again.Lost, "it was said")
		all, err := l.Sessions(t.Context())
		require.NoError(t, err)
		require.Len(t, all, 1)
	}
}

func TestLiveListsSessions(t *testing.T) {
	ctx := context.Background()
	home := t.TempDir()
	l := liveEngine(t, home)
	rows, err := l.Sessions(ctx)
	require.NoError(t, err)
	require.Empty(t, rows, "a new home has no sessions")
	written(t, home, "old", 1)
	written(t, home, "new", 2)
	odd := turn.SessionDir(home, "odd")
	require.NoError(t, os.MkdirAll(odd, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(odd, "mine.txt"), nil, 0o600))
	rows, err = l.Sessions(ctx)
	require.NoError(t, err)
	require.Len(t, rows, 3)
	require.Equal(t, []string{"new", "old", "odd"}, []string{rows[0].Name, rows[1].Name, rows[2].Name},
		"the one used last first")
	require.Equal(t, 2, rows[0].Turns)
	require.NotEmpty(t, rows[2].Why)
}

func TestLiveFollowsAWriter(t *testing.T) {
	home := t.TempDir()
	store := written(t, home, "shop", 1)
	l := liveEngine(t, home)
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	_, _, err := l.OpenSession(ctx, "shop")
	require.NoError(t, err)
	seen := make(chan core.TurnRow, 4)
	ended := make(chan error, 1)
	go func() {
		ended <- l.Follow(ctx, 1, func(r core.TurnRow, d *core.Damage) {
			if d == nil {
				seen <- r
			}
		})
	}()
	for n := 2; n <= 3; n++ {
		add(t, store)
		select {
		case r := <-seen:
			require.Equal(t, n, r.N)
			require.Equal(t, "click", r.Action)
			require.Equal(t, 1, r.Wire)
		case <-ctx.Done():
			t.Fatal("no turn came")
		}
	}
	cancel()
	require.ErrorIs(t, <-ended, context.Canceled)
}

// TestATurnWithADamagedPartIsShownWithoutIt: its texts are there although its picture is not, and it says so; a turn
// that is gone says that.
func TestATurnWithADamagedPartIsShownWithoutIt(t *testing.T) {
	ctx := context.Background()
	home := t.TempDir()
	rec := add(t, written(t, home, "shop", 0))
	picture := filepath.Join(turn.SessionDir(home, "shop"), "parts")
	parts, err := os.ReadDir(picture)
	require.NoError(t, err)
	for _, p := range parts {
		b, err := os.ReadFile(filepath.Join(picture, p.Name()))
		require.NoError(t, err)
		if bytes.Equal(b, rec.Picture) {
			require.NoError(t, os.WriteFile(filepath.Join(picture, p.Name()), b[:len(b)/2], 0o600))
		}
	}
	l := liveEngine(t, home)
	_, _, err = l.OpenSession(ctx, "shop")
	require.NoError(t, err)
	got, err := l.Load(ctx, 1)
	require.NoError(t, err)
	require.Empty(t, got.Picture)
	require.Len(t, got.Payloads, 1)
	require.Contains(t, strings.Join(got.Lacks, "\n"), "it is damaged: its picture")
	shown, err := got.Ready()
	require.NoError(t, err)
	require.NotZero(t, shown.Counts.Refs)

	// Turns that cannot be read are listed by their number, whichever check finds them.
	for range 4 {
		add(t, written(t, home, "shop", 0))
	}
	for _, n := range []string{"0005", "0002", "0004"} {
		require.NoError(t, os.WriteFile(filepath.Join(turn.SessionDir(home, "shop"), "turns", n, "turn.json"), []byte("{}"),
			0o600))
	}
	s, _, err := l.OpenSession(ctx, "shop")
	require.NoError(t, err)
	var damaged []int
	for _, d := range s.Damaged {
		damaged = append(damaged, d.N)
	}
	require.Equal(t, []int{2, 4, 5}, damaged)
	rows, err := l.Sessions(ctx)
	require.NoError(t, err)
	require.Equal(t, [2]int{5, 3}, [2]int{rows[0].Turns, rows[0].Damaged}, "the list of sessions counts all of them")

	require.NoError(t, os.RemoveAll(turn.SessionDir(home, "shop")))
	_, err = l.Load(ctx, 1)
	p := core.ProblemOf(err)
	require.Contains(t, p.Sentence, "is gone")
	require.NotEmpty(t, p.Hint)
}
