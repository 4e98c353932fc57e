package app

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/refscope/refscope/capture/step"
	"github.com/refscope/refscope/gui/connect"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/engine"
	"github.com/refscope/refscope/gui/live"
	"github.com/refscope/refscope/gui/steps"
)

// fakeTab is what the fake engine does in its tab, and for agents.
type fakeTab struct {
	mu       sync.Mutex
	ran      []string // drafts
	masked   []bool
	answer   string // of the next run, "" for the usual
	noTurn   bool
	changed  chan bool // what Changed answers, false while it is empty
	media    core.MediaState
	attached []string
	noAttach error
	serving  bool
	tapping  bool
	agents   []connect.Agent
}

func (f *fake) RunSteps(ctx context.Context, run steps.RunSteps, progress func(string)) (*steps.Ran, error) {
	text, masked := run.Text, run.Masked
	progress("running")
	d := step.ReadDraft([]byte(text), f.tab.ID)
	if d.Err != nil {
		return nil, d.Err
	}
	f.in.mu.Lock()
	f.in.ran, f.in.masked = append(f.in.ran, text), append(f.in.masked, masked)
	answer, bare := f.in.answer, f.in.noTurn
	f.in.mu.Unlock()
	if answer == "" {
		answer = `{"status":"ok","tab":"t1","steps":[{"action":"click","status":"ok","output":{"clicked":true,"method":"cdp"}}]}`
	}
	stored, err := d.Command.Redacted()
	if err != nil {
		return nil, err
	}
	out := &steps.Ran{StepsRun: steps.StepsRun{Text: text, Sealed: core.StepsText(stored), Words: engine.Words(d.Command),
		OK: strings.Contains(answer, `"status":"ok","tab"`),
		At: time.Date(2026, 11, 21, 12, 0, len(f.in.ran), 0, time.UTC)}, Body: []byte(answer)}
	if masked {
		out.Text = ""
	}
	if bare {
		return out, nil
	}
	if out.Record, err = f.Capture(ctx, out.Words, progress); err == nil {
		out.Record.Steps, out.Record.Answer = stored, out.Body
	}
	return out, err
}

// CheckSteps is the real engine's: it needs no Chrome.
func (f *fake) CheckSteps(e steps.CheckSteps) steps.StepsCheck { return engine.CheckSteps(e) }

func (f *fake) CaptureWhole(ctx context.Context, progress func(string)) (*core.Recorded, error) {
	progress("making the window as tall as the page")
	return f.Capture(ctx, live.ActionWhole, progress)
}

func (f *fake) EmulateMedia(_ context.Context, m core.MediaState) (core.DeviceState, error) {
	f.in.mu.Lock()
	defer f.in.mu.Unlock()
	f.in.media = m
	return core.DeviceState{Tab: f.tab.ID, Width: 1280, Height: 800, Scale: 1, Own: true, Media: m}, nil
}

func (f *fake) Changed(context.Context) (bool, error) {
	select {
	case c, ok := <-f.in.changed:
		return c && ok, nil
	default:
		return false, nil
	}
}

func (f *fake) Attach(ctx context.Context, where string, progress func(string)) (core.Browser, error) {
	f.in.mu.Lock()
	f.in.attached = append(f.in.attached, where)
	no := f.in.noAttach
	f.in.mu.Unlock()
	if no != nil {
		return core.Browser{}, no
	}
	b, err := f.Start(ctx, progress)
	b.Attached = where != ""
	return b, err
}

func (f *fake) Agents(context.Context) (connect.Changed, error) {
	f.in.mu.Lock()
	defer f.in.mu.Unlock()
	m := connect.Changed{Sessions: f.in.agents, Recipes: []connect.Recipe{
		{Client: "Claude Code", Where: "run it in a terminal", How: "starts its own server",
			Text: "claude mcp add refscope -- /usr/bin/refscopectl mcp\n", Shell: true},
		{Client: "Cursor", Where: "~/.cursor/mcp.json, or .cursor/mcp.json in the project",
			How: "starts its own server",
			Text: "{\n  \"mcpServers\": {\n    \"refscope\": {\n      \"command\": \"/usr/bin/refscopectl\",\n      " +
				"\"args\": [\n        \"mcp\"\n      ]\n    }\n  }\n}\n"},
	}}
	if f.in.tapping {
		m.Tap = connect.Tap{Session: "window", Bases: []connect.Base{
			{Name: "OPENAI_BASE_URL", URL: "http://127.0.0.1:8932/TOKEN/openai/v1"},
			{Name: "ANTHROPIC_BASE_URL", URL: "http://127.0.0.1:8932/TOKEN/anthropic"}}}
	}
	if f.in.serving {
		m.URL = "http://127.0.0.1:8931/"
		for i := range m.Recipes {
			m.Recipes[i].How = "uses the server of this window"
		}
	}
	return m, nil
}

func (f *fake) ServeAgents(_ context.Context, on bool) error {
	f.in.mu.Lock()
	defer f.in.mu.Unlock()
	f.in.serving = on
	if f.in.agents = nil; on {
		f.in.agents = []connect.Agent{{ID: "7", Client: "claude-code 2.1.0", Session: "shop", Turns: 2,
			Since: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC), URL: fakeURL}}
	}
	return nil
}

func (f *fake) StopAgent(_ context.Context, id string) error {
	f.in.mu.Lock()
	defer f.in.mu.Unlock()
	if len(f.in.agents) == 0 || f.in.agents[0].ID != id {
		return fmt.Errorf("unknown MCP session %q", id)
	}
	f.in.agents = nil
	return nil
}

func (f *fake) ServeTap(_ context.Context, on bool, _ []string) error {
	f.in.mu.Lock()
	defer f.in.mu.Unlock()
	f.in.tapping = on
	return nil
}
