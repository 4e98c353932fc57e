package collect_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/refscope/refscope/snapshot/testpages"
	"github.com/stretchr/testify/require"
)

// truth is the dense ground truth of one page: hit tests of its own, STEP px apart over
// the whole viewport, each made where the first element asks for it, against which the samples are judged.
//
// In a frame, OUT tells of each point what the frame around shows there: 1 the frame,
// 0 something over it, 2 nothing of the viewport.
//
// Hits inside an element, on its label and on what is around it count as in
// collect.occlude. Points outside its real shape are no part of it: rounded corners,
// and the corners of a turned element's upright box, by the browser's own quads.
const truthJS = `(() => {
  const OUT = '';
  const shot = globalThis.__refscope.shot, parent = shot.parent, W = innerWidth, H = innerHeight, STEP = 2;
  const nx = Math.floor(W / STEP), ny = Math.floor(H / STEP), grid = new Int32Array(nx * ny).fill(-2);
  const at = (x, y) => {
    let el = document.elementFromPoint(x, y);
    while (el && el.shadowRoot) { const inner = el.shadowRoot.elementFromPoint(x, y); if (!inner || inner === el) break; el = inner; }
    const k = el ? shot.index.get(el) : undefined;
    return k === undefined ? -1 : k;
  };
  const within = (outer, inner) => { while (inner > outer) inner = parent[inner]; return inner === outer };
  const answer = [];
  for (const i of shot.seen) {
    const el = shot.els[i], style = getComputedStyle(el);
    let rects = Array.from(style.display === 'inline' ? el.getClientRects() : [el.getBoundingClientRect()]);
    const clip = shot.clip.get(i), box = el.getBoundingClientRect();
    const radius = ['TopLeft', 'TopRight', 'BottomLeft', 'BottomRight'].map((c) => { const v = style['border' + c + 'Radius'].split(' ')[0]; return v.endsWith('%') ? parseFloat(v) / 100 * Math.min(box.width, box.height) : parseFloat(v) || 0 });
    const labels = el.labels ? Array.from(el.labels, (l) => shot.index.get(l)).filter((k) => k !== undefined) : [];
    let own = 0, others = 0;
    const seen = new Set();
    for (const r of rects) {
      const l = Math.max(r.left, 0, clip ? clip[0] : 0), t = Math.max(r.top, 0, clip ? clip[1] : 0);
      const right = Math.min(r.right, W, clip ? clip[0] + clip[2] : W), bottom = Math.min(r.bottom, H, clip ? clip[1] + clip[3] : H);
      for (let y = Math.ceil((t - 1) / STEP); y * STEP + 1 < bottom; y++) for (let x = Math.ceil((l - 1) / STEP); x * STEP + 1 < right; x++) {
        const k = y * nx + x;
        if (x < 0 || y < 0 || x >= nx || y >= ny || seen.has(k)) continue;
        const px = x * STEP + 1, py = y * STEP + 1;
        // Boxes end between pixels and hits are on pixels: what lies within one of the
        // edge may be the neighbour's.
        if (px < l + 1 || py < t + 1 || px > right - 1 || py > bottom - 1) continue;
        let out = false;
        if (rects.length === 1) for (let c = 0; c < 4; c++) {
          const q = Math.min(radius[c], box.width / 2, box.height / 2); if (!q) continue;
          const cx = c % 2 ? box.right - q : box.left + q, cy = c < 2 ? box.top + q : box.bottom - q;
          if ((c % 2 ? px > cx : px < cx) && (c < 2 ? py < cy : py > cy) && Math.hypot(px - cx, py - cy) > q - 0.5) out = true;
        }
        if (out || OUT[k] === '2') continue;
        seen.add(k);
        if (OUT[k] === '0') { others++; continue; }
        if (i === 0) { own++; continue; } // whatever is hit in a document is in its root
        if (grid[k] === -2) grid[k] = at(px, py);
        const hit = grid[k];
        if (hit < 0 || (hit < i && within(hit, i))) continue;
        if (within(i, hit) || labels.some((q) => within(q, hit))) own++; else others++;
      }
    }
    answer.push([i, own, others, (shot.flags[i] & 512) ? 1 : 0]);
  }
  return JSON.stringify(answer);
})()`

// maskJS is OUT for the frame of element OWNER, by this frame's own hit tests.
const maskJS = `(() => {
  const { els, index, parent } = globalThis.__refscope.shot, el = els[OWNER], STEP = 2;
  const r = el.getBoundingClientRect(), kx = r.width / el.offsetWidth, ky = r.height / el.offsetHeight;
  const nx = Math.floor(el.clientWidth / STEP), ny = Math.floor(el.clientHeight / STEP);
  let mask = '';
  for (let y = 0; y < ny; y++) for (let x = 0; x < nx; x++) {
    const px = r.left + (el.clientLeft + x * STEP + 1) * kx, py = r.top + (el.clientTop + y * STEP + 1) * ky;
    const hit = document.elementFromPoint(px, py);
    let clipped = !hit;
    for (let up = el.parentElement; up && !clipped; up = up.parentElement) {
      const q = up.getBoundingClientRect();
      clipped = getComputedStyle(up).overflow === 'hidden' && (px < q.left || py < q.top || px > q.right || py > q.bottom);
    }
    mask += clipped ? '2' : hit === el ? '1' : '0';
  }
  return mask;
})()`

// score counts agreement of samples and truth.
type score struct {
	elements                     int
	coveredTP, coveredFP, covFN  int
	partlyTP, partlyFP, partlyFN int
	shareError                   float64
	shares                       int
	misses                       []string
}

func (s *score) precision(tp, fp int) float64 {
	if tp+fp == 0 {
		return 1
	}
	return float64(tp) / float64(tp+fp)
}

func (s *score) String() string {
	return fmt.Sprintf("%d elements: covered precision %.3f recall %.3f (%d), partly precision %.3f recall %.3f (%d), mean error of hitShare %.3f",
		s.elements, s.precision(s.coveredTP, s.coveredFP), s.precision(s.coveredTP, s.covFN), s.coveredTP+s.covFN,
		s.precision(s.partlyTP, s.partlyFP), s.precision(s.partlyTP, s.partlyFN), s.partlyTP+s.partlyFN, s.shareError/math.Max(1, float64(s.shares)))
}

// judge adds one page. Covered in truth is what the click point says: the dense grid
// decides it by the four grid points around.
func (s *score) judge(t *testing.T, tab *browser.Tab, name string, step int, frames bool) {
	t.Helper()
	ctx, cancel := browser.Within(chrometest.Context(t), 2*time.Minute) // the truth of a page takes seconds
	defer cancel()
	res, err := collect.Read(ctx, tab, patient)
	require.NoError(t, err)
	c := res.Capture
	defer res.Release(ctx)
	apart := strings.Replace(truthJS, "STEP = 2", fmt.Sprint("STEP = ", step), 1)
	s.frame(t, tab.Session(), c, 0, name, apart)
	if !frames {
		return
	}
	remote, _ := tab.FrameSessions(ctx)
	for f := 1; f < len(c.Frames); f++ {
		owner := 0 // by its place in the main frame
		for i := range c.Frames[f].Owner {
			if c.Nodes[i].Frame == 0 {
				owner++
			}
		}
		mask, err := tab.Session().Eval(ctx, c.Frames[0].ID, strings.NewReplacer("OWNER", fmt.Sprint(owner), "STEP = 2",
			fmt.Sprint("STEP = ", step)).Replace(maskJS))
		require.NoError(t, err, name)
		in := tab.Session()
		if r := remote[c.Frames[f].ID]; r != nil {
			in = r
		}
		s.frame(t, in, c, f, name+" "+c.Frames[f].URL, strings.Replace(apart, "OUT = ''", "OUT = '"+mask+"'", 1))
	}
}

// frame adds the elements of one frame.
func (s *score) frame(t *testing.T, in *browser.Session, c *snapshot.Capture, f int, name, script string) {
	t.Helper()
	ctx, cancel := browser.Within(chrometest.Context(t), 2*time.Minute) // hundreds of thousands of hit tests in one call
	defer cancel()
	text, err := in.Eval(ctx, c.Frames[f].ID, script)
	require.NoError(t, err, name)
	var rows [][4]int
	require.NoError(t, json.Unmarshal([]byte(text), &rows))
	main := []int{}
	for i := range c.Nodes {
		if c.Nodes[i].Frame == f {
			main = append(main, i)
		}
	}
	for _, row := range rows {
		n := &c.Nodes[main[row[0]]]
		own, others := row[1], row[2]
		if n.Occlusion == nil || n.NoPointer || row[3] == 1 || own+others < 4 { // too small to say
			continue
		}
		s.elements++
		share := float64(own) / float64(own+others)
		o := n.Occlusion
		// The state in truth: something else takes points; the click point is the
		// sample's own, a single hit test that needs no grid.
		truth := snapshot.Clear
		if others > 0 {
			truth = snapshot.Partly
			if o.State == snapshot.Covered || share == 0 {
				truth = snapshot.Covered
			}
		}
		count := func(state snapshot.OcclusionState, tp, fp, fn *int) {
			switch {
			case truth == state && o.State == state:
				*tp++
			case o.State == state:
				*fp++
			case truth == state:
				*fn++
			default:
				return
			}
			if truth != o.State && len(s.misses) < 60 {
				s.misses = append(s.misses, fmt.Sprintf("%s: %s %q is %s (%.2f), truth %s (%.3f of %d)", name, n.Path, n.Name, o.State, o.HitShare, truth, share, own+others))
			}
		}
		count(snapshot.Covered, &s.coveredTP, &s.coveredFP, &s.covFN)
		count(snapshot.Partly, &s.partlyTP, &s.partlyFP, &s.partlyFN)
		if truth == snapshot.Partly || o.State == snapshot.Partly {
			s.shareError += math.Abs(share - o.HitShare)
			s.shares++
		}
	}
}

// TestOcclusionAgainstTruth: the demo site, our own pages and fixtures decide, and apart from
// them what lies in frames of the same and of other processes below things of the page
// around. Where REFSCOPE_SLOW is set, the hit tests are closer, and saved pages are reported.
func TestOcclusionAgainstTruth(t *testing.T) {
	fixture, page := testneed.Cases(4, 3, 2), testneed.Cases(8, 6, 4) // px between two hit tests
	tab := chrome.Tab(t)
	var ours score
	for _, set := range []struct {
		folder string
		step   int
		pages  []string
	}{
		{"testdata", fixture, []string{"occlusion.html", "layers.html", "verdicts.html", "glass.html", "modal.html"}},
		{filepath.Join("..", "..", "assets", "demo"), page, []string{"index.html", "checkout.html", "orders.html", "widgets.html"}},
	} {
		site := chrometest.Folder(t, set.folder)
		for _, p := range set.pages {
			ours.judge(t, chrometest.Load(t, tab, site+p), p, set.step, false)
		}
	}
	for _, kind := range testneed.Cases(nil, testpages.Kinds(), testpages.Kinds()) {
		folder := testpages.Own(t, kind)
		site := chrometest.Folder(t, folder.Path)
		for _, p := range folder.Pages(t) {
			ours.judge(t, chrometest.Load(t, tab, site+p), p, page, false)
		}
	}
	var framed score
	framed.judge(t, chrome.Open(t, framesSite(t)+"over.html"), "over.html", testneed.Cases(3, 2, 2), true)
	for name, got := range map[string]*score{"ours": &ours, "in frames": &framed} {
		t.Log(name + ": " + got.String())
		for _, m := range got.misses {
			t.Log(m)
		}
		require.GreaterOrEqual(t, got.precision(got.coveredTP, got.coveredFP), 0.97, name)
		require.GreaterOrEqual(t, got.precision(got.coveredTP, got.covFN), 0.97, name)
		require.GreaterOrEqual(t, got.precision(got.partlyTP, got.partlyFP), 0.9, name)
		require.GreaterOrEqual(t, got.precision(got.partlyTP, got.partlyFN), 0.9, name)
		require.LessOrEqual(t, got.shareError/math.Max(1, float64(got.shares)), 0.05, name)
	}
	require.Greater(t, framed.coveredTP+framed.partlyTP, 15, "the frames page has little that is covered")

	folders := testpages.Folders(t, testpages.Articles)
	if len(folders) == 1 || os.Getenv("REFSCOPE_SLOW") == "" {
		return
	}
	var real score
	site := chrometest.Folder(t, folders[1].Path)
	for _, p := range folders[1].Pages(t) {
		// Wider apart: a single hit takes over a ms on some of these pages.
		real.judge(t, chrome.Open(t, site+p), p, 8, false)
	}
	t.Log("real: " + real.String())
	for _, m := range real.misses {
		t.Log(m)
	}
}

// The parts of a drawing, and areas of an image, are covered where no click reaches them, and no other: a line is thin in
// its box, and what has a hole in its middle is clicked beside that.
func TestPartsOfDrawingsThatNoClickReaches(t *testing.T) {
	const shapes = `<a href="#1" data-part="a square"><rect width=40 height=40 /></a>
<a href="#2" data-part="a line"><path d="M60 2L140 78" stroke=black fill=none /></a>
<a href="#3" data-part="a ring"><circle cx=190 cy=40 r=30 stroke=black fill=none /></a>
<g role=button tabindex=0 data-part="a sickle"><path d="M230 5Q330 40 230 75Q326 40 230 5" /></g>
<line role=button tabindex=0 data-part="a bare line" x1=10 y1=60 x2=50 y2=78 stroke=black />
<foreignObject x=350 width=90 height=40><button data-part="a button">Pay</button></foreignObject>
<text role=link tabindex=0 data-part="a word" x=350 y=70>Word</text>`
	picture := func(name string) string {
		return `<img usemap="#` + name + `" width=100 height=80 alt="" src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'/>">
<map name=` + name + `><area href="#4" alt=A shape=poly coords="0,0,90,0,90,6" data-part="a flat area"><area href="#5" alt=B shape=circle
coords="60,50,20" data-part="a round area"></map>`
	}
	drawing := func(style string) string {
		return `<svg width=460 height=80 style="` + style + `">` + shapes + `</svg>`
	}
	tab := chrome.Open(t, chrometest.Page(t, `<!doctype html><style>body{margin:0}div{height:90px;white-space:nowrap}button{width:80px;height:30px}</style>
<div data-want=clear>`+drawing("")+picture("one")+`</div><div data-want=covered inert>`+drawing("")+picture("two")+`</div>
<div data-want=covered>`+drawing("clip-path:url(#corner)")+`</div><svg height=0><clipPath id=corner><rect
x=455 width=5 height=5 /></clipPath></svg>
<div data-want=covered style="position:relative;z-index:-1">`+drawing("")+picture("three")+`</div>
<script>document.body.style.background='#eee';document.documentElement.style.background='#fff'</script>`))
	c := read(t, tab)
	found := 0
	for n, part := range marked(c, "data-part") {
		want := c.Nodes[n.Parent]
		for want.Attrs["data-want"] == "" {
			want = c.Nodes[want.Parent]
		}
		found++
		require.NotNil(t, n.Occlusion, part)
		require.Equal(t, want.Attrs["data-want"] == "covered", n.Occlusion.State == snapshot.Covered, "%s, %s: %v", part,
			want.Path, n.Occlusion)
	}
	require.Equal(t, 4*7+3*2, found)
}
