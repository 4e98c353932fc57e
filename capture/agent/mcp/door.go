package mcp

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/refscope/refscope/capture/tabs"
	"github.com/refscope/refscope/snapshot/turn"
)

// closing is how long the tabs of a client that has left may take to close.
const closing = 10 * time.Second

// door is one client: its MCP server, its session folder and its tab.
type door struct {
	s         *Server
	server    *sdk.Server
	transport string
	id        string
	log       *slog.Logger
	left      chan struct{} // closed when it has left and all is done
	run       chan struct{} // held by the call that runs

	mu      sync.Mutex
	abort   map[int]context.CancelFunc // of the calls that run or wait
	nth     int                        // of calls that came
	name    string                     // of the session folder
	free    func()                     // lets the folder go
	host    *tabs.Host
	client  string
	ss      *sdk.ServerSession
	started time.Time
	ended   bool
	queued  int
	busy    string
	calls   int
	turns   int
	tab     string   // alias of the current tab
	own     []string // aliases of tabs that it opened
	url     string
}

// newDoor makes a client's server. It gets its folder when it is met.
func (s *Server) newDoor(transport string) (*door, error) {
	if s.full() {
		return nil, errFull
	}
	d := &door{s: s, transport: transport, id: newID(), left: make(chan struct{}), run: make(chan struct{}, 1), abort: map[int]context.CancelFunc{}, log: s.opt.Log}
	d.server = sdk.NewServer(s.me(), &sdk.ServerOptions{
		Instructions: instructions, Logger: s.opt.Log, SupportedProtocolVersions: versions(), Capabilities: &sdk.ServerCapabilities{},
		GetSessionID:       func() string { return d.id },
		InitializedHandler: func(_ context.Context, r *sdk.InitializedRequest) { d.meet(r.Session) },
		SubscribeHandler:   func(context.Context, *sdk.SubscribeRequest) error { return nil },
		UnsubscribeHandler: func(context.Context, *sdk.UnsubscribeRequest) error { return nil },
	})
	for _, t := range tools() {
		d.server.AddTool(t.describe(s.opt.Format), func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			return d.call(ctx, &t, r)
		})
	}
	d.offer()
	return d, nil
}

// meet makes the client one that is there: with its first message, or when its pipes are
// connected. It may be called again.
func (d *door) meet(ss *sdk.ServerSession) {
	client := ""
	if p := ss.InitializeParams(); p != nil && p.ClientInfo != nil {
		client = shown(p.ClientInfo.Name, p.ClientInfo.Version)
	}
	d.s.mu.Lock()
	defer d.s.mu.Unlock()
	d.mu.Lock()
	defer d.mu.Unlock()
	if client != "" {
		d.client = client
	}
	if d.ss != nil {
		return
	}
	d.ss = ss
	if !d.s.gone {
		name, free, err := d.s.folder()
		if err != nil {
			d.log.Error("a client has no session folder", "error", err)
		}
		d.name, d.free = name, free
		if want := d.s.opt.Session; want != "" && want != name && d.transport == "stdio" {
			d.log.Warn("another client writes to the session", "session", want, "turns of this one go to", name)
		}
	}
	if d.name == "" { // its calls are refused
		d.ended = true
		close(d.left)
		return
	}
	d.started = time.Now()
	o := d.s.opt.HostOptions
	o.Session = d.name
	d.host = d.s.host.With(o)
	d.s.doors[d.id] = d
	d.s.work.Go(func() {
		err := ss.Wait()
		d.log.Debug("an MCP client has left", "session", d.name, "error", err)
		d.leave()
	})
}

// leave waits for the call that runs, closes the tabs and forgets the client.
func (d *door) leave() {
	defer close(d.left)
	d.mu.Lock()
	d.ended = true
	d.mu.Unlock()
	d.run <- struct{}{} // never given back: what comes now is refused
	ctx, cancel := context.WithTimeout(context.Background(), closing)
	defer cancel()
	if !d.s.opt.KeepTabs {
		for _, alias := range d.own {
			if err := d.host.CloseTab(ctx, alias, tabs.Place{}); err != nil {
				d.log.Debug("closing the tab of a client that has left", "tab", alias, "error", err)
			}
		}
	}
	d.free()
	d.s.mu.Lock()
	delete(d.s.doors, d.id)
	d.s.mu.Unlock()
}

// breakOff ends the calls that run or wait; no more are taken.
func (d *door) breakOff() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ended = true
	for _, cancel := range d.abort {
		cancel()
	}
}

// close breaks off what the client does and ends its connection.
func (d *door) close() {
	d.breakOff()
	d.mu.Lock()
	ss := d.ss
	d.mu.Unlock()
	if ss != nil {
		_ = ss.Close() // one that is gone is closed
	}
}

// session is what a person may know of the client.
func (d *door) session() Session {
	d.mu.Lock()
	defer d.mu.Unlock()
	return Session{
		ID: d.id, Client: d.client, Transport: d.transport, Name: d.name, Started: d.started, Turns: d.turns, Calls: d.calls,
		Busy: d.busy, Queued: d.queued, Tab: d.tab, URL: d.url,
	}
}

// errLeft: a call came when its client had left. It is not done.
var errLeft = errors.New("the session has ended")

// begin makes a call one that can be broken off, with [door.breakOff].
func (d *door) begin(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.nth++
	n := d.nth
	d.abort[n] = cancel
	return ctx, func() {
		cancel()
		d.mu.Lock()
		defer d.mu.Unlock()
		delete(d.abort, n)
	}
}

// enter waits for the calls before. Its error is one for the client.
func (d *door) enter(ctx context.Context, tool string) (leave func(), err error) {
	d.mu.Lock()
	d.calls++
	switch {
	case d.ended:
		err = errLeft
	case d.queued >= d.s.opt.MaxQueue:
		err = fmt.Errorf("too many calls at once: %d wait for the one that runs (%s): this one was not done, wait for an answer before you send more", d.queued, d.busy)
	default:
		d.queued++
	}
	d.mu.Unlock()
	if err != nil {
		return nil, err
	}
	defer func() {
		d.mu.Lock()
		d.queued--
		if err == nil {
			d.busy = tool
		}
		d.mu.Unlock()
	}()
	select {
	case d.run <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return func() {
		d.mu.Lock()
		d.busy = ""
		d.mu.Unlock()
		<-d.run
	}, nil
}

// store is the client's session folder.
func (d *door) store(ctx context.Context) (*turn.Store, error) {
	s, err := turn.OpenOrCreate(ctx, turn.Dir(turn.SessionDir(d.s.opt.HostOptions.Home, d.name)), d.s.opt.HostOptions.Tool)
	if err != nil {
		return nil, fmt.Errorf("session %s: %w", d.name, err)
	}
	return s, nil
}

// at notes which tab the client is in now. opened: it has opened it.
func (d *door) at(tab string, opened bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.tab = tab
	if opened && tab != "" && !slices.Contains(d.own, tab) {
		d.own = append(d.own, tab)
	}
}

func (d *door) current() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.tab
}
