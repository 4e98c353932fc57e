package session_test

import (
	_ "embed"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/runtime"
	"github.com/refscope/refscope/assets"
	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/refscope/refscope/snapshot/testpages"
	"github.com/stretchr/testify/require"
)

// text is a capture of the texts alone, fresh or as it comes.
func text(t testing.TB, tab *browser.Tab, fresh bool) *snapshot.Capture {
	t.Helper()
	shot, err := session.Take(chrometest.Context(t), tab, session.Options{NoPicture: true, Fresh: fresh,
		Settle: session.Settle{Max: time.Millisecond}})
	require.NoError(t, err)
	return shot.Capture
}

func TestAPageThatStaysIsNotWalkedAgain(t *testing.T) {
	site := chrometest.Serve(t, http.FileServerFS(assets.Demo()))
	tab := chrome.Tab(t)
	for _, url := range []string{chrometest.Page(t, chrometest.Rows(50)), site + "checkout.html",
		site + "orders.html", chrometest.Page(t, `<input value=a><iframe srcdoc="<p>In"></iframe>`)} {
		chrometest.Load(t, tab, url)
		first := text(t, tab, false)
		require.False(t, first.Timings.Again)
		again := text(t, tab, false)
		require.True(t, again.Timings.Again, "%s: %s", url, again.Timings.Walked)
		require.Zero(t, again.Timings.Walk)
		require.Equal(t, first.Nodes, again.Nodes)
		require.False(t, again.TakenAt.Before(first.TakenAt))
		require.False(t, text(t, tab, true).Timings.Again, "it is asked for a fresh one")
		require.True(t, text(t, tab, false).Timings.Again, url)
	}
	chrometest.Load(t, tab, chrometest.Page(t, `<x-part>Its own</x-part>`))
	text(t, tab, false)
	require.Equal(t, "kind", text(t, tab, false).Timings.Walked, "elements of the page's own kind are always read")
}

//go:embed testdata/mutate.js
var mutateJS string

func change(t testing.TB, tab *browser.Tab, kind int, seed uint32) string {
	t.Helper()
	yes := true
	res, err := cdp.Call(chrometest.Context(t), tab.Session(), runtime.Evaluate, runtime.EvaluateParams{
		Expression:    strings.NewReplacer("KIND", strconv.Itoa(kind), "SEED", strconv.Itoa(int(seed))).Replace(mutateJS),
		ReturnByValue: &yes, AwaitPromise: &yes, UserGesture: &yes})
	if err != nil || res.Result == nil {
		return "not done: " + fmt.Sprint(err) // its document has gone
	}
	return string(res.Result.Value)
}

// person are changes that only a person makes.
func person(t testing.TB, tab *browser.Tab, random *rand.Rand) string {
	t.Helper()
	ctx := chrometest.Context(t)
	switch random.IntN(5) {
	case 0:
		x, y := 30+random.IntN(900), 30+random.IntN(500)
		_, err := cdp.Call(ctx, tab.Session(), input.DispatchMouseEvent, input.DispatchMouseEventParams{
			Type: input.DispatchMouseEventTypeMouseMoved, X: float64(x), Y: float64(y)})
		require.NoError(t, err)
		return fmt.Sprintf("pointer to %d, %d", x, y)
	case 1:
		_, err := cdp.Call(ctx, tab.Session(), input.DispatchKeyEvent, input.DispatchKeyEventParams{
			Type: input.DispatchKeyEventTypeKeyDown, Key: "Tab", WindowsVirtualKeyCode: 9})
		require.NoError(t, err)
		return "tab key"
	case 2:
		_, err := cdp.Call(ctx, tab.Session(), input.InsertText, input.InsertTextParams{Text: "typed"})
		require.NoError(t, err)
		return "typing"
	case 3:
		dy := float64(random.IntN(400) - 100)
		_, err := cdp.Call(ctx, tab.Session(), input.DispatchMouseEvent, input.DispatchMouseEventParams{
			Type: input.DispatchMouseEventTypeMouseWheel, X: 200, Y: 200, DeltaX: 1, DeltaY: dy})
		require.NoError(t, err)
		return "wheel"
	}
	w := 900 + random.IntN(300)
	require.NoError(t, tab.Resize(ctx, w, 720))
	return fmt.Sprintf("window of %d", w)
}

// TestWhatIsGivenAgainIsThePage: whatever happens to a page between two captures, one that is given again is, byte for
// byte, what reading the page gives. Pages are changed at random in every way that we know.
func TestWhatIsGivenAgainIsThePage(t *testing.T) {
	t.Setenv(session.TwiceVariable, "1")
	compared := sequences(t, testneed.Cases(1, 3, 40), 8, testpages.Own)
	t.Logf("%d captures given again were compared", compared)
	require.Positive(t, compared)
}

// TestWhatIsGivenAgainIsTheSavedPage is the same on saved pages, and longer.
func TestWhatIsGivenAgainIsTheSavedPage(t *testing.T) {
	testneed.Long(t, "captures given again of saved pages")
	t.Setenv(session.TwiceVariable, "1")
	compared := 0
	for _, k := range testpages.Kinds() {
		for _, folder := range testpages.Folders(t, k) {
			compared += sequences(t, testneed.Cases(1, 1, 12), 12, func(testing.TB, testpages.Kind) testpages.Folder { return folder })
		}
	}
	t.Logf("%d captures given again were compared", compared)
}

// lasting are changes after which no capture of a page is given again: they are rare, so that the others are tested.
var lasting = []string{"widget", "closedRoot", "smil", "surface"}

// sequences changes each page that many times from its beginning, steps changes each time, and gives how many captures
// were compared.
func sequences(t *testing.T, times, steps int, of func(testing.TB, testpages.Kind) testpages.Folder) (compared int) {
	t.Helper()
	tab := chrome.Tab(t)
	var kinds []string
	walked := map[string]int{}
	seen := map[string]bool{}
	for _, k := range testpages.Kinds() {
		folder := of(t, k)
		if seen[folder.Path] {
			continue
		}
		seen[folder.Path] = true
		root := chrometest.Folder(t, folder.Path)
		for page, name := range folder.Pages(t) {
			for time := range times {
				random := rand.New(rand.NewPCG(uint64(page), uint64(time)))
				if err := tab.Navigate(chrometest.Context(t), root+name); err != nil {
					t.Logf("%s: %v", name, err)
					continue
				}
				if kinds == nil {
					kinds = strings.Fields(strings.Trim(change(t, tab, -1, 0), `"`))
					require.Greater(t, len(kinds), 40)
				}
				text(t, tab, false)
				var did []string
				for range steps {
					for range 1 + random.IntN(2) {
						if random.IntN(6) == 0 {
							did = append(did, person(t, tab, random))
							continue
						}
						kind := random.IntN(len(kinds))
						if slices.Contains(lasting, kinds[kind]) && random.IntN(6) > 0 {
							continue
						}
						did = append(did, kinds[kind]+" "+change(t, tab, kind, random.Uint32()))
					}
					for range 2 {
						c := text(t, tab, false)
						for _, f := range c.Failed {
							require.NotEqual(t, session.LayerAgain, f.Layer, "%s, time %d, after %q: %s", name, time, did, f.Why)
						}
						if walked[c.Timings.Walked]++; c.Timings.Walked == "twice" {
							compared++
						}
					}
				}
			}
		}
	}
	for _, why := range slices.Sorted(maps.Keys(walked)) {
		t.Logf("%6d %s", walked[why], why)
	}
	return compared
}
