package tabs_test

import (
	"errors"
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/registry"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/capture/tabs"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/refscope/refscope/snapshot/testneed/guard"
	"github.com/stretchr/testify/require"
)

func TestMain(m *testing.M) { os.Exit(guard.Run(m.Run)) }

// A browser whose start was broken off before its record was whole is found by its profile, and
// can be closed. Another browser at a port of a record is not.
func TestOrphansAreFound(t *testing.T) {
	if runtime.GOOS == "windows" {
		testneed.Extra(t, "Chrome's lock on a profile names no process on Windows")
	}
	if _, err := browser.Find(""); errors.Is(err, browser.ErrNotFound) {
		testneed.Missing(t, "there is no Chrome or Chromium on this machine")
	}
	ctx, home := chrometest.Context(t), t.TempDir()
	h := tabs.NewHost(tabs.Options{Home: home, Tool: "test"})
	o, err := h.Open(ctx, tabs.Place{})
	require.NoError(t, err)
	o.Release(ctx)
	list, err := h.Started(ctx)
	require.NoError(t, err)
	require.Len(t, list, 1)
	whole := list[0]
	require.True(t, whole.Running)
	require.NoError(t, h.Close())

	reg := registry.Open(home)
	torn := whole.Browser
	torn.PID, torn.Endpoint = 0, ""
	require.NoError(t, reg.Record(whole.Address, torn))
	h = tabs.NewHost(tabs.Options{Home: home, Tool: "test"})
	list, err = h.Started(ctx)
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.True(t, list[0].Running)

	other := torn
	other.Profile = t.TempDir() // nobody holds it: the browser that answers is another one
	require.NoError(t, reg.Record(whole.Address, other))
	list, err = h.Started(ctx)
	require.NoError(t, err)
	require.Empty(t, list)
	require.ErrorContains(t, h.End(ctx, whole.Address), "was not started by refscopectl")

	require.NoError(t, reg.Record(whole.Address, torn))
	require.NoError(t, h.End(ctx, whole.Address))
	require.False(t, browser.Answers(ctx, whole.Address))
	require.NoDirExists(t, whole.Profile)
	require.NoError(t, h.Close())
	_, err = os.Stat(whole.Profile)
	require.Error(t, err)
}

// A tab whose script has kept it from answering does not keep a core busy for ever: when the host ends, so does the
// script. The page stays as it was.
func TestABusyTabIsEndedWithItsHost(t *testing.T) {
	if _, err := browser.Find(""); errors.Is(err, browser.ErrNotFound) {
		testneed.Missing(t, "there is no Chrome or Chromium on this machine")
	}
	ctx, home := chrometest.Context(t), t.TempDir()
	h := tabs.NewHost(tabs.Options{Home: home, Tool: "test", Keep: true})
	o, err := h.Open(ctx, tabs.Place{})
	require.NoError(t, err)
	require.NoError(t, o.Tab.Navigate(ctx, chrometest.Page(t, chrometest.Hostile()["endless loop"])))
	in, cancel := browser.Within(ctx, 2*time.Second)
	_, err = session.StateOf(in, o.Tab)
	cancel()
	require.ErrorIs(t, err, browser.ErrBusy)
	o.Release(ctx)
	require.NoError(t, h.Close())

	h = tabs.NewHost(tabs.Options{Home: home, Tool: "test"})
	defer h.Close()
	again, err := h.Connect(ctx, tabs.Selector{Alias: o.Alias})
	require.NoError(t, err)
	title, err := again.Tab.Session().Eval(ctx, again.Tab.ID(), "document.title")
	require.NoError(t, err)
	require.Equal(t, "hostile", title)
	again.Release(ctx)
	list, err := h.Started(ctx)
	require.NoError(t, err)
	require.NoError(t, h.End(ctx, list[0].Address))
}
