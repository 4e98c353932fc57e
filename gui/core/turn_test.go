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
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
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
