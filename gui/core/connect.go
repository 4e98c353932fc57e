package core

import (
	"slices"
	"strings"
	"time"

	"github.com/refscope/refscope/snapshot/dump"
)

// DialogConnect is the page for agents.
const DialogConnect Dialog = "connect"

// CmdConnect shows it.
const CmdConnect = "connect"

// ConnectPane is what agents connect to (row N-13). The zero value is not asked for yet.
type ConnectPane struct {
	// Recipes are the texts for the clients' configurations.
	Recipes []ConnectRecipe
	// URL is that of the server in this process, "" where it does not run.
	URL string
	// Sessions are those of the agents that are connected to it.
	Sessions []ConnectSession
	// Busy: it is being started or stopped.
	Busy    bool
	Problem string
	Recipe  int // the one in view
	// Poll numbers the openings of the page.
	Poll int
}

// ConnectRecipe is what is pasted into a client's configuration.
type ConnectRecipe struct {
	Client string // such as "Claude Code"
	// Where says into which file or menu it goes.
	Where string
	// How says what the client then does: start a server, or use that of this window.
	How  string
	Text string
	// Shell: the text is a command to run, and nothing to paste into a file.
	Shell bool
}

// ConnectSession is an agent that is connected.
type ConnectSession struct {
	ID      string
	Client  string // as it calls itself
	Session string // the name of the folder that its turns go to
	Turns   int
	Since   time.Time
	Busy    string // the tool that runs now, "" for none
	URL     string // of its last turn
}

// ConnectAsked shows the page.
type ConnectAsked struct{}

// ConnectPicked chooses the recipe in view.
type ConnectPicked struct{ Index int }

// ConnectServing starts or stops the server in this process.
type ConnectServing struct{ On bool }

// ConnectStopped ends one agent's session.
type ConnectStopped struct{ ID string }

// ConnectFollowed opens the session that an agent writes, and follows it.
type ConnectFollowed struct{ ID string }

// ConnectChanged answers the effects of the page. Poll is that of a [ListAgents].
type ConnectChanged struct {
	Poll     int
	Recipes  []ConnectRecipe
	URL      string
	Sessions []ConnectSession
	Problem  *Problem
}

// ListAgents asks for what the page shows: at once, or a moment later where Later is set,
// which keeps the page up to date until it is left.
type ListAgents struct {
	Poll  int
	Later bool
}

// ServeAgents starts or stops the server.
type ServeAgents struct{ On bool }

// StopAgent ends one agent's session.
type StopAgent struct{ ID string }

func connectCommands(State) []Command {
	return []Command{
		{ID: CmdConnect, Title: "Connect an agent…", Menu: "Tools", Key: "Ctrl+I", Gap: true, Enabled: always, Checked: func(s State) bool { return s.Dialog == DialogConnect }, Msg: send(ConnectAsked{})},
	}
}

func (ConnectAsked) Apply(s State) (State, []Effect) {
	s.Dialog, s.Connect.Problem = DialogConnect, ""
	s.Connect.Poll++
	return s, []Effect{ListAgents{Poll: s.Connect.Poll}}
}

func (m ConnectPicked) Apply(s State) (State, []Effect) {
	if m.Index >= 0 && m.Index < len(s.Connect.Recipes) {
		s.Connect.Recipe = m.Index
	}
	return s, nil
}

func (m ConnectServing) Apply(s State) (State, []Effect) {
	if s.Connect.Busy || m.On == (s.Connect.URL != "") {
		return s, nil
	}
	s.Connect.Busy, s.Connect.Problem = true, ""
	return s, []Effect{ServeAgents(m)}
}

func (m ConnectStopped) Apply(s State) (State, []Effect) {
	if s.agent(m.ID) == nil {
		return s, nil
	}
	return s, []Effect{StopAgent(m)}
}

func (m ConnectFollowed) Apply(s State) (State, []Effect) {
	a := s.agent(m.ID)
	if a == nil || a.Session == "" {
		return s, nil
	}
	if a.Turns == 0 {
		s.Connect.Problem = Plain(a.Client, 40) + " has made no turn yet; there is nothing to follow before its first."
		return s, nil
	}
	s.close(DialogConnect)
	return s.openSession(a.Session, "")
}

func (s State) agent(id string) *ConnectSession {
	i := slices.IndexFunc(s.Connect.Sessions, func(a ConnectSession) bool { return a.ID == id })
	if i < 0 {
		return nil
	}
	return &s.Connect.Sessions[i]
}

func (m ConnectChanged) Apply(s State) (State, []Effect) {
	if m.Poll == 0 { // the server was started or stopped
		s.Connect.Busy = false
	}
	if m.Poll != 0 && (m.Poll != s.Connect.Poll || s.Dialog != DialogConnect) {
		return s, nil // the page was left
	}
	s.Connect.URL, s.Connect.Sessions = m.URL, m.Sessions
	if m.Recipes != nil {
		s.Connect.Recipes = m.Recipes
		s.Connect.Recipe = min(s.Connect.Recipe, max(0, len(m.Recipes)-1))
	}
	if m.Problem != nil {
		s.Connect.Problem = m.Problem.Sentence
	}
	if m.Poll != 0 {
		return s, []Effect{ListAgents{m.Poll, true}}
	}
	return s, nil
}

// PlainDoc is a text without elements, line by line.
func PlainDoc(f dump.Format, text string) *dump.Document {
	d := &dump.Document{Format: f, Text: text}
	for at := 0; at < len(text); {
		line, _, _ := strings.Cut(text[at:], "\n")
		d.Lines = append(d.Lines, dump.Line{Start: at, End: at + len(line), Node: -1})
		at += len(line) + 1
	}
	return d
}

// connectRoom is the page for agents.
func connectRoom() Room { return Room{Name: "connect", Commands: connectCommands} }
