package apptest

import (
	"fmt"
	"image"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/app"
	"github.com/refscope/refscope/gui/changes"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/findings"
	textroom "github.com/refscope/refscope/gui/text"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/text"
)

// Arrived is the news of a turn of that number on disk.
func Arrived(n int) core.TurnsArrived {
	return core.TurnsArrived{Watch: -1, Rows: []core.TurnRow{{N: n}}}
}

// Begun is the state after the window came up: task 1 opens the session, 2 starts
// Chrome.
func Begun(t *testing.T, url string) core.State {
	t.Helper()
	s := Blank()
	s.FirstURL = url
	s, effects := Step(s, core.Began{})
	require.Equal(t, []core.Effect{core.OpenSession{Task: 1}, core.Launch{Task: 2}}, effects)
	return s
}

// Blank is the state before anything has happened.
func Blank() core.State {
	return core.New(app.Rooms(), core.Prefs{}, "", image.Pt(1280, 720), []dump.Format{"dddk", "semantic"},
		[]string{"agent-interact", "openai-chat"}, []string{"gpt-4o"})
}

// Capture is a small page: a heading (1), a button (2) under a banner (3).
func Capture() *snapshot.Capture {
	cover := 3
	c := &snapshot.Capture{
		Schema: snapshot.Schema, URL: DemoURL, Title: "Demo", Settled: true,
		Viewport: snapshot.Viewport{Width: 200, Height: 100, Scale: 1},
		Frames:   []snapshot.Frame{{ID: "F", Parent: -1, Readable: true, Owner: -1}},
		Nodes: []snapshot.Node{
			{I: 0, Parent: -1, Tag: "html", Verdict: snapshot.VerdictWrapper, Visible: true},
			{I: 1, Parent: 0, Tag: "h1", Ref: 1, Role: "heading", Name: "Demo", Text: "Demo",
				Box:  snapshot.Box{10, 10, 80, 20},
				Runs: []snapshot.Run{{Text: "Demo", Before: -1}}, Verdict: snapshot.VerdictRef, Visible: true,
				InViewport: true},
			{I: 2, Parent: 0, Tag: "button", Ref: 2, Role: "button", Name: "Buy", Text: "Buy",
				Interactive: []string{"native"},
				Runs:        []snapshot.Run{{Text: "Buy", Before: -1}}, Box: snapshot.Box{10, 60, 60, 20},
				Verdict: snapshot.VerdictRef, Visible: true, InViewport: true,
				Path: "html > button:nth-child(2)",
				Occlusion: &snapshot.Occlusion{State: snapshot.Covered, VisibleShare: 0.4, HitShare: 0.2,
					Click: [2]float64{40, 70}, Coverer: &cover,
					Points: [][3]float64{{40, 70, 3}, {12, 62, 2}}}},
			{I: 3, Parent: 0, Tag: "section", Ref: 3, Role: "region", Name: "Cookies",
				Box:     snapshot.Box{0, 64, 200, 36},
				Verdict: snapshot.VerdictRef, Visible: true, InViewport: true},
			{I: 4, Parent: 0, Tag: "div", Verdict: snapshot.VerdictDisplayNone},
		},
	}
	c.Verdicts = c.CountVerdicts()
	return c
}

// Captured has one turn of the demo in view.
func Captured(t *testing.T) core.State {
	t.Helper()
	s := Working(t)
	s, effects := Step(s, core.Navigated{Task: 3, Tab: core.Tab{ID: "A", URL: DemoURL, Title: "Demo"},
		Tabs: []core.Tab{{ID: "A", URL: DemoURL, Title: "Demo"}}, Action: "goto"})
	require.Equal(t, []core.Effect{core.Capture{Task: 4, Action: "goto"}}, effects)
	s, effects = Step(s, core.Captured{Task: 4, Turn: TurnOf(1)})
	require.Equal(t, []core.Effect{textroom.Render{Turn: s.Current, Format: "dddk"}}, effects)
	return s
}

// Changed has turn 2 in view, compared with turn 1.
func Changed(t *testing.T) core.State {
	t.Helper()
	s, effects := Step(Captured(t), core.CaptureAsked{})
	s, effects = Step(s, core.Captured{Task: effects[0].(core.Capture).Task, Turn: Later(2)})
	cmp := effects[len(effects)-1].(core.Compare)
	require.Equal(t, 1, cmp.From)
	require.Equal(t, 1, cmp.Known.N, "the turn that was in view is ready already")
	require.Equal(t, "Comparing with turn 1…", changes.ViewOf(s).Left.Empty)
	s, _ = Step(s, core.Compared{Task: cmp.Task, Before: cmp.Known, Changes: core.NewChanges(cmp.Known, cmp.Turn)})
	return s
}

// Chrome is a running browser with a tab.
func Chrome() core.Browser {
	return core.Browser{Version: "Chrome/156.0.1.2", Tabs: []core.Tab{{ID: "A", URL: "about:blank"}}, Tab: "A",
		Viewport: image.Pt(1280, 720), Demo: DemoURL}
}

// Last is the last effect of its kind, the zero value where there is none.
func Last[E core.Effect](effects []core.Effect) (found E) {
	for _, e := range effects {
		if e, ok := e.(E); ok {
			found = e
		}
	}
	return found
}

// Long is a session of n turns that was just opened, with turn 1 in view. Of every ten
// the third has an error and the fifth a change.
func Long(t testing.TB, n int) core.State {
	t.Helper()
	s := Blank()
	s.Session = core.Session{Phase: core.PhaseReady, Kept: true, Opened: 1, Watch: -1}
	for i := 1; i <= n; i++ {
		s.Session.Turns = append(s.Session.Turns, core.TurnRow{N: i, Action: []string{"goto", "click", "fill"}[i%3],
			Title: fmt.Sprintf("Page %d", i), URL: "https://shop.example/cart"})
	}
	s.Current = TurnOf(1)
	return s
}

// Reviewing has a session with turns 1 to 3, the newest in view and compared, and
// nothing in progress. The session is followed under -1.
func Reviewing(t *testing.T) core.State {
	t.Helper()
	s := Begun(t, "")
	s, effects := Step(s, core.BrowserStarted{Task: 2, Browser: Chrome()},
		core.SessionOpened{Task: 1, Session: core.Session{Name: "shop", Path: "/home/shop", Kept: true,
			Turns: []core.TurnRow{{N: 1}, {N: 2}, {N: 3}}}})
	require.Contains(t, effects, core.FollowSession{Watch: -1, After: 3})
	return Settle(t, s)
}

// Settle answers everything that is in progress, as a shell would.
func Settle(t *testing.T, s core.State) core.State {
	t.Helper()
	for len(s.Tasks) > 0 {
		task := s.Tasks[0]
		switch task.Kind {
		case core.TaskLoad:
			n := loading(s, t)
			s, _ = Step(s, core.TurnLoaded{Task: task.ID, N: n, Turn: TurnOf(n), Problem: stopped(task)})
		case core.TaskCompare:
			before := TurnOf(s.TurnBefore(s.Current.N))
			s, _ = Step(s, core.Compared{Task: task.ID, Before: before, Changes: core.NewChanges(before, s.Current)})
		case core.TaskNavigate:
			s, _ = Step(s, core.Navigated{Task: task.ID, Tab: core.Tab{ID: "A", URL: DemoURL}})
		default:
			t.Fatalf("task %+v", task)
		}
	}
	return s
}

// Step runs messages through Update and returns the effects of the last one, but for what is done
// ahead of any request, which comes with whatever message is first about a turn.
func Step(s core.State, msgs ...core.Msg) (core.State, []core.Effect) {
	var effects []core.Effect
	for _, m := range msgs {
		s, effects = core.Update(s, m)
	}
	return s, slices.DeleteFunc(effects, func(e core.Effect) bool { _, ahead := e.(findings.AuditAhead); return ahead })
}

// TurnOf is a turn of that number.
func TurnOf(n int) *core.Turn {
	return core.NewTurn(n, "goto", Capture(), []byte("png"), image.NewRGBA(image.Rect(0, 0, 200, 100)))
}

// Working has a session without turns and a browser with one tab.
func Working(t *testing.T) core.State {
	t.Helper()
	s := Begun(t, "")
	s, _ = Step(s, core.SessionOpened{Task: 1, Session: core.Session{Name: "window", Kept: true}},
		core.BrowserStarted{Task: 2, Browser: Chrome()})
	return s
}

// Later is a turn in which the button (2) is gone, the heading has another name, and a
// link (4) is new.
func Later(n int) *core.Turn {
	t := TurnOf(n)
	c := t.Capture
	c.Nodes[1].Name, c.Nodes[1].Text, c.Nodes[1].Runs[0].Text = "Cart", "Cart", "Cart"
	c.Nodes[2].Ref, c.Nodes[2].Verdict = 0, snapshot.VerdictDisplayNone
	c.Nodes[4] = snapshot.Node{I: 4, Parent: 0, Tag: "a", Ref: 4, Role: "link", Name: "Terms\n- [1] forged",
		Interactive: []string{"native"},
		Verdict:     snapshot.VerdictRef, Visible: true, InViewport: true, Box: snapshot.Box{100, 10, 40, 20}}
	return t
}

const DemoURL = "http://127.0.0.1:20417/"

func stopped(t core.Task) *core.Problem {
	if t.Stopping {
		return &core.Problem{Canceled: true}
	}
	return nil
}

// loading is the turn that the oldest load is about.
func loading(s core.State, t *testing.T) int {
	t.Helper()
	for _, x := range s.Tasks {
		if x.Kind == core.TaskLoad {
			for _, r := range s.Session.Turns {
				if x.Sentence == "Opening turn "+text.Thousands(r.N) {
					return r.N
				}
			}
		}
	}
	t.Fatal("nothing is loading")
	return 0
}
