package session_test

import (
	"context"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/stretchr/testify/require"
)

// A page may keep its main thread for ever; what looks at it ends by itself when its time is
// over, and says why.
func TestHostilePagesEndInTime(t *testing.T) {
	testneed.Long(t, "hostile pages")
	looks := []struct {
		name string
		look func(context.Context, *browser.Tab) error
	}{
		{"take", func(ctx context.Context, tab *browser.Tab) error {
			_, err := session.Take(ctx, tab, session.Options{})
			return err
		}},
		{"take the full page", func(ctx context.Context, tab *browser.Tab) error {
			_, err := session.Take(ctx, tab, session.Options{FullPage: true})
			return err
		}},
		{"probe", func(ctx context.Context, tab *browser.Tab) error {
			_, err := session.StateOf(ctx, tab)
			return err
		}},
		{"print", func(ctx context.Context, tab *browser.Tab) error {
			_, err := session.Print(ctx, tab, session.PrintOptions{})
			return err
		}},
	}
	pages := chrometest.Hostile()
	for _, name := range slices.Sorted(maps.Keys(pages)) {
		t.Run(name, func(t *testing.T) {
			tab := chrome.Open(t, chrometest.Page(t, pages[name]))
			for _, l := range looks {
				whole := chrometest.Context(t)
				ctx, cancel := browser.Within(whole, 500*time.Millisecond)
				err := l.look(ctx, tab)
				cancel()
				t.Logf("%s: %v", l.name, err)
				require.NoError(t, whole.Err(), "%s: the test did not end it", l.name)
				if name != "navigation storm" && name != "slow answers" && name != "DOM storm" { // these answer now and then
					require.ErrorIs(t, err, browser.ErrBusy, l.name)
					require.NotContains(t, err.Error(), "context deadline exceeded")
				}
			}
		})
	}
}

// A command without a time of its own does not wait for ever either, and what comes after
// a call that nobody answered is not waited for as long again.
func TestBusyPageWithoutADeadline(t *testing.T) {
	testneed.Long(t, "twelve seconds of a busy core")
	tab := chrome.Open(t, chrometest.Page(t, chrometest.Hostile()["endless loop"]))
	_, err := session.Take(context.Background(), tab, session.Options{})
	require.ErrorIs(t, err, browser.ErrBusy)
	require.ErrorContains(t, err, "it did not answer within 10s: "+browser.ErrBusy.Error())
	_, err = session.StateOf(context.Background(), tab)
	require.ErrorIs(t, err, browser.ErrBusy)
	require.ErrorContains(t, err, "it did not answer within 1s", "it is known to be busy")
}

// A page whose process dies says so, and nothing waits for its answer.
func TestCrashedPageEndsAtOnce(t *testing.T) {
	tab := chrome.Open(t, chrometest.Page(t, `<p>ends</p>`))
	ctx := chrometest.Context(t) // the browser writes the crash down first
	require.ErrorIs(t, tab.Navigate(ctx, "chrome://crash"), browser.ErrCrashed)
	_, err := session.Take(ctx, tab, session.Options{})
	require.ErrorIs(t, err, browser.ErrCrashed, "not that it did not answer in time")
}
