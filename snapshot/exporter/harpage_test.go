package exporter_test

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/exporter"
	"github.com/refscope/refscope/snapshot/network"
	"github.com/refscope/refscope/snapshot/turn"
)

//go:embed testdata/har-1.2.schema.json
var harSchema []byte

// valid checks a file against HTTP Archive 1.2.
func valid(t *testing.T, data []byte) {
	t.Helper()
	schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(harSchema))
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	require.NoError(t, c.AddResource("har.json", schema))
	s, err := c.Compile("har.json")
	require.NoError(t, err)
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	require.NoError(t, err)
	require.NoError(t, s.Validate(v))
}

// archive is what the tests read of a HAR file.
type archive struct {
	Log struct {
		Pages   []struct{ ID, Title string }
		Entries []struct {
			Pageref string
			Started time.Time `json:"startedDateTime"`
			Time    float64
			Request struct {
				URL         string
				QueryString []struct{ Name, Value string }
			}
			Response struct {
				Status      int
				RedirectURL string
				Error       string `json:"_error"`
			}
			Timings map[string]float64
			Own     struct{ State string } `json:"_refscope"`
		}
		Comment string
	}
}

// The requests of pages are in a HAR file once each, as they were in the end, in pages; beside those to models.
func TestHAROfPages(t *testing.T) {
	store := session(t)
	began := time.Date(2026, 11, 23, 2, 0, 0, 0, time.UTC)
	request := func(id int, url string, state network.State, status int) network.Request {
		return network.Request{ID: id, Method: "GET", URL: "https://shop.example" + url, Type: "Fetch", State: state, Status: status,
			Began: began.Add(time.Duration(id) * time.Millisecond), Wire: -1, Body: -1, Duration: 12}
	}
	put := func(loader string, requests ...network.Request) {
		c := &snapshot.Capture{Schema: snapshot.Schema, TakenAt: began.Add(time.Second), URL: "https://shop.example/", Title: "Shop",
			Frames:  []snapshot.Frame{{ID: "f", Parent: -1, Owner: -1, Loader: loader, Readable: true}},
			Network: &network.Layer{Since: began, Requests: requests}}
		_, err := store.Append(t.Context(), func(l *turn.Ledger) (*turn.Record, error) {
			l.Assign("tab", l.NextTurn(), c)
			return &turn.Record{Capture: c, Meta: turn.Meta{Target: "tab"}}, nil
		})
		require.NoError(t, err)
	}
	first, hop := request(1, "/?q=tea%20cup&token=[redacted]", network.Done, 200), request(2, "/old", network.Done, 302)
	hop.RedirectedTo = 3
	first.Timings = &network.Timings{Queued: 1, DNS: 2, Send: 1, Wait: 5, Receive: 2}
	target, slow := request(3, "/new", network.Done, 200), request(4, "/slow", network.Pending, 0)
	put("one", first, hop, target, slow, request(5, "/never", network.Pending, 0))
	slow.State, slow.Status = network.Done, 503
	put("one", first, hop, target, slow, request(5, "/never", network.Pending, 0))
	gone := request(6, "/gone", network.Failed, 0)
	gone.Earlier, gone.Error = true, "net::ERR_FAILED"
	put("two", gone, request(7, "/next", network.Done, 200))

	var b bytes.Buffer
	rep, err := exporter.Write(t.Context(), &b, store, exporter.HAR, exporter.Options{Version: "1", Session: "s"})
	require.NoError(t, err)
	require.Equal(t, 8, rep.Turns, "five with a model, three with a page")
	valid(t, b.Bytes())
	var har archive
	require.NoError(t, json.Unmarshal(b.Bytes(), &har))
	var got []string
	for _, e := range har.Log.Entries[5:] {
		got = append(got, fmt.Sprint(e.Pageref, " ", e.Request.URL[len("https://shop.example"):], " ", e.Response.Status, " ", e.Own.State))
		sum := 0.0
		for name, ms := range e.Timings {
			if ms > 0 && name != "ssl" {
				sum += ms
			}
		}
		require.InDelta(t, e.Time, sum, 1e-6, "time is the sum of the phases")
	}
	require.Equal(t, []string{"page_1 /?q=tea%20cup&token=[redacted] 200 done", "page_1 /old 302 done", "page_1 /new 200 done",
		"page_1 /slow 503 done", "page_1 /never 0 pending", " /gone 0 failed", "page_2 /next 200 done"}, got)
	require.Len(t, har.Log.Pages, 2)
	require.Equal(t, "tea cup", har.Log.Entries[5].Request.QueryString[0].Value)
	require.Equal(t, "https://shop.example/new", har.Log.Entries[6].Response.RedirectURL)
	require.Equal(t, "net::ERR_FAILED", har.Log.Entries[10].Response.Error)
	require.Contains(t, har.Log.Comment, "no bodies and no cookies")

	again, _ := read(t, b.Bytes(), nil)
	require.Len(t, again, 5, "requests of pages are no requests to models")

	pages, err := turn.Create(t.Context(), turn.Dir(filepath.Join(t.TempDir(), "p")), "test")
	require.NoError(t, err)
	defer pages.Close()
	store = pages
	put("one", first)
	b.Reset()
	_, err = exporter.Write(t.Context(), &b, pages, exporter.HAR, exporter.Options{Version: "1", Session: "p"})
	require.NoError(t, err, "a session without a model is a HAR file")
	_, err = exporter.Write(t.Context(), &b, pages, exporter.OTLP, exporter.Options{Version: "1", Session: "p"})
	require.ErrorContains(t, err, "has no request to write")
}
