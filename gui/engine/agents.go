package engine

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/refscope/refscope/capture/agent/mcp"
	"github.com/refscope/refscope/capture/tabs"
	"github.com/refscope/refscope/gui/connect"
	"github.com/refscope/refscope/profiles"
)

// agents is the server for agents in this process.
type agents struct {
	mu     sync.Mutex
	server *mcp.Server // nil where it does not run
	web    *http.Server
	ended  chan struct{} // closed when web is
	url    string
	token  string // one for the life of the window, so that what was pasted stays right
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
	return out, nil
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
		HostOptions: tabs.Options{Home: l.opt.Home, Chrome: b.Chrome, Attach: b.Attach, Headed: b.Headed,
			Flags: b.Flags, Width: b.Width, Height: b.Height},
		Profiles: profiles.Home(l.opt.Home), Token: a.token, Version: l.opt.Version, Log: l.opt.Log,
	})
	if err != nil {
		return err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return errors.Join(fmt.Errorf("no port could be had for agents: %w", err), server.Close())
	}
	a.server, a.url, a.ended = server, "http://"+listener.Addr().String()+"/", make(chan struct{})
	a.web = &http.Server{Handler: server.Handler(), ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute}
	go func(web *http.Server, ended chan struct{}) { // ends with web; stop waits for it
		defer close(ended)
		if err := web.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			l.opt.Log.Warn("the server for agents has ended", "error", err)
		}
	}(a.web, a.ended)
	return nil
}

// stop ends the server and the sessions of its agents. The lock is held.
func (a *agents) stop(ctx context.Context) error {
	err := a.server.Close() // first: a stream ends with its session
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), 3*time.Second)
	defer cancel()
	if a.web.Shutdown(end) != nil {
		err = errors.Join(err, a.web.Close())
	}
	<-a.ended
	a.server, a.web, a.url = nil, nil, ""
	return err
}

// StopAgent implements [connect.Engine].
func (l *Live) StopAgent(ctx context.Context, id string) error {
	l.agents.mu.Lock()
	server := l.agents.server
	l.agents.mu.Unlock()
	if server == nil {
		return errors.New("the server for agents is not running")
	}
	return server.Stop(ctx, id)
}
