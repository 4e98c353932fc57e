package step

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"path/filepath"
	"strings"
	"time"

	"github.com/refscope/refscope/capture/action"
	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/capture/step/param"
	"github.com/refscope/refscope/capture/tabs"
	"github.com/refscope/refscope/profiles"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/turn"
)

// Options say where a run belongs.
type Options struct {
	// Store is the session whose numbers the refs are and that the turn goes to; nil for
	// a run that keeps nothing.
	Store *turn.Store
	// Profiles are where the profile of a site is looked up; nil for nowhere.
	Profiles *profiles.Store
	// Files is the folder for pictures and snapshots that an answer names (C-22).
	Files string
	// Dir is the folder that relative paths in steps are of; "" is this process's. The
	// broker's process has another one than the command that it serves.
	Dir string
	// Alias is the tab's name in answers, such as t1.
	Alias string
	// Host opens, finds and closes tabs; nil where the tab was given.
	Host *tabs.Host
	// Generation is the number of the agent-facing snapshot that first gave a ref, the 3
	// of s3e12; nil asks the session's ledger.
	Generation func(ref int) int
	// Tool names the program in the turn.
	Tool    string
	Collect collect.Options
	// AllowSecrets gives values that captures withhold to Reply, in Done.Shot.Secrets, and
	// to nobody else (B-11).
	AllowSecrets bool
	// Reply makes the answer in another form than cdp-skill's; nil for that. It is called
	// once, after the last step.
	Reply func(context.Context, *Done) (*Reply, error)
	// Watch is called before each step that acts in a page, with the newest reading (nil for
	// none), and what it gives is called after it, if the step went well: the value becomes
	// Result.Verification. Its error is the step's, which is not done then. nil for nobody.
	Watch func(ctx context.Context, page *action.Page, s *Step, last *snapshot.Capture) (verify func(context.Context) any, err error)
	// Progress hears of each step before it begins: i of n, from 0, and its name. It is
	// called from Execute's own goroutine; nil for nobody.
	Progress func(i, n int, action string)
	Log      *slog.Logger // nil discards
}

// Runner runs the steps of one command in one tab. It is not safe for concurrent use.
type Runner struct {
	opt   Options
	page  *action.Page
	frame string // where steps look for elements; "" is the main frame
	// carried is the frame that the tab's alias stands for, as it is remembered.
	carried string

	ledger   *turn.Ledger
	captures []*snapshot.Capture // of this run, numbered, oldest first
	events   []event             // what numbered them
	known    int                 // the highest ref that the agent may have had
	links    [][2]int            // refs that were replaced, and by which
	last     lastTurn
	files    map[string]int    // files of this run by name, for names that are not taken
	warnings []string          // of the step that runs
	opened   []*tabs.Opened    // tabs that the run came to by itself
	site     site              // of the last navigation
	base     *snapshot.Capture // the page before the steps, where an earlier run has read it
	closed   bool              // the run has closed its tab
	acted    bool              // a step was run

	emulation emulation          // of the tab
	shots     int                // pictures that steps took without a name
	began     time.Time          // of the step that runs
	redactor  *snapshot.Redactor // for what did not come through a capture, without a profile's patterns
}

// New makes a runner for a tab; a nil tab is for a command that brings its own, or needs
// none.
func New(ctx context.Context, tab *browser.Tab, o Options) (*Runner, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	redactor, err := snapshot.NewRedactor()
	if err != nil {
		return nil, err
	}
	r := &Runner{opt: o, ledger: turn.NewLedger(), files: map[string]int{}, redactor: redactor}
	if tab == nil {
		return r, nil
	}
	r.page = action.New(tab)
	return r, r.readLedger(ctx)
}

func (r *Runner) readLedger(ctx context.Context) error {
	if r.opt.Store == nil {
		return nil
	}
	l, err := r.opt.Store.Ledger(ctx)
	if err != nil {
		return fmt.Errorf("reading the session's numbers: %w", err)
	}
	r.ledger, r.known = l, l.Highest()
	return nil
}

// enter makes a tab that the run came to its own, until Close.
func (r *Runner) enter(ctx context.Context, o *tabs.Opened) error {
	r.opened = append(r.opened, o)
	r.opt.Alias, r.opt.Store = o.Alias, o.Store
	r.page, r.frame, r.carried, r.closed = action.New(o.Tab), o.Entry.Frame, o.Entry.Frame, false
	r.base = nil
	if err := r.readLedger(ctx); err != nil {
		return err
	}
	return r.emulate(ctx, o)
}

// Close leaves the tabs that the run came to.
func (r *Runner) Close(ctx context.Context) {
	for _, o := range r.opened {
		o.Release(context.WithoutCancel(ctx))
	}
	r.opened = nil
}

// Page is the page that the steps act on.
func (r *Runner) Page() *action.Page { return r.page }

// lookOptions read the page as it is now, without a picture.
func (r *Runner) lookOptions() session.Options {
	return session.Options{NoPicture: true, Collect: r.opt.Collect, Profiles: r.opt.Profiles, Settle: session.Settle{Max: time.Millisecond}}
}

// look reads the page now, without a picture, and numbers it.
func (r *Runner) look(ctx context.Context) (*snapshot.Capture, error) {
	if r.base != nil && !r.acted && len(r.captures) == 0 {
		return r.base, nil // just found to be what the page is
	}
	shot, err := session.Take(ctx, r.page.Tab(), r.lookOptions())
	if err != nil {
		return nil, err
	}
	r.learn(shot.Capture)
	return shot.Capture, nil
}

// before is the page before the steps: as the run before has left it where nothing has
// changed since, else read now. Nothing has where the state is the same and no request
// has begun or ended: a picture that comes late moves what is around it.
func (r *Runner) before(ctx context.Context) (*snapshot.Capture, error) {
	if m := r.memory(); m != nil && m.Capture != nil {
		last := *m
		*m = tabs.Memory{}
		over := make(chan struct{})
		close(over)
		tab := r.page.Tab()
		if now, err := session.Probe(ctx, tab); err == nil && now == last.State && tab.NetworkQuiet(over, time.Since(last.At)) {
			r.base = last.Capture
			return r.base, nil
		}
	}
	return r.look(ctx)
}

// memory is what the run's tab keeps for the next run, nil for a tab that keeps nothing.
func (r *Runner) memory() *tabs.Memory {
	if len(r.opened) == 0 {
		return nil
	}
	return r.opened[len(r.opened)-1].Memory()
}

// remember keeps the last capture for the next run: state is that of the page before it
// was read. Frames and closed shadow roots can change without the state, so a page that
// has some is read again.
func (r *Runner) remember(ctx context.Context, c *snapshot.Capture, state string) {
	m, at := r.memory(), time.Now()
	if m == nil || state == "" || c.Moment.Torn || len(c.Frames) > 1 {
		return
	}
	for i := range c.Nodes {
		if c.Nodes[i].Shadow == "closed" {
			return
		}
	}
	if now, err := session.Probe(ctx, r.page.Tab()); err == nil && now == state {
		*m = tabs.Memory{Capture: c, State: state, At: at}
	}
}

// seen are the captures that the run knows, newest first.
func (r *Runner) seen() iter.Seq[*snapshot.Capture] {
	return func(yield func(*snapshot.Capture) bool) {
		for i := len(r.captures) - 1; i >= 0; i-- {
			if !yield(r.captures[i]) {
				return
			}
		}
		if r.base != nil {
			yield(r.base)
		}
	}
}

// path is a file that a step names, of the folder that the command was given in.
func (r *Runner) path(name string) (string, error) {
	if r.opt.Dir != "" && !filepath.IsAbs(name) {
		name = filepath.Join(r.opt.Dir, name)
	}
	return filepath.Abs(name)
}

// warn notes something that the step that runs did not fail for.
func (r *Runner) warn(format string, args ...any) {
	r.warnings = append(r.warnings, fmt.Sprintf(format, args...))
}

// Result is how one step went, as the answer lists it (seed 10.5).
type Result struct {
	Action      string          `json:"action"`
	Status      string          `json:"status"` // ok, error, skipped
	Params      json.RawMessage `json:"params,omitempty"`
	Output      any             `json:"output,omitempty"`
	Warning     string          `json:"warning,omitempty"`
	Observation any             `json:"observation,omitempty"`
	// Dialogs are those that opened in the step, and how they were answered.
	Dialogs []snapshot.Dialog `json:"dialogs,omitempty"`
	Error   string            `json:"error,omitempty"`
	// Subtype is the exact kind of the error; see [Subtype].
	Subtype string `json:"subtype,omitempty"`
	// RetrySuggested: the same step may well succeed after a new snapshot or a moment.
	RetrySuggested bool     `json:"retrySuggested,omitempty"`
	Context        *Context `json:"context,omitempty"`
	// Verification is what [Options.Watch] says of the step.
	Verification any `json:"verification,omitempty"`
}

// Run runs the steps. It stops at the first that fails and is not optional, unless the
// command says otherwise.
func (r *Runner) Run(ctx context.Context, c *Command) []Result {
	var out []Result
	for i := range c.Steps {
		if r.opt.Progress != nil {
			r.opt.Progress(i, len(c.Steps), c.Steps[i].Action)
		}
		res, err := r.one(ctx, c, &c.Steps[i])
		r.acted = true
		out = append(out, res)
		if err == nil || res.Status == "skipped" {
			continue
		}
		if !c.RunAll || errors.Is(err, browser.ErrGone) || errors.Is(err, browser.ErrCrashed) {
			break
		}
	}
	return out
}

// one runs one step with its hooks within its time.
func (r *Runner) one(ctx context.Context, c *Command, s *Step) (Result, error) {
	limit := c.Timeout
	if s.Timeout > 0 {
		limit = s.Timeout
	}
	in, cancel := browser.Within(ctx, limit)
	defer cancel()
	res := Result{Action: s.Action, Status: "ok"}
	r.warnings, r.began = nil, time.Now()
	var dialogs int
	if r.page != nil {
		_, dialogs = r.page.Tab().DialogsSince(0)
	}
	verify, err := r.watch(in, s)
	var output, observation any
	if err == nil {
		output, observation, err = r.hooked(in, s)
	}
	if out := r.interrupted(s, dialogs, err); out != nil {
		output, err = out, nil
	}
	if r.page != nil && !r.closed {
		res.Dialogs, _ = r.page.Tab().DialogsSince(dialogs)
	}
	res.Warning = strings.Join(r.warnings, "; ")
	if err == nil {
		res.Output, res.Observation = output, observation
		if verify != nil && !r.closed {
			res.Verification = verify(ctx)
		}
		return res, nil
	}
	err = r.plainly(ctx, err)
	if errors.Is(err, context.DeadlineExceeded) && in.Err() != nil && ctx.Err() == nil {
		err = fmt.Errorf("%s took longer than %s: %w", s.Action, limit, err)
	}
	var stale *action.StaleError
	if errors.As(err, &stale) && r.frame != "" && stale.What == "frame "+r.frame {
		err = frameGone(r.frame)
	}
	res.Status, res.Error, res.Subtype = "error", err.Error(), Subtype(err)
	if s.Optional {
		res.Status = "skipped"
		return res, err
	}
	res.Params, res.RetrySuggested = withheld(s), retry(err)
	// What the page offers instead; as far as it can still be asked.
	if r.page != nil && !s.Def.NoTab {
		why, stop := context.WithTimeout(ctx, 5*time.Second)
		defer stop()
		res.Context = r.diagnose(why, s, err)
	}
	return res, err
}

// watch begins to watch what the step does.
func (r *Runner) watch(ctx context.Context, s *Step) (func(context.Context) any, error) {
	if r.opt.Watch == nil || r.page == nil || r.closed || s.Def.NoTab || s.Def.First {
		return nil, nil
	}
	var last *snapshot.Capture
	for last = range r.seen() {
		break // the newest
	}
	return r.opt.Watch(ctx, r.page, s, last)
}

// hooked runs readyWhen, the action, settledWhen and observe (C-12).
func (r *Runner) hooked(ctx context.Context, s *Step) (output, observation any, err error) {
	if s.Hooks.ReadyWhen != "" {
		p, err := r.until(ctx, s.Hooks.ReadyWhen, pollEvery, 0, true)
		if err != nil {
			return nil, nil, fmt.Errorf("readyWhen: %w", err)
		}
		if !p.Resolved {
			why, stop := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
			defer stop()
			return nil, nil, fmt.Errorf("readyWhen never became true (last: %s): %w", r.lastSeen(why, p), ctx.Err())
		}
	}
	if output, err = s.run(ctx, r); err != nil {
		return nil, nil, err
	}
	if s.Hooks.SettledWhen != "" {
		// A quarter of the step's time is left for observe.
		p, err := r.until(ctx, s.Hooks.SettledWhen, pollEvery, settleLimit(ctx), true)
		switch {
		case err != nil:
			r.warn("settledWhen did not become true within %d ms: %v", p.Elapsed.Milliseconds(), r.plainly(ctx, err))
		case !p.Resolved:
			r.warn("settledWhen did not become true within %d ms (last: %s)", p.Elapsed.Milliseconds(), r.lastSeen(ctx, p))
		}
	}
	if s.Hooks.Observe != "" {
		if observation, err = r.observe(ctx, s.Hooks.Observe); err != nil {
			return nil, nil, fmt.Errorf("observe: %w", err)
		}
	}
	return output, observation, nil
}

// settleLimit is how long settledWhen may take: three quarters of what is left.
func settleLimit(ctx context.Context) time.Duration {
	until, ok := ctx.Deadline()
	if !ok {
		return DefaultTimeout
	}
	return time.Until(until) * 3 / 4
}

// withheld are the parameters of a step without what must not be repeated: it may be a
// password, and the agent has it.
func withheld(s *Step) json.RawMessage { return param.Veil(s.Def.params, s.Params) }
