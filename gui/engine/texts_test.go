package engine

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/core/coretest"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/wire"
)

// TestSearchTurns finds words of pages and of messages; what a request repeats of the one before is found once, and a
// second search reads nothing from the disk.
func TestSearchTurns(t *testing.T) {
	ctx, home := context.Background(), t.TempDir()
	store := written(t, home, "window", 2)
	for _, said := range []string{`"Buy the ZEPPELIN"`, `"Buy the ZEPPELIN"},{"content":"and a harpsichord\n"`} {
		first, err := store.Load(ctx, 1)
		require.NoError(t, err)
		_, err = store.Append(ctx, func(*turn.Ledger) (*turn.Record, error) {
			return &turn.Record{Capture: first.Capture, Picture: first.Picture, Payloads: []turn.Payload{{
				Dialect: wire.OpenAIChat, Way: turn.Request, Media: "application/json",
				Bytes: []byte(`{"messages":[{"content":` + said + `}]}`)}}}, nil
		})
		require.NoError(t, err)
	}
	require.NoError(t, store.Close())
	l := New(Options{Home: home, Session: "window"})
	defer func() { require.NoError(t, l.Close()) }()
	_, _, err := l.OpenSession(ctx, "")
	require.NoError(t, err)
	find := func() map[int][]int {
		got, last := map[int][]int{}, -1
		require.NoError(t, l.SearchTurns(ctx, []string{"zeppelin", "harpsichord"}, func(n, left int, counts []int) {
			got[n], last = counts, left
		}))
		require.Zero(t, last)
		return got
	}
	got := find()
	require.Len(t, got, 4)
	require.Equal(t, []int{0, 0}, got[1])
	require.Equal(t, []int{1, 0}, got[3])
	require.Equal(t, []int{0, 1}, got[4])
	require.Len(t, l.texts.turns, 4)
	require.Equal(t, got, find())

	// Read ahead, and read on from anywhere: the same.
	for _, lost := range [][]int{{1, 2, 3, 4}, {4}, {2, 4}, {3}} {
		for _, n := range lost {
			delete(l.texts.turns, n)
		}
		require.NoError(t, l.ReadTexts(ctx))
		require.Len(t, l.texts.turns, 4)
		require.Equal(t, got, find())
	}
}

// BenchmarkSearchTurns looks for a word in 2,000 turns: the first time, which reads them from the disk, and then from
// what is kept.
func BenchmarkSearchTurns(b *testing.B) {
	ctx, home := context.Background(), b.TempDir()
	store, err := turn.OpenOrCreate(ctx, turn.Dir(turn.SessionDir(home, "window")), "test")
	require.NoError(b, err)
	for n := range 2000 {
		_, err := store.Append(ctx, func(l *turn.Ledger) (*turn.Record, error) {
			c := coretest.Checkout()
			c.TakenAt = time.Date(2026, 11, 21, 12, n, 0, 0, time.UTC)
			l.Assign("A", l.NextTurn(), c)
			return &turn.Record{Capture: c, Action: "click"}, nil
		})
		require.NoError(b, err)
	}
	require.NoError(b, store.Close())
	l := New(Options{Home: home, Session: "window"})
	defer func() { require.NoError(b, l.Close()) }()
	_, _, err = l.OpenSession(ctx, "")
	require.NoError(b, err)
	find := func() { require.NoError(b, l.SearchTurns(ctx, []string{"order"}, func(int, int, []int) {})) }
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			l.texts = texts{}
			find()
		}
	})
	b.Run("again", func(b *testing.B) {
		for b.Loop() {
			find()
		}
	})
}
