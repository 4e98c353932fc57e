package tap_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/jpeg"
	"io"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/image/draw"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/capture/tap"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/doctor"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/refscope/refscope/snapshot/turn"
)

var chrome chrometest.Chrome

func TestMain(m *testing.M) { os.Exit(chrome.Main(m)) }

// agentView is what an agent sends of a page: a text, a picture, or both.
type agentView struct {
	text    string
	picture []byte // JPEG
}

// look makes an agent's view of a tab, as one with its own tools would: the picture is scaled
// to width px.
func look(t *testing.T, tab *browser.Tab, width int) agentView {
	t.Helper()
	shot, err := session.Take(chrometest.Context(t), tab, session.Options{})
	require.NoError(t, err)
	doc, err := format.Render(shot.Capture, format.Aria, format.Options{})
	require.NoError(t, err)
	img, err := shot.Image()
	require.NoError(t, err)
	scaled := image.NewRGBA(image.Rect(0, 0, width, width*img.Rect.Dy()/img.Rect.Dx()))
	draw.CatmullRom.Scale(scaled, scaled.Rect, img, img.Rect, draw.Src, nil)
	var b bytes.Buffer
	require.NoError(t, jpeg.Encode(&b, scaled, &jpeg.Options{Quality: 70}))
	return agentView{doc.Text, b.Bytes()}
}

// request is a body of openai-chat with an old page in the history.
func (v agentView) request(t *testing.T, old agentView) []byte {
	t.Helper()
	content := func(v agentView) []map[string]any {
		list := []map[string]any{{"type": "text", "text": "Go on. The page:\n" + v.text}}
		if v.picture != nil {
			list = append(list, map[string]any{"type": "image_url", "image_url": map[string]string{
				"url": "data:image/jpeg;base64," + base64.StdEncoding.EncodeToString(v.picture)}})
		}
		return list
	}
	body, err := json.Marshal(map[string]any{"model": "m", "messages": []map[string]any{
		{"role": "system", "content": "You operate a browser."},
		{"role": "user", "content": content(old)},
		{"role": "assistant", "content": "I click on it."},
		{"role": "user", "content": content(v)},
	}})
	require.NoError(t, err)
	return body
}

// pageHTML is page i of a shop; no two share more than the frame around the products.
func pageHTML(i int) string {
	words := strings.Fields("lamp chair kettle novel compass garden violin rocket pencil saddle anchor basket candle drawer engine feather")
	var b strings.Builder
	fmt.Fprintf(&b, `<title>Shop %d</title><body style="font:16px sans-serif;background:hsl(%d,60%%,95%%)"><h1>Department %[1]d</h1>`, i, i*37%360)
	for k := range 6 + i%5 {
		fmt.Fprintf(&b, `<div style="margin:%dpx;padding:%dpx;background:hsl(%d,50%%,60%%)">%s %s %d <button>Add %d</button></div>`,
			4+(i*k)%30, 4+(i+3*k)%24, (i*53+k*31)%360, words[(i*5+k)%16], words[(i*3+k*7)%16], i*100+k, k)
	}
	return b.String()
}

// watched is a tap before a vendor that gives each request the same answer, with a watcher of the shared browser.
func watched(ctx context.Context, t *testing.T) (*tap.Watcher, *bench) {
	t.Helper()
	return watchedBefore(ctx, t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		_, _ = io.WriteString(w, chatAnswer)
	})
}

// watchedBefore is [watched] before a vendor of the test's own.
func watchedBefore(ctx context.Context, t *testing.T, vendor http.HandlerFunc) (*tap.Watcher, *bench) {
	t.Helper()
	own, err := browser.Start(ctx, browser.Options{Attach: chrome.Browser(t).Endpoint()})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, own.Close()) })
	watcher := tap.Watch(own, nil, nil)
	t.Cleanup(func() { watcher.Close(context.Background()) })
	return watcher, newBench(t, tap.Options{Watcher: watcher}, vendor)
}

// An agent works in one of two tabs; each request is paired with the capture of the tab and
// page that it is about, or with none: a page that is gone, and a question about nothing.
func TestPairsRequestsWithPages(t *testing.T) {
	testneed.Long(t, "requests with many pages")
	ctx := chrometest.Context(t)
	watcher, b := watched(ctx, t)
	const asked = 12
	pages := make([]string, 13)
	for i := range pages {
		pages[i] = chrometest.Page(t, pageHTML(i))
	}
	tabs := []*browser.Tab{chrome.Open(t, pages[0]), chrome.Open(t, pages[12])}
	ask := func(body []byte) (recorded, string, bool) {
		resp, err := http.Post(b.url+"/openai/v1/chat/completions", "application/json", bytes.NewReader(body))
		require.NoError(t, err)
		_, err = io.Copy(io.Discard, resp.Body)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		r, rec := b.next(t)
		return r, rec.Capture.URL, len(rec.Picture) > 0
	}
	old := look(t, tabs[1], 640)
	for i := range asked {
		tab := tabs[i%2]
		url := pages[i]
		require.NoError(t, tab.Navigate(ctx, url))
		v := look(t, tab, []int{640, 1024, 1280}[i%3])
		last := v
		switch i % 3 {
		case 1:
			v.picture = nil
		case 2:
			v.text = "what now?"
		}
		r, paired, picture := ask(v.request(t, old))
		require.True(t, r.e.Pairing.Paired, "page %d: %+v", i, r.e.Pairing)
		require.Equal(t, url, paired, "page %d: %+v", i, r.e.Pairing)
		require.True(t, picture)
		old = last
	}
	// Two tabs that show the same are one page.
	require.NoError(t, tabs[0].Navigate(ctx, pages[asked-1]))
	v := look(t, tabs[0], 1024)
	r, paired, _ := ask(v.request(t, old))
	require.True(t, r.e.Pairing.Paired, "%+v", r.e.Pairing)
	require.Equal(t, pages[asked-1], paired)
	r, _, picture := ask([]byte(`{"model":"m","messages":[{"role":"user","content":"What is the capital of France?"}]}`))
	require.False(t, r.e.Pairing.Paired)
	require.False(t, picture)

	require.NoError(t, tabs[0].Navigate(ctx, pages[10]))
	gone := look(t, tabs[0], 800)
	require.Eventually(t, func() bool { return watcher.Keeps(tabs[0].ID()) == pages[10] }, time.Minute,
		10*time.Millisecond, "a page is kept once it is quiet")
	require.NoError(t, tabs[0].Navigate(ctx, chrometest.Page(t, `<title>Other</title><h1>Imprint</h1><p>Nothing of a shop is in here.`)))
	r, paired, _ = ask(gone.request(t, old))
	require.True(t, r.e.Pairing.Paired, "%+v", r.e.Pairing)
	require.Equal(t, pages[10], paired)
	require.Equal(t, turn.BeforeRequest, r.e.Pairing.Moment)
	r, _, _ = ask(gone.request(t, old)) // it is remembered for one request
	require.False(t, r.e.Pairing.Paired, "%+v", r.e.Pairing)
	require.Contains(t, r.e.Pairing.Why, "neither its texts nor its picture")
}

// An agent that closes its tab, or its browser, before it asks its model has the page as it was; one that starts another
// browser, or works in several tabs of two at once, has the page that each request is about.
func TestSeveralBrowsers(t *testing.T) {
	testneed.Long(t, "several browsers")
	ctx := chrometest.Context(t)
	watcher, b := watched(ctx, t)
	second, err := browser.Start(ctx, browser.Options{Flags: chrometest.Flags()})
	require.NoError(t, err)
	t.Cleanup(func() { _ = second.Close() }) // a part of the test closes it
	other, err := browser.Start(ctx, browser.Options{Attach: second.Endpoint()})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, other.Close()) })
	watcher.Add(other)
	watcher.Add(other) // is one browser
	open := func(in *browser.Browser, i int) (*browser.Tab, string, agentView) {
		tab, err := in.OpenTab(ctx)
		require.NoError(t, err)
		t.Cleanup(func() { _ = tab.Close(context.Background()) }) // the test closes some
		url := chrometest.Page(t, pageHTML(i))
		require.NoError(t, tab.Navigate(ctx, url))
		v := look(t, tab, 800)
		require.Eventually(t, func() bool { return watcher.Keeps(tab.ID()) == url }, time.Minute, 10*time.Millisecond,
			"a page of a new tab is kept")
		return tab, url, v
	}
	ask := func(v agentView) (recorded, string) {
		resp, err := http.Post(b.url+"/openai/v1/chat/completions", "application/json", bytes.NewReader(v.request(t, agentView{})))
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		r, rec := b.next(t)
		return r, rec.Capture.URL
	}
	first := chrome.Browser(t)
	tabs := map[string]*browser.Tab{}
	views := map[string]agentView{}
	for i, in := range []*browser.Browser{first, second, first, second} {
		tab, url, v := open(in, 2+i)
		tabs[url], views[url] = tab, v
	}
	var work sync.WaitGroup
	for _, v := range views { // at once
		work.Go(func() {
			resp, err := http.Post(b.url+"/openai/v1/chat/completions", "application/json",
				bytes.NewReader(v.request(t, agentView{})))
			if err == nil {
				_ = resp.Body.Close()
			}
		})
	}
	work.Wait()
	seen := map[string]bool{}
	for range views {
		r, rec := b.next(t)
		require.True(t, r.e.Pairing.Paired, "%+v", r.e.Pairing)
		require.Empty(t, r.e.Pairing.Moment)
		seen[rec.Capture.URL] = true
		_, n, _ := strings.Cut(rec.Capture.Title, "Shop ")
		require.Contains(t, string(rec.Payloads[0].Bytes), "Department "+n)
	}
	require.Len(t, seen, len(views))

	urls := slices.Sorted(maps.Keys(views))
	at := slices.IndexFunc(urls, func(url string) bool { return tabs[url].Browser() == first })
	require.NoError(t, tabs[urls[at]].Close(ctx))
	r, url := ask(views[urls[at]])
	require.True(t, r.e.Pairing.Paired, "%+v", r.e.Pairing)
	require.Equal(t, urls[at], url)
	require.Equal(t, turn.BeforeRequest, r.e.Pairing.Moment)
	r, _ = ask(views[urls[at]])
	require.False(t, r.e.Pairing.Paired, "it is remembered for one request: %+v", r.e.Pairing)

	at = slices.IndexFunc(urls, func(url string) bool { return tabs[url].Browser() == second })
	require.NoError(t, second.Close())
	<-other.Done()
	r, url = ask(views[urls[at]])
	require.True(t, r.e.Pairing.Paired, "%+v", r.e.Pairing)
	require.Equal(t, urls[at], url)
	require.Equal(t, turn.BeforeRequest, r.e.Pairing.Moment)
}

// askBasket sends a request that lists a basket with the button e6, "Remove tea".
func (b *bench) askBasket(t *testing.T) {
	t.Helper()
	v := agentView{text: "- heading \"Basket of Ada\" [ref=e2]\n- button \"Pay now\" [ref=e3]\n- button \"Keep shopping\" [ref=e4]\n" +
		"- button \"Ask for help\" [ref=e5]\n- button \"Remove tea\" [ref=e6]"}
	resp, err := http.Post(b.url+"/openai/v1/chat/completions", "application/json", bytes.NewReader(v.request(t, v)))
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
}

// An element that the request lists and that left the page since has the place that it had.
func TestRemovedElementsHaveTheirLastBox(t *testing.T) {
	ctx := chrometest.Context(t)
	watcher, b := watched(ctx, t)
	url := chrometest.Page(t, `<title>Basket</title><h1>Basket of Ada</h1><button>Pay now</button><button>Keep shopping</button>
<button>Ask for help</button><button id=b style="position:absolute;left:40px;top:300px;width:90px;height:30px">Remove tea</button>`)
	tab := chrome.Open(t, url)
	require.NoError(t, watcher.Prepare(ctx))
	require.Eventually(t, func() bool { return watcher.Keeps(tab.ID()) == url }, time.Minute, 10*time.Millisecond)
	_, err := tab.Session().Eval(ctx, tab.ID(), "document.getElementById('b').remove(); ''")
	require.NoError(t, err)
	b.askBasket(t)
	r, rec := b.next(t)
	require.True(t, r.e.Pairing.Paired, "%+v", r.e.Pairing)
	require.Len(t, r.e.Removed, 1)
	require.Equal(t, "e6", r.e.Removed[0].Ref)
	require.Equal(t, [4]float64{40, 300, 90, 30}, r.e.Removed[0].Box)
	report, err := doctor.New(doctor.Options{}).Examine(rec)
	require.NoError(t, err)
	lines := report.Knows().ByRef("e6")
	require.Len(t, lines, 1)
	require.True(t, lines[0].Gone)
	require.NotNil(t, lines[0].Was)
	require.Equal(t, r.e.Removed[0].Box, lines[0].Was.Box)
}

// The capture of a page that its tab leaves meanwhile becomes one of the next page: that one's load brings no second.
func TestOneCaptureOfALoadedPage(t *testing.T) {
	ctx := chrometest.Context(t)
	watcher, b := watched(ctx, t)
	slow := chrometest.Page(t, `<title>Busy</title><p>Busy</p><script>
setInterval(() => { document.querySelector('p').textContent = Math.random() }, 20)</script>`)
	url := chrometest.Page(t, `<title>Basket</title><h1>Basket of Ada</h1><button>Pay now</button><button>Keep shopping</button>
<button>Ask for help</button><button id=b>Remove tea</button>`)
	tab := chrome.Open(t, slow)
	require.NoError(t, watcher.Prepare(ctx))
	require.NoError(t, tab.Navigate(ctx, url))
	require.Eventually(t, func() bool { return watcher.Keeps(tab.ID()) == url }, time.Minute, time.Millisecond)
	_, err := tab.Session().Eval(ctx, tab.ID(), "document.getElementById('b').remove(); ''")
	require.NoError(t, err)
	for range 3 { // as long as a second capture would take
		_, err = session.Take(ctx, tab, session.Options{})
		require.NoError(t, err)
	}
	b.askBasket(t)
	r, _ := b.next(t)
	require.True(t, r.e.Pairing.Paired, "%+v", r.e.Pairing)
	require.Len(t, r.e.Removed, 1)
	require.Equal(t, "e6", r.e.Removed[0].Ref)
}

// A request that comes while the page that has loaded is being read waits for that reading: a second one of a large page
// may be too late for it.
func TestAPageThatIsBeingReadIsReadOnce(t *testing.T) {
	ctx := chrometest.Context(t)
	watcher, _ := watched(ctx, t)
	url := chrometest.Page(t, `<title>Icons</title><ul></ul><script>
document.querySelector('ul').innerHTML = '<li><a href=#>Icon</a>'.repeat(8000)</script>`)
	tab := chrome.Open(t, "about:blank")
	require.NoError(t, watcher.Prepare(ctx))
	require.NoError(t, tab.Navigate(ctx, url))
	require.Eventually(t, watcher.Reading, time.Minute, time.Millisecond)
	asked := time.Now()
	pages := see(ctx, watcher)
	require.Len(t, pages, 1)
	require.NoError(t, pages[0].Err)
	require.False(t, pages[0].Gone)
	require.True(t, pages[0].Capture.TakenAt.Before(asked), "taken %v after it was asked for", pages[0].Capture.TakenAt.Sub(asked))
	require.False(t, watcher.Reading())
}

// see are the pages that a watcher sees now.
func see(ctx context.Context, w *tap.Watcher) []tap.Page {
	var mu sync.Mutex
	last := map[string]tap.Page{}
	w.CapturePages(ctx, nil, func(p tap.Page) {
		mu.Lock()
		defer mu.Unlock()
		last[p.Tab] = p
	})
	return slices.Collect(maps.Values(last))
}

// A watcher changes nothing that a page can see, and leaves a hidden tab hidden.
func TestWatcherDoesNotTouch(t *testing.T) {
	ctx := chrometest.Context(t)
	own, err := browser.Start(ctx, browser.Options{Attach: chrome.Browser(t).Endpoint()})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, own.Close()) })
	watcher := tap.Watch(own, nil, nil)
	tab := chrome.Open(t, chrometest.Page(t, `<title>Calm</title><button>Go</button><script>
window.events = [];
for (const type of ['focus', 'blur', 'resize', 'scroll', 'visibilitychange', 'mousemove']) addEventListener(type, () => events.push(type), true);
document.addEventListener('visibilitychange', () => events.push('visibility'));
new MutationObserver((list) => events.push('mutation ' + list[0].target.nodeName)).observe(document, {subtree: true, childList: true, attributes: true, characterData: true});
</script>`))
	for range 3 {
		require.NotEmpty(t, see(ctx, watcher))
	}
	watcher.Close(ctx)
	plain := chrometest.DialPlain(t, chrome.Browser(t))
	session, err := plain.Attach(ctx, tab.ID())
	require.NoError(t, err)
	var got []string
	require.NoError(t, plain.Eval(ctx, session, "events", &got))
	require.Empty(t, got)
}

// A tab whose page never answers delays no other: the request is paired with the page that it shows.
func TestAStuckTabHidesNoOther(t *testing.T) {
	testneed.Long(t, "tabs that are stuck")
	ctx := chrometest.Context(t)
	watcher, b := watched(ctx, t)
	shown := chrometest.Page(t, pageHTML(3))
	tab, stuck := chrome.Open(t, shown), chrome.Open(t, chrometest.Page(t, `<title>Busy</title><p>busy`))
	v := look(t, tab, 1024)
	require.NoError(t, watcher.Prepare(ctx))
	_, err := stuck.Session().Eval(ctx, stuck.ID(), `setTimeout(() => { for (const end = Date.now() + 8000; Date.now() < end;); }, 0); ''`)
	require.NoError(t, err)
	resp, err := http.Post(b.url+"/openai/v1/chat/completions", "application/json", bytes.NewReader(v.request(t, agentView{})))
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	r, rec := b.next(t)
	require.True(t, r.e.Pairing.Paired, "%+v", r.e.Pairing)
	require.Equal(t, shown, rec.Capture.URL)
}

// A dialog is the agent's to answer.
func TestWatcherAnswersNoDialog(t *testing.T) {
	ctx := chrometest.Context(t)
	own, err := browser.Start(ctx, browser.Options{Attach: chrome.Browser(t).Endpoint()})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, own.Close()) })
	tab := chrome.Open(t, chrometest.Page(t, `<title>Ask</title><p id=p>not asked</p>`))
	tab.SetDialogs(browser.DialogAsk)
	watcher := tap.Watch(own, nil, nil)
	require.NoError(t, watcher.Prepare(ctx))
	_, err = tab.Session().Eval(ctx, tab.ID(), `setTimeout(() => { p.textContent = confirm('Sure?') }, 0); ''`)
	require.NoError(t, err)
	require.Eventually(t, func() bool { d, _ := tab.OpenDialog(); return d != nil }, time.Minute, 10*time.Millisecond)
	pages := see(ctx, watcher)
	at := slices.IndexFunc(pages, func(p tap.Page) bool { return p.Tab == tab.ID() })
	require.ErrorContains(t, pages[at].Err, "a dialog of the page is open")
	require.NoError(t, tab.AnswerDialog(ctx, true, nil))
	said, err := tab.Session().Eval(ctx, tab.ID(), "document.getElementById('p').textContent")
	require.NoError(t, err)
	require.Equal(t, "true", said)
	watcher.Close(ctx)
}

// The request about a page comes when its tab shows another one: it is paired with the page as it was, and tells so; the
// page is forgotten then.
func TestPairsWithThePageThatLeft(t *testing.T) {
	testneed.Long(t, "pages that leave")
	ctx := chrometest.Context(t)
	_, b := watched(ctx, t)
	first, second := chrometest.Page(t, pageHTML(1)),
		chrometest.Page(t, `<title>Other</title><h1>Imprint</h1><p>Nothing of a shop is in here.`)
	tab := chrome.Open(t, first)
	ask := func(body []byte) (recorded, *turn.Record) {
		resp, err := http.Post(b.url+"/openai/v1/chat/completions", "application/json", bytes.NewReader(body))
		require.NoError(t, err)
		_, err = io.Copy(io.Discard, resp.Body)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		return b.next(t)
	}
	v := look(t, tab, 640)
	r, _ := ask(v.request(t, v))
	require.True(t, r.e.Pairing.Paired, "%+v", r.e.Pairing)
	require.Empty(t, r.e.Pairing.Moment)
	require.NoError(t, tab.Navigate(ctx, second))
	r, rec := ask(v.request(t, v))
	require.True(t, r.e.Pairing.Paired, "%+v", r.e.Pairing)
	require.Equal(t, first, rec.Capture.URL)
	require.Equal(t, turn.BeforeRequest, r.e.Pairing.Moment)
	require.Positive(t, r.e.Pairing.Age)
	require.Contains(t, r.e.Pairing.Sentence(), "before the request")
	r, _ = ask(v.request(t, v))
	require.False(t, r.e.Pairing.Paired, "%+v", r.e.Pairing)
}

// A page is read with Chrome's accessibility tree where the request lists that, however the request comes: as it is,
// encoded, over a WebSocket, or where it is the vendor who holds the list.
func TestReadsTheTreeThatARequestLists(t *testing.T) {
	const list = `uid=1_0 RootWebArea \"Shop\"\n  uid=1_1 button \"Save\"`
	asks := func(more string) string {
		return `{"type":"response.create","model":"m","input":[{"type":"function_call_output","call_id":"c","output":"` + more + `"}]}`
	}
	post := func(t *testing.T, b *bench, encoding, body string) {
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		_, err := io.WriteString(z, body)
		require.NoError(t, err)
		require.NoError(t, z.Close())
		sent := []byte(body)
		if encoding != "" {
			sent = packed.Bytes()
		}
		r, err := http.NewRequest(http.MethodPost, b.url+"/openai/v1/responses", bytes.NewReader(sent))
		require.NoError(t, err)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Content-Encoding", encoding)
		resp, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		_, err = io.Copy(io.Discard, resp.Body)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
	}
	for name, ask := range map[string]func(t *testing.T, b *bench){
		"as it is": func(t *testing.T, b *bench) { post(t, b, "", asks(list)) },
		"encoded":  func(t *testing.T, b *bench) { post(t, b, "gzip", asks(list)) },
		"held by the vendor": func(t *testing.T, b *bench) {
			post(t, b, "", asks(list))
			b.next(t)
			post(t, b, "", asks("Clicked. The page is Shop, and has a button, Save."))
		},
		"websocket": func(t *testing.T, b *bench) {
			p, end := dial(t, b, "/openai/v1/responses", false)
			p.text(asks(list))
			for range 3 {
				require.NoError(t, p.read())
			}
			end()
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, b := watchedBefore(chrometest.Context(t), t, func(w http.ResponseWriter, r *http.Request) {
				if r.Header.Get("Upgrade") != "" {
					upgrade(w, false, answer("Done"))
					return
				}
				_, _ = io.Copy(io.Discard, r.Body)
				_, _ = io.WriteString(w, `{"id":"r","object":"response","output":[]}`)
			})
			chrome.Open(t, chrometest.Page(t, `<title>Shop</title><h1>Shop</h1><button>Save</button>`))
			ask(t, b)
			r, rec := b.next(t)
			require.True(t, r.e.Pairing.Paired, "%+v", r.e.Pairing)
			require.True(t, slices.ContainsFunc(rec.Capture.Nodes,
				func(n snapshot.Node) bool { return n.AX != nil && n.AX.Role == "button" }))
		})
	}
}
