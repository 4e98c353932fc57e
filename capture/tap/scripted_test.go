package tap_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/snapshot/testneed"
)

// livelyHTML is page i of the shop, long enough to scroll, with an animation and a text that
// changes all the time.
func livelyHTML(i int) string {
	return pageHTML(i) + fmt.Sprintf(`<style>@keyframes turn { to { transform: rotate(1turn) } }</style>
<div style="width:60px;height:60px;background:hsl(%d,80%%,40%%);animation:turn 1s linear infinite">go</div><p id=tick>0</p>
<div style="height:1500px">%s</div><script>setInterval(() => tick.textContent = Math.round(performance.now()), 50)</script>`,
		i*71%360, strings.Repeat(fmt.Sprintf("line of department %d<br>", i), 30))
}

// An agent works in one of two tabs while the page scrolls between its picture and its request,
// while something moves on it, and while it goes to another page. Each request is paired with
// the page that it is about; one whose page is on its way out, or was not captured in time, may be paired with none, but
// never with another. REFSCOPE_SLOW=1 asks 300 times, else four.
func TestPairsScriptedAgent(t *testing.T) {
	testneed.Long(t, "an agent of many turns")
	turns := 4
	if os.Getenv("REFSCOPE_SLOW") != "" {
		turns = 300
	}
	ctx := chrometest.Context(t)
	_, b := watched(ctx, t)
	urls := make([]string, 20)
	for i := range urls {
		urls[i] = chrometest.Page(t, livelyHTML(i))
	}
	tabs := []*browser.Tab{chrome.Open(t, urls[0]), chrome.Open(t, urls[19])}
	ask := func(body []byte) error {
		resp, err := http.Post(b.url+"/openai/v1/chat/completions", "application/json", bytes.NewReader(body))
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		_, err = io.Copy(io.Discard, resp.Body)
		return err
	}
	old := look(t, tabs[1], 640)
	right, leaving, leavingRight, late := 0, 0, 0, 0
	for i := range turns {
		ctx := chrometest.Context(t) // each turn has its own time
		tab, page := tabs[i/2%2], urls[(i*7+1)%20]
		require.NoError(t, tab.Navigate(ctx, page))
		v := look(t, tab, []int{640, 1024, 1280}[i%3])
		last := v
		switch i % 7 {
		case 5:
			v.picture = nil
		case 6:
			v.text = "what now?"
		}
		goes := i%4 == 3
		answered := make(chan error, 1)
		switch {
		case i%4 == 1:
			_, err := tab.Session().Eval(ctx, tab.ID(), "scrollTo(0, 60); String(scrollY)")
			require.NoError(t, err)
			fallthrough
		default:
			answered <- ask(v.request(t, old))
		case goes:
			body := v.request(t, old)
			go func() { answered <- ask(body) }()
			require.NoError(t, tab.Navigate(ctx, urls[(i*7+9)%20]))
		}
		require.NoError(t, <-answered)
		r, rec := b.next(t)
		if r.e.Pairing.Paired {
			require.Equal(t, page, rec.Capture.URL, "turn %d is paired wrongly: %+v", i, r.e.Pairing)
		} else if !goes {
			t.Logf("turn %d, kind %d: %+v", i, i%7, r.e.Pairing)
		}
		switch {
		case goes && r.e.Pairing.Paired:
			leavingRight++
			fallthrough
		case goes:
			leaving++
		case r.e.Pairing.Paired:
			right++
		case strings.Contains(r.e.Pairing.Why, "it was not captured in time"): // the machine is that busy
			late++
		}
		old = last
	}
	t.Logf("%d of %d paired with their page, %d captured too late, and %d of %d whose page was leaving; none with another",
		right, turns-leaving, late, leavingRight, leaving)
	require.GreaterOrEqual(t, float64(right), 0.99*float64(turns-leaving-late))
	require.Positive(t, right)
}
