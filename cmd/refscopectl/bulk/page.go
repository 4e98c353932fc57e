package bulk

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/refscope/refscope/capture/batch"
	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/capture/step"
	"github.com/refscope/refscope/capture/target"
	"github.com/refscope/refscope/cmd/refscopectl/cli"
	"github.com/refscope/refscope/profiles"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/text"
)

// Causes of failures that the browser gives. Those of HTTP are "http 429", those of Chrome
// "net::ERR_NAME_NOT_RESOLVED".
const (
	causeBrowser = "browser crash"
	causePage    = "page crash"
	causeMemory  = "memory"
	causeSteps   = "steps"
	causeAddress = "address"
	causeFile    = "file"
	causeNoStart = "browser start"
)

// pageWorker does single pages of a batch: all in one browser, which it starts again where it is
// gone, or in those of a pool. It is safe for concurrent use.
type pageWorker struct {
	a       *cli.App
	spec    batchSpec
	works   []*pageWork
	gallery *gallery

	mu sync.Mutex
	b  *browser.Browser
}

// newPageWorker makes a worker for a batch. It starts nothing yet.
func newPageWorker(a *cli.App, spec batchSpec, g *gallery) (*pageWorker, error) {
	own := *a
	// The ceiling of memory ends processes, and pages must not share what they store with tabs of others.
	own.Fresh, own.Quiet, own.Timeout, own.Viewport = true, true, spec.Timeout, spec.Viewport
	if err := own.Check(); err != nil {
		return nil, err
	}
	w := &pageWorker{a: &own, spec: spec, gallery: g}
	for _, words := range spec.Do {
		work, err := batchWork(&own, words, g)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(w.works, func(other *pageWork) bool { return other.name == work.name }) {
			return nil, cli.Usagef("batch: --do %s is there twice, and both would write the same files", work.name)
		}
		w.works = append(w.works, work)
	}
	return w, nil
}

// close ends the browser.
func (w *pageWorker) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.b != nil {
		if err := w.b.Close(); err != nil {
			w.a.Log().Debug("closing the browser", "error", err)
		}
		w.b = nil
	}
}

// browser is the one that pages are opened in: a new one where there is none, or it is gone.
func (w *pageWorker) browser(ctx context.Context) (*browser.Browser, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.b != nil {
		select {
		case <-w.b.Done():
			_ = w.b.Close() // it is gone; this removes its profile
			w.b = nil
		default:
			return w.b, nil
		}
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	var err error
	if w.b, err = w.a.Start(ctx); err != nil {
		w.b = nil
		return nil, &batch.Failure{Cause: causeNoStart, Err: err}
	}
	return w.b, nil
}

// leave gives up a browser that is gone, so that the next page gets a new one.
func (w *pageWorker) leave(b *browser.Browser) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.b != nil && w.b.Endpoint() == b.Endpoint() {
		_ = w.b.Close() // it is gone; this removes its profile
		w.b = nil
	}
}

// memoryPeriod is how often the memory of pages is looked at.
const memoryPeriod = 500 * time.Millisecond

// watchMemory ends processes of pages that grow beyond the ceiling, until stop is called.
func (w *pageWorker) watchMemory(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var work sync.WaitGroup
	if w.spec.Memory > 0 {
		work.Go(func() {
			tick := time.NewTicker(memoryPeriod)
			defer tick.Stop()
			for {
				select {
				case <-ctx.Done():
					return
				case <-tick.C:
				}
				if err := w.endLarge(ctx); errors.Is(err, browser.ErrNoMemory) {
					w.a.Log().Debug("there is no ceiling of memory", "error", err)
					return
				}
			}
		})
	}
	return func() { cancel(); work.Wait() }
}

// endLarge ends the processes that are too large.
func (w *pageWorker) endLarge(ctx context.Context) error {
	w.mu.Lock()
	b := w.b
	w.mu.Unlock()
	if b == nil {
		return nil
	}
	in, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	return b.EndRenderers(in, w.spec.Memory)
}

// target is where a page is.
func (w *pageWorker) target(p *batch.Page) string {
	if w.gallery == nil {
		return p.Target
	}
	if g := w.gallery.folder.List.Page(p.Name); g != nil {
		return w.gallery.folder.Target(g)
	}
	return p.Target
}

// do does one page: see [batch.Doer].
func (w *pageWorker) do(ctx context.Context, p *batch.Page, dir string) (batch.Result, error) {
	var res batch.Result
	o, err := w.opener(ctx, p)
	if err != nil {
		return res, w.failure(err)
	}
	var tab string
	o.Made = func(id string) { tab = id }
	if err = w.page(ctx, p, o, dir, &res); err == nil {
		return res, nil
	}
	if errors.Is(err, browser.ErrGone) && o.Browser != nil {
		w.leave(o.Browser)
	}
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if errors.Is(err, browser.ErrCrashed) && o.Browser != nil && o.Browser.Killed(end, tab) {
		return res, &batch.Failure{Cause: causeMemory, Lasting: true,
			Err: fmt.Errorf("its process held more than %s MB and was ended: allow more with --page-memory: %w",
				text.Thousands(int(w.spec.Memory>>20)), err)}
	}
	return res, w.failure(err)
}

// page opens a page, does its steps, captures it and does the works.
func (w *pageWorker) page(ctx context.Context, p *batch.Page, o *target.Opener, dir string,
	res *batch.Result) (err error) {
	s := session.Options{Settle: w.spec.Settle, Action: "batch"}
	for _, work := range w.works {
		s.FullPage = s.FullPage || work.full
		if work.name == "turn" && s.Store == nil {
			if s.Store, err = target.OpenFolder(ctx, filepath.Join(dir, batch.SessionDir), cli.Tool()); err != nil {
				return err
			}
			defer s.Store.Close()
		}
	}
	if p.Profile != "" {
		data, err := target.ReadRegular(p.Profile)
		if err != nil {
			return &batch.Failure{Cause: causeFile, Lasting: true,
				Err: fmt.Errorf("profile %s: %w", p.Profile, export.Cause(err))}
		}
		name := strings.TrimSuffix(filepath.Base(p.Profile), filepath.Ext(p.Profile))
		s.Profile = &profiles.File{Domain: name, Text: string(data), Path: p.Profile}
	}
	o.Ready = func(ctx context.Context, tab *target.Tab) error {
		answer := tab.Answer()
		res.Status = answer.Status
		if err := refused(answer); err != nil {
			return err
		}
		return w.steps(ctx, p, tab, dir)
	}
	r, err := o.Open(ctx, w.target(p), s)
	if err != nil {
		return err
	}
	describe(r.Capture, res)
	if err := thumbnail(r, dir); err != nil {
		return err
	}
	for _, work := range w.works {
		if err := work.write(ctx, p, r, dir, res); err != nil {
			return fmt.Errorf("%s: %w", work.name, err)
		}
	}
	return nil
}

// opener opens a page with its device, in the worker's browser.
func (w *pageWorker) opener(ctx context.Context, p *batch.Page) (*target.Opener, error) {
	with := *w.a
	if p.Device != "" {
		with.Viewport = p.Device
		if err := with.Check(); err != nil {
			return nil, err
		}
	}
	o := with.Opener()
	if o.Pool != nil {
		return o, nil
	}
	b, err := w.browser(ctx)
	if err != nil {
		return nil, err
	}
	o.Browser = b.WithViewport(with.Width, with.Height) // the worker closes it
	return o, nil
}

// steps does the steps of a page before it is captured. What they type stays out of the capture.
func (w *pageWorker) steps(ctx context.Context, p *batch.Page, tab *target.Tab, dir string) error {
	if len(p.Steps) == 0 {
		return nil
	}
	c, err := stepsOf(p, tab.ID())
	if err != nil {
		return &batch.Failure{Cause: causeSteps, Err: err, Lasting: true}
	}
	tab.Known = &redact.Known{}
	r, err := step.New(ctx, tab.Tab, step.Options{
		Files: dir, Profiles: w.a.Profiles(), Tool: cli.Tool(), Log: w.a.Log(), Timeout: w.a.Timeout,
		Collect: collect.Options{Known: tab.Known},
	})
	if err != nil {
		return err
	}
	defer r.Close(ctx)
	for i, result := range r.Run(ctx, c) {
		if result.Status == "error" {
			err := fmt.Errorf("step %d, %s: %w", i+1, result.Action, result.Err)
			if errors.Is(err, browser.ErrGone) || errors.Is(err, browser.ErrCrashed) || ctx.Err() != nil {
				return err
			}
			why := redact.Remove(err.Error(), tab.Known.Typed()...)
			return &batch.Failure{Cause: causeSteps, Err: errors.New(why)}
		}
	}
	return nil
}

// refused is the failure of a page that its server did not give: too many requests, or an error
// of the server's own. Any other answer is a page like all others.
func refused(a browser.Answer) error {
	if a.Status != http.StatusTooManyRequests && a.Status < 500 {
		return nil
	}
	f := &batch.Failure{
		Cause: fmt.Sprintf("http %d", a.Status),
		Err:   fmt.Errorf("the server answered %d %s", a.Status, http.StatusText(a.Status)),
		Busy:  a.Status == http.StatusTooManyRequests || a.Status == http.StatusServiceUnavailable,
	}
	if seconds, err := strconv.Atoi(strings.TrimSpace(a.RetryAfter)); err == nil && seconds > 0 {
		f.Wait = time.Duration(min(seconds, 3600)) * time.Second
	} else if at, err := http.ParseTime(a.RetryAfter); err == nil {
		f.Wait = max(0, time.Until(at))
	}
	return f
}

// failure is the error of a page with its cause.
func (w *pageWorker) failure(err error) error {
	var known *batch.Failure
	var nav *browser.NavError
	var wrong *target.UsageError
	f := &batch.Failure{Cause: batch.CauseOther, Err: err}
	switch {
	case errors.As(err, &known):
		return err
	case errors.Is(err, browser.ErrNoneLeft):
		f.Cause = causeNoStart
	case errors.Is(err, browser.ErrGone):
		f.Cause = causeBrowser
	case errors.Is(err, browser.ErrCrashed):
		f.Cause = causePage
	case errors.Is(err, browser.ErrBusy), errors.Is(err, context.DeadlineExceeded), errors.As(err, &nav) && nav.Slow:
		f.Cause = batch.CauseTimeout
	case errors.As(err, &nav) && nav.Code != "":
		f.Cause = nav.Code
	case errors.Is(err, fs.ErrNotExist):
		f.Cause, f.Lasting = causeFile, true
	case errors.As(err, &wrong):
		f.Cause, f.Lasting = causeAddress, true
	}
	return f
}
