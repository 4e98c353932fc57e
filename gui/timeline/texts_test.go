package timeline_test

import (
	"context"
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
