package core

import "strings"

// DialogAttach asks for a running Chrome.
const DialogAttach Dialog = "attach"

// Commands of attaching.
const (
	CmdAttach    = "browser.attach"
	CmdOwnChrome = "browser.own"
)

// AttachPane is the dialog that asks for a running Chrome.
type AttachPane struct {
	// Where is what was typed last: HOST:PORT or a ws:// address.
	Where string
	// Problem is why that did not work, "" for nothing.
	Problem string
}

// AttachAsked shows the dialog.
type AttachAsked struct{}

// AttachConfirmed attaches to a running Chrome, or starts an own one again where Where
// is "".
type AttachConfirmed struct{ Where string }

// Attached answers [AttachTo].
type Attached struct {
	Task    int
	Where   string
	Browser Browser
	Problem *Problem
}

// AttachTo changes to another Chrome: one that runs, or an own one where Where is "". On
// an error the browser in use stays.
type AttachTo struct {
	Task  int
	Where string
}

func attachCommands(State) []Command {
	free := func(s State) bool { return s.Browser.Phase != PhaseStarting && (!ready(s) || idle(s)) }
	return []Command{
		{ID: CmdAttach, Title: "Attach to a running Chrome…", Menu: "Page", Key: "Ctrl+Shift+T", Enabled: free, Msg: send(AttachAsked{})},
		{ID: CmdOwnChrome, Title: "Back to an own Chrome", Menu: "Page", Enabled: func(s State) bool { return s.Browser.Attached && free(s) }, Msg: send(AttachConfirmed{})},
	}
}

func (AttachAsked) Apply(s State) (State, []Effect) {
	s.Dialog, s.Attach.Problem = DialogAttach, ""
	return s, nil
}

func (m AttachConfirmed) Apply(s State) (State, []Effect) {
	where := strings.TrimSpace(m.Where)
	if s.Dialog == DialogAttach {
		if where == "" {
			s.Attach.Problem = "Name it: HOST:PORT, such as 127.0.0.1:9222, or a ws:// address."
			return s, nil
		}
		s.Attach.Where = where
	}
	s, live := s.each(func(r Room) func(State) (State, []Effect) { return r.Detached }) // such as a watch of its tab
	if s.Browser.Phase == PhaseReady {
		var effects []Effect
		var ok bool
		if s, effects, ok = s.free(); !ok {
			return s, append(live, effects...)
		}
		live = append(live, effects...)
	}
	s.Attach.Problem = ""
	sentence := "Starting Chrome"
	if where != "" {
		sentence = "Attaching to " + Plain(where, 60)
	}
	id := s.start(TaskLaunch, sentence)
	return s, append(live, AttachTo{id, where})
}

func (m Attached) Apply(s State) (State, []Effect) {
	if m.Problem != nil {
		s.finish(m.Task)
		p := *m.Problem
		p.BrowserGone = false
		if s.Dialog == DialogAttach && !p.Canceled {
			s.Attach.Problem = strings.TrimSpace(p.Sentence + " " + p.Hint)
			return s, nil
		}
		s.complain(TaskLaunch, &p)
		return s, nil
	}
	s.close(DialogAttach)
	s.first = true // the tabs of that browser stay as they are
	s.Browser.Phase = PhaseStarting
	s, effects := s.browserStarted(BrowserStarted{Task: m.Task, Browser: m.Browser})
	if m.Where != "" {
		s.Notice = &Notice{Tone: ToneGood, Source: TaskLaunch, Text: "Attached to " + Plain(m.Where, 60) + " with " + Plural(len(m.Browser.Tabs), "tab", "tabs") + ".",
			Hint: "Ctrl+T lists them; Ctrl+R captures."}
	}
	return s, effects
}

// attachRoom is the dialog that asks for a running Chrome.
func attachRoom() Room { return Room{Name: "attach", Commands: attachCommands} }
