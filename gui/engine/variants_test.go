package engine

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/capture/agent/ask"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/wire"
)

// TestLiveReadsVariants of one turn, and neither turns nor the variants of others.
func TestLiveReadsVariants(t *testing.T) {
	ctx, home := context.Background(), t.TempDir()
	store := written(t, home, "window", 2)
	for _, of := range []int{1, 2, 1} {
		asked, err := store.Load(ctx, of)
		require.NoError(t, err)
		_, err = store.Append(ctx, func(*turn.Ledger) (*turn.Record, error) {
			v := ask.Variant{Asked: ask.Asked{Turn: of, Variant: "answer"}}
			v.Status, v.Answer = 200, &wire.Answer{Text: "done"}
			raw, err := json.Marshal(v)
			return &turn.Record{Capture: asked.Capture, Picture: asked.Picture, Exchange: raw,
				Action: "variant of turn " + string(rune('0'+of)) + ", answer: done"}, err
		})
		require.NoError(t, err)
	}
	require.NoError(t, store.Close())
	l := New(Options{Home: home, Session: "window"})
	defer func() { require.NoError(t, l.Close()) }()
	_, _, err := l.OpenSession(ctx, "")
	require.NoError(t, err)
	found, err := l.Variants(ctx, 1)
	require.NoError(t, err)
	require.Len(t, found.Variants, 2)
	require.Equal(t, 5, found.Variants[1].N)
	require.Equal(t, "done", found.Variants[1].Answer.Text)
	same, err := l.Variants(ctx, 3)
	require.NoError(t, err)
	require.Equal(t, found, same, "turn 3 is a variant of turn 1")
	none, err := l.Variants(ctx, 9)
	require.NoError(t, err)
	require.Empty(t, none.Variants)
}
