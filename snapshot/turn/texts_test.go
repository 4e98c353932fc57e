package turn_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/testpages"
	"github.com/refscope/refscope/snapshot/turn"
)

// TestTextReader: what is read of a turn for a search is what the whole turn says, on every saved page; a turn that is
// damaged is an error, and the others are read.
func TestTextReader(t *testing.T) {
	ctx, path := t.Context(), filepath.Join(t.TempDir(), "s")
	var all []*snapshot.Capture
	testpages.EachCapture(t, func(_ *testing.T, c *snapshot.Capture) { all = append(all, c) })
	odd := &snapshot.Capture{Schema: snapshot.Schema, URL: "https://a.example/", Frames: all[0].Frames,
		Viewport: all[0].Viewport, Nodes: []snapshot.Node{{Tag: "p", Parent: -1, Verdict: snapshot.VerdictContent,
			Text: "“quotes” \"here\" \\ <b> & \u2028 \U0001F600", Name: "\x01"}}}
	all = append(all, odd)
	require.NoError(t, turn.Build(ctx, path, "test", func(s *turn.Store) error {
		for i, c := range all {
			_, err := s.Append(ctx, func(l *turn.Ledger) (*turn.Record, error) {
				l.Assign("t", l.NextTurn(), c)
				return &turn.Record{Capture: c, Payloads: []turn.Payload{{Dialect: "openai-chat", Way: turn.Request,
					Media: "application/json", Bytes: fmt.Appendf(nil, `{"n":%d}`, i)}}}, nil
			})
			if err != nil {
				return err
			}
		}
		return nil
	}))
	s, err := turn.OpenPath(path)
	require.NoError(t, err)
	defer func() { require.NoError(t, s.Close()) }()
	numbers, err := s.Numbers()
	require.NoError(t, err)
	require.Len(t, numbers, len(all))
	r := s.TextReader()
	for i, n := range numbers {
		rec, err := s.Load(ctx, n)
		require.NoError(t, err)
		var want, got []string
		for k := range rec.Capture.Nodes {
			x := &rec.Capture.Nodes[k]
			if !x.Verdict.Rendered() {
				continue
			}
			for m, s := range []string{x.Text, x.Name, x.Value} {
				if s != "" && (m == 0 || s != x.Text) {
					want = append(want, s)
				}
			}
		}
		payloads, err := r.Read(ctx, n, func(s string) { got = append(got, s) })
		require.NoError(t, err)
		require.Equal(t, want, got, all[i].URL)
		require.Len(t, payloads, 1)
		require.JSONEq(t, fmt.Sprintf(`{"n":%d}`, i), string(payloads[0]))
	}
	require.NoError(t, os.Remove(filepath.Join(path, "turns", "0001", "turn.json")))
	_, err = r.Read(ctx, 1, func(string) {})
	require.Error(t, err)
	_, err = r.Read(ctx, 2, func(string) {})
	require.NoError(t, err)
}
