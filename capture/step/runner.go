package step

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"strings"
	"time"

	"github.com/refscope/refscope/capture/action"
	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/capture/domtool"
	"github.com/refscope/refscope/capture/element"
	"github.com/refscope/refscope/capture/registry"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/capture/step/emulation"
	"github.com/refscope/refscope/capture/step/script"
	"github.com/refscope/refscope/capture/step/stepdef"
	"github.com/refscope/refscope/capture/tabs"
	"github.com/refscope/refscope/capture/trace"
	"github.com/refscope/refscope/profiles"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/turn"
)

// Options configure the surroundings of a run.
type Options struct {
	// Store is the session whose numbers the refs are and that the turn goes to; nil for
	// a run that keeps nothing.
	Store *turn.Store
	// Profiles are where the profile of a site is looked up; nil for nowhere.
	Profiles *profiles.Store
	// Unkept are the steps in the tab that no turn has yet, see [tabs.Memory], where Host keeps none; nil for nowhere.
	Unkept *[]json.RawMessage
	// Files is the folder for pictures and snapshots that an answer names (C-22).
	Files string
	// NameFile is how answers name a file that was written, nil for its path.
	NameFile func(path string) string
	// Roots are folders whose files steps may read and write; none by default.
	Roots []string
	// Dir is the folder that relative paths in steps are of; "" is this process's. The
	// broker's process has another one than the command that it serves.
	Dir string
	// Timeout is for each step, and for each reading of the page, where the command names
	// none; [DefaultTimeout] if 0.
	Timeout time.Duration
	// Alias is the tab's name in answers, such as t1.
	Alias string
	// Host opens, finds and closes tabs; nil where the tab was given.
	Host *tabs.Host
	// Elements finds the tab's elements, for a caller that has found some of them before; nil makes one.
	Elements *element.Resolver
	// Tool names the program in the turn.
	Tool string
	// Collect configures how pages are read. Its Known are the secrets of the session where the
	// tab is given; nil makes new ones.
	Collect collect.Options
	// AllowSecrets gives values that captures withhold to Reply, in Done.Shot.Secrets, and
	// to nobody else (B-11).
	AllowSecrets bool
	// Writes is what a command leaves in the page when it is over.
	Writes session.PageWrites
	// Dialogs is the policy of a tab for which no step has chosen one; [browser.DialogDismiss] if empty.
	Dialogs browser.DialogPolicy
	// Reply makes the answer in another form than cdp-skill's; nil for that. It is called
	// once, after the last step.
	Reply func(context.Context, *Done) (*Reply, error)
	// Behind takes over writing the turn of a tab that stays attached, so that the answer need not wait for the disk:
	// write must be called once, before anything else is written to the session. nil for a turn that is on disk when
	// the command is over.
	Behind func(ctx context.Context, write func(context.Context) error)
	// Spell is how answers write refs, nil for s3e12.
	Spell func(ref int) string
	// Longer is what gives a step more time, in the words of the door; those of the steps where it is empty.
	Longer string
	// Watch is called before each step that acts in a page, and what it gives after it, if the step went well. Its
	// error is the step's, which is not done then. nil for nobody.
	Watch func(ctx context.Context, page *action.Page, s *Step, elements *element.Resolver) (*Watched, error)
	// Progress is called with each step before it begins: i of n, from 0, and its name. It is
	// called from Execute's own goroutine; nil for nobody.
	Progress func(i, n int, action string)
	Log      *slog.Logger // nil discards
}

// Watched is what [Options.Watch] gives for a step. The value of Verify or Result becomes Result.Verification.
type Watched struct {
	// Verify waits for what the step was to lead to, and for what follows that.
	Verify func(context.Context) any
	// Await and Result do so for the last step of a command: the page is read for the answer between them, which
	// waits for what follows. nil where Verify does it.
	Await  func(context.Context) error
	Result func(context.Context) any
}

// Runner runs the steps of one command in one tab. It is not safe for concurrent use.
type Runner struct {
	opt    Options
	env    *stepdef.Env
	opened []*tabs.Opened // tabs that the run opened or found itself
	// carried is the remembered frame of the tab's alias.
	carried string
	started time.Time // when the command began
	clock   clock
	// watched is that of the last step, whose result is asked for once the page was read; nil for none.
	watched *Watched
}

// New makes a runner for a tab; a nil tab is for a command that brings its own, or needs
// none.
func New(ctx context.Context, tab *browser.Tab, o Options) (*Runner, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	o.Timeout = cmp.Or(o.Timeout, DefaultTimeout)
	if o.Collect.Known == nil {
		o.Collect.Known = &redact.Known{}
	}
	r := &Runner{opt: o}
	r.env = &stepdef.Env{
		Alias: o.Alias, Host: o.Host, Profiles: o.Profiles, Collect: o.Collect, Enter: r.enter, Log: o.Log,
		Writes: o.Writes, Dialogs: cmp.Or(o.Dialogs, browser.DialogDismiss),
		Files: stepdef.Files{Folder: o.Files, Dir: o.Dir, Roots: o.Roots, Name: o.NameFile},
	}
	if tab == nil {
		return r, nil
	}
	return r, r.meet(ctx, tab, o.Elements)
}

// meet makes a tab that of the run; a nil resolver is made. Its pages get no other local files
// than steps do.
func (r *Runner) meet(ctx context.Context, tab *browser.Tab, elements *element.Resolver) error {
	if r.opt.Store != nil {
		r.env.Files.Session = r.opt.Store.Path()
	}
	if err := tab.GuardFiles(ctx, r.env.Files.Address); err != nil {
		return err
	}
	if elements == nil {
		var memory *element.Memory
		if m := r.memory(); m != nil {
			memory = &m.Elements
		}
		var err error
		elements, err = element.New(ctx, tab, element.Options{
			Store: r.opt.Store, Session: r.env.LookOptions(), Memory: memory, Log: r.opt.Log,
			Spell: r.opt.Spell,
		})
		if err != nil {
			return err
		}
	}
	r.env.Elements, r.env.Page = elements, elements.Page()
	r.env.Page.Remember(r.opt.Collect.Known)
	r.env.Secrets = stepdef.NewSecrets(r.env.Page, r.opt.Collect, r.opt.Profiles)
	return nil
}

// enter makes a tab the run's own, until Close.
func (r *Runner) enter(ctx context.Context, o *tabs.Opened) error {
	r.opened = append(r.opened, o)
	r.env.Alias, r.opt.Store = o.Alias, o.Store
	r.opt.Collect.Known = o.Secrets()
	r.env.Collect.Known = r.opt.Collect.Known
	r.carried, r.env.Closed = o.Entry.Frame, false
	if err := r.meet(ctx, o.Tab, nil); err != nil {
		return err
	}
	r.env.Elements.SwitchTo(o.Entry.Frame)
	if err := r.checkShown(ctx); err != nil {
		return err
	}
	return emulation.Restore(ctx, r.env, o)
}

// keepFrame remembers the present frame for the next command of the tab.
func (r *Runner) keepFrame(ctx context.Context) error {
	if r.env.Host == nil || r.env.Alias == "" || r.env.Frame() == r.carried {
		return nil
	}
	frame := r.env.Frame()
	err := r.env.Host.UpdateTab(ctx, r.env.Alias, func(t *registry.Tab) { t.Frame = frame })
	if err != nil && !errors.Is(err, registry.ErrNoTab) { // else the tab was closed
		return fmt.Errorf("remembering the frame of tab %s: %w", r.env.Alias, err)
	}
	r.carried = frame
	return nil
}

// keepsTab reports whether the tab stays attached when the run ends.
func (r *Runner) keepsTab() bool {
	if len(r.opened) == 0 {
		return true // it was given, and is not ours to leave
	}
	return r.opened[len(r.opened)-1].Kept()
}

// checkShown refuses a tab that shows a local file which steps may not read.
func (r *Runner) checkShown(ctx context.Context) error {
	info, err := r.env.Page.Tab().Info(ctx)
	if err != nil {
		return err
	}
	if strings.HasPrefix(info.URL, "file:") {
		return r.env.Files.Address(info.URL)
	}
	return nil
}

// Close releases the tabs of the run.
func (r *Runner) Close(ctx context.Context) {
	if r.keepsTab() && len(r.opened) == 0 && r.env.Page != nil { // it was given
		_ = r.env.Page.Tab().GuardFiles(context.WithoutCancel(ctx), nil) // one that is gone needs none
	}
	for _, o := range r.opened {
		o.Release(context.WithoutCancel(ctx))
	}
	r.opened = nil
}

// Page is the page that the steps act on.
func (r *Runner) Page() *action.Page { return r.env.Page }

// unchanged is the shot that the run before has left, where the page is still what it shows, and the state that the
// page is in now, the zero one where that is not known. It is still so where the state is the same, and no request has
// begun or ended since: a picture that comes late moves what is around it.
func (r *Runner) unchanged(ctx context.Context) (last *session.Shot, now session.State) {
	tab := r.env.Page.Tab()
	m := r.memory()
	if m != nil {
		last, m.Shot = m.Shot, nil
	}
	now, err := session.StateOf(ctx, tab)
	if err != nil {
		return nil, session.State{} // what is wrong will show in the capture
	}
	over := make(chan struct{})
	close(over)
	if last == nil || now != m.State || !tab.NetworkQuiet(over, time.Since(m.At)) {
		return nil, now
	}
	return last, now
}

// before is the page before the steps: as the run before has left it where nothing has
// changed since, else read now. Of a page that the first step, the one of
// that name, leaves, nothing but its address, title and document is known: the answer compares it with none.
func (r *Runner) before(ctx context.Context, first string) (*snapshot.Capture, error) {
	m := r.memory()
	switch first {
	case "goto", "back", "forward":
		if m != nil {
			m.Shot = nil
		}
		info, err := r.env.Page.Tab().Info(ctx)
		if err != nil {
			return nil, err
		}
		frames, err := r.env.Page.Tab().KnownFrames(ctx)
		if err != nil || len(frames) == 0 {
			return nil, err
		}
		return &snapshot.Capture{URL: info.URL, Title: info.Title,
			Frames: []snapshot.Frame{{Loader: frames[0].Loader}}}, nil
	}
	if m != nil && m.Shot != nil {
		if last, _ := r.unchanged(ctx); last != nil {
			r.env.Elements.Rely(last.Capture)
			return last.Capture, nil
		}
	}
	return r.env.Look(ctx)
}

// memory is what the run's tab keeps for the next run, nil for a tab that keeps nothing.
func (r *Runner) memory() *tabs.Memory {
	if len(r.opened) == 0 {
		return nil
	}
	return r.opened[len(r.opened)-1].Memory()
}

// remember keeps the last shot for the next run.
func (r *Runner) remember(shot *session.Shot) {
	m := r.memory()
	before, now := shot.States()
	if m == nil || !shot.Holds(before, now) {
		return
	}
	shot.DropImage()
	m.Shot, m.State, m.At, m.Known = shot, now, shot.Capture.TakenAt, r.known()
}

// known is how much the session knows to be secret: a shot from before it knew it may show it.
func (r *Runner) known() int {
	return len(r.opt.Collect.Known.Typed()) + len(r.opt.Collect.Known.Withheld())
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
	// Downloads are files that the page has downloaded in the step.
	Downloads []Downloaded `json:"downloads,omitempty"`
	Error     string       `json:"error,omitempty"`
	// Err is the error itself.
	Err error `json:"-"`
	// Subtype is the exact kind of the error; see [Subtype].
	Subtype string `json:"subtype,omitempty"`
	// RetrySuggested: the same step may well succeed after a new snapshot or a moment.
	RetrySuggested bool     `json:"retrySuggested,omitempty"`
	Context        *Context `json:"context,omitempty"`
	// Verification is the result of [Options.Watch] for the step.
	Verification any `json:"verification,omitempty"`
}

// Run runs the steps. It stops at the first that fails and is not optional, unless the
// command requests otherwise.
func (r *Runner) Run(ctx context.Context, c *Command) []Result {
	var out []Result
	for i := range c.Steps {
		if r.opt.Progress != nil {
			r.opt.Progress(i, len(c.Steps), c.Steps[i].Action)
		}
		res, err := r.one(ctx, c, &c.Steps[i], i == len(c.Steps)-1)
		r.env.Acted = true
		if !r.clock.stuck && !c.Steps[i].Def.NoTab {
			if res.Downloads = r.downloads(ctx); res.Warning == "" {
				res.Warning = r.env.TakeWarnings()
			}
		}
		out = append(out, res)
		if cerr := r.cleanResults(out[i:]); cerr != nil {
			withheldResult(&out[i], cerr)
		}
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
func (r *Runner) one(ctx context.Context, c *Command, s *Step, last bool) (Result, error) {
	limit := cmp.Or(s.Timeout, c.Timeout, r.opt.Timeout)
	in, cancel := browser.Within(ctx, r.clock.step(s, limit))
	defer cancel()
	res := Result{Action: s.Action, Status: "ok"}
	r.env.TakeWarnings() // of what was between the steps
	var dialogs int
	if r.env.Page != nil {
		r.env.MovedSince(in, s.Def.Scripts || s.Def.Acts != nil && s.Action != "wait")
		_, dialogs = r.env.Page.Tab().DialogsSince(0)
	}
	var watched *Watched
	err := r.front(in, s)
	if r.env.Page != nil && (s.Def.Scripts || s.Def.Acts != nil) {
		if err := r.env.Page.Tab().Browser().RenewDownloads(in); err != nil {
			r.env.Log.Debug("downloads may go to the user's own folder", "error", err)
		}
	}
	if err == nil {
		watched, err = r.watch(in, s)
	}
	r.env.Watched = watched != nil
	var output, observation any
	if err == nil {
		output, observation, err = s.Hooks.Run(in, r.env, s.run)
	}
	if out := r.interrupted(s, dialogs, err); out != nil {
		output, err = out, nil
	}
	if r.env.Page != nil && !r.env.Closed {
		res.Dialogs = r.dialogsSince(dialogs)
	}
	res.Warning = r.env.TakeWarnings()
	if err == nil {
		res.Output, res.Observation = output, observation
		if watched != nil && !r.env.Closed {
			after, stop := browser.Within(ctx, r.clock.left(shortest))
			verified := trace.Start(ctx, trace.LaneCommand, "verify")
			if last && watched.Await != nil && watched.Await(after) == nil {
				r.watched = watched
			} else {
				res.Verification = watched.Verify(after)
			}
			verified()
			stop()
		}
		r.clock.stuck = r.silent()
		return res, nil
	}
	r.clock.stuck = errors.Is(err, browser.ErrBusy) || r.silent()
	err = script.PlainError(ctx, r.env, err)
	if Subtype(err) == "TimeoutError" && (errors.Is(err, context.DeadlineExceeded) || slowPage(err)) {
		err = slow(s.Action, err, time.Since(r.clock.newest),
			cmp.Or(r.opt.Longer, `the step's "timeout" (ms) allows more`))
	}
	var stale *action.StaleError
	if errors.As(err, &stale) && r.env.Frame() != "" && stale.What == "frame "+r.env.Frame() {
		err = element.FrameGone(r.env.Frame())
	}
	if id := s.nodeID(); id != "" && r.env.Page != nil {
		err = domtool.Classify(ctx, r.env.Page, id, err) // B-10, whatever the step
	}
	res.Status, res.Err, res.Error, res.Subtype = "error", err, err.Error(), Subtype(err)
	if s.Optional {
		res.Status = "skipped"
		return res, err
	}
	res.Params, res.RetrySuggested = s.Def.Veil(s.Params), retry(err)
	// What the page offers instead, if it can still be read.
	if r.env.Page != nil && !s.Def.NoTab && !r.clock.stuck {
		why, stop := context.WithTimeout(ctx, min(5*time.Second, max(afterStuck, r.clock.left(0))))
		defer stop()
		res.Context = r.diagnose(why, s, err)
	}
	return res, err
}

// front has the tab painted while a step works in it: the step before may have opened
// another one over it.
func (r *Runner) front(ctx context.Context, s *Step) error {
	if r.env.Page == nil || r.env.Closed || s.Def.NoTab {
		return nil
	}
	return r.env.Page.Tab().Front(ctx)
}

// silent reports whether the tab did not answer when it was asked last.
func (r *Runner) silent() bool { return r.env.Page != nil && r.env.Page.Tab().Session().Silent() }

// How many dialogs of a step are listed, the newest, and how much of each, as the step console
// does with lines.
const (
	dialogsListed = 50
	dialogShown   = 500 // characters
)

// dialogsSince lists the dialogs after the first n of the tab.
func (r *Runner) dialogsSince(n int) []snapshot.Dialog {
	list, seen := r.env.Page.Tab().DialogsSince(n)
	list = list[max(0, len(list)-dialogsListed):]
	if seen-n > len(list) {
		r.env.Warn("%d dialogs opened in the step, and the last %d are listed", seen-n, len(list))
	}
	for i := range list {
		list[i].Message = text.Cut(list[i].Message, dialogShown)
	}
	return list
}

// verified notes the result of what the last step was watched for.
func (r *Runner) verified(ctx context.Context, results []Result) {
	if r.watched == nil {
		return
	}
	r.found(ctx, r.watched, results)
	r.watched = nil
}

// found notes what the last step led to.
func (r *Runner) found(ctx context.Context, w *Watched, results []Result) {
	in, stop := browser.Within(ctx, r.clock.left(shortest))
	defer stop()
	results[len(results)-1].Verification = w.Result(in)
	if err := r.cleanResults(results[len(results)-1:]); err != nil {
		withheldResult(&results[len(results)-1], err)
	}
}

// watch begins to watch what the step does.
func (r *Runner) watch(ctx context.Context, s *Step) (*Watched, error) {
	if r.opt.Watch == nil || r.env.Page == nil || r.env.Closed || s.Def.NoTab || s.Def.First {
		return nil, nil
	}
	return r.opt.Watch(ctx, r.env.Page, s, r.env.Elements)
}

// interrupted is the output of an action that opened a dialog which now waits for its
// answer: what it did is done, what it would have answered cannot be asked of the page. nil
// where the error is another one, or the step only reads.
func (r *Runner) interrupted(s *Step, since int, err error) any {
	var waits *browser.DialogError
	if r.env.Page == nil || s.Def.Acts == nil || !errors.As(err, &waits) {
		return nil
	}
	if list, _ := r.env.Page.Tab().DialogsSince(since); len(list) == 0 {
		return nil // it was open before the step
	}
	out := maps.Clone(s.Def.Acts)
	out["interrupted"], out["dialog"] = true, r.openDialog()
	return out
}
