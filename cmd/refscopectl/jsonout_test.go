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
		"session list", "session show", "profile list", "profile lint", "profile show"} {
		calls[more] = append(calls[more], map[string]string{"session show": "agent", "profile show": "shop.example"}[more])
	}
	calls["doctor"] = append(calls["doctor"], "plain")
	var known []string
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
