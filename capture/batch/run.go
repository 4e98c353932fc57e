package batch

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/refscope/refscope/snapshot/text"
)

// Doer does one page: it writes its files into dir, an empty folder of the page's own, and
// returns what is known of it. Its error is a [*Failure] where it knows the cause. It is called
// from several goroutines, and ends when its context does.
type Doer func(ctx context.Context, p *Page, dir string) (Result, error)

// Causes of failures that this package knows. A Doer has more.
const (
	CauseTimeout = "timeout"
	CauseOther   = "other"
)

// Failure is the error of a page with its cause.
type Failure struct {
	// Cause is a short text that many pages share, such as "http 429".
	Cause string
	Err   error
	// Lasting: another attempt would fail as well.
	Lasting bool
	// Busy: the host is to be left alone for Wait, or for a time of our choosing where that is 0.
	Busy bool
	Wait time.Duration
}

func (f *Failure) Error() string { return f.Err.Error() }

// Unwrap is the error itself.
func (f *Failure) Unwrap() error { return f.Err }

// Options configure how pages are worked at.
type Options struct {
	// Jobs are how many pages are worked at a time; 1 if 0.
	Jobs int
	// Retry is how often a page is tried again that failed.
	Retry int
	// PageTimeout bounds one attempt; 0 is none.
	PageTimeout time.Duration
	// PerHost is how many pages of one host are worked at a time, 0 for as many as Jobs; Delay is
	// the least time between the beginnings of two. Files have no host.
	PerHost int
	Delay   time.Duration
	// Progress is called with each page that ended, one call at a time; nil for nobody.
	Progress func(*Entry)
	// Worker names this process in the manifest.
	Worker string
}

// longestError is how much of an error is kept, in characters.
const longestError = 500

// EntryOf is how a page ended: well, or with err.
func EntryOf(p *Page, r Result, err error) *Entry {
	e := &Entry{Key: p.Key(), Place: p.Place, Target: text.Cut(p.Address(), 2000), Name: text.Cut(clean(p.Name), 200),
		Device: text.Cut(clean(p.Device), 100), Outcome: OK, Result: r}
	if err != nil {
		e.Outcome, e.Cause, e.Error = Failed, CauseOf(err), text.Cut(clean(err.Error()), longestError)
	}
	e.Title = text.Cut(clean(e.Title), 300)
	return e
}

// CauseOf is the kind of an error.
func CauseOf(err error) string {
	var f *Failure
	switch {
	case errors.As(err, &f):
		return f.Cause
	case errors.Is(err, context.DeadlineExceeded):
		return CauseTimeout
	}
	return CauseOther
}

// Attempt does a page once, within its time. The error of one that took longer is a timeout,
// whatever became of it.
func Attempt(ctx context.Context, p *Page, do Doer, dir string, limit time.Duration) (Result, error) {
	in, cancel := ctx, context.CancelFunc(func() {})
	if limit > 0 {
		in, cancel = context.WithTimeout(ctx, limit)
	}
	defer cancel()
	r, err := do(in, p, dir)
	var known *Failure
	if err != nil && in.Err() != nil && ctx.Err() == nil && !(errors.As(err, &known) && known.Cause != CauseOther) {
		err = &Failure{Cause: CauseTimeout, Err: fmt.Errorf("it was not done within %s: %w", limit, err)}
	}
	return r, err
}

// Run does the pages of a list that are not done yet and writes their lines. Where the context
// ends, what is in progress is given up, and listed as little as what was not begun. Its error is
// that of the folder, or of the context.
func Run(ctx context.Context, f *Folder, pages []Page, do Doer, o Options) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	q := newQueue(f, pages, &o)
	var work sync.WaitGroup
	for range max(1, min(o.Jobs, len(pages))) {
		work.Go(func() {
			for {
				it := q.next(ctx)
				if it == nil {
					return
				}
				if err := q.do(ctx, f, it, do, &o); err != nil {
					stop(err)
				}
			}
		})
	}
	work.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

// item is a page that is to be done.
type item struct {
	page     *Page
	host     string
	attempts int       // that were made
	after    time.Time // not before
}

// host is what politeness knows of a host.
type host struct {
	running int
	after   time.Time // when the next page may begin
	busy    int       // how often in a row it asked to be left alone
}

// queue gives pages to those who work, in the order of the list as far as hosts allow it.
type queue struct {
	opt *Options

	mu      sync.Mutex
	waiting []*item
	running int
	hosts   map[string]*host
	changed chan struct{} // closed when something may have become free

	progress sync.Mutex
}

func newQueue(f *Folder, pages []Page, o *Options) *queue {
	q := &queue{opt: o, hosts: map[string]*host{}, changed: make(chan struct{})}
	for i := range pages {
		p := &pages[i]
		if !f.Done(p.Key()) {
			q.waiting = append(q.waiting, &item{page: p, host: p.Host()})
		}
	}
	return q
}

// next waits for a page that may begin; nil where all are through, or the context is.
func (q *queue) next(ctx context.Context) *item {
	for {
		if ctx.Err() != nil {
			return nil
		}
		it, wait, changed := q.take(time.Now())
		switch {
		case it != nil:
			return it
		case changed == nil:
			return nil
		}
		var timer <-chan time.Time
		if wait > 0 {
			t := time.NewTimer(wait)
			defer t.Stop()
			timer = t.C
		}
		select {
		case <-timer:
		case <-changed:
		case <-ctx.Done():
			return nil
		}
	}
}

// take is a page that may begin now; else how long until one may by itself (0: not by itself),
// and what is closed when that changes, nil where all are through.
func (q *queue) take(now time.Time) (_ *item, wait time.Duration, changed <-chan struct{}) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waiting) == 0 && q.running == 0 {
		return nil, 0, nil
	}
	for i, it := range q.waiting {
		at := it.after
		h := q.hosts[it.host]
		if h != nil && it.host != "" {
			if q.opt.PerHost > 0 && h.running >= q.opt.PerHost {
				continue
			}
			if h.after.After(at) {
				at = h.after
			}
		}
		if d := at.Sub(now); d > 0 {
			if wait == 0 || d < wait {
				wait = d
			}
			continue
		}
		if h == nil {
			h = &host{}
			q.hosts[it.host] = h
		}
		h.running++
		h.after = now.Add(q.opt.Delay)
		q.running++
		q.waiting = append(q.waiting[:i], q.waiting[i+1:]...)
		return it, 0, nil
	}
	return nil, wait, q.changed
}

// Back-off of a page that failed, and of a host that asked for it: doubled each time.
const (
	firstPause   = time.Second
	longestPause = time.Minute
)

// Pause is how long to wait before the attempt after that many.
func Pause(attempts int) time.Duration {
	return min(firstPause<<min(max(attempts-1, 0), 6), longestPause)
}

// release ends an attempt. again puts the page back.
func (q *queue) release(it *item, err error, again bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	now := time.Now()
	h := q.hosts[it.host]
	h.running--
	q.running--
	if wait := HostPause(err, h.busy+1); wait > 0 {
		h.busy++
		if at := now.Add(wait); at.After(h.after) {
			h.after = at
		}
	} else if err == nil {
		h.busy = 0
	}
	if again {
		it.after = now.Add(Pause(it.attempts))
		q.waiting = append(q.waiting, it)
	}
	close(q.changed)
	q.changed = make(chan struct{})
}

// do makes one attempt. Its error is that of the folder.
func (q *queue) do(ctx context.Context, f *Folder, it *item, do Doer, o *Options) error {
	dir, err := f.Workspace(it.page.Key())
	if err != nil {
		q.release(it, nil, false)
		return err
	}
	began := time.Now()
	r, err := Attempt(ctx, it.page, do, dir, o.PageTimeout)
	if ctx.Err() != nil {
		q.release(it, nil, false)
		return nil // nobody knows how it would have ended
	}
	it.attempts++
	if err != nil && it.attempts <= o.Retry && !Lasting(err) {
		q.release(it, err, true)
		return nil
	}
	e := EntryOf(it.page, r, err)
	e.Work = &Work{Began: began.UTC(), Seconds: time.Since(began).Round(time.Millisecond).Seconds(),
		Attempts: it.attempts, Worker: o.Worker}
	if err != nil && len(r.Files) == 0 {
		dir = ""
	}
	aerr := f.Add(e, dir)
	if aerr == nil && o.Progress != nil {
		q.progress.Lock()
		o.Progress(e)
		q.progress.Unlock()
	}
	q.release(it, err, false)
	return aerr
}

// Lasting reports whether another attempt would fail as well.
func Lasting(err error) bool {
	var f *Failure
	return errors.As(err, &f) && f.Lasting
}

// HostPause is how long a host is to be left alone after an error: for as long as it asked, or else longer the more
// times in a row it did. It is 0 where it did not ask.
func HostPause(err error, times int) time.Duration {
	var f *Failure
	switch {
	case !errors.As(err, &f) || !f.Busy:
		return 0
	case f.Wait > 0:
		return min(f.Wait, longestPause)
	}
	return Pause(times)
}
