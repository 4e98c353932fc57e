package app

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/network"
	layer "github.com/refscope/refscope/snapshot/network"
)

// TestTheNetworkSide: the side lists what the turn's page loaded, and sorts by a click on a column.
func TestTheNetworkSide(t *testing.T) {
	f := newFake()
	f.turns = recorded(1)
	c := f.turns[0].Capture
	for i, q := range []layer.Request{
		{Type: "Document", URL: c.URL, State: layer.Done, Status: 200, Body: 12_345, Duration: 80},
		{Type: "Fetch", URL: "https://api.example/items", State: layer.Done, Status: 500, Body: 6, Duration: 47},
		{Type: "Script", URL: "https://cdn.example/app.js", State: layer.Pending, Body: -1, Duration: 3140},
	} {
		q.ID, q.Method, q.Began = i+1, "GET", c.TakenAt.Add(time.Duration(i)*time.Millisecond-time.Second)
		if c.Network == nil {
			c.Network = &layer.Layer{}
		}
		c.Network.Requests = append(c.Network.Requests, q)
	}
	b := open(t, f, nil)
	b.await("the turn", func(s core.State) bool { return s.Current != nil })
	b.settled()
	b.shell.Dispatch(core.SideChosen(network.Side))
	s := b.await("the table", func(s core.State) bool { return network.ViewOf(s).List.Rows != nil })
	b.settled()
	b.shoot("40-network-dark")
	require.Equal(t, "GET https://api.example/items", network.ViewOf(s).List.Rows.List[1].Title)
	require.NotNil(t, labelled(b, "Problems"))
	b.press("Problems")
	s = b.await("what went wrong", func(s core.State) bool { return len(network.ViewOf(s).List.Rows.List) == 3 })
	require.Equal(t, int(network.Problems), network.ViewOf(s).Choice)
}
