package changes_test

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/png"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/app/apptest"
	"github.com/refscope/refscope/gui/changes"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/core/coretest"
	"github.com/refscope/refscope/gui/timeline"
	"github.com/refscope/refscope/snapshot/turn"
)

// others is an engine with turns of the session in view and of “shop”.
type others struct{ core.Engine }

func (others) Load(_ context.Context, n int) (*core.Recorded, error) { return recorded(n), nil }

func (others) LoadFrom(_ context.Context, session string, n int) (*core.Recorded, error) {
	if session != "shop" {
		return nil, errors.New("the session is unknown")
	}
	return recorded(n), nil
}

func recorded(n int) *core.Recorded {
	var b bytes.Buffer
	_ = png.Encode(&b, image.NewRGBA(image.Rect(0, 0, 200, 100))) // a buffer takes all
	return &core.Recorded{Record: turn.Record{N: n, Capture: apptest.Capture(), Picture: b.Bytes()}}
}

// compareOf is the comparison that is asked for.
func compareOf(t *testing.T, effects []core.Effect) core.Compare {
	t.Helper()
	for _, e := range effects {
		if c, ok := e.(core.Compare); ok {
			return c
		}
	}
	t.Fatalf("no comparison is asked for: %v", effects)
	return core.Compare{}
}

// TestAnyTurnIsTheBase: the turn in view is compared with the one that was chosen, of this session or of another; the
// cards still say what changed since the turn before; the next turn keeps the base, and another session loses it.
func TestAnyTurnIsTheBase(t *testing.T) {
	s := apptest.Long(t, 12)
	s.Current = apptest.TurnOf(9)
	before := s.Session.Turns[8].Change
	pick := func(typed string) []core.Effect {
		t.Helper()
		s, _ = apptest.Step(s, core.CommandChosen{ID: changes.CmdBase})
		require.Equal(t, changes.Dialog, s.Dialog)
		rows := changes.BaseRows(s, typed)
		require.NotEmpty(t, rows, typed)
		var effects []core.Effect
		s, effects = apptest.Step(s, changes.BasePicked{Base: rows[0].Base})
		require.Equal(t, changes.Side, s.Side)
		require.Equal(t, core.DialogNone, s.Dialog)
		return effects
	}
	c := compareOf(t, pick("3"))
	require.Equal(t, 3, c.From)
	s, _ = apptest.Step(s, c.Do(t.Context(), coretest.Worker(others{})))
	require.Equal(t, 3, s.Previous.N)
	require.Equal(t, "Turn 3 to 9", changes.ViewOf(s).Head[0].Text)
	require.Equal(t, before, s.Session.Turns[8].Change)

	c = compareOf(t, pick("shop#4"))
	require.Equal(t, "shop", c.Session)
	s, _ = apptest.Step(s, c.Do(t.Context(), coretest.Worker(others{})))
	require.Equal(t, "Turn 4 of shop to turn 9", changes.ViewOf(s).Head[0].Text)

	c = compareOf(t, pick("gone#4"))
	s, _ = apptest.Step(s, c.Do(t.Context(), coretest.Worker(others{})))
	require.Contains(t, changes.ViewOf(s).List.Empty, "Turn 9 cannot be compared with turn 4 of gone")

	require.Equal(t, 8, compareOf(t, pick("")).From, "the turn before again")
	var effects []core.Effect
	s, effects = apptest.Step(s, timeline.Compared(2))
	require.Equal(t, 2, compareOf(t, effects).From)
	for _, m := range []timeline.Paired{{A: 3, B: 9}, {A: 9, B: 3}} {
		next, effects := apptest.Step(s, m)
		require.Equal(t, 3, compareOf(t, effects).From, "the turn in view with one that is dropped on it, or the reverse")
		require.Equal(t, changes.Side, next.Side)
	}
	next, effects := apptest.Step(s, timeline.Paired{A: 4, B: 3})
	require.Equal(t, 4, apptest.Last[core.LoadTurn](effects).N, "the later one comes into view")
	_, effects = apptest.Step(next, core.TurnLoaded{Task: apptest.Last[core.LoadTurn](effects).Task, N: 4,
		Turn: apptest.TurnOf(4)})
	require.Equal(t, 3, apptest.Last[core.Compare](effects).From)
	_, effects = apptest.Step(s, timeline.Paired{A: 4, B: 4})
	require.Empty(t, effects)

	for _, r := range changes.BaseRows(s, "") {
		require.NotEqual(t, 9, r.Base.N, "a turn is not compared with itself")
	}
	require.Empty(t, changes.BaseRows(s, "no such words"))
	s.Session.Turns = slices.Clone(s.Session.Turns)
	s.Session.Turns[0].URL = "http://127.0.0.1:5555/"
	require.Equal(t, 5, changes.BaseRows(s, "5")[0].Base.N, "a number is a turn and no port")
}
