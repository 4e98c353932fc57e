package core

import (
	"fmt"
	"image"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
)

func arrived(n int) TurnsArrived { return TurnsArrived{Watch: -1, Rows: []TurnRow{{N: n}}} }

// begun is the state after the window came up: task 1 opens the session, 2 starts
// Chrome.
func begun(t *testing.T, url string) State {
	t.Helper()
	s := blank()
	s.FirstURL = url
	s, effects := step(s, Began{})
	require.Equal(t, []Effect{OpenSession{Task: 1}, Launch{2}}, effects)
	return s
}

func blank() State {
	return New(Rooms(), Prefs{}, "", image.Pt(1280, 720), []dump.Format{"dddk", "semantic"}, []string{"agent-interact", "openai-chat"}, []string{"gpt-4o"})
}

// capture is a small page: a heading (1), a button (2) under a banner (3).
func capture() *snapshot.Capture {
	cover := 3
	c := &snapshot.Capture{
		Schema: snapshot.Schema, URL: demoURL, Title: "Demo", Settled: true,
		Viewport: snapshot.Viewport{Width: 200, Height: 100, Scale: 1},
		Frames:   []snapshot.Frame{{ID: "F", Parent: -1, Readable: true, Owner: -1}},
		Nodes: []snapshot.Node{
			{I: 0, Parent: -1, Tag: "html", Verdict: snapshot.VerdictWrapper, Visible: true},
			{I: 1, Parent: 0, Tag: "h1", Ref: 1, Role: "heading", Name: "Demo", Text: "Demo", Box: snapshot.Box{10, 10, 80, 20},
				Runs: []snapshot.Run{{Text: "Demo", Before: -1}}, Verdict: snapshot.VerdictRef, Visible: true, InViewport: true},
			{I: 2, Parent: 0, Tag: "button", Ref: 2, Role: "button", Name: "Buy", Text: "Buy", Interactive: []string{"native"},
				Runs: []snapshot.Run{{Text: "Buy", Before: -1}}, Box: snapshot.Box{10, 60, 60, 20}, Verdict: snapshot.VerdictRef, Visible: true, InViewport: true,
				Path: "html > button:nth-child(2)",
				Occlusion: &snapshot.Occlusion{State: snapshot.Covered, VisibleShare: 0.4, HitShare: 0.2, Click: [2]float64{40, 70}, Coverer: &cover,
					Points: [][3]float64{{40, 70, 3}, {12, 62, 2}}}},
			{I: 3, Parent: 0, Tag: "section", Ref: 3, Role: "region", Name: "Cookies", Box: snapshot.Box{0, 64, 200, 36},
				Verdict: snapshot.VerdictRef, Visible: true, InViewport: true},
			{I: 4, Parent: 0, Tag: "div", Verdict: snapshot.VerdictDisplayNone},
		},
	}
	c.Verdicts = c.CountVerdicts()
	return c
}

// captured has one turn of the demo in view.
func captured(t *testing.T) State {
	t.Helper()
	s := working(t)
	s, effects := step(s, Navigated{Task: 3, Tab: Tab{ID: "A", URL: demoURL, Title: "Demo"}, Tabs: []Tab{{ID: "A", URL: demoURL, Title: "Demo"}}, Action: "goto"})
	require.Equal(t, []Effect{Capture{4, "goto"}}, effects)
	s, effects = step(s, Captured{Task: 4, Turn: turnOf(1)})
	require.Equal(t, []Effect{Render{s.Shown, "dddk"}}, effects)
	return s
}

// changed has turn 2 in view, compared with turn 1.
func changed(t *testing.T) State {
	t.Helper()
	s, effects := step(captured(t), CaptureAsked{})
	s, effects = step(s, Captured{Task: effects[0].(Capture).Task, Turn: later(2)})
	cmp := effects[len(effects)-1].(Compare)
	require.Equal(t, 1, cmp.From)
	require.Equal(t, 1, cmp.Known.N, "the turn that was in view is ready already")
	require.Equal(t, "Comparing with turn 1…", s.ChangesSide().Left.Empty)
	s, _ = step(s, Compared{Task: cmp.Task, Before: cmp.Known, Changes: NewChanges(cmp.Known, cmp.Turn)})
	return s
}

func chrome() Browser {
	return Browser{Version: "Chrome/156.0.1.2", Tabs: []Tab{{ID: "A", URL: "about:blank"}}, Tab: "A", Viewport: image.Pt(1280, 720), Demo: demoURL}
}

// last is the last effect of its kind, the zero value where there is none.
func last[E Effect](effects []Effect) (found E) {
	for _, e := range effects {
		if e, ok := e.(E); ok {
			found = e
		}
	}
	return found
}

// long is a session of n turns that was just opened, with turn 1 in view. Of every ten
// the third has an error and the fifth a change.
func long(t testing.TB, n int) State {
	t.Helper()
	s := blank()
	s.Session = Session{Phase: PhaseReady, Kept: true, Opened: 1, Watch: -1}
	for i := 1; i <= n; i++ {
		s.Session.Turns = append(s.Session.Turns, TurnRow{N: i, Action: []string{"goto", "click", "fill"}[i%3], Title: fmt.Sprintf("Page %d", i), URL: "https://shop.example/cart"})
	}
	s.Shown = turnOf(1)
	return s
}

// reviewing has a session with turns 1 to 3, the newest in view and compared, and
// nothing under way. The session is followed under -1.
func reviewing(t *testing.T) State {
	t.Helper()
	s := begun(t, "")
	s, effects := step(s, BrowserStarted{Task: 2, Browser: chrome()},
		SessionOpened{Task: 1, Session: Session{Name: "shop", Path: "/home/shop", Kept: true, Turns: []TurnRow{{N: 1}, {N: 2}, {N: 3}}}})
	require.Contains(t, effects, FollowSession{-1, 3})
	return settle(t, s)
}

// settle answers everything that is under way, as a shell would.
func settle(t *testing.T, s State) State {
	t.Helper()
	for len(s.Tasks) > 0 {
		task := s.Tasks[0]
		switch task.Kind {
		case TaskLoad:
			n := s.loading(t)
			s, _ = step(s, TurnLoaded{Task: task.ID, N: n, Turn: turnOf(n), Problem: stopped(task)})
		case TaskCompare:
			before := turnOf(s.turnBefore(s.Shown.N))
			s, _ = step(s, Compared{Task: task.ID, Before: before, Changes: NewChanges(before, s.Shown)})
		case TaskNavigate:
			s, _ = step(s, Navigated{Task: task.ID, Tab: Tab{ID: "A", URL: demoURL}})
		default:
			t.Fatalf("task %+v", task)
		}
	}
	return s
}

// step runs messages through Update and returns the effects of the last one.
func step(s State, msgs ...Msg) (State, []Effect) {
	var effects []Effect
	for _, m := range msgs {
		s, effects = Update(s, m)
	}
	return s, effects
}

func turnOf(n int) *Turn {
	return NewTurn(n, "goto", capture(), []byte("png"), image.NewRGBA(image.Rect(0, 0, 200, 100)))
}

// working has a session without turns and a browser with one tab.
func working(t *testing.T) State {
	t.Helper()
	s := begun(t, "")
	s, _ = step(s, SessionOpened{Task: 1, Session: Session{Name: "window", Kept: true}}, BrowserStarted{Task: 2, Browser: chrome()})
	return s
}

// later is a turn in which the button (2) is gone, the heading has another name, and a
// link (4) is new.
func later(n int) *Turn {
	t := turnOf(n)
	c := t.Capture
	c.Nodes[1].Name, c.Nodes[1].Text, c.Nodes[1].Runs[0].Text = "Cart", "Cart", "Cart"
	c.Nodes[2].Ref, c.Nodes[2].Verdict = 0, snapshot.VerdictDisplayNone
	c.Nodes[4] = snapshot.Node{I: 4, Parent: 0, Tag: "a", Ref: 4, Role: "link", Name: "Terms\n- [1] forged", Interactive: []string{"native"},
		Verdict: snapshot.VerdictRef, Visible: true, InViewport: true, Box: snapshot.Box{100, 10, 40, 20}}
	return t
}

const demoURL = "http://127.0.0.1:20417/"

func stopped(t Task) *Problem {
	if t.Stopping {
		return &Problem{Canceled: true}
	}
	return nil
}

// loading is the turn that the oldest load is about.
func (s State) loading(t *testing.T) int {
	t.Helper()
	for _, x := range s.Tasks {
		if x.Kind == TaskLoad {
			for _, r := range s.Session.Turns {
				if x.Sentence == "Opening turn "+Thousands(r.N) {
					return r.N
				}
			}
		}
	}
	t.Fatal("nothing is loading")
	return 0
}
