package session_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/testpages"
	"github.com/stretchr/testify/require"
)

var updateOwn = flag.Bool("update", false, "write the captures of our own pages instead of comparing")

// TestOwnCaptures: the captures that pure packages are tested with are of our own pages as
// they are now: the same elements with the same verdicts, roles, names and states.
func TestOwnCaptures(t *testing.T) {
	var kept map[string]*snapshot.Capture
	if !*updateOwn {
		kept = testpages.Captures(t)
	}
	ours, tab := 0, chrome.Tab(t)
	for _, kind := range testpages.Kinds() {
		folder := testpages.Own(t, kind)
		site := chrometest.Folder(t, folder.Path)
		for _, page := range folder.Pages(t) {
			if kind == testpages.Frames && page != "index.html" {
				continue // it is in index.html
			}
			name := string(kind) + "-" + strings.TrimSuffix(page, ".html")
			shot := take(t, chrometest.Load(t, tab, site+page), session.Options{NoPicture: true})
			text, err := json.Marshal(shot.Capture)
			require.NoError(t, err)
			moved := strings.ReplaceAll(string(text), site, "https://pages.example/"+string(kind)+"/")
			c := new(snapshot.Capture)
			require.NoError(t, json.Unmarshal([]byte(moved), c))
			c.TakenAt, c.ObservedFrom = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC), time.Time{}
			c.Timings, c.Moment = snapshot.Timings{}, snapshot.Moment{}
			if *updateOwn {
				text, err := json.Marshal(c)
				require.NoError(t, err)
				testpages.Save(t, name, text)
				continue
			}
			require.Contains(t, kept, name, "run with -update")
			require.Equal(t, essence(kept[name]), essence(c), "%s is not captured as it is: look, then run with -update", name)
			ours++
		}
	}
	if !*updateOwn {
		require.Equal(t, 13, ours)
	}
}

// essence is what tests rely on, and what fonts and versions of Chrome do not change.
func essence(c *snapshot.Capture) []string {
	var out []string
	for i := range c.Nodes {
		n := &c.Nodes[i]
		if !n.Verdict.Kept() {
			continue
		}
		states := make([]string, 0, len(n.States))
		for k, v := range n.States {
			states = append(states, fmt.Sprint(k, "=", v))
		}
		slices.Sort(states)
		out = append(out, fmt.Sprintf("%s %s %s %q %s", n.Tag, n.Verdict, n.Role, n.Name, states))
	}
	return out
}
