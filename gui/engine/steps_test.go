package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/live"
	"github.com/refscope/refscope/gui/steps"
	"github.com/refscope/refscope/snapshot/address"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/refscope/refscope/snapshot/turn"
)

const stepsPage = `<!doctype html><meta name=viewport content="width=device-width"><title>Steps</title>
<style>@keyframes spin { to { transform: rotate(360deg) } } i { display: inline-block; width: 40px; height: 40px; background: red; animation: spin 1s infinite linear }</style>
<button onclick="out.textContent = 'pressed ' + ++n">Press</button> <p id=out>idle</p>
<label>Name <input id=name></label> <label>Password <input id=pw type=password></label>
<label>Country <select id=country><option>Austria<option>Italy</select></label>
<label>Extras <select id=extras multiple size=3><option selected>Breakfast<option>Parking<option>Late</select></label>
<label>Arrival <input id=day type=date></label> <label>Guests <input id=guests type=range min=1 max=9></label>
<p id=tall style="height:1500px">tall</p>
<i></i><button>Beside</button>
<a href="data:text/csv,a" download="list.csv">List</a>
<label>Photo <input id=photo type=file onchange="document.title=this.files[0].name"></label>
<button onclick="document.title = prompt('Name?', 'Ada') + confirm('Sure?')">Ask me</button>
<script>let n = 0</script>`

// A page whose script does not end is no dead end: another address opens in another tab.
func TestOpeningAnotherPageThanOneThatHangs(t *testing.T) {
	if _, err := browser.Find(""); err != nil {
		testneed.Missing(t, "no Chrome to test with: "+err.Error())
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	folder := t.TempDir()
	for name, page := range map[string]string{
		"hangs.html": `<button onclick="while (1);">Hang</button>` +
			`<script>onbeforeunload = e => e.preventDefault()</script>`,
		"next.html": `<title>Next</title>`,
	} {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(page), 0o600))
	}
	l := liveEngine(t, t.TempDir())
	_, _, err := l.OpenSession(ctx, "")
	require.NoError(t, err)
	_, err = l.Start(ctx, quiet)
	require.NoError(t, err)
	first, err := l.Open(ctx, address.Target{Path: filepath.Join(folder, "hangs.html")}, quiet)
	require.NoError(t, err)
	ran, err := l.RunSteps(ctx, steps.RunSteps{Text: `{"click":"button","timeout":1000}`}, quiet)
	require.NoError(t, err)
	require.False(t, ran.OK, "%s", ran.Body)
	l.opt.Timeout = 5 * time.Second
	next, err := l.Open(ctx, address.Target{Path: filepath.Join(folder, "next.html")}, quiet)
	require.NoError(t, err)
	require.Equal(t, "Next", next.Title)
	require.NotEqual(t, first.ID, next.ID)
	require.Eventually(t, func() bool { // Chrome closes a tab that hangs once its page did not answer for a second
		tabs, err := l.Tabs(ctx)
		return err == nil && len(tabs) == 1
	}, 20*time.Second, 100*time.Millisecond)
}

// TestAServerMayTakeItsTimeToAnswer: the limit for loading a page is all that ends the wait, also where the server is
// silent for longer than a call to Chrome usually takes; and what is said then leads to more time.
func TestAServerMayTakeItsTimeToAnswer(t *testing.T) {
	if _, err := browser.Find(""); err != nil {
		testneed.Missing(t, "no Chrome to test with: "+err.Error())
	}
	t.Parallel()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	var answer atomic.Pointer[time.Time] // the browser's requests read it at any time
	at := func(when time.Time) { answer.Store(&when) }
	at(time.Now().Add(time.Hour))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-time.After(time.Until(*answer.Load())):
			fmt.Fprint(w, "<title>Late</title>")
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(server.Close)
	l := liveEngine(t, t.TempDir())
	_, _, err := l.OpenSession(ctx, "")
	require.NoError(t, err)
	_, err = l.Start(ctx, quiet)
	require.NoError(t, err)

	l.opt.Timeout = time.Second
	_, err = l.Open(ctx, address.Target{URL: server.URL}, quiet)
	require.ErrorIs(t, err, core.ErrSlow)

	l.opt.Timeout = time.Minute
	at(time.Now().Add(11 * time.Second)) // one more than a call takes that has no limit of its own
	tab, err := l.Open(ctx, address.Target{URL: server.URL}, quiet)
	require.NoError(t, err)
	require.Equal(t, "Late", tab.Title)
}

func TestLiveSteps(t *testing.T) {
	testneed.Long(t, "steps in a live session")
	if _, err := browser.Find(""); err != nil {
		testneed.Missing(t, "no Chrome to test with: "+err.Error())
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	home := t.TempDir()
	page := filepath.Join(t.TempDir(), "page.html")
	require.NoError(t, os.WriteFile(page, []byte(stepsPage), 0o600))
	l := liveEngine(t, home)
	_, _, err := l.OpenSession(ctx, "")
	require.NoError(t, err)
	b, err := l.Start(ctx, quiet)
	require.NoError(t, err)
	_, err = l.Open(ctx, address.Target{Path: page}, quiet)
	require.NoError(t, err)
	rec, err := l.Capture(ctx, "goto", quiet)
	require.NoError(t, err)
	refs := map[string]string{}
	for _, n := range rec.Capture.Nodes {
		if n.Ref > 0 {
			refs[n.Name] = "e" + strconv.Itoa(n.Ref)
		}
	}
	run := func(t *testing.T, text string, masked bool) *steps.Ran {
		t.Helper()
		ran, err := l.RunSteps(ctx, steps.RunSteps{Text: text, Masked: masked}, quiet)
		require.NoError(t, err)
		return ran
	}

	t.Run("what moves by itself is no change", func(t *testing.T) {
		for range 8 {
			changed, err := l.Changed(ctx)
			require.NoError(t, err)
			require.False(t, changed)
		}
	})
	t.Run("a click makes a turn with its steps and its answer", func(t *testing.T) {
		ran := run(t, `{"click":"`+refs["Press"]+`"}`, false)
		require.True(t, ran.OK, "%s", ran.Body)
		require.Equal(t, 2, ran.Record.N)
		require.Equal(t, string(ran.Body), string(ran.Record.Answer))
		require.Equal(t, []byte(ran.Record.Payloads[0].Bytes), ran.Body)
		store, err := turn.OpenPath(turn.SessionDir(home, "window"))
		require.NoError(t, err)
		kept, err := store.Load(ctx, 2)
		require.NoError(t, err)
		require.NoError(t, store.Close())
		require.Equal(t, string(ran.Body), string(kept.Answer))
		require.JSONEq(t, `{"click":"`+refs["Press"]+`"}`, core.StepsText(kept.Steps))
		changed, err := l.Changed(ctx)
		require.NoError(t, err)
		require.False(t, changed, "the turn has seen it")
	})
	t.Run("what the page does later is a change", func(t *testing.T) {
		tab, err := l.current()
		require.NoError(t, err)
		frames, err := tab.Frames(ctx)
		require.NoError(t, err)
		_, err = tab.Session().Eval(ctx, frames[0].ID, `document.getElementById('out').textContent = 'later'; 'x'`)
		require.NoError(t, err)
		changed, err := l.Changed(ctx)
		require.NoError(t, err)
		require.True(t, changed)
		_, err = l.Capture(ctx, live.ActionLive, quiet)
		require.NoError(t, err)
		changed, err = l.Changed(ctx)
		require.NoError(t, err)
		require.False(t, changed)
	})
	t.Run("a step that fails is an answer", func(t *testing.T) {
		ran := run(t, `[{"click":{"selector":"#none","timeout":300}},{"press":"Enter"}]`, false)
		require.False(t, ran.OK)
		require.Contains(t, ran.Failed, "click failed: ")
		require.Equal(t, "click, press", ran.Words)
		require.NotNil(t, ran.Record)
	})
	t.Run("a dialog that opens once the steps are done is told", func(t *testing.T) {
		tab, err := l.current()
		require.NoError(t, err)
		ran, err := l.RunSteps(ctx, steps.RunSteps{Text: `{"click":"` + refs["Press"] + `"}`}, func(stage string) {
			if stage != "opening the turn" {
				return
			}
			frames, err := tab.Frames(ctx)
			require.NoError(t, err)
			_, err = tab.Session().Eval(ctx, frames[0].ID, "setTimeout(() => prompt('Late?', 'x')); 'x'")
			require.NoError(t, err)
			require.Eventually(t, func() bool { open, _ := tab.OpenDialog(); return open != nil }, 10*time.Second,
				5*time.Millisecond)
		})
		require.NoError(t, err)
		require.Equal(t, &steps.PageDialog{Type: "prompt", Message: "Late?", Prompt: "x"}, ran.Page)
		require.Nil(t, run(t, `{"dialog":{"accept":true}}`, false).Page)
	})
	t.Run("a dialog of the page stays open until it is answered, and the next one too", func(t *testing.T) {
		title := func() string {
			tab, err := l.current()
			require.NoError(t, err)
			info, err := tab.Info(ctx)
			require.NoError(t, err)
			return info.Title
		}
		ran := run(t, `{"click":"`+refs["Ask me"]+`"}`, false)
		require.Equal(t, &steps.PageDialog{Type: "prompt", Message: "Name?", Prompt: "Ada"}, ran.Page, "%s", ran.Body)
		ran = run(t, `{"dialog":{"accept":true,"promptText":"Grace "}}`, false)
		require.Equal(t, &steps.PageDialog{Type: "confirm", Message: "Sure?"}, ran.Page, "%s", ran.Body)
		ran = run(t, `{"dialog":{"accept":true}}`, false)
		require.Nil(t, ran.Page, "%s", ran.Body)
		require.NotNil(t, ran.Record)
		require.Equal(t, "Grace true", title())
		var kept struct{ Before, Steps []json.RawMessage }
		require.NoError(t, json.Unmarshal(ran.Record.Steps, &kept))
		require.Len(t, kept.Steps, 1)
		require.Len(t, kept.Before, 2, "what opened them is not lost: %s", ran.Record.Steps)
		require.JSONEq(t, `{"click":"`+refs["Ask me"]+`"}`, string(kept.Before[0]))
		require.NotContains(t, string(kept.Before[1]), "Grace")
		photo := filepath.Join(t.TempDir(), "photo.png")
		require.NoError(t, os.WriteFile(photo, []byte("x"), 0o600))
		files, err := json.Marshal(photo)
		require.NoError(t, err)
		up, err := l.RunSteps(ctx, steps.RunSteps{Text: `{"upload":{"selector":"#photo","files":[` + string(files) + `]}}`,
			File: photo}, quiet)
		require.NoError(t, err)
		require.True(t, up.OK, "%s", up.Body)
		require.Equal(t, "photo.png", title())
	})
	t.Run("what a page gives to be saved is kept with the session, and said", func(t *testing.T) {
		ran := run(t, `{"click":"`+refs["List"]+`"}`, false)
		for ran.Record != nil && !strings.Contains(string(ran.Body), "list.csv") { // it begins in its own time
			require.NoError(t, ctx.Err())
			ran = run(t, `{"wait":100}`, false)
		}
		made, err := ran.Record.Ready()
		require.NoError(t, err)
		path := filepath.Join(home, "sessions", "window", "downloads", "list.csv")
		require.Equal(t, []string{"Downloaded list.csv, 1 B, to " + path + "."}, made.Activity.Steps[0].Downloads)
		require.FileExists(t, path)
	})
	t.Run("a draft that is none is an error", func(t *testing.T) {
		_, err := l.RunSteps(ctx, steps.RunSteps{Text: `{"clik":1}`}, quiet)
		require.ErrorContains(t, err, "did you mean")
		_, err = l.RunSteps(ctx, steps.RunSteps{Text: `{"openTab":true}`}, quiet)
		require.NoError(t, err, "it fails as a step, with an answer")
	})
	t.Run("what is typed is kept where nothing is secret, and only there", func(t *testing.T) {
		ran := run(t, `{"fill":{"ref":"`+refs["Name"]+`","value":"Ada"}}`, false)
		require.True(t, ran.OK, "%s", ran.Body)
		require.Contains(t, ran.Text, "Ada")
		ran = run(t, `{"fill":{"ref":"`+refs["Password"]+`","value":"hunter2"}}`, true)
		require.True(t, ran.OK, "%s", ran.Body)
		require.Empty(t, ran.Text)
		ran = run(t, `{"fill":{"ref":"`+refs["Password"]+`","value":"hunter2"}}`, false)
		require.Empty(t, ran.Text, "typed in the console, into a page whose fields hold a secret")
		for _, b := range [][]byte{ran.Body, []byte(ran.Sealed), ran.Record.Steps} {
			require.NotContains(t, string(b), "hunter2")
		}
	})
	t.Run("list boxes, dates and sliders, as Act fills them in", func(t *testing.T) {
		for _, text := range []string{`{"selectOption":{"ref":"` + refs["Country"] + `","label":"Italy"}}`,
			`{"selectOption":{"ref":"` + refs["Extras"] + `","labels":["Parking","Late"]}}`,
			`{"fill":{"ref":"` + refs["Arrival"] + `","value":"2026-12-24"}}`,
			`{"fill":{"ref":"` + refs["Guests"] + `","value":"7"}}`} {
			ran := run(t, text, false)
			require.True(t, ran.OK, "%s", ran.Body)
			require.NotNil(t, ran.Record)
		}
		ran := run(t, `{"selectOption":{"ref":"`+refs["Extras"]+`","labels":[]}}`, false)
		require.True(t, ran.OK, "%s", ran.Body)
		held := map[string]string{}
		for _, n := range ran.Record.Capture.Nodes {
			held[n.Name] = n.Value
		}
		require.Equal(t, []string{"Italy", "", "2026-12-24", "7"}, []string{held["Country"], held["Extras"],
			held["Arrival"], held["Guests"]})
	})
	t.Run("devices and what pages are told", func(t *testing.T) {
		ran := run(t, `[{"viewport":"pixel-7"},{"reload":true}]`, false)
		require.True(t, ran.OK, "%s", ran.Body)
		require.Equal(t, "pixel-7", ran.Device.Name)
		require.Equal(t, [2]int{412, 915}, [2]int{ran.Device.Width, ran.Device.Height})
		require.InDelta(t, 412, ran.Record.Capture.Viewport.Width, 0.5)
		d, err := l.EmulateMedia(ctx, core.MediaState{Scheme: "dark", Still: true})
		require.NoError(t, err)
		require.Equal(t, "dark", d.Media.Scheme)
		ran = run(t, `{"pageFunction":"() => [matchMedia('(prefers-color-scheme: dark)').matches, matchMedia('(prefers-reduced-motion: reduce)').matches].join()"}`, false)
		require.Contains(t, string(ran.Body), "true,true")
		ran = run(t, `[{"viewport":null},{"reload":true}]`, false)
		require.True(t, ran.Device.Own)
		require.Equal(t, 800, ran.Device.Width)
		_, err = l.EmulateMedia(ctx, core.MediaState{})
		require.NoError(t, err)
		ran = run(t, `{"pageFunction":"() => matchMedia('(prefers-color-scheme: dark)').matches"}`, false)
		require.NotContains(t, string(ran.Body), "true,true")
	})
	t.Run("the whole page", func(t *testing.T) {
		var stages []string
		rec, err := l.CaptureWhole(ctx, func(s string) { stages = append(stages, s) })
		require.NoError(t, err)
		require.Contains(t, strings.Join(stages, "|"), "as tall as the page")
		require.Greater(t, rec.Capture.Viewport.Height, 1500.0)
		require.Equal(t, live.ActionWhole, rec.Action)
	})
	t.Run("agents come to a server here", func(t *testing.T) {
		m, err := l.Agents(ctx)
		require.NoError(t, err)
		require.Empty(t, m.URL)
		require.NoError(t, l.ServeAgents(ctx, true))
		require.NoError(t, l.ServeAgents(ctx, true), "it runs already")
		m, err = l.Agents(ctx)
		require.NoError(t, err)
		require.Contains(t, m.URL, "http://127.0.0.1:")
		found := false
		for _, r := range m.Recipes {
			found = found || strings.Contains(r.Text, m.URL) && strings.Contains(r.Text, "Bearer ")
			if strings.HasPrefix(r.Text, "{") {
				require.True(t, json.Valid([]byte(r.Text)), r.Client)
			}
		}
		require.True(t, found)
		require.ErrorContains(t, l.StopAgent(ctx, "none"), "unknown MCP session")
		require.NoError(t, l.ServeAgents(ctx, false))
		require.NoError(t, l.ServeAgents(ctx, true))
		again, err := l.Agents(ctx)
		require.NoError(t, err)
		require.Equal(t, m.URL, again.URL, "what was pasted stays right")
		require.NoError(t, l.ServeAgents(ctx, false))
	})
	t.Run("another Chrome, and back", func(t *testing.T) {
		profile, err := os.MkdirTemp("", "refscope-test-")
		require.NoError(t, err)
		t.Cleanup(func() { // Chrome's helpers write for a moment after it has ended
			require.Eventually(t, func() bool { return os.RemoveAll(profile) == nil }, time.Minute,
				50*time.Millisecond)
		})
		other, err := browser.Start(ctx, browser.Options{Flags: []string{"user-data-dir=" + profile}})
		require.NoError(t, err)
		defer func() { require.NoError(t, other.Close()) }()
		port, err := os.ReadFile(filepath.Join(profile, "DevToolsActivePort"))
		require.NoError(t, err)
		at, _, _ := strings.Cut(string(port), "\n")
		shown, err := other.OpenTab(ctx)
		require.NoError(t, err)
		require.NoError(t, shown.Navigate(ctx, "data:text/html,<title>theirs</title>"))
		_, err = other.OpenTab(ctx) // an empty one, which Chrome lists first
		require.NoError(t, err)
		first := make(chan error, 1)
		go func() { first <- l.Wait(ctx, func(string, error) {}) }()

		_, err = l.Attach(ctx, "127.0.0.1:1", quiet)
		require.Error(t, err)
		_, err = l.Tabs(ctx)
		require.NoError(t, err, "the browser in use stays")
		got, err := l.Attach(ctx, "127.0.0.1:"+at, quiet)
		require.NoError(t, err)
		require.True(t, got.Attached)
		require.Equal(t, shown.ID(), got.Tab, "the tab that shows something")
		require.Equal(t, b.Demo, got.Demo)
		require.NoError(t, <-first, "a browser that was left has not ended by itself")
		_, err = l.Open(ctx, address.Target{URL: b.Demo}, quiet)
		require.NoError(t, err)
		got, err = l.Attach(ctx, "", quiet)
		require.NoError(t, err)
		require.False(t, got.Attached)
		_, err = other.Tabs(ctx)
		require.NoError(t, err, "somebody else's browser goes on")
	})
}
