package engine

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/core"
)

// TestLiveTaps sends a request through the tap of the window: it is forwarded, and becomes a turn
// of the session in view, which the window follows.
func TestLiveTaps(t *testing.T) {
	vendor := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"choices":[{"message":{"role":"assistant","content":"done"}}]}`)
	}))
	defer vendor.Close()
	ctx := context.Background()
	l := New(Options{Home: t.TempDir(), Session: "window"})
	defer func() { require.NoError(t, l.Close()) }()
	require.ErrorContains(t, l.ServeTap(ctx, true, nil), "no turns are added")
	_, _, err := l.OpenSession(ctx, "")
	require.NoError(t, err)
	require.ErrorContains(t, l.ServeTap(ctx, true, []string{"nothing"}), "NAME=URL")
	require.NoError(t, l.ServeTap(ctx, true, []string{"stub=" + vendor.URL}))
	require.NoError(t, l.ServeTap(ctx, true, nil), "it runs")

	page, err := l.Agents(ctx)
	require.NoError(t, err)
	require.Equal(t, "window", page.Tap.Session)
	require.Len(t, page.Tap.Bases, 4)
	require.Equal(t, "OPENAI_BASE_URL", page.Tap.Bases[0].Name)
	base := page.Tap.Bases[3]
	require.Equal(t, "compat/stub", base.Name)

	arrived := make(chan core.TurnRow, 1)
	following, cancel := context.WithCancel(ctx)
	followed := make(chan error, 1)
	go func() {
		followed <- l.Follow(following, 0, func(r core.TurnRow, _ *core.Damage) { arrived <- r })
	}()
	resp, err := http.Post(base.URL+"/chat/completions", "application/json",
		strings.NewReader(`{"model":"m","messages":[{"role":"user","content":"go on"}]}`))
	require.NoError(t, err)
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Contains(t, string(body), "done")
	row := <-arrived
	require.Equal(t, 1, row.N)
	require.Equal(t, 2, row.Wire, "request and answer")
	cancel()
	require.ErrorIs(t, <-followed, context.Canceled)

	require.NoError(t, l.ServeTap(ctx, false, nil))
	require.NoError(t, l.ServeTap(ctx, false, nil), "it does not run")
	page, err = l.Agents(ctx)
	require.NoError(t, err)
	require.Empty(t, page.Tap.Bases)
	require.Equal(t, 1, page.Tap.Turns)
	_, err = http.Post(base.URL+"/chat/completions", "application/json", strings.NewReader("{}"))
	require.Error(t, err)

	require.NoError(t, l.ServeTap(ctx, true, []string{"stub=" + vendor.URL}))
	page, err = l.Agents(ctx)
	require.NoError(t, err)
	require.Equal(t, base, page.Tap.Bases[3], "what an agent was given works again")
	vendor.Close()
	resp, err = http.Post(base.URL+"/chat/completions", "application/json", strings.NewReader(`{"model":"m"}`))
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.NoError(t, l.ServeTap(ctx, false, nil)) // which waits for what is being saved
	page, err = l.Agents(ctx)
	require.NoError(t, err)
	require.Regexp(t, "^turn 2, m, the upstream could not be reached: .*refused, ", page.Tap.Last)
	other, err := net.Listen("tcp", l.tap.address) // another program has the port now
	require.NoError(t, err)
	defer func() { _ = other.Close() }()
	require.NoError(t, l.ServeTap(ctx, true, []string{"stub=" + vendor.URL}))
	page, err = l.Agents(ctx)
	require.NoError(t, err)
	require.NotEqual(t, base.URL, page.Tap.Bases[3].URL)
	require.NoError(t, l.ServeTap(ctx, false, nil))
}
