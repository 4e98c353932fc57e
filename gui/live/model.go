// Package live captures every change of the page automatically.
package live

import (
	"context"
	"fmt"
	"image"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/snapshot/text"
)

// CmdLive captures every change of the page.
const CmdLive = "capture.live"

const keyLive = "U"

// ActionLive is the word in the list of turns for a change that was captured automatically.
const ActionLive = "live"

// Model is the capturing of every change (row U-1).
type Model struct {
	// Watch is the number under which the page is watched, 0 where it is not.
	Watch int
	// Stage is what is in progress, "" while nothing changes; Turns counts what it made.
	Stage string
	Turns int
	// Restless: the page changes at every look, so it is captured every few seconds only.
	Restless bool
}

// captured says that a change became a turn.
type captured struct {
	Watch int
	Turn  *core.Turn
	Thumb image.Image
	Tabs  []core.Tab
}

// WatchPage captures the page of the tab in use each time that it has changed and
// settled, until [core.Cancel] names Watch.
type WatchPage struct{ Watch int }

// cmdCaptureWhole captures the whole page.
const cmdCaptureWhole = "capture.whole"

// ActionWhole is the word in the list of turns for a capture of the whole page.
const ActionWhole = "full page"

// CaptureWhole takes such a turn. [captured] answers.
type CaptureWhole struct{ Task int }

// Engine captures whole pages, and knows when a page has changed.
type Engine interface {
	// Changed reports whether the page of the tab in use is another than in the last turn
	// that was made of it here.
	Changed(ctx context.Context) (bool, error)
	// CaptureWhole is [core.Engine.Capture] of the whole page.
	CaptureWhole(ctx context.Context, progress func(stage string)) (*core.Recorded, error)
}

// Number implements [core.Numbered].
func (e CaptureWhole) Number() int { return e.Task }

// UsesTab implements [core.TabWork].
func (CaptureWhole) UsesTab() {}

// Do implements [core.Work].
func (e CaptureWhole) Do(ctx context.Context, w *core.Worker) core.Msg {
	rec, err := core.EngineOf[Engine](w).CaptureWhole(ctx, w.Progress)
	return w.Captured(ctx, e.Task, rec, err)
}

func commands(core.State) []core.Command {
	return []core.Command{
		{ID: cmdCaptureWhole, Title: "Capture the whole page", Menu: "Page", Key: "Ctrl+Shift+R", Enabled: core.Idle,
			Msg: core.Send(wholeAsked())},
		{ID: CmdLive, Title: "Live: capture every change", Menu: "Page", Key: keyLive, Gap: true,
			Enabled: func(s core.State) bool { return Of(s).Watch != 0 || core.Ready(s) },
			Checked: func(s core.State) bool { return Of(s).Watch != 0 }, Msg: core.Send(toggled())},
	}
}

// wholeAsked takes a turn of the whole page, and not of the window's part of it.
func wholeAsked() core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		s, effects := s.Capture(ActionWhole)
		for i, e := range effects {
			if c, ok := e.(core.Capture); ok {
				effects[i] = CaptureWhole{c.Task}
			}
		}
		return s, effects
	})
}

// toggled switches the capturing of changes.
func toggled() core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		switch {
		case Of(s).Watch != 0:
			return stop(s)
		case s.Session.ReadOnly:
			s.Notice = &core.Notice{Tone: core.ToneWarn,
				Text: "This session is read only; changes cannot become turns in it.",
				Hint: "Open another session first.", Command: core.CmdSessions, Source: core.TaskCapture}
			return s, nil
		case !core.Ready(s):
			s.Notice = &core.Notice{Tone: core.ToneWarn, Text: "Chrome is not running, so there is nothing to watch.",
				Hint: "Start it.", Command: core.CmdStartBrowser, Source: core.TaskLaunch}
			return s, nil
		}
		s.TaskSeq++
		*edit(&s) = Model{Watch: s.TaskSeq}
		return s, []core.Effect{WatchPage{Of(s).Watch}}
	})
}

// stop ends the capturing of changes.
func stop(s core.State) (core.State, []core.Effect) {
	if Of(s).Watch == 0 {
		return s, nil
	}
	watch := Of(s).Watch
	*edit(&s) = Model{}
	return s, []core.Effect{core.Cancel{Task: watch}}
}

// staged says that the watch has come to another stage.
func staged(watch int, stage string) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		if watch == Of(s).Watch && watch != 0 {
			edit(&s).Stage = stage
		}
		return s, nil
	})
}

// paced says that the page never settles, or does again.
func paced(watch int, restless bool) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		if watch == Of(s).Watch && watch != 0 {
			edit(&s).Restless = restless
		}
		return s, nil
	})
}

// Apply lists the turn, and brings it into view where new turns do.
func (m captured) Apply(s core.State) (core.State, []core.Effect) {
	if m.Watch != Of(s).Watch || m.Watch == 0 || m.Turn == nil {
		return s, nil
	}
	if m.Tabs != nil {
		s.Browser.Tabs = m.Tabs
	}
	edit(&s).Turns++
	edit(&s).Stage = ""
	switch {
	case s.Follow == core.FollowOn && s.Dialog == core.DialogNone:
		return s.ShowNew(m.Turn, m.Thumb, m.Tabs)
	case s.Follow != core.FollowOff:
		s.Follow = core.FollowPaused
		s.UnseenTurns++
	}
	s.ListTurn(m.Turn, m.Thumb)
	return s, nil
}

// ended says that the page cannot be watched any more.
func ended(watch int, problem *core.Problem) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		if watch != Of(s).Watch || watch == 0 {
			return s, nil
		}
		*edit(&s) = Model{}
		if problem != nil && !problem.Canceled {
			s.Complain(core.TaskCapture, problem)
			if n := s.Notice; n != nil && n.Hint == "" && !problem.BrowserGone {
				n.Hint = "Live is off; " + keyLive + " switches it on again."
			}
		}
		return s, nil
	})
}

// ViewOf is the switch for live captures over the picture.
func ViewOf(s core.State) core.SwitchVM {
	on := Of(s).Watch != 0
	v := core.SwitchVM{Text: "Live", On: on, CanToggle: on || core.Ready(s) && !s.Session.ReadOnly}
	if v.On {
		v.Text = "● Live"
		switch {
		case Of(s).Stage != "":
			v.Text += " · " + Of(s).Stage
		case Of(s).Turns > 0:
			v.Text += " · " + text.Count(Of(s).Turns, "turn", "turns")
		}
		if Of(s).Restless {
			v.Text += fmt.Sprintf(" · never settles, a look every %d s", int(slow.Seconds()))
		}
	}
	return v
}

// Room is the capturing of every change.
func Room() core.Room {
	return core.Room{Name: "live", Commands: commands, SessionClosed: stop, BrowserChanged: stop}
}

// Of is the model of the room.
func Of(s core.State) Model { return core.Of[Model](s) }

func edit(s *core.State) *Model { return core.Edit[Model](s) }
