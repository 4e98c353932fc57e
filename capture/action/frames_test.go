package action

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/capture/chrometest"
)

// nest writes a page of buttons and frames in frames. Every button posts its id to the top
// page, so that the test sees which element a click has reached, whatever frame it is in.
type nest struct {
	rng   *rand.Rand
	other string // the same server under another site: a process of its own
	next  int    // the next button
}

func (n *nest) pick(choices ...string) string { return choices[n.rng.IntN(len(choices))] }

// page is a document with buttons and, above the last depth, frames.
func (n *nest) page(depth int) string {
	var b strings.Builder
	b.WriteString(`<!doctype html><meta charset=utf-8><style>button{margin:6px;font:14px sans-serif}iframe{display:block;background:#fff}</style>`)
	fmt.Fprintf(&b, `<body style="margin:%dpx" dir=%s>`, n.rng.IntN(30), n.pick("ltr", "ltr", "rtl"))
	fmt.Fprintf(&b, `<div style="height:%dpx"></div>`, n.rng.IntN(4)*60)
	for range 2 {
		n.button(&b)
	}
	if depth > 0 {
		for range 1 + n.rng.IntN(2) {
			n.frame(&b, depth-1)
		}
	}
	n.button(&b)
	fmt.Fprintf(&b, `<div style="height:%dpx"></div>`, n.rng.IntN(3)*400)
	b.WriteString(`<script>for (const el of document.querySelectorAll('button')) el.addEventListener('click', (e) =>
		top.postMessage('button ' + el.id + (e.isTrusted ? '' : ' by script'), '*'));`)
	fmt.Fprintf(&b, `scrollTo(0, %d)</script>`, n.rng.IntN(3)*70)
	return b.String()
}

func (n *nest) button(b *strings.Builder) {
	width := ""
	if n.rng.IntN(3) == 0 {
		width = ` style="width:90%"` // a wide stranger
	}
	fmt.Fprintf(b, `<button id=b%d%s>Button %d</button>`, n.next, width, n.next)
	n.next++
}

func (n *nest) frame(b *strings.Builder, depth int) {
	style := fmt.Sprintf("width:%dpx;height:%dpx;border:%s;padding:%dpx;margin:%dpx;%s", 380+40*n.rng.IntN(4), 260+40*n.rng.IntN(4),
		n.pick("0", "2px solid", "9px solid", "2.4px solid"), n.rng.IntN(3)*7, n.rng.IntN(3)*10,
		n.pick("", "", "", "transform:scale(.8)", "transform:rotate(4deg)", "transform:translate(13px,9px)", "zoom:.8", "zoom:1.25",
			"box-sizing:border-box", "transform:skewX(5deg)"))
	inner := n.page(depth)
	switch n.pick("srcdoc", "same", "other", "sandbox") {
	case "srcdoc":
		fmt.Fprintf(b, `<iframe style="%s" srcdoc="%s"></iframe>`, style, html.EscapeString(inner))
	case "same":
		fmt.Fprintf(b, `<iframe style="%s" src="/page?html=%s"></iframe>`, style, url.QueryEscape(inner))
	case "other":
		fmt.Fprintf(b, `<iframe style="%s" src="%s/page?html=%s"></iframe>`, style, n.other, url.QueryEscape(inner))
	default:
		fmt.Fprintf(b, `<iframe style="%s" sandbox="allow-scripts" srcdoc="%s"></iframe>`, style, html.EscapeString(inner))
	}
}

// A click reaches the element that is meant and no other, however its frame is nested, moved,
// scaled, turned, zoomed and scrolled (issue 18: a nested frame's offset was added twice).
func TestClicksInRandomFramesReachNoStranger(t *testing.T) {
	testneed.Long(t, "random frames")
	site := httptest.NewUnstartedServer(nil)
	site.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, r.URL.Query().Get("html"))
	})
	site.Config.MaxHeaderBytes = 16 << 20
	site.Start()
	t.Cleanup(site.Close)
	pages := testneed.Cases(8, 8, 200)
	clicked, scripted, refused := 0, 0, 0
	for seed := range pages {
		n := &nest{rng: rand.New(rand.NewPCG(uint64(seed), 7)), other: strings.Replace(site.URL, "127.0.0.1", "localhost", 1)}
		doc := n.page(3)
		tab := chrome.Open(t, site.URL+"/page?html="+url.QueryEscape(doc+
			`<script>window.reached = []; addEventListener('message', (e) => { if (/^button /.test(e.data)) reached.push(e.data); })</script>`))
		p := New(tab)
		ctx := chrometest.Context(t)
		frames, err := p.Frames(ctx)
		require.NoError(t, err)
		for _, f := range frames {
			buttons, err := p.CSS(ctx, f.ID, "button", 100)
			require.NoError(t, err, "page %d", seed)
			for _, el := range buttons {
				var id string
				require.NoError(t, call(ctx, el, "(node) => node.id", nil, &id))
				eval(t, p, "reached.length = 0")
				done, err := p.Click(ctx, el, ClickOptions{Options: Options{Strict: true, Timeout: 2 * time.Second}})
				if err != nil {
					t.Logf("page %d, %s in %s: %v", seed, id, f.URL[:min(40, len(f.URL))], err)
					refused++
					continue
				}
				got := awaitReached(t, ctx, p)
				if len(got) == 1 && got[0] == "button "+id+" by script" {
					t.Logf("page %d, %s at depth %d: by script", seed, id, f.Depth)
					scripted++
					continue
				}
				require.Equal(t, []string{"button " + id}, got, "page %d, frame depth %d, clicked at %v,%v", seed, f.Depth, done.X, done.Y)
				clicked++
			}
		}
	}
	t.Logf("%d clicks by mouse and %d by script reached their element, %d were refused, over %d pages", clicked, scripted, refused, pages)
	require.Greater(t, clicked, 20*(scripted+refused), "nearly every button can be clicked by mouse")
}

// Where a point of the tab lies in a frame is where the frame's own events have it, however zoom and turns are nested.
func TestFramesThatAreZoomedAndTurned(t *testing.T) {
	framed := func(style, inner string) string {
		return fmt.Sprintf(`<!doctype html><body style="margin:0"><iframe style="border:0;display:block;width:400px;height:300px;margin:20px;%s" srcdoc="%s"></iframe>`,
			style, html.EscapeString(inner))
	}
	const turn = "transform:rotate(4deg)"
	leaf := `<!doctype html><script>at = ''; addEventListener('mousemove', (e) => { at = JSON.stringify([e.clientX, e.clientY]); })</script>`
	for name, doc := range map[string]string{
		"zoomed, turned in it":         framed("zoom:.8;width:700px;height:600px", framed(turn, leaf)),
		"turned, zoomed in it":         framed(turn+";width:700px;height:600px", framed("zoom:.8", leaf)),
		"both at once, twice":          framed("zoom:.8;width:600px;height:500px;"+turn, framed("zoom:1.25;"+turn, leaf)),
		"in a zoomed and turned block": framed("zoom:.8;width:600px;height:500px", `<div style="zoom:.9;`+turn+`">`+framed("zoom:1.25;"+turn, leaf)),
	} {
		p, ctx := open(t, doc)
		frames, err := p.Frames(ctx)
		require.NoError(t, err)
		inner := frames[len(frames)-1]
		way, err := p.way(ctx, inner.ID)
		require.NoError(t, err)
		for _, at := range [][2]float64{{150, 200}, {200, 150}, {220, 220}} {
			require.NoError(t, p.MoveTo(ctx, at[0], at[1]))
			text, err := p.Evaluate(ctx, inner.ID, "at")
			require.NoError(t, err)
			var said string
			var seen [2]float64
			require.NoError(t, json.Unmarshal(text, &said))
			require.NoError(t, json.Unmarshal([]byte(said), &seen))
			x, y := toTop(way).Back(at[0], at[1])
			require.InDelta(t, seen[0], x, 1.5, name)
			require.InDelta(t, seen[1], y, 1.5, name)
		}
	}
}

// awaitReached is what the top page has heard of, once there is something.
func awaitReached(t *testing.T, ctx context.Context, p *Page) []string {
	t.Helper()
	var got []string
	text := eval(t, p, `new Promise((done) => {
		const answer = () => done(JSON.stringify(reached));
		if (reached.length) answer(); else addEventListener('message', answer, { once: true });
		setTimeout(answer, 2000); // nothing was reached
	})`)
	require.NoError(t, json.Unmarshal([]byte(text), &got))
	return got
}
