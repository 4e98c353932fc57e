package tap_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/refscope/refscope/capture/tap"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/pagetest"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/stretchr/testify/require"
)

// Requests that were recorded without a browser get the pages of another session's turns: each
// that of its time and its texts, none where there is none.
func TestPairLater(t *testing.T) {
	ctx := t.Context()
	open := func(name string) *turn.Store {
		s, err := turn.Create(ctx, turn.Dir(filepath.Join(t.TempDir(), name)), "test")
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, s.Close()) })
		return s
	}
	pages := open("pages")
	began := time.Now().UTC()
	texts := make([]string, 6)
	show := func(i int, at time.Time) { // page i
		words := strings.Fields("lamp chair kettle novel compass garden violin rocket pencil saddle anchor basket")
		var src strings.Builder
		fmt.Fprintf(&src, "url: https://shop.example/%d\ntitle: Department %d\nbody\n", i, i)
		for k := range 5 {
			fmt.Fprintf(&src, "  p %q\n", fmt.Sprintf("%s and %s for %d", words[(3*i+k)%12], words[(5*i+2*k)%12], 100*i+k))
		}
		c := pagetest.Parse(t, src.String())
		c.TakenAt = at
		doc, err := format.Render(c, format.Aria, format.Options{})
		require.NoError(t, err)
		texts[i] = doc.Text
		_, err = pages.Append(ctx, func(l *turn.Ledger) (*turn.Record, error) {
			l.Assign(fmt.Sprint("tab", i%2), l.NextTurn(), c)
			return &turn.Record{Capture: c, Action: "capture", Meta: turn.Meta{Target: fmt.Sprint("tab", i%2)}}, nil
		})
		require.NoError(t, err)
	}
	for i := range 5 {
		show(i, began.Add(time.Duration(i-5)*time.Second))
	}
	show(4, began.Add(-500*time.Millisecond)) // as it was: no second candidate
	show(5, began.Add(time.Hour))             // later than any request

	b := newBench(t, tap.Options{}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		if strings.HasSuffix(r.URL.Path, "/responses") {
			_, _ = io.WriteString(w, `{"id":"r1","object":"response","status":"completed","output":[]}`)
			return
		}
		_, _ = io.WriteString(w, chatAnswer)
	}))
	ask := func(path string, body any) {
		raw, err := json.Marshal(body)
		require.NoError(t, err)
		resp, err := http.Post(b.url+"/openai/v1/"+path, "application/json", strings.NewReader(string(raw)))
		require.NoError(t, err)
		_, err = io.Copy(io.Discard, resp.Body)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		b.next(t)
	}
	for _, i := range []int{3, 4, 2, 5, -1} {
		text := "What is the capital of France, and why is it the one that it is?"
		if i >= 0 {
			text = texts[i]
		}
		ask("chat/completions",
			map[string]any{"model": "m", "messages": []map[string]string{{"role": "user", "content": text}}})
	}
	ask("responses", map[string]any{"model": "m", "input": texts[2]})
	// the vendor has the text
	ask("responses", map[string]any{"model": "m", "input": "ok", "previous_response_id": "r1"})
	into := open("paired")
	var got []int
	require.NoError(t, tap.PairLater(ctx, b.store, pages, into, func(p tap.Paired) { got = append(got, p.Page) }))
	require.Equal(t, []int{4, 6, 3, 0, 0, 3, 3}, got)
	for n, address := range []string{"https://shop.example/3", "https://shop.example/4", "https://shop.example/2"} {
		rec, err := into.Load(context.Background(), n+1)
		require.NoError(t, err)
		require.Equal(t, address, rec.Capture.URL)
		require.Empty(t, rec.Lacks)
		var e tap.Exchange
		require.NoError(t, json.Unmarshal(rec.Exchange, &e))
		require.True(t, e.Pairing.Paired)
		require.Equal(t, "Done", e.Answer.Text)
		was, err := b.store.Load(ctx, n+1)
		require.NoError(t, err)
		require.Equal(t, was.Payloads, rec.Payloads)
	}
	rec, err := into.Load(ctx, 5)
	require.NoError(t, err)
	require.Contains(t, rec.Lacks[0], "no page is paired with the request")
	damage, err := into.Check(ctx)
	require.NoError(t, err)
	require.True(t, turn.Whole(damage), "%v", damage)
}
