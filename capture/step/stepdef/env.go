package stepdef

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/refscope/refscope/capture/action"
	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/capture/device"
	"github.com/refscope/refscope/capture/element"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/capture/tabs"
	"github.com/refscope/refscope/profiles"
)

// Env is the environment of a step. One belongs to one command; it is not safe for concurrent use.
type Env struct {
	Page     *action.Page      // nil for a step that needs no tab
	Elements *element.Resolver // of the page, and their numbers
	Alias    string            // of the tab, "" for none
	Closed   bool              // a step has closed the tab
	Acted    bool              // a step was run
	// Watched: what the step leads to is waited for when it is over, so it does not wait for the page itself.
	Watched   bool
	Emulation Emulation
	// Dialogs is the policy of a tab for which no step has chosen one.
	Dialogs browser.DialogPolicy

	Secrets  *Secrets
	Files    Files
	Host     *tabs.Host      // opens, finds and closes tabs; nil where the tab was given
	Profiles *profiles.Store // of sites; nil for none
	Collect  collect.Options // how pages are read
	// Writes is what a snapshot that the agent requests leaves in the page, for the steps after it.
	Writes session.PageWrites
	// Enter makes a tab that a step has opened the command's.
	Enter func(ctx context.Context, o *tabs.Opened) error
	Site  Site
	Log   *slog.Logger

	warnings []string
	awaited  *awaited // of the last action, nil where it has led somewhere
}

// Emulation is a tab's emulated device and preferences, and its policy for dialogs. It is kept between commands.
type Emulation struct {
	Device  *device.Device       `json:"device,omitempty"`
	Place   *browser.Place       `json:"place,omitempty"`
	Dialogs browser.DialogPolicy `json:"dialogs,omitempty"`
}

// Site is what is known of the site that a step has just reached.
type Site struct {
	Visited bool
	Domain  string
	File    *profiles.File // nil where there is no profile
}

// Visit looks up the profile of a site that the command has just reached (C-17).
func (e *Env) Visit(url string) {
	e.Site = Site{}
	domain, err := profiles.Domain(url)
	if err != nil || e.Profiles == nil {
		return
	}
	e.Site = Site{Visited: true, Domain: domain}
	if f, err := e.Profiles.Lookup(url); err == nil {
		e.Site.File = f
	}
}

// Warn notes something that the step does not fail for.
func (e *Env) Warn(format string, args ...any) {
	e.warnings = append(e.warnings, fmt.Sprintf(format, args...))
}

// TakeWarnings returns the warnings since the last call, as one line.
func (e *Env) TakeWarnings() string {
	list := e.warnings
	e.warnings = nil
	return strings.Join(list, "; ")
}

// Frame is the id of the frame that steps look in, "" for the main one.
func (e *Env) Frame() string {
	if e.Elements == nil { // a step that needs no tab
		return ""
	}
	return e.Elements.Frame()
}

// Keyboard sees to it that keys go to the present frame, for a step that names no element.
func (e *Env) Keyboard(ctx context.Context) error {
	moved, err := e.Elements.Keyboard(ctx)
	if moved {
		e.Warn("the focus was in another frame: the frame that was switched to has it now")
	}
	return err
}

// Find returns the element of a target in the present frame; it waits for one that is missing.
func (e *Env) Find(ctx context.Context, t *element.Target) (*element.Found, error) {
	f, err := e.Elements.Find(ctx, t)
	if err == nil {
		e.warnChanged(ctx, f)
	}
	return f, err
}

// Acting acts on the element of a target, and returns it. A page may render an element again at any moment: one that
// went before anything was done to it is looked for again, as long as the target's patience lasts.
func (e *Env) Acting(ctx context.Context, t *element.Target, f *element.Found,
	act func(collect.Element) error) (*element.Found, error) {
	until := time.Now().Add(cmp.Or(t.Patience, action.DefaultTimeout))
	for {
		err := act(f.Element)
		var stale *action.StaleError
		if !errors.As(err, &stale) || !stale.Untouched || t.Empty() || !time.Now().Before(until) {
			return f, err
		}
		next, lost := e.Elements.FindNow(ctx, t)
		if lost != nil {
			return f, err
		}
		e.Log.Debug("the element was rendered again before it was acted on", "element", f.Called())
		f = next
	}
}

// warnChanged warns of a ref whose element has another role or name than when it was reported (C-23). A page
// that a step of this command has acted on is read again for that, unless nothing has changed.
func (e *Env) warnChanged(ctx context.Context, f *element.Found) {
	if f.Ref == 0 || f.Replaced() {
		return
	}
	if e.Acted {
		if _, err := e.Elements.Take(ctx); err != nil {
			e.Log.Debug("the page could not be read for what its refs are now", "error", err)
			return
		}
	}
	if how := e.Elements.Changed(f.Ref); how != "" {
		e.Warn("%s %s", f.Called(), how)
	}
}

// Present returns the element of a target without waiting, for a step that only reads: its error describes how to
// wait.
func (e *Env) Present(ctx context.Context, t *element.Target) (*element.Found, error) {
	f, err := e.Elements.FindNow(ctx, t)
	if none, ok := errors.AsType[*action.NotFoundError](err); ok && none.Hint == "" {
		none.Hint = "a wait step waits for it"
	}
	return f, err
}

// All are the elements that a selector matches in the present frame, or the one that a ref means. They are not
// waited for.
func (e *Env) All(ctx context.Context, selector string) ([]collect.Element, error) {
	return e.Elements.All(ctx, selector)
}

// LateError is the error of a step whose time was over: Text says what was waited for, and how long. Its cause is
// [context.DeadlineExceeded].
type LateError struct {
	Text string
	Err  error
}

func (e *LateError) Error() string { return e.Text }
func (e *LateError) Unwrap() error { return e.Err }

// Within bounds a context by a step's own timeout in ms, 0 for none.
func Within(ctx context.Context, timeout float64) (context.Context, context.CancelFunc) {
	if timeout <= 0 {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, Milliseconds(timeout))
}
