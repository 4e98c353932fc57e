package collect_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestOddDocuments: each is a capture, whatever its document lacks.
func TestOddDocuments(t *testing.T) {
	tab := chrome.Tab(t)
	pixel := "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89\x00\x00\x00\rIDATx\x9cc\xf8\xcf\xc0\xf0\x1f\x00\x05\x00\x01\xff\x89\x99=\x1d\x00\x00\x00\x00IEND\xaeB`\x82"
	for name, c := range map[string]struct{ kind, body, text string }{
		"xml":          {"text/xml", `<?xml version="1.0"?><root><item>in xml</item></root>`, ""},
		"svg":          {"image/svg+xml", `<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"><text x="10" y="40">in svg</text><a href="#"><rect width="50" height="50"/></a></svg>`, ""},
		"image":        {"image/png", pixel, ""},
		"text":         {"text/plain", "plain words", "plain words"},
		"json":         {"application/json", `{"a":1}`, ""},
		"empty":        {"text/html", "", ""},
		"no body":      {"text/html", `<script>document.documentElement.removeChild(document.body || document.createElement('x'))</script>`, ""},
		"no root":      {"text/html", `<body><script>onload = () => document.documentElement.remove()</script>`, ""},
		"root again":   {"text/html", `<body><script>onload = () => { document.documentElement.remove(); document.append(document.createElement('div')); document.documentElement.textContent = 'bare' }</script>`, "bare"},
		"frameset":     {"text/html", `<frameset cols="50%,50%"><frame src="data:text/html,<button>left</button>"><frame src="data:text/html,<button>right</button>"></frameset>`, "right"},
		"xhtml":        {"application/xhtml+xml", `<html xmlns="http://www.w3.org/1999/xhtml"><body><button>strict</button></body></html>`, "strict"},
		"open written": {"text/html", `<body>first<script>onload = () => { document.open(); document.write('<button>written</button>'); document.close() }</script>`, "written"},
		"unclosed":     {"text/html", `<body>first<script>onload = () => { document.open(); document.write('<button>half') }</script>`, "half"},
	} {
		t.Run(name, func(t *testing.T) {
			chrometest.Load(t, tab, chrometest.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", c.kind)
				fmt.Fprint(w, c.body)
			})))
			got := read(t, tab)
			require.Contains(t, texts(got), c.text)
		})
	}
	t.Run("about:blank", func(t *testing.T) {
		got := read(t, chrome.Tab(t))
		require.Equal(t, "about:blank", got.URL)
	})
}

// TestABlockedPageIsOneSentence: an endless loop never gives the thread back.
func TestABlockedPageIsOneSentence(t *testing.T) {
	testneed.Long(t, "pages that hang")
	ctx := chrometest.Context(t)
	openIn := func(t *testing.T, b *browser.Browser, html string) *browser.Tab {
		tab, err := b.OpenTab(ctx)
		require.NoError(t, err)
		require.NoError(t, tab.Navigate(ctx, chrometest.Page(t, html)))
		return tab
	}
	t.Run("a loop", func(t *testing.T) { // its browser ends with it, or the loop would take a core from the others
		tab := openIn(t, ownBrowser(t), `<body>x<script>onload = () => setTimeout(() => { for (;;); }, 50)</script>`)
		require.Eventually(t, func() bool {
			_, err := collect.Read(ctx, tab, collect.Options{Deadline: 300 * time.Millisecond})
			return err != nil
		}, 20*time.Second, 20*time.Millisecond)
		_, err := collect.Read(ctx, tab, collect.Options{Deadline: 300 * time.Millisecond})
		require.ErrorIs(t, err, browser.ErrBusy)
		require.Equal(t, "reading the page: it did not answer within 300ms: "+browser.ErrBusy.Error(), err.Error())
	})
	b := ownBrowser(t)
	open := func(html string) *browser.Tab { return openIn(t, b, html) }

	t.Run("alert in a loop", func(t *testing.T) {
		tab := open(`<body><button>Pay</button><script>onload = () => { let n = 0; setInterval(() => { if (n++ < 30) alert(n) }, 1) }</script>`)
		require.Contains(t, texts(read(t, tab)), "Pay")
	})
	t.Run("a frame whose process crashed", func(t *testing.T) {
		other := strings.Replace(chrometest.Page(t, `<button>in it</button>`), "127.0.0.1", "localhost", 1)
		tab := open(`<body><button>Pay</button><iframe src="` + other + `"></iframe>`)
		c := read(t, tab)
		require.True(t, c.Frames[1].OutOfProcess)
		frames, _ := tab.FrameSessions(ctx)
		require.NoError(t, frames[c.Frames[1].ID].Post(ctx, "Page.crash", struct{}{}))
		<-frames[c.Frames[1].ID].Gone()
		c = read(t, tab)
		require.Contains(t, texts(c), "Pay")
		require.False(t, c.Frames[1].Readable)
		require.NotEmpty(t, c.Frames[1].Why)
		t.Log(c.Frames[1].Why)
	})
	t.Run("the tab crashed", func(t *testing.T) {
		tab := open(`<body><button>Pay</button>`)
		require.NoError(t, tab.Session().Post(ctx, "Page.crash", struct{}{}))
		_, err := collect.Read(ctx, tab, collect.Options{})
		require.ErrorIs(t, err, browser.ErrCrashed)
		require.NotContains(t, err.Error(), "\n")
	})
	t.Run("a frame of another process", func(t *testing.T) {
		stuck := strings.Replace(chrometest.Page(t, `<body>x<script>onload = () => setTimeout(() => { for (;;); }, 50)</script>`), "127.0.0.1", "localhost", 1)
		tab := open(`<body><button>Pay</button><iframe src="` + stuck + `"></iframe>`)
		require.Eventually(t, func() bool {
			res, err := collect.Read(ctx, tab, collect.Options{Deadline: 2 * time.Second})
			if !assert.NoError(t, err) {
				return true
			}
			assert.Contains(t, texts(res.Capture), "Pay")
			return len(res.Capture.Frames) == 2 && strings.Contains(res.Capture.Frames[1].Why, "busy")
		}, 30*time.Second, 20*time.Millisecond)
	})
}

// ownBrowser is one that a test may spoil.
func ownBrowser(t testing.TB) *browser.Browser {
	chrome.Browser(t) // skips where there is none
	b, err := browser.Start(chrometest.Context(t), browser.Options{Flags: chrometest.Flags()})
	require.NoError(t, err)
	t.Cleanup(func() { _ = b.Close() })
	return b
}

// TestManyFrames adds frames all at once: 120, or with $REFSCOPE_SLOW the 998 that
// Chrome allows, which take minutes.
func TestManyFrames(t *testing.T) {
	testneed.Long(t, "many frames")
	count := 120
	if os.Getenv("REFSCOPE_SLOW") != "" {
		count = 998
	}
	tab := chrome.Open(t, chrometest.Page(t, `<body><script>onload = () => { for (let i = 0; i < `+fmt.Sprint(count)+`; i++) { const f = document.createElement('iframe'); f.width = 20; f.height = 10; f.srcdoc = '<button>b' + i + '</button>'; document.body.append(f) } }</script>`))
	// Chrome itself is busy for half a minute with a thousand.
	at, err := tab.Session().FrameTree(chrometest.Context(t))
	require.NoError(t, err)
	require.Len(t, at, count+1)
	began := time.Now()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	res, err := collect.Read(ctx, tab, collect.Options{Deadline: 30 * time.Second})
	require.NoError(t, err)
	c := res.Capture
	took := time.Since(began)
	// It costs time, not truth: each frame has its own button, or a reason.
	require.Len(t, c.Frames, count+1)
	button := map[int]string{}
	for i := range c.Nodes {
		if n := &c.Nodes[i]; n.Tag == "button" {
			button[n.Frame] = n.Text
		}
	}
	readable := 0
	for i, f := range c.Frames[1:] {
		if !f.Readable {
			require.NotEmpty(t, f.Why)
			continue
		}
		readable++
		require.Equal(t, fmt.Sprint("b", i), button[i+1])
	}
	t.Logf("%d of %d frames in %v", readable, len(c.Frames)-1, took)
	require.GreaterOrEqual(t, readable, count*99/100)
}

// TestFramesOutOfTime: frames whose turn does not come in time are listed, and one sentence says how many they are.
func TestFramesOutOfTime(t *testing.T) {
	tab := chrome.Open(t, chrometest.Page(t, strings.Repeat("<iframe srcdoc='<button>in</button>'></iframe>", 20)+"<button>Pay</button>"))
	res, err := collect.Read(t.Context(), tab, collect.Options{Frames: time.Nanosecond})
	require.NoError(t, err)
	c := res.Capture
	require.Contains(t, texts(c), "Pay")
	require.Len(t, c.Frames, 21)
	for _, f := range c.Frames[1:] {
		require.False(t, f.Readable)
		require.Equal(t, "the time for reading frames was over", f.Why)
	}
	require.Equal(t, []snapshot.Failure{{Layer: "frames", Why: "20 of 20 frames were not read: the time for reading frames was over"}}, c.Failed)
}

// TestAFrameThatGoesOn: it moves to another document all the time; what is read is
// one document with its own loader, or the reason why not.
func TestAFrameThatGoesOn(t *testing.T) {
	tab := chrome.Open(t, chrometest.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if r.URL.Path == "/" {
			fmt.Fprint(w, `<body><button>Pay</button><iframe src="/in?0"></iframe>`)
			return
		}
		fmt.Fprint(w, `<button>inner</button><script>setTimeout(() => location.search = '?' + Math.random(), 5)</script>`)
	})))
	for range 10 {
		c := read(t, tab)
		require.Contains(t, texts(c), "Pay")
		require.Len(t, c.Frames, 2)
		if f := c.Frames[1]; f.Readable {
			require.NotEmpty(t, f.Loader)
		} else {
			require.NotEmpty(t, f.Why)
		}
	}
}

func TestHugeTexts(t *testing.T) {
	c := read(t, chrome.Open(t, chrometest.Page(t, `<body><p id=p></p><button>Pay</button><script>p.textContent = 'word '.repeat(4e5); p.setAttribute('data-x', 'y'.repeat(1e7))</script>`)))
	require.Contains(t, texts(c), "Pay")
	require.Less(t, len(texts(c)), 100_000)
}

func TestEndlessMutations(t *testing.T) {
	c := read(t, chrome.Open(t, chrometest.Page(t, `<body><button>Pay</button><div id=d></div><script>setInterval(() => { for (let i = 0; i < 200; i++) d.append(document.createElement('i')); if (d.childNodes.length > 5000) d.textContent = '' }, 0)</script>`)))
	require.Contains(t, texts(c), "Pay")
}

// TestManyAttributes: the browser looks an attribute up by going through those before it, so that a hundred thousand
// would take a minute. The first are read, and what makes an element what it is.
func TestManyAttributes(t *testing.T) {
	many := strings.Builder{}
	for i := range 20_000 {
		fmt.Fprintf(&many, " a%d=%d", i, i)
	}
	c := read(t, chrome.Open(t, chrometest.Page(t, `<a`+many.String()+` href="/pay" aria-label="Pay now">x</a>`)))
	i := slices.IndexFunc(c.Nodes, func(n snapshot.Node) bool { return n.Tag == "a" })
	require.Equal(t, "Pay now", c.Nodes[i].Name)
	require.Equal(t, snapshot.VerdictRef, c.Nodes[i].Verdict)
	require.Equal(t, "/pay", c.Nodes[i].Attrs["href"])
	require.Len(t, c.Nodes[i].Attrs, 1002)
	require.Equal(t, []snapshot.Failure{{
		Layer: "attributes",
		Why:   "an element has 20002 attributes: the first 1,000 were read, and of the rest those that matter to its role and name",
	}}, c.Failed)
}

// TestAttributesThatAScriptNames: HTML finds none by a name with capitals, which only a script can set.
func TestAttributesThatAScriptNames(t *testing.T) {
	c := read(t, chrome.Open(t, chrometest.Page(t, `<button id=b>x</button><script>
		b.setAttributeNS(null, 'Data-State', 'ready');
		b.setAttributeNS('http://www.w3.org/1999/xlink', 'xlink:title', 'linked');
	</script>`)))
	i := slices.IndexFunc(c.Nodes, func(n snapshot.Node) bool { return n.Tag == "button" })
	require.Equal(t, map[string]string{"id": "b", "Data-State": "ready", "xlink:title": "linked"}, c.Nodes[i].Attrs)
}

// TestCutOff: a page with more elements than are read says so.
func TestCutOff(t *testing.T) {
	tab := chrome.Open(t, chrometest.Page(t, strings.Repeat("<button>b</button>", 50)+"<a href=/>last</a>"))
	res, err := collect.Read(t.Context(), tab, collect.Options{MaxNodes: 40})
	require.NoError(t, err)
	require.Equal(t, "reading ended at the limit of 40 elements: what follows them is not in the capture", res.Capture.CutOff())
	require.Empty(t, read(t, tab).CutOff())
}

// TestWhatIsTypedTearsTheMoment: what a field holds changes without a mutation, and the picture shows it.
func TestWhatIsTypedTearsTheMoment(t *testing.T) {
	tab := chrome.Open(t, chrometest.Page(t, `<input id=i><input type=checkbox id=c>
		<select id=s><option>a<option>b</select><textarea id=t></textarea>`))
	for _, change := range []string{"0", "i.value = 'x'", "c.checked = true", "s.selectedIndex = 1", "t.value = 'y'"} {
		res, err := collect.Read(t.Context(), tab, collect.Options{})
		require.NoError(t, err)
		_, err = tab.Session().Eval(t.Context(), tab.ID(), change+"; ''")
		require.NoError(t, err)
		m, err := res.Moment(t.Context())
		require.NoError(t, err)
		require.Equal(t, change != "0", m.Torn, change)
		res.Release(t.Context())
	}
}

// TestHundredThousandElements: none is missing, and no deadline cut anything.
func TestHundredThousandElements(t *testing.T) {
	testneed.Long(t, "a page of 100,000 elements")
	const rows = 12_500
	tab := chrome.Open(t, chrometest.Page(t, chrometest.Rows(rows)))
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	res, err := collect.Read(ctx, tab, collect.Options{})
	require.NoError(t, err)
	require.NoError(t, res.Identify(ctx))
	m, err := res.Moment(ctx)
	require.NoError(t, err)
	require.False(t, m.Torn)
	c := res.Capture
	require.Empty(t, c.Failed)
	require.Greater(t, len(c.Nodes), 100_000)
	ships := 0
	for i := range c.Nodes {
		n := &c.Nodes[i]
		require.NotEmpty(t, n.Verdict)
		if n.Name == "Ship" {
			ships++
			require.Positive(t, n.BackendNodeID)
		}
	}
	require.Equal(t, rows, ships)
}

// BenchmarkGrowth is the cost of a capture against the number of elements.
func BenchmarkGrowth(b *testing.B) {
	for _, rows := range []int{1430, 2850, 5700, 14280} {
		b.Run(fmt.Sprintf("rows=%d", rows), func(b *testing.B) {
			tab := chrome.Open(b, chrometest.Page(b, chrometest.Rows(rows)))
			ctx := chrometest.Context(b)
			nodes := 0
			for b.Loop() {
				res, err := collect.Read(ctx, tab, collect.Options{})
				require.NoError(b, err)
				res.Release(ctx)
				nodes = len(res.Capture.Nodes)
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(nodes), "µs/element")
			b.ReportMetric(float64(nodes), "elements")
		})
	}
}
