package core_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/core"
)

type pair struct{ A, B int }

// setPair edits the model twice in one statement: both calls run before the first write.
type setPair pair

func (m setPair) Apply(s core.State) (core.State, []core.Effect) {
	core.Edit[pair](&s).A, core.Edit[pair](&s).B = m.A, m.B
	return s, nil
}

func TestEditKeepsEveryWriteOfAnUpdateAndNoOlderState(t *testing.T) {
	first, _ := core.Update(core.State{}, setPair{1, 2})
	second, _ := core.Update(first, setPair{3, 4})
	require.Equal(t, pair{1, 2}, core.Of[pair](first), "an older state stays what it was")
	require.Equal(t, pair{3, 4}, core.Of[pair](second))

	third := second
	core.Edit[pair](&third).A = 5
	require.Equal(t, pair{3, 4}, core.Of[pair](second), "outside an update each edit copies")
	require.Equal(t, pair{5, 4}, core.Of[pair](third))
}
