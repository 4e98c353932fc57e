package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/refscope/refscope/capture/tabs"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/turn"
)

// closing is how long the tabs of a client that has left may take to close.
const closing = 10 * time.Second

// clientSession is one client: its MCP server, its session folder and its tab.
type clientSession struct {
	owner  *Server
	server *sdk.Server
	log    *slog.Logger
	left   chan struct{} // closed when it has left and all is done
	run    chan struct{} // held by the call that runs
	files  fileNames

	mu      sync.Mutex
	Session                            // as it is told to others
	abort   map[int]context.CancelFunc // of the calls that run or wait
	nth     int                        // of received calls
	free    func()                     // lets the folder go
	host    *tabs.Host
	ss      *sdk.ServerSession
	last    time.Time // of its last call that began or ended, or of its coming
	ended   bool
	own     []string // aliases of tabs that it opened

	// behind is the turn that is being written while its answer is on the way, nil before the first. It is closed
	// when that is over.
	behind chan struct{}
	wrote  string // alias of its tab
	unkept error  // why a turn was not written, nil once the client was told
}

// writeDeadline is how long writing a turn may take once its answer was given.
const writeDeadline = 30 * time.Second

// writeBehind writes a turn of a tab after those before it, while its answer is on the way to the client.
func (s *clientSession) writeBehind(ctx context.Context, tab string, write func(context.Context) error) {
	ctx = context.WithoutCancel(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	before, done := s.behind, make(chan struct{})
	s.behind, s.wrote = done, tab
	go func() { // whoever reads the session or ends it waits for it: see written
		defer close(done)
		if before != nil {
			<-before
		}
		ctx, cancel := context.WithTimeout(ctx, writeDeadline)
		defer cancel()
		if err := write(ctx); err != nil {
			s.log.Error("the turn was not kept", "session", s.Name, "error", err)
			s.keepUnkept(err)
			return
		}
		s.announce(ctx, true)
	}()
}

// written waits until the turns of the answers that were given are on disk.
func (s *clientSession) written() {
	s.mu.Lock()
	behind := s.behind
	s.mu.Unlock()
	if behind != nil {
		<-behind
	}
}

// writtenBut waits as written does, unless the turn that is being written is of that tab, which has its numbers.
func (s *clientSession) writtenBut(tab string) {
	s.mu.Lock()
	same := s.wrote == tab
	s.mu.Unlock()
	if !same {
		s.written()
	}
}

// keepUnkept keeps for the next answer why a turn was not written, if it was not.
func (s *clientSession) keepUnkept(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		s.unkept = err
	}
}

// takeUnkept is why the turn of an earlier call was not written, once.
func (s *clientSession) takeUnkept() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	err := s.unkept
	s.unkept = nil
	return err
}

// newClient makes a client's server. It gets its folder when it is met.
func (s *Server) newClient(transport string) (*clientSession, error) {
	c := &clientSession{
		owner: s, Session: Session{Transport: transport, ID: newID()}, last: time.Now(), left: make(chan struct{}),
		run:   make(chan struct{}, 1),
		abort: map[int]context.CancelFunc{}, log: s.opt.Log,
	}
	if !s.admit(c) {
		return nil, errFull
	}
	c.server = sdk.NewServer(s.me(), &sdk.ServerOptions{
		Instructions: instructions, Logger: s.opt.Log,
		SupportedProtocolVersions: versions(), Capabilities: &sdk.ServerCapabilities{},
		GetSessionID:       func() string { return c.ID },
		InitializedHandler: func(_ context.Context, r *sdk.InitializedRequest) { c.meet(r.Session) },
		SubscribeHandler:   func(context.Context, *sdk.SubscribeRequest) error { return nil },
		UnsubscribeHandler: func(context.Context, *sdk.UnsubscribeRequest) error { return nil },
	})
	byName := map[string]*tool{}
	for _, t := range s.tools {
		byName[t.name] = t
		t.add(c)
	}
	c.server.AddReceivingMiddleware(func(next sdk.MethodHandler) sdk.MethodHandler {
		return func(ctx context.Context, method string, q sdk.Request) (sdk.Result, error) {
			r, ok := q.(*sdk.CallToolRequest)
			if !ok || byName[r.Params.Name] == nil {
				return next(ctx, method, q)
			}
			if string(bytes.TrimSpace(r.Params.Arguments)) == "null" { // the SDK panics where it adds defaults to it
				r.Params.Arguments = json.RawMessage("{}")
			}
			return c.handle(
				ctx, byName[r.Params.Name], r,
				func(ctx context.Context) (sdk.Result, error) { return next(ctx, method, q) },
			)
		}
	})
	c.offer()
	return c, nil
}

// meet marks the client as connected: with its first message, or when its pipes are
// connected. It may be called again.
func (s *clientSession) meet(ss *sdk.ServerSession) {
	client := ""
	if p := ss.InitializeParams(); p != nil && p.ClientInfo != nil {
		client = text.StartBytes(text.Line(p.ClientInfo.Name+" "+p.ClientInfo.Version), 100)
	}
	s.owner.mu.Lock()
	defer s.owner.mu.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	if client != "" {
		s.Client = client
	}
	if s.ss != nil {
		return
	}
	s.ss = ss
	delete(s.owner.waiting, s.ID)
	if !s.owner.gone {
		name, free, err := s.owner.folder()
		if err != nil {
			s.log.Error("a client has no session folder", "error", err)
		}
		s.Name, s.free = name, free
		if want := s.owner.opt.Session; want != "" && want != name && s.Transport == "stdio" {
			s.log.Warn("another client writes to the session", "session", want, "turns of this one go to", name)
		}
	}
	if s.Name == "" { // its calls are refused
		s.ended = true
		close(s.left)
		return
	}
	s.Started = time.Now()
	o := s.owner.opt.HostOptions
	o.Session = s.Name
	s.host = s.owner.host.With(o)
	s.owner.clients[s.ID] = s
	s.owner.work.Go(func() {
		err := ss.Wait()
		s.log.Debug("an MCP client has left", "session", s.Name, "error", err)
		s.leave()
	})
}

// leave waits for the call that runs, closes the tabs and forgets the client.
func (s *clientSession) leave() {
	defer close(s.left)
	s.mu.Lock()
	s.ended = true
	s.mu.Unlock()
	s.run <- struct{}{} // never given back: what comes now is refused
	s.written()
	ctx, cancel := context.WithTimeout(context.Background(), closing)
	defer cancel()
	if !s.owner.opt.KeepTabs {
		for _, alias := range s.own {
			if err := s.host.CloseTab(ctx, alias, tabs.Place{}); err != nil {
				s.log.Debug("closing the tab of a client that has left", "tab", alias, "error", err)
			}
		}
	}
	s.free()
	s.owner.mu.Lock()
	delete(s.owner.clients, s.ID)
	s.owner.mu.Unlock()
}

// breakOff ends the calls that run or wait; no more are taken.
func (s *clientSession) breakOff() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	for _, cancel := range s.abort {
		cancel()
	}
}

// close breaks off what the client does and ends its connection.
func (s *clientSession) close() {
	s.breakOff()
	s.mu.Lock()
	ss := s.ss
	s.mu.Unlock()
	if ss != nil {
		_ = ss.Close() // one that is gone is closed
		return
	}
	for ss := range s.server.Sessions() { // it was not initialized
		_ = ss.Close()
	}
}

// idle reports whether no call of the client runs or waits.
func (s *clientSession) idle() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.ended && s.Busy == "" && s.Queued == 0
}

// before reports whether a client gives up its place before another: the one that never called, then the one whose last
// call is longer ago.
func (s *clientSession) before(other *clientSession) bool {
	used := func(c *clientSession) (bool, time.Time) {
		c.mu.Lock()
		defer c.mu.Unlock()
		return c.Calls > 0, c.last
	}
	calls, last := used(s)
	theirs, since := used(other)
	if calls != theirs {
		return theirs
	}
	return last.Before(since)
}

// session describes the client to a person.
func (s *clientSession) session() Session {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.Session
}

// errLeft: a call came when its client had left. It is not done.
var errLeft = errors.New("the session has ended")

// begin makes a call one that can be broken off, with [clientSession.breakOff].
func (s *clientSession) begin(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.nth++
	n := s.nth
	s.abort[n] = cancel
	return ctx, func() {
		cancel()
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.abort, n)
	}
}

// enter waits for the calls before. Its error is one for the client.
func (s *clientSession) enter(ctx context.Context, tool string) (leave func(), err error) {
	s.mu.Lock()
	s.Calls++
	s.last = time.Now()
	switch {
	case s.ended:
		err = errLeft
	case s.Queued >= s.owner.opt.MaxQueue:
		err = fmt.Errorf(
			"too many calls at once: %d wait for the one that runs (%s): "+
				"this one was not done, wait for an answer before you send more",
			s.Queued, s.Busy,
		)
	default:
		s.Queued++
	}
	s.mu.Unlock()
	if err != nil {
		return nil, err
	}
	defer func() {
		s.mu.Lock()
		s.Queued--
		if err == nil {
			s.Busy = tool
		}
		s.mu.Unlock()
	}()
	select {
	case s.run <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	next, err := s.owner.place(ctx)
	if err != nil {
		<-s.run
		return nil, err
	}
	return func() {
		next()
		s.mu.Lock()
		s.Busy, s.last = "", time.Now()
		s.mu.Unlock()
		<-s.run
	}, nil
}

// store is the client's session folder, with all turns of the answers that were given.
func (s *clientSession) store(ctx context.Context) (*turn.Store, error) {
	s.written()
	store, err := turn.OpenOrCreate(
		ctx, turn.Dir(turn.SessionDir(s.owner.opt.HostOptions.Home, s.Name)), s.owner.opt.HostOptions.Tool,
	)
	if err != nil {
		return nil, fmt.Errorf("session %s: %w", s.Name, err)
	}
	return store, nil
}

// at notes which tab the client is in now. opened: it has opened it.
func (s *clientSession) at(tab string, opened bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Tab = tab
	if opened && tab != "" && !slices.Contains(s.own, tab) {
		s.own = append(s.own, tab)
	}
}

func (s *clientSession) current() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.Tab
}
