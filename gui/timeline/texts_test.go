package timeline_test

import (
	"context"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/app/apptest"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/core/coretest"
	"github.com/refscope/refscope/gui/timeline"
)

// said is an engine whose turns say words, by number.
type said struct {
	core.Engine
	turns map[int][]string
}

func (e said) ReadTexts(context.Context) error { return nil }

func (e said) SearchTurns(_ context.Context, words []string, each func(n, left int, counts []int)) error {
	left := len(e.turns)
	for n, has := range e.turns {
		left--
		counts := make([]int, len(words))
		for i, w := range words {
			for _, h := range has {
				if h == w {
					counts[i]++
				}
			}
		}
		each(n, left, counts)
	}
	return nil
}

// TestWordsAreLookedForInTheTextsOfTurns: a plain word leaves the turns whose page or messages hold it, with how often;
// words with a meaning of their own are not looked for, and an answer about other words is left out.
func TestWordsAreLookedForInTheTextsOfTurns(t *testing.T) {
	w := coretest.Worker(said{turns: map[int][]string{3: {"kettle", "kettle"}, 7: {"kettle", "mug"}, 9: {"mug"}}})
	s := apptest.Long(t, 12)
	s.Session.Kept = true
	shown := func(s core.State) (out []int) {
		f := timeline.ParseTurnFilter(timeline.Of(s).Filter)
		for _, r := range s.Session.Turns {
			if f.Match(r, s.Session.Remarks[r.N], timeline.Of(s).Hits) {
				out = append(out, r.N)
			}
		}
		return out
	}
	find := func(text string) []int {
		t.Helper()
		var effects []core.Effect
		s, effects = apptest.Step(s, timeline.FilterTyped{Text: text})
		i := slices.IndexFunc(effects, func(e core.Effect) bool { _, ok := e.(core.LatestWork); return ok })
		require.GreaterOrEqual(t, i, 0, text)
		require.Equal(t, "Reading 12 turns…", timeline.ViewOf(s).Note)
		s, _ = apptest.Step(s, effects[i].(core.Work).Do(t.Context(), w))
		require.Empty(t, timeline.ViewOf(s).Note)
		return shown(s)
	}
	require.Equal(t, []int{3, 7}, find("Kettle"))
	require.Equal(t, 2, timeline.Of(s).Hits.Count(timeline.ParseTurnFilter("kettle"), 3))
	require.Equal(t, []int{7}, find("kettle mug"))

	late, effects := apptest.Step(s, timeline.FilterTyped{Text: "mug"})
	answer := effects[0].(core.Work).Do(t.Context(), w)
	late, _ = apptest.Step(late, timeline.FilterTyped{Text: "kettle"}, answer)
	require.Empty(t, shown(late), "the answer was about another word")

	s, effects = apptest.Step(s, timeline.FilterTyped{Text: "#3 good"})
	for _, e := range effects {
		require.NotImplements(t, (*core.LatestWork)(nil), e)
	}
	require.Nil(t, timeline.Of(s).Hits)
}

// TestTextsAreReadAhead: a person who stays at a turn of a long session has its texts read before a word is typed, some
// at a time; a turn that comes into view begins anew, and who goes on is not waited for.
func TestTextsAreReadAhead(t *testing.T) {
	ahead := func(effects []core.Effect) (out []core.LatestWork) {
		for _, e := range effects {
			if l, ok := e.(core.LatestWork); ok && reflect.TypeOf(e).Name() == "readTexts" {
				out = append(out, l)
			}
		}
		return out
	}
	slow := coretest.Worker(slowly{})
	short, effects := apptest.Step(apptest.Long(t, 12), timeline.FilterTyped{})
	require.Empty(t, ahead(effects), "a short session is read while one types")
	require.NotNil(t, short.Current)

	s, effects := apptest.Step(apptest.Long(t, 50), timeline.FilterTyped{})
	first := ahead(effects)
	require.Len(t, first, 1)
	more := first[0].Do(t.Context(), slow)
	s, effects = apptest.Step(s, more)
	next := ahead(effects)
	require.Len(t, next, 1)
	require.Less(t, next[0].Pause(), first[0].Pause())
	require.Nil(t, next[0].Do(t.Context(), coretest.Worker(said{})), "all are read")

	s, effects = apptest.Step(s, timeline.TurnStepped{By: 1})
	require.Empty(t, ahead(effects), "the turn comes first")
	load := effects[len(effects)-1].(core.LoadTurn)
	s, effects = apptest.Step(s, core.TurnLoaded{Task: load.Task, N: 2, Turn: apptest.TurnOf(2)})
	require.Len(t, ahead(effects), 1)
	_, effects = apptest.Step(s, more)
	require.Empty(t, ahead(effects), "the answer was about the turn before")
}

// slowly never comes to the end.
type slowly struct{ said }

func (slowly) ReadTexts(ctx context.Context) error {
	<-ctx.Done()
	return ctx.Err()
}
