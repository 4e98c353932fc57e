package costs_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/app/apptest"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/core/coretest"
	"github.com/refscope/refscope/gui/costs"
)

// mapped has the costs of the turn in view.
func mapped(t *testing.T) core.State {
	t.Helper()
	s, effects := apptest.Step(apptest.Captured(t), core.SideChosen(costs.Side))
	require.Equal(t, "Counting tokens…", costs.ViewOf(s).List.Empty)
	require.Len(t, effects, 1, "it is asked for once")
	s, _ = apptest.Step(s, effects[0].(costs.Map).Do(t.Context(), coretest.Worker(nil)))
	require.Empty(t, costs.ViewOf(s).List.Empty)
	return s
}

func column(s core.State, k int) (out []string) {
	for _, r := range costs.ViewOf(s).List.Rows.List[1:] {
		out = append(out, r.Cells[k])
	}
	return out
}

func TestCostsAreATableThatSorts(t *testing.T) {
	s := mapped(t)
	rows := costs.ViewOf(s).List.Rows.List
	require.Equal(t, core.RowColumns, rows[0].Kind)
	whole := costs.Of(s).Costs.Whole.Tokens
	require.Equal(t, fmt.Sprint(whole), rows[1].Cells[1], "the page comes first and is the whole")
	require.InDelta(t, 1, rows[1].Share, 1e-9)

	s, _ = apptest.Step(s, costs.Grouped(costs.Tags))
	down := column(s, 1)
	s, _ = apptest.Step(s, costs.ViewOf(s).List.Rows.List[0].Sorts[2])
	require.Equal(t, down, column(s, 1), "the costly ones come first")
	s, _ = apptest.Step(s, costs.ViewOf(s).List.Rows.List[0].Sorts[2])
	up := column(s, 1)
	require.Equal(t, down[0], up[len(up)-1], "again turns it round")
	require.Negative(t, costs.ViewOf(s).List.Rows.List[0].Sorted)
}

func TestARegionIsChosen(t *testing.T) {
	s := mapped(t)
	for _, r := range costs.ViewOf(s).List.Rows.List {
		if r.Ref == 3 {
			s, _ = apptest.Step(s, r.Pick)
			require.Equal(t, 3, s.Selected.Ref)
			return
		}
	}
	t.Fatal("the region “Cookies” has no row")
}

func TestCostsFollowTheFormat(t *testing.T) {
	s := mapped(t)
	late := costs.Mapped{Asked: costs.Map{Turn: s.Current, Format: "dddk"}, Costs: costs.Of(s).Costs}
	s.Format = "semantic"
	s, effects := apptest.Step(s, core.SideChosen(costs.Side))
	require.Equal(t, costs.Map{Turn: s.Current, Format: "semantic"}, effects[0])
	s, _ = apptest.Step(s, late)
	require.Nil(t, costs.Of(s).Rows, "of another format")
}
