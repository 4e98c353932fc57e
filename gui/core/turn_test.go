package core_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/app/apptest"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/costs"
	"github.com/refscope/refscope/gui/export"
	"github.com/refscope/refscope/gui/findings"
	"github.com/refscope/refscope/gui/profile"
	"github.com/refscope/refscope/gui/whatif"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/exchange"
)

// TestErrorsBelongToTheirTurn: an error of the page counts in the turn that first shows it.
func TestErrorsBelongToTheirTurn(t *testing.T) {
	at := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	first := &snapshot.Capture{TakenAt: at,
		Console: []snapshot.ConsoleEntry{{Age: 300, Level: "error", Text: "at the start"}}}
	second := &snapshot.Capture{TakenAt: at.Add(5 * time.Second), Console: []snapshot.ConsoleEntry{
		{Age: 5300, Level: "error", Text: "at the start"}, {Age: 200, Level: "error", Text: "after a click"}, {
			Age: 100, Level: "log"}}}
	require.Equal(t, 1, core.NewErrors(first, nil))
	require.Equal(t, 1, core.NewErrors(second, first))
	require.Equal(t, 2, core.NewErrors(second, nil), "where the turn before is not known")
	require.Equal(t, 2, core.CountErrors(second), "the page itself shows two")
}

// TestARowCountsItsOwnErrors: a turn that shows an error of an earlier one has not failed, whether it was surveyed, is
// opened, or is made here; and what its findings differ by stays.
func TestARowCountsItsOwnErrors(t *testing.T) {
	at := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	shown := func(n int) *core.Turn {
		c := apptest.Capture()
		c.TakenAt = at.Add(time.Duration(n) * time.Second)
		c.Console = []snapshot.ConsoleEntry{{Age: float64(n)*1000 - 500, Level: "error", Text: "in turn 1"}}
		return core.NewTurn(n, "wait", c, nil, nil)
	}
	s := apptest.Captured(t)
	s.Current = nil
	s.ListTurn(shown(1), nil)
	s.Current = shown(1)
	require.True(t, s.Session.Turns[0].Failed())
	s.ListTurn(shown(2), nil)
	require.False(t, s.Session.Turns[1].Failed(), "made here, where the turn before is in view")
	s.Current = shown(2)
	s.ListTurn(shown(4), nil)
	require.False(t, s.Session.Turns[2].Failed(), "made here")

	s.Session.Turns[2].Asked = false
	s.Session.Turns[2].Findings = core.FindingChange{Appeared: 1}
	s, effects := apptest.Step(s, core.TurnSeen{N: 4})
	require.Equal(t, 2, apptest.Last[core.Survey](effects).From,
		"a survey of what is known counts from the turn before too")
	s, effects = apptest.Step(s, core.TurnChosen{N: 4})
	s, _ = apptest.Step(s, core.TurnLoaded{Task: apptest.Last[core.LoadTurn](effects).Task, N: 4, Turn: shown(4)})
	require.Equal(t, 4, s.Current.N)
	require.False(t, s.Session.Turns[2].Failed(), "opened")
}

// TestATurnWithoutAPageHasNotChanged: it differs in all from one with a page, and nothing is known of what changed.
func TestATurnWithoutAPageHasNotChanged(t *testing.T) {
	with, without := apptest.TurnOf(1), core.NewTurn(2, "request", &snapshot.Capture{}, nil, nil)
	require.Nil(t, without.ChangeSince(&with.Recorded))
	require.Nil(t, with.ChangeSince(&without.Recorded))
	require.NotNil(t, with.ChangeSince(&with.Recorded))
	with.Capture.TakenAt = time.Unix(1, 0)
	require.Nil(t, with.ChangeSince(&with.Recorded), "one capture for two turns")

	without.Capture.URL = "stdio:"
	require.Empty(t, without.Address(), "a request's address is none of a page")
	require.Equal(t, -1, without.WhyPageless())
	without.Pairing = &exchange.Pairing{Why: "no browser is watched"}
	without.Lacks = []string{"what the answer says is not known: x", without.Pairing.Lack()}
	require.Equal(t, 1, without.WhyPageless())
	without.Lacks = []string{"no page was recorded", "no picture"}
	require.Equal(t, 0, without.WhyPageless())
	with.Lacks = without.Lacks
	require.Equal(t, -1, with.WhyPageless())
}

// TestSidesOfATurnWithoutAPage: nothing is made of the page that it does not have, and no profile is offered for the
// host of its request.
func TestSidesOfATurnWithoutAPage(t *testing.T) {
	without := core.NewTurn(2, "request", &snapshot.Capture{URL: "https://api.example/v1/chat"}, nil, nil)
	for _, side := range []core.Side{costs.Side, whatif.Side, profile.Side, findings.Side} {
		s := apptest.Captured(t)
		s, _ = apptest.Step(s, core.SideChosen(side))
		s, effects := apptest.Step(s, core.Captured{Turn: without, Task: s.StartTask(core.TaskCapture, "Capturing")})
		require.Equal(t, 2, s.Current.N)
		for _, e := range effects {
			switch e.(type) {
			case costs.Map, whatif.Compare, profile.FindProfile:
				t.Errorf("%s asks for %T", side, e)
			}
		}
		require.Equal(t, "No page belongs to this turn.", map[core.Side]string{costs.Side: costs.ViewOf(s).List.Empty,
			whatif.Side: whatif.ViewOf(s).List.Empty, profile.Side: profile.ViewOf(s).Empty,
			findings.Side: findings.ViewOf(s).List.Empty}[side], side)
		require.False(t, whatif.ViewOf(s).Ready)
		for _, e := range []export.Export{{Kind: export.ExportDump, Format: s.Formats[0]},
			{Kind: export.ExportPayload, Dialect: s.Dialects[0]}} {
			require.False(t, export.CanExport(s, e), "%v", e)
		}
	}
}

// TestNearTurnsAreReady: the turn that was left, the one before and the next come into view at the
// key, without waiting for the disk; one far away is loaded.
func TestNearTurnsAreReady(t *testing.T) {
	s := apptest.Captured(t)
	rows := make([]core.TurnRow, 9)
	for i := range rows {
		rows[i].N = i + 1
	}
	s.Session.Turns = rows
	s, effects := apptest.Step(s, core.TurnChosen{N: 5})
	s, effects = apptest.Step(s, core.TurnLoaded{Task: apptest.Last[core.LoadTurn](effects).Task, N: 5,
		Turn: apptest.TurnOf(5)})
	s, effects = apptest.Step(s, core.Compared{Task: apptest.Last[core.Compare](effects).Task,
		Before: apptest.TurnOf(4), Changes: &core.Changes{N: 5}})
	next := apptest.Last[core.Prepare](effects)
	require.Equal(t, 6, next.N)
	s, _ = apptest.Step(s, core.Prepared(next.Session, apptest.TurnOf(6)))
	for _, n := range []int{4, 5, 6} {
		at, _ := apptest.Step(s, core.TurnChosen{N: n})
		require.Equal(t, n, at.Current.N)
		back, _ := apptest.Step(at, core.TurnChosen{N: 5})
		require.Equal(t, 5, back.Current.N, "the one that was left")
	}
	far, effects := apptest.Step(s, core.TurnChosen{N: 8})
	require.Equal(t, 5, far.Current.N)
	require.Equal(t, 8, apptest.Last[core.LoadTurn](effects).N)
	late, _ := apptest.Step(s, core.Prepared(next.Session+1, apptest.TurnOf(8)))
	late, _ = apptest.Step(late, core.TurnChosen{N: 8})
	require.Equal(t, 5, late.Current.N, "a turn of a session that was left is not shown")
}

// TestKeptTurnsAreBounded: of large pages fewer turns stay ready, by their elements in all, and of a page that is
// larger than all that room none is read ahead.
func TestKeptTurnsAreBounded(t *testing.T) {
	of := func(n, elements int) *core.Turn {
		made := *apptest.TurnOf(n)
		c := *made.Capture
		c.Nodes = append(slices.Clone(c.Nodes), make([]snapshot.Node, elements-len(c.Nodes))...)
		made.Capture = &c
		return &made
	}
	for _, tt := range []struct{ elements, ready int }{{100, 2}, {14_000, 2}, {20_000, 1}, {31_000, 0}} {
		t.Run(strconv.Itoa(tt.elements), func(t *testing.T) {
			s := apptest.Captured(t)
			s.Session.Turns = make([]core.TurnRow, 9)
			for i := range s.Session.Turns {
				s.Session.Turns[i].N = i + 1
			}
			s.Current, s.Previous = of(5, tt.elements), nil
			for _, n := range []int{3, 4, 6, 7} {
				s, _ = apptest.Step(s, core.Prepared(s.Session.Opened, of(n, tt.elements)))
			}
			ready := 0
			for _, n := range []int{3, 4, 6, 7} {
				if at, _ := apptest.Step(s, core.TurnChosen{N: n}); at.Current.N == n {
					ready++
				}
			}
			require.Equal(t, tt.ready, ready)
		})
	}
}

// TestAnswersFitBesideTheirSteps: an answer is in lines that its narrow pane shows whole, as it came and formatted, with
// nothing left out.
func TestAnswersFitBesideTheirSteps(t *testing.T) {
	body := `{"status":"error","steps":[{"action":"click","error":"` + strings.Repeat("no such element, ", 30) + `"}]}`
	a := core.NewAnswer([]byte(body))
	for _, d := range []*dump.Document{a.Exact, a.Pretty} {
		for _, l := range d.Lines {
			require.LessOrEqual(t, utf8.RuneCountInString(d.Text[l.Start:l.End]), 40)
		}
	}
	whole := ""
	for _, l := range a.Exact.Lines {
		whole += body[l.Start:l.End]
	}
	require.Equal(t, body, whole)
	require.Greater(t, len(core.NewAnswer([]byte(body)).Exact.Lines), len(core.NewBuilt(core.Built{Body: []byte(body)}).Exact.Lines))
}
