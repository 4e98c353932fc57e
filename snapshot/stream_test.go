package snapshot_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/pagetest"
	"github.com/refscope/refscope/snapshot/testpages"
	"github.com/stretchr/testify/require"
)

// WriteJSON writes what json.Marshal does, whatever the page says.
func TestWriteJSON(t *testing.T) {
	same := func(t *testing.T, c *snapshot.Capture) {
		want, err := json.Marshal(c)
		require.NoError(t, err)
		var got bytes.Buffer
		require.NoError(t, c.WriteJSON(&got))
		require.True(t, bytes.Equal(want, got.Bytes()))
	}
	testpages.EachCapture(t, same)
	hostile := pagetest.Parse(t, "body\n  p \"\\\"nodes\\\":[]\"")
	hostile.Title, hostile.URL = `","nodes":[],"x":"`, "</script>\u2028"
	hostile.Console = []snapshot.ConsoleEntry{{Text: `"nodes":[]`}}
	hostile.Verdicts = map[snapshot.Verdict]int{`"nodes":[]`: 1}
	same(t, hostile)
	same(t, hostile.Kept())
	same(t, &snapshot.Capture{})
	same(t, &snapshot.Capture{Nodes: []snapshot.Node{}})
}

// widest keeps the length of the longest write.
type widest struct{ all, longest, left int }

func (w *widest) Write(b []byte) (int, error) {
	w.all, w.longest, w.left = w.all+len(b), max(w.longest, len(b)), w.left-1
	if w.left == 0 {
		return 0, io.ErrShortWrite
	}
	return len(b), nil
}

// A large capture is written in small parts, and what the writer refuses is not lost.
func TestWriteJSONInParts(t *testing.T) {
	c := pagetest.Parse(t, "body\n"+strings.Repeat("  p \"Some words\"\n", 20_000))
	var w widest
	require.NoError(t, c.WriteJSON(&w))
	require.Greater(t, w.all, 2_000_000)
	require.Less(t, w.longest, 10_000)
	for _, n := range []int{1, 2, 3, 4, 9, 20_000, 40_004} {
		err := c.WriteJSON(&widest{left: n})
		require.True(t, errors.Is(err, io.ErrShortWrite), "%d: %v", n, err)
	}
}

func BenchmarkWriteJSON(b *testing.B) {
	c := pagetest.Parse(b, "body\n"+strings.Repeat("  p \"Some words\"\n", 20_000))
	b.Run("parts", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			require.NoError(b, c.WriteJSON(io.Discard))
		}
	})
	b.Run("whole", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			text, err := json.Marshal(c)
			require.NoError(b, err)
			_, _ = io.Discard.Write(text)
		}
	})
}
