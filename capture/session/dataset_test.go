package session_test

import (
	"encoding/json"
	"fmt"
	"image"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/device"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/overlay/dataset"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/refscope/refscope/snapshot/testpages"
)

// hitJS answers, for a list of {path, x, y}, whether the browser hits the element of the path, something in it or its
// label at the point; and for each also whether it does in the middle of the element's getBoundingClientRect.
const hitJS = `((list) => {
  const inner = (el) => { try { return el.contentDocument } catch { return null } };
  const deep = (x, y) => {
    let root = document, hit = null;
    for (;;) {
      const el = root.elementFromPoint(x, y);
      if (!el || el === hit) return hit;
      hit = el;
      if (el.shadowRoot) { root = el.shadowRoot; continue }
      const doc = /^i?frame$/.test(el.localName) && inner(el);
      if (!doc) return hit;
      const b = el.getBoundingClientRect();
      x -= b.x + el.clientLeft; y -= b.y + el.clientTop; root = doc;
    }
  };
  const up = (el) => {
    const parent = Object.getOwnPropertyDescriptor(Node.prototype, 'parentNode').get.call(el);
    if (!parent) return null;
    if (parent.nodeType === 11) return parent.host || null;
    return parent.nodeType === 9 ? parent.defaultView?.frameElement || null : parent;
  };
  const inside = (el, hit) => { for (; hit; hit = up(hit)) if (hit === el) return true; return false };
  const own = (el, hit) => !!hit && (inside(el, hit) || [...(el.labels || [])].some((l) => inside(l, hit)));
  const find = (path) => {
    let root = document, el = null, dx = 0, dy = 0;
    for (const part of path.split(/ (?=>>>|\|>) ?/)) {
      const frame = part.startsWith('|>');
      if (frame) { const b = el.getBoundingClientRect(); dx += b.x + el.clientLeft; dy += b.y + el.clientTop; root = inner(el) }
      else if (part.startsWith('>>>')) root = el.shadowRoot;
      if (!root) return null;
      el = root.querySelector(part.replace(/^(>>>|\|>) /, ''));
      if (!el) return null;
    }
    return [el, dx, dy];
  };
  return JSON.stringify(list.map(({ path, x, y }) => {
    const found = find(path);
    if (!found) return [-1, -1, ''];
    const [el, dx, dy] = found, b = el.getBoundingClientRect(), hit = deep(x, y);
    return [own(el, hit) ? 1 : 0, own(el, deep(b.x + dx + b.width / 2, b.y + dy + b.height / 2)) ? 1 : 0,
      hit ? hit.localName + '.' + hit.className : 'nothing'];
  }));
})(%s)`

// TestLabelsHitTheirElements: the middle of the box of each target of a data set is on the element, in the browser
// itself, on three devices. REFSCOPE_SLOW=1 takes all saved pages. The figure for getBoundingClientRect is of all
// elements in view, as a set that is made of those boxes has them.
func TestLabelsHitTheirElements(t *testing.T) {
	phone, _ := device.Find("iphone-14")
	looks := []*device.Device{{Width: 1280, Height: 720}, &phone, {Width: 1920, Height: 1080}}
	slow := os.Getenv("REFSCOPE_SLOW") != ""
	o := dataset.Defaults(dataset.ScreenSpotPro)
	var all, hits, raw, rawHits, ambiguous, pages, gone int
	for _, kind := range testpages.Kinds() {
		folders := testpages.Folders(t, kind)
		if !slow {
			folders = folders[:1]
		}
		for _, folder := range folders {
			site := chrometest.Folder(t, folder.Path)
			for _, page := range folder.Pages(t) {
				pages++
				if pages%testneed.Cases(3, 1, 1) != 0 {
					continue
				}
				tab := chrome.Tab(t)
				of := looks
				if !slow {
					of = looks[pages%2 : pages%2+1]
				}
				for _, look := range of {
					ctx := chrometest.Context(t)
					require.NoError(t, tab.Emulate(ctx, look))
					require.NoError(t, tab.Navigate(ctx, site+page))
					c := take(t, tab, session.Options{NoPicture: true, Settle: session.Settle{Quiet: 100 * time.Millisecond}}).Capture
					scale := look.Scale
					if scale == 0 {
						scale = 1
					}
					size := image.Pt(int(c.Viewport.Width*scale+0.5), int(c.Viewport.Height*scale+0.5))
					scene := dataset.Scene(c, size, o)
					list := dataset.Label(c, scene, nil, o)
					sx, sy := scene.Scale()
					said := map[string]bool{}
					type ask struct {
						Path string  `json:"path"`
						X    float64 `json:"x"`
						Y    float64 `json:"y"`
					}
					var targets, naive []ask
					for _, e := range list {
						a := ask{e.Path, (float64(e.Box[0]) + float64(e.Box[2])/2) / sx, (float64(e.Box[1]) + float64(e.Box[3])/2) / sy}
						if e.Operable && e.Status != dataset.Outside && e.Status != dataset.Redacted {
							naive = append(naive, a)
						}
						if !e.Operable || e.Status != dataset.Visible {
							continue
						}
						targets = append(targets, a)
						for _, p := range e.Phrases {
							if said[p.Text] {
								ambiguous++
							}
							said[p.Text] = true
						}
					}
					got, _ := hitAll(t, tab, targets)
					for i, h := range got {
						switch {
						case h.own < 0:
							gone++ // in a closed root, or a frame of another process
							continue
						case h.own == 0:
							t.Logf("%s/%s on %dx%d: at %.1f,%.1f is %s and not %s", folder.Name, page, look.Width, look.Height,
								targets[i].X, targets[i].Y, h.hit, targets[i].Path)
						}
						all++
						hits += h.own
					}
					_, boxes := hitAll(t, tab, naive)
					for _, h := range boxes {
						if h >= 0 {
							raw++
							rawHits += h
						}
					}
				}
			}
		}
	}
	require.NotZero(t, all)
	t.Logf("%d pages, %d looks: %d of %d targets are hit in the middle (%.2f %%); with getBoundingClientRect %d of %d (%.2f %%); "+
		"%d could not be asked; ambiguous %d", pages, len(looks), hits, all, 100*float64(hits)/float64(all), rawHits, raw,
		100*float64(rawHits)/float64(raw), gone, ambiguous)
	require.GreaterOrEqual(t, float64(hits), 0.995*float64(all))
	require.Zero(t, ambiguous)
}

type hitAnswer struct {
	own int
	hit string
}

// hitAll asks the browser about places; own is of the places, raw of the middles of getBoundingClientRect, -1 where the
// element cannot be found.
func hitAll[T any](t *testing.T, tab *browser.Tab, places []T) (own []hitAnswer, raw []int) {
	t.Helper()
	if len(places) == 0 {
		return nil, nil
	}
	list, err := json.Marshal(places)
	require.NoError(t, err)
	out, err := tab.Session().Eval(chrometest.Context(t), tab.ID(), fmt.Sprintf(hitJS, list))
	require.NoError(t, err)
	var rows [][3]any
	require.NoError(t, json.Unmarshal([]byte(out), &rows))
	require.Len(t, rows, len(places))
	for _, r := range rows {
		own = append(own, hitAnswer{int(r[0].(float64)), fmt.Sprint(r[2])})
		raw = append(raw, int(r[1].(float64)))
	}
	return own, raw
}
