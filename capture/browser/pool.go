package browser

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	protocol "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
)

// How a pool treats a browser that cannot be connected to.
const (
	firstPause   = 250 * time.Millisecond // after the first refusal; it doubles with each further one
	maxPause     = time.Minute            // the longest
	mostFailures = 6                      // in a row of a browser that does not answer; then it is given up
	answerTime   = 5 * time.Second        // for an answer of one that is connected to, or was used before
	mostBusy     = 3                      // refusals in a row for want of room; then it is named
	fullTime     = 5 * time.Minute        // for which one may have no room; then it is given up
)

// Pool are browsers of other people, each of which is lent to one user at a time. A browser is connected to when
// it is first lent, and its health is checked whenever it is lent again. One that has no room (429, 503) is left alone
// for a while that grows, or that it asks for; one that refuses (401) or is not there is given up. It is safe for
// concurrent use.
type Pool struct {
	opt Options

	mu    sync.Mutex
	slots []*poolSlot
	// freed is closed, and made again, when a browser may be free.
	freed chan struct{}
}

// poolSlot is one browser of a pool. Its fields are guarded by Pool.mu, and b belongs to the one it is lent to.
type poolSlot struct {
	attach  string
	name    string
	lent    bool
	used    int // how often
	b       *Browser
	until   time.Time // when it is asked again
	failed  int       // times in a row
	since   time.Time // of the first of these
	given   error     // why it was given up, nil while it is in use
	lastErr error
	trouble string // what was told of it, "" for nothing
}

// ErrNoneLeft is the error of a pool none of whose browsers can be had.
var ErrNoneLeft = errors.New("no browser is left to attach to")

// errSilent is the error of a browser that does not answer in time.
var errSilent = errors.New("it does not answer")

// Trouble is what was wrong with a browser of a pool, once for each browser.
type Trouble struct {
	// At is the address of the browser as it may be shown.
	At string `json:"at"`
	// Why is what was wrong first.
	Why string `json:"why"`
	// GivenUp: it was not asked again.
	GivenUp bool `json:"givenUp,omitempty"`
}

// Troubles lists what was wrong with browsers of the pool so far, in the order of the pool.
func (p *Pool) Troubles() []Trouble {
	p.mu.Lock()
	defer p.mu.Unlock()
	var out []Trouble
	for _, s := range p.slots {
		if s.trouble != "" {
			out = append(out, Trouble{s.name, s.trouble, s.given != nil})
		}
	}
	return out
}

// tell names a browser and what is wrong with it in the log, once. p.mu is held.
func (p *Pool) tell(s *poolSlot, why string) {
	if s.trouble == "" {
		s.trouble = why
		p.opt.log().Warn("a browser of the pool does not serve, and pages go to the others", "at", s.name, "why", why)
	}
}

// NewPool makes a pool of the browsers at these addresses, in the forms of [Options.Attach]. The options are those of
// each connection.
func NewPool(o Options, attach ...string) *Pool {
	p := &Pool{opt: o, freed: make(chan struct{})}
	for i, at := range attach {
		name := Where(at)
		if slices.ContainsFunc(attach, func(other string) bool { return other != at && Where(other) == name }) {
			name = fmt.Sprintf("%s (browser %d)", name, i+1)
		}
		p.slots = append(p.slots, &poolSlot{attach: at, name: name})
	}
	return p
}

// Lent is a browser that was taken from a pool.
type Lent struct {
	*Browser
	pool *Pool
	slot *poolSlot
}

// Name is the address of the browser as it may be shown.
func (l *Lent) Name() string { return l.slot.name }

// Take lends a browser of the pool, and waits for one until the context ends. Its error names what became of each
// browser where none is left, or none became free in time.
func (p *Pool) Take(ctx context.Context) (*Lent, error) {
	for {
		slot, next, err := p.choose()
		if err != nil {
			return nil, err
		}
		if slot == nil {
			if err := next.wait(ctx); err != nil {
				return nil, p.none(err)
			}
			continue
		}
		b, err := p.connect(ctx, slot)
		if err == nil {
			return &Lent{b, p, slot}, nil
		}
		p.note(slot, err)
		if ctx.Err() != nil {
			return nil, p.none(ctx.Err())
		}
	}
}

// chance is when a browser may be free: when something changes, or at a time, which is zero where only a user can give
// one back.
type chance struct {
	freed <-chan struct{}
	at    time.Time
}

// choose takes the browser that is free and was used least; without one, it is nil, and next is when to ask again. Both
// are of one moment, so that no browser is given back unnoticed between the question and the wait.
func (p *Pool) choose() (_ *poolSlot, next chance, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	next.freed = p.freed
	var best *poolSlot
	var gone []error
	now := time.Now()
	for _, s := range p.slots {
		switch {
		case s.given != nil:
			gone = append(gone, s.given)
		case s.lent:
		case s.until.After(now):
			if next.at.IsZero() || s.until.Before(next.at) {
				next.at = s.until
			}
		case best == nil || s.used < best.used:
			best = s
		}
	}
	if len(gone) == len(p.slots) {
		return nil, next, fmt.Errorf("%w: %w", ErrNoneLeft, errors.Join(gone...))
	}
	if best != nil {
		best.lent = true
		best.used++
	}
	return best, next, nil
}

// wait waits until a browser may be free.
func (c chance) wait(ctx context.Context) error {
	var due <-chan time.Time
	if !c.at.IsZero() {
		timer := time.NewTimer(time.Until(c.at))
		defer timer.Stop()
		due = timer.C
	}
	select {
	case <-c.freed:
	case <-due:
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}

// connect is the browser of a slot, which was lent to the caller: connected to anew where it was not, or where its
// connection is lost. One that keeps silent is not waited for twice.
func (p *Pool) connect(ctx context.Context, s *poolSlot) (*Browser, error) {
	if b := s.b; b != nil {
		in, cancel := context.WithTimeout(ctx, answerTime)
		_, err := cdp.Call(in, b.conn.Root(), protocol.GetVersion, cdp.Empty{})
		cancel()
		if err == nil {
			return b, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		p.mu.Lock()
		s.b = nil
		p.mu.Unlock()
		_ = b.Close() // it does not answer
		if errors.Is(err, context.DeadlineExceeded) {
			return nil, fmt.Errorf("the browser at %s: %w", s.name, errSilent)
		}
	}
	o := p.opt
	o.Attach = s.attach
	in, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	b, err := Start(in, o)
	if err != nil {
		if in.Err() != nil && ctx.Err() == nil {
			return nil, fmt.Errorf("the browser at %s: %w within %s", s.name, errSilent, answerTime)
		}
		return nil, err
	}
	p.mu.Lock()
	s.b, s.failed = b, 0
	p.mu.Unlock()
	return b, nil
}

// note gives back a browser that could not be connected to, and decides when it is asked again, if ever.
func (p *Pool) note(s *poolSlot, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s.lent = false
	s.lastErr = err
	defer p.wake()
	if errors.Is(err, context.Canceled) {
		return
	}
	if s.failed++; s.failed == 1 {
		s.since = time.Now()
	}
	var no *refusedError
	refused := errors.As(err, &no)
	pause := min(firstPause<<min(s.failed-1, 10), maxPause)
	if !(refused && no.Busy()) || s.failed >= mostBusy {
		p.tell(s, err.Error())
	}
	switch {
	case errors.Is(err, errSilent) && p.others(s):
		s.given = err
	case refused && no.Busy():
		pause = max(pause, no.After)
		if time.Since(s.since) > fullTime {
			s.given = err
		}
	case refused && (no.Status == http.StatusUnauthorized || no.Status == http.StatusForbidden ||
		no.Status == http.StatusNotFound), s.failed >= mostFailures:
		s.given = err
	}
	s.until = time.Now().Add(pause)
	p.opt.log().Debug("a browser of the pool cannot be connected to", "at", s.name, "error", err, "again in", pause,
		"given up", s.given != nil)
}

// others reports whether the pool has another browser that is connected to. p.mu is held.
func (p *Pool) others(than *poolSlot) bool {
	return slices.ContainsFunc(p.slots, func(s *poolSlot) bool { return s != than && s.b != nil && s.given == nil })
}

// wake tells those who wait that something has changed. p.mu is held.
func (p *Pool) wake() {
	close(p.freed)
	p.freed = make(chan struct{})
}

// none is the error where no browser became free in time.
func (p *Pool) none(err error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := []error{err}
	for _, s := range p.slots {
		if s.lastErr != nil && !errors.Is(s.lastErr, err) {
			out = append(out, s.lastErr)
		}
	}
	return fmt.Errorf("none of the %d browsers became free: %w", len(p.slots), errors.Join(out...))
}

// Return gives the browser back. One whose connection is lost is connected to again when it is next lent.
func (l *Lent) Return() {
	lost := l.Browser != nil && l.Lost()
	l.pool.mu.Lock()
	defer l.pool.mu.Unlock()
	if lost {
		l.pool.tell(l.slot, "its connection was lost in the middle of a page")
	}
	l.slot.lent = false
	l.pool.wake()
}

// Lost reports whether the connection to the browser is gone: what it was lent for can be tried again with another.
func (l *Lent) Lost() bool { return l.conn.lost() }

// Close ends the connections. The browsers stay. All that were lent must have been returned.
func (p *Pool) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	var errs []error
	for _, s := range p.slots {
		if s.b != nil {
			errs = append(errs, s.b.Close())
			s.b = nil
		}
	}
	return errors.Join(errs...)
}
