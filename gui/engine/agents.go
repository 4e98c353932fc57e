package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/refscope/refscope/capture/agent/mcp"
	"github.com/refscope/refscope/capture/loopback"
	"github.com/refscope/refscope/capture/tabs"
	"github.com/refscope/refscope/capture/tap/launch"
	"github.com/refscope/refscope/gui/connect"
	"github.com/refscope/refscope/profiles"
	"github.com/refscope/refscope/snapshot/text"
)

// agents is the server for agents in this process.
type agents struct {
	mu     sync.Mutex
	server *mcp.Server // nil where it does not run
	web    *loopback.Server
	url    string
	// token and address are the same for the life of the window, so that what was pasted stays right.
	token, address string
}

// Agents implements [connect.Engine].
func (l *Live) Agents(context.Context) (connect.Changed, error) {
	a := &l.agents
	a.mu.Lock()
	defer a.mu.Unlock()
	out := connect.Changed{URL: a.url, Tap: l.tap.state()}
	if a.server != nil {
		for _, s := range a.server.Sessions() {
			out.Sessions = append(out.Sessions, connect.Agent{ID: s.ID, Client: s.Client, Session: s.Name,
				Turns: s.Turns, Since: s.Started, Busy: s.Busy, URL: s.URL})
		}
	}
	for _, r := range launch.List(l.opt.Home) {
		out.Sessions = append(out.Sessions, connect.Agent{ID: tapID + strconv.Itoa(r.PID), Client: "tap: " + r.What,
			Session: l.sessionName(r.Session), Turns: tapTurns(r.Session), Since: r.Began})
	}
	for _, c := range mcp.Clients() {
		p := mcp.Place{Program: control(), Home: l.homeFlag()}
		l.mu.Lock()
		if at := l.opt.Browser.Attach; at != "" {
			p.Args = []string{"--attach", at}
		}
		l.mu.Unlock()
		how := "starts its own server"
		if a.url != "" && c.HTTP {
			p, how = mcp.Place{URL: a.url, Token: a.token}, "uses the server of this window"
		}
		text, err := mcp.Config(c.Name, p)
		if err != nil {
			return out, err
		}
		out.Recipes = append(out.Recipes, connect.Recipe{Client: c.Title, Where: c.Where, How: how, Text: text,
			Shell: c.Syntax == "sh"})
	}
	out.Recipes = append(out.Recipes, l.tapRecipes()...)
	return out, nil
}

// tapRecipes are commands that record an agent with nothing else set.
func (l *Live) tapRecipes() []connect.Recipe {
	home := ""
	if l.homeFlag() != "" {
		home = " --home " + text.ShellWord(l.homeFlag())
	}
	tap := text.ShellWord(control()) + " tap"
	where := "run it in a terminal; each request becomes a turn of a session"
	return []connect.Recipe{
		{Client: "Any agent, recorded", Where: where, How: "runs the agent with the tap in front of its vendor",
			Text: tap + home + " --session agent -- node agent.mjs\n", Shell: true},
		{Client: "MCP server, recorded",
			Where: "in your client's configuration, before the server's own command, or written " +
				"there by itself", How: "each call of a tool becomes a turn with its page",
			Text: tap + " mcp" + home + " --install claude\n" + tap + " mcp" + home +
				" -- npx @playwright/mcp@latest\n", Shell: true},
	}
}

// tapID begins the ids of taps that run in processes of their own; the process id follows.
const tapID = "tap:"

// sessionName is a session of the home folder by its name, another one by its path.
func (l *Live) sessionName(path string) string {
	if filepath.Dir(path) == filepath.Join(l.opt.Home, "sessions") {
		return filepath.Base(path)
	}
	return path
}

// tapTurns is how many turns the session of a tap has.
func tapTurns(session string) int {
	turns, _ := os.ReadDir(filepath.Join(session, "turns")) // none yet
	return len(turns)
}

// control is the path of refscopectl: beside this program, or on the path.
func control() string {
	name := "refscopectl"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if own, err := os.Executable(); err == nil {
		beside := filepath.Join(filepath.Dir(own), name)
		if info, err := os.Stat(beside); err == nil && !info.IsDir() {
			return beside
		}
	}
	if found, err := exec.LookPath(name); err == nil {
		return found
	}
	return name
}

// homeFlag is the home folder, "" where it is the one that refscopectl uses by default.
func (l *Live) homeFlag() string {
	if dir, err := os.UserHomeDir(); err == nil && l.opt.Home == filepath.Join(dir, ".refscope") {
		return ""
	}
	return l.opt.Home
}

// ServeAgents implements [connect.Engine].
func (l *Live) ServeAgents(ctx context.Context, on bool) error {
	a := &l.agents
	a.mu.Lock()
	defer a.mu.Unlock()
	if on == (a.server != nil) {
		return nil
	}
	if !on {
		return a.stop(ctx)
	}
	if a.token == "" {
		a.token = mcp.NewToken()
	}
	l.mu.Lock()
	b := l.opt.Browser
	l.mu.Unlock()
	server, err := mcp.New(mcp.Options{
		HostOptions: tabs.Options{Home: l.opt.Home, Choice: tabs.Choice{Chrome: b.Chrome, Attach: b.Attach,
			Headed: b.Headed, Flags: b.Flags, Width: b.Width, Height: b.Height}},
		Profiles: profiles.Home(l.opt.Home), Token: a.token, Version: l.opt.Version, Log: l.opt.Log,
	})
	if err != nil {
		return err
	}
	web, err := serveAgain(a.address, func(hostPort string) (*loopback.Server, error) {
		return server.Serve(ctx, hostPort,
			func(err error) { l.opt.Log.Warn("the server for agents has ended", "error", err) })
	})
	if err != nil {
		return errors.Join(fmt.Errorf("no port could be had for agents: %w", err), server.Close())
	}
	a.server, a.web, a.address, a.url = server, web, web.Addr, "http://"+web.Addr+"/"
	return nil
}

// stop ends the server and the sessions of its agents. The lock is held.
func (a *agents) stop(ctx context.Context) error {
	err := a.server.Close() // first: a stream ends with its session
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), 3*time.Second)
	defer cancel()
	a.web.Close(end)
	a.server, a.web, a.url = nil, nil, ""
	return err
}

// StopAgent implements [connect.Engine].
func (l *Live) StopAgent(ctx context.Context, id string) error {
	if pid, ok := strings.CutPrefix(id, tapID); ok {
		n, err := strconv.Atoi(pid)
		if err != nil {
			return fmt.Errorf("the tap %q is not known", id)
		}
		return launch.Stop(l.opt.Home, n)
	}
	l.agents.mu.Lock()
	server := l.agents.server
	l.agents.mu.Unlock()
	if server == nil {
		return errors.New("the server for agents is not running")
	}
	return server.Stop(ctx, id)
}
