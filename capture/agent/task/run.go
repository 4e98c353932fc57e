package task

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/element"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/capture/step"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/payload"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/turn"
)

// parting is how long the last page may take to be read and kept once the time is over.
const parting = 10 * time.Second

// run is one task in progress.
type run struct {
	opt      Options
	tab      *browser.Tab
	elements *element.Resolver
	steps    *step.Runner
	watch    *watch // of the step that runs
	client   *client
	redactor *redact.Redactor
	out      *Outcome
	began    time.Time

	secrets []redact.Secret // what was typed into fields that hold secrets
	asked   []turn.Payload  // requests and answers about the present page

	last *actionResult     // what led to the present page, nil for nothing
	prev *snapshot.Capture // the page of the last request, nil before the first
	ids  map[string]int    // refs by how the last request spelled them, nil where those are the numbers
	hash string            // of the tree that was sent last
	step int               // from 1, those of a run before counted
}

// Run does a task in a tab. How it ended is in the outcome, also where the context was
// cancelled; an error is one of the options, or of keeping the turns. The outcome of a
// run that had begun is given with the error.
func Run(ctx context.Context, tab *browser.Tab, o Options) (*Outcome, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	c, err := newClient(o)
	if err != nil {
		return nil, err
	}
	defer c.close()
	r := &run{opt: o, tab: tab, client: c, out: &Outcome{}, began: time.Now(), step: 1, redactor: redact.Standard()}
	o.Collect.Known = &redact.Known{}
	of := element.Options{
		Store: o.Store, Log: o.Log,
		Session: session.Options{Collect: o.Collect, Profiles: o.Profiles, NoPicture: o.NoPicture, Settle: o.Settle,
			PageWrites: o.Writes},
	}
	if o.Compat {
		of.Resemblance = compatScore
	}
	if r.elements, err = element.New(ctx, tab, of); err != nil {
		return nil, err
	}
	r.steps, err = step.New(ctx, tab, step.Options{
		Elements: r.elements, Collect: o.Collect, Profiles: o.Profiles, Tool: o.Tool, Watch: r.watchStep, Log: o.Log,
		Timeout: o.ReadTimeout,
	})
	if err != nil {
		return nil, err
	}
	if o.Resume != nil {
		r.step, r.out.TaskID, r.last = o.Resume.Steps+1, o.Resume.TaskID, o.Resume.last()
	}
	in, cancel := context.WithTimeout(ctx, o.MaxTime)
	defer cancel()
	err = r.loop(in)
	if e := (*stop)(nil); errors.As(err, &e) {
		r.end(ctx, in, e)
		err = r.leave(ctx, e)
	}
	r.out.Seconds = float64(time.Since(r.began).Milliseconds()) / 1000
	r.out.Steps = r.step
	r.report("end", "%s: %s", r.out.Status, r.out.Reason)
	return r.out, err
}

// compatScore is the seed's threshold of a ghost match.
const compatScore = 0.5

// stop ends the loop.
type stop struct {
	status, why string
	reason      string
	// kept: the present page and its exchange are kept already.
	kept bool
}

func (s *stop) Error() string { return s.reason }

// loop goes from page to page. Its error is a [*stop], or one of keeping a turn.
func (r *run) loop(ctx context.Context) error {
	faults := 0
	for ; ; r.step++ {
		if r.step > r.opt.MaxSteps {
			r.step-- // it was not taken
			return &stop{
				status: "stopped", why: "steps",
				reason: fmt.Sprintf("%d steps were made, as many as are allowed", r.opt.MaxSteps),
			}
		}
		s, err := r.show(ctx)
		if err != nil {
			return &stop{status: "stopped", why: "page", reason: "the page could not be read: " + err.Error()}
		}
		r.report(
			"page", "%s, %d elements can be operated", r.redactor.Clean(s.Shot.Capture.URL),
			s.Shot.Capture.Page.InteractiveCount,
		)
		a, failed := r.ask(ctx, s.Shot)
		if err := r.keep(ctx, s.Shot); err != nil {
			return err
		}
		r.prev = s.Shot.Capture
		var fault *badAnswer
		switch {
		case errors.As(failed, &fault):
			r.out.Faults++
			if faults++; faults >= maxFaults {
				return &stop{
					status: "stopped", why: "faults",
					reason: fmt.Sprintf("%d answers in a row could not be followed: %v", faults,
						r.clean(fault.Error())), kept: true,
				}
			}
			r.last = r.faulted(fault)
			continue
		case failed != nil:
			why := &stop{status: "stopped", why: "endpoint", reason: r.clean(failed.Error()), kept: true}
			if e := (*stop)(nil); errors.As(failed, &e) {
				why = e
				why.kept = true
			}
			return why
		}
		faults = 0
		if end := r.ends(a); end != nil {
			return end
		}
		r.last = r.act(ctx, a, s.Shot.Capture)
		r.out.Actions++
		if fatal := r.last.fatal; fatal != nil && ctx.Err() == nil {
			return &stop{status: "stopped", why: "page", reason: "the tab is gone: " + fatal.Error(), kept: true}
		}
		if ctx.Err() != nil {
			return &stop{}
		}
	}
}

// show reads the page. Where the last action led to one that could not be loaded, there
// is none: the tab goes back to where it was, and the next request reports it.
func (r *run) show(ctx context.Context) (*element.Snapshot, error) {
	r.elements.Invalidate()
	limit := r.opt.ReadTimeout
	if r.prev == nil && !r.opt.Opened.IsZero() {
		limit = max(limit/3, limit-time.Since(r.opt.Opened)) // a third is what opening leaves
	}
	ctx, stop := browser.Within(ctx, limit)
	defer stop()
	s, err := r.elements.Show(ctx)
	var lost *browser.NavError
	if r.last == nil || r.prev == nil || !errors.As(err, &lost) {
		return s, err
	}
	in, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	if berr := r.tab.Back(in); berr != nil {
		return nil, err
	}
	if r.last.Error == nil {
		r.last.Error = &payload.ActionError{Message: r.clean(lost.Error()), Code: "NAVIGATION", Action: r.last.Action}
	}
	r.last.Done, r.last.Note = false, "the page could not be loaded, and the tab was taken back to the one before"
	r.report("fault", "%s", r.last.Note)
	return r.elements.Show(ctx)
}

// ends is the end that an answer asks for, nil for none.
func (r *run) ends(a *agentAnswer) *stop {
	status, ok := a.Status, a.Status == statusCompleted || a.Status == statusFailed
	told := ""
	if !ok && a.Action != nil {
		if status, ok = a.Action.ends(); ok {
			told = a.Action.Text
		}
	}
	if !ok {
		return nil
	}
	if told == "" {
		told = a.Thought
	}
	if told = r.clean(told); told != "" {
		told = ": " + told
	}
	if status == statusCompleted {
		return &stop{status: status, why: "done", reason: "the endpoint says that the task is done" + told, kept: true}
	}
	return &stop{status: status, why: "gave-up", reason: "the endpoint gives the task up" + told, kept: true}
}

// end is how the loop ended; a cancelled context takes precedence over the error that it caused.
func (r *run) end(ctx, in context.Context, e *stop) {
	switch {
	case ctx.Err() != nil:
		e.status, e.why, e.reason = "stopped", "cancelled", "the task was cancelled"
	case in.Err() != nil && e.status != statusCompleted && e.status != statusFailed:
		e.status, e.why, e.reason = "stopped", "time", fmt.Sprintf("%s are over", r.opt.MaxTime)
	}
	r.out.Status, r.out.Why, r.out.Reason = e.status, e.why, e.reason
	if r.prev != nil {
		r.out.URL = r.redactor.Clean(r.prev.URL)
	}
}

// leave keeps the page as the last action has left it, where no request was made about
// it: a session ends with what its last action led to. What cannot be read any more is
// not kept.
func (r *run) leave(ctx context.Context, e *stop) error {
	unread := r.last == nil && e.why == "page" // nothing was done to it, and it has just been asked
	if e.kept && e.why != "page" || r.prev != nil && (r.last == nil || r.last.verb == "fault") || unread {
		return nil
	}
	limit := min(parting, r.opt.ReadTimeout)
	if e.why == "page" { // a reading of it has just timed out
		limit = time.Second
	}
	in, cancel := context.WithTimeout(context.WithoutCancel(ctx), limit)
	defer cancel()
	r.elements.Invalidate()
	s, err := r.elements.Show(in)
	if err != nil {
		r.opt.Log.Debug("the last page could not be read", "error", err)
		return nil
	}
	r.out.URL = r.redactor.Clean(s.Shot.Capture.URL)
	return r.keep(in, s.Shot)
}

// report sends an event to [Options.Progress].
func (r *run) report(kind, format string, args ...any) {
	if r.opt.Progress != nil {
		r.opt.Progress(Event{kind, r.step, r.clean(fmt.Sprintf(format, args...))})
	}
}

// clean is a text without secrets.
func (r *run) clean(s string) string {
	b, _ := redact.Body([]byte(s), r.redactor, r.secrets...)
	return string(b)
}

// faulted is the last action of an answer that could not be followed.
func (r *run) faulted(f *badAnswer) *actionResult {
	r.report("fault", "%s: %v", f.Code, f)
	return &actionResult{
		Action: f.Action, verb: "fault", Error: &payload.ActionError{Message: f.Error(), Code: f.Code,
			Action: f.Action},
	}
}

// ref is the number of an element by how the endpoint spelled it.
func (r *run) ref(id string) string {
	if n, ok := r.ids[id]; ok && n > 0 {
		return strconv.Itoa(n)
	}
	return id
}
