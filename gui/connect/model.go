package connect

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/snapshot/text"
)

// Dialog is the page for agents.
const Dialog core.Dialog = "connect"

// CmdConnect shows it, CmdTap its page for the tap.
const (
	CmdConnect = "connect"
	CmdTap     = "connect.tap"
)

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
	Page    Page
	Tap     Tap
	// Hosts are compatible hosts for the tap as they were typed: NAME=URL, separated by commas.
	Hosts string
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
	// Gone is when it was found to have left, zero while it is there.
	Gone time.Time
}

// Page is one of the two pages of the dialog.
type Page int

const (
	// Tools lets an agent use the tools of this window.
	Tools Page = iota
	// Requests records what an agent sends to its model.
	Requests
)

// Tap is the tap in this process; it does not run without Bases.
type Tap struct {
	Bases   []Base
	Session string // the name of the session that takes the turns
	Turns   int    // recorded since it was started
	Last    string // about the last one, "" for none
}

// Base is the address that is given to a client instead of its vendor's.
type Base struct {
	Name string // of the environment variable, or of a compatible host
	URL  string
}

// Asked shows a page.
type Asked struct{ Page Page }

// Tapping starts the tap for the vendors and for the hosts that were typed, or stops it.
type Tapping struct {
	On    bool
	Hosts string
}

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
	At       time.Time // when it was so
	Recipes  []Recipe
	URL      string
	Sessions []Agent
	Tap      Tap
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
	// ServeTap starts or stops the tap. Its turns go to the session in use, with the pages of the
	// browser in use; upstreams are further hosts as NAME=URL.
	ServeTap(ctx context.Context, on bool, upstreams []string) error
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

// ServeTap starts or stops the tap.
type ServeTap struct {
	On    bool
	Hosts []string
}

// Do implements [core.Work].
func (e ServeTap) Do(ctx context.Context, w *core.Worker) core.Msg {
	return agents(ctx, w, core.EngineOf[Engine](w).ServeTap(ctx, e.On, e.Hosts))
}

// agents returns the content of the page now, with what went wrong before.
func agents(ctx context.Context, w *core.Worker, before error) Changed {
	m, err := core.EngineOf[Engine](w).Agents(ctx)
	if before != nil {
		err = before
	}
	m.Problem, m.At = w.Problem("agents", err), time.Now()
	return m
}

func commands(core.State) []core.Command {
	return []core.Command{
		{ID: CmdConnect, Title: "Connect an agent…", Menu: "Tools", Key: "Ctrl+I", Gap: true, Enabled: core.Always,
			Checked: func(s core.State) bool { return s.Dialog == Dialog && Of(s).Page == Tools },
			Msg:     core.Send(Asked{})},
		{ID: CmdTap, Title: "Record an agent's requests…", Menu: "Tools", Enabled: core.Always,
			Checked: func(s core.State) bool { return s.Dialog == Dialog && Of(s).Page == Requests },
			Msg:     core.Send(Asked{Requests})},
	}
}

func (m Asked) Apply(s core.State) (core.State, []core.Effect) {
	model := edit(&s)
	s.Dialog, model.Problem, model.Page = Dialog, "", m.Page
	model.Poll++
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

func (m Tapping) Apply(s core.State) (core.State, []core.Effect) {
	if Of(s).Busy || m.On == (len(Of(s).Tap.Bases) > 0) {
		return s, nil
	}
	model := edit(&s)
	model.Busy, model.Problem, model.Hosts = true, "", m.Hosts
	e := ServeTap{On: m.On}
	for host := range strings.SplitSeq(m.Hosts, ",") {
		if host = strings.TrimSpace(host); host != "" && m.On {
			e.Hosts = append(e.Hosts, host)
		}
	}
	return s, []core.Effect{e}
}

func (m Stopped) Apply(s core.State) (core.State, []core.Effect) {
	if a := agent(s, m.ID); a == nil || !a.Gone.IsZero() {
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

// maxGone is how many agents that have left are listed.
const maxGone = 8

// withGone are the agents that are there, and behind them the last ones that have left, with since when.
func withGone(before, now []Agent, at time.Time) []Agent {
	var gone []Agent
	for _, a := range before {
		if slices.ContainsFunc(now, func(b Agent) bool { return b.ID == a.ID }) || a.Gone.IsZero() && at.IsZero() {
			continue
		}
		if a.Gone.IsZero() {
			a.Gone, a.Busy = at, ""
		}
		gone = append(gone, a)
	}
	return append(slices.Clip(now), gone[max(0, len(gone)-maxGone):]...)
}

func (m Changed) Apply(s core.State) (core.State, []core.Effect) {
	if m.Poll == 0 { // the server was started or stopped
		edit(&s).Busy = false
	}
	if m.Poll != 0 && (m.Poll != Of(s).Poll || s.Dialog != Dialog) {
		return s, nil // the page was left
	}
	model := edit(&s)
	model.URL, model.Sessions, model.Tap = m.URL, withGone(model.Sessions, m.Sessions, m.At), m.Tap
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
func Room() core.Room { return core.Room{Name: "connect", Commands: commands, Closing: closing} }

// closing is what an agent loses whose requests go through the window.
func closing(s core.State) string {
	if len(Of(s).Tap.Bases) == 0 {
		return ""
	}
	return "An agent's requests are being recorded, and fail once the window is closed."
}

// Of is the model of the room.
func Of(s core.State) Model { return core.Of[Model](s) }

func edit(s *core.State) *Model { return core.Edit[Model](s) }
