package audit

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/network"
)

// What failed is a finding about the element that lacks it, or about the page; what the page broke off, what belongs to an
// earlier page and what lasts is none.
func TestLoaded(t *testing.T) {
	request := func(id int, kind, url string, state network.State, status int) network.Request {
		return network.Request{ID: id, Method: "GET", URL: "https://shop.example" + url, Type: kind, Frame: "f", State: state, Status: status}
	}
	earlier := request(8, "Fetch", "/before", network.Failed, 0)
	earlier.Earlier = true
	c := &snapshot.Capture{
		Schema: snapshot.Schema, URL: "https://shop.example/", Settled: true,
		Frames: []snapshot.Frame{{ID: "f", Parent: -1, Owner: -1, URL: "https://shop.example/", Readable: true}},
		Nodes: []snapshot.Node{
			{I: 0, Parent: -1, Tag: "body", Verdict: snapshot.VerdictWrapper},
			{I: 1, Parent: 0, Tag: "ul", Role: "list", Ref: 3, Attrs: map[string]string{"id": "items"}, Verdict: snapshot.VerdictRef},
			{I: 2, Parent: 0, Tag: "img", Role: "none", Attrs: map[string]string{"src": "/bare.png"}, Verdict: snapshot.VerdictRef},
		},
		Network: &network.Layer{Requests: []network.Request{
			request(1, "Fetch", "/api/items", network.Done, 500), request(2, "Image", "/a.png", network.Done, 404),
			request(3, "Script", "/slow.js", network.Pending, 0), request(4, "WebSocket", "/live", network.Pending, 0),
			request(5, "Fetch", "/left", network.Canceled, 0), request(6, "Fetch", "/fine", network.Done, 200), earlier,
			request(7, "Image", "/bare.png", network.Done, 410),
		}},
	}
	r, err := Run(c, Options{})
	require.NoError(t, err)
	var got []string
	for _, f := range r.Findings {
		if f.Rule == FailedRequest || f.Rule == PendingRequest {
			got = append(got, string(f.Severity)+" "+f.Sentence)
		}
	}
	require.Equal(t, []string{
		"warning GET /api/items was answered with 500 Internal Server Error, and [3] list lacks what it should show.",
		"warning GET /bare.png was answered with 410 Gone, and <img> lacks what it should show.",
		"note GET /a.png was answered with 404 Not Found.",
		"note GET /slow.js had no answer after 0 ms.",
	}, got)
	require.Equal(t, 3, r.Findings[0].Ref)
}
