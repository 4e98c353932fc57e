package browser_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/stretchr/testify/require"
)

var chrome chrometest.Chrome

func TestMain(m *testing.M) { os.Exit(chrome.Main(m)) }

func TestFindSaysWhatToDo(t *testing.T) {
	folder := t.TempDir()
	plain := filepath.Join(folder, "chrome")
	require.NoError(t, os.WriteFile(plain, []byte("not a program"), 0o644))
	for name, path := range map[string]string{"not there": filepath.Join(folder, "no"), "not executable": plain, "a folder": folder} {
		t.Run(name, func(t *testing.T) {
			_, err := browser.Find(path)
			require.ErrorContains(t, err, path)
			require.ErrorContains(t, err, "--chrome")
		})
	}
}

func TestFindNothingInstalled(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Setenv("CHROME_PATH", "")
	if _, err := browser.Find(""); err != nil { // a browser may stand in a fixed place
		require.ErrorIs(t, err, browser.ErrNotFound)
		require.ErrorContains(t, err, "install")
		require.ErrorContains(t, err, "--chrome")
	}
}

func TestStartWithAProgramThatIsNoBrowser(t *testing.T) {
	path := filepath.Join(t.TempDir(), "chrome")
	require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\nexit 3\n"), 0o755))
	_, err := browser.Start(chrometest.Context(t), browser.Options{Chrome: path})
	require.ErrorContains(t, err, path)
}

func TestAttachSaysWhatIsWrong(t *testing.T) {
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	refused := closed.Addr().String()
	closed.Close()
	other := httptest.NewServer(http.NotFoundHandler())
	defer other.Close()
	for name, c := range map[string]struct{ attach, want string }{
		"not an address":    {"chrome", "HOST:PORT"},
		"nothing answers":   {refused, "no browser answers"},
		"something answers": {other.Listener.Addr().String(), "not a Chrome"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := browser.Start(chrometest.Context(t), browser.Options{Attach: c.attach})
			require.ErrorContains(t, err, c.want)
		})
	}
}

// A browser that hangs is not called missing: nobody needs to be told how to start one.
func TestAttachToWhatHangs(t *testing.T) {
	hangs, err := net.Listen("tcp", "127.0.0.1:0") // takes connections, as the system does it, and answers none
	require.NoError(t, err)
	defer hangs.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	_, err = browser.Start(ctx, browser.Options{Attach: hangs.Addr().String()})
	require.ErrorContains(t, err, "in time")
	require.NotContains(t, err.Error(), "--remote-debugging-port")
}

func TestNavigateErrors(t *testing.T) {
	site := chrometest.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/file":
			w.Header().Set("Content-Disposition", "attachment; filename=x.bin")
			w.Header().Set("Content-Type", "application/octet-stream")
			fmt.Fprint(w, "data")
		case "/hang":
			<-r.Context().Done()
		case "/404":
			w.WriteHeader(http.StatusNotFound)
			fmt.Fprint(w, "<h1>no such page</h1>")
		}
	}))
	secure := httptest.NewTLSServer(http.NotFoundHandler())
	defer secure.Close()
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	refused := "http://" + closed.Addr().String() + "/"
	closed.Close()
	for name, c := range map[string]struct{ url, want string }{
		"unknown host": {"http://no-such-host.invalid/", "cannot be found"},
		"refused":      {refused, "nothing answers"},
		"tls":          {secure.URL, "certificate"},
		"download":     {site + "file", "download"},
		"hangs":        {site + "hang", "did not answer in time"},
		"not a url":    {"http://", "not an address"},
	} {
		t.Run(name, func(t *testing.T) {
			tab := chrome.Tab(t)
			ctx := chrometest.Context(t)
			if name == "hangs" {
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, 500*time.Millisecond)
				defer cancel()
			}
			err := tab.Navigate(ctx, c.url)
			require.ErrorContains(t, err, c.want)
			// The tab is not spoilt by it.
			require.NoError(t, tab.Navigate(chrometest.Context(t), site+"404"))
		})
	}
}

// TestPagesThatNeverFinishArrive: what has come of a document is a page to read, though a script, a style sheet or its
// own rest never comes.
func TestPagesThatNeverFinishArrive(t *testing.T) {
	testneed.Long(t, "pages that never finish")
	site := chrometest.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/never" {
			<-r.Context().Done()
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<title>t</title><p id=begun>%s</p>", r.URL.Path)
		switch r.URL.Path {
		case "/script":
			fmt.Fprint(w, "<script src=/never></script><p>rest")
		case "/style":
			fmt.Fprint(w, "<link rel=stylesheet href=/never><script>1</script><p>rest")
		case "/body":
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		}
	}))
	for _, path := range []string{"script", "style", "body"} {
		tab := chrome.Tab(t)
		ctx, cancel := context.WithTimeout(chrometest.Context(t), 6*time.Second)
		require.NoError(t, tab.Navigate(ctx, site+path), path)
		text, err := tab.Session().Eval(ctx, tab.ID(), "document.getElementById('begun').textContent")
		require.NoError(t, err)
		require.Contains(t, text, path)
		cancel()
	}
}

func TestHistory(t *testing.T) {
	site := chrometest.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "<title>%s</title><a id=a href='#x'>x</a>", r.URL.Path)
	}))
	ctx := chrometest.Context(t)
	tab := chrome.Open(t, site+"one")
	require.NoError(t, tab.Navigate(ctx, site+"two"))
	require.NoError(t, tab.Navigate(ctx, site+"two#x"), "a move within the document has no load event")
	where := func() string {
		info, err := tab.Info(ctx)
		require.NoError(t, err)
		return info.URL
	}
	require.NoError(t, tab.Back(ctx))
	require.Equal(t, site+"two", where())
	require.NoError(t, tab.Back(ctx))
	require.Equal(t, site+"one", where())
	require.NoError(t, tab.Forward(ctx))
	require.Equal(t, site+"two", where())
	require.NoError(t, tab.Reload(ctx))
	require.Equal(t, site+"two", where())
	require.NoError(t, tab.Navigate(ctx, site+"end"))
	require.ErrorIs(t, tab.Forward(ctx), browser.ErrNoHistory)
}

// Each page of Chrome's own interface has a renderer, and there is one for every window.
func TestATabBringsNoPageOfChromesOwn(t *testing.T) {
	ctx := chrometest.Context(t)
	tab := chrome.Open(t, chrometest.Page(t, "<title>a page</title>"))
	var all struct {
		TargetInfos []struct{ Type, URL string }
	}
	everything := map[string]any{"filter": []any{map[string]any{}}}
	require.NoError(t, chrometest.DialPlain(t, tab.Browser()).Call(ctx, "", "Target.getTargets", everything, &all))
	require.NotEmpty(t, all.TargetInfos)
	for _, target := range all.TargetInfos {
		require.NotContains(t, target.URL, "chrome://", "of type %s", target.Type)
	}
}

func TestDialogsAreDismissedAndReported(t *testing.T) {
	tab := chrome.Open(t, chrometest.Page(t, `<title>d</title><script>alert("first"); document.title = confirm("sure?") ? "yes" : "no"; console.log("hello", 7)</script>`))
	info, err := tab.Info(chrometest.Context(t))
	require.NoError(t, err)
	require.Equal(t, "no", info.Title)
	dialogs := tab.Dialogs(time.Now())
	require.Len(t, dialogs, 2)
	require.Equal(t, "alert", dialogs[0].Type)
	require.Equal(t, "first", dialogs[0].Message)
	require.False(t, dialogs[1].Accepted)
	console := tab.Console(time.Now())
	require.NotEmpty(t, console)
	require.Equal(t, "hello 7", console[0].Text)
}

func TestACrashedTabIsOneSentence(t *testing.T) {
	tab := chrome.Tab(t)
	ctx := chrometest.Context(t)
	err := tab.Navigate(ctx, "chrome://crash")
	require.ErrorIs(t, err, browser.ErrCrashed)
	err = tab.Session().Call(ctx, "Page.getFrameTree", struct{}{}, nil)
	require.ErrorIs(t, err, browser.ErrCrashed)
	// The browser lives on.
	_, err = chrome.Browser(t).Tabs(ctx)
	require.NoError(t, err)
}

func TestAClosedTabFailsItsCalls(t *testing.T) {
	ctx := chrometest.Context(t)
	b := chrome.Browser(t)
	tab, err := b.OpenTab(ctx)
	require.NoError(t, err)
	require.NoError(t, tab.Close(ctx))
	err = tab.Session().Call(ctx, "Page.getFrameTree", struct{}{}, nil)
	require.ErrorIs(t, err, browser.ErrDetached)
}

func TestABrowserThatIsGoneFailsEverything(t *testing.T) {
	chrome.Browser(t) // skips where there is none
	ctx := chrometest.Context(t)
	b, err := browser.Start(ctx, browser.Options{Flags: chrometest.Flags()})
	require.NoError(t, err)
	tab, err := b.OpenTab(ctx)
	require.NoError(t, err)
	wait := make(chan error, 1)
	go func() {
		// Never answered: the promise does not resolve.
		_, err := tab.Session().Await(ctx, tab.ID(), "new Promise(() => {})")
		wait <- err
	}()
	require.NoError(t, tab.Session().Call(ctx, "Page.getFrameTree", struct{}{}, nil))
	require.NoError(t, tab.Session().Post(ctx, "Browser.crash", struct{}{}))
	_ = b.Close()
	require.ErrorIs(t, <-wait, browser.ErrGone)
	_, err = b.OpenTab(ctx)
	require.ErrorIs(t, err, browser.ErrGone)
	require.NoError(t, tab.Detach(ctx), "leaving a browser that is gone is no error")
}

func TestFloodOfFramesDoesNotBlock(t *testing.T) {
	testneed.Long(t, "a flood of frames")
	tab := chrome.Open(t, chrometest.Page(t, `<body><script>
		for (let i = 0; i < 300; i++) { const f = document.createElement('iframe'); f.srcdoc = '<p>' + i; document.body.append(f) }
	</script>`))
	tree, err := tab.Session().FrameTree(chrometest.Context(t))
	require.NoError(t, err)
	require.Len(t, tree, 301)
}

func TestStartIsBoundByItsContextOnly(t *testing.T) {
	chrome.Browser(t)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	b, err := browser.Start(ctx, browser.Options{Flags: chrometest.Flags()})
	require.NoError(t, err)
	cancel()
	_, err = b.Tabs(context.Background())
	require.NoError(t, err, "the browser outlives the context of its start")
	require.NoError(t, b.Close())
	select {
	case <-b.Done():
	default:
		t.Fatal("Close returned before the connection ended")
	}
}

// TestEvalBringsTheObserver: an expression finds the observer in a world that has none yet, is evaluated once, and its
// own error stays its own.
func TestEvalBringsTheObserver(t *testing.T) {
	ctx := chrometest.Context(t)
	tab := chrome.Open(t, chrometest.Page(t, "<title>observed</title>"))
	const expression = "globalThis.times = (globalThis.times || 0) + 1; typeof globalThis.__refscope.flush + globalThis.times"
	for _, want := range []string{"function1", "function2"} {
		got, err := browser.EvalInWorld(ctx, tab.Session(), tab.ID(), "a world of its own", expression)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	_, err := tab.Session().Eval(ctx, tab.ID(), "throw new Error('of its own')")
	require.ErrorContains(t, err, "of its own")
}

// TestFramesOfOlderChromes: Chrome 126 and before describe a frame element without its frame, which is then asked for.
func TestFramesOfOlderChromes(t *testing.T) {
	ctx := chrometest.Context(t)
	tab := chrome.Open(t, chrometest.Page(t, "<iframe srcdoc=a></iframe><object></object><iframe srcdoc=b></iframe><p>"))
	realm, err := tab.Session().Enter(ctx, tab.ID())
	require.NoError(t, err)
	described, err := realm.Describe(ctx, "[...document.body.children]")
	require.NoError(t, err)
	var nodes []int64
	var want []string
	for _, f := range described {
		nodes, want = append(nodes, f.Node), append(want, f.Frame)
	}
	require.NotEmpty(t, want[0])
	require.NotEqual(t, want[0], want[2])
	got, err := browser.FramesOf(ctx, realm, nodes...)
	require.NoError(t, err)
	require.Equal(t, want, got)
}

// A name of this computer needs no resolver: no hosts file has nobody.localhost.
func TestAttachByANameOfThisComputer(t *testing.T) {
	at := strings.Replace(chrome.Browser(t).Endpoint(), "127.0.0.1", "nobody.localhost", 1)
	require.Contains(t, at, "nobody.localhost")
	b, err := browser.Start(chrometest.Context(t), browser.Options{Attach: at})
	require.NoError(t, err)
	require.Equal(t, chrome.Browser(t).Version(), b.Version())
	require.NoError(t, b.Close())
}
