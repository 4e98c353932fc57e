package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/refscope/refscope/cmd/refscopectl/cli"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"
)

// TestJSONIsAlwaysJSON: whatever a command answers with --json is JSON, one document on each line, that says what shape
// it has; or the call is refused, as JSON too. What a command hands on as it is (a file, the bytes of a recording) is
// neither.
func TestJSONIsAlwaysJSON(t *testing.T) {
	trial := newFlagTrial(t)
	calls := tried()
	maps.DeleteFunc(calls, func(path string, _ []string) bool { return withBrowser()[path] != nil })
	for _, more := range []string{"browser status", "browser tabs", "browser close", "config list", "version",
		"session list", "session show", "profile list", "profile lint", "profile show", "help", "completion", "man",
		"skill print", "config set"} {
		calls[more] = append(calls[more], map[string]string{"session show": "agent", "profile show": "shop.example",
			"completion": "zsh", "man": "{out}/man", "config set": "timeout 20s"}[more])
	}
	calls["help"] = append(calls["help"], "snap", "session note", "exit-codes", "nothing")
	calls["batch report"] = append(calls["batch report"], "{out}")
	calls["run"] = append(calls["run"], "--help click")
	for path := range calls { // how each is called
		calls[path] = append(calls[path], "--help")
	}
	calls["doctor"] = append(calls["doctor"], "plain")
	known := []string{"help"} // which is not walked
	walkCommands(newRoot(silent()), func(c *cobra.Command) { known = append(known, cli.PathOf(c)) })
	for _, path := range slices.Sorted(maps.Keys(calls)) {
		require.Contains(t, known, path)
		for _, call := range calls[path] {
			trial.t = t
			got := trial.run(path, withJSON(call), trial.pages[1])
			if err := jsonLines(timeWord.ReplaceAllString(got.stdout, `,"ms":0`)); err != nil {
				t.Errorf("%s %s --json: exit %d: %v", path, call, got.code, err)
			}
		}
	}
}

// timeWord is what the trial makes of a time.
var timeWord = regexp.MustCompile(`,T\b`)

// withJSON is a call with --json before what belongs to another program.
func withJSON(call string) string {
	own, agent, has := strings.Cut(strings.TrimSuffix(call, " --json"), " -- ")
	if has {
		return own + " --json -- " + agent
	}
	return own + " --json"
}

// jsonLines refuses what is not JSON with a schema on every line.
func jsonLines(out string) error {
	if out == "" {
		return fmt.Errorf("nothing is printed")
	}
	for line := range strings.Lines(out) {
		var v struct{ Schema string }
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			return fmt.Errorf("%w: %.120s", err, line)
		}
		if v.Schema == "" {
			return fmt.Errorf("no schema: %.120s", line)
		}
	}
	return nil
}

// TestHelpAsJSON: help as JSON has every command and every flag that is declared, with what it means.
func TestHelpAsJSON(t *testing.T) {
	type node struct {
		Schema, Command, Short, Usage string
		Flags                         []struct{ Name, Usage, Takes string }
		Commands                      []node
	}
	for _, args := range [][]string{{"help"}, {"--help"}} {
		out, errs := asked(t, 0, append(args, "--json")...)
		require.Empty(t, errs)
		var help node
		require.NoError(t, json.Unmarshal([]byte(out), &help))
		require.Equal(t, cli.HelpShape, help.Schema)
		got := map[string]node{}
		var walk func(node)
		walk = func(n node) {
			got[n.Command] = n
			for _, below := range n.Commands {
				walk(below)
			}
		}
		walk(help)
		walkCommands(newRoot(silent()), func(c *cobra.Command) {
			n := got[c.CommandPath()]
			require.NotEmpty(t, n.Short, c.CommandPath())
			require.NotEmpty(t, n.Usage, c.CommandPath())
			flags := map[string]string{}
			for _, f := range n.Flags {
				flags[f.Name] = f.Usage
			}
			c.NonInheritedFlags().VisitAll(func(f *pflag.Flag) {
				require.NotEmpty(t, flags[f.Name], "%s --%s", c.CommandPath(), f.Name)
			})
		})
		require.NotEmpty(t, got["refscopectl"].Flags)
	}
}
