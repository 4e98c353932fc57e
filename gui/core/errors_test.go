package core_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/app/apptest"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/network"
)

func TestErrorsAreThoseOfTheirTurnEachOnce(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	request := func(kind, url string, status int, began time.Time) network.Request {
		return network.Request{Type: kind, URL: url, State: network.Done, Status: status, Began: began}
	}
	c := &snapshot.Capture{TakenAt: at, Network: &network.Layer{Requests: []network.Request{
		request("Document", "http://a/gone", 404, at.Add(-time.Second)),
		request("Fetch", "http://a/prices", 500, at.Add(-time.Second)),
		request("Fetch", "http://a/fine", 200, at.Add(-time.Second)),
		request("Fetch", "http://a/long-ago", 500, at.Add(-time.Minute)),
		request("Image", "http://a/pixel.gif", 404, at.Add(-time.Second)),
		{Type: "Fetch", URL: "http://a/earlier", State: network.Failed, Began: at, Earlier: true},
	}}, Console: []snapshot.ConsoleEntry{
		{Age: 900, Level: "error", Text: "Failed to load resource", URL: "http://a/gone"},
		{Age: 800, Level: "error", Text: "x is not a function", URL: "http://a/app.js"},
	}}
	require.Equal(t, 3, core.NewErrors(c, &snapshot.Capture{TakenAt: at.Add(-10 * time.Second)}),
		"a page, an answer, and the exception; the line about the page is no further one")
	require.Equal(t, 4, core.CountErrors(c))
}

func TestFindingsThatAreErrorsMakeATurnFail(t *testing.T) {
	s := apptest.Long(t, 3)
	require.False(t, s.Session.Turns[1].Failed())
	s, _ = apptest.Step(s, core.FindingsCompared{Session: s.Session.Opened, N: 2, Wrong: 2})
	require.True(t, s.Session.Turns[1].Failed())
	require.True(t, s.Session.Turns[1].Known)
	require.Equal(t, core.StatusItem{Text: "2 errors", Tone: core.ToneBad}, s.Session.Turns[1].Flags(core.Remarks{}))
}
