package core

import "image"

// CmdLive captures every change of the page.
const CmdLive = "capture.live"

const keyLive = "U"

// ActionLive is the word in the list of turns for a change that was captured by itself.
const ActionLive = "live"

// LivePane is the capturing of every change (row U-1).
type LivePane struct {
	// Watch is the number under which the page is watched, 0 where it is not.
	Watch int
	// Stage is what goes on, "" while nothing changes; Turns counts what it made.
	Stage string
	Turns int
}

// LiveToggled switches the capturing of changes.
type LiveToggled struct{}

// LiveStaged: the watch has come to another stage.
type LiveStaged struct {
	Watch int
	Stage string
}

// LiveCaptured: a change became a turn.
type LiveCaptured struct {
	Watch int
	Turn  *Turn
	Thumb image.Image
	Tabs  []Tab
}

// LiveEnded: the page cannot be watched any more.
type LiveEnded struct {
	Watch   int
	Problem *Problem
}

// WatchPage captures the page of the tab in use each time that it has changed and
// settled, until [Cancel] names Watch.
type WatchPage struct{ Watch int }

// CmdCaptureWhole captures the whole page.
const CmdCaptureWhole = "capture.whole"

// ActionWhole is the word in the list of turns for a capture of the whole page.
const ActionWhole = "full page"

// WholeAsked takes a turn of the whole page, and not of the window's part of it.
type WholeAsked struct{}

// CaptureWhole takes such a turn. [Captured] answers.
type CaptureWhole struct{ Task int }

func liveCommands(State) []Command {
	return []Command{
		{ID: CmdCaptureWhole, Title: "Capture the whole page", Menu: "Page", Key: "Ctrl+Shift+R", Enabled: idle, Msg: send(WholeAsked{})},
		{ID: CmdLive, Title: "Live: capture every change", Menu: "Page", Key: keyLive, Gap: true, Enabled: func(s State) bool { return s.Live.Watch != 0 || ready(s) },
			Checked: func(s State) bool { return s.Live.Watch != 0 }, Msg: send(LiveToggled{})},
	}
}

func (WholeAsked) Apply(s State) (State, []Effect) {
	s, effects := s.capture(ActionWhole)
	for i, e := range effects {
		if c, ok := e.(Capture); ok {
			effects[i] = CaptureWhole{c.Task}
		}
	}
	return s, effects
}

func (LiveToggled) Apply(s State) (State, []Effect) {
	switch {
	case s.Live.Watch != 0:
		return s.stopLive()
	case s.Session.ReadOnly:
		s.Notice = &Notice{Tone: ToneWarn, Text: "This session is read only; changes cannot become turns in it.",
			Hint: "Open another session first.", Command: CmdSessions, Source: TaskCapture}
		return s, nil
	case !ready(s):
		s.Notice = &Notice{Tone: ToneWarn, Text: "Chrome is not running, so there is nothing to watch.", Hint: "Start it again.", Command: CmdStartBrowser, Source: TaskLaunch}
		return s, nil
	}
	s.TaskSeq++
	s.Live = LivePane{Watch: s.TaskSeq}
	return s, []Effect{WatchPage{s.Live.Watch}}
}

// stopLive ends the capturing of changes.
func (s State) stopLive() (State, []Effect) {
	if s.Live.Watch == 0 {
		return s, nil
	}
	watch := s.Live.Watch
	s.Live = LivePane{}
	return s, []Effect{Cancel{watch}}
}

func (m LiveStaged) Apply(s State) (State, []Effect) {
	if m.Watch == s.Live.Watch && m.Watch != 0 {
		s.Live.Stage = m.Stage
	}
	return s, nil
}

// apply lists the turn, and brings it into view where new turns do.
func (m LiveCaptured) Apply(s State) (State, []Effect) {
	if m.Watch != s.Live.Watch || m.Watch == 0 || m.Turn == nil {
		return s, nil
	}
	if m.Tabs != nil {
		s.Browser.Tabs = m.Tabs
	}
	s.Live.Turns++
	s.Live.Stage = ""
	switch {
	case s.Follow == FollowOn && s.Dialog == DialogNone:
		return s.took(m.Turn, m.Thumb, m.Tabs)
	case s.Follow != FollowOff:
		s.Follow = FollowPaused
		s.Behind++
	}
	s.list(m.Turn, m.Thumb)
	return s, nil
}

func (m LiveEnded) Apply(s State) (State, []Effect) {
	if m.Watch != s.Live.Watch || m.Watch == 0 {
		return s, nil
	}
	s.Live = LivePane{}
	if m.Problem != nil && !m.Problem.Canceled {
		s.complain(TaskCapture, m.Problem)
		if n := s.Notice; n != nil && n.Hint == "" && !m.Problem.BrowserGone {
			n.Hint = "Live is off; " + keyLive + " switches it on again."
		}
	}
	return s, nil
}

// LiveVM is the switch for live captures over the picture.
type LiveVM struct {
	Text          string
	On, CanToggle bool
}

// LiveChip is what the switch shows.
func (s State) LiveChip() LiveVM {
	v := LiveVM{Text: "Live " + keyLive, On: s.Live.Watch != 0, CanToggle: s.Live.Watch != 0 || ready(s) && !s.Session.ReadOnly}
	if v.On {
		v.Text = "● Live " + keyLive
		switch {
		case s.Live.Stage != "":
			v.Text += " · " + s.Live.Stage
		case s.Live.Turns > 0:
			v.Text += " · " + Plural(s.Live.Turns, "turn", "turns")
		}
	}
	return v
}

// liveRoom is the capturing of every change.
func liveRoom() Room {
	return Room{Name: "live", Commands: liveCommands, Left: State.stopLive, Detached: State.stopLive}
}
