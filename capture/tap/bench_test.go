package tap_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/refscope/refscope/capture/tap"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/stretchr/testify/require"
)

// benchTap is a tap before a vendor, and the vendor's own address.
func benchTap(b *testing.B, vendor http.HandlerFunc) (through, direct string) {
	b.Helper()
	up := httptest.NewServer(vendor)
	b.Cleanup(up.Close)
	store, err := turn.OpenOrCreate(b.Context(), turn.Dir(b.TempDir()+"/s"), "bench")
	require.NoError(b, err)
	u, err := tap.ParseUpstream("openai=" + up.URL)
	require.NoError(b, err)
	t, err := tap.New(tap.Options{Store: store, Upstreams: []tap.Upstream{u}})
	require.NoError(b, err)
	srv := httptest.NewServer(t.Handler())
	b.Cleanup(func() {
		srv.Close()
		require.NoError(b, t.Close(context.Background()))
		require.NoError(b, store.Close())
	})
	return srv.URL + "/openai", up.URL
}

// How much later the first byte of an answer comes through the tap: the medians and the 99th
// percentiles of both ways, taken in turn.
func BenchmarkFirstByte(b *testing.B) {
	through, direct := benchTap(b, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		_, _ = io.WriteString(w, chatAnswer)
	})
	body := bytes.Repeat([]byte(" "), 200_000)
	body = append([]byte(chatRequest), body...)
	first := func(base string) time.Duration {
		began := time.Now()
		resp, err := http.Post(base+"/v1/chat/completions", "application/json", bytes.NewReader(body))
		require.NoError(b, err)
		_, err = resp.Body.Read(make([]byte, 1))
		took := time.Since(began)
		require.NoError(b, err)
		_, _ = io.Copy(io.Discard, resp.Body)
		require.NoError(b, resp.Body.Close())
		return took
	}
	var with, without []time.Duration
	for b.Loop() {
		without = append(without, first(direct))
		with = append(with, first(through))
	}
	at := func(d []time.Duration, share float64) float64 {
		slices.Sort(d)
		return float64(d[min(int(float64(len(d))*share), len(d)-1)].Microseconds()) / 1000
	}
	b.ReportMetric(at(with, 0.5)-at(without, 0.5), "added-ms-p50")
	b.ReportMetric(at(with, 0.99)-at(without, 0.99), "added-ms-p99")
}

// How fast a body goes through that is no request to a model, so nothing of it is kept.
func BenchmarkThroughput(b *testing.B) {
	data := bytes.Repeat([]byte("0123456789abcdef"), 4<<20)
	through, _ := benchTap(b, func(w http.ResponseWriter, r *http.Request) { _, _ = w.Write(data) })
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		resp, err := http.Get(through + "/v1/files/x/content")
		require.NoError(b, err)
		n, err := io.Copy(io.Discard, resp.Body)
		require.NoError(b, err)
		require.Equal(b, int64(len(data)), n)
		require.NoError(b, resp.Body.Close())
	}
}
