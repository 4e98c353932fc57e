package engine

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/core/coretest"
	"github.com/refscope/refscope/snapshot/runs"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/wire"
)

// TestLiveComparesRuns compares the session in view with one on disk, whose second turn shows
// another page.
func TestLiveComparesRuns(t *testing.T) {
	ctx, home := context.Background(), t.TempDir()
	require.NoError(t, written(t, home, "window", 2).Close())
	other := written(t, home, "other", 1)
	_, err := other.Append(ctx, func(l *turn.Ledger) (*turn.Record, error) {
		c := coretest.Checkout()
		c.Nodes[len(c.Nodes)-1].Name = "Something else"
		c.Nodes = append(c.Nodes, c.Nodes[len(c.Nodes)-1])
		c.Nodes[len(c.Nodes)-1].I++
		l.Assign("A", l.NextTurn(), c)
		return &turn.Record{Capture: c, Picture: coretest.Picture(c), Action: "click"}, nil
	})
	require.NoError(t, err)
	require.NoError(t, other.Close())

	l := New(Options{Home: home, Session: "window"})
	defer func() { require.NoError(t, l.Close()) }()
	_, _, err = l.CompareRuns(ctx, "other")
	require.ErrorContains(t, err, "in memory only")
	_, _, err = l.OpenSession(ctx, "")
	require.NoError(t, err)
	_, err = l.LoadSecond(ctx, 1)
	require.ErrorContains(t, err, "no second session")
	_, _, err = l.CompareRuns(ctx, "nothing")
	require.ErrorIs(t, err, core.ErrNoSession)

	for range 2 { // the store of the first comparison is closed by the second
		s, c, err := l.CompareRuns(ctx, " other ")
		require.NoError(t, err)
		require.Equal(t, "other", s.Name)
		require.Len(t, s.Turns, 2)
		require.Equal(t, 1, c.First)
		require.Equal(t, runs.Page, c.Divergence().Cause)
	}
	for _, second := range []bool{false, true} {
		_, err = l.LabelRun(ctx, second, "page", "the last line is new")
		require.NoError(t, err)
	}
	_, c, err := l.CompareRuns(ctx, "other")
	require.NoError(t, err)
	require.Equal(t, "page", c.LabelA.Label)
	require.Equal(t, "the last line is new", c.LabelB.Note)
	rec, err := l.LoadSecond(ctx, 2)
	require.NoError(t, err)
	require.Equal(t, 2, rec.N)
}

// TestLiveNamesTheTurnsOfTheOtherRun: the turns of both runs are told by what the agent did.
func TestLiveNamesTheTurnsOfTheOtherRun(t *testing.T) {
	t.Run("the bytes of the wire", func(t *testing.T) { namesTheTurns(t, true) })
	t.Run("bytes written again, as of an imported recording", func(t *testing.T) { namesTheTurns(t, false) })
}

func namesTheTurns(t *testing.T, onWire bool) {
	ctx, home := context.Background(), t.TempDir()
	require.NoError(t, written(t, home, "window", 1).Close())
	other := written(t, home, "other", 1)
	_, err := other.Append(ctx, func(l *turn.Ledger) (*turn.Record, error) {
		c := coretest.Checkout()
		l.Assign("A", l.NextTurn(), c)
		return &turn.Record{Capture: c, Picture: coretest.Picture(c), Action: "ask m: click", Payloads: []turn.Payload{
			{Dialect: wire.OpenAIChat, Way: turn.Request, Wire: onWire,
				Bytes: []byte(`{"model":"m","messages":[{"role":"user","content":"Go on"}]}`)},
			{Dialect: wire.OpenAIChat, Way: turn.Answer, Wire: onWire,
				Bytes: []byte(`{"choices":[{"message":{"role":"assistant","content":"Done"}}]}`)}}}, nil
	})
	require.NoError(t, err)
	require.NoError(t, other.Close())
	l := New(Options{Home: home, Session: "window"})
	defer func() { require.NoError(t, l.Close()) }()
	_, _, err = l.OpenSession(ctx, "")
	require.NoError(t, err)
	s, _, err := l.CompareRuns(ctx, "other")
	require.NoError(t, err)
	require.NotNil(t, s.Turns[1].Story)
	require.NotEmpty(t, s.Turns[1].Story.Did)
}
