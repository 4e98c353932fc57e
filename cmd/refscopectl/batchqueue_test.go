package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/refscope/refscope/capture/batch"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/stretchr/testify/require"
)

// testQueue is the address of a queue whose server runs in this process.
func testQueue(t *testing.T) string {
	t.Helper()
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: -1, JetStream: true, StoreDir: t.TempDir(), NoSigs: true})
	require.NoError(t, err)
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	require.True(t, s.ReadyForConnections(time.Minute))
	return s.ClientURL()
}

// testWorkers starts workers of a queue, each with a browser of its own. stop ends them and waits.
func testWorkers(t *testing.T, address string, n int, localPages bool) (stop func()) {
	t.Helper()
	t.Setenv("REFSCOPE_HOME", t.TempDir())
	args := []string{"worker", "--queue", address, "--timeout", "1m"}
	if localPages {
		args = append(args, "--local-pages")
	}
	ctx, cancel := context.WithCancel(t.Context())
	var work sync.WaitGroup
	for range n {
		work.Go(func() { run(ctx, args, io.Discard, io.Discard) }) // it ends with ctx
	}
	return func() { cancel(); work.Wait() }
}

// batchByQueue does a list by the workers of a queue and returns how long it took.
func batchByQueue(t *testing.T, address string, lines []string) time.Duration {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "out")
	began := time.Now()
	code, _, stderr := ctl(t, "batch", listFile(t, lines...), "-o", dir, "--do", "snap", "--queue", address, "--settle", "50ms")
	require.Zero(t, code, stderr)
	took := time.Since(began)
	m, err := batch.ReadManifest(dir)
	require.NoError(t, err)
	require.Len(t, m.Entries, len(lines))
	return took
}

// paths are n addresses of a server.
func paths(at string, n int) []string {
	var out []string
	for i := range n {
		out = append(out, fmt.Sprintf("%s/%d", at, i))
	}
	return out
}

const waitingPage = "<!doctype html><title>Shop</title><h1>Shop</h1><button>Buy</button>"

// Three workers wait side by side: a server that answers nobody until three pages were asked for has answered all. With
// REFSCOPE_SLOW the log has the rates of one worker and of three, once their browsers run, where each answer takes two
// seconds: a measure for a machine that does nothing else.
func TestWorkersWaitSideBySide(t *testing.T) {
	testneed.Long(t, "workers of a farm")
	needChrome(t)
	var mu sync.Mutex
	asked, all := map[string]bool{}, make(chan struct{})
	together := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		if !asked[r.URL.Path] && r.URL.Path != "/favicon.ico" {
			if asked[r.URL.Path] = true; len(asked) == 3 {
				close(all)
			}
		}
		mu.Unlock()
		select {
		case <-all:
		case <-r.Context().Done():
		}
		fmt.Fprint(w, waitingPage)
	}))
	t.Cleanup(together.Close)
	address := testQueue(t)
	stop := testWorkers(t, address, 3, false)
	batchByQueue(t, address, paths(together.URL, 3))
	if os.Getenv("REFSCOPE_SLOW") == "" {
		stop()
		return
	}
	late := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-time.After(2 * time.Second):
		case <-r.Context().Done():
		}
		fmt.Fprint(w, waitingPage)
	}))
	t.Cleanup(late.Close)
	const pages = 30
	rate := func() float64 { return pages / batchByQueue(t, address, paths(late.URL, pages)).Seconds() }
	three := rate()
	stop()
	stop = testWorkers(t, address, 1, false)
	defer stop()
	batchByQueue(t, address, paths(late.URL, 1)) // its browser starts
	one := rate()
	t.Logf("pages a second: one worker %.2f, three %.2f, ratio %.2f", one, three, three/one)
}

// TestWorkersOpenLocalPagesWhenTheyMay: a page of this machine that is in a queue is opened by workers with
// --local-pages alone.
func TestWorkersOpenLocalPagesWhenTheyMay(t *testing.T) {
	testneed.Long(t, "workers of a farm")
	needChrome(t)
	page := filepath.Join(t.TempDir(), "page.html")
	require.NoError(t, os.WriteFile(page, []byte(waitingPage), 0o600))
	for may, cause := range map[bool]string{false: "file", true: ""} {
		address, dir := testQueue(t), filepath.Join(t.TempDir(), "out")
		stop := testWorkers(t, address, 1, may)
		_, _, stderr := ctl(t, "batch", listFile(t, page), "-o", dir, "--do", "snap", "--queue", address, "--settle", "50ms")
		stop()
		m, err := batch.ReadManifest(dir)
		require.NoError(t, err, stderr)
		entries := m.InOrder()
		require.Len(t, entries, 1)
		require.Equal(t, cause, entries[0].Cause, "local pages %t: %s", may, stderr)
	}
}
