package engine

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/core/coretest"
	"github.com/refscope/refscope/gui/profile"
	"github.com/refscope/refscope/gui/steps"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/address"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/refscope/refscope/snapshot/testneed/guard"
)

func TestMain(m *testing.M) { os.Exit(guard.Run(m.Run)) }

// live is an engine on a home folder of its own; closing it is checked.
func liveEngine(t *testing.T, home string) *Live {
	t.Helper()
	l := New(Options{Browser: browser.Options{Width: 800, Height: 600}, Home: home, Session: "window", Tool: "test",
		Timeout: time.Minute})
	t.Cleanup(func() { require.NoError(t, l.Close()) })
	return l
}

func quiet(string) {}

func TestLiveSession(t *testing.T) {
	if _, err := browser.Find(""); err != nil {
		testneed.Missing(t, "no Chrome to test with: "+err.Error())
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	home := t.TempDir()
	page := filepath.Join(t.TempDir(), "page.html")
	require.NoError(t, os.WriteFile(page, []byte(`<title>Own page</title><button>Press</button>`), 0o600))

	l := liveEngine(t, home)
	s, _, err := l.OpenSession(ctx, "")
	require.NoError(t, err)
	require.Empty(t, s.Turns)
	require.True(t, s.Kept)
	b, err := l.Start(ctx, quiet)
	require.NoError(t, err)
	require.NotEmpty(t, b.Demo)
	require.Len(t, b.Tabs, 1)

	t.Run("a file is served and captured", func(t *testing.T) {
		tab, err := l.Open(ctx, address.Target{Path: page}, quiet)
		require.NoError(t, err)
		require.Contains(t, tab.URL, "http://127.0.0.1:")
		require.Equal(t, "Own page", tab.Title)
		rec, err := l.Capture(ctx, "goto", quiet)
		require.NoError(t, err)
		require.Equal(t, 1, rec.N)
		turn, err := rec.Ready()
		require.NoError(t, err)
		require.Equal(t, 800, turn.Image.Bounds().Dx())
		require.Equal(t, 1, turn.Counts.Refs)
	})
	t.Run("the site's profile takes effect", func(t *testing.T) {
		tab, err := l.Open(ctx, address.Target{Path: page}, quiet)
		require.NoError(t, err)
		none, err := l.FindProfile(ctx, tab.URL)
		require.NoError(t, err)
		require.Empty(t, none.Version)
		file, err := l.SaveProfile(ctx, none.Domain, "---\nfilter:\n- button\n---\n# Own page\n", "")
		require.NoError(t, err)
		require.Equal(t, none.Path, file.Path)
		rec, err := l.Capture(ctx, "capture", quiet)
		require.NoError(t, err)
		require.Equal(t, 1, rec.Capture.Verdicts[snapshot.VerdictFiltered])
		require.Zero(t, rec.Capture.Verdicts[snapshot.VerdictRef])
		turn, err := rec.Ready()
		require.NoError(t, err)
		check := profile.CheckProfile{Text: file.Text, Turn: turn, Format: "dddk"}.Do(ctx,
			coretest.Worker(nil)).(profile.Checked).Check
		require.Equal(t, 1, check.Already, "what was left out when it was recorded is told")
		require.Equal(t, "when the turn was recorded, 1 element was left out by the profile's filter button ("+
			filepath.Base(file.Path)+", line 3)", check.Rows[0].Text)
		require.NoError(t, os.Remove(file.Path))
	})
	t.Run("the window started anew finds the turn", func(t *testing.T) {
		again := liveEngine(t, home)
		s, _, err := again.OpenSession(ctx, "")
		require.NoError(t, err)
		require.Len(t, s.Turns, 2)
		require.Equal(t, "Own page", s.Turns[0].Title)
		rec, err := again.Load(ctx, 1)
		require.NoError(t, err)
		require.NotEmpty(t, rec.Picture)
	})
	t.Run("a damaged turn is listed with its reason", func(t *testing.T) {
		_, err := l.Capture(ctx, "capture", quiet)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(home, "sessions", "window", "turns", "0003", "turn.json"),
			[]byte("{}"), 0o600))
		s, _, err := liveEngine(t, home).OpenSession(ctx, "")
		require.NoError(t, err)
		require.Len(t, s.Turns, 2)
		require.Len(t, s.Damaged, 1)
		require.Equal(t, 3, s.Damaged[0].N)
		require.NotEmpty(t, s.Damaged[0].Why)
	})
	t.Run("a page whose script never ends may be waited for", func(t *testing.T) {
		l.opt.Timeout = 3 * time.Second
		defer func() { l.opt.Timeout = time.Minute }()
		never := filepath.Join(t.TempDir(), "never.html")
		require.NoError(t, os.WriteFile(never, []byte(`<title>Never</title><p>Text<script>while (1);</script>`), 0o600))
		var said []string
		_, err := l.Open(ctx, address.Target{Path: never}, func(stage string) { said = append(said, stage) })
		require.ErrorIs(t, err, core.ErrSlow)
		require.Equal(t, []string{"waiting for the server"}, said, "it is opened once, and not in a second tab too")
		problem := core.ProblemOf(err)
		require.Contains(t, problem.Hint, "a script that does not end")
		require.Contains(t, problem.Sentence, "/never.html: the page did not answer in time",
			"the address bar is that of the page in view")
		_, err = l.Open(ctx, address.Target{URL: b.Demo}, func(stage string) { said = append(said, stage) })
		require.NoError(t, err)
		require.Contains(t, said, "opening another tab, as the page in this one hangs")
	})
	t.Run("a crashed tab is said and replaced", func(t *testing.T) {
		_, err := l.Open(ctx, address.Target{URL: "chrome://crash"}, quiet)
		require.ErrorIs(t, err, browser.ErrCrashed)
		_, err = l.Capture(ctx, "capture", quiet)
		require.ErrorIs(t, err, browser.ErrCrashed)
		tab, err := l.Open(ctx, address.Target{URL: b.Demo}, quiet)
		require.NoError(t, err)
		require.Equal(t, b.Demo, tab.URL)
	})
	t.Run("a tab that somebody closes is said at once, and only once", func(t *testing.T) {
		watch, stop := context.WithCancel(ctx)
		lost, ended := make(chan string, 2), make(chan error, 1)
		go func() {
			ended <- l.Wait(watch, func(tab string, why error) { lost <- tab + ": " + core.ProblemOf(why).Sentence })
		}()
		for range 2 { // a tab that takes its place is watched too
			tab, err := l.Open(ctx, address.Target{URL: b.Demo}, quiet)
			require.NoError(t, err)
			require.NoError(t, l.browser.CloseTab(ctx, tab.ID))
			require.Equal(t, tab.ID+": The tab was closed.", <-lost)
		}
		_, err := l.Open(ctx, address.Target{URL: b.Demo}, quiet)
		require.NoError(t, err)
		stop()
		require.ErrorIs(t, <-ended, context.Canceled)
		require.Empty(t, lost)
	})
	t.Run("a turn that cannot be written is shown, and said not to be saved", func(t *testing.T) {
		_, err := l.Open(ctx, address.Target{Path: page}, quiet)
		require.NoError(t, err)
		before, err := l.Capture(ctx, "capture", quiet)
		require.NoError(t, err)
		place := filepath.Join(home, "sessions", "window", "tmp")
		require.NoError(t, os.RemoveAll(place))
		require.NoError(t, os.WriteFile(place, nil, 0o600)) // nothing can be written in it
		for range 2 {                                       // it takes the place of the one before, which is lost
			rec, err := l.Capture(ctx, "capture", quiet)
			require.ErrorContains(t, err, fmt.Sprintf("turn %d is in view, but not saved", before.N+1))
			require.Equal(t, before.N+1, rec.N)
			for _, n := range before.Capture.Nodes {
				if n.Ref > 0 {
					require.Equal(t, n.Ref, rec.Capture.Node(n.I).Ref, "the session's numbers go on")
				}
			}
			require.Contains(t, rec.Lacks, "it is not saved")
			require.True(t, rec.Unsaved)
			again, err := l.Load(ctx, rec.N)
			require.NoError(t, err)
			require.Same(t, rec, again)
		}
		ran, err := l.RunSteps(ctx, steps.RunSteps{Text: `{"scroll":"bottom"}`}, quiet)
		require.ErrorContains(t, err, fmt.Sprintf("turn %d is in view, but not saved", before.N+1))
		require.Equal(t, before.N+1, ran.Record.N)
		require.Contains(t, string(ran.Record.Answer), `"status":"ok"`)
		require.NoError(t, os.Remove(place))
		require.NoError(t, os.Mkdir(place, 0o700))
		rec, err := l.Capture(ctx, "capture", quiet)
		require.NoError(t, err)
		require.Equal(t, before.N+1, rec.N)
		require.Empty(t, rec.Lacks)
		require.False(t, rec.Unsaved)
	})
	t.Run("a session whose folder is gone says what to do", func(t *testing.T) {
		dir := filepath.Join(home, "sessions", "window")
		require.NoError(t, os.Rename(dir, dir+"-elsewhere"))
		_, err := l.Capture(ctx, "capture", quiet)
		require.Contains(t, core.ProblemOf(err).Hint, "Open another session")
		require.NoError(t, os.Rename(dir+"-elsewhere", dir))
		_, err = l.Capture(ctx, "capture", quiet)
		require.NoError(t, err)
	})
	t.Run("an error page is not a page", func(t *testing.T) {
		_, err := l.Open(ctx, address.Target{URL: "http://127.0.0.1:9/"}, quiet)
		require.Error(t, err)
		_, err = l.Capture(ctx, "capture", quiet)
		require.ErrorContains(t, err, "could not be loaded")
	})
	t.Run("a page that cannot be loaded again says why", func(t *testing.T) {
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte("<!doctype html><title>Up</title><p>Up"))
		}))
		_, err := l.Open(ctx, address.Target{URL: srv.URL}, quiet)
		require.NoError(t, err)
		srv.Close()
		_, err = l.Move(ctx, core.MoveReload)
		require.ErrorContains(t, err, "nothing answers at that host and port")
		_, err = l.Capture(ctx, "capture", quiet)
		require.ErrorContains(t, err, "nothing answers at that host and port")
	})
	t.Run("a load can be given up", func(t *testing.T) {
		stop, cancel := context.WithCancel(ctx)
		cancel()
		_, err := l.Open(stop, address.Target{URL: b.Demo}, quiet)
		require.ErrorIs(t, err, context.Canceled)
	})
	t.Run("it starts again", func(t *testing.T) {
		require.NoError(t, l.browser.Close())
		require.ErrorIs(t, l.Wait(ctx, func(string, error) {}), core.ErrBrowserGone)
		_, err := l.Capture(ctx, "capture", quiet)
		require.ErrorIs(t, err, core.ErrBrowserGone)
		_, err = l.Start(ctx, quiet)
		require.NoError(t, err)
		_, err = l.Open(ctx, address.Target{URL: b.Demo}, quiet)
		require.NoError(t, err)
	})
}

func TestLiveWithoutItsFolderOrChrome(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	l := New(Options{Browser: browser.Options{Chrome: filepath.Join(file, "chrome")}, Home: file, Session: "window"})
	s, _, err := l.OpenSession(context.Background(), "")
	require.Error(t, err)
	require.False(t, s.Kept)
	var h *core.Hinted
	require.True(t, errors.As(err, &h), "it says what to do")

	b, err := l.Start(context.Background(), quiet)
	require.ErrorContains(t, err, "--chrome")
	require.NotEmpty(t, b.Demo, "the demo site is there even so")
	_, err = l.Tabs(context.Background())
	require.ErrorIs(t, err, core.ErrBrowserGone)
	for path, want := range map[string]string{"no/such.html": "cannot be opened", filepath.Dir(file): "is a folder"} {
		_, err = l.Open(context.Background(), address.Target{Path: path}, quiet)
		require.ErrorContains(t, err, want)
	}
	require.NoError(t, l.Close())
}
