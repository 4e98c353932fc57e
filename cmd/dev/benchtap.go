package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// tapFigures are what tap.mjs prints that must be 0: what a tap changed, lost or left behind.
type tapFigures struct {
	Differ  int `json:"differ"`  // requests or calls whose answer is another one through the tap
	Changed int `json:"changed"` // streams to and from an MCP server that are not the same on both sides of the tap
	Wrong   int `json:"wrong"`   // calls that are told to be about another element
	Lost    int `json:"lost"`    // calls that were answered, or recorded before a kill, and are no turn
	Damaged int `json:"damaged"` // sessions
	Left    int `json:"left"`    // processes that run on
	Turns   int `json:"turns"`
	Calls   int `json:"calls"`
}

// benchTap has tap.mjs measure what a tap changes, and prints its lines. What must be 0 and is not is an error; times
// are printed and never asserted.
func benchTap(ctx context.Context, d *dev, n int) error {
	modules, err := agentModules("bench: -tap", "@playwright/mcp chrome-devtools-mcp @modelcontextprotocol/sdk "+
		"openai @anthropic-ai/sdk @google/genai ai @ai-sdk/openai")
	if err != nil {
		return err
	}
	if err := d.setUp(ctx, []need{chromeNeed()}, false); err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "refscope-tap-")
	if err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	defer func() { _ = os.RemoveAll(folder) }() // a stray temporary folder does no harm
	program, err := d.buildCtl(ctx, folder)
	if err != nil {
		return err
	}
	pages := filepath.Join(d.root, "..", "shared", "corpus") // saved pages, where there are any
	if _, err := os.Stat(pages); err != nil {
		pages = filepath.Join(d.root, "assets", "demo")
	}
	chrome, err := probeChrome(ctx, d)
	if err != nil {
		return err
	}
	env := []string{"CHROME=" + chrome, "AGENTS=" + modules, "REFSCOPECTL=" + program, "PAGES=" + pages}
	var wrong []error
	for _, run := range []struct {
		words  []string
		client string
	}{
		{[]string{"overhead", fmt.Sprint(max(n/20, 20))}, ""},
		{[]string{"vendors", fmt.Sprint(n)}, ""},
		{[]string{"twice", "playwright", fmt.Sprint(max(n/40, 20))}, ""},
		{[]string{"twice", "devtools", fmt.Sprint(max(n/40, 20))}, ""},
		{[]string{"kills", fmt.Sprint(max(n/200, 3))}, ""},
		{[]string{"calls", "playwright", fmt.Sprint(max(n/40, 20))}, "official"},
		{[]string{"calls", "playwright", fmt.Sprint(max(n/40, 20))}, "own"},
		{[]string{"calls", "devtools", fmt.Sprint(max(n/40, 20))}, "official"},
		{[]string{"calls", "devtools", fmt.Sprint(max(n/40, 20))}, "own"},
	} {
		what := strings.TrimSpace(strings.Join(run.words, " ") + " " + run.client)
		d.status("%s", what)
		words := append([]string{filepath.Join(d.root, "cmd", "dev", "agents", "tap.mjs")}, run.words...)
		out, err := d.output(ctx, nil, append(env, "CLIENT="+run.client), "node", words...)
		if err != nil {
			return errors.Join(fmt.Errorf("bench: %s: %w", what, err), errors.New(out))
		}
		lines := strings.Split(strings.TrimSpace(out), "\n")
		d.say("%s: %s", what, lines[len(lines)-1])
		var f tapFigures
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
