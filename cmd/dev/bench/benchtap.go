package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/refscope/refscope/cmd/dev/setup"
)

// benchTap has tap.mjs measure what a tap changes, and prints its lines. What must be 0 and is not is an error; times
// are printed and never asserted.
func benchTap(ctx context.Context, d *setup.Dev, n int) error {
	modules, err := agentModules("bench: -tap", "@playwright/mcp chrome-devtools-mcp @modelcontextprotocol/sdk "+
		"openai @anthropic-ai/sdk @google/genai ai @ai-sdk/openai")
	if err != nil {
		return err
	}
	if err := d.SetUp(ctx, []setup.Need{setup.ChromeNeed()}, false); err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "refscope-tap-")
	if err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	defer func() { _ = os.RemoveAll(folder) }() // a stray temporary folder does no harm
	program, err := d.BuildCtl(ctx, folder)
	if err != nil {
		return err
	}
	pages := filepath.Join(d.Root, "..", "shared", "corpus") // saved pages, where there are any
	if _, err := os.Stat(pages); err != nil {
		pages = filepath.Join(d.Root, "assets", "demo")
	}
	chrome, err := setup.ProbeChrome(ctx, d)
	if err != nil {
		return err
	}
	env := []string{"CHROME=" + chrome, "AGENTS=" + modules, "REFSCOPECTL=" + program, "PAGES=" + pages}
	var wrong []error
	calls, kills := fmt.Sprint(max(n/40, 20)), fmt.Sprint(max(n/200, 3))
	for _, run := range []struct {
		words []string
		env   string
	}{
		{[]string{"overhead", fmt.Sprint(max(n/20, 20))}, ""},
		{[]string{"vendors", fmt.Sprint(n)}, ""},
		{[]string{"twice", "playwright", calls}, ""},
		{[]string{"twice", "devtools", calls}, ""},
		{[]string{"twice", "playwright", calls}, "BROWSER=1"},
		{[]string{"twice", "devtools", calls}, "BROWSER=1"},
		{[]string{"kills", kills}, ""},
		{[]string{"kills", kills}, "BROWSER=1"},
		{[]string{"calls", "playwright", calls}, "CLIENT=official"},
		{[]string{"calls", "playwright", calls}, "CLIENT=own"},
		{[]string{"calls", "devtools", calls}, "CLIENT=official"},
		{[]string{"calls", "devtools", calls}, "CLIENT=own"},
	} {
		what := strings.TrimSpace(strings.Join(run.words, " ") + " " + run.env)
		d.Status("%s", what)
		words := append([]string{filepath.Join(d.Root, "cmd", "dev", "agents", "tap.mjs")}, run.words...)
		with := slices.Clone(env)
		if run.env != "" {
			with = append(with, run.env)
		}
		out, err := d.Output(ctx, nil, with, "node", words...)
		if err != nil {
			return errors.Join(fmt.Errorf("bench: %s: %w", what, err), errors.New(out))
		}
		lines := strings.Split(strings.TrimSpace(out), "\n")
		d.Say("%s: %s", what, lines[len(lines)-1])
		var f struct { // what tap.mjs prints that must be 0: what a tap changed, lost or left behind
			Differ  int `json:"differ"`  // requests or calls whose answer is another one through the tap
			Changed int `json:"changed"` // streams of an MCP server that are not the same on both sides of the tap
			Wrong   int `json:"wrong"`   // calls that are told to be about another element
			Lost    int `json:"lost"`    // calls that were answered, or recorded before a kill, and are no turn
			Damaged int `json:"damaged"` // sessions
			Left    int `json:"left"`    // processes that run on
			Turns   int `json:"turns"`
			Calls   int `json:"calls"`
		}
		if err := json.Unmarshal([]byte(lines[len(lines)-1]), &f); err != nil {
			return fmt.Errorf("bench: %s: %w: %s", what, err, out)
		}
		if run.words[0] == "calls" {
			f.Lost += max(f.Calls-f.Turns, 0)
		}
		if f.Differ+f.Changed+f.Wrong+f.Lost+f.Damaged+f.Left > 0 {
			wrong = append(wrong, fmt.Errorf("bench: %s: not as without the tap", what))
		}
	}
	return errors.Join(wrong...)
}
