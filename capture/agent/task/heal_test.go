package task_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/capture/agent/task"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/snapshot/turn"
)

const anew = `<!doctype html><title>Anew</title><p id="said"></p><div id="list"></div>
<script>
const list = document.getElementById('list');
list.addEventListener('click', (e) => { document.getElementById('said').textContent = 'Clicked ' + e.target.textContent; });
function render(names) { list.replaceChildren(...names.map((n) => Object.assign(document.createElement('button'), { textContent: n }))); }
render(['Buy', 'Sell']);
addEventListener('answered', () => render({ '?twins': ['Buy', 'Buy'], '?renamed': ['Buy now', 'Sell'], '?others': [] }[location.search] || ['Sell', 'Buy']));
</script>`

// TestHeal: an element that was rendered anew between page and answer is found by role and
// name, elsewhere on the page too; where two could be meant, none is.
func TestHeal(t *testing.T) {
	url := chrometest.Page(t, anew)
	for _, x := range []struct {
		name, at string
		compat   bool
		check    func(t *testing.T, q *request, out *task.Outcome)
	}{
		{"one is like it", "", false, func(t *testing.T, q *request, out *task.Outcome) {
			require.Equal(t, "success", q.LastActionStatus)
			require.Len(t, out.Healed, 1)
			require.Contains(t, q.LastActionResult.ActualState, fmt.Sprintf("(ref %d → ref %d)", out.Healed[0][0], out.Healed[0][1]))
			require.Contains(t, strings.Join(q.Events, "\n"), "'Clicked Buy'")
		}},
		{"two are like it", "?twins", false, func(t *testing.T, q *request, out *task.Outcome) {
			require.Equal(t, "failure", q.LastActionStatus)
			require.Equal(t, "STALE_ELEMENT", q.LastActionError.Code)
			require.Contains(t, q.LastActionError.Message, "2 elements have the same role and name")
			require.Empty(t, out.Healed)
			require.NotContains(t, strings.Join(q.Events, "\n"), "Clicked")
		}},
		{"another name", "?renamed", false, func(t *testing.T, q *request, _ *task.Outcome) {
			require.Equal(t, "STALE_ELEMENT", q.LastActionError.Code)
			require.Contains(t, q.LastActionError.Message, `button "Buy now"`)
			require.NotContains(t, strings.Join(q.Events, "\n"), "Clicked")
		}},
		{"another name, compat", "?renamed", true, func(t *testing.T, q *request, _ *task.Outcome) {
			require.Equal(t, "success", q.LastActionStatus)
			require.True(t, *q.ClientObservations.DidDomMutate)
		}},
		{"nothing like it, compat", "?others", true, func(t *testing.T, q *request, _ *task.Outcome) {
			require.Nil(t, q.LastActionError)
			require.Contains(t, q.LastActionResult.ActualState, "the click goes to where it was")
		}},
	} {
		t.Run(x.name, func(t *testing.T) {
			tab := chrome.Open(t, url+x.at)
			e := serve(t, func(q *request) string {
				frames, err := tab.Frames(context.Background())
				if err == nil {
					_, err = tab.Session().Eval(context.Background(), frames[0].ID, "String(dispatchEvent(new Event('answered')))")
				}
				if err != nil {
					t.Error(err)
				}
				return do("click", "Buy", "")(q)
			})
			o := options(t, e)
			o.Compat = x.compat
			out := run(t, tab, o)
			require.True(t, out.OK(), "%+v", out)
			x.check(t, &e.got[1], out)
		})
	}
}

// TestCovered: a click that something would catch is not made, and the endpoint learns
// what it is.
func TestCovered(t *testing.T) {
	e := serve(t, do("click", "Buy", ""))
	tab := chrome.Open(t, chrometest.Page(t, `<!doctype html><title>x</title><button>Buy</button><div role="dialog" aria-label="Cookies" style="position:fixed;inset:0;background:#fff"><button>Reject</button></div>`))
	out := run(t, tab, options(t, e))
	require.True(t, out.OK(), "%+v", out)
	q := e.got[1]
	require.Equal(t, "COVERED", q.LastActionError.Code)
	require.Contains(t, q.LastActionError.Message, "is in the way")
	require.False(t, q.LastActionResult.Success)
}

// TestLimits: steps, bytes, time, a cancelled context; each leaves a whole session with
// the page as the last action has left it.
func TestLimits(t *testing.T) {
	again := func(*request) string { return `{"action":"wait(1)"}` }
	for _, x := range []struct {
		name  string
		set   func(*task.Options)
		first func(*request) string
		why   string
		turns int
	}{
		{"steps", func(o *task.Options) { o.MaxSteps = 2 }, again, "steps", 3},
		{"bytes", func(o *task.Options) { o.MaxBytes = 700 }, again, "bytes", 2},
		{"time", func(o *task.Options) { o.MaxTime = 2 * time.Second }, says("HANG"), "time", 1},
		{"an endpoint that hangs", func(o *task.Options) { o.RequestTimeout = 100 * time.Millisecond }, says("HANG"), "endpoint", 1},
	} {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			script := []func(*request) string{x.first, again, again, again}
			if x.why == "endpoint" {
				script = []func(*request) string{x.first, x.first, x.first}
			}
			o := options(t, serve(t, script...))
			x.set(&o)
			out := run(t, chrome.Open(t, chrometest.Page(t, "<title>x</title><button>Buy</button>")), o)
			require.Equal(t, []string{"stopped", x.why}, []string{out.Status, out.Why}, "%+v", out)
			require.Len(t, out.Turns, x.turns)
			require.NotEmpty(t, out.Reason)
		})
	}
}

// TestCancelAndResume: a task that was broken off goes on where it was.
func TestCancelAndResume(t *testing.T) {
	url := chrometest.Page(t, shop)
	ctx, cancel := context.WithCancel(chrometest.Context(t))
	defer cancel()
	e := serve(t, do("setValue", "Name", `, "Ada"`), func(*request) string { cancel(); return "HANG" })
	o := options(t, e)
	out, err := task.Run(ctx, chrome.Open(t, url), o)
	require.NoError(t, err)
	require.Equal(t, []string{"stopped", "cancelled"}, []string{out.Status, out.Why}, "%+v", out)
	whole(t, o.Store)
	require.Len(t, out.Turns, 2)

	from, err := task.ReadResume(t.Context(), o.Store)
	require.NoError(t, err)
	require.Equal(t, &task.Resume{Query: "Do it", TaskID: "T1", SessionID: "s", URL: url, Steps: 2}, from)
	e = serve(t)
	o.Endpoint, o.Resume = e.srv.URL, from
	out = run(t, chrome.Open(t, url), o)
	require.True(t, out.OK(), "%+v", out)
	require.Equal(t, 3, out.Steps)
	require.Equal(t, "T1", e.got[0].TaskID)
	require.Contains(t, e.got[0].LastActionResult.ActualState, "the task was resumed")
	from, err = task.ReadResume(t.Context(), o.Store)
	require.NoError(t, err)
	require.True(t, from.Ended)

	empty, err := turn.Create(t.Context(), turn.Dir(t.TempDir()+"/e"), "test")
	require.NoError(t, err)
	defer empty.Close()
	_, err = task.ReadResume(t.Context(), empty)
	require.ErrorIs(t, err, task.ErrNoTask)
}

// TestDelta: a tree that the endpoint has is left out where that is asked for.
func TestDelta(t *testing.T) {
	again := says(`{"action":"wait(1)"}`)
	e := serve(t, again, again)
	o := options(t, e)
	o.Delta = true
	run(t, chrome.Open(t, chrometest.Page(t, "<title>x</title><button>Buy</button>")), o)
	require.Len(t, e.got[0].InteractiveTree, 1)
	require.Empty(t, e.got[1].InteractiveTree)
	require.True(t, e.got[1].TreeUnchanged)
}

// TestOptions that cannot be run are refused before anything is done.
func TestOptions(t *testing.T) {
	for why, o := range map[string]task.Options{
		"no query":        {Endpoint: "http://127.0.0.1:1/"},
		"must begin with": {Query: "x", Endpoint: "nowhere"},
		"unknown mode":    {Query: "x", Endpoint: "http://127.0.0.1:1/", Mode: "best"},
		"below zero":      {Query: "x", Endpoint: "http://127.0.0.1:1/", MaxSteps: -1},
	} {
		_, err := task.Run(t.Context(), nil, o)
		require.ErrorContains(t, err, why)
	}
}
