package collect_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"strings"
	"testing"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The truth of what a person sees is the picture. An element is painted white, then
// black: where its light makes up more than 40 % of a pixel, it is seen there (what
// covers has an alpha of 0.6, see js/ink.js). How large it is, the same pictures say
// while nothing else on its page is painted.
const litJS = `(() => {
  const style = document.createElement('style');
  style.textContent = ':root[data-only] :not([data-lit], [data-lit] *, iframe) { visibility: hidden !important } iframe, [data-lit], [data-lit] * { visibility: visible !important }';
  document.head.append(style);
  let saved = [];
  globalThis.light = (name, color, only, mark) => {
    for (const [el, text] of saved) el.style.cssText = text;
    saved = [];
    document.querySelectorAll('[data-lit]').forEach((el) => el.removeAttribute('data-lit'));
    document.documentElement.toggleAttribute('data-only', only);
    const el = name && document.querySelector('[data-see="' + name + '"]');
    if (el) {
      el.setAttribute('data-lit', '');
      for (const one of [el, ...el.querySelectorAll('*')]) {
        saved.push([one, one.style.cssText]);
        for (const p of ['background', 'color', 'border-color']) one.style.setProperty(p, color, 'important');
      }
    }
    requestAnimationFrame(() => requestAnimationFrame(() => { globalThis.lit = mark }));
    return '';
  };
  return '';
})()`

// darkroom takes the pictures.
type darkroom struct {
	t        *testing.T
	ctx      context.Context
	tab      *browser.Tab
	c        *snapshot.Capture
	sessions map[int]*browser.Session
	shots    int
}

func newDarkroom(t *testing.T, tab *browser.Tab, c *snapshot.Capture) *darkroom {
	ctx := chrometest.Context(t)
	d := &darkroom{t: t, ctx: ctx, tab: tab, c: c, sessions: map[int]*browser.Session{}}
	remote, _ := tab.FrameSessions(ctx)
	for f := range c.Frames {
		if !c.Frames[f].Readable {
			continue
		}
		d.sessions[f] = tab.Session()
		for at := f; at >= 0; at = c.Frames[at].Parent {
			if s := remote[c.Frames[at].ID]; s != nil {
				d.sessions[f] = s
				break
			}
		}
		_, err := d.sessions[f].Eval(ctx, c.Frames[f].ID, litJS)
		require.NoError(t, err)
	}
	return d
}

// light paints an element in its frame and waits until that is on the screen.
func (d *darkroom) light(n *snapshot.Node, ink string, only bool) {
	d.shots++
	for f, s := range d.sessions {
		name := ""
		if f == n.Frame {
			name = n.Attr("data-see")
		}
		if f != n.Frame && f != 0 {
			continue
		}
		_, err := s.Eval(d.ctx, d.c.Frames[f].ID, fmt.Sprintf("light(%q, %q, %v, %d)", name, ink, only, d.shots))
		require.NoError(d.t, err)
	}
	for _, f := range []int{0, n.Frame} {
		require.Eventually(d.t, func() bool {
			text, err := d.sessions[f].Eval(d.ctx, d.c.Frames[f].ID, "String(globalThis.lit)")
			return err == nil && text == fmt.Sprint(d.shots)
		}, 2e10, 1e6)
	}
}

// photo is the picture of a part of the page.
func photo(t testing.TB, tab *browser.Tab, box snapshot.Box) image.Image {
	t.Helper()
	var shot struct {
		Data string `json:"data"`
	}
	require.NoError(t, tab.Session().Call(chrometest.Context(t), "Page.captureScreenshot", map[string]any{"format": "png", "optimizeForSpeed": true,
		"clip": map[string]any{"x": box.X(), "y": box.Y(), "width": box.W(), "height": box.H(), "scale": 1}}, &shot))
	data, err := base64.StdEncoding.DecodeString(shot.Data)
	require.NoError(t, err)
	img, err := png.Decode(bytes.NewReader(data))
	require.NoError(t, err)
	return img
}

// lit counts the pixels that the element's light makes up.
func (d *darkroom) lit(n *snapshot.Node, only bool) int {
	b := n.VisibleBox().Intersect(d.c.Viewport.Box())
	box := snapshot.Box{math.Floor(b.X()), math.Floor(b.Y()), 0, 0}
	box[2], box[3] = math.Ceil(b.Right())-box[0], math.Ceil(b.Bottom())-box[1]
	d.light(n, "white", only)
	white := photo(d.t, d.tab, box)
	d.light(n, "black", only)
	black := photo(d.t, d.tab, box)
	count := 0
	for y := white.Bounds().Min.Y; y < white.Bounds().Max.Y; y++ {
		for x := white.Bounds().Min.X; x < white.Bounds().Max.X; x++ {
			w, k := color.GrayModel.Convert(white.At(x, y)).(color.Gray).Y, color.GrayModel.Convert(black.At(x, y)).(color.Gray).Y
			if int(w)-int(k) > 102 {
				count++
			}
		}
	}
	return count
}

// TestVisibleShareAgainstThePicture: what a capture says of a person's view is what
// the pixels say, in the page, in its frames and in frames of other processes.
func TestVisibleShareAgainstThePicture(t *testing.T) {
	testneed.Long(t, "pages beside their pictures")
	site := framesSite(t)
	worst, sum, elements := 0.0, 0.0, 0
	for _, page := range []string{"glass.html", "over.html", "modal.html"} {
		tab := chrome.Open(t, site+page)
		ctx := chrometest.Context(t)
		res, err := collect.Read(ctx, tab, patient)
		require.NoError(t, err)
		res.Release(ctx)
		c := res.Capture
		require.Empty(t, c.Failed)
		d := newDarkroom(t, tab, c)
		judged := 0
		for i := range c.Nodes {
			n := &c.Nodes[i]
			if n.Attr("data-see") == "" {
				continue
			}
			label := fmt.Sprintf("%s: %s of %s", page, n.Attr("data-see"), c.Frames[n.Frame].URL)
			o := n.Occlusion
			if n.VisibleBox().Intersect(c.Viewport.Box()).Empty() {
				assert.Nil(t, o, label)
				continue
			}
			if !assert.NotNil(t, o, label) {
				continue
			}
			judged++
			whole := d.lit(n, true)
			require.Positive(t, whole, label)
			share := float64(d.lit(n, false)) / float64(whole)
			miss := math.Abs(share - o.VisibleShare)
			sum, worst = sum+miss, max(worst, miss)
			elements++
			limit := 0.05
			if _, guess := n.Attrs["data-guess"]; guess {
				limit = 0.15 // masks, drawings, letters: no style tells how much they cover
			}
			if miss > limit {
				t.Errorf("%s: visibleShare %.3f, in the picture %.3f (of %d pixels); %s, hitShare %.2f", label, o.VisibleShare, share, whole, o.State, o.HitShare)
			}
			if want := n.Attr("data-state"); want != "" {
				_, through := n.Attrs["data-through"]
				assert.Equal(t, want, string(o.State), label)
				assert.Equal(t, through, o.ClickThrough, "%s: clickThrough", label)
			}
			if id := n.Attr("data-coverer"); id != "" && assert.NotNil(t, o.Coverer, label) {
				assert.Equal(t, id, c.Nodes[*o.Coverer].Attr("id"), label)
			}
		}
		t.Logf("%s: %d elements in %d pictures", page, judged, d.shots)
	}
	t.Logf("%d elements: mean error of visibleShare %.4f, worst %.3f", elements, sum/float64(elements), worst)
	require.Greater(t, elements, 60)
	require.LessOrEqual(t, sum/float64(elements), 0.02)
}

// TestFramesOutOfSight: nothing is hit in frames that the viewport does not show, nor
// in the part of a frame that it does not.
func TestFramesOutOfSight(t *testing.T) {
	tab := chrome.Open(t, framesSite(t)+"over.html")
	ctx := chrometest.Context(t)
	res, err := collect.Read(ctx, tab, patient)
	require.NoError(t, err)
	defer res.Release(ctx)
	d := newDarkroom(t, tab, res.Capture)
	for f, fr := range res.Capture.Frames {
		text, err := d.sessions[f].Eval(ctx, fr.ID, `(() => {
			const { hits, seen, view } = globalThis.__refscope.shot; let right = 0, bottom = 0;
			for (let k = 0; k < hits.length; k += 2 + hits[k + 1]) for (let j = k + 3; j < k + 2 + hits[k + 1]; j += 3) { right = Math.max(right, hits[j]); bottom = Math.max(bottom, hits[j + 1]) }
			return [seen.length > 0, hits.length > 0, Math.round(right) <= view.r, Math.round(bottom) <= view.b, Math.round(view.r)].join(' ') })()`)
		require.NoError(t, err)
		switch {
		case strings.HasSuffix(fr.URL, "below"):
			require.Equal(t, "true false true true 0", text, fr.URL)
		case strings.HasSuffix(fr.URL, "half%20out"):
			require.Equal(t, "true true true true 200", text, fr.URL)
		default:
			require.True(t, strings.HasPrefix(text, "true true true true "), "%s: %s", fr.URL, text)
		}
	}
}

// TestADrawnShapeThatPointsIsAControl: the pointer says of a shape in a drawing that it can be pressed, as of any other
// element, once for a group; a drawing in a control is a part of that.
func TestADrawnShapeThatPointsIsAControl(t *testing.T) {
	c := read(t, chrome.Open(t, chrometest.Page(t, `<!doctype html><title>Drawn</title><svg width=600 height=200>
<circle id=kept cx=50 cy=50 r=40 style="cursor:pointer" /><rect x=120 y=10 width=80 height=80 />
<g id=group style="cursor:pointer"><rect x=360 y=10 width=40 height=40 /><text x=362 y=80>Bar 7</text></g></svg>
<button id=button style="cursor:pointer"><svg width=20 height=20><path d="M0 0h20v20z" style="cursor:pointer" /></svg></button>`)))
	var got []string
	for i := range c.Nodes {
		if n := &c.Nodes[i]; n.Verdict == snapshot.VerdictRef {
			got = append(got, n.Attr("id"))
		}
	}
	require.Equal(t, []string{"kept", "group", "button"}, got)
}
