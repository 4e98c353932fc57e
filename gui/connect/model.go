package connect

import (
	"context"
	"slices"
	"time"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/snapshot/text"
)

// Dialog is the page for agents.
const Dialog core.Dialog = "connect"

// CmdConnect shows it.
const CmdConnect = "connect"

// Model is what agents connect to (row N-13). The zero value is not requested yet.
type Model struct {
	// Recipes are the texts for the clients' configurations.
	Recipes []Recipe
	// URL is that of the server in this process, "" where it does not run.
	URL string
	// Sessions are those of the agents that are connected to it.
	Sessions []Agent
	// Busy: it is being started or stopped.
	Busy    bool
	Problem string
	Recipe  int // the one in view
	// Poll numbers the openings of the page.
	Poll int
}

// Recipe is what is pasted into a client's configuration.
type Recipe struct {
	Client string // such as "Claude Code"
	// Where names the file or menu that it goes into.
	Where string
	// How describes what the client then does: start a server, or use that of this window.
	How  string
	Text string
	// Shell: the text is a command to run, and nothing to paste into a file.
	Shell bool
}

// Agent is an agent that is connected.
type Agent struct {
	ID      string
	Client  string // as it calls itself
	Session string // the name of the folder that its turns go to
	Turns   int
	Since   time.Time
	Busy    string // the tool that runs now, "" for none
	URL     string // of its last turn
}

// Asked shows the page.
type Asked struct{}

// Picked chooses the recipe in view.
type Picked struct{ Index int }

// Serving starts or stops the server in this process.
type Serving struct{ On bool }

// Stopped ends one agent's session.
type Stopped struct{ ID string }

// Followed opens the session that an agent writes, and follows it.
type Followed struct{ ID string }

// Changed answers the effects of the page. Poll is that of a [ListAgents].
type Changed struct {
	Poll     int
	Recipes  []Recipe
	URL      string
	Sessions []Agent
	Problem  *core.Problem
}

// Engine is the door for agents in this process.
type Engine interface {
	// Agents is the content of the page for agents.
	Agents(ctx context.Context) (Changed, error)
	// ServeAgents starts or stops the server.
	ServeAgents(ctx context.Context, on bool) error
	// StopAgent ends one agent's session.
	StopAgent(ctx context.Context, id string) error
}

// pollEvery is how often the page is brought up to date while it is open.
const pollEvery = time.Second

// ListAgents asks for what the page shows: at once, or a moment later where Later is set,
// which keeps the page up to date until it is left. [Changed] answers all three.
type ListAgents struct {
	Poll  int
	Later bool
}

// Do implements [core.Work].
func (e ListAgents) Do(ctx context.Context, w *core.Worker) core.Msg {
	if e.Later {
		select {
		case <-time.After(pollEvery):
		case <-ctx.Done():
			return nil
		}
	}
	m := agents(ctx, w, nil)
	m.Poll = e.Poll
	return m
}

// ServeAgents starts or stops the server.
type ServeAgents struct{ On bool }

// Do implements [core.Work].
func (e ServeAgents) Do(ctx context.Context, w *core.Worker) core.Msg {
	return agents(ctx, w, core.EngineOf[Engine](w).ServeAgents(ctx, e.On))
}

// StopAgent ends one agent's session.
type StopAgent struct{ ID string }

// Do implements [core.Work].
func (e StopAgent) Do(ctx context.Context, w *core.Worker) core.Msg {
	return agents(ctx, w, core.EngineOf[Engine](w).StopAgent(ctx, e.ID))
}

// agents returns the content of the page now, with what went wrong before.
func agents(ctx context.Context, w *core.Worker, before error) Changed {
	m, err := core.EngineOf[Engine](w).Agents(ctx)
	if before != nil {
		err = before
	}
	m.Problem = w.Problem("agents", err)
	return m
}

func commands(core.State) []core.Command {
	return []core.Command{
		{ID: CmdConnect, Title: "Connect an agent…", Menu: "Tools", Key: "Ctrl+I", Gap: true, Enabled: core.Always,
			Checked: func(s core.State) bool { return s.Dialog == Dialog }, Msg: core.Send(Asked{})},
	}
}

func (Asked) Apply(s core.State) (core.State, []core.Effect) {
	s.Dialog, edit(&s).Problem = Dialog, ""
	edit(&s).Poll++
	return s, []core.Effect{ListAgents{Poll: Of(s).Poll}}
}

func (m Picked) Apply(s core.State) (core.State, []core.Effect) {
	if m.Index >= 0 && m.Index < len(Of(s).Recipes) {
		edit(&s).Recipe = m.Index
	}
	return s, nil
}

func (m Serving) Apply(s core.State) (core.State, []core.Effect) {
	if Of(s).Busy || m.On == (Of(s).URL != "") {
		return s, nil
	}
	model := edit(&s)
	model.Busy, model.Problem = true, ""
	return s, []core.Effect{ServeAgents(m)}
}

func (m Stopped) Apply(s core.State) (core.State, []core.Effect) {
	if agent(s, m.ID) == nil {
		return s, nil
	}
	return s, []core.Effect{StopAgent(m)}
}

func (m Followed) Apply(s core.State) (core.State, []core.Effect) {
	a := agent(s, m.ID)
	if a == nil || a.Session == "" {
		return s, nil
	}
	if a.Turns == 0 {
		edit(&s).Problem = text.Cut(text.Line(a.Client), 40) + " has no turns yet; follow it after its first."
		return s, nil
	}
	s.CloseDialog(Dialog)
	return s.OpenSession(a.Session, "")
}

func agent(s core.State, id string) *Agent {
	i := slices.IndexFunc(Of(s).Sessions, func(a Agent) bool { return a.ID == id })
	if i < 0 {
		return nil
	}
	return &Of(s).Sessions[i]
}

func (m Changed) Apply(s core.State) (core.State, []core.Effect) {
	if m.Poll == 0 { // the server was started or stopped
		edit(&s).Busy = false
	}
	if m.Poll != 0 && (m.Poll != Of(s).Poll || s.Dialog != Dialog) {
		return s, nil // the page was left
	}
	model := edit(&s)
	model.URL, model.Sessions = m.URL, m.Sessions
	if m.Recipes != nil {
		edit(&s).Recipes = m.Recipes
		edit(&s).Recipe = min(Of(s).Recipe, max(0, len(m.Recipes)-1))
	}
	if m.Problem != nil {
		edit(&s).Problem = m.Problem.Sentence
	}
	if m.Poll != 0 {
		return s, []core.Effect{ListAgents{m.Poll, true}}
	}
	return s, nil
}

// Room is the page for agents.
func Room() core.Room { return core.Room{Name: "connect", Commands: commands} }

// Of is the model of the room.
func Of(s core.State) Model { return core.Of[Model](s) }

func edit(s *core.State) *Model { return core.Edit[Model](s) }
