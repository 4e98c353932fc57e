package session_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image/color"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/stretchr/testify/require"
)

var chrome chrometest.Chrome

func TestMain(m *testing.M) { os.Exit(chrome.Main(m)) }

func take(t testing.TB, tab *browser.Tab, o session.Options) *session.Shot {
	t.Helper()
	shot, err := session.Take(chrometest.Context(t), tab, o)
	require.NoError(t, err)
	return shot
}

func TestTakeIsOneMoment(t *testing.T) {
	shot := take(t, chrome.Open(t, chrometest.Page(t, `<title>Calm</title><h1>Hello</h1><button>Go</button>`)), session.Options{})
	c := shot.Capture
	require.True(t, c.Settled)
	require.False(t, c.Moment.Torn)
	require.Equal(t, c.Moment.LayoutBefore, c.Moment.LayoutAfter)
	require.Equal(t, snapshot.Viewport{Width: 1280, Height: 720, Scale: 1}, c.Viewport)
	img, err := shot.Image()
	require.NoError(t, err)
	require.Equal(t, 1280, img.Bounds().Dx())
	require.Equal(t, 720, img.Bounds().Dy())
	require.Equal(t, 1, c.ByRef(1).Ref)
	require.Equal(t, "h1", c.ByRef(1).Tag)
	require.Equal(t, "button", c.ByRef(2).Tag)
}

// backendNodeIds take the browser as long as the walk: they are asked for where something needs them.
func TestNodeIDsWhereAskedFor(t *testing.T) {
	url := chrometest.Page(t, `<title>Ids</title><h1>Hello</h1><button>Go</button>`)
	store, err := turn.Create(t.Context(), turn.Dir(t.TempDir()), "ids")
	require.NoError(t, err)
	defer store.Close()
	for name, o := range map[string]session.Options{
		"none": {}, "asked for": {NodeIDs: true}, "kept": {Store: store}, "written to the page": {PageWrites: session.PageWrites{DebugSurface: true}},
	} {
		o.NoPicture = true
		n := take(t, chrome.Open(t, url), o).Capture.ByRef(2)
		require.Equal(t, "button", n.Tag)
		require.Equal(t, name != "none", n.BackendNodeID != 0, name)
	}
}

// The parts of a turn's time add up to its total, also where it was torn and taken again.
func TestTimingsAddUp(t *testing.T) {
	pages := map[string]string{
		"calm":       `<h1>Hello</h1><button>Go</button>`,
		"with frame": `<iframe srcdoc="<button>in</button>"></iframe><div id=h></div><script>h.attachShadow({mode:'closed'}).innerHTML='<b>x</b>'</script>`,
		"torn":       `<p>busy</p><i id=i></i><script>setInterval(() => i.textContent = Math.random(), 5)</script>`,
	}
	for name, html := range pages {
		t.Run(name, func(t *testing.T) {
			tab := chrome.Open(t, chrometest.Page(t, html))
			at := take(t, tab, session.Options{Settle: session.Settle{Max: 500 * time.Millisecond}}).Capture.Timings
			sum := 0.0
			for _, p := range at.Parts {
				require.NotEmpty(t, p.Name)
				sum += p.Ms
			}
			require.InEpsilon(t, at.Total, sum, 0.05, "%+v", at)
			require.Greater(t, len(at.Parts), 10)
		})
	}
}

// A page that nothing can change is not waited for, however long quiet would have to be.
func TestSettleOfStillPages(t *testing.T) {
	tab := chrome.Tab(t)
	for name, p := range map[string]struct {
		html  string
		still bool
	}{
		"nothing but text":         {`<h1>Calm</h1><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" alt="">`, true},
		"data in a script element": {`<p>x</p><script type="application/ld+json">{}</script>`, true},
		"a script":                 {`<p>x</p><script>1</script>`, false},
		"one that took itself out": {`<p>x</p><script>document.currentScript.remove()</script>`, false},
		"a handler":                {`<p>x</p><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" alt="" onload="1">`, false},
		"a frame":                  {`<p>x</p><iframe srcdoc="<p>in"></iframe>`, false},
		"a shadow tree":            {`<div><template shadowrootmode=open><p>in</p></template></div>`, false},
		"an animation":             {`<style>@keyframes a{to{opacity:0}} p{animation:a 60s}</style><p>x</p>`, false},
		"a move to another page":   {`<meta http-equiv=Refresh content="60;url=/"><p>x</p>`, false},
	} {
		t.Run(name, func(t *testing.T) {
			wait := session.Settle{Quiet: time.Hour, Network: time.Hour, Max: 300 * time.Millisecond}
			if p.still {
				wait.Max = time.Minute
			}
			chrometest.Load(t, tab, chrometest.Page(t, `<!doctype html><title>Still</title>`+p.html))
			require.Equal(t, p.still, take(t, tab, session.Options{Settle: wait, NoPicture: true}).Capture.Settled)
		})
	}
}

func TestSettle(t *testing.T) {
	pages := map[string]struct {
		html    string
		settled bool
		want    string // in the text of the capture
	}{
		"late content is waited for":    {`<p id=p>early</p><script>setTimeout(() => p.textContent = 'late', 200)</script>`, true, "late"},
		"steps within quiet restart it": {`<p id=p>0</p><script>let n = 0; const i = setInterval(() => { p.textContent = ++n; if (n === 5) clearInterval(i) }, 150)</script>`, true, "5"},
		"endless changes":               {`<p>busy</p><i id=i></i><script>setInterval(() => i.title = Math.random(), 50)</script>`, false, "busy"},
		"a request that does not end":   {`<p>waits</p><script>fetch('/hang')</script>`, false, "waits"},
	}
	for name, p := range pages {
		t.Run(name, func(t *testing.T) {
			end := make(chan struct{})
			url := chrometest.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/hang" {
					select {
					case <-r.Context().Done():
					case <-end:
					}
					return
				}
				w.Header().Set("Content-Type", "text/html")
				fmt.Fprint(w, p.html)
			}))
			t.Cleanup(func() { close(end) })
			shot := take(t, chrome.Open(t, url), session.Options{Settle: session.Settle{Max: 1500 * time.Millisecond}, NoPicture: true})
			require.Equal(t, p.settled, shot.Capture.Settled)
			var texts []string
			for _, n := range shot.Capture.Nodes {
				texts = append(texts, n.Text)
			}
			require.Contains(t, texts, p.want)
		})
	}
}

// A page that was quiet for as long before the call is settled, though the call may not wait so long itself.
func TestQuietBeforeTheCallCounts(t *testing.T) {
	tab := chrome.Open(t, chrometest.Page(t, `<p>calm<script>0</script>`)) // a script could change it
	quiet := session.Settle{Quiet: 500 * time.Millisecond, Max: time.Minute, Network: time.Millisecond}
	require.True(t, take(t, tab, session.Options{NoPicture: true, Settle: quiet}).Capture.Settled)
	quiet.Max = 100 * time.Millisecond
	require.True(t, take(t, tab, session.Options{NoPicture: true, Settle: quiet}).Capture.Settled, "it was quiet before")
	quiet.Quiet = time.Hour
	require.False(t, take(t, tab, session.Options{NoPicture: true, Settle: quiet}).Capture.Settled, "but not for an hour")
}

func TestAPageThatChangesWhileItIsTakenIsTorn(t *testing.T) {
	shot := take(t, chrome.Open(t, chrometest.Page(t, `<p>busy</p><i id=i></i><script>
		const step = () => { i.title = Math.random(); requestAnimationFrame(step) }; step()</script>`)), session.Options{Settle: session.Settle{Max: 100 * time.Millisecond}})
	require.True(t, shot.Capture.Moment.Torn)
	require.Positive(t, shot.Capture.Moment.MutationsDuring)
	require.False(t, shot.Capture.Settled)
}

func TestRefsLastInASession(t *testing.T) {
	tab := chrome.Open(t, chrometest.Page(t, `<button id=a>A</button><button id=b>B</button>`))
	dir := t.TempDir()
	store, err := turn.OpenOrCreate(chrometest.Context(t), turn.Dir(dir), "test")
	require.NoError(t, err)
	first := take(t, tab, session.Options{Store: store, Action: "first"})
	_, err = tab.Session().Eval(chrometest.Context(t), tab.ID(), `document.body.prepend(document.createElement('button')); a.remove(); ''`)
	require.NoError(t, err)
	second := take(t, tab, session.Options{Store: store, Action: "second"})
	require.Equal(t, 1, first.N)
	require.Equal(t, 2, second.N)
	refs := func(c *snapshot.Capture) (out []string) {
		for i := range c.Nodes {
			if n := &c.Nodes[i]; n.Tag == "button" {
				out = append(out, fmt.Sprint(n.Ref, n.Name))
			}
		}
		return out
	}
	require.Equal(t, []string{"1A", "2B"}, refs(first.Capture))
	require.Equal(t, []string{"3", "2B"}, refs(second.Capture), "a number is never used again")

	rec, err := store.Load(chrometest.Context(t), 1)
	require.NoError(t, err)
	want, err := json.Marshal(first.Capture)
	require.NoError(t, err)
	got, err := json.Marshal(rec.Capture)
	require.NoError(t, err)
	require.JSONEq(t, string(want), string(got))
	require.Equal(t, first.Picture, rec.Picture)
}

func TestSecretsReachNeitherDiskNorPicture(t *testing.T) {
	tab := chrome.Open(t, chrometest.Page(t, `<body style="margin:0"><input autocomplete="cc-number" value="4111111111111111" style="position:absolute;left:20px;top:20px;width:200px;height:40px;border:0">
		<input type=password value="s3cr3t-word" style="position:absolute;left:20px;top:100px;width:200px;height:40px">`))
	dir := t.TempDir()
	store, err := turn.OpenOrCreate(chrometest.Context(t), turn.Dir(dir), "test")
	require.NoError(t, err)
	shot := take(t, tab, session.Options{Store: store})
	img, err := shot.Image()
	require.NoError(t, err)
	corner := img.RGBAAt(22, 22)
	require.NotEqual(t, color.RGBA{255, 255, 255, 255}, corner, "the box is filled")
	for _, x := range []int{21, 218} {
		for _, y := range []int{21, 58} {
			require.Equal(t, corner, img.RGBAAt(x, y), "flat from corner to corner")
		}
	}
	rec, err := store.Load(chrometest.Context(t), 1)
	require.NoError(t, err)
	data, err := json.Marshal(rec.Capture)
	require.NoError(t, err)
	for _, secret := range []string{"4111111111111111", "s3cr3t-word"} {
		require.NotContains(t, string(data), secret)
		require.NoError(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			raw, err := os.ReadFile(path)
			require.False(t, bytes.Contains(raw, []byte(secret)), path)
			return err
		}))
	}
}

func TestScrolledPictureIsTheVisiblePart(t *testing.T) {
	tab := chrome.Open(t, chrometest.Page(t, `<body style="margin:0"><div style="height:1000px;background:#f00"></div><div style="height:1000px;background:#00f"></div><script>scrollTo(0, 1000)</script>`))
	shot := take(t, tab, session.Options{})
	require.Equal(t, 1000.0, shot.Capture.Scroll.Y)
	img, err := shot.Image()
	require.NoError(t, err)
	require.Equal(t, color.RGBA{0, 0, 255, 255}, img.RGBAAt(5, 5))
}

// TestPictureOfAPageThatBeginsAtTheRight: it is scrolled to the left, to below 0, where it is wider than the window;
// also where columns go from right to left, and where they go up.
func TestPictureOfAPageThatBeginsAtTheRight(t *testing.T) {
	testneed.Long(t, "pages from right to left")
	for name, html := range map[string]string{
		"right to left": `<!doctype html><html dir=rtl><body style="margin:0"><div style="width:3000.5px;height:50px;background:#0f0"></div><button style="position:absolute;right:400px;top:100px;width:80px;height:40px;border:0;background:#f00">Buy</button>`,
		"columns":       `<!doctype html><html style="writing-mode:vertical-rl"><body style="margin:0"><div style="width:3000.5px;height:50px;background:#0f0"></div><button style="position:absolute;right:400px;top:100px;width:80px;height:40px;border:0;background:#f00">Buy</button>`,
	} {
		for _, x := range []float64{0, -300, -99_999} {
			t.Run(fmt.Sprint(name, x), func(t *testing.T) {
				tab := chrome.Open(t, chrometest.Page(t, html+fmt.Sprintf(`<script>scrollTo(%g, 0)</script>`, x)))
				shot := take(t, tab, session.Options{})
				require.LessOrEqual(t, shot.Capture.Scroll.X, 0.0)
				img, err := shot.Image()
				require.NoError(t, err)
				require.Equal(t, color.RGBA{0, 255, 0, 255}, img.RGBAAt(640, 5))
				if x == -99_999 {
					return
				}
				box := byText(t, shot.Capture, "Buy").Box
				require.Equal(t, color.RGBA{255, 0, 0, 255}, img.RGBAAt(int(box.X())+1, int(box.Y())+1))
				require.Equal(t, color.RGBA{255, 0, 0, 255}, img.RGBAAt(int(box.Right())-2, int(box.Bottom())-2))
				require.NotEqual(t, color.RGBA{255, 0, 0, 255}, img.RGBAAt(int(box.X())-2, int(box.Y())+1))
			})
		}
		t.Run("full "+name, func(t *testing.T) {
			c, img := takeFull(t, chrome.Open(t, chrometest.Page(t, html)))
			require.Equal(t, 1280.0, c.Viewport.Width)
			box := byText(t, c, "Buy").Box
			require.Equal(t, color.RGBA{255, 0, 0, 255}, img.RGBAAt(int(box.X())+1, int(box.Y())+1))
			require.Contains(t, strings.Join(whysOf(c), " "), "to the left of where it begins")
		})
	}
}

func TestCancelledTakeWritesNothing(t *testing.T) {
	tab := chrome.Open(t, chrometest.Page(t, `<p>x`))
	store, err := turn.OpenOrCreate(chrometest.Context(t), turn.Dir(t.TempDir()), "test")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(chrometest.Context(t))
	_, err = session.Take(ctx, tab, session.Options{Store: store, Progress: func(stage string) {
		if stage == "picture" {
			cancel()
		}
	}})
	require.ErrorIs(t, err, context.Canceled)
	list, damage, err := store.List(chrometest.Context(t))
	require.NoError(t, err)
	require.Empty(t, list)
	require.Empty(t, damage)
}
