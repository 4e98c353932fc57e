package session_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"strings"
	"testing"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/device"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/stretchr/testify/require"
)

// bandHeight is the height in CSS px of one band of the pages here. Every band has a
// colour of its own, so each row of a picture tells where on the page it was taken.
const bandHeight = 50

func bandColor(k int) color.RGBA { return color.RGBA{uint8(k), uint8(k >> 8), 77, 255} }

// bands is a stretch of page of that height, with a link in every tenth band.
func bands(height int) string {
	var b strings.Builder
	for k := range height / bandHeight {
		c := bandColor(k)
		fmt.Fprintf(&b, `<div style="height:%dpx;background:rgb(%d,%d,%d)">`, bandHeight, c.R, c.G, c.B)
		if k%10 == 3 {
			fmt.Fprintf(&b, `<a href=#%d style="margin-left:200px">to %d</a>`, k, k)
		}
		b.WriteString(`</div>`)
	}
	return b.String()
}

// requireBands checks that rows of the picture, image px, hold the bands from the
// one at the first row on. Column x has nothing but the bands.
func requireBands(t *testing.T, img *image.RGBA, scale float64, x, from, to int) {
	t.Helper()
	for y := from; y < to; y++ {
		want := bandColor(int(float64(y-from)/scale) / bandHeight)
		if got := img.RGBAAt(x, y); got != want {
			require.Equal(t, want, got, "row %d of %v", y, img.Rect.Size())
		}
	}
}

// windowOf is what the page says of its window.
func windowOf(t *testing.T, tab *browser.Tab) string {
	t.Helper()
	out, err := tab.Session().Eval(chrometest.Context(t), tab.ID(), `[innerWidth, innerHeight, devicePixelRatio, scrollX, scrollY].join(' ')`)
	require.NoError(t, err)
	return out
}

func takeFull(t *testing.T, tab *browser.Tab) (*snapshot.Capture, *image.RGBA) {
	t.Helper()
	shot := take(t, tab, session.Options{FullPage: true})
	img, err := shot.Image()
	require.NoError(t, err)
	require.NotNil(t, shot.Capture.FullPage)
	return shot.Capture, img
}

func byText(t *testing.T, c *snapshot.Capture, text string) *snapshot.Node {
	t.Helper()
	for i := range c.Nodes {
		if c.Nodes[i].Text == text {
			return &c.Nodes[i]
		}
	}
	require.Fail(t, "no element has the text", text)
	return nil
}

func whysOf(c *snapshot.Capture) (out []string) {
	for _, f := range c.Failed {
		if f.Layer == "full page" {
			out = append(out, f.Why)
		}
	}
	return out
}

// Chrome leaves rows of large pictures white without saying so. Row by row, nothing is
// missing, twice or out of place.
func TestFullPageOfATallPage(t *testing.T) {
	tab := chrome.Open(t, chrometest.Page(t, `<!doctype html><body style="margin:0">`+bands(40_000)))
	c, img := takeFull(t, tab)
	require.Equal(t, image.Pt(1280, 40_000), img.Rect.Size())
	require.Equal(t, snapshot.Viewport{Width: 1280, Height: 40_000, Scale: 1}, c.Viewport)
	require.Equal(t, snapshot.FullPage{Window: snapshot.Viewport{Width: 1280, Height: 720, Scale: 1}, Layout: [2]float64{1280, 40_000}}, *c.FullPage)
	requireBands(t, img, 1, 5, 0, 40_000)
	links := 0
	for i := range c.Nodes {
		if n := &c.Nodes[i]; n.Tag == "a" {
			links++
			require.True(t, n.InViewport)
			require.NotNil(t, n.Occlusion, "everything can be hit in a window that holds it")
		}
	}
	require.Equal(t, 80, links)
	require.Empty(t, whysOf(c))
	require.False(t, c.Moment.Torn)
	require.Equal(t, "1280 720 1 0 0", windowOf(t, tab))
}

func TestFullPageOnADenseScreen(t *testing.T) {
	testneed.Long(t, "dense screens")
	b := chrome.Browser(t)
	dense, err := browser.Start(chrometest.Context(t), browser.Options{Attach: b.Endpoint(), Width: 1000, Height: 600, Scale: 2})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, dense.Close()) })
	tab, err := dense.OpenTab(chrometest.Context(t))
	require.NoError(t, err)
	t.Cleanup(func() { _ = tab.Close(context.WithoutCancel(t.Context())) }) // the browser may be gone
	require.NoError(t, tab.Navigate(chrometest.Context(t), chrometest.Page(t, `<!doctype html><body style="margin:0">`+bands(9_050))))
	c, img := takeFull(t, tab)
	require.Equal(t, image.Pt(2000, 18_100), img.Rect.Size())
	require.Equal(t, 2.0, c.Viewport.Scale)
	requireBands(t, img, 2, 5, 0, 18_100)
	require.Equal(t, "1000 600 2 0 0", windowOf(t, tab))
}

// A header that stays, sticky or fixed, and a footer are in the picture once: at the
// top and the bottom of the page.
func TestFullPageHasWhatStaysOnce(t *testing.T) {
	red, blue, green := color.RGBA{255, 0, 0, 255}, color.RGBA{0, 0, 255, 255}, color.RGBA{0, 255, 0, 255}
	tab := chrome.Open(t, chrometest.Page(t, `<!doctype html><body style="margin:0">
		<header style="position:sticky;top:0;height:50px;background:#f00;margin-bottom:0">head</header>`+bands(5_000)+`
		<aside style="position:fixed;top:100px;right:0;width:80px;height:60px;background:#0f0"><button>aside</button></aside>
		<footer style="position:fixed;bottom:0;left:0;right:0;height:40px;background:#00f"><button>foot</button></footer><script>scrollTo(0, 2222)</script>`))
	c, img := takeFull(t, tab)
	require.Equal(t, image.Pt(1280, 5_050), img.Rect.Size())
	count := func(want color.RGBA, x int) (n, first int) {
		first = -1
		for y := range img.Rect.Dy() {
			if img.RGBAAt(x, y) == want {
				if n++; first < 0 {
					first = y
				}
			}
		}
		return n, first
	}
	n, first := count(red, 600)
	require.Equal(t, [2]int{50, 0}, [2]int{n, first})
	n, first = count(blue, 600)
	require.Equal(t, [2]int{40, 5_010}, [2]int{n, first})
	n, first = count(green, 1279)
	require.Equal(t, [2]int{60, 100}, [2]int{n, first})
	require.Equal(t, snapshot.Clear, byText(t, c, "foot").Occlusion.State)
	require.Equal(t, [2]float64{0, 2222}, c.FullPage.Scroll)
	require.Equal(t, "1280 720 1 0 2222", windowOf(t, tab))
}

// What hangs over to the side is in the picture, without the page being laid out for a
// wider window; nothing can be hit there.
func TestFullPageIsAsWideAsThePage(t *testing.T) {
	tab := chrome.Open(t, chrometest.Page(t, `<!doctype html><body style="margin:0"><div id=w style="background:#0f0">wide</div>
		<div style="position:absolute;left:2000px;top:1500px;width:500px;background:#f00;height:40px"><button>far</button></div><button>near</button>
		<input autocomplete="cc-number" value="4111111111111111" style="position:absolute;left:1200px;top:300px;width:200px;height:40px;border:0">`))
	c, img := takeFull(t, tab)
	require.Equal(t, image.Pt(2500, 1540), img.Rect.Size())
	require.Equal(t, color.RGBA{255, 0, 0, 255}, img.RGBAAt(2499, 1530))
	require.Equal(t, color.RGBA{0, 255, 0, 255}, img.RGBAAt(1279, 2), "the page is laid out as in its own window")
	require.NotEqual(t, color.RGBA{0, 255, 0, 255}, img.RGBAAt(1281, 2))
	far, near := byText(t, c, "far"), byText(t, c, "near")
	require.True(t, far.InViewport)
	require.Nil(t, far.Occlusion)
	require.NotNil(t, near.Occlusion)
	require.False(t, c.Moment.Torn)
	require.Equal(t, img.RGBAAt(1202, 302), img.RGBAAt(1398, 338), "a secret is filled flat beyond the window as well")
	require.NotEqual(t, color.RGBA{255, 255, 255, 255}, img.RGBAAt(1398, 338))
	require.Equal(t, "1280 720 1 0 0", windowOf(t, tab))
}

func TestFullPageOfWhatIsHiddenAtTheSide(t *testing.T) {
	tab := chrome.Open(t, chrometest.Page(t, `<!doctype html><body style="margin:0;overflow-x:hidden"><p style="height:1000px">page</p><nav style="position:absolute;left:1280px;top:0;width:400px">menu</nav>`))
	c, _ := takeFull(t, tab)
	require.Equal(t, 1280.0, c.Viewport.Width, "nobody can scroll there")
}

// Margins that hang over: the window is not enlarged again and again for them.
func TestFullPageOfForgottenMargins(t *testing.T) {
	tab := chrome.Open(t, chrometest.Page(t, `<!doctype html><style>html, body { height: 100% } body { margin: 0 0 19px; width: calc(100% + 9px) }</style><div style="height:2000px;background:#0f0">long</div><main style="height:100%;margin:19px 0 0">x</main>`))
	c, img := takeFull(t, tab)
	require.Equal(t, 1280, img.Rect.Dx())
	require.Equal(t, 9.0, c.FullPage.Cut[0])
	require.NotEmpty(t, whysOf(c))
}

// A page that is laid out by the window's height would become taller with every window.
func TestFullPageOfScreensByTheWindowsHeight(t *testing.T) {
	tab := chrome.Open(t, chrometest.Page(t, `<!doctype html><body style="margin:0"><section style="height:100vh;background:#f00"><button>top</button></section>`+bands(3_000)+`<button>last</button>`))
	c, img := takeFull(t, tab)
	require.Equal(t, color.RGBA{255, 0, 0, 255}, img.RGBAAt(5, 719))
	requireBands(t, img, 1, 5, 720, 3_720)
	require.Equal(t, [2]float64{1280, 720}, c.FullPage.Layout)
	require.Len(t, whysOf(c), 1)
	require.NotNil(t, byText(t, c, "top").Occlusion)
	require.False(t, c.Moment.Torn)
	require.Nil(t, byText(t, c, "last").Occlusion)
	require.True(t, byText(t, c, "last").InViewport)
	require.Equal(t, "1280 720 1 0 0", windowOf(t, tab))
}

// More comes as the window reaches it: twice here, and then there is no more.
func TestFullPageWaitsForWhatComes(t *testing.T) {
	tab := chrome.Open(t, chrometest.Page(t, `<!doctype html><body style="margin:0"><main></main><i id=end style="display:block;height:1px"></i><script>
		let n = 0; const more = () => { const p = document.createElement('p'); p.style.cssText = 'height:1500px;margin:0;background:rgb(9,9,' + n + ')'; p.textContent = 'part ' + n; document.querySelector('main').append(p) }
		more(); new IntersectionObserver((e) => { if (e[0].isIntersecting && ++n < 3) setTimeout(more, 100) }).observe(end)</script>`))
	c, img := takeFull(t, tab)
	require.NotNil(t, byText(t, c, "part 2").Occlusion)
	require.Equal(t, 4501, img.Rect.Dy())
	require.Empty(t, whysOf(c))
}

// A feed without an end is taken up to a bound, and what is left is said.
func TestFullPageOfAnEndlessPage(t *testing.T) {
	testneed.Long(t, "endless pages")
	tab := chrome.Open(t, chrometest.Page(t, `<!doctype html><body style="margin:0"><main></main><script>
		const fill = () => { while (document.body.offsetHeight < innerHeight + 2000) { const p = document.createElement('p'); p.style.cssText = 'height:500px;margin:0'; p.textContent = 'item'; document.querySelector('main').append(p) } }
		fill(); addEventListener('resize', fill)</script>`))
	c, img := takeFull(t, tab)
	require.Equal(t, c.FullPage.Layout[1], float64(img.Rect.Dy()))
	require.Greater(t, c.FullPage.Layout[1], 5000.0)
	require.LessOrEqual(t, c.FullPage.Layout[1], float64(session.MaxFullHeight))
	require.Positive(t, c.FullPage.Cut[1])
	require.Len(t, whysOf(c), 1)
	require.Contains(t, whysOf(c)[0], "not in the picture")
	require.Equal(t, "1280 720 1 0 0", windowOf(t, tab))
}

func TestFullPageIsBounded(t *testing.T) {
	tab := chrome.Tab(t)
	require.NoError(t, tab.Emulate(chrometest.Context(t), &device.Device{Width: 320, Height: 720})) // the height is bounded
	require.NoError(t, tab.Navigate(chrometest.Context(t), chrometest.Page(t,
		`<!doctype html><body style="margin:0"><div style="height:400000px;background:#0f0"></div><button>last</button>`)))
	c, img := takeFull(t, tab)
	require.Equal(t, session.MaxFullHeight, img.Rect.Dy())
	require.Equal(t, color.RGBA{0, 255, 0, 255}, img.RGBAAt(5, session.MaxFullHeight-1))
	require.InDelta(t, 350_000, c.FullPage.Cut[1], 100)
	require.False(t, byText(t, c, "last").InViewport)
}

// An application whose page does not scroll but a part of it does.
func TestFullPageOfAnInnerScroller(t *testing.T) {
	tab := chrome.Open(t, chrometest.Page(t, `<!doctype html><body style="margin:0"><div style="display:flex;flex-direction:column;height:100vh"><header>head</header>
		<main id=m style="overflow-y:auto;flex:1"><div style="height:3000px">long</div><button>last</button></main></div>
		<textarea id=t style="position:absolute;right:0;top:0;height:40px">`+strings.Repeat("line\n", 50)+`</textarea><script>m.scrollTop = 333; t.scrollTop = 77</script>`))
	c, _ := takeFull(t, tab)
	require.NotNil(t, byText(t, c, "last").Occlusion)
	require.Greater(t, c.Viewport.Height, 3000.0)
	where, err := tab.Session().Eval(chrometest.Context(t), tab.ID(), `m.scrollTop + ' ' + t.scrollTop`)
	require.NoError(t, err)
	require.Equal(t, "333 77", where)
}

// The window of a tab that we were only attached to is the same afterwards: also after
// a take that is broken off, and where another program has given it its size.
func TestFullPageGivesTheWindowBack(t *testing.T) {
	b := chrome.Browser(t)
	open := func(t *testing.T) (*chrometest.Plain, string, *browser.Tab) {
		plain := chrometest.DialPlain(t, b)
		var made struct {
			TargetID string `json:"targetId"`
		}
		ctx := chrometest.Context(t)
		require.NoError(t, plain.Call(ctx, "", "Target.createTarget", map[string]any{"url": chrometest.Page(t, `<!doctype html><body style="margin:0">`+bands(3_000)+`<script>onload = () => scrollTo(0, 500)</script>`)}, &made))
		t.Cleanup(func() {
			_ = plain.Call(context.WithoutCancel(t.Context()), "", "Target.closeTarget", map[string]any{"targetId": made.TargetID}, nil)
		})
		session, err := plain.Attach(ctx, made.TargetID)
		require.NoError(t, err)
		other, err := browser.Start(ctx, browser.Options{Attach: b.Endpoint()})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, other.Close()) })
		tab, err := other.AttachTab(ctx, made.TargetID)
		require.NoError(t, err)
		require.NoError(t, plain.Eval(ctx, session, `new Promise((done) => { const look = () => document.readyState === 'complete' && scrollY === 500 ? done(1) : setTimeout(look, 20); look() })`, nil))
		return plain, session, tab
	}
	says := func(t *testing.T, plain *chrometest.Plain, session string) (out string) {
		require.NoError(t, plain.Eval(chrometest.Context(t), session, `[innerWidth, innerHeight, outerWidth, screen.width, devicePixelRatio, scrollX, scrollY].join(' ')`, &out))
		return out
	}
	t.Run("its own window", func(t *testing.T) {
		plain, session, tab := open(t)
		before := says(t, plain, session)
		c, _ := takeFull(t, tab)
		require.Equal(t, 3_000.0, c.Viewport.Height)
		require.Equal(t, before, says(t, plain, session))
	})
	t.Run("another program's", func(t *testing.T) {
		plain, session, tab := open(t)
		require.NoError(t, plain.Call(chrometest.Context(t), session, "Emulation.setDeviceMetricsOverride", map[string]any{"width": 900, "height": 500, "deviceScaleFactor": 1.5, "mobile": false}, nil))
		before := windowOf(t, tab)
		require.True(t, strings.HasPrefix(before, "900 500 1.5 "), before)
		c, img := takeFull(t, tab)
		require.Equal(t, 1.5, c.Viewport.Scale)
		require.Equal(t, image.Pt(1350, 4500), img.Rect.Size())
		requireBands(t, img, 1.5, 5, 0, 4500)
		require.Equal(t, before, windowOf(t, tab))
	})
	t.Run("broken off", func(t *testing.T) {
		plain, page, tab := open(t)
		before := says(t, plain, page)
		for _, at := range []string{"enlarge", "collect", "picture"} {
			ctx, cancel := context.WithCancel(chrometest.Context(t))
			_, err := session.Take(ctx, tab, session.Options{FullPage: true, Progress: func(stage string) {
				if stage == at {
					cancel()
				}
			}})
			cancel()
			require.ErrorIs(t, err, context.Canceled, at)
			require.Equal(t, before, says(t, plain, page), at)
		}
	})
}

func TestFullPageIsTheSameTwice(t *testing.T) {
	tab := chrome.Open(t, chrometest.Page(t, `<!doctype html><body style="margin:0">`+bands(2_000)+`<input autofocus value="caret"><select><option>a</select>`))
	first, second := take(t, tab, session.Options{FullPage: true}), take(t, tab, session.Options{FullPage: true})
	require.True(t, bytes.Equal(first.Picture, second.Picture), "the pictures differ")
	a, err := json.Marshal(first.Capture.Nodes)
	require.NoError(t, err)
	b, err := json.Marshal(second.Capture.Nodes)
	require.NoError(t, err)
	require.JSONEq(t, string(a), string(b))
}
