package bulk

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/refscope/refscope/capture/batch"
	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/cmd/refscopectl/cli"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/stretchr/testify/require"
)

// The crash of Chrome costs the page at hand and a new browser.
func TestBatchBrowserCrash(t *testing.T) {
	testneed.Long(t, "a browser that crashes")
	if _, err := browser.Find(""); err != nil {
		testneed.Missing(t, "there is no Chrome or Chromium on this machine")
	}
	var w *pageWorker
	s := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/crash" {
			w.mu.Lock()
			b := w.b
			w.mu.Unlock()
			tab, err := b.OpenTab(r.Context())
			if err == nil {
				_ = tab.Session().Call(r.Context(), "Browser.crash", nil, nil) // it cannot answer any more
			}
		}
		fmt.Fprint(rw, "<title>A page</title><h1>Shop</h1>")
	}))
	t.Cleanup(s.Close)
	t.Setenv("REFSCOPE_HOME", t.TempDir())
	a := &cli.App{Stdout: io.Discard, Stderr: io.Discard, Viewport: "1280x720", Timeout: time.Minute}
	require.NoError(t, a.Check())
	var err error
	w, err = newPageWorker(a, batchSpec{Do: []string{"snap"}, Viewport: "1280x720", Timeout: time.Minute}, nil)
	require.NoError(t, err)
	t.Cleanup(w.close)
	_, err = w.do(t.Context(), &batch.Page{Target: s.URL + "/"}, t.TempDir())
	require.NoError(t, err)
	_, err = w.do(t.Context(), &batch.Page{Target: s.URL + "/crash"}, t.TempDir())
	require.Equal(t, causeBrowser, batch.CauseOf(err), err)
	res, err := w.do(t.Context(), &batch.Page{Target: s.URL + "/"}, t.TempDir())
	require.NoError(t, err)
	require.Equal(t, "A page", res.Title)
}
