package session_test

import (
	"context"
	_ "embed"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/refscope/refscope/snapshot/testpages"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	//go:embed testdata/facts.js
	factsJS string // what a script of the page can know of it
	//go:embed testdata/watch.js
	watchJS string // what happens to the page meanwhile

	untouchedAll = flag.Bool("untouched.all", os.Getenv("REFSCOPE_SLOW") != "", "TestPagesAreUntouched: every page of the corpus, not one in sixteen")
)

// TestPagesAreUntouched holds a page after a whole turn, settling and picture
// included, against the same page in a tab that no program of ours ever touched (the
// page is never written to: DESIGN.md, idea 4). Compared is all that a script of the
// page can know: see testdata/facts.js, and the listeners as the browser counts them.
// While the turn is taken no mutation and no event may reach the page.
//
// Where a fact differs, the page is loaded twice more without us: what differs between
// those is the page's own doing and is reported by name.
func TestPagesAreUntouched(t *testing.T) {
	testneed.Long(t, "pages with and without us")
	t.Run("own", func(t *testing.T) {
		var files []string
		for _, kind := range testpages.Kinds() {
			for _, page := range testpages.Own(t, kind).Pages(t) {
				files = append(files, string(kind)+"/"+page)
			}
		}
		untouchedPages(t, filepath.Dir(testpages.Own(t, testpages.Forms).Path), files)
	})
	t.Run("corpus", func(t *testing.T) {
		testneed.Long(t, "pages of the corpus, each loaded at least twice")
		root, ok := testneed.Corpus(t, "")
		if !ok {
			testneed.Extra(t, "no saved pages of other people")
		}
		var files []string
		require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && filepath.Ext(path) == ".html" {
				rel, err := filepath.Rel(root, path)
				files = append(files, filepath.ToSlash(rel))
				return err
			}
			return err
		}))
		slices.Sort(files)
		require.Greater(t, len(files), 150)
		const shards = 16
		if !*untouchedAll {
			var some []string
			for k := 3; k < len(files); k += shards {
				some = append(some, files[k])
			}
			files = some
		}
		untouchedPages(t, root, files)
	})
}

func untouchedPages(t *testing.T, root string, files []string) {
	u := &untouched{site: corpusSite(t, root), plain: chrometest.DialPlain(t, chrome.Browser(t)), b: chrome.Browser(t)}
	pages, facts, own := 0, 0, map[string][]string{}
	for _, f := range files {
		// One tab at a time is in front, as a person has it: Chrome paints no other.
		got := u.page(t, f)
		if got == nil {
			continue
		}
		pages++
		facts += got.facts
		for _, name := range got.own {
			own[name] = append(own[name], f)
		}
	}
	t.Logf("%d of %d pages are what they are without a capture, in %d facts", pages, len(files), facts)
	for _, name := range slices.Sorted(maps.Keys(own)) {
		t.Logf("changes by itself: %s: %s", name, strings.Join(own[name], ", "))
	}
	require.GreaterOrEqual(t, pages, len(files)-2, "pages that could not be loaded")
}

// corpusSite serves the corpus; the harness that wpt's pages ask for is a stub.
func corpusSite(t *testing.T, root string) string {
	files := http.FileServer(http.Dir(root))
	return chrometest.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/resources/") || strings.HasPrefix(r.URL.Path, "/wai-aria/") {
			w.Header().Set("Content-Type", "text/javascript")
			fmt.Fprint(w, `{ const nothing = () => {}; Object.assign(globalThis, { test: nothing, promise_test: nothing, async_test: nothing, setup: nothing, done: nothing, promise_setup: nothing, add_completion_callback: nothing }); globalThis.AriaUtils = new Proxy({}, { get: () => nothing }) }`)
			return
		}
		files.ServeHTTP(w, r)
	}))
}

// untouched compares loads of pages.
type untouched struct {
	site  string
	plain *chrometest.Plain
	b     *browser.Browser
}

// outcome is one page's.
type outcome struct {
	facts int
	own   []string // facts that change by themselves
}

// page compares one page; nil where it cannot be loaded without us either.
func (u *untouched) page(t *testing.T, file string) *outcome {
	ctx := chrometest.Context(t)
	control, err := u.control(ctx, t, file)
	if err != nil {
		t.Logf("%s: not compared: %v", file, err)
		return nil
	}
	captured, happened := u.captured(ctx, t, file)
	if captured["scroll before"] == captured["scroll after"] && captured["scroll"] != control["scroll"] {
		// A page that scrolls to its field before a late style sheet lies elsewhere now
		// and then, captured or not; it lay there before the capture.
		t.Logf("%s: scroll: it lay at %q before the capture", file, captured["scroll"])
		captured["scroll"] = control["scroll"]
	}
	differs := differing(control, captured)
	got := &outcome{facts: len(control)}
	if len(differs) == 0 && len(happened) == 0 {
		return got
	}
	// Is it the page itself?
	seen := []map[string]string{control}
	for range 2 {
		again, err := u.control(ctx, t, file)
		if !assert.NoError(t, err, file) {
			return got
		}
		seen = append(seen, again)
	}
	// Or the moment? What a capture does, the next one does too.
	var once map[string]string
	if len(differs) > 0 {
		once, _ = u.captured(ctx, t, file)
	}
	for _, key := range differs {
		if once[key] == control[key] {
			t.Logf("%s: %s was %q once, and not when the page was captured again", file, key, captured[key])
			continue
		}
		if seen[1][key] != seen[0][key] || seen[2][key] != seen[0][key] {
			got.own = append(got.own, key)
			continue
		}
		assert.Equal(t, control[key], captured[key], "%s: %s", file, key)
	}
	for _, what := range happened {
		if strings.Contains(seen[0]["happens"]+seen[1]["happens"]+seen[2]["happens"], what) {
			got.own = append(got.own, what)
			continue
		}
		assert.Fail(t, "something happened to the page during the capture", "%s: %s", file, what)
	}
	return got
}

// besideThePage are keys that are no facts of the page: what happens while nobody
// captures, and where a page lies around a capture.
var besideThePage = []string{"happens", "scroll before", "scroll after"}

// differing are the keys whose facts differ, sorted.
func differing(a, b map[string]string) []string {
	var out []string
	for key := range a {
		if b[key] != a[key] && !slices.Contains(besideThePage, key) {
			out = append(out, key)
		}
	}
	for key := range b {
		if _, ok := a[key]; !ok && !slices.Contains(besideThePage, key) {
			out = append(out, key)
		}
	}
	slices.Sort(out)
	return out
}

// control loads a page in a tab of the plain client and tells its facts, and under
// "happens" what comes to it by itself afterwards.
func (u *untouched) control(ctx context.Context, t *testing.T, file string) (map[string]string, error) {
	var tab struct {
		TargetID string `json:"targetId"`
	}
	if err := u.plain.Call(ctx, "", "Target.createTarget", map[string]any{"url": "about:blank"}, &tab); err != nil {
		return nil, err
	}
	defer func() {
		_ = u.plain.Call(ctx, "", "Target.closeTarget", map[string]any{"targetId": tab.TargetID}, nil)
	}()
	s, err := u.plain.Attach(ctx, tab.TargetID)
	if err != nil {
		return nil, err
	}
	if err := u.plain.Call(ctx, s, "Emulation.setDeviceMetricsOverride", map[string]any{"width": 1280, "height": 720, "deviceScaleFactor": 1, "mobile": false}, nil); err != nil {
		return nil, err
	}
	if err := u.forget(ctx, s); err != nil {
		return nil, err
	}
	if err := u.plain.Call(ctx, s, "Page.navigate", map[string]any{"url": u.site + file}, nil); err != nil {
		return nil, err
	}
	loaded := assert.Eventually(t, func() bool {
		var done bool
		err := u.plain.Eval(ctx, s, "document.readyState === 'complete' && location.href !== 'about:blank'", &done)
		return err == nil && done
	}, 25*time.Second, 20*time.Millisecond, file)
	if !loaded {
		return nil, fmt.Errorf("it did not load")
	}
	u.still(ctx, t, s)
	happened, err := u.watched(ctx, s, func() error {
		var done bool
		return u.plain.Eval(ctx, s, "scheduler.postTask(() => true, { delay: 300 })", &done)
	})
	if err != nil {
		return nil, err
	}
	facts, err := u.facts(ctx, s)
	if err == nil {
		facts["happens"] = strings.Join(happened, "; ")
	}
	return facts, err
}

// captured loads a page in a tab of ours, takes a turn, and tells the page's facts
// after it and what happened meanwhile.
func (u *untouched) captured(ctx context.Context, t *testing.T, file string) (facts map[string]string, happened []string) {
	tab, err := u.b.OpenTab(ctx)
	require.NoError(t, err)
	defer func() { _ = tab.Close(ctx) }()
	s, err := u.plain.Attach(ctx, tab.ID())
	require.NoError(t, err)
	require.NoError(t, u.forget(ctx, s))
	require.NoError(t, tab.Navigate(ctx, u.site+file), file)
	u.still(ctx, t, s)
	var before, after string
	happened, err = u.watched(ctx, s, func() error {
		if err := u.plain.Eval(ctx, s, scrolledJS, &before); err != nil {
			return err
		}
		if _, err := session.Take(ctx, tab, session.Options{}); err != nil {
			return err
		}
		return u.plain.Eval(ctx, s, scrolledJS, &after)
	})
	require.NoError(t, err, file)
	facts, err = u.facts(ctx, s)
	require.NoError(t, err, file)
	facts["scroll before"], facts["scroll after"] = before, after
	return facts, happened
}

// scrolledJS tells where the page and all in it lie.
const scrolledJS = `
[scrollX, scrollY, ...[...document.querySelectorAll('*')].flatMap((el) => [el.scrollLeft, el.scrollTop])].join()`

// forget empties what pages of the site stored, so that each load is the first.
func (u *untouched) forget(ctx context.Context, s string) error {
	if err := u.plain.Call(ctx, s, "Network.clearBrowserCookies", struct{}{}, nil); err != nil {
		return err
	}
	return u.plain.Call(ctx, s, "Storage.clearDataForOrigin", map[string]any{"origin": strings.TrimSuffix(u.site, "/"), "storageTypes": "all"}, nil)
}

// still waits until the markup stays what it is, at most two seconds: pages go on
// building themselves after they have loaded.
func (u *untouched) still(ctx context.Context, t *testing.T, s string) {
	var mu sync.Mutex
	last, same := -1, 0
	quiet := func() bool {
		mu.Lock()
		defer mu.Unlock()
		var size int
		if u.plain.Eval(ctx, s, "document.documentElement ? document.documentElement.outerHTML.length : 0", &size) != nil {
			return false
		}
		if size == last {
			same++
		} else {
			last, same = size, 0
		}
		return same >= 3
	}
	deadline := time.NewTimer(2 * time.Second)
	defer deadline.Stop()
	tick := time.NewTicker(60 * time.Millisecond)
	defer tick.Stop()
	for !quiet() {
		select {
		case <-tick.C:
		case <-deadline.C:
			return
		case <-t.Context().Done():
			return
		}
	}
}

// watched does something while the page is watched, and tells what came to it.
func (u *untouched) watched(ctx context.Context, s string, do func() error) ([]string, error) {
	var watch struct {
		Result struct {
			ObjectID string `json:"objectId"`
		} `json:"result"`
	}
	if err := u.plain.Call(ctx, s, "Runtime.evaluate", map[string]any{"expression": watchJS}, &watch); err != nil {
		return nil, err
	}
	if watch.Result.ObjectID == "" {
		return nil, fmt.Errorf("the page cannot be watched")
	}
	if err := do(); err != nil {
		return nil, err
	}
	var came struct {
		Result struct {
			Value []string `json:"value"`
		} `json:"result"`
	}
	err := u.plain.Call(ctx, s, "Runtime.callFunctionOn", map[string]any{
		"objectId": watch.Result.ObjectID, "functionDeclaration": "function() { return this.stop() }", "returnByValue": true}, &came)
	return came.Result.Value, err
}

// facts are those of facts.js, and the listeners of the page's own world.
func (u *untouched) facts(ctx context.Context, s string) (map[string]string, error) {
	// Listeners first: facts.js asks for timers and frames.
	listeners := map[string]string{}
	for _, of := range []string{"document", "window"} {
		var obj struct {
			Result struct {
				ObjectID string `json:"objectId"`
			} `json:"result"`
		}
		if err := u.plain.Call(ctx, s, "Runtime.evaluate", map[string]any{"expression": of}, &obj); err != nil {
			return nil, err
		}
		var list struct {
			Listeners []struct {
				Type                      string `json:"type"`
				UseCapture, Passive, Once bool
				LineNumber, ColumnNumber  int
			} `json:"listeners"`
		}
		if err := u.plain.Call(ctx, s, "DOMDebugger.getEventListeners", map[string]any{"objectId": obj.Result.ObjectID, "depth": -1, "pierce": true}, &list); err != nil {
			return nil, err
		}
		var lines []string
		for _, l := range list.Listeners {
			lines = append(lines, fmt.Sprintf("%s %v %v %v %d:%d", l.Type, l.UseCapture, l.Passive, l.Once, l.LineNumber, l.ColumnNumber))
		}
		slices.Sort(lines)
		listeners["listeners of "+of] = fmt.Sprintf("%d: %s", len(lines), strings.Join(lines, ", "))
		if err := u.plain.Call(ctx, s, "Runtime.releaseObject", map[string]any{"objectId": obj.Result.ObjectID}, nil); err != nil {
			return nil, err
		}
	}
	facts := map[string]string{}
	if err := u.plain.Eval(ctx, s, factsJS, &facts); err != nil {
		return nil, err
	}
	maps.Copy(facts, listeners)
	return facts, nil
}

// A tab that others drive stays where it is: one that lies behind another, or comes to lie there while it is read, has
// no picture, and is read.
func TestATabThatOthersDriveStaysBehind(t *testing.T) {
	ctx := chrometest.Context(t)
	own, err := browser.Start(ctx, browser.Options{Attach: chrome.Browser(t).Endpoint()})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, own.Close()) })
	plain := chrometest.DialPlain(t, own)
	open := func(title string) (tab *browser.Tab, shown func() string, front func()) {
		var made struct {
			TargetID string `json:"targetId"`
		}
		require.NoError(t, plain.Call(ctx, "", "Target.createTarget",
			map[string]any{"url": chrometest.Page(t, "<title>"+title+"</title><button>"+title+"</button>")}, &made))
		t.Cleanup(func() { require.NoError(t, own.CloseTab(context.WithoutCancel(ctx), made.TargetID)) })
		session, err := plain.Attach(ctx, made.TargetID)
		require.NoError(t, err)
		tab, err = own.AttachTab(ctx, made.TargetID)
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, tab.Detach(context.WithoutCancel(ctx))) })
		shown = func() (state string) {
			require.NoError(t, plain.Eval(ctx, session, "document.visibilityState", &state))
			return state
		}
		return tab, shown, func() {
			require.NoError(t, plain.Call(ctx, "", "Target.activateTarget",
				map[string]any{"targetId": made.TargetID}, nil))
			require.Eventually(t, func() bool { return shown() == "visible" }, time.Minute, time.Millisecond)
		}
	}
	tab, shown, front := open("A")
	_, otherShown, otherFront := open("B")
	for name, c := range map[string]struct {
		before func()
		stage  string // before which the other tab comes to the front
	}{
		"it lies behind another":       {before: otherFront},
		"one opens before it is read":  {before: front, stage: "collect"},
		"one opens before its picture": {before: front, stage: "picture"},
	} {
		t.Run(name, func(t *testing.T) {
			c.before()
			shot, err := session.Take(ctx, tab, session.Options{Watched: true, Progress: func(stage string) {
				if stage == c.stage {
					otherFront()
				}
			}})
			require.NoError(t, err)
			require.Empty(t, len(shot.Picture))
			require.False(t, shot.Drawn())
			require.True(t, slices.ContainsFunc(shot.Capture.Nodes, func(n snapshot.Node) bool {
				return n.Name == "A"
			}))
			require.Equal(t, []string{"hidden", "visible"}, []string{shown(), otherShown()})
		})
	}
	front()
	shot, err := session.Take(ctx, tab, session.Options{Watched: true})
	require.NoError(t, err)
	require.NotEmpty(t, len(shot.Picture), "one that is seen has its picture")

	otherFront()
	focused, err := plain.Attach(ctx, tab.ID())
	require.NoError(t, err)
	require.NoError(t, plain.Call(ctx, focused, "Emulation.setFocusEmulationEnabled", map[string]any{"enabled": true}, nil))
	require.Eventually(t, func() bool { return shown() == "visible" }, time.Minute, time.Millisecond)
	shot, err = session.Take(ctx, tab, session.Options{Watched: true})
	require.NoError(t, err)
	require.Empty(t, len(shot.Picture), "one that only passes for seen")
	require.NotEmpty(t, len(shot.Capture.Nodes))
}

// What another client emulates in its tab stays: the px of a screen, and the size and zoom of a phone.
func TestWhatOthersEmulateStays(t *testing.T) {
	ctx := chrometest.Context(t)
	theirs, err := browser.Start(ctx, browser.Options{Attach: chrome.Browser(t).Endpoint()})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, theirs.Close()) })
	plain := chrometest.DialPlain(t, theirs)
	var made struct {
		TargetID string `json:"targetId"`
	}
	require.NoError(t, plain.Call(ctx, "", "Target.createTarget",
		map[string]any{"url": chrometest.Page(t, "<!doctype html><title>A</title><button>A</button>")}, &made))
	t.Cleanup(func() { require.NoError(t, theirs.CloseTab(context.WithoutCancel(ctx), made.TargetID)) })
	other, err := plain.Attach(ctx, made.TargetID)
	require.NoError(t, err)
	tab, err := theirs.AttachTab(ctx, made.TargetID)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, tab.Detach(context.WithoutCancel(ctx))) })
	for name, c := range map[string]map[string]any{
		"px":      {"width": 800, "height": 500, "deviceScaleFactor": 2, "mobile": false},
		"a phone": {"width": 400, "height": 700, "deviceScaleFactor": 2.5, "mobile": true},
	} {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, plain.Call(ctx, other, "Emulation.setDeviceMetricsOverride", c, nil))
			shows := func() (said string) {
				require.NoError(t, plain.Eval(ctx, other, "[innerWidth, innerHeight, devicePixelRatio].join(' ')", &said))
				return said
			}
			before := shows()
			for _, o := range []session.Options{{Watched: true}, {}, {AnyCaret: true}} {
				shot, err := session.Take(ctx, tab, o)
				require.NoError(t, err)
				require.Equal(t, before, shows())
				require.NotEmpty(t, len(shot.Picture))
			}
		})
	}
}
