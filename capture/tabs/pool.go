package tabs

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"reflect"
	"slices"
	"sync"
	"time"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/element"
	"github.com/refscope/refscope/capture/serve"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/turn"
)

// pool keeps connections to browsers, and tabs that stay attached between two runs. The
// hosts of one broker share it. It is safe for concurrent use.
type pool struct {
	lost chan struct{} // gets a value for every browser that is gone; holds one
	work sync.WaitGroup

	mu    sync.Mutex
	slots map[string]*slot // by HOST:PORT
	// known are the secrets of sessions, by their names. What a session has met stays as
	// long as the process: its tabs come and go.
	known map[string]*redact.Known
	told  map[string]redact.Kept   // of known, what was handed to another process
	sites map[string]*serve.Server // folders that are served for their pages, by path
}

// slot is one address.
type slot struct {
	turn chan struct{} // held by the one that connects or launches

	b    *browser.Browser // guarded by pool.mu; nil where none is connected
	tabs map[string]*held // by target id; those that no run is in
}

// held is a tab that stays attached.
type held struct {
	tab           *browser.Tab
	width, height int // of its viewport as it was set last
	last          Memory
	store         *turn.Store // of its session, which has read the ledger; nil before the first run is over
}

// Memory is what a tab that stays attached keeps for the next run.
type Memory struct {
	// Shot is the last one, nil for none; State is that of the page that it shows, before and after, see
	// [session.State], known since At.
	Shot  *session.Shot
	State session.State
	At    time.Time
	Known int // how much the session knew to be secret then
	// Elements are the snapshots that the agent was shown.
	Elements element.Memory
	// Unkept are the steps since the last turn, as turns keep them: the page could not be read after them.
	Unkept []json.RawMessage
}

func newPool() *pool {
	return &pool{lost: make(chan struct{}, 1), slots: map[string]*slot{}, known: map[string]*redact.Known{},
		sites: map[string]*serve.Server{}}
}

// serve returns the address of a local page. Its folder is served until the pool is closed: the
// page stays in its tab and may be loaded again.
func (p *pool) serve(ctx context.Context, file string) (string, error) {
	dir, name := filepath.Split(file)
	p.mu.Lock()
	defer p.mu.Unlock()
	site := p.sites[dir]
	if site == nil {
		var err error
		if site, err = serve.Folder(context.WithoutCancel(ctx), dir); err != nil {
			return "", err
		}
		p.sites[dir] = site
	}
	return site.Page(name)
}

// secrets are those of the session with that name.
func (p *pool) secrets(session string) *redact.Known {
	p.mu.Lock()
	defer p.mu.Unlock()
	k := p.known[session]
	if k == nil {
		k = &redact.Known{}
		p.known[session] = k
	}
	return k
}

// kept is what all sessions have met, by their names.
func (p *pool) kept() map[string]redact.Kept {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := map[string]redact.Kept{}
	for name, k := range p.known {
		out[name] = k.Kept()
	}
	return out
}

// news are the sessions in which secrets were typed, or withheld by a profile, since it was asked last, with all that
// they have met; nil for none.
func (p *pool) news() map[string]redact.Kept {
	now := p.kept()
	p.mu.Lock()
	defer p.mu.Unlock()
	more := map[string]redact.Kept{}
	for name, k := range now {
		if told := p.told[name]; !slices.Equal(k.Typed, told.Typed) || !reflect.DeepEqual(k.Withheld, told.Withheld) {
			more[name] = k
		}
	}
	p.told = now
	if len(more) == 0 {
		return nil
	}
	return more
}

// typed are the secrets that were typed in all sessions.
func (p *pool) typed() []redact.Secret {
	p.mu.Lock()
	defer p.mu.Unlock()
	var out []redact.Secret
	for _, k := range p.known {
		out = append(out, k.Typed()...)
	}
	return out
}

func (p *pool) slot(address string) *slot {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.slots[address]
	if s == nil {
		s = &slot{turn: make(chan struct{}, 1), tabs: map[string]*held{}}
		p.slots[address] = s
	}
	return s
}

// connected is the browser at an address, nil where the connection is not there or is
// lost.
func (p *pool) connected(address string) *browser.Browser {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.slots[address]
	if s == nil || s.b == nil {
		return nil
	}
	select {
	case <-s.b.Done():
		return nil
	default:
		return s.b
	}
}

// connect returns the browser at an address, by dial where none is connected. One caller
// dials at a time; the others get what it got.
func (p *pool) connect(ctx context.Context, address string, dial func() (*browser.Browser, error)) (*browser.Browser,
	error) {
	s := p.slot(address)
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if b := p.connected(address); b != nil {
		return b, nil
	}
	b, err := dial()
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	s.b, s.tabs = b, map[string]*held{}
	p.mu.Unlock()
	p.work.Go(func() { // ends with the connection, which close ends
		<-b.Done()
		p.mu.Lock()
		if s.b == b {
			s.b, s.tabs = nil, map[string]*held{}
		}
		p.mu.Unlock()
		select {
		case p.lost <- struct{}{}:
		default:
		}
	})
	return b, nil
}

// take returns a kept tab, exclusively until put; nil for none.
func (p *pool) take(address, target string) *held {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.slots[address]
	if s == nil {
		return nil
	}
	t := s.tabs[target]
	delete(s.tabs, target)
	if t == nil || !alive(t.tab) {
		return nil
	}
	return t
}

// put keeps a tab, and reports whether it could: one whose browser or target is gone is
// not kept.
func (p *pool) put(address string, t *held) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.slots[address]
	if s == nil || s.b == nil || !alive(t.tab) {
		return false
	}
	s.tabs[t.tab.ID()] = t
	return true
}

func alive(t *browser.Tab) bool {
	select {
	case <-t.Session().Gone():
		return false
	default:
		return true
	}
}

// count is the number of connected browsers and of tabs that are kept.
func (p *pool) count() (browsers, tabs int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, s := range p.slots {
		if s.b != nil {
			browsers++
			tabs += len(s.tabs)
		}
	}
	return browsers, tabs
}

// close ends all connections and waits for their watchers. A tab whose last command timed out is left to nobody,
// so that its script ends: it would keep a core busy until the browser is closed.
func (p *pool) close() error {
	p.mu.Lock()
	var list []*browser.Browser
	for _, s := range p.slots {
		if s.b != nil {
			list = append(list, s.b)
		}
		for _, t := range s.tabs {
			if t.tab.Session().Silent() {
				t.tab.EndScript(context.Background())
			}
		}
	}
	sites := p.sites
	p.sites = map[string]*serve.Server{}
	p.mu.Unlock()
	var errs []error
	for _, site := range sites {
		errs = append(errs, site.Close())
	}
	for _, b := range list {
		errs = append(errs, b.Close())
	}
	p.work.Wait()
	return errors.Join(errs...)
}
