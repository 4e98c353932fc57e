package doctor

import (
	"bytes"
	"encoding/json"
	"image"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/likeness"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/stretchr/testify/require"
)

// recorded is the run of an unmodified chrome-devtools-mcp over the demo shop: turn 5 clicks “Checkout”, turn 6 is at the
// checkout.
func recorded(t *testing.T) map[int]*turn.Record {
	t.Helper()
	store, err := turn.OpenPath(filepath.Join(testneed.Repository(t), "cmd", "dev", "testdata", "agent.refscope"))
	require.NoError(t, err)
	defer store.Close()
	out := map[int]*turn.Record{}
	for n := 1; n <= 6; n++ {
		out[n], err = store.Load(t.Context(), n)
		require.NoError(t, err)
		sent(t, out[n], func(messages []any) []any { return messages }) // members in the order of those that are changed
	}
	return out
}

// sent changes the body of the turn's request, as JSON.
func sent(t *testing.T, rec *turn.Record, change func(messages []any) []any) {
	t.Helper()
	i := slices.IndexFunc(rec.Payloads, func(p turn.Payload) bool { return p.Way == turn.Request })
	var body map[string]any
	require.NoError(t, json.Unmarshal(rec.Payloads[i].Bytes, &body))
	body["messages"] = change(body["messages"].([]any))
	raw, err := json.Marshal(body)
	require.NoError(t, err)
	rec.Payloads[i].Bytes = raw
	if at := bytes.Index(raw, []byte("[redacted: token]")); at >= 0 {
		rec.Payloads[i].Redacted = append(rec.Payloads[i].Redacted, redact.Span{Start: at, End: at + len("[redacted: token]"), Why: "token"})
	}
}

// shows adds a message with a picture, as agents send one with the answer of a tool; nil is a message without it.
func shows(t *testing.T, rec *turn.Record, picture []byte) {
	t.Helper()
	a := ask{dialect: "openai-chat", log: []message{{role: "user", text: "The screenshot of the page:"}}}
	if picture != nil {
		a.log[0].pictures = [][]byte{picture}
	}
	var built struct{ Messages []any }
	require.NoError(t, json.Unmarshal(a.build(t), &built))
	sent(t, rec, func(messages []any) []any { return append(messages, built.Messages[1]) })
}

// says changes the newest text of the page.
func says(t *testing.T, rec *turn.Record, change func(text string) string) {
	t.Helper()
	sent(t, rec, func(messages []any) []any {
		for _, m := range slices.Backward(messages) {
			if m := m.(map[string]any); m["role"] == "tool" {
				m["content"] = change(m["content"].(string))
				break
			}
		}
		return messages
	})
}

// answers changes the call of the answer.
func answers(t *testing.T, rec *turn.Record, name, arguments string) {
	t.Helper()
	var x map[string]any
	require.NoError(t, json.Unmarshal(rec.Exchange, &x))
	call := x["answer"].(map[string]any)["calls"].([]any)[0].(map[string]any)
	call["name"], call["arguments"] = name, json.RawMessage(arguments)
	raw, err := json.Marshal(x)
	require.NoError(t, err)
	rec.Exchange = raw
}

// without takes elements with a name off the page.
func without(rec *turn.Record, names ...string) {
	c := *rec.Capture
	c.Nodes = slices.DeleteFunc(slices.Clone(c.Nodes), func(n snapshot.Node) bool { return slices.Contains(names, n.Name) })
	for i := range c.Nodes {
		if slices.Contains(names, c.Nodes[i].Text) {
			c.Nodes[i].Text = ""
		}
	}
	rec.Capture = &c
}

// Each defect that an agent puts into a request that it really made is found by its own rule, and without one nothing is.
func TestDefectsOfARecordedRun(t *testing.T) {
	testneed.Long(t, "a recorded run")
	const click, checkout = "click", `{"uid":"1_9"}`
	for name, c := range map[string]struct {
		want string
		turn int
		seed func(t *testing.T, rec map[int]*turn.Record)
	}{
		"none": {"", 5, func(t *testing.T, rec map[int]*turn.Record) { shows(t, rec[5], rec[5].Picture) }},
		"no picture": {PictureMissing, 5, func(t *testing.T, rec map[int]*turn.Record) {
			shows(t, rec[4], rec[4].Picture)
			shows(t, rec[5], nil)
		}},
		"picture of another page": {PictureStale, 5, func(t *testing.T, rec map[int]*turn.Record) { shows(t, rec[5], rec[6].Picture) }},
		"picture scaled": {PictureScaled, 5, func(t *testing.T, rec map[int]*turn.Record) {
			img, err := likeness.Decode(rec[5].Picture)
			require.NoError(t, err)
			shows(t, rec[5], pngOf(t, scaled(img, img.Bounds(), img.Bounds().Dx()/2, img.Bounds().Dy()/2)))
		}},
		"picture cut": {PictureCropped, 5, func(t *testing.T, rec map[int]*turn.Record) {
			img, err := likeness.Decode(rec[5].Picture)
			require.NoError(t, err)
			part := image.Rect(0, 0, img.Bounds().Dx(), img.Bounds().Dy()*3/5)
			shows(t, rec[5], pngOf(t, scaled(img, part, part.Dx(), part.Dy())))
		}},
		"text cut inside a line": {TextCut, 5, func(t *testing.T, rec map[int]*turn.Record) {
			says(t, rec[5], func(s string) string { return s[:strings.Index(s, "Slate 75 keyboard")+9] })
		}},
		"a number that no line has": {RefUnknown, 5, func(t *testing.T, rec map[int]*turn.Record) {
			answers(t, rec[5], click, `{"uid":"1_999"}`)
		}},
		"an element removed before": {RefGone, 5, func(t *testing.T, rec map[int]*turn.Record) {
			answers(t, rec[5], click, `{"uid":"1_26"}`)
			without(rec[5], "Try nine switches")
		}},
		"a covered element": {RefCovered, 4, func(*testing.T, map[int]*turn.Record) {}},
		"two elements of one number": {RefAmbiguous, 5, func(t *testing.T, rec map[int]*turn.Record) {
			says(t, rec[5], func(s string) string { return strings.Replace(s, "uid=1_13 ", "uid=1_9 ", 1) })
		}},
		"a secret in the text": {Secret, 5, func(t *testing.T, rec map[int]*turn.Record) {
			says(t, rec[5], func(s string) string { return s + "\n  uid=1_999 \"Your key: [redacted: token]\"" })
		}},
		"the cache's beginning changed": {CacheBroken, 5, func(t *testing.T, rec map[int]*turn.Record) {
			long := strings.Repeat("You operate a browser with tools. Do one thing at a time. ", 200)
			for n, now := range map[int]string{4: "It is 13:04:14. ", 5: "It is 13:04:16. "} {
				sent(t, rec[n], func(messages []any) []any {
					messages[0].(map[string]any)["content"] = now + long
					return messages
				})
			}
		}},
		"a tool that was not offered": {ToolUnknown, 5, func(t *testing.T, rec map[int]*turn.Record) {
			answers(t, rec[5], "browser_teleport", checkout)
		}},
		"a text older than the picture": {TextStale, 5, func(t *testing.T, rec map[int]*turn.Record) {
			without(rec[5], "Kettles", "Keyboards", "Cups and tea", "Everything", "Try nine switches", "See the shelf", "Workshop",
				"Orders", "Slate 75 keyboard", "Oolong keycap set")
			shows(t, rec[5], rec[5].Picture)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			rec := recorded(t)
			c.seed(t, rec)
			d, passed := New(Options{}), New(Options{})
			for n := 1; n < c.turn; n++ {
				_, err := d.Examine(rec[n])
				require.NoError(t, err)
				require.NoError(t, passed.Pass(rec[n]))
			}
			r, err := d.Examine(rec[c.turn])
			require.NoError(t, err)
			same, err := passed.Examine(rec[c.turn])
			require.NoError(t, err)
			require.Equal(t, r, same, "after turns without a report")
			var rules []string
			for _, f := range r.Findings {
				rules = append(rules, f.Rule)
			}
			if c.want == "" {
				require.Empty(t, rules, r.Text())
				return
			}
			require.Equal(t, []string{c.want}, slices.Compact(rules), r.Text())
		})
	}
}
