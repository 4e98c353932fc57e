// Package bench compares Refscope with its peers and with itself: the Go benchmarks, captures beside Playwright's,
// MCP servers, taps, and unmodified agents over the demo site. It measures and prints; the tables in docs/ are of its
// lines. Start with [Task]; [Agents] is the one with other people's agents.
package bench

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/refscope/refscope/cmd/dev/setup"
	"github.com/refscope/refscope/cmd/dev/window"
)

// Task runs the Go benchmarks and prints them as they come. Timings are looked
// at by people, never asserted: they belong to a machine.
func Task(ctx context.Context, d *setup.Dev, args []string) error {
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	pattern := flags.String("run", ".", "the benchmarks to run, a regular expression")
	count := flags.Int("count", 1, "how often each is run")
	peers := flags.Bool("peers", false,
		"time captures beside those of others, which npm installs into a temporary folder")
	phases := flags.Bool("phases", false, "where the time of a capture goes, first and repeated: a table")
	growth := flags.Bool("growth", false,
		"what pages of 1,000 to 200,000 elements cost from Chrome to the window: a table")
	pages := flags.Bool("pages", false, "pages a second of a data set, with 1, 2 and 4 jobs: a table")
	servers := flags.Bool("mcp", false,
		"our MCP server beside Playwright's and Chrome DevTools' on nine tasks; needs $AGENTS: a "+
			"table for each of -count rounds")
	taps := flags.Int("tap", 0,
		"what a tap changes for those between whom it stands: this many requests of four SDKs beside the same without "+
			"it, a 40th as many calls of Playwright MCP and chrome-devtools-mcp, without and with a browser of the "+
			"tap's, a 200th as many kills; needs $AGENTS")
	marks := flags.Bool("marks", false,
		"what marks hide, whose their numbers are and what a model can read of them, on saved "+
			"pages, for devices and models, beside two published systems: a table")
	numbers := flags.Bool("numbers", false,
		"whose box each number of the window's picture is nearest to and whether its digits "+
			"are whole, from the pixels of 40 saved pages, four windows and five zooms: a table")
	waits := flags.Bool("waits", false,
		"what a person waits for: first commands, sessions of 66 and 2,000 turns in the real window, their report, a "+
			"word in their texts: a table")
	if err := flags.Parse(args); err != nil {
		return setup.Usagef("bench: %w", err)
	}
	if *servers {
		return benchMCP(ctx, d, *count)
	}
	if *taps > 0 {
		return benchTap(ctx, d, *taps)
	}
	if *phases {
		return benchTest(ctx, d, "TestPhases", "./capture/session", "REFSCOPE_PHASES=1")
	}
	if *growth {
		return benchTest(ctx, d, "TestGrowth", "./gui/engine", "REFSCOPE_GROWTH=1")
	}
	if *pages {
		return benchTest(ctx, d, "TestPagesASecond", "./cmd/refscopectl", "REFSCOPE_PAGES=1")
	}
	if *marks {
		return benchTest(ctx, d, "TestMarks", "./overlay/readability", "REFSCOPE_MARKS=1")
	}
	if *numbers {
		return benchNumbers(ctx, d)
	}
	if *waits {
		return window.Waits(ctx, d)
	}
	if *peers {
		return benchPeers(ctx, d)
	}
	packages := flags.Args()
	if len(packages) == 0 {
		packages = []string{"./..."}
	}
	// One package at a time: two that run side by side measure each other.
	words := append([]string{"test", "-run", "^$", "-p", "1", "-tags", setup.Tags, "-bench", *pattern, "-benchmem",
		"-count", fmt.Sprint(*count)}, packages...)
	cmd := setup.Command(ctx, d.Root, false, "go", words...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fmt.Errorf("go test -bench: %w", err)
	}
	return nil
}

// benchPeers installs playwright-core and agent-browser into a temporary folder and has a
// test of capture/session time all three on the same pages: one table, first and repeated. Before, a test of
// cmd/refscopectl lists what Playwright's HAR of a page lacks of what its server logged, beside ours.
func benchPeers(ctx context.Context, d *setup.Dev) error {
	dir, err := os.MkdirTemp("", "refscope-peers-")
	if err != nil {
		return fmt.Errorf("a folder for the peers: %w", err)
	}
	defer os.RemoveAll(dir)
	npm := setup.Command(ctx, dir, false, "npm", "install", "--no-audit", "--no-fund", "--prefix", dir,
		"playwright-core", "agent-browser")
	npm.Stdout, npm.Stderr = os.Stdout, os.Stderr
	if err := npm.Run(); err != nil {
		return fmt.Errorf("npm install playwright-core agent-browser: %w: install Node.js and npm first", err)
	}
	peers := "REFSCOPE_PEERS=" + filepath.Join(dir, "node_modules")
	if err := benchTest(ctx, d, "TestHARIsWhole", "./cmd/refscopectl", peers); err != nil {
		return err
	}
	return benchTest(ctx, d, "TestPeers", "./capture/session", peers)
}

// benchTest runs a test that prints a table where the environment asks for it.
func benchTest(ctx context.Context, d *setup.Dev, name, pkg, env string) error {
	cmd := setup.Command(ctx, d.Root, false, "go", "test", "-count", "1", "-timeout", "60m", "-tags", setup.Tags, "-v",
		"-run", "^"+name+"$", pkg)
	cmd.Env = append(os.Environ(), env)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}
