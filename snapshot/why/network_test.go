package why_test

import (
	"testing"
	"time"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/network"
	"github.com/refscope/refscope/snapshot/why"
	"github.com/stretchr/testify/require"
)

// What failed explains the element that it is for, by its address, its frame or its name; what is filled is explained by
// nothing, and an element without a name only where nothing is known better.
func TestCauses(t *testing.T) {
	at := time.Date(2026, 11, 23, 1, 0, 0, 0, time.UTC)
	node := func(i, parent int, tag, text string, attrs map[string]string) snapshot.Node {
		return snapshot.Node{I: i, Parent: parent, Tag: tag, Text: text, Attrs: attrs, Verdict: snapshot.VerdictContent, Box: snapshot.Box{0, 0, 9, 9}}
	}
	request := func(id int, kind, url, frame string, state network.State, status int) network.Request {
		return network.Request{ID: id, Method: "GET", URL: "https://shop.example" + url, Type: kind, Frame: frame, State: state, Status: status,
			Began: at, Duration: 900}
	}
	items := request(1, "Fetch", "/api/items?q=1", "main", network.Done, 500)
	items.Initiator = &network.Initiator{Type: "script", URL: "https://shop.example/app.js", Line: 7}
	c := &snapshot.Capture{
		Schema: snapshot.Schema, TakenAt: at, URL: "https://shop.example/",
		Frames: []snapshot.Frame{{ID: "main", Parent: -1, Owner: -1, URL: "https://shop.example/"},
			{ID: "ad", Parent: 0, Owner: 5, URL: "https://shop.example/ad"}},
		Nodes: []snapshot.Node{
			node(0, -1, "body", "", nil),
			node(1, 0, "ul", "", map[string]string{"id": "items"}),
			node(2, 0, "ul", "", map[string]string{"id": "offers"}),
			node(3, 0, "p", "Hello", map[string]string{"class": "items"}),
			node(4, 0, "img", "", map[string]string{"src": "logo.png"}),
			node(5, 0, "iframe", "", nil),
			node(6, 0, "ul", "", map[string]string{"class": "cart-rows"}),
			node(7, 0, "ul", "", map[string]string{"id": "items"}),
			node(8, 7, "li", "Here", nil),
			node(9, 0, "ul", "", map[string]string{"id": "items"}),
			node(10, 0, "ul", "", map[string]string{"id": "offers"}),
		},
		Network: &network.Layer{Requests: []network.Request{items, request(2, "Image", "/logo.png", "main", network.Done, 404),
			request(3, "Document", "/ad", "ad", network.Failed, 0), request(4, "Fetch", "/cart", "main", network.Pending, 0),
			request(5, "Fetch", "/tracker", "ad", network.Done, 503)}},
	}
	for _, hidden := range []int{7, 8, 9, 10} {
		c.Nodes[hidden].Verdict = snapshot.VerdictDisplayNone
	}
	p := why.NewProblems(c, snapshot.NewTree(c))
	sentences := func(i int) []string {
		var out []string
		for _, cause := range p.Causes(&c.Nodes[i]) {
			out = append(out, cause.Sentence)
		}
		return out
	}
	const because = "GET /api/items?q=1 (from /app.js:7) was answered with 500 Internal Server Error."
	require.Equal(t, []string{"It is empty because " + because}, sentences(1))
	require.Equal(t, []string{"It is empty, and " + because, "It is empty, and GET /cart had no answer after 900 ms."}, sentences(2))
	require.Empty(t, sentences(3), "it has a text")
	require.Equal(t, []string{"Its content did not load: GET /logo.png was answered with 404 Not Found."}, sentences(4))
	require.Equal(t, []string{"Its content did not load: GET /ad failed: no reason is known."}, sentences(5))
	require.Equal(t, []string{"It is empty because GET /cart had no answer after 900 ms."}, sentences(6))
	require.Empty(t, sentences(7), "it is hidden with what it holds")
	require.Equal(t, []string{"It is empty because " + because}, sentences(9))
	require.Empty(t, sentences(10), "it may be hidden for any reason")
	require.Empty(t, sentences(0), "it holds what is not empty")
	c.Network = nil
	require.Empty(t, why.NewProblems(c, snapshot.NewTree(c)).Causes(&c.Nodes[1]))
}
