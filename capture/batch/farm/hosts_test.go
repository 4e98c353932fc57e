package farm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/refscope/refscope/capture/batch"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/stretchr/testify/require"
)

// All workers together keep to what the batch allows each host, and what belongs to no host is not held up.
func TestWorkersShareTheHosts(t *testing.T) {
	q, _ := queue(t)
	const perHost, delay = 2, 40 * time.Millisecond
	var lines strings.Builder
	for i := range 10 {
		fmt.Fprintf(&lines, "https://a.test/%d\nhttps://b.test/%d\n./%d.html\n", i, i, i)
	}
	l, err := batch.Read(t.Context(), strings.NewReader(lines.String()), nil)
	require.NoError(t, err)
	var mu sync.Mutex
	running, most := map[string]int{}, map[string]int{}
	met := make(chan struct{}) // two pages of one host are worked on at a time
	meet := sync.OnceFunc(func() { close(met) })
	do := func(ctx context.Context, _ json.RawMessage, p *batch.Page, _, _ string) (batch.Result, error) {
		host := p.Host()
		mu.Lock()
		running[host]++
		most[host] = max(most[host], running[host])
		if host == "a.test" && running[host] == 2 {
			meet()
		}
		mu.Unlock()
		if host == "a.test" {
			select {
			case <-met:
			case <-ctx.Done():
			}
		}
		mu.Lock()
		running[host]--
		mu.Unlock()
		return batch.Result{}, nil
	}
	ctx, stop := context.WithCancel(t.Context())
	var work sync.WaitGroup
	for i := range 2 {
		work.Go(func() { _ = q.Work(ctx, WorkOptions{Name: fmt.Sprint("w", i), Jobs: 3, Do: do}) })
	}
	f, err := batch.Open(t.Context(), filepath.Join(t.TempDir(), "out"),
		batch.Header{Do: "fake", List: batch.ListHash(l.Pages), Pages: len(l.Pages), Run: "run1"}, false)
	require.NoError(t, err)
	began := time.Now()
	require.NoError(t, q.Collect(t.Context(), f, l.Pages, CollectOptions{PerHost: perHost, Delay: delay}))
	took := time.Since(began)
	stop()
	work.Wait()
	require.NoError(t, f.Close())
	require.Len(t, f.Entries, len(l.Pages))
	require.LessOrEqual(t, most["a.test"], perHost)
	require.LessOrEqual(t, most["b.test"], perHost)
	require.GreaterOrEqual(t, took, 9*delay, "ten beginnings at one host have nine delays between them")
}

// A host that asked to be left alone is, by all workers, while others are not.
func TestAHostIsLeftAlone(t *testing.T) {
	q, _ := queue(t)
	require.NoError(t, q.leaveAlone(t.Context(), "busy.test", 10*time.Minute))
	require.NoError(t, q.leaveAlone(t.Context(), "busy.test", time.Second), "a shorter time does not end a longer one")
	m := &message{PerHost: 1}
	host, wait, err := q.lease(t.Context(), "busy.test", m, "w")
	require.NoError(t, err)
	require.Nil(t, host)
	require.Greater(t, wait, 9*time.Minute)
	for _, other := range []string{"free.test", "127.0.0.1:8080", ""} {
		host, _, err = q.lease(t.Context(), other, m, "w")
		require.NoError(t, err)
		require.NotNil(t, host, other)
		host.release(t.Context())
	}
}

// The place of a worker that was killed is free after its time, and the place of one that works is not.
func TestPlacesOfKilledWorkersAreFree(t *testing.T) {
	testneed.Long(t, "workers that are killed")
	_, address := queue(t)
	q, err := Connect(t.Context(), address, Options{AckWait: 3 * time.Second})
	require.NoError(t, err)
	t.Cleanup(q.Close)
	m := &message{PerHost: 1}
	working, _, err := q.lease(t.Context(), "a.test", m, "works")
	require.NoError(t, err)
	_, err = q.places.Create(t.Context(), hostKey("b.test")+".0", []byte("killed"))
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		host, _, err := q.lease(t.Context(), "b.test", m, "w")
		if err != nil || host == nil {
			return false
		}
		host.release(t.Context())
		return true
	}, time.Minute, time.Millisecond)
	for range 2 { // longer than a place lasts that nobody refreshes
		host, _, err := q.lease(t.Context(), "a.test", m, "w")
		require.NoError(t, err)
		require.Nil(t, host)
	}
	working.release(t.Context())
	host, _, err := q.lease(t.Context(), "a.test", m, "w")
	require.NoError(t, err)
	require.NotNil(t, host)
	host.release(t.Context())
}

// A worker that lost its place, as its machine slept for longer than the place lasts, leaves it to the one that has it.
func TestALostPlaceIsNotGivenAway(t *testing.T) {
	q, _ := queue(t)
	slept, _, err := q.lease(t.Context(), "a.test", &message{PerHost: 1}, "slept")
	require.NoError(t, err)
	require.NoError(t, q.places.Delete(t.Context(), slept.key)) // its time is over
	_, err = q.places.Create(t.Context(), slept.key, []byte("other"))
	require.NoError(t, err)
	key := slept.key
	slept.release(t.Context())
	kept, err := q.places.Get(t.Context(), key)
	require.NoError(t, err)
	require.Equal(t, "other", string(kept.Value()))
}

// A page with which one worker after the other was killed fails with that reason.
func TestAPageThatKillsItsWorkers(t *testing.T) {
	q, address := queue(t)
	pages, err := list(1)
	require.NoError(t, err)
	_, err = q.setState(t.Context(), "run1."+pages[0].Key(), &progress{Begun: mostLost})
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	var work sync.WaitGroup
	work.Go(func() {
		_ = q.Work(ctx, WorkOptions{Do: func(context.Context, json.RawMessage, *batch.Page, string, string) (batch.Result, error) {
			return batch.Result{}, errors.New("it is not begun again")
		}})
	})
	dir := filepath.Join(t.TempDir(), "out")
	require.NoError(t, collectAll(t.Context(), address, dir, 1, nil))
	stop()
	work.Wait()
	m, err := batch.ReadManifest(dir)
	require.NoError(t, err)
	require.Equal(t, causeLost, m.InOrder()[0].Cause)
	require.Equal(t, "24 workers began it, and none of them ended it", m.InOrder()[0].Error)
}
