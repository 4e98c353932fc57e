package turn_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
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
		page, payloads, err := r.Parts(ctx, n)
		require.NoError(t, err)
		require.Contains(t, rec.Parts, page)
		require.NoError(t, r.Drawn(page, func(s string) { got = append(got, s) }))
		require.Equal(t, want, got, all[i].URL)
		require.Len(t, payloads, 1)
		require.Contains(t, rec.Parts, payloads[0])
		for range 2 { // from the disk, and remembered
			payload, err := r.Payload(payloads[0])
			require.NoError(t, err)
			require.JSONEq(t, fmt.Sprintf(`{"n":%d}`, i), string(payload))
		}
	}
	name := filepath.Join(path, "turns", "0001", "turn.json")
	whole, err := os.ReadFile(name)
	require.NoError(t, err)
	for _, damaged := range [][]byte{nil, whole[:len(whole)/2], bytes.Replace(whole, []byte("capture"),
		[]byte("kapture"), 1)} {
		require.NoError(t, os.WriteFile(name, damaged, 0o600))
		_, _, err = r.Parts(ctx, 1)
		require.Error(t, err)
	}
	require.NoError(t, os.WriteFile(filepath.Join(path, "turns", "0003", "turn.json"), whole, 0o600))
	_, _, err = r.Parts(ctx, 3)
	require.ErrorContains(t, err, "it is that of turn 1")
	require.NoError(t, os.Remove(name))
	_, _, err = r.Parts(ctx, 1)
	require.Error(t, err)
	page, payloads, err := r.Parts(ctx, 2)
	require.NoError(t, err)
	for _, p := range []turn.Part{page, payloads[0]} {
		require.NoError(t, os.WriteFile(filepath.Join(path, "parts", p.SHA256), []byte("{}"), 0o600))
	}
	require.Error(t, s.TextReader().Drawn(page, func(string) {}))
	_, err = s.TextReader().Payload(payloads[0])
	require.Error(t, err)
}

// TestStrings: the strings of any JSON are those that a JSON reader finds.
func TestStrings(t *testing.T) {
	for _, body := range []string{`{}`, `[]`, `"a"`, `{"a":"b","c":["d",{"e":null}],"f":1.5e3}`, `"\\"`,
		`["\\\"","\\\\","x"]`,
		`{"\"":"\u00e9\ud83d\ude00\n","<":"é"}`, ` [ "a" , "b" ] `} {
		var want, got []string
		d := jsontext.NewDecoder(strings.NewReader(body))
		for {
			token, err := d.ReadToken()
			if err != nil {
				break
			}
			if token.Kind() == '"' {
				want = append(want, token.String())
			}
		}
		turn.Strings([]byte(body), func(quoted []byte) { got = append(got, turn.Unquoted(quoted)) })
		require.Equal(t, want, got, body)
	}
	for _, broken := range []string{`"`, `"\`, `"\"`, `{"a":"b`, ``, `"\x"`} { // what is no JSON ends
		turn.Strings([]byte(broken), func(quoted []byte) { turn.Unquoted(quoted) })
	}
}
