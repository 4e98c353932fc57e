package core

import (
	"fmt"
	"time"
)

// SessionRow is one session of the home folder, for the list to choose from.
type SessionRow struct {
	Name string
	// Path is its folder.
	Path  string
	Turns int
	// Last is when its newest turn was taken, zero where it has none.
	Last time.Time
	// Damaged is how many turns cannot be shown; Why is set where the session as a
	// whole cannot be opened.
	Damaged int
	Why     string
}

// Chooser is what was listed for [DialogSessions].
type Chooser struct {
	// Listed: Rows have arrived.
	Listed  bool
	Rows    []SessionRow
	Problem *Problem
}

// askSessions shows the list of sessions.
func (s State) askSessions() (State, []Effect) {
	s.Dialog, s.Chooser = DialogSessions, Chooser{}
	return s, []Effect{ListSessions{}}
}

func (s State) sessionsListed(m SessionsListed) State {
	if s.Dialog == DialogSessions {
		s.Chooser = Chooser{Listed: true, Rows: m.Rows, Problem: m.Problem}
	}
	return s
}

// ChooserVM is the list of sessions to open. Compare with [ChooserVM.Equal].
type ChooserVM struct {
	Rows []ChooserRow
	// Empty is the sentence in place of rows.
	Empty string
}

// ChooserRow is one session. Name is what opens it.
type ChooserRow struct {
	Name, Turns, Last string
	Tone              Tone
	// Current: it is the one in view.
	Current bool
}

// Sessions is what the list of sessions shows. Times are of the zone that loc names.
func (s State) Sessions(loc *time.Location) ChooserVM {
	v := ChooserVM{}
	switch {
	case !s.Chooser.Listed:
		v.Empty = "Looking for sessions…"
	case s.Chooser.Problem != nil:
		v.Empty = s.Chooser.Problem.Sentence
	case len(s.Chooser.Rows) == 0:
		v.Empty = "There are no sessions yet. Capture a page here, or run refscopectl turn --session NAME."
	}
	for _, r := range s.Chooser.Rows {
		row := ChooserRow{Name: r.Name, Turns: Plural(r.Turns, "turn", "turns"), Current: r.Path != "" && r.Path == s.Session.Path}
		if !r.Last.IsZero() {
			row.Last = r.Last.In(loc).Format("2006-01-02 15:04")
		}
		switch {
		case r.Why != "":
			row.Turns, row.Tone = Plain(r.Why, 60), ToneBad
		case r.Damaged > 0:
			row.Turns, row.Tone = row.Turns+fmt.Sprintf(", %d damaged", r.Damaged), ToneWarn
		}
		v.Rows = append(v.Rows, row)
	}
	return v
}

// Equal reports whether both show the same.
func (v ChooserVM) Equal(o ChooserVM) bool {
	if v.Empty != o.Empty || len(v.Rows) != len(o.Rows) {
		return false
	}
	for i := range v.Rows {
		if v.Rows[i] != o.Rows[i] {
			return false
		}
	}
	return true
}

// SessionsAsked shows the list of sessions.
type SessionsAsked struct{}

func (SessionsAsked) Apply(s State) (State, []Effect) { return s.askSessions() }

// SessionsListed answers [ListSessions].
type SessionsListed struct {
	Rows    []SessionRow
	Problem *Problem
}

func (m SessionsListed) Apply(s State) (State, []Effect) { return s.sessionsListed(m), nil }

// ListSessions lists the sessions of the home folder.
type ListSessions struct{}

func sessionCommands(State) []Command {
	const file = "File"
	return []Command{
		{ID: CmdSessions, Title: "Open a session…", Menu: file, Key: "Ctrl+O", Enabled: always, Msg: send(SessionsAsked{})},
		{ID: "session.folder", Title: "Open a session's folder…", Menu: file, Key: "Ctrl+Shift+O", Enabled: always, Msg: send(Wanted{AskSession{Folder: true}})},
		{ID: "session.file", Title: "Open a .refscope file…", Menu: file, Key: "Ctrl+Shift+F", Enabled: always, Msg: send(Wanted{AskSession{}})},
	}
}

// sessionsRoom is the list of sessions to open.
func sessionsRoom() Room { return Room{Name: "sessions", Commands: sessionCommands} }
