package browser_test

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/stretchr/testify/require"
)

const gatewayToken = "seedtoken4711seed"

// TestPool: browsers behind gateways of several kinds are lent to one user at a time; one that has no room is asked again,
// one whose connection is lost is connected to again, and no token is in the log.
func TestPool(t *testing.T) {
	endpoint := chrome.Browser(t).Endpoint()
	first, second, third := chrometest.NewGateway(t, endpoint, gatewayToken), chrometest.NewGateway(t, endpoint, gatewayToken),
		chrometest.NewGateway(t, endpoint, gatewayToken)
	first.Refuse(http.StatusTooManyRequests, http.StatusServiceUnavailable)
	var log bytes.Buffer
	p := browser.NewPool(browser.Options{Width: 640, Height: 480,
		Log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))},
		"ws://"+first.Address+"/chrome?token="+gatewayToken,
		"http://"+second.Address+"/chrome?token="+gatewayToken,
		"ws://"+third.Address+"/session/3f1c/se/cdp?token="+gatewayToken)
	defer func() { require.NoError(t, p.Close()) }()
	ctx := chrometest.Context(t)
	var at sync.Map
	var done atomic.Int32
	var users sync.WaitGroup
	for range 5 {
		users.Go(func() {
			b, err := p.Take(ctx)
			if err != nil {
				t.Error(err)
				return
			}
			defer b.Return()
			if _, twice := at.LoadOrStore(b.Name(), true); twice {
				t.Error(b.Name() + " is lent twice")
			}
			defer at.Delete(b.Name())
			tab, err := b.OpenTab(ctx)
			if err != nil {
				t.Error(err)
				return
			}
			done.Add(1)
			if err := tab.Close(ctx); err != nil {
				t.Error(err)
			}
		})
	}
	users.Wait()
	require.EqualValues(t, 5, done.Load())
	for _, g := range []*chrometest.Gateway{second, third} {
		_, most := g.Opened()
		require.Equal(t, 1, most)
	}

	second.Drop()
	third.Drop()
	var lent []*browser.Lent
	for range 3 {
		b, err := p.Take(ctx)
		require.NoError(t, err)
		tab, err := b.OpenTab(ctx)
		require.NoError(t, err, "a connection that was lost is made again")
		require.NoError(t, tab.Close(ctx))
		lent = append(lent, b)
	}
	short, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
	defer cancel()
	_, err := p.Take(short)
	require.ErrorIs(t, err, context.DeadlineExceeded, "all are lent")
	for _, b := range lent {
		b.Return()
	}
	require.NotContains(t, log.String(), "seed")
}

// TestPoolGivesUp: what refuses or is not there is given up, with reasons that hold no secret.
func TestPoolGivesUp(t *testing.T) {
	g := chrometest.NewGateway(t, chrome.Browser(t).Endpoint(), gatewayToken)
	p := browser.NewPool(browser.Options{}, "ws://"+g.Address+"/chrome?token=seedwrong", "http://seeduser:seedpass@"+g.Address+"/chrome",
		"ws://"+g.Address+"/seedpath?token="+gatewayToken)
	defer p.Close()
	_, err := p.Take(chrometest.Context(t))
	require.ErrorContains(t, err, "no browser is left to attach to")
	require.ErrorContains(t, err, "answered 401 Unauthorized")
	require.ErrorContains(t, err, "answered 404 Not Found")
	require.NotContains(t, err.Error(), "seed")

	g.Refuse(http.StatusServiceUnavailable)
	_, err = browser.Start(chrometest.Context(t), browser.Options{Attach: "ws://" + g.Address + "/chrome?token=" + gatewayToken})
	var busy *browser.RefusedError
	require.ErrorAs(t, err, &busy)
	require.True(t, busy.Busy())
	require.NotContains(t, err.Error(), "seed")

	b, err := browser.Start(chrometest.Context(t), browser.Options{Attach: "ws://" + g.Address + "/chrome",
		Header: http.Header{"Authorization": {"Bearer " + gatewayToken}}})
	require.NoError(t, err)
	require.NoError(t, b.Close())
}

// TestWhoLosesABrowserIsTold: a call that fails as the connection was lost is followed by no moment in which the browser
// does not count as lost, so that a batch tries the page again with another one.
func TestWhoLosesABrowserIsTold(t *testing.T) {
	endpoint := chrome.Browser(t).Endpoint()
	g := chrometest.NewGateway(t, endpoint, gatewayToken)
	p := browser.NewPool(browser.Options{}, "ws://"+g.Address+"/chrome?token="+gatewayToken)
	defer func() { require.NoError(t, p.Close()) }()
	ctx := chrometest.Context(t)
	for range 20 {
		b, err := p.Take(ctx)
		require.NoError(t, err)
		var calls sync.WaitGroup
		var told atomic.Int32
		for range 8 {
			calls.Go(func() {
				for {
					if _, err := b.Tabs(ctx); err != nil {
						if b.Lost() {
							told.Add(1)
						}
						return
					}
				}
			})
		}
		g.Drop()
		calls.Wait()
		b.Return()
		require.EqualValues(t, 8, told.Load())
	}
}
