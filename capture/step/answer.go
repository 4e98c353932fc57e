package step

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/element"
	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/capture/registry"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/capture/step/emulation"
	"github.com/refscope/refscope/capture/tabs"
	"github.com/refscope/refscope/capture/trace"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/diff"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/format/aria"
	"github.com/refscope/refscope/snapshot/ordered"
	"github.com/refscope/refscope/snapshot/payload"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/turn"
)

// quietNetwork is how long no request may be in progress before the page is read for an answer: one that is in
// progress is waited for, and what answers it asks for next begins far sooner.
const quietNetwork = 100 * time.Millisecond

// quietAnswered is the same after a step that acts in the page: it may think over what it got.
const quietAnswered = 150 * time.Millisecond

// How long the document must not have changed before the page is read for an answer, and where what the steps led to
// was watched.
const (
	quietDocument = 100 * time.Millisecond
	quietWatched  = 60 * time.Millisecond
)

// travels are the steps that lead to another document.
var travels = []string{"goto", "back", "forward", "reload"}

// wantedText is what a step that found nothing had looked for, in words for a person.
func wantedText(s *Step) string {
	var short element.Text
	var t struct{ Text, Label, Name, Selector string }
	switch {
	case json.Unmarshal(s.Params, &short) == nil:
		return strings.Trim(string(short), "#.[]")
	case json.Unmarshal(s.Params, &t) != nil:
		return ""
	case t.Label != "":
		return t.Label
	case t.Text != "" && s.Action == "click":
		return t.Text
	case t.Name != "":
		return t.Name
	}
	return strings.Trim(t.Selector, "#.[]")
}

// Answer is the result of a run: the bytes for the agent, and whether all steps went well.
type Answer struct {
	Body []byte
	OK   bool
	Turn int // number of the turn that was kept, 0 for none
	// Failed names the first step that failed and why, in one line without secrets; "" where all went well.
	Failed string
	// Unread says that the page could not be read after the steps, and why, in one line without secrets; "" where it
	// was, or nothing had to be.
	Unread string
}

// Execute runs a whole command: it connects to the tab, reads the page, runs the steps,
// reads the page again and makes the answer, which is also the turn's payload (P-3). Its
// error is an [*Error] of type CONNECTION, or one of keeping the turn.
func (r *Runner) Execute(ctx context.Context, c *Command) (*Answer, error) {
	r.started = time.Now()
	r.clock.start(cmp.Or(c.Timeout, r.opt.Timeout))
	if c.Tab != "" && r.env.Page == nil && r.env.Host != nil && c.NeedsTab() {
		w := tabs.Selector{Alias: c.Tab}
		if registry.IsTarget(c.Tab) {
			w = tabs.Selector{TargetID: c.Tab}
		}
		w.Revive = len(c.Steps) > 0 && c.Steps[0].Action == "goto"
		in, cancel := browser.Within(ctx, r.clock.limit)
		connected := trace.Start(ctx, trace.LaneCommand, "connect")
		o, err := r.env.Host.Connect(in, w)
		if err == nil {
			err = r.enter(in, o)
		}
		connected()
		cancel()
		if err != nil {
			return nil, &Error{Type: TypeConnection, Err: err}
		}
	}
	if r.env.Alias == "" && registry.IsAlias(c.Tab) {
		r.env.Alias = c.Tab // of a command whose steps need no tab: closeTab true
	}
	var before *snapshot.Capture
	if r.env.Page != nil && len(c.Steps) > 0 {
		in, cancel := browser.Within(ctx, r.clock.before())
		var err error
		before, err = r.before(in, c.Steps[0].Action)
		cancel()
		if err != nil {
			// a tab that is still empty, or stuck
			r.opt.Log.Debug("the page could not be read before the steps", "error", err)
		}
	}
	ran := trace.Start(ctx, trace.LaneCommand, "steps")
	results := r.Run(ctx, c)
	ran()
	if err := r.keepFrame(context.WithoutCancel(ctx)); err != nil {
		r.opt.Log.Warn("the next command begins in the main frame", "error", err)
	}
	if r.env.Page == nil || r.env.Closed || !c.NeedsTab() || r.openDialog() != nil {
		r.verified(ctx, results)
	}
	if r.env.Page == nil || r.env.Closed || !c.NeedsTab() {
		return r.answerWithoutPage(ctx, c, results, nil)
	}
	if w := r.openDialog(); w != nil {
		return r.answerWithoutPage(ctx, c, results, fmt.Errorf("its %s dialog is open", w.Type))
	}
	in, cancel := browser.Within(ctx, r.clock.after())
	defer cancel()
	shot, err := r.look(in, c, results)
	if err != nil {
		r.verified(ctx, results)
		return r.answerWithoutPage(ctx, c, results, err)
	}
	r.verified(in, results)
	if before != nil && before.Schema == "" && !diff.Navigated(before.URL, shot.Capture.URL) &&
		before.Frames[0].Loader == shot.Capture.Frames[0].Loader {
		before = nil // it was not read
	}
	if c.Look {
		if _, err := r.env.Elements.Snapshot(aria.Hash(shot.Capture)); err != nil {
			return nil, err
		}
	}
	if why := UnusedRules(shot.Capture); why != "" && len(results) > 0 {
		last := &results[len(results)-1]
		last.Warning = strings.TrimPrefix(last.Warning+"; "+why, "; ")
	}
	a, err := r.answer(ctx, c, before, shot, results)
	if err == nil {
		r.remember(shot) // its numbers are the session's
	}
	return a, err
}

// look takes the shot that the answer is made of. Where nothing was done and the page is as the run before has left it,
// that one's is given again.
func (r *Runner) look(ctx context.Context, c *Command, results []Result) (*session.Shot, error) {
	quiet, network := quietDocument, quietNetwork
	if r.env.Watched {
		quiet = quietWatched
		if last := c.Steps[len(c.Steps)-1].Action; !slices.Contains(travels, last) {
			network = quietAnswered
		}
	}
	o := session.Options{
		Collect: r.opt.Collect, Profiles: r.opt.Profiles, AnyCaret: true,
		Settle: session.Settle{Quiet: quiet, Network: network, Max: 2 * time.Second, Beside: true},
		States: r.memory() != nil, AllowSecrets: r.opt.AllowSecrets, Within: r.sealResults(results), Image: c.Picture,
		Number: r.env.Elements.Add, PageWrites: r.opt.Writes,
	}
	if w := r.watched; w != nil {
		o.Settled = func(ctx context.Context) { r.found(ctx, w, results) }
	}
	tab := r.env.Page.Tab()
	if m := r.memory(); len(c.Steps) == 0 && m != nil && m.Shot != nil && m.Known == r.known() {
		if last, state := r.unchanged(ctx); last != nil {
			if shot, err := session.Again(ctx, tab, last, state, c.Picture, o); shot != nil || err != nil {
				if shot != nil {
					r.env.Elements.Add(shot.Capture)
				}
				return shot, err
			}
		}
	}
	shot, err := session.Take(ctx, tab, o)
	if err == nil {
		r.watched = nil // its result is known
	}
	return shot, err
}

// UnusedRules names the lines of the site's profile that did nothing for a capture, "" for none: what they should have
// left out is in it.
func UnusedRules(c *snapshot.Capture) string {
	var lines []string
	for _, f := range c.Failed {
		if f.Layer == snapshot.LayerProfile {
			lines = append(lines, f.Why)
		}
	}
	return strings.Join(lines, "; ")
}

// NeedsTab reports whether the command is about a tab.
func (c *Command) NeedsTab() bool {
	if c.Look {
		return true
	}
	for i := range c.Steps {
		if !c.Steps[i].Def.NoTab {
			return true
		}
	}
	return false
}

// failure is one line of errors (seed 16.4).
type failure struct {
	Step    int    `json:"step"`
	Action  string `json:"action"`
	Error   string `json:"error"`
	Type    string `json:"type"`
	Subtype string `json:"subtype,omitempty"`
}

// connectionFailure is the error of an answer whose command could not connect to its browser or tab.
type connectionFailure struct {
	Type    string `json:"type"`
	Message string `json:"message"`
}

// failures are the steps that failed.
func failures(results []Result) []failure {
	var out []failure
	for i, res := range results {
		if res.Status == "error" {
			out = append(out, failure{i + 1, res.Action, res.Error, typeOf(res.Err), res.Subtype})
		}
	}
	return out
}

// firstFailure is what [Answer.Failed] has.
func (r *Runner) firstFailure(failed []failure) string {
	if len(failed) == 0 {
		return ""
	}
	return text.Line(r.cleanText(failed[0].Action + " failed: " + failed[0].Error))
}

// answerWithoutPage is the answer of a run without a page: its steps needed none, or its tab was
// closed or has crashed; why is the reason then.
func (r *Runner) answerWithoutPage(ctx context.Context, c *Command, results []Result, why error) (*Answer, error) {
	if waiting := r.unkept(); waiting != nil && why != nil {
		for _, s := range c.veiled() {
			if b, err := json.Marshal(s); err == nil && len(*waiting) < MaxSteps {
				*waiting = append(*waiting, b)
			}
		}
	}
	failed := failures(results)
	standard := func() ([]byte, []redact.Span, error) { return r.bareBody(results, failed, why) }
	if r.opt.Reply != nil {
		return r.reply(ctx, &Done{Command: c, Results: results, OK: len(failed) == 0, Why: why, Standard: standard})
	}
	b, _, err := standard()
	if err != nil {
		return nil, err
	}
	return &Answer{Body: b, OK: len(failed) == 0, Failed: r.firstFailure(failed), Unread: text.Line(r.unread(why))}, nil
}

// unread is what [Answer.Unread] has.
func (r *Runner) unread(why error) string {
	if why == nil {
		return ""
	}
	reason := withoutDeadline(why)
	if reason == "" {
		reason = "it did not answer in time"
	}
	return "the page could not be read after the steps: " + r.cleanText(reason)
}

func (r *Runner) bareBody(results []Result, failed []failure, why error) ([]byte, []redact.Span, error) {
	out := struct {
		Status string `json:"status"`
		// Error is that of coming to the browser, which prevents all else (seed 3).
		Error  *connectionFailure `json:"error,omitempty"`
		Tab    string             `json:"tab,omitempty"`
		Steps  []Result           `json:"steps"`
		Errors []failure          `json:"errors,omitempty"`
		Note   string             `json:"note,omitempty"`
		// Dialog is open, and the dialog step of the next command answers it.
		Dialog *emulation.Dialog `json:"dialog,omitempty"`
	}{Status: "ok", Tab: r.env.Alias, Steps: results, Errors: failed, Note: r.unread(why), Dialog: r.openDialog()}
	if out.Dialog != nil && !r.keepsTab() {
		out.Note += "; it is dismissed when this command ends, as nothing keeps the tab attached: answer it in the " +
			"same command, or say how beforehand with the dialog step"
	}
	if len(failed) > 0 {
		out.Status = "error"
		if i := slices.IndexFunc(failed, func(f failure) bool { return f.Type == TypeConnection }); i >= 0 {
			out.Error = &connectionFailure{TypeConnection, failed[i].Error}
		}
	}
	b, err := json.Marshal(out)
	if err != nil {
		return nil, nil, fmt.Errorf("writing the answer: %w", err)
	}
	body, spans := redact.Body(b, r.redactor())
	return body, spans, nil
}

func (r *Runner) answer(ctx context.Context, c *Command, before *snapshot.Capture, shot *session.Shot,
	results []Result) (*Answer, error) {
	failed := failures(results)
	ok := len(failed) == 0
	standard := func() ([]byte, []redact.Span, error) { return r.body(ctx, before, shot, results, failed) }
	if r.opt.Reply != nil {
		d := &Done{Command: c, Results: results, OK: ok, Before: before, Shot: shot, Standard: standard}
		if by := format.SourceOf(c.Format); by != "" && by != shot.Capture.Source {
			v, err := r.env.Requested(ctx, c.Format)
			if err != nil {
				return nil, err
			}
			d.Page = v.Capture
		}
		return r.reply(ctx, d)
	}
	body, spans, err := standard()
	if err != nil {
		return nil, err
	}
	wire := turn.Payload{Dialect: "cdp-skill", Way: turn.Answer, Media: "application/json", Bytes: body,
		Redacted: spans,
		Wire:     true}
	a := &Answer{Body: body, OK: ok, Failed: r.firstFailure(failed)}
	err = r.keep(ctx, c, shot, &Reply{Payloads: []turn.Payload{wire}, Answer: body}, a)
	if err != nil {
		a.Body = withWarning(body, r.redactor().Clean(unkept(err)))
	}
	return a, err
}

// unkept reports that the steps were done but their turn is not kept.
func unkept(err error) string {
	return "the turn was not kept, so the session does not have what was done: " + err.Error()
}

// withWarning adds a last member to an answer, which is a JSON object.
func withWarning(body []byte, warning string) []byte {
	open := bytes.TrimSuffix(bytes.TrimSpace(body), []byte("}"))
	w := &ordered.Writer{Out: slices.Clone(open)}
	return w.String("warning", warning).Close("}").Out
}

// unkept are the steps in the tab that no turn has yet, nil where nothing remembers them.
func (r *Runner) unkept() *[]json.RawMessage {
	if m := r.memory(); m != nil {
		return &m.Unkept
	}
	return r.opt.Unkept
}

// body is cdp-skill's answer, and what is redacted in it.
func (r *Runner) body(ctx context.Context, before *snapshot.Capture, shot *session.Shot, results []Result,
	failed []failure) ([]byte, []redact.Span, error) {
	if before != nil && before.Schema == "" && !diff.Navigated(before.URL, shot.Capture.URL) {
		before = nil // it was not read, so there is nothing to compare with
	}
	steps, err := json.Marshal(results)
	if err != nil {
		return nil, nil, fmt.Errorf("writing the steps' results: %w", err)
	}
	var errs json.RawMessage
	if len(failed) > 0 {
		if errs, err = json.Marshal(failed); err != nil {
			return nil, nil, fmt.Errorf("writing the steps' errors: %w", err)
		}
	}
	var words []string
	for _, done := range results {
		if done.Status == "ok" {
			words = append(words, done.Action)
		}
	}
	in := payload.Input{
		Capture: shot.Capture, NoImage: true,
		Answer: payload.Answer{
			Failed: len(failed) > 0, Tab: r.env.Alias, Before: before, Steps: steps, Errors: errs,
			Action: diff.ActionWord(words...),
		},
	}
	in.DumpOptions.Aria.LinkURLs = true // seed 7.1
	r.env.Elements.Writes(&in.DumpOptions.Aria)
	in.DumpOptions.Aria.Before = r.env.Shown(ctx, shot.Capture)
	r.tellSite(&in.Answer)
	if err := r.writeFiles(&in.Answer, shot); err != nil {
		r.opt.Log.Warn("files beside the answer could not be written", "error", err)
	}
	p, err := payload.Build("cdp-skill", in)
	if err != nil {
		return nil, nil, fmt.Errorf("writing the answer: %w", err)
	}
	// What a script of the agent's read out of the page never went through a capture.
	body, spans := redact.Body(p.Body, r.redactor())
	return body, spans, nil
}

// tellSite adds the site's profile, or that there is none, after a navigation.
func (r *Runner) tellSite(a *payload.Answer) {
	switch {
	case !r.env.Site.Visited:
	case r.env.Site.File != nil:
		a.SiteProfile = r.env.Site.File.Text
	default:
		a.ActionRequired = &payload.ActionRequired{
			Action: "createSiteProfile", Domain: r.env.Site.Domain,
			Message: "There is no profile of " + r.env.Site.Domain +
				". Before you go on: take a snapshot, find out with pageFunction what the site is made of, " +
				"and write what you learn with writeSiteProfile: Environment, Quirks, Strategies, Regions, Recipes.",
		}
	}
}

// writeFiles writes the picture and the snapshot of the whole page and names them in the
// answer. A file that cannot be written is not named.
func (r *Runner) writeFiles(a *payload.Answer, shot *session.Shot) error {
	if r.opt.Files == "" || r.env.Alias == "" {
		return nil
	}
	if err := os.MkdirAll(r.opt.Files, 0o700); err != nil {
		return err
	}
	var errs []error
	if len(shot.Picture) > 0 {
		name := filepath.Join(r.opt.Files, r.env.Alias+".after.png")
		if err := export.Write(name, shot.Picture); err != nil {
			errs = append(errs, err)
		} else {
			a.Screenshot = r.env.Files.Named(name)
		}
	}
	var o format.Options
	o.Aria.LinkURLs = true
	r.env.Elements.Writes(&o.Aria)
	doc, err := format.Render(shot.Capture, format.Aria, o)
	if err == nil {
		name := filepath.Join(r.opt.Files, r.env.Alias+".after.yaml")
		if err = export.Write(name, []byte(doc.Text)); err == nil {
			a.FullSnapshot = r.env.Files.Named(name)
		}
	}
	return errors.Join(append(errs, err)...)
}

// keep appends the turn, with the numbers that the run has given.
func (r *Runner) keep(ctx context.Context, c *Command, shot *session.Shot, out *Reply, a *Answer) error {
	defer trace.Start(ctx, trace.LaneCommand, "keep")()
	if r.opt.Store == nil {
		return nil
	}
	steps, err := out.Steps, error(nil)
	if steps == nil {
		steps, err = c.Redacted()
	}
	waiting, before := r.unkept(), []json.RawMessage(nil)
	if waiting != nil {
		before = *waiting
	}
	if len(before) > 0 && err == nil {
		steps = withBefore(steps, before)
	}
	if err == nil { // an address may hold what was typed before, or lets its holder in
		steps, err = redact.JSON(steps, r.redactor())
	}
	if err != nil {
		return err
	}
	action := out.Action
	if action == "" {
		action = c.summary(before)
	}
	taken := &turn.Record{
		Capture: shot.Capture, Picture: shot.Picture, Action: action, Steps: steps, Answer: out.Answer,
		Payloads: out.Payloads, Profile: shot.Profile, Meta: turn.Meta{Tool: r.opt.Tool},
	}
	if r.opt.Behind != nil && ctx.Err() == nil && len(r.opened) == 1 && r.keepsTab() {
		r.opt.Behind(ctx, r.env.Elements.AppendBehind(taken))
	} else {
		rec, err := r.env.Elements.Append(ctx, taken)
		if err != nil {
			return err
		}
		a.Turn = rec.N
	}
	if waiting != nil {
		*waiting = nil
	}
	return nil
}

// withBefore adds the steps that came before those of a turn and have none, as the member before of its steps. Steps in
// another shape than an object stay as they are.
func withBefore(steps json.RawMessage, before []json.RawMessage) json.RawMessage {
	var all map[string]json.RawMessage
	list, err := json.Marshal(before)
	if err != nil || json.Unmarshal(steps, &all) != nil || all == nil {
		return steps
	}
	all["before"] = list
	b, err := json.Marshal(all)
	if err != nil {
		return steps
	}
	return b
}

// Redacted is the command as it is kept, in turns and logs: without what was typed.
func (c *Command) Redacted() (json.RawMessage, error) {
	b, err := json.Marshal(map[string]any{"tab": c.Tab, "steps": c.veiled()})
	if err != nil {
		return nil, fmt.Errorf("writing the command: %w", err)
	}
	return b, nil
}

// veiled are the steps without what was typed.
func (c *Command) veiled() []map[string]any {
	list := make([]map[string]any, len(c.Steps))
	for i := range c.Steps {
		s := &c.Steps[i]
		list[i] = map[string]any{s.Action: s.Def.Veil(s.Params)}
		if s.Optional {
			list[i]["optional"] = true
		}
	}
	return list
}

// summary describes in one line what was done: "goto, fill, click and 2 more", with the steps before these that have no
// turn of their own.
func (c *Command) summary(before []json.RawMessage) string {
	var words []string
	for _, b := range before {
		var step map[string]json.RawMessage
		if json.Unmarshal(b, &step) != nil {
			continue
		}
		delete(step, "optional")
		words = slices.AppendSeq(words, maps.Keys(step))
	}
	for _, s := range c.Steps {
		words = append(words, s.Action)
	}
	if len(words) > 4 {
		words = append(words[:3], fmt.Sprintf("and %d more", len(words)-3))
	}
	return strings.Join(words, ", ")
}
