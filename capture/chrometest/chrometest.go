// Package chrometest starts one real Chrome for a package's tests and serves the
// pages that they look at. Where no Chrome is installed, tests are skipped with one line, and
// fail under CI.
package chrometest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/refscope/refscope/snapshot/testneed/guard"
)

// Flags keep saved pages from waiting for a missing network.
func Flags() []string {
	return []string{"host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"}
}

// Chrome is the browser that the tests of one package share. Main owns it.
type Chrome struct {
	once sync.Once
	b    *browser.Browser
	err  error
}

// Main runs a package's tests and ends the browser after them; where the tests are killed, a guard ends all that they
// have started. Call it from TestMain: os.Exit(chrome.Main(m)).
func (c *Chrome) Main(m *testing.M) int { return guard.Run(func() int { return c.run(m) }) }

func (c *Chrome) run(m *testing.M) int {
	code := m.Run()
	if c.b != nil {
		fmt.Fprintln(os.Stderr, "tested with", c.b.Version())
		if err := c.b.Close(); err != nil {
			fmt.Fprintln(os.Stderr, "closing the browser:", err)
			return max(code, 1)
		}
	}
	return code
}

// Browser is the shared browser, started by the first test that asks.
func (c *Chrome) Browser(t testing.TB) *browser.Browser {
	t.Helper()
	c.once.Do(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		c.b, c.err = browser.Start(ctx, browser.Options{Flags: Flags()})
	})
	if errors.Is(c.err, browser.ErrNotFound) {
		testneed.Missing(t, "there is no Chrome or Chromium on this machine")
	}
	if c.err != nil {
		t.Fatal(c.err)
	}
	return c.b
}

// Tab is a tab of its own for one test, closed after it.
func (c *Chrome) Tab(t testing.TB) *browser.Tab {
	t.Helper()
	b, ctx := c.Browser(t), Context(t)
	// The page of the test before may have flooded the browser, which answers again when it has worked that off.
	_, err := b.Tabs(ctx)
	for errors.Is(err, browser.ErrBusy) {
		_, err = b.Tabs(ctx)
	}
	var tab *browser.Tab
	if err == nil {
		tab, err = b.OpenTab(ctx)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := tab.Close(ctx); err != nil {
			t.Log("closing the tab:", err)
		}
	})
	return tab
}

// Open is a tab of its own that shows the URL.
func (c *Chrome) Open(t testing.TB, url string) *browser.Tab {
	t.Helper()
	return Load(t, c.Tab(t), url)
}

// Load has a tab show the URL, and gives it back. A test with a table of pages takes one tab for all of them: each new
// one is a process of the browser, which costs more than to read a small page.
func Load(t testing.TB, tab *browser.Tab, url string) *browser.Tab {
	t.Helper()
	if err := tab.Navigate(Context(t), url); err != nil {
		t.Fatal(err)
	}
	return tab
}

// Context is the test's context with a deadline that a stuck browser runs into.
func Context(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// Page serves one HTML text on loopback and gives its address.
func Page(t testing.TB, html string) string {
	t.Helper()
	return Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, html)
	}))
}

// Serve serves a handler on loopback and gives the address of its root.
func Serve(t testing.TB, h http.Handler) string {
	t.Helper()
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	return srv.URL + "/"
}

// Folder serves a folder on loopback and gives the address of its root.
func Folder(t testing.TB, dir string) string {
	t.Helper()
	return Serve(t, http.FileServer(http.Dir(dir)))
}
