package report

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/network"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/stretchr/testify/require"
)

// tick is when turn n of a test's session was taken.
func tick(n int) time.Time { return time.Date(2026, 3, 14, 9, 26, n, 0, time.UTC) }

// recordSession writes the turns to a session folder of the test's own.
func recordSession(t testing.TB, turns ...*turn.Record) *turn.Store {
	t.Helper()
	store, err := turn.Create(t.Context(), turn.Dir(filepath.Join(t.TempDir(), "session")), "test")
	require.NoError(t, err)
	for _, rec := range turns {
		appendTurn(t, store, rec)
	}
	return store
}

func appendTurn(t testing.TB, store *turn.Store, rec *turn.Record) {
	t.Helper()
	_, err := store.Append(t.Context(), func(l *turn.Ledger) (*turn.Record, error) {
		rec.Capture.TakenAt = tick(l.NextTurn())
		l.Assign("tab", l.NextTurn(), rec.Capture)
		return rec, nil
	})
	require.NoError(t, err)
}

// write makes the report of a session.
func write(t testing.TB, store *turn.Store, o Options) (string, *Summary) {
	t.Helper()
	var out bytes.Buffer
	made, err := writeReport(t.Context(), &out, spool(t), store, o)
	require.NoError(t, err)
	return out.String(), made
}

func spool(t testing.TB) io.ReadWriteSeeker {
	t.Helper()
	f, err := os.CreateTemp(t.TempDir(), "spool")
	require.NoError(t, err)
	t.Cleanup(func() { _ = f.Close() })
	return f
}

// element describes a node of a test's page.
type element struct {
	tag, role, name, text string
	box                   snapshot.Box
	coveredBy             int // index in the list of elements, 0 for none
	redacted              bool
}

// capture is a page with these elements below its body.
func capture(url, title string, elements ...element) *snapshot.Capture {
	c := &snapshot.Capture{
		Schema: snapshot.Schema, URL: url, Title: title, Chrome: "Chrome/156.0.1", Settled: true,
		Viewport: snapshot.Viewport{Width: 400, Height: 240, Scale: 1},
		Frames:   []snapshot.Frame{{ID: "main", Parent: -1, URL: url, Readable: true, Loader: "L" + url, Owner: -1}},
		Nodes: []snapshot.Node{
			{I: 0, Parent: -1, Tag: "html", UID: 1, Verdict: snapshot.VerdictWrapper, Box: snapshot.Box{0, 0, 400, 240}, Visible: true, InViewport: true},
			{I: 1, Parent: 0, Tag: "body", UID: 2, Verdict: snapshot.VerdictWrapper, Box: snapshot.Box{0, 0, 400, 240}, Visible: true, InViewport: true},
		},
		Timings: snapshot.Timings{Total: 12},
	}
	for k, e := range elements {
		i := k + 2
		n := snapshot.Node{I: i, Parent: 1, Tag: e.tag, UID: i + 1, Role: e.role, Name: e.name, Box: e.box, Visible: true,
			InViewport: e.box.Y() < 240, Verdict: snapshot.VerdictRef, Interactive: []string{"native"}}
		if e.text != "" {
			n.Text, n.Runs = e.text, []snapshot.Run{{Text: e.text, Before: -1}}
			n.Verdict, n.Interactive = snapshot.VerdictContent, nil
		}
		if e.redacted {
			n.Value, n.Redacted = "[redacted: password]", []string{"value"}
		}
		if n.InViewport {
			x, y := e.box.Center()
			n.Occlusion = &snapshot.Occlusion{State: snapshot.Clear, VisibleShare: 1, HitShare: 1, Click: [2]float64{x, y}, Points: [][3]float64{{x, y, float64(i)}}}
			if e.coveredBy > 0 {
				by := e.coveredBy + 2
				n.Occlusion.State, n.Occlusion.VisibleShare, n.Occlusion.HitShare, n.Occlusion.Coverer = snapshot.Covered, 0.25, 0, &by
				n.Occlusion.Points[0][2] = float64(by)
			}
		}
		c.Nodes = append(c.Nodes, n)
	}
	c.Verdicts = c.CountVerdicts()
	return c
}

// picture is a PNG of a test's page in one colour.
func picture(t testing.TB, c color.RGBA) []byte {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, 400, 240))
	draw.Draw(img, img.Rect, image.NewUniform(c), image.Point{}, draw.Src)
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, img))
	return b.Bytes()
}

// shopTurns are a small session with something of everything: a picture that comes
// twice, a covered button, errors, dialogs, what was sent and answered, a turn of
// another agent that lacks its picture.
func shopTurns(t testing.TB) []*turn.Record {
	blue, err := os.ReadFile("testdata/blue.png")
	require.NoError(t, err)
	const url = "https://shop.example/cart"
	buy := element{tag: "button", role: "button", name: "Buy", box: snapshot.Box{20, 40, 80, 24}}
	first := capture(url, "Cart", buy,
		element{tag: "input", role: "textbox", name: "Password", box: snapshot.Box{20, 80, 160, 24}, redacted: true},
		element{tag: "p", text: "Two kettles, one keyboard.", box: snapshot.Box{20, 120, 300, 20}},
		element{tag: "a", role: "link", name: "Terms", box: snapshot.Box{20, 900, 60, 20}})
	covered := buy
	covered.coveredBy = 1
	second := capture(url, "Cart", covered,
		element{tag: "dialog", role: "dialog", name: "Sign in", box: snapshot.Box{0, 20, 400, 60}},
		element{tag: "p", text: "Two kettles, one keyboard.", box: snapshot.Box{20, 120, 300, 20}})
	second.Settled = false
	second.Console = []snapshot.ConsoleEntry{{Age: 500, Level: "error", Text: "cart is undefined", URL: "https://shop.example/cart.js", Line: 12}, {Age: 20, Level: "log", Text: "ready"}}
	second.Dialogs = []snapshot.Dialog{{Age: 90, Type: "confirm", Message: "Leave the shop?", Accepted: true}}
	second.Mutations = []snapshot.Mutation{{Age: 10, Type: "added", Category: "error", What: "alert", Text: "Sign in first"}}
	third := capture("https://pay.example/", "Pay")
	third.Nodes = nil
	third.Verdicts = nil
	return []*turn.Record{
		{Capture: first, Picture: blue, Action: "open", Meta: turn.Meta{Tool: "test 1"},
			Profile: &turn.Profile{Name: "shop.example", Bytes: []byte("---\nwait: 2s\n---\nThe basket is slow.\n")}},
		{Capture: second, Picture: blue, Action: "click @e1", Note: "The agent clicked twice.", Meta: turn.Meta{Tool: "test 1"},
			Steps: []byte(`[{"click":"@e1"}]`), Answer: []byte(`{"status":"error"}`),
			Payloads: []turn.Payload{{Dialect: "openai-chat", Model: "gpt-x", Way: turn.Request, Media: "application/json",
				Bytes: []byte(`{"model":"gpt-x","messages":[{"role":"user","content":"[redacted: card]"}]}`), Redacted: []redact.Span{{Start: 55, End: 71, Why: "card"}}, Wire: true}}},
		{Capture: third, Action: "import", Lacks: []string{"The file keeps no page, only its address."}},
	}
}

// shop is that session with a verdict on its second turn.
func shop(t testing.TB) *turn.Store {
	store := recordSession(t, shopTurns(t)...)
	_, err := store.Annotate(context.Background(), turn.Annotation{Turn: 2, At: tick(9), By: "Ada", Verdict: "fail", Text: "The dialog hides the button."})
	require.NoError(t, err)
	return store
}

// TestFailedStepsAreErrors: a session whose steps failed is never one without errors, even
// where its pages reported none.
func TestFailedStepsAreErrors(t *testing.T) {
	page := capture("https://shop.example/", "Shop", element{tag: "button", role: "button", name: "Buy", box: snapshot.Box{20, 40, 80, 24}})
	store := recordSession(t, &turn.Record{Capture: page, Action: "click", Steps: []byte(`{"steps":[{"click":"e9"}]}`),
		Answer: []byte(`{"status":"error","steps":[{"action":"click","status":"error","error":"no element e9"}]}`)})
	html, _ := write(t, store, Options{})
	require.Contains(t, html, "Steps failed in 1 turn.")
	require.Contains(t, html, "1 failed step")
	require.Contains(t, html, `<strong>1</strong> <span>turn with errors`)
}

// A message of the console belongs to the turn in which it came: the next turns of the same document do not count
// it again, and those of another one never have it.
func TestTheConsoleIsOfTheTurnInWhichItCame(t *testing.T) {
	buy := element{tag: "button", role: "button", name: "Buy", box: snapshot.Box{20, 40, 80, 24}}
	document := func(loader string, messages ...snapshot.ConsoleEntry) *turn.Record {
		c := capture("https://shop.example/", "Shop", buy)
		c.Console, c.Frames[0].Loader = messages, loader
		return &turn.Record{Capture: c, Action: "click"}
	}
	message := func(text string, turn int, before time.Duration) snapshot.ConsoleEntry {
		return snapshot.ConsoleEntry{Age: float64((tick(turn).Sub(tick(1)) + before).Milliseconds()), Level: "error", Text: text}
	}
	store := recordSession(t,
		document("one", message("first", 1, time.Second)),
		document("two", message("elsewhere", 2, time.Second)),
		document("one", message("first", 3, time.Second), message("second", 3, -time.Second)))
	html, _ := write(t, store, Options{})
	require.Equal(t, 1, strings.Count(html, ">first<"))
	require.Equal(t, 1, strings.Count(html, ">elsewhere<"), "it came before the turn of another document")
	require.Equal(t, 1, strings.Count(html, ">second<"))
	require.NotContains(t, html, "2 errors")
}

// What failed to load is named in the turn in which it failed, with who asked for it; what went well is only counted.
func TestWhatFailedToLoadIsNamed(t *testing.T) {
	c := capture("https://shop.example/", "Shop", element{tag: "button", role: "button", name: "Buy", box: snapshot.Box{20, 40, 80, 24}})
	request := func(id int, url string, status int) network.Request {
		return network.Request{ID: id, Method: "GET", URL: url, Type: "Fetch", Began: c.TakenAt.Add(-time.Second), State: network.Done, Status: status}
	}
	items := request(2, "https://shop.example/api/items", 500)
	items.Initiator = &network.Initiator{Type: "script", URL: "https://shop.example/app.js", Line: 7}
	c.Network = &network.Layer{Requests: []network.Request{request(1, "https://shop.example/fine", 200), items}}
	html, _ := write(t, recordSession(t, &turn.Record{Capture: c}), Options{})
	require.Contains(t, html, "2 requests, 1 failed")
	require.Contains(t, html, "GET /api/items was answered with 500 Internal Server Error")
	require.Contains(t, html, "https://shop.example/app.js, line 7")
	require.NotContains(t, html, "/fine")
}
