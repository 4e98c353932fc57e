package network_test

import (
	"testing"
	"time"

	"github.com/refscope/refscope/snapshot/network"
	"github.com/stretchr/testify/require"
)

var began = time.Date(2026, 11, 23, 1, 0, 0, 0, time.UTC)

func layer() *network.Layer {
	at := func(ms int) time.Time { return began.Add(time.Duration(ms) * time.Millisecond) }
	return &network.Layer{Since: began, LeftOut: 3, Requests: []network.Request{
		{ID: 1, Method: "GET", URL: "https://shop.example/", Began: at(0), Type: "Document", State: network.Done, Status: 200, Body: 5_000,
			Wire: 900, Duration: 12},
		{ID: 2, Method: "GET", URL: "https://shop.example/api/items?a=1", Began: at(10), Type: "Fetch", State: network.Done, Status: 500,
			Body: 6, Duration: 3, Initiator: &network.Initiator{Type: "script", URL: "https://shop.example/app.js", Line: 7}},
		{ID: 3, Method: "GET", URL: "https://cdn.example/slow\n200 Document", Began: at(20), Type: "Script", State: network.Pending, Body: -1,
			Wire: -1, Duration: 1234},
		{ID: 5, Method: "GET", URL: "wss://shop.example/live", Began: at(30), Type: "WebSocket", State: network.Pending, Body: -1, Wire: -1,
			Socket: &network.Socket{Sent: 1, Received: 2}},
		{ID: 6, Method: "POST", URL: "https://shop.example/cart", Began: at(40), Type: "XHR", State: network.Canceled, Error: "net::ERR_ABORTED"},
		{ID: 7, Method: "GET", URL: "https://gone.example/", Began: at(50), Type: "Image", State: network.Failed,
			Error: "net::ERR_NAME_NOT_RESOLVED", Worker: "service_worker"},
	}}
}

func TestCheck(t *testing.T) {
	require.NoError(t, layer().Check())
	require.NoError(t, (*network.Layer)(nil).Check())
	for name, spoil := range map[string]func(q *network.Request){
		"number": func(q *network.Request) { q.ID = 9 }, "state": func(q *network.Request) { q.State = "fine" },
		"status": func(q *network.Request) { q.Status = 1000 }, "size": func(q *network.Request) { q.Body = -2 },
		"no address": func(q *network.Request) { q.URL = "" },
	} {
		l := layer()
		spoil(&l.Requests[1])
		require.Error(t, l.Check(), name)
	}
}

// The most remarkable comes first, and equal ones stay in their order.
func TestSorted(t *testing.T) {
	for by, want := range map[network.Sort][]int{
		network.ByProblem: {2, 7, 3, 6, 1, 5}, network.ByTime: {1, 2, 3, 5, 6, 7}, network.ByStatus: {3, 5, 6, 7, 1, 2},
		network.ByType: {1, 2, 7, 3, 5, 6}, network.BySize: {1, 2, 6, 7, 3, 5}, network.ByDuration: {3, 1, 2, 5, 6, 7},
	} {
		var got []int
		for _, q := range layer().Sorted(by) {
			got = append(got, q.ID)
		}
		require.Equal(t, want, got, by)
	}
}

// A table has one line for each request whatever its address holds, and lines of the console where they belong.
func TestTable(t *testing.T) {
	l := layer()
	require.Equal(t, "9 requests, 2 failed, 1 under way; 3 are not listed", l.Summary())
	require.Equal(t, "what the page loaded was not recorded", (*network.Layer)(nil).Summary())
	require.Equal(t, `status   type                size         ms  request
200      Document         5,000 B         12  GET /
console  error       items failed 500
500      Fetch                6 B          3  GET /api/items?a=1  from /app.js:7
pending  Script                 –      1,234  GET https://cdn.example/slow 200 Document  (had no answer after 1,234 ms)
open     WebSocket     3 messages          0  GET wss://shop.example/live
canceled XHR                  0 B          0  POST /cart  (was aborted: net::ERR_ABORTED)
failed   service worker          0 B          0  GET https://gone.example/  (failed: net::ERR_NAME_NOT_RESOLVED)
console  log         late
`, network.Table(l.Sorted(network.ByTime), "https://shop.example/", []network.Line{
		{At: began.Add(5 * time.Millisecond), Level: "error", Text: "items failed\n500"},
		{At: began.Add(time.Second), Level: "log", Text: "late"}}))
	require.Equal(t, "was answered with 500 Internal Server Error", l.Request(2).Problem())
}
