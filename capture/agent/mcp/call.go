package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/refscope/refscope/capture/agent/sentinel"
	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/step"
	"github.com/refscope/refscope/capture/trace"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/turn"
)

// errNoTab: a tool needs a page, and there is none yet.
var errNoTab = errors.New("no tab is open yet: call browse_navigate with an address first")

// noteDeadline is how long the turn of a call that was cancelled may take to be kept.
const noteDeadline = 5 * time.Second

// call is one tool call, from its arguments to its result and its turn.
type call struct {
	session  *clientSession
	tool     *tool
	raw      json.RawMessage // the arguments as they came
	replan   func() (*plan, error)
	plan     *plan
	command  *step.Command
	redactor *redact.Redactor
	began    string // alias of the tab that the client was in
	progress func(done, total int, what string)

	result *sdk.CallToolResult // for the client, nil for none
	wire   turn.Payload        // the result as it is kept
	kept   bool                // as a turn
	behind bool                // the turn is being written, and announced then
}

// callKey is where a context has its call.
type callKey struct{}

// callOf is the call that a context is of.
func callOf(ctx context.Context) *call {
	c, _ := ctx.Value(callKey{}).(*call)
	return c
}

// handle does a tool call: it waits for those before it, lets the SDK check the arguments and run the tool, and
// keeps its outcome as a turn, wrong arguments too. Its error is for a call that is not answered: that its
// client has cancelled, or that arrived after it had left.
func (s *clientSession) handle(
	ctx context.Context, t *tool, r *sdk.CallToolRequest, next func(context.Context) (sdk.Result, error),
) (sdk.Result, error) {
	s.meet(r.Session)
	ctx, end := s.begin(ctx)
	defer end()
	leave, err := s.enter(ctx, t.name)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, errLeft):
		return nil, err
	case err != nil:
		return failure(err), nil // too many calls: not done, and no turn
	}
	defer leave()
	c := &call{session: s, tool: t, raw: r.Params.Arguments, progress: progress(ctx, r), redactor: redact.Standard()}
	unkept := s.takeUnkept() // before its own turn is written, whose failure is told by the next answer
	res, err := next(context.WithValue(ctx, callKey{}, c))
	refused, _ := res.(*sdk.CallToolResult)
	switch {
	case ctx.Err() != nil:
		s.keepUnkept(unkept)
		c.cancelled(context.WithoutCancel(ctx))
		return nil, ctx.Err()
	case c.result == nil && err == nil && refused != nil && len(refused.Content) == 1: // its arguments are wrong
		why, _ := refused.Content[0].(*sdk.TextContent)
		c.fail(ctx, errors.New(t.explain(why.Text)))
	case err != nil:
		c.fail(ctx, err)
	}
	s.announce(ctx, c.kept && !c.behind)
	if unkept != nil {
		c.warn("The turn of an earlier call was not kept, so the session does not have that call: ", unkept)
	}
	return c.result, nil
}

// run does a call whose arguments are right.
func (c *call) run(ctx context.Context, replan func() (*plan, error)) (*sdk.CallToolResult, error) {
	defer trace.Start(ctx, trace.LaneCommand, c.tool.name)()
	c.replan = replan
	c.began = c.session.current()
	err := c.prepare()
	if err == nil {
		err = c.do(ctx)
	}
	if err != nil && ctx.Err() == nil {
		c.fail(ctx, err)
	}
	return c.result, ctx.Err()
}

// prepare plans the call and reads its steps.
func (c *call) prepare() error {
	var err error
	if c.plan, err = c.replan(); err != nil {
		return fmt.Errorf("%s: %w", c.tool.name, err)
	}
	p, tab := c.plan, c.session.current()
	if tab == "" && p.command == nil && !p.opensTab && !p.tabless {
		return errNoTab
	}
	command := p.command
	switch {
	case command != nil:
		// The steps are read as they came: the SDK has sorted their members.
		var of struct{ Steps json.RawMessage }
		if err := json.Unmarshal(c.raw, &of); err != nil {
			return fmt.Errorf("%s: %w", c.tool.name, err)
		}
		command["steps"] = of.Steps
		for name, zero := range map[string]any{"tab": "", "timeout": 0.0} {
			if command[name] == zero {
				delete(command, name)
			}
		}
	case len(p.steps) > 0:
		command = map[string]any{"steps": p.steps}
		if tab != "" && !p.opensTab && p.steps[0]["connectTab"] == nil {
			command["tab"] = tab
		}
	}
	if command == nil { // it only looks
		c.command = &step.Command{Tab: tab}
	} else {
		raw, err := json.Marshal(command)
		if err != nil {
			return err
		}
		if c.command, err = step.Parse(raw); err != nil {
			return fmt.Errorf("%s: %w", c.tool.name, err)
		}
	}
	// An agent that gets the page has requested a snapshot.
	c.command.Look, c.command.Picture = p.look || p.view != nil, p.picture != nil
	if p.view != nil {
		c.command.Format = p.view.format
	}
	return nil
}

// do runs the command. The outcome is in c.result, and in a turn.
func (c *call) do(ctx context.Context) error {
	err := c.execute(ctx)
	var lost *step.Error
	if err == nil || !errors.As(err, &lost) || lost.Type != step.TypeConnection || c.result != nil || ctx.Err() != nil {
		return err
	}
	if c.command.Tab == "" || c.command.Tab != c.session.current() {
		return err
	}
	// The tab is gone. A call that opens an address needs a tab, and gets another one.
	c.session.at("", false)
	if c.tool.name != "browse_navigate" {
		return fmt.Errorf("%w; browse_navigate opens another one", err)
	}
	if err := c.prepare(); err != nil {
		return err
	}
	return c.execute(ctx)
}

func (c *call) execute(ctx context.Context) error {
	s := c.session
	var expected *sentinel.Expectation
	if c.plan.expect != nil {
		var err error
		if expected, err = sentinel.Parse(c.plan.expect); err != nil {
			return fmt.Errorf("%s: parameter \"expect\": %w", c.tool.name, err)
		}
	}
	if tab := c.command.Tab; c.onlyItsTab() {
		s.writtenBut(tab)
	} else {
		s.written()
	}
	r, err := step.New(ctx, nil, step.Options{
		Profiles: s.owner.opt.Profiles, Files: s.owner.opt.Files,
		Roots: s.owner.opt.Roots, Timeout: s.owner.opt.Timeout, Host: s.host, Tool: s.owner.opt.HostOptions.Tool,
		Log:          s.log,
		AllowSecrets: s.owner.opt.AllowSecrets, Writes: s.owner.opt.Writes, Dialogs: browser.DialogQuestions,
		Reply: c.reply, Watch: s.watch(expected), Behind: c.writeBehind,
		Progress: c.progress, Spell: refSpelling, NameFile: s.files.name, Longer: c.tool.longer(),
	})
	if err != nil {
		return err
	}
	defer r.Close(ctx)
	if _, err = r.Execute(ctx, c.command); err != nil && c.result != nil && ctx.Err() == nil {
		s.log.Error("the turn was not kept", "session", s.Name, "error", err) // done; the client gets its result
		c.warn(notKept, err)
		err = nil
	}
	return err
}

// notKept says that the turn of this call is missing.
const notKept = "The turn was not kept, so the session does not have this call: "

// writeBehind has the turn written while the client reads the answer.
func (c *call) writeBehind(ctx context.Context, write func(context.Context) error) {
	c.behind = true
	c.session.writeBehind(ctx, c.session.current(), write)
}

// onlyItsTab reports whether the call does nothing but in the tab that it names.
func (c *call) onlyItsTab() bool {
	return c.command.Tab != "" && !slices.ContainsFunc(c.command.Steps, func(s step.Step) bool {
		return s.Def.NoTab || s.Def.First
	})
}

// warn adds to the result that a turn is missing.
func (c *call) warn(what string, err error) {
	if c.result != nil {
		why := what + c.redactor.Clean(err.Error())
		c.result.Content = append(c.result.Content,
			&sdk.TextContent{Text: text.Cut(text.EscapeOnce(text.CollapseSpace(why)), 1000)})
	}
}

// fail makes an error the result, and keeps it as a turn without a page.
func (c *call) fail(ctx context.Context, err error) {
	c.answer(failure(err), nil)
	c.keepBare(ctx, "the call came to no page: "+err.Error())
}

// cancelled keeps the call as a turn without a result: none was given.
func (c *call) cancelled(ctx context.Context) {
	c.result = nil
	ctx, cancel := context.WithTimeout(ctx, noteDeadline)
	defer cancel()
	c.keepBare(ctx, "the client has cancelled the call or left while it ran: no result was given")
}

// keepBare keeps a turn without a page.
func (c *call) keepBare(ctx context.Context, why string) {
	if c.kept {
		return
	}
	store, err := c.session.store(ctx)
	if err == nil {
		defer store.Close()
		_, err = store.Append(ctx, func(*turn.Ledger) (*turn.Record, error) {
			rec := &turn.Record{
				Capture:  &snapshot.Capture{Schema: snapshot.Schema, TakenAt: time.Now()},
				Action:   c.action(),
				Payloads: []turn.Payload{c.asked()},
				Lacks:    []string{text.StartBytes(c.redactor.Clean(why), 1000)},
				Meta:     turn.Meta{Tool: c.session.owner.opt.HostOptions.Tool},
			}
			if c.result != nil {
				rec.Payloads, rec.Answer = append(rec.Payloads, c.wire), c.wire.Bytes
			}
			var err error
			rec.Steps, err = c.steps()
			return rec, err
		})
	}
	if err != nil {
		c.session.log.Error("the turn was not kept", "session", c.session.Name, "error", err)
		c.warn(notKept, err)
		return
	}
	c.kept = true
	c.session.counted("")
}

// counted notes that a turn was kept.
func (s *clientSession) counted(url string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Turns++
	if url != "" {
		s.URL = url
	}
}

// progress notifies the client of the progress of its call, where it asked for that.
func progress(ctx context.Context, r *sdk.CallToolRequest) func(int, int, string) {
	token := r.Params.GetProgressToken()
	if token == nil {
		return func(int, int, string) {}
	}
	return func(done, total int, what string) {
		// A client that misses it still gets the result.
		_ = r.Session.NotifyProgress(
			ctx,
			&sdk.ProgressNotificationParams{ProgressToken: token, Progress: float64(done), Total: float64(total),
				Message: what},
		)
	}
}
