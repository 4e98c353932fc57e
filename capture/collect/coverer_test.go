package collect_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/refscope/refscope/snapshot/testpages"
	"github.com/stretchr/testify/require"
)

// covererJS asks Chrome of each [element, coverer, (x, y)…] which elements lie over the element at
// the points, topmost first, and answers what is wrong with the coverer that was named: the list of
// a point begins with what took it, and the coverer is the outermost before the element itself that
// is around what was hit and not around the element too.
const covererJS = `(() => {
  const { els, index, parent } = globalThis.__refscope.shot;
  const within = (outer, inner) => { while (inner > outer) inner = parent[inner]; return inner === outer };
  // Lines that leave a box are in the list too; the px that begins at the point is tested.
  const boxed = (el, x, y) => [...el.getClientRects()].some((r) => x < r.right && x + 1 > r.left && y < r.bottom && y + 1 > r.top);
  return JSON.stringify(ASKED.map(([i, by, ...points]) => {
    const votes = new Map(), el = els[i];
    let asked = 0;
    if (el.getRootNode() !== document) return '';
    for (let k = 0; k < points.length; k += 2) {
      const list = document.elementsFromPoint(points[k], points[k + 1]).map((e) => index.get(e) ?? -1);
      const hit = index.get(document.elementFromPoint(points[k], points[k + 1])); // the list lacks anonymous boxes
      if (hit === undefined || hit < 0 || els[hit].shadowRoot || within(i, hit)) continue;
      asked++;
      let best = hit;
      for (const at of list) {
        if (at < 0 || within(i, at)) break;
        if (within(at, hit) && !within(at, i) && at < best && boxed(els[at], points[k], points[k + 1])) best = at;
      }
      votes.set(best, (votes.get(best) || 0) + 1);
    }
    if (asked === 0) return '';
    const most = Math.max(...votes.values());
    const name = (k) => els[k].localName + (els[k].id && '#' + els[k].id);

    const wanted = [...votes].filter(([, n]) => n === most).map(([k]) => k);
    // A block in the flow lies below inline boxes, and is in the list for its lines.
    const flows = (k) => getComputedStyle(els[k]).position === 'static' && within(k, by);
    return wanted.includes(by) || wanted.some(flows) ? 'ok' : name(i) + ': ' + name(by) + ', not one of ' + [...votes].map(([k, n]) => name(k) + ' ' + n);
  }));
})()`

// judgeCoverers compares each coverer of the main frame with Chrome's own lists; how many it could
// compare, and what was wrong.
func judgeCoverers(t *testing.T, tab *browser.Tab) (judged int, wrong []string) {
	t.Helper()
	ctx := chrometest.Context(t)
	res, err := collect.Read(ctx, tab, patient)
	require.NoError(t, err)
	defer res.Release(ctx)
	c := res.Capture
	place, inside := map[int]int{}, snapshot.NewTree(c)
	for i := range c.Nodes {
		if c.Nodes[i].Frame == 0 {
			place[i] = len(place)
		}
	}
	asked := [][]float64{}
	for i := range c.Nodes {
		n := &c.Nodes[i]
		o := n.Occlusion
		if n.Frame != 0 || o == nil || o.State == snapshot.Clear || n.NoPointer || o.Coverer == nil || c.Nodes[*o.Coverer].Frame != 0 {
			continue
		}
		row := []float64{float64(place[i]), float64(place[*o.Coverer])}
		held := false
		for _, p := range o.Points {
			hit := int(p[2])
			if hit < 0 || inside.Contains(i, hit) || inside.Contains(hit, i) {
				continue
			}
			row = append(row, p[0], p[1])
			held = held || inside.Contains(*o.Coverer, hit) && (hit == *o.Coverer || reaches(&c.Nodes[*o.Coverer], p[0], p[1]))
		}
		if !held {
			wrong = append(wrong, fmt.Sprintf("%s: no point that it lost lies in the box of %s", n.Path, c.Nodes[*o.Coverer].Path))
		}
		asked = append(asked, row)
	}
	data, err := json.Marshal(asked)
	require.NoError(t, err)
	text, err := tab.Session().Eval(ctx, c.Frames[0].ID, strings.Replace(covererJS, "ASKED", string(data), 1))
	require.NoError(t, err)
	var answers []string
	require.NoError(t, json.Unmarshal([]byte(text), &answers))
	for _, a := range answers {
		if a != "" {
			judged++
		}
		if a != "" && a != "ok" {
			wrong = append(wrong, a)
		}
	}
	return judged, wrong
}

// reaches reports whether a click at the point meets a box of the element; Chrome tests the px that begins there.
func reaches(n *snapshot.Node, x, y float64) bool {
	for _, b := range n.AllRects() {
		if x < b.Right() && x+1 > b.X() && y < b.Bottom() && y+1 > b.Y() {
			return true
		}
	}
	return false
}

// stacking is a page of branches that end elsewhere than what hangs from them: boxes in the flow and out of
// it, at random places and levels, some dead to the pointer, with buttons and links in them.
func stacking(r *rand.Rand) string {
	var b strings.Builder
	count := 0
	var branch func(depth int)
	branch = func(depth int) {
		for range 1 + r.IntN(3) {
			count++
			style := []string{"", "", "position:relative", "position:absolute", "position:fixed", "position:sticky;top:0"}[r.IntN(6)]
			if r.IntN(2) == 0 {
				style += fmt.Sprintf(";left:%dpx;top:%dpx", r.IntN(500), r.IntN(400))
			}
			if r.IntN(2) == 0 {
				style += fmt.Sprintf(";width:%dpx;height:%dpx", 20+r.IntN(500), 12+r.IntN(300))
			}
			if r.IntN(2) == 0 {
				style += fmt.Sprintf(";z-index:%d", r.IntN(7)-2)
			}
			style += []string{"", "", ";background:#eee", ";margin-top:-40px", ";opacity:.9", ";pointer-events:none"}[r.IntN(6)]
			switch tag := []string{"div", "section", "button", "a"}[r.IntN(2+2*min(1, depth))]; {
			case tag == "button" || tag == "a":
				fmt.Fprintf(&b, `<%s id="n%d" href="#" style="%s;pointer-events:auto">Thing %d</%[1]s>`, tag, count, style, count)
			default:
				fmt.Fprintf(&b, `<%s id="n%d" style="%s">`, tag, count, style)
				if depth < 4 {
					branch(depth + 1)
				}
				fmt.Fprintf(&b, "</%s>", tag)
			}
		}
	}
	for count < 15 {
		branch(0)
	}
	return b.String()
}

// TestCovererOfStackings: what is named as coverer took the points, and its box holds them.
func TestCovererOfStackings(t *testing.T) {
	t.Parallel()
	tab := chrome.Open(t, "about:blank")
	empty, err := collect.Read(chrometest.Context(t), tab, patient)
	require.NoError(t, err)
	empty.Release(chrometest.Context(t))
	r := rand.New(rand.NewPCG(35, 3))
	judged := 0
	count := testneed.Cases(30, 200, 200)
	for k := range count {
		page, err := json.Marshal(stacking(r))
		require.NoError(t, err)
		_, err = tab.Session().Await(chrometest.Context(t), empty.Capture.Frames[0].ID, "document.body.innerHTML = "+string(page)+
			"; new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(''))))")
		require.NoError(t, err)
		n, wrong := judgeCoverers(t, tab)
		judged += n
		require.Empty(t, wrong, "stacking %d: %s", k, page)
	}
	t.Logf("%d coverers of %d stackings", judged, count)
	require.Greater(t, judged, 2*count)
}

// TestCovererOfPages is the same for our pages, and for saved ones where they are.
func TestCovererOfPages(t *testing.T) {
	t.Parallel()
	tab, judged := chrome.Tab(t), 0
	for _, kind := range testpages.Kinds() {
		for k, folder := range testpages.Folders(t, kind) {
			site := chrometest.Folder(t, folder.Path)
			for at, p := range folder.Pages(t) {
				if k > 0 && at%8 != 0 && os.Getenv("REFSCOPE_SLOW") == "" {
					continue
				}
				n, wrong := judgeCoverers(t, chrometest.Load(t, tab, site+p))
				judged += n
				require.Empty(t, wrong, p)
			}
		}
	}
	t.Logf("%d coverers of pages", judged)
	require.Positive(t, judged)
}
