package session_test

import (
	"fmt"
	"image/color"
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/refscope/refscope/assets"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/capture/session"
	"github.com/stretchr/testify/require"
)

// TestAPictureDrawnAheadIsOfTheText: a page whose colour is its text changes at any time while it is captured. A capture
// that is not torn has the picture and the text of one moment, though the picture is asked for before the text is read.
func TestAPictureDrawnAheadIsOfTheText(t *testing.T) {
	tab := chrome.Open(t, chrometest.Page(t, `<!doctype html><title>Turning</title><h1 id=n>0</h1><script>
		let v = 0;
		const turn = () => {
			v = (v + 1) % 250;
			n.textContent = v;
			document.body.style.background = 'rgb(' + v + ', 0, 0)';
			setTimeout(turn, 30 + Math.random() * 1000);
		};
		turn();
	</script>`))
	whole, ahead := 0, 0
	for k := 0; k < 30 || (whole == 0 || ahead == 0) && k < 300; k++ { // a busy machine captures few of them whole
		shot := take(t, tab, session.Options{States: true, AnyCaret: true, Settle: session.Settle{Quiet: time.Millisecond, Beside: true}})
		before, after := shot.States()
		if shot.Capture.Moment.Torn {
			continue
		}
		whole++
		if before.Known() && shot.Holds(before, after) {
			ahead++
		}
		img, err := shot.Image()
		require.NoError(t, err)
		v, err := strconv.Atoi(shot.Capture.ByRef(1).Name)
		require.NoError(t, err)
		require.Equal(t, color.RGBA{uint8(v), 0, 0, 255}, img.RGBAAt(1000, 600), "the text is %d", v)
	}
	require.Positive(t, whole)
	require.Positive(t, ahead, "of %d", whole)
}

// TestAPictureDrawnAheadIsThePicture: on a page where nothing happens it is the picture that is drawn after the reading.
func TestAPictureDrawnAheadIsThePicture(t *testing.T) {
	site := chrometest.Serve(t, http.FileServerFS(assets.Demo()))
	tab := chrome.Tab(t)
	for _, page := range []string{"index.html", "checkout.html", "orders.html", "widgets.html"} {
		chrometest.Load(t, tab, site+page)
		o := session.Options{AnyCaret: true, Settle: session.Settle{Beside: true}}
		after := take(t, tab, o)
		o.States = true
		require.Equal(t, after.Picture, take(t, tab, o).Picture, page)
	}
}

// TestPreparedDocumentsHaveTheCollector: a document that a prepared tab loads, and the first ones inside, can be read
// without the collector being sent; a page of many frames does not get it in all of them.
func TestPreparedDocumentsHaveTheCollector(t *testing.T) {
	url := chrometest.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, "<!doctype html><title>Frames</title><h1>One</h1>")
		for n, _ := strconv.Atoi(r.URL.Query().Get("frames")); n > 0; n-- {
			fmt.Fprintf(w, `<iframe srcdoc="<button>%d</button>"></iframe>`, n)
		}
	}))
	tab := chrome.Tab(t)
	has := func() (n int) {
		frames, err := tab.FramesNow(chrometest.Context(t))
		require.NoError(t, err)
		for _, f := range frames {
			text, err := tab.Session().Eval(chrometest.Context(t), f.ID, `globalThis.__refscope.quick ? 'yes' : ''`)
			require.NoError(t, err)
			if text != "" {
				n++
			}
		}
		return n
	}
	chrometest.Load(t, tab, url)
	require.Zero(t, has(), "nothing is prepared")
	collect.Prepare(tab)
	for frames, want := range map[string]int{"": 1, "?frames=3": 4, "?frames=20": 13} {
		chrometest.Load(t, tab, url+frames)
		require.Eventually(t, func() bool { return has() == want }, time.Minute, 10*time.Millisecond, frames) // it is on its way
		require.NotEmpty(t, take(t, tab, session.Options{NoPicture: true}).Capture.Nodes)
	}
}
