package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/refscope/refscope/capture/broker"
	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/capture/step"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/live"
	"github.com/refscope/refscope/gui/steps"
	"github.com/refscope/refscope/profiles"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/text"
)

// CheckSteps implements [steps.Engine].
func (l *Live) CheckSteps(e steps.CheckSteps) steps.StepsCheck { return CheckSteps(e) }

// CheckSteps reads a draft and finds its completions.
func CheckSteps(e steps.CheckSteps) steps.StepsCheck {
	out := steps.StepsCheck{Seq: e.Seq}
	if e.Text != "" {
		d := step.ReadDraft([]byte(e.Text), e.Tab)
		out.Line, out.Column, out.Unfinished = d.Line, d.Column, d.Unfinished
		if d.Err != nil {
			out.Problem = text.Cut(text.Line(d.Err.Error()), 300)
		} else {
			out.Steps = len(d.Command.Steps)
		}
	}
	var known []step.Known
	if e.Turn != nil {
		for i := range e.Turn.Capture.Nodes {
			if n := &e.Turn.Capture.Nodes[i]; n.Ref > 0 {
				known = append(known, step.Known{Ref: n.Ref, Role: n.Role, Name: text.Cut(text.Line(n.Name), 60)})
			}
		}
	}
	list, from, to := step.Complete(e.Text, e.Caret, known)
	out.From, out.To = from, to
	for _, s := range list {
		out.Items = append(out.Items, steps.StepItem{
			Insert: s.Insert, Caret: s.Caret, Label: text.Cut(text.Line(s.Label), 60), What: text.Cut(text.Line(s.What),
				90),
		})
	}
	return out
}

// unkept are the steps in a tab that no turn has yet, see [step.Options].
type unkept struct {
	tab   string
	steps []json.RawMessage
}

// RunSteps implements [steps.Engine].
func (l *Live) RunSteps(ctx context.Context, run steps.RunSteps, progress func(stage string)) (ran *steps.Ran,
	_ error) {
	tab, err := l.current()
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	store := l.store
	if l.unkept == nil || l.unkept.tab != tab.ID() {
		l.unkept = &unkept{tab: tab.ID()}
	}
	waiting := l.unkept
	l.mu.Unlock()
	d := step.ReadDraft([]byte(run.Text), tab.ID())
	if d.Err != nil {
		return nil, d.Err
	}
	progress("running " + Words(d.Command))
	files, err := broker.Files(l.opt.Home)
	if err != nil {
		return nil, err
	}
	o := step.Options{Store: store, Files: files, Profiles: profiles.Home(l.opt.Home), Tool: l.opt.Tool, Log: l.opt.Log,
		Unkept: &waiting.steps}
	if run.File != "" { // that a person has picked
		o.Roots = []string{filepath.Dir(run.File)}
	}
	r, err := step.New(ctx, tab, o)
	if err != nil {
		return nil, l.explain(err)
	}
	defer r.Close(ctx)
	if !run.Console {
		tab.SetDialogs(browser.DialogAsk)
		defer func() {
			tab.SetDialogs(browser.DialogDismiss) // a dialog that opens now is answered, one before is found below
			if d, offers := tab.OpenDialog(); d != nil && ran != nil {
				ran.Page = &steps.PageDialog{Type: d.Type, Message: d.Message, Prompt: offers}
			}
		}()
	}
	out := &steps.Ran{StepsRun: steps.StepsRun{Text: run.Text, Words: Words(d.Command), At: time.Now()}}
	a, err := r.Execute(ctx, d.Command)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		if a == nil {
			return nil, l.explain(err)
		}
		// The steps were run, and only their turn was not kept: the page is shown as it is now.
		rec, unsaved := l.Capture(ctx, out.Words, progress)
		if rec == nil {
			return nil, l.explain(&core.Hinted{Err: err, Hint: "The steps were run; only their turn was not kept."})
		}
		if stored, redacting := d.Command.Redacted(); redacting == nil {
			rec.Steps, rec.Answer = stored, a.Body
		}
		out.Record = rec
		return out, cmp.Or(unsaved, err)
	}
	out.Body, out.OK, out.Failed, out.Unread = a.Body, a.OK, a.Failed, a.Unread
	stored, err := d.Command.Redacted()
	if err != nil {
		return nil, err
	}
	out.Sealed = core.StepsText(stored)
	progress("opening the turn")
	open, _ := tab.OpenDialog() // nothing is captured of a page that waits for an answer
	switch {
	case a.Turn > 0:
		out.Record, err = l.Load(ctx, a.Turn)
	case store == nil && open == nil && d.Command.NeedsTab(): // turns are kept in memory only
		if out.Record, err = l.Capture(ctx, out.Words, progress); err == nil {
			out.Record.Steps, out.Record.Answer = stored, a.Body
		}
	}
	if err != nil {
		return nil, err
	}
	if run.Masked || d.Command.Types() && (out.Record == nil || holdsSecrets(out.Record.Capture)) {
		out.Text = ""
	}
	if out.Record != nil {
		l.took(tab, out.Record.Capture)
	}
	out.Device = l.passesFor(tab)
	return out, l.explain(tab.Session().Err())
}

// holdsSecrets reports whether a field of the page has a value that is kept out.
func holdsSecrets(c *snapshot.Capture) bool {
	return slices.ContainsFunc(c.Nodes, func(n snapshot.Node) bool { return len(n.Redacted) > 0 })
}

// Words describe in short what a command does.
func Words(c *step.Command) string {
	var words []string
	for i, s := range c.Steps {
		if i == 4 {
			words = append(words, "…")
			break
		}
		words = append(words, s.Action)
	}
	return strings.Join(words, ", ")
}

// CaptureWhole implements [live.Engine].
func (l *Live) CaptureWhole(ctx context.Context, progress func(stage string)) (*core.Recorded, error) {
	return l.take(ctx, live.ActionWhole, true, progress)
}

// EmulateMedia implements [device.Engine].
func (l *Live) EmulateMedia(ctx context.Context, m core.MediaState) (core.DeviceState, error) {
	tab, err := l.current()
	if err != nil {
		return core.DeviceState{}, err
	}
	if err := tab.EmulateMedia(ctx, browser.Media{Scheme: m.Scheme, Still: m.Still}); err != nil {
		return core.DeviceState{}, l.explain(err)
	}
	return l.passesFor(tab), nil
}

// passesFor describes the emulation of a tab; Own where it has none.
func (l *Live) passesFor(tab *browser.Tab) core.DeviceState {
	m := tab.Media()
	out := core.DeviceState{Tab: tab.ID(), Media: core.MediaState{Scheme: m.Scheme, Still: m.Still}, Own: true}
	out.Width, out.Height, out.Scale, _ = tab.Viewport()
	if d := tab.Device(); d != nil {
		out.Name, out.Own = d.Name, false
	}
	return out
}

// Attach implements [attach.Engine].
func (l *Live) Attach(ctx context.Context, where string, progress func(stage string)) (core.Browser, error) {
	l.mu.Lock()
	o := l.opt.Browser
	demo := ""
	if l.demo != nil {
		demo = l.demo.URL()
	}
	l.mu.Unlock()
	o.Attach = where
	b, tab, err := l.connect(ctx, o, "", progress)
	if err != nil {
		return core.Browser{}, err
	}
	l.mu.Lock()
	old, oldTab := l.browser, l.tab
	l.opt.Browser = o
	l.uses(b, tab)
	l.mu.Unlock()
	l.tap.use(b)
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	var left []error
	if oldTab != nil {
		left = append(left, oldTab.Close(end))
	}
	if old != nil {
		left = append(left, old.Close())
	}
	if err := errors.Join(left...); err != nil {
		l.opt.Log.Debug("leaving the browser before", "error", err)
	}
	return l.describe(ctx, b, tab, demo)
}

// Changed implements [live.Engine]. What moves without another word or place of anything is
// no change, so an animation makes no turns.
func (l *Live) Changed(ctx context.Context) (bool, error) {
	tab, err := l.current()
	if err != nil {
		return false, err
	}
	info, err := tab.Info(ctx)
	if err != nil {
		return false, l.explain(err)
	}
	if info.URL == "about:blank" {
		return false, nil
	}
	state, err := session.StateOf(ctx, tab)
	if err != nil {
		return false, l.explain(err)
	}
	l.mu.Lock()
	last := l.last
	l.mu.Unlock()
	switch {
	case last.tab != tab.ID():
		return true, nil
	case last.state.Known() && last.state == state:
		return false, nil
	}
	shot, err := session.Take(ctx, tab, session.Options{NoPicture: true, Profiles: profiles.Home(l.opt.Home),
		Settle: session.Settle{Max: time.Millisecond}})
	if err != nil {
		return false, l.explain(err)
	}
	if fingerprint(shot.Capture) != last.print {
		return true, nil
	}
	l.mu.Lock()
	if l.last == last { // no turn was made meanwhile
		l.last.state = state
	}
	l.mu.Unlock()
	return false, nil
}

// took notes that a turn of a tab was made.
func (l *Live) took(tab *browser.Tab, c *snapshot.Capture) {
	l.mu.Lock()
	l.last = lastSeen{tab: tab.ID(), print: fingerprint(c)}
	l.mu.Unlock()
}
