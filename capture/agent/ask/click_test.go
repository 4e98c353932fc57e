package ask_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/doctor"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/refscope/refscope/snapshot/testpages"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/wire"
	"github.com/stretchr/testify/require"
)

var chrome chrometest.Chrome

func TestMain(m *testing.M) { os.Exit(chrome.Main(m)) }

// pointsOf are n points of the view: half of them anywhere, half in numbered elements.
func pointsOf(rng *rand.Rand, c *snapshot.Capture, n int) [][2]float64 {
	var boxes []snapshot.Box
	for i := range c.Nodes {
		if e := &c.Nodes[i]; e.Ref > 0 && e.InViewport && !e.VisibleBox().Empty() {
			boxes = append(boxes, e.VisibleBox())
		}
	}
	var out [][2]float64
	for i := range n {
		b := snapshot.Box{0, 0, c.Viewport.Width, c.Viewport.Height}
		if i%2 == 1 && len(boxes) > 0 {
			b = boxes[rng.IntN(len(boxes))]
		}
		x, y := b.X()+rng.Float64()*b.W(), b.Y()+rng.Float64()*b.H()
		// The middle of a px: at its edge two neighbours are equally right.
		out = append(out, [2]float64{max(0, float64(int(x))) + 0.5, max(0, float64(int(y))) + 0.5})
	}
	return out
}

// aimed are the targets of an answer that clicks at each of the points.
func aimed(t *testing.T, shot *session.Shot, points [][2]float64) []doctor.Target {
	t.Helper()
	var calls []any
	for i, p := range points {
		calls = append(calls, map[string]any{"id": fmt.Sprint(i), "type": "function", "function": map[string]any{
			"name": "click", "arguments": fmt.Sprintf(`{"x":%g,"y":%g}`, p[0], p[1])}})
	}
	marshal := func(v any) []byte {
		b, err := json.Marshal(v)
		require.NoError(t, err)
		return b
	}
	r, err := doctor.New(doctor.Options{}).Examine(&turn.Record{N: 1, Capture: shot.Capture, Picture: shot.Picture,
		Payloads: []turn.Payload{
			{Dialect: wire.OpenAIChat, Way: turn.Request, Bytes: marshal(map[string]any{"model": "m", "messages": []any{
				map[string]any{"role": "user", "content": []any{map[string]any{"type": "image_url", "image_url": map[string]any{
					"url": "data:image/png;base64," + base64.StdEncoding.EncodeToString(shot.Picture)}}}}}})},
			{Dialect: wire.OpenAIChat, Way: turn.Answer, Bytes: marshal(map[string]any{"choices": []any{map[string]any{
				"message": map[string]any{"role": "assistant", "tool_calls": calls}}}})},
		}})
	require.NoError(t, err)
	require.Len(t, r.Targets, len(points))
	return r.Targets
}

// TestGradeIsARealClick: where an answer points, the grade says what a click of a person hits
// there, on ≥ 99 % of the points. REFSCOPE_SLOW=1 clicks 1,000 points on 20 pages, else some on
// two.
func TestGradeIsARealClick(t *testing.T) {
	pages, each := 2, 20
	if os.Getenv("REFSCOPE_SLOW") != "" {
		pages, each = 20, 50
	}
	type view struct {
		url    string
		scroll int // CSS px
	}
	var views []view
	for _, k := range []testpages.Kind{testpages.Forms, testpages.Articles} {
		f := testpages.Own(t, k)
		site := chrometest.Folder(t, f.Path)
		for _, name := range f.Pages(t) {
			views = append(views, view{url: site + name})
			if k == testpages.Articles && len(views) < 17 {
				views = append(views, view{site + name, 400})
			}
		}
	}
	demo := chrometest.Folder(t, filepath.Join(testneed.Repository(t), "assets", "demo"))
	for _, name := range []string{"index.html", "checkout.html", "orders.html", "widgets.html"} {
		views = append(views, view{url: demo + name})
	}
	step := max(1, len(views)/pages)
	plain, rng := chrometest.DialPlain(t, chrome.Browser(t)), rand.New(rand.NewPCG(1, 2))
	points, equal, done := 0, 0, 0
	for i := 0; i < len(views) && done < pages; i, done = i+step, done+1 {
		ctx := chrometest.Context(t)
		tab := chrome.Open(t, views[i].url)
		_, err := tab.Session().Eval(ctx, tab.ID(), fmt.Sprintf("scrollTo(0, %d); ''", views[i].scroll))
		require.NoError(t, err)
		shot, err := session.Take(ctx, tab, session.Options{NodeIDs: true})
		require.NoError(t, err)
		at, err := plain.Attach(ctx, tab.ID())
		require.NoError(t, err)
		// The page remembers what a press hits, and does nothing about it.
		require.NoError(t, plain.Eval(ctx, at, `(() => {
			window.numbered = new Map(); window.pressed = null;
			addEventListener('pointerdown', (e) => { pressed = e.composedPath().map((n) => numbered.get(n)).filter((r) => r) }, true);
			for (const type of ['pointerdown', 'mousedown', 'mouseup', 'click', 'submit'])
				addEventListener(type, (e) => { e.preventDefault(); e.stopImmediatePropagation() }, true);
		})()`, nil))
		c := shot.Capture
		turn.NewLedger().Assign("tab", 1, c)
		for k := range c.Nodes {
			n := &c.Nodes[k]
			if n.Ref == 0 || n.BackendNodeID == 0 || n.Frame != 0 {
				continue
			}
			var object struct{ Object struct{ ObjectID string } }
			require.NoError(t, plain.Call(ctx, at, "DOM.resolveNode", map[string]any{"backendNodeId": n.BackendNodeID}, &object))
			require.NoError(t, plain.Call(ctx, at, "Runtime.callFunctionOn", map[string]any{"objectId": object.Object.ObjectID,
				"functionDeclaration": fmt.Sprintf("function() { numbered.set(this, %d) }", n.Ref)}, nil))
		}
		list := pointsOf(rng, c, each)
		targets := aimed(t, shot, list)
		for k, p := range list {
			for _, what := range []string{"mousePressed", "mouseReleased"} {
				require.NoError(t, plain.Call(ctx, at, "Input.dispatchMouseEvent", map[string]any{"type": what, "x": p[0], "y": p[1],
					"button": "left", "clickCount": 1}, nil))
			}
			var path []int
			require.NoError(t, plain.Eval(ctx, at, "(() => { const was = pressed || []; pressed = null; return was })()", &path))
			points++
			if got, want := graded(c, targets[k], path, rng); got == want {
				equal++
			} else {
				t.Logf("%s at %g, %g: the grade is %q by the element %d, and the click is %q with the path %v", views[i].url, p[0], p[1],
					got, targets[k].ElementRef, want, path)
			}
		}
	}
	t.Logf("%d of %d points on %d pages: the grade is what the click hits", equal, points, done)
	require.LessOrEqual(t, points-equal, max(1, points/100))
}

// graded is the grade of a target beside an element, and what the real click says of it: path are
// the numbers of the elements that it went through, the innermost first. The element is the one
// that was hit, or by chance another one.
func graded(c *snapshot.Capture, target doctor.Target, path []int, rng *rand.Rand) (got, want doctor.Outcome) {
	var numbers []int
	for i := range c.Nodes {
		if n := &c.Nodes[i]; n.Ref > 0 && n.InViewport {
			numbers = append(numbers, n.Ref)
		}
	}
	wanted := 0
	switch {
	case len(path) > 0 && rng.IntN(2) == 0:
		wanted = path[0]
	case len(numbers) > 0:
		wanted = numbers[rng.IntN(len(numbers))]
	}
	r := &doctor.Report{Targets: []doctor.Target{target}}
	got = doctor.GradeOf(r, c, wanted).Outcome
	if got == doctor.HitsCovered { // a click that arrives hits what can be hit of it
		got = doctor.Hits
	}
	switch {
	case len(path) == 0:
		want = doctor.HitsNothing
	case slices.Contains(path, wanted) || sameBox(c, path[0], wanted):
		want = doctor.Hits
	default:
		want = doctor.HitsOther
	}
	return got, want
}

// sameBox reports whether an element is all of the one around it, so that a click on either is one
// on both.
func sameBox(c *snapshot.Capture, hit, wanted int) bool {
	h, w := c.ByRef(hit), c.ByRef(wanted)
	for n := w; n != nil && h != nil; n = c.Node(n.Parent) {
		if n == h {
			return h.VisibleBox() == w.VisibleBox()
		}
	}
	return false
}
