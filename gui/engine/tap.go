package engine

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/loopback"
	"github.com/refscope/refscope/capture/tap"
	"github.com/refscope/refscope/gui/connect"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/profiles"
	"github.com/refscope/refscope/snapshot/turn"
)

// tapServer is the tap in this process. It writes to the session that was in use when it was
// started, through a store of its own, so that another one can come into view meanwhile.
type tapServer struct {
	changing sync.Mutex // held while it is started or stopped

	mu      sync.Mutex
	tap     *tap.Tap // nil where it does not run
	web     *loopback.Server
	store   *turn.Store
	watcher *tap.Watcher
	bases   []connect.Base
	turns   int
	last    string
	// token and address are those of the last start: what an agent was given works where the tap is started again.
	token, address string
}

// state is what the page for agents shows of it.
func (t *tapServer) state() connect.Tap {
	t.mu.Lock()
	defer t.mu.Unlock()
	out := connect.Tap{Bases: t.bases, Turns: t.turns, Last: t.last}
	if t.store != nil {
		out.Session = filepath.Base(t.store.Path())
	}
	return out
}

// use watches the pages of another browser.
func (t *tapServer) use(b *browser.Browser) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.watcher != nil {
		t.watcher.Use(b)
	}
}

// recorded counts a turn.
func (t *tapServer) recorded(n int, e *tap.Exchange) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.turns++
	answer := fmt.Sprintf("status %d", e.Status)
	if e.Status == 0 {
		answer = cmp.Or(e.Error, "no answer")
	}
	t.last = fmt.Sprintf("turn %d, %s, %s, %s", n, cmp.Or(e.Model, "unknown model"), answer, e.Pairing.Sentence())
}

// ServeTap implements [connect.Engine].
func (l *Live) ServeTap(ctx context.Context, on bool, upstreams []string) error {
	t := &l.tap
	t.changing.Lock()
	defer t.changing.Unlock()
	t.mu.Lock()
	running := t.tap != nil
	t.mu.Unlock()
	switch {
	case on == running:
		return nil
	case !on:
		return t.stop(ctx)
	}
	o := tap.Options{Tool: l.opt.Tool, Log: l.opt.Log, Token: t.secret(), Recorded: t.recorded}
	for _, s := range upstreams {
		u, err := tap.ParseUpstream(s)
		if err != nil {
			return fmt.Errorf("a compatible host cannot be used: %w", err)
		}
		o.Upstreams = append(o.Upstreams, u)
	}
	l.mu.Lock()
	store, b := l.store, l.browser
	l.mu.Unlock()
	if store == nil || !l.isOwn(store.Path()) {
		return &core.Hinted{Err: errors.New("the session in view is a recording, to which no turns are added"),
			Hint: "Go to the window's own session first."}
	}
	var err error
	if o.Store, err = turn.OpenPath(store.Path()); err != nil {
		return fmt.Errorf("the session cannot be opened: %w", err)
	}
	o.Watcher = tap.Watch(b, profiles.Home(l.opt.Home), o.Log)
	if err := o.Watcher.Prepare(ctx); err != nil {
		l.opt.Log.Debug("preparing the tap", "error", err) // the first request attaches then
	}
	if err := t.start(ctx, o); err != nil {
		o.Watcher.Close(ctx)
		return errors.Join(err, o.Store.Close())
	}
	return nil
}

// secret is the token in the addresses of the tap.
func (t *tapServer) secret() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.token == "" {
		t.token = rand.Text()
	}
	return t.token
}

// serveAgain serves at the address that a server of this window had before, or, where it had none or another program
// has it now, at a free port.
func serveAgain(before string, serve func(hostPort string) (*loopback.Server, error)) (*loopback.Server, error) {
	if before != "" {
		if web, err := serve(before); err == nil {
			return web, nil
		}
	}
	return serve("127.0.0.1:0")
}

// start serves a tap at a port of its own.
func (t *tapServer) start(ctx context.Context, o tap.Options) error {
	made, err := tap.New(o)
	if err != nil {
		return err
	}
	web, err := serveAgain(t.address, func(hostPort string) (*loopback.Server, error) {
		return made.Serve(ctx, hostPort, func(err error) { o.Log.Warn("the tap has ended", "error", err) })
	})
	if err != nil {
		return fmt.Errorf("no port could be had for the tap: %w", err)
	}
	t.mu.Lock()
	t.tap, t.web, t.store, t.watcher = made, web, o.Store, o.Watcher
	t.bases, t.turns, t.last, t.address = nil, 0, "", web.Addr
	for _, u := range made.BaseURLs(web.Addr) {
		name := u.Upstream.Variable
		if name == "" {
			name = u.Upstream.Name
		}
		t.bases = append(t.bases, connect.Base{Name: name, URL: u.URL})
	}
	t.mu.Unlock()
	return nil
}

// stop ends the tap: requests in progress have a moment, and what was answered is saved.
func (t *tapServer) stop(ctx context.Context) error {
	t.mu.Lock()
	made, web, store, watcher := t.tap, t.web, t.store, t.watcher
	t.mu.Unlock()
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), 3*time.Second)
	defer cancel()
	web.Close(end) // streams that it breaks off are recorded so
	saved, cancel := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
	defer cancel()
	err := made.Close(saved)
	watcher.Close(saved)
	t.mu.Lock()
	t.tap, t.web, t.store, t.watcher, t.bases = nil, nil, nil, nil, nil
	t.mu.Unlock()
	return errors.Join(err, store.Close())
}
