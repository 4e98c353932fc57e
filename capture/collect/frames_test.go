package collect_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// framesSite serves testdata; OTHER in its pages is the same site under another
// name, so that Chrome gives it a process of its own.
func framesSite(t testing.TB) string {
	var self string
	self = chrometest.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/denied.html" {
			w.Header().Set("X-Frame-Options", "DENY")
			fmt.Fprint(w, "<button>never</button>")
			return
		}
		data, err := os.ReadFile(filepath.Join("testdata", filepath.Base(r.URL.Path)))
		if err != nil {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, strings.ReplaceAll(string(data), "OTHER", strings.Replace(self, "127.0.0.1", "localhost", 1)))
	}))
	return self
}

func picture(t testing.TB, tab *browser.Tab) image.Image {
	t.Helper()
	var shot struct {
		Data string `json:"data"`
	}
	require.NoError(t, tab.Session().Call(chrometest.Context(t), "Page.captureScreenshot", map[string]any{"format": "png"}, &shot))
	data, err := base64.StdEncoding.DecodeString(shot.Data)
	require.NoError(t, err)
	img, err := png.Decode(bytes.NewReader(data))
	require.NoError(t, err)
	return img
}

func press(t testing.TB, tab *browser.Tab, at [2]float64) {
	t.Helper()
	for _, kind := range []string{"mousePressed", "mouseReleased"} {
		require.NoError(t, tab.Session().Call(chrometest.Context(t), "Input.dispatchMouseEvent",
			map[string]any{"type": kind, "x": at[0], "y": at[1], "button": "left", "clickCount": 1}, nil))
	}
}

// TestEveryFrame: each control of each frame has a ref, its box lies on it on the
// picture (each has a red of its own), and a click by ref arrives.
func TestEveryFrame(t *testing.T) {
	tab := chrome.Open(t, framesSite(t)+"frames.html")
	ctx := chrometest.Context(t)
	res, err := collect.Read(ctx, tab, collect.Options{})
	require.NoError(t, err)
	require.NoError(t, res.Identify(ctx))
	res.Release(ctx)
	c := res.Capture
	turn.NewLedger().Assign(tab.ID(), 1, c)
	img := picture(t, tab)
	want := map[string]int{"top": 10, "same": 20, "cross": 30, "open": 40, "closed": 50, "srcdoc": 60, "sandboxed": 70, "halved": 80, "doubled": 90,
		"turned": 100, "scrolled": 110, "object": 120, "embed": 130, "zoomed": 140, "blank": 150,
		"near3": 163, "near2": 162, "far1": 201, "far0": 200, "far3": 203, "far2": 202, "near1": 161, "near0": 160}
	found := map[string]*snapshot.Node{}
	for i := range c.Nodes {
		if n := &c.Nodes[i]; n.Tag == "button" {
			found[n.Name] = n
		}
	}
	for name, red := range want {
		n := found[name]
		if !assert.NotNil(t, n, name) {
			continue
		}
		assert.NotZero(t, n.Ref, name)
		assert.NotZero(t, n.BackendNodeID, name)
		x, y := n.Box.Center()
		r, g, b, _ := img.At(int(x), int(y)).RGBA()
		assert.Equal(t, [3]uint32{uint32(red), 0, 0}, [3]uint32{r >> 8, g >> 8, b >> 8}, "%s: the box %v lies on something else", name, n.Box)
		// The box ends where the control does: outside it the colour is another.
		if name != "turned" {
			for _, p := range [][2]float64{{n.Box.X() - 2, y}, {n.Box.X() + n.Box.W() + 2, y}, {x, n.Box.Y() - 2}, {x, n.Box.Y() + n.Box.H() + 2}} {
				r, _, _, _ := img.At(int(p[0]), int(p[1])).RGBA()
				assert.NotEqual(t, uint32(red), r>>8, "%s: the box %v is too small", name, n.Box)
			}
		}
		if assert.NotNil(t, n.Occlusion, name) {
			assert.Equal(t, snapshot.Clear, n.Occlusion.State, "%s %v", name, n.Occlusion.Points)
		}
	}
	for _, f := range c.Frames {
		t.Logf("%-60.60s readable %-5v oop %-5v offset %v scale %v %s", f.URL, f.Readable, f.OutOfProcess, f.Offset, f.Scale, f.Why)
		switch {
		case strings.Contains(f.URL, "denied"), strings.Contains(f.URL, ":1/"), strings.Contains(f.URL, "?none"):
			assert.False(t, f.Readable, f.URL)
			assert.NotEmpty(t, f.Why, f.URL)
		default:
			assert.True(t, f.Readable, "%s: %s", f.URL, f.Why)
		}
	}
	for name, n := range found {
		if name == "sandboxed" || name == "srcdoc" || n.Occlusion == nil {
			continue // their scripts do not run, so they cannot tell
		}
		press(t, tab, n.Occlusion.Click)
		require.Eventually(t, func() bool {
			info, err := tab.Info(ctx)
			return err == nil && strings.HasSuffix(" "+info.Title, " "+name)
		}, 3e9, 2e7, name)
	}
}

// What lies in the document of an inert frame is inert, in whatever depth and process, and nothing else is: an open
// modal dialog is free of what is around it.
func TestInertFrames(t *testing.T) {
	var self string
	self = chrometest.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		other := strings.Replace(self, "127.0.0.1", "localhost", 1)
		switch r.URL.Path {
		case "/free":
			fmt.Fprint(w, `<!doctype html><button id=beside>beside</button>`)
		case "/inner":
			fmt.Fprint(w, `<!doctype html><button id=inner>inner</button>`)
		case "/middle":
			fmt.Fprintf(w, `<!doctype html><button id=middle>middle</button><iframe src="%sinner"></iframe>`, self)
		default:
			fmt.Fprintf(w, `<!doctype html><title>t</title><iframe inert src="%smiddle"></iframe><iframe src="%sfree"></iframe>
				<div inert><button id=quiet>quiet</button><dialog id=d><button id=free>free</button><p inert><button id=still>still</button></p></dialog></div>
				<script>d.showModal()</script>`, other, self)
		}
	}))
	c := read(t, chrome.Open(t, self))
	for id, want := range map[string]bool{"inner": true, "middle": true, "beside": false, "quiet": true, "free": false, "d": false, "still": true} {
		require.Equal(t, want, byID(t, c, id).States.Is("inert"), id)
	}
}

// A frame may be mirrored, turn its back or be left out of the picture by itself: what is in it is where it is drawn, and
// nothing of it where it is not.
func TestFramesAreAsTheyAreDrawn(t *testing.T) {
	frame := func(style, name string) string {
		return `<iframe width=200 height=60 style="border:0;vertical-align:top;` + style + `" srcdoc="<style>body{margin:8px}button{border:0;` +
			`width:50px;height:20px}</style><button id=` + name + `>Pay</button>"></iframe>`
	}
	const away = "transform:rotateY(180deg);backface-visibility:hidden"
	tab := chrome.Open(t, chrometest.Page(t, `<!doctype html><style>body{margin:0}</style>`+frame("", "plain")+
		frame("transform:scaleX(-1)", "mirrored")+frame("rotate:180deg", "turned")+frame("transform:scale(1,-1)", "upended")+
		`<br>`+frame("content-visibility:hidden", "left-out")+frame(away, "away")+frame("content-visibility:auto", "auto")+
		`<img id=picture alt=Back style="`+away+`" width=50 height=50 src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'/>">`))
	boxes := map[string]snapshot.Box{"plain": {8, 8, 50, 20}, "mirrored": {342, 8, 50, 20}, "turned": {542, 32, 50, 20},
		"upended": {608, 32, 50, 20}, "auto": {408, 68, 50, 20}}
	c := read(t, tab)
	found := map[string]*snapshot.Node{}
	for n, id := range marked(c, "id") {
		found[id] = n
	}
	for id, box := range boxes {
		require.Contains(t, found, id)
		n := found[id]
		require.Equal(t, box, n.Box, id)
		require.NotNil(t, n.Occlusion, id)
		require.Equal(t, snapshot.Clear, n.Occlusion.State, id)
		require.Equal(t, [2]float64{box.X() + box.W()/2, box.Y() + box.H()/2}, n.Occlusion.Click, id)
	}
	require.NotContains(t, found, "left-out")
	for _, id := range []string{"away", "picture"} {
		require.Equal(t, snapshot.VerdictTurned, found[id].WhyUnseen(), id)
	}
}
