package sentinel

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/refscope/refscope/capture/action"
	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/capture/element"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/redact"
)

// Quiet of the page after the outcome, and how long it is waited for: what follows may
// be an error message.
const (
	// quiet is that of the document since it changed last. A document that has not changed is not waited for: what
	// the action was to lead to is there.
	quiet = 60 * time.Millisecond
	// answered is the time since the last request was answered: the page may think over what it got.
	answered = 150 * time.Millisecond
	quietMax = time.Second
	// calm is the quiet that no_change takes as the end.
	calm = 500 * time.Millisecond
	// grace is how long the last probe of the page may take after the timeout.
	grace = 2 * time.Second
)

// Options configure where the refs of an expectation are looked up.
type Options struct {
	// Before is the capture that the agent saw last; nil where no ref is expected.
	Before *snapshot.Capture
	// Elements are live elements by their ref, for those that Before does not have: the
	// one that took the place of another.
	Elements map[int]collect.Element
	// Prepares: nothing happens to the page before the action calls [action.Page.OnPrepared]'s function, so it is noted
	// then, and not now too. A page that cannot be noted then is acted on all the same, and nothing is found out.
	Prepares bool
}

// Watcher knows how a page was before an action. It is used once, by one goroutine.
type Watcher struct {
	page     *action.Page
	expect   *Expectation
	wanted   []want
	redactor *redact.Redactor
	before   *scene
	began    time.Time
	dialogs  int
	choosers int
	late     bool    // see Options.Prepares
	pressed  want    // the element of a click, where it is known
	prepared bool    // before is how the page was once the action was prepared; see [Watcher.rebase]
	met      verdict // the newest, of Await
}

// want is something that is looked for, for one expectation of the chain.
type want struct {
	e   *Expectation
	uid int    // of an element identified by ref
	key string // of its document
}

// Watch notes how the page is now, before an action. Its error is an
// [*action.NotFoundError] for a ref that nobody knows, an [*action.SelectorError], or one
// of asking the page.
func Watch(ctx context.Context, page *action.Page, e *Expectation, o Options) (*Watcher, error) {
	w := &Watcher{page: page, expect: e, began: time.Now(), redactor: redact.Standard()}
	var err error
	for x := e; x != nil; x = x.Or {
		if x.pressed > 0 {
			w.pressed.uid, w.pressed.key = o.find(&Expectation{Ref: x.pressed})
		}
		if x.Text == "" && x.Selector == "" && x.Ref == 0 {
			continue
		}
		it := want{e: x}
		if x.Ref > 0 {
			if it.uid, it.key = o.find(x); it.uid == 0 {
				spelled := cmp.Or(x.Spelled, strconv.Itoa(x.Ref))
				if x.Spell != nil {
					spelled = x.Spell(x.Ref)
				}
				return nil, &action.NotFoundError{
					What: "ref " + spelled,
					Hint: "expect something of an element that was listed",
				}
			}
		}
		w.wanted = append(w.wanted, it)
	}
	_, w.dialogs = page.Tab().DialogsSince(0)
	w.choosers = page.Tab().Choosers()
	selects := slices.ContainsFunc(w.wanted, func(it want) bool { return it.e.Selector != "" })
	if o.Prepares && !selects { // a selector may be wrong, which is told before anything is done
		w.late = true
		page.OnPrepared(w.rebase)
		return w, nil
	}
	if w.before, err = w.probe(ctx); moved(err) && ctx.Err() == nil { // it has just gone to another document
		w.before, err = w.probe(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("noting how the page is before the action: %w", err)
	}
	for i, it := range w.wanted {
		if w.before.of(i).Wrong {
			return nil, action.Unreadable(it.e.Selector)
		}
	}
	page.OnPrepared(w.rebase)
	return w, nil
}

// rebase notes how the page is once the action is prepared: that its element was scrolled into view and the mouse
// moved over it is no outcome.
func (w *Watcher) rebase(ctx context.Context) error {
	before := w.before
	w.before = nil // what was noted until now is requested whole, as at first
	now, err := w.probe(ctx)
	if w.late && moved(err) && ctx.Err() == nil { // it has just gone to another document
		now, err = w.probe(ctx)
	}
	if err != nil {
		w.before = before
		if w.late && w.fatal(ctx, err) == nil {
			return nil
		}
		return fmt.Errorf("noting how the page is before the action: %w", err)
	}
	w.before, w.prepared = now, true
	return nil
}

func (w *Watcher) sinceBegan() time.Duration { return time.Since(w.began) }

// find is the uid of an element and the key of its document; 0 if unknown.
func (o Options) find(e *Expectation) (uid int, key string) {
	frame, ref := 0, e.Ref
	if r, ok := element.ParseRef(e.Spelled); ok {
		frame = r.Frame
	}
	if el, ok := o.Elements[ref]; ok && frame == 0 && el.Realm != nil && el.UID != 0 {
		return el.UID, el.Realm.Frame + " " + el.Realm.Loader
	}
	if o.Before == nil {
		return 0, ""
	}
	for i := range o.Before.Nodes {
		if n := &o.Before.Nodes[i]; n.Ref == ref && (frame == 0 || n.Frame == frame) {
			id := collect.IdentityOf(o.Before, n)
			return id.UID, id.Frame + " " + id.Loader
		}
	}
	return 0, ""
}

// Verify waits for the outcome, no longer than its timeout, and for what follows it, and returns the result. A
// missing outcome is no error: see [Result.Success]. Errors are the
// context's and those of a tab that is gone.
func (w *Watcher) Verify(ctx context.Context) (*Result, error) {
	limit, began := w.expect.limit(), time.Now()
	if err := w.Await(ctx); err != nil {
		return nil, err
	}
	if w.met.ok {
		// What follows: an error message, the rest of another document. What that one asks for later is waited for
		// by whoever reads it.
		network := answered
		if w.met.moved {
			network = 0
		}
		rest, stop := context.WithTimeout(ctx, min(quietMax, max(0, limit-time.Since(began))))
		err := w.page.WaitQuiet(rest, "", quiet, network)
		stop()
		if fatal := w.fatal(ctx, err); fatal != nil {
			return nil, fatal
		}
	}
	return w.Result(ctx)
}

// errUnnoted is the error of a result where the page could not be noted when the action was prepared.
var errUnnoted = errors.New("how the page was before the action was not noted")

// Await waits for the outcome, no longer than its timeout, and for nothing that may follow it. Its errors are those of
// [Watcher.Verify].
func (w *Watcher) Await(ctx context.Context) error {
	in, cancel := context.WithTimeout(ctx, w.expect.limit())
	defer cancel()
	if w.before == nil {
		return w.fatal(ctx, w.page.WaitQuiet(in, "", quiet, answered))
	}
	if w.expect.Type == NoChange && w.expect.Or == nil {
		return w.fatal(ctx, w.page.WaitQuiet(in, "", calm, calm))
	}
	return w.fatal(ctx, w.page.Until(in, "", func(ctx context.Context) (bool, error) {
		now, err := w.probe(ctx)
		if err != nil {
			return false, err
		}
		w.met = w.verdict(now)
		return w.met.ok, nil
	}))
}

// Result looks at the page once more and returns the result, after [Watcher.Await] and whatever wait the caller had
// for the page to be quiet.
func (w *Watcher) Result(ctx context.Context) (*Result, error) {
	if w.before == nil {
		return nil, errUnnoted
	}
	now, err := w.last(ctx)
	if fatal := w.fatal(ctx, err); fatal != nil {
		return nil, fatal
	}
	met := w.met
	if !met.ok && now != nil {
		met = w.verdict(now)
	}
	return w.result(met, now, w.expect.limit()), nil
}

// last looks at the page once the time is over; nil where it does not answer, or a
// dialog is in the way.
func (w *Watcher) last(ctx context.Context) (*scene, error) {
	in, cancel := context.WithTimeout(ctx, grace)
	defer cancel()
	for {
		now, err := w.probe(in)
		if err == nil || !moved(err) || in.Err() != nil {
			return now, err
		}
	}
}

// moved reports whether an error means that a document went away.
func moved(err error) bool {
	var stale *action.StaleError
	return errors.As(err, &stale) || errors.Is(err, browser.ErrNavigated) || errors.Is(err, browser.ErrDetached)
}

// fatal is an error that ends verification; nil for one that is a finding.
func (w *Watcher) fatal(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, browser.ErrGone), errors.Is(err, browser.ErrCrashed):
		return err
	}
	return nil
}
