package core

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/refscope/refscope/snapshot/address"
	"github.com/refscope/refscope/snapshot/turn"
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

// sessionText reports whether what was typed into the address bar may name a session:
// SESSION, SESSION#N, a folder, or a .refscope file. sure is false where it may be the
// address of a page as well; the session wins where there is one of that name.
func sessionText(text string) (maybe, sure bool) {
	text = strings.TrimSpace(text)
	if text == "" || strings.Contains(text, "://") {
		return false, false
	}
	if strings.HasSuffix(strings.ToLower(text), ".refscope") {
		return true, true
	}
	head, n, numbered := cutLast(text, '#')
	if numbered {
		if _, err := strconv.ParseUint(n, 10, 31); err != nil {
			return false, false
		}
		text = head
	}
	if to, err := address.Parse(text); err == nil && to.Path != "" {
		low := strings.ToLower(to.Path)
		page := strings.HasSuffix(low, ".html") || strings.HasSuffix(low, ".htm") || strings.HasPrefix(strings.ToLower(text), "file:")
		return !page, !page
	}
	if turn.CheckName(text) != nil {
		return false, false
	}
	if _, err := strconv.Atoi(text); err == nil || address.IsLoopback(text) {
		return numbered, false // a port, or this computer
	}
	return numbered || !strings.Contains(text, "."), false
}

func cutLast(s string, sep byte) (head, tail string, ok bool) {
	if i := strings.LastIndexByte(s, sep); i >= 0 {
		return s[:i], s[i+1:], true
	}
	return s, "", false
}

// openSession opens what a person named. page is what to open where there is no such
// session, "" for nothing.
func (s State) openSession(name, page string) (State, []Effect) {
	name = strings.TrimSpace(name)
	if name == "" {
		return s, nil
	}
	s.close(DialogSessions)
	if t := s.Busy(); t != nil && t.Kind == TaskCapture {
		s.Notice = &Notice{Tone: ToneWarn, Text: "A capture is running.", Hint: "Wait for it or cancel it; it belongs to the session in view.", Source: TaskCapture}
		return s, nil
	}
	var effects []Effect
	for _, t := range s.Tasks {
		if t.Kind == TaskSession {
			var more []Effect
			s, more = s.cancel(t.ID)
			effects = append(effects, more...)
		}
	}
	id := s.start(TaskSession, "Opening "+Plain(name, 60))
	return s, append(effects, OpenSession{Task: id, Name: name, Page: page})
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
