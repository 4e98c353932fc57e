package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/refscope/refscope/capture/agent/sentinel"
	"github.com/refscope/refscope/capture/step"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/turn"
)

// errNoTab: a tool needs a page, and there is none yet.
var errNoTab = errors.New("no tab is open yet: call browse_navigate with an address first")

// noteDeadline is how long the turn of a call that was cancelled may take to be kept.
const noteDeadline = 5 * time.Second

// call is one tool call, from its arguments to its result and its turn.
type call struct {
	d        *door
	tool     *tool
	raw      json.RawMessage // the arguments as they came
	args     args
	plan     *plan
	command  *step.Command
	redactor *redact.Redactor
	progress func(done, total int, what string)

	result *sdk.CallToolResult // for the client, nil for none
	wire   turn.Payload        // the result as it is kept
	kept   bool                // as a turn
}

// call does a tool call. Its error is for one that is not answered: that its client has
// cancelled, or that came when it had left.
func (d *door) call(ctx context.Context, t *tool, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	d.meet(r.Session)
	ctx, end := d.begin(ctx)
	defer end()
	leave, err := d.enter(ctx, t.name)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, errLeft):
		return nil, err
	case err != nil:
		return failure(err), nil // too many calls: not done, and no turn
	}
	defer leave()
	c := &call{d: d, tool: t, raw: r.Params.Arguments, progress: progress(ctx, r), redactor: redact.Standard()}
	if c.args, err = t.read(r.Params.Arguments); err == nil {
		err = c.lay()
	}
	if err == nil {
		err = c.do(ctx)
	}
	if ctx.Err() != nil {
		c.cancelled(context.WithoutCancel(ctx))
		return nil, ctx.Err()
	}
	if err != nil {
		c.fail(ctx, err)
	}
	d.told(ctx, c.kept)
	return c.result, nil
}

// lay plans the call.
func (c *call) lay() error {
	var err error
	if c.plan, err = c.tool.plan(c.d, c.args); err != nil {
		return fmt.Errorf("%s: %w", c.tool.name, err)
	}
	if c.d.current() == "" && c.plan.raw == nil && !c.plan.fresh && !c.plan.tabless {
		return errNoTab
	}
	raw := c.plan.raw
	if raw == nil && len(c.plan.steps) > 0 {
		command := map[string]any{"steps": c.plan.steps}
		if tab := c.d.current(); tab != "" && !c.plan.fresh && c.plan.steps[0]["connectTab"] == nil {
			command["tab"] = tab
		}
		if raw, err = json.Marshal(command); err != nil {
			return err
		}
	}
	if raw == nil { // it only looks
		c.command = &step.Command{Tab: c.d.current(), Timeout: step.DefaultTimeout}
	} else if c.command, err = step.Parse(raw); err != nil {
		return fmt.Errorf("%s: %w", c.tool.name, err)
	}
	// Whoever is shown the page has asked for a snapshot.
	c.command.Look = c.plan.look || c.plan.view != nil
	return nil
}

// do runs the command. What comes of it is in c.result, and in a turn.
func (c *call) do(ctx context.Context) error {
	err := c.execute(ctx)
	var lost *step.Error
	if err == nil || !errors.As(err, &lost) || lost.Type != step.TypeConnection || c.result != nil || ctx.Err() != nil {
		return err
	}
	if c.command.Tab == "" || c.command.Tab != c.d.current() {
		return err
	}
	// The tab is gone. Whoever opens an address wants a tab, and gets another one.
	c.d.at("", false)
	if c.tool.name != "browse_navigate" {
		return fmt.Errorf("%w; browse_navigate opens another one", err)
	}
	if err := c.lay(); err != nil {
		return err
	}
	return c.execute(ctx)
}

func (c *call) execute(ctx context.Context) error {
	d := c.d
	var expected *sentinel.Expectation
	if raw, ok := c.args["expect"].(json.RawMessage); ok {
		var err error
		if expected, err = sentinel.Parse(raw); err != nil {
			return &ArgumentError{c.tool.name, "expect", err.Error()}
		}
	}
	opened := func() {}
	r, err := step.New(ctx, nil, step.Options{
		Profiles: d.s.opt.Profiles, Files: d.s.opt.Files, Host: d.host, Tool: d.s.opt.HostOptions.Tool, Log: d.log,
		AllowSecrets: d.s.opt.AllowSecrets, Reply: c.reply, Watch: d.watch(expected),
		Progress: func(i, n int, action string) {
			opened()
			opened = func() {}
			c.progress(i, n, action)
			if action == "openTab" {
				opened = d.s.opens(ctx)
			}
		},
	})
	if err != nil {
		return err
	}
	defer r.Close(ctx)
	defer func() { opened() }()
	if _, err = r.Execute(ctx, c.command); err != nil && c.result != nil && ctx.Err() == nil {
		d.log.Error("the turn was not kept", "session", d.name, "error", err) // it was done, and the client is told so
		err = nil
	}
	return err
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
	store, err := c.d.store(ctx)
	if err == nil {
		defer store.Close()
		_, err = store.Append(ctx, func(*turn.Ledger) (*turn.Record, error) {
			rec := &turn.Record{
				Capture:  &snapshot.Capture{Schema: snapshot.Schema, TakenAt: time.Now()},
				Action:   c.action(),
				Payloads: []turn.Payload{c.asked()},
				Lacks:    []string{clip(c.redactor.Clean(why), 1000)},
				Meta:     turn.Meta{Tool: c.d.s.opt.HostOptions.Tool},
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
		c.d.log.Error("the turn was not kept", "session", c.d.name, "error", err)
		return
	}
	c.kept = true
	c.d.counted("")
}

// counted notes that a turn was kept.
func (d *door) counted(url string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.turns++
	if url != "" {
		d.url = url
	}
}

// progress tells the client how far its call is, where it asked to be told.
func progress(ctx context.Context, r *sdk.CallToolRequest) func(int, int, string) {
	token := r.Params.GetProgressToken()
	if token == nil {
		return func(int, int, string) {}
	}
	return func(done, total int, what string) {
		// A client that does not hear it hears the result.
		_ = r.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ProgressToken: token, Progress: float64(done), Total: float64(total), Message: what})
	}
}
