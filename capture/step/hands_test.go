package step_test

import (
	"fmt"
	"net/http"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/capture/step"
	"github.com/refscope/refscope/capture/step/steptest"
	"github.com/refscope/refscope/snapshot/testneed"
)

// A link that opens a tab puts its own tab behind it. Commands and steps in that tab go on as
// before: with picture, snapshot and context (issue 18: they came after 20 s, without).
func TestATabBehindAnotherIsStillRead(t *testing.T) {
	b := on(t, `<title>Opener</title><button onclick="this.textContent = 'stayed'">stay</button>
		<a target=_blank href="data:text/html,<title>New</title>new">open</a>`)
	a := b.Run(`[{"click":"a"},{"click":"button"},{"hover":"button"},{"snapshot":true}]`)
	require.Equal(t, "ok", a.Status, a.Raw)
	require.Contains(t, a.Raw, "stayed")
	for range 2 {
		a = b.Run(`[{"click":"a"},{"snapshot":true}]`)
		require.Equal(t, "ok", a.Status, a.Raw)
		require.NotContains(t, a.Raw, `"note"`)
		require.Contains(t, a.Raw, `"fullSnapshot"`)
		require.Contains(t, a.Raw, `"screenshot"`)
	}
}

// No mouse gets to a point outside the viewport.
func TestAClickOutsideTheViewportIsRefused(t *testing.T) {
	b := on(t, `<button>b</button>`)
	a := b.Run(`[{"click":{"x":5000,"y":10}}]`)
	require.Equal(t, "error", a.Status, a.Raw)
	require.Contains(t, a.Steps[0].Error, "outside the viewport")
}

// Fields that are missing are waited for once, together: seven waits of five seconds are more
// than the step's thirty.
func TestMissingFieldsAreWaitedForTogether(t *testing.T) {
	testneed.Long(t, "waits")
	b := on(t, `<input id=f>`)
	a := b.Run(`[{"fill":{"#n1":"x","#n2":"x","#n3":"x","#n4":"x","#n5":"x","#n6":"x","#n7":"x","#f":"kept"}}]`)
	require.Equal(t, "ok", a.Status, a.Raw)
	require.Contains(t, a.Raw, `"filled":1,"failed":7`)
	require.Contains(t, a.Raw, `"7 of 8 fields were not filled"`)
}

// A click is one click: also on what lies in a closed shadow root, and where the page keeps the events to itself.
func TestAClickIsOneClick(t *testing.T) {
	b := on(t, `<div id=host></div><button id=own>Own</button><p id=n>0</p><script>
		const root = host.attachShadow({ mode: 'closed' }), count = () => { n.textContent = 1 + Number(n.textContent); };
		root.innerHTML = '<button>Closed</button>';
		root.firstChild.addEventListener('click', count);
		for (const kind of ['pointerdown', 'mousedown', 'click']) addEventListener(kind, (e) => {
			if (e.target.id !== 'own') return;
			if (kind === 'click') count();
			e.stopImmediatePropagation();
		}, true);
	</script>`)
	for i, text := range []string{"Closed", "Own"} {
		a := b.Run(`[{"snapshot":true},{"click":{"text":"` + text + `"}},{"pageFunction":"() => document.getElementById('n').textContent"}]`)
		require.Equal(t, "ok", a.Status, a.Raw)
		require.Contains(t, string(a.Steps[1].Output), `"method":"cdp"`, a.Raw)
		require.Contains(t, string(a.Steps[2].Output), `"value":"`+strconv.Itoa(i+1)+`"`, a.Raw)
	}
}

// What a command writes into the page is there for the steps after a snapshot (D-11, S-15).
func TestASnapshotLeavesItsWritesForTheNextStep(t *testing.T) {
	b := on(t, `<button>One</button><button>Two</button>`)
	b.Opt.Writes = session.PageWrites{Stamp: true, DebugSurface: true}
	b.Allow(t.TempDir()) // the next command has the options
	for _, snapshot := range []string{`"snapshot"`, `"domtoolSnapshot"`} {
		a := b.Run(`[{"pageFunction":"() => { delete window.__dddkDebug; for (const e of document.querySelectorAll('[data-llm-id]')) e.removeAttribute('data-llm-id'); }"},
			{` + snapshot + `:true},{"pageFunction":"() => __dddkDebug.lastIndexMap.size + ' ' + document.querySelectorAll('[data-llm-id]').length"}]`)
		require.Equal(t, "ok", a.Status, a.Raw)
		require.Contains(t, string(a.Steps[2].Output), `"2 2"`, snapshot)
	}
}

// The seed's own example is pressed, and the page after a reload is known at once.
func TestKeysOfTheBrowserItself(t *testing.T) {
	var loads atomic.Int64
	b := steptest.At(t, step.Chrome, chrometest.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			if loads.Add(1) > 1 {
				http.Redirect(w, r, "/new", http.StatusFound)
				return
			}
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<!doctype html><title>Keys</title><script>keys = []; addEventListener('keydown', (e) => keys.push(e.key))</script>`)
	})))
	a := b.Run(`[{"press":"Alt+F4"},{"pageFunction":"() => keys.join()"},{"press":"F5"},{"press":"a"}]`)
	require.Equal(t, "ok", a.Status, a.Raw)
	require.Contains(t, a.Steps[0].Warning, "the step closeTab does")
	require.Contains(t, string(a.Steps[1].Output), `"Alt,F4"`)
	require.Contains(t, string(a.Steps[2].Output), `/new"`)
	require.NotContains(t, string(a.Steps[3].Output), "navigated")
}
