package session_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/snapshot"
	"github.com/stretchr/testify/require"
)

func textOptions() session.Options {
	return session.Options{NoPicture: true, Settle: session.Settle{Max: time.Millisecond}}
}

// timeless is a capture as JSON without what is of the moment of asking: times, and ages of what is listed.
func timeless(t testing.TB, c *snapshot.Capture) string {
	t.Helper()
	copied := *c
	copied.TakenAt, copied.Timings, copied.Settled = time.Time{}, snapshot.Timings{}, false
	copied.Mutations = nil
	for _, m := range c.Mutations {
		m.Age = 0
		copied.Mutations = append(copied.Mutations, m)
	}
	copied.Console = nil
	for _, m := range c.Console {
		m.Age = 0
		copied.Console = append(copied.Console, m)
	}
	b, err := json.Marshal(&copied)
	require.NoError(t, err)
	return string(b)
}

func text(t testing.TB, tab *browser.Tab, fresh bool) *snapshot.Capture {
	t.Helper()
	o := textOptions()
	o.Fresh = fresh
	shot, err := session.Take(chrometest.Context(t), tab, o)
	require.NoError(t, err)
	return shot.Capture
}

func TestAPageThatStaysIsNotWalkedAgain(t *testing.T) {
	tab := chrome.Open(t, chrometest.Page(t, chrometest.Rows(50)))
	first := text(t, tab, false)
	require.False(t, first.Timings.Again)
	again := text(t, tab, false)
	require.True(t, again.Timings.Again, again.Timings.Walked)
	require.Equal(t, timeless(t, first), timeless(t, again))
	fresh := text(t, tab, true)
	require.False(t, fresh.Timings.Again)
	require.Equal(t, timeless(t, fresh), timeless(t, again))
	for range 5 {
		at := time.Now()
		require.True(t, text(t, tab, false).Timings.Again)
		t.Log(time.Since(at))
	}
}
