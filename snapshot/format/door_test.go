package format_test

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/pagetest"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/refscope/refscope/snapshot/testpages"
)

// TestOneTextAtEveryDoor: the doors put a text into answers of their own, and each answer passes redact.Body, which
// leaves the text of a capture as snap gives it: what had to be withheld was when the page was read. The doors are a
// text by itself, a string of JSON (step, task) and a string in a string (MCP's run_steps).
func TestOneTextAtEveryDoor(t *testing.T) {
	every, all := testneed.Cases(3, 1, 1), testpages.Captures(t)
	for i, name := range slices.Sorted(maps.Keys(all)) {
		if i%every == 0 {
			t.Run(name, func(t *testing.T) { oneText(t, all[name]) })
		}
	}
	pagetest.EachGolden(t, oneText)
}

func oneText(t *testing.T, c *snapshot.Capture) {
	t.Helper()
	for _, name := range format.Names() {
		d, err := format.Render(c, name, format.Options{})
		require.NoError(t, err)
		want := d.Text
		in := func(text string, times int) []byte {
			b := []byte(text)
			for range times {
				b, err = json.Marshal(map[string]any{"output": map[string]any{"format": name, "text": string(b)}, "status": "ok"})
				require.NoError(t, err)
			}
			return b
		}
		marks := len(redact.Marks([]byte(want)))
		for times := range 3 {
			body := in(want, times)
			clean, spans := redact.Body(body, redact.Standard())
			require.Equal(t, string(body), string(clean), "%s, in %d strings", name, times)
			require.Len(t, spans, marks, "%s, in %d strings", name, times)
		}
	}
}

// TestWhatACanvasHoldsIsNotSeen: the name of a canvas is in the texts that list what a page shows, and what its page
// keeps in it for browsers that cannot draw is in none of them.
func TestWhatACanvasHoldsIsNotSeen(t *testing.T) {
	c := pagetest.Parse(t, "url: https://shop.test/\ntitle: Shop\nbody\n  p @20,10,600,20 \"Look here\"\n"+
		"    canvas %name=\"Sales by month\" @100,10,40,20 \"fallback words\"\n"+
		"  canvas %name=\"Visits\" @20,40,200,100 \"more fallback\"\n")
	for _, name := range []dump.Format{format.DDDK, format.Wraith, format.WraithJSON, format.DomTool} {
		d, err := format.Render(c, name, format.Options{})
		require.NoError(t, err, name)
		require.Contains(t, d.Text, "Sales by month", name)
		require.Contains(t, d.Text, "Visits", name)
		require.NotContains(t, d.Text, "fallback", name)
	}
}
