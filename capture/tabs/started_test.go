package tabs_test

import (
	"errors"
	"os"
	"runtime"
	"testing"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/registry"
	"github.com/refscope/refscope/capture/tabs"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/stretchr/testify/require"
)

// A browser whose start was broken off before its record was whole is found by its profile, and
// can be closed. Another browser at a port of a record is not.
func TestOrphansAreFound(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Chrome's lock on a profile names no process on Windows")
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
