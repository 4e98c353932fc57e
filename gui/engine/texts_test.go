package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/core/coretest"
	"github.com/refscope/refscope/snapshot"
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

// TestSearchLosesNothing: what is found is what a reader of whole turns finds that knows of no parts, in sessions whose
// turns share pages and payloads, repeat what was said and have words behind escapes; at once, from any turn on, and
// again.
func TestSearchLosesNothing(t *testing.T) {
	ctx, home := context.Background(), t.TempDir()
	store := written(t, home, "window", 1)
	first, err := store.Load(ctx, 1)
	require.NoError(t, err)
	random := rand.New(rand.NewPCG(40, 7))
	spoken := []string{"harp", "HARP", "h\u00e4rp", "a harp\nand \"strings\"", "\\harp", "<harp>", "zither", ""}
	pick := func() string { return spoken[random.IntN(len(spoken))] }
	for range 60 {
		c := *first.Capture
		c.Nodes = slices.Clone(c.Nodes)
		drawn := slices.IndexFunc(c.Nodes, func(n snapshot.Node) bool { return n.Text != "" && n.Verdict.Rendered() })
		c.Nodes[drawn].Text, c.Nodes[drawn].Value = pick(), pick()
		var payloads []turn.Payload
		for range random.IntN(4) {
			body, err := json.Marshal(map[string]any{"messages": []string{pick(), pick()}, pick() + "?": pick()})
			require.NoError(t, err)
			payloads = append(payloads, turn.Payload{Dialect: wire.OpenAIChat, Way: turn.Request,
				Media: "application/json", Bytes: body})
		}
		_, err := store.Append(ctx, func(*turn.Ledger) (*turn.Record, error) {
			return &turn.Record{Capture: &c, Payloads: payloads}, nil
		})
		require.NoError(t, err)
	}
	list, err := store.Numbers()
	require.NoError(t, err)
	words := []string{"harp", "h\u00e4rp", `"strings"`, `\harp`, "<harp>", "zither", "harp?", "messages",
		"no such word"}
	want, last, found := map[int][]int{}, map[string]bool{}, 0
	for _, n := range list {
		rec, err := store.Load(ctx, n)
		require.NoError(t, err)
		counts := make([]int, len(words))
		count := func(s string) {
			for i, w := range words {
				counts[i] += strings.Count(strings.ToLower(s), w)
				found += counts[i]
			}
		}
		for _, x := range rec.Capture.Nodes {
			for k, s := range []string{x.Text, x.Name, x.Value} {
				if x.Verdict.Rendered() && (k == 0 || s != x.Text) {
					count(s)
				}
			}
		}
		now := map[string]bool{}
		for _, p := range rec.Payloads {
			d := jsontext.NewDecoder(bytes.NewReader(p.Bytes))
			for token, err := d.ReadToken(); err == nil; token, err = d.ReadToken() {
				if s := token.String(); token.Kind() == '"' && len(s) > 1 {
					if !last[s] && !now[s] {
						count(s)
					}
					now[s] = true
				}
			}
		}
		if len(now) > 0 {
			last = now
		}
		want[n] = counts
	}
	require.Positive(t, found)
	require.NoError(t, store.Close())
	l := New(Options{Home: home, Session: "window"})
	defer func() { require.NoError(t, l.Close()) }()
	_, _, err = l.OpenSession(ctx, "")
	require.NoError(t, err)
	for round := range 12 {
		got := map[int][]int{}
		require.NoError(t, l.searchTurns(ctx, 1+round%4, words, func(n, _ int, counts []int) { got[n] = counts }))
		require.Equal(t, want, got, "round %d", round)
		for n := range l.texts.turns { // the next round reads some again
			if random.IntN(2) == 0 {
				delete(l.texts.turns, n)
			}
		}
		if round%3 == 0 {
			clear(l.texts.pages)
		}
	}
}

// TestSearchStreamed: the words of an answer that came as a stream are found, though events cut them.
func TestSearchStreamed(t *testing.T) {
	ctx, home := context.Background(), t.TempDir()
	store := written(t, home, "window", 1)
	first, err := store.Load(ctx, 1)
	require.NoError(t, err)
	var body strings.Builder
	for _, s := range []string{"a harpsi", "chord, ", "please"} {
		fmt.Fprintf(&body, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":%q}}]}\n\n", s)
	}
	_, err = store.Append(ctx, func(*turn.Ledger) (*turn.Record, error) {
		return &turn.Record{Capture: first.Capture, Payloads: []turn.Payload{{Dialect: wire.OpenAIChat,
			Way: turn.Answer, Media: "text/event-stream", Bytes: []byte(body.String())}}}, nil
	})
	require.NoError(t, err)
	require.NoError(t, store.Close())
	l := New(Options{Home: home, Session: "window"})
	defer func() { require.NoError(t, l.Close()) }()
	_, _, err = l.OpenSession(ctx, "")
	require.NoError(t, err)
	var last []int
	require.NoError(t, l.SearchTurns(ctx, []string{"harpsichord"}, func(n, _ int, counts []int) {
		if n == 2 {
			last = counts
		}
	}))
	require.Equal(t, []int{1}, last)
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
