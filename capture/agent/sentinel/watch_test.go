package sentinel_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/capture/action"
	"github.com/refscope/refscope/capture/agent/sentinel"
	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/snapshot"
)

var chrome chrometest.Chrome

func TestMain(m *testing.M) { os.Exit(chrome.Main(m)) }

// site is a page of a button for each thing that can happen; /next is another page, and
// / answers a form with an error.
func site(t *testing.T) string {
	return chrometest.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		switch {
		case r.URL.Path == "/next":
			fmt.Fprint(w, `<title>Next</title><h1>Thank you</h1>`)
		case r.URL.Path == "/slow":
			select {
			case <-r.Context().Done():
			case <-time.After(3 * time.Second):
			}
		case r.Method == http.MethodPost:
			fmt.Fprint(w, `<title>Shop</title><p class="error">The code is wrong</p><form method="post"><button id="post">Post</button></form>`)
		default:
			fmt.Fprint(w, page)
		}
	}))
}

const page = `<!doctype html><html lang="en"><title>Shop</title><body><h1>Welcome</h1><p id="here">Cart</p>
<p class="error">An old error</p>
<a id="next" href="/next">Next</a> <a id="hash" href="#part">Part</a> <a id="tab" href="/next" target="_blank">Tab</a>
<form method="post"><button id="post">Post</button></form>
<form action="/next"><label>E-mail <input id="mail" type="email" required></label><button id="send">Send</button></form>
<input id="name" aria-label="Name"> <input id="secret" type="password" aria-label="Password" value="hunter2hunter2"> <input id="box" type="checkbox" aria-label="Box"> <button id="more" aria-expanded="false">More</button>
<button id="pop" popovertarget="tip">Tip</button><div id="tip" popover>A tip</div><div style="height:40px;overflow:auto"><p id="deep">Row</p><p style="height:300px"></p></div>
<style>#menu { display: none } #css:focus + #menu { display: block }</style><button id="css">Menu</button><div id="menu">A menu of style</div>
<div id="host"></div><div id="spin" hidden>Loading</div><div id="fade" style="opacity:0">Faded in</div>
<button id="nothing">Nothing</button>
<button id="add">Add</button><button id="toast">Toast</button><button id="fail">Fail</button><button id="late">Late</button><button id="drop">Drop</button><button id="work">Work</button>
<button id="ask">Ask</button><label id="choose">Choose<input type="file" hidden></label><button id="leak">Leak</button><button id="again">Again</button><button id="shade">Shade</button><button id="show">Show</button><button id="push">Push</button><button id="busy">Busy</button>
<script>
const on = (id, f) => document.getElementById(id).addEventListener('click', f);
const say = (text, cls, ms) => { const p = document.createElement('p'); p.textContent = text; p.className = cls; document.body.append(p); if (ms) setTimeout(() => p.remove(), ms); };
on('add', () => say('Thank you', '', 0));
on('toast', () => setTimeout(() => say('Saved for later', 'toast success', 60), 20));
on('fail', () => say('Invalid email', 'error', 80));
on('late', () => { say('Working', '', 0); fetch('/next').then(() => setTimeout(() => say('Card was rejected', 'error', 0), 100)); });
on('drop', () => document.getElementById('here').remove());
on('work', () => { const s = document.getElementById('spin'); s.hidden = false; setTimeout(() => { s.remove(); say('Ready', '', 0); }, 150); });
on('more', (e) => e.target.setAttribute('aria-expanded', 'true'));
on('ask', () => alert('Really?'));
on('busy', () => {
	say('Invalid email', 'error', 10);
	let rounds = 0;
	const busy = () => { for (const end = performance.now() + 600; performance.now() < end;); if (rounds++ < 3) setTimeout(busy, 0); };
	setTimeout(busy, 60); // the page answers late, and its error is gone by then
});
on('leak', () => say('Error: the password hunter2hunter2 is too well known', 'error', 0));
on('again', () => document.getElementById('here').replaceWith(Object.assign(document.createElement('p'), { id: 'here', textContent: 'Cart' })));
on('shade', () => { const r = document.getElementById('host').attachShadow({ mode: 'open' }); r.innerHTML = '<p>In the shade</p>'; });
on('show', () => { document.getElementById('fade').style.opacity = 1; });
on('push', () => history.pushState({}, '', '/pushed'));
</script>`

// act watches, does something, and verifies.
func act(t *testing.T, url, expect string, do func(ctx context.Context, p *action.Page)) *sentinel.Result {
	t.Helper()
	ctx := chrometest.Context(t)
	tab := chrome.Open(t, url)
	var before *snapshot.Capture
	if strings.Contains(expect, `#"`) { // by its ref
		shot, err := session.Take(ctx, tab, session.Options{NoPicture: true, Settle: session.Settle{Quiet: 50 * time.Millisecond, Network: 50 * time.Millisecond}})
		require.NoError(t, err)
		before = shot.Capture
		for i := range before.Nodes {
			n := &before.Nodes[i]
			if id := n.Attrs["id"]; id != "" && n.Ref > 0 {
				expect = strings.ReplaceAll(expect, `"#`+id+`#"`, fmt.Sprint(n.Ref))
			}
		}
	}
	e, err := sentinel.Parse([]byte(expect))
	require.NoError(t, err, expect)
	p := action.New(tab)
	w, err := sentinel.Watch(ctx, p, e, sentinel.Options{Before: before})
	require.NoError(t, err)
	do(ctx, p)
	r, err := w.Verify(ctx)
	require.NoError(t, err)
	return r
}

func click(t *testing.T, id string) func(context.Context, *action.Page) {
	return func(ctx context.Context, p *action.Page) {
		list, err := p.CSS(ctx, "", "#"+id, 1)
		require.NoError(t, err)
		require.Len(t, list, 1, id)
		_, err = p.Click(ctx, list[0], action.ClickOptions{})
		require.NoError(t, err)
	}
}

func fill(t *testing.T, id, text string) func(context.Context, *action.Page) {
	return func(ctx context.Context, p *action.Page) {
		list, err := p.CSS(ctx, "", "#"+id, 1)
		require.NoError(t, err)
		_, err = p.Fill(ctx, list[0], text, action.FillOptions{})
		require.NoError(t, err)
	}
}

// TestOutcomes: each kind of outcome, where it is there and where it is not.
func TestOutcomes(t *testing.T) {
	const short = `,"timeout":300}`
	for _, x := range []struct {
		name, expect, click string
		fill                string // into the field, instead of a click
		ok                  bool
		is                  string // of the actual outcome
		errors              []string
	}{
		{"a link is followed", `{"type":"navigation"}`, "next", "", true, "the address changed to ", nil},
		{"a fragment", `{"type":"navigation"}`, "hash", "", true, "the address changed to ", nil},
		{"a script's own address", `{"type":"navigation"}`, "push", "", true, "/pushed", nil},
		{"no navigation", `{"type":"navigation"` + short, "fail", "", false, "URL unchanged", []string{"Invalid email"}},
		{"a form that comes back with an error", `{"type":"navigation"}`, "post", "", false, "loaded again at the same address", []string{"The code is wrong"}},
		{"the browser refuses the form", `{"type":"navigation"` + short, "send", "", false, "URL unchanged", []string{"E-mail is required"}},

		{"a text appears", `{"type":"element_appears","text":"thank  You"}`, "add", "", true, `"thank You" appeared`, nil},
		{"on the next page", `{"type":"element_appears","text":"Thank you"}`, "next", "", true, `"Thank you" appeared`, nil},
		{"a toast comes and goes", `{"type":"element_appears","text":"Saved for later"}`, "toast", "", true, `"Saved for later" appeared`, nil},
		{"in a shadow tree", `{"type":"element_appears","text":"in the shade"}`, "shade", "", true, "appeared", nil},
		{"out of transparency", `{"type":"element_appears","selector":"#fade"}`, "show", "", true, "#fade appeared", nil},
		{"it was there before", `{"type":"element_appears","text":"Cart"` + short, "again", "", false, "was there before", nil},
		{"it does not appear", `{"type":"element_appears","text":"Thank you"` + short, "fail", "", false, "did not appear", []string{"Invalid email"}},
		{"a selector that does not", `{"type":"element_appears","selector":".toast"` + short, "nothing", "", false, ".toast did not appear", nil},

		{"an element disappears", `{"type":"element_disappears","selector":"#here"}`, "drop", "", true, "#here disappeared", nil},
		{"a text disappears", `{"type":"element_disappears","text":"cart"}`, "drop", "", true, `"cart" disappeared`, nil},
		{"a ref disappears with its page", `{"type":"element_disappears","ref":"#add#"}`, "next", "", true, "disappeared", nil},
		{"a spinner comes and goes", `{"type":"element_disappears","text":"Loading"}`, "work", "", true, "disappeared", nil},
		{"it is still there", `{"type":"element_disappears","text":"Cart"` + short, "add", "", false, "is still there", nil},
		{"it never was", `{"type":"element_disappears","selector":"#none"` + short, "add", "", false, "was not there before", nil},

		{"a value", `{"type":"value_changes","ref":"#name#"}`, "name", "Ada", true, "changed", nil},
		{"the value", `{"type":"value_changes","ref":"#name#","value":"Ada"}`, "name", "Ada", true, "holds what was asked for", nil},
		{"another value", `{"type":"value_changes","ref":"#name#","value":"Bob"}`, "name", "Ada", true, "not what was asked for", nil},
		{"a password", `{"type":"value_changes","ref":"#secret#"}`, "secret", "correct horse", true, "changed", nil},
		{"any value", `{"type":"value_changes"}`, "name", "Ada", true, "the value of a field changed", nil},
		{"no value", `{"type":"value_changes","ref":"#name#"` + short, "add", "", false, "did not change", nil},
		{"the words of what is no field", `{"type":"value_changes","selector":"body"}`, "add", "", true, "changed", nil},
		{"the same words", `{"type":"value_changes","selector":"#here"` + short, "add", "", false, "did not change", nil},
		{"the same value", `{"type":"value_changes"` + short, "more", "", false, "no field holds anything else", nil},

		{"a state", `{"type":"state_changes","ref":"#box#"}`, "box", "", true, "changed", nil},
		{"an expansion", `{"type":"state_changes","selector":"#more"}`, "more", "", true, "changed", nil},
		{"any state", `"state_changes"`, "more", "", true, "a control changed", nil},
		{"no state", `{"type":"state_changes","ref":"#box#"` + short, "more", "", false, "did not change", nil},

		{"any change", `"any_change"`, "add", "", true, "the document changed", nil},
		{"a popover", `"any_change"`, "pop", "", true, "the state of a control changed", nil},
		{"a style sheet", `"any_change"`, "css", "", true, "something was shown or hidden", nil},
		{"a dialog", `"any_change"`, "ask", "", true, `a dialog came up (alert "Really?")`, nil},
		{"a file chooser", `"any_change"`, "choose", "", true, "a file chooser opened", nil},
		{"a new tab", `"any_change"`, "tab", "", true, "a new tab was opened", nil},
		{"a change that is an error", `"any_change"`, "fail", "", false, "the document changed", []string{"Invalid email"}},
		{"an error of a busy page", `"any_change"`, "busy", "", false, "the document changed", []string{"Invalid email"}},
		{"an error that comes later", `"any_change"`, "late", "", false, "the document changed", []string{"Card was rejected"}},
		{"no change at all", `{"type":"any_change"` + short, "nothing", "", false, "the action itself changed nothing", nil},

		{"no error", `"no_change"`, "add", "", true, "stayed where it was", nil},
		{"an error", `"no_change"`, "fail", "", false, "stayed where it was", []string{"Invalid email"}},
		{"the page went away", `"no_change"`, "next", "", false, "the address changed", nil},

		{"or the other", `{"type":"navigation","or_element_appears":"Thank you"}`, "add", "", true, `"Thank you" appeared`, nil},
		{"neither", `{"type":"navigation","or_element_appears":"Thank you","timeout":400}`, "fail", "", false, "URL unchanged", []string{"Invalid email"}},
	} {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel() // most of it is waiting
			do := click(t, x.click)
			if x.fill != "" {
				do = fill(t, x.click, x.fill)
			}
			r := act(t, site(t), x.expect, do)
			require.Equal(t, x.ok, r.Success, "%+v", r)
			require.Contains(t, r.ActualOutcome, x.is)
			if x.errors == nil {
				x.errors = []string{}
			}
			require.Equal(t, x.errors, r.ErrorsDetected, "%+v", r)
			require.Greater(t, r.Confidence, 0.0)
			require.LessOrEqual(t, r.Confidence, 1.0)
			require.Equal(t, x.ok, r.Wire().Passed)
			require.NotContains(t, r.Feedback, "An old error")
		})
	}
}

// TestFeedback: what an agent reads, and that a password never is in it.
func TestFeedback(t *testing.T) {
	r := act(t, site(t), `{"type":"navigation","or_element_appears":"Thank you","timeout":400}`, click(t, "fail"))
	require.Equal(t, "URL unchanged. Error: 'Invalid email'", r.Message())
	require.Equal(t, `Not verified: expected navigation or "Thank you" appears within 400 ms. URL unchanged. Error: 'Invalid email'.`, r.Feedback)
	require.True(t, r.PageState.DOMChanged)
	require.False(t, r.PageState.URLChanged)
	require.Contains(t, strings.Join(r.PageState.RecentMutations, "\n"), "Error: 'Invalid email'")

	r = act(t, site(t), `"any_change"`, click(t, "toast"))
	require.Equal(t, []string{"Saved for later"}, r.SuccessMessages)
	require.Contains(t, r.Feedback, "The page says 'Saved for later'.")

	r = act(t, site(t), `"any_change"`, click(t, "leak"))
	require.Equal(t, []string{"Error: the password [redacted: password] is too well known"}, r.ErrorsDetected)
	require.NotContains(t, fmt.Sprintf("%+v", r), "hunter2")
}

// TestDialogThatWaits: a page that waits for an answer is told of, and hangs nobody.
func TestDialogThatWaits(t *testing.T) {
	ctx := chrometest.Context(t)
	tab := chrome.Open(t, site(t))
	tab.SetDialogs(browser.DialogAsk)
	p := action.New(tab)
	w, err := sentinel.Watch(ctx, p, &sentinel.Expectation{Type: sentinel.AnyChange, Timeout: time.Second}, sentinel.Options{})
	require.NoError(t, err)
	list, err := p.CSS(ctx, "", "#ask", 1)
	require.NoError(t, err)
	_, _ = p.Click(ctx, list[0], action.ClickOptions{}) // the click's own answer may be that of the dialog
	r, err := w.Verify(ctx)
	require.NoError(t, err)
	require.Contains(t, r.ActualOutcome, `a dialog is open and waits for an answer (alert "Really?")`)
	require.NoError(t, tab.AnswerDialog(ctx, true, nil))
}

// TestWatchRefuses what cannot be looked for, and what the context ends.
func TestWatchRefuses(t *testing.T) {
	ctx := chrometest.Context(t)
	p := action.New(chrome.Open(t, site(t)))
	var none *action.NotFoundError
	_, err := sentinel.Watch(ctx, p, &sentinel.Expectation{Type: sentinel.StateChanges, Ref: 99}, sentinel.Options{Before: &snapshot.Capture{}})
	require.ErrorAs(t, err, &none)
	var wrong *action.SelectorError
	_, err = sentinel.Watch(ctx, p, &sentinel.Expectation{Type: sentinel.ElementAppears, Selector: "a[["}, sentinel.Options{})
	require.ErrorAs(t, err, &wrong)

	w, err := sentinel.Watch(ctx, p, &sentinel.Expectation{Type: sentinel.Navigation, Timeout: 20 * time.Second}, sentinel.Options{})
	require.NoError(t, err)
	in, cancel := context.WithTimeout(ctx, 100*time.Millisecond)
	defer cancel()
	_, err = w.Verify(in)
	require.ErrorIs(t, err, context.DeadlineExceeded)
}
