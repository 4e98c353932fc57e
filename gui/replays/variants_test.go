package replays_test

import (
	"context"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/app/apptest"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/core/coretest"
	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/gui/picture"
	"github.com/refscope/refscope/gui/replays"
	"github.com/refscope/refscope/snapshot/doctor"
	"github.com/refscope/refscope/snapshot/wire"
)

type engine struct {
	core.Engine
	found replays.Found
}

func (e engine) Variants(context.Context, int) (replays.Found, error) { return e.found, nil }

func (e engine) Quote(_ context.Context, _ int, a replays.Again) (*replays.Quote, error) {
	q := &replays.Quote{Host: "api.example", Model: "m-1", Tokens: 11808, Counted: !a.Build, Output: 214,
		Needed: a.Endpoint == ""}
	if a.Model != "" {
		q.Model, q.Changes = a.Model, []string{"model: m-1 -> " + a.Model}
	}
	return q, nil
}

func (e engine) Ask(_ context.Context, _ int, a replays.Again, _ func(string)) (count, failed int, err error) {
	return a.N, 1, nil
}

// clicks is a variant whose answer clicks an element.
func clicks(n, node int, name string) replays.Variant {
	v := replays.Variant{N: n, Name: name, Model: "m\u202e", Status: 200, Ms: 12, Answer: &wire.Answer{
		Calls: []wire.ToolCall{{Name: "click", Arguments: []byte(`{"ref":2}`)}}, Usage: wire.Usage{Input: 1234, Output: 5}},
		Report: &doctor.Report{Targets: []doctor.Target{{Action: wire.Action{Verb: "click", Ref: "2"}, Node: node}}}}
	return v
}

func TestVariantsAreGradedAndDrawn(t *testing.T) {
	s := apptest.Captured(t)
	right, other := s.Current.Capture.ByRef(3), s.Current.Capture.ByRef(2)
	e := engine{found: replays.Found{Recorded: 3, Variants: []replays.Variant{clicks(7, right.I, "as recorded"),
		clicks(8, other.I, "small"), {N: 9, Name: "broken", Status: 500, Error: "no whole answer"}}}}
	s, effects := apptest.Step(s, core.SideChosen(replays.Side))
	require.Contains(t, replays.ViewOf(s).List.Empty, "Looking")
	s, _ = apptest.Step(s, effects[0].(core.Work).Do(t.Context(), coretest.Worker(e)))
	rows := replays.ViewOf(s).List.Rows.List
	require.Equal(t, "3 answers, 1 of 2 on the right element", rows[0].Title)
	require.False(t, replays.ViewOf(s).CanMark)
	require.Equal(t, "Select the right element to grade the answers.", replays.ViewOf(s).Hint)
	require.Equal(t, []string{"hits", "12", "1,234", "5"}, rows[2].Cells)
	require.NotContains(t, rows[2].Aside, "\u202e")
	require.Equal(t, "hits another", rows[3].Cells[0])
	require.Equal(t, "no whole answer", rows[4].Body)
	require.Equal(t, core.TurnChosen{N: 8}, rows[3].Do)
	require.Equal(t, core.PickOf(other.I, 2), rows[3].Pick)

	// Both answers are on the picture while the side is in view.
	p := picture.ViewOf(s).Points
	require.Len(t, p.Points, 2)
	require.Equal(t, "2 click", p.Points[1].Label)
	away, _ := apptest.Step(s, core.SideChosen(core.SideText))
	require.Nil(t, picture.ViewOf(away).Points)

	// A person marks another element as the right one.
	s, _ = apptest.Step(s, core.Picked{Ref: 2, Source: core.PanePicture}, core.CommandChosen{ID: replays.CmdMark})
	rows = replays.ViewOf(s).List.Rows.List
	require.Equal(t, "hits another", rows[2].Cells[0])
	require.Equal(t, "hits, covered", rows[3].Cells[0])
	require.Contains(t, replays.ViewOf(s).Right, "Right element")
	require.True(t, replays.ViewOf(s).CanMark)
	require.Empty(t, replays.ViewOf(s).Hint)

	test.NewTempApp(t)
	var ran []string
	v := replays.New(&parts.Window{Send: func(core.Msg) {}, Run: func(id string) { ran = append(ran, id) }})
	test.NewTempWindow(t, v.Object()).Resize(fyne.NewSize(520, 700))
	v.Show(s)
	require.NotNil(t, v.Focus())
}

func TestATurnWithoutVariantsSaysHowToAsk(t *testing.T) {
	empty := func(s core.State) core.State {
		s, effects := apptest.Step(s, core.SideChosen(replays.Side))
		s, _ = apptest.Step(s, effects[0].(core.Work).Do(t.Context(), coretest.Worker(engine{})))
		return s
	}
	require.Contains(t, replays.ViewOf(empty(sentTo(t))).List.Empty, "Ask again…")
	s := empty(apptest.Captured(t))
	require.Contains(t, replays.ViewOf(s).List.Empty, "holds no request")
	require.False(t, replays.ViewOf(s).CanAsk)
	require.Empty(t, replays.ViewOf(s).Right)
	require.Empty(t, replays.ViewOf(s).Hint)
	require.False(t, replays.ViewOf(s).Graded, "there is nothing to mark an element for")
}
