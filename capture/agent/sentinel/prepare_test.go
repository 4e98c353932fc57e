package sentinel_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/capture/action"
	"github.com/refscope/refscope/capture/agent/sentinel"
	"github.com/refscope/refscope/capture/chrometest"
)

// What prepares an action is no outcome of it: a button that does nothing changes nothing, wherever it is, and whatever
// the page does when the mouse comes over it; one that does something is seen to (S-14).
func TestPreparationIsNoOutcome(t *testing.T) {
	url := chrometest.Page(t, `<!doctype html><title>Far</title><style>#dead:hover + p { display: block } p { display: none; position: absolute } u { position: absolute }</style>
<input id="top"><div style="height:4000px"></div><div style="height:60px;overflow:auto"><div style="height:500px"></div>
<button id="inner">Inner</button></div><button id="dead">Dead</button><p>Tip</p><button id="live">Live</button>
<select id="list" style="margin-top:3000px"><option>a<option>b</select>
<script>
dead.addEventListener('mouseover', () => document.body.append(document.createElement('u')), { once: true });
live.onclick = () => { live.textContent = 'Clicked'; };
</script>`)
	for _, x := range []struct {
		name string
		do   func(context.Context, *action.Page)
		want bool
	}{
		{"dead below the fold", click(t, "dead"), false},
		{"dead inside a scroller", click(t, "inner"), false},
		{"live below the fold", click(t, "live"), true},
		{"hover over nothing", hoverOver(t, "inner"), false},
		{"hover over something", hoverOver(t, "dead"), true},
		{"a list below the fold", fill(t, "list", "b"), true},
	} {
		t.Run(x.name, func(t *testing.T) {
			got := act(t, url, `{"type":"any_change","timeout":600}`, x.do)
			require.Equal(t, x.want, got.Success, "%+v", got)
			if !x.want {
				require.Equal(t, "the action itself changed nothing", got.ActualOutcome)
			}
		})
	}
}

// An action that says when it is prepared is judged as one whose page was noted before; where it never says so nothing
// is found out, and nothing is invented.
func TestNotedWhenPrepared(t *testing.T) {
	url := chrometest.Page(t, `<!doctype html><title>Two</title><button id="dead">Dead</button><button id="live">Live</button>
<input id="name"><script>live.onclick = () => { live.textContent = 'Clicked'; };</script>`)
	for _, x := range []struct {
		name string
		do   func(context.Context, *action.Page)
		want string
	}{
		{"live", click(t, "live"), "the document changed"},
		{"dead", click(t, "dead"), "the action itself changed nothing"},
		{"field", fill(t, "name", "Ada"), "the value of a field changed"},
		{"unprepared", func(context.Context, *action.Page) {}, ""},
	} {
		t.Run(x.name, func(t *testing.T) {
			ctx := chrometest.Context(t)
			p := action.New(chrome.Open(t, url))
			e, err := sentinel.Parse([]byte(`{"type":"any_change","timeout":600}`))
			require.NoError(t, err)
			w, err := sentinel.Watch(ctx, p, e, sentinel.Options{Prepares: true})
			require.NoError(t, err)
			x.do(ctx, p)
			got, err := w.Verify(ctx)
			if x.want == "" {
				require.ErrorContains(t, err, "was not noted")
				return
			}
			require.NoError(t, err)
			require.Equal(t, x.want, got.ActualOutcome, "%+v", got)
			require.Equal(t, x.want != "the action itself changed nothing", got.Success)
		})
	}
}

func hoverOver(t *testing.T, id string) func(context.Context, *action.Page) {
	return func(ctx context.Context, p *action.Page) {
		list, err := p.CSS(ctx, "", "#"+id, 1)
		require.NoError(t, err)
		_, err = p.Hover(ctx, list[0], action.HoverOptions{})
		require.NoError(t, err)
	}
}

// A document that comes back from the history has old errors: they are no news (S-14).
func TestOldErrorsOfAKeptDocument(t *testing.T) {
	url := chrometest.Page(t, `<!doctype html><title>Toasts</title><a id="on" href="/other.html">On</a>
<div role="alert" id="stays"></div><script>
stays.textContent = 'Error: the card was refused';
const p = Object.assign(document.createElement('p'), { className: 'error', textContent: 'Error: no stock' });
setTimeout(() => document.body.append(p), 50); setTimeout(() => { p.remove(); document.title = 'Ready'; }, 200);
</script>`)
	ctx := chrometest.Context(t)
	tab := chrome.Open(t, url)
	p := action.New(tab)
	e, err := sentinel.Parse([]byte(`"no_change"`))
	require.NoError(t, err)
	w, err := sentinel.Watch(ctx, p, e, sentinel.Options{}) // our observer is in the page from now on
	require.NoError(t, err)
	_, err = w.Verify(ctx)
	require.NoError(t, err)
	require.NoError(t, p.Until(ctx, "", func(ctx context.Context) (bool, error) {
		text, err := tab.Session().Eval(ctx, main(t, ctx, p), "document.title")
		return text == "Ready", err
	}))
	require.NoError(t, tab.Navigate(ctx, chrometest.Page(t, "<title>Other</title><p>Other")))
	e, err = sentinel.Parse([]byte(`"navigation"`))
	require.NoError(t, err)
	w, err = sentinel.Watch(ctx, p, e, sentinel.Options{})
	require.NoError(t, err)
	require.NoError(t, tab.Back(ctx))
	r, err := w.Verify(ctx)
	require.NoError(t, err)
	require.True(t, r.Success, "%+v", r)
	got, err := tab.Session().Eval(ctx, main(t, ctx, p), "String(performance.now() > 400) + document.title")
	require.NoError(t, err)
	if got == "trueReady" { // Chrome did keep the document
		text, err := json.Marshal(r.ErrorsDetected)
		require.NoError(t, err)
		require.Equal(t, "[]", string(text))
	} else {
		t.Log("Chrome loaded the page anew: its errors are new")
	}
}

func main(t *testing.T, ctx context.Context, p *action.Page) string {
	frames, err := p.Frames(ctx)
	require.NoError(t, err)
	return frames[0].ID
}
