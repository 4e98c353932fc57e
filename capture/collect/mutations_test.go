package collect_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/snapshot"
	"github.com/stretchr/testify/require"
)

// act runs a script in our world and lets the page's own tasks run.
func act(t testing.TB, tab *browser.Tab, script string) {
	t.Helper()
	_, err := tab.Session().Await(chrometest.Context(t), tab.ID(), `(async () => { `+script+`;
		await new Promise((done) => setTimeout(done)); return '' })()`)
	require.NoError(t, err)
}

func events(c *snapshot.Capture) []string {
	var out []string
	for _, m := range c.Mutations {
		out = append(out, strings.TrimSpace(fmt.Sprintf("%s %s %s", m.Type, m.Category, m.What))+": "+m.Text)
	}
	return out
}

func TestMutationStream(t *testing.T) {
	const page = `<!doctype html><body><p id=p>Kettle</p><div id=box></div><button id=b>Submit</button><div id=late role=status hidden>Saved later</div>
		<form id=f><input id=name aria-label="Your name"><input id=pw type=password aria-label=Secret><input id=otp name=otp></form><div id=ed contenteditable aria-label="Notes"></div><i id=clock>0</i>`
	cases := map[string]struct {
		script string
		want   []string
	}{
		"a toast":                   {`box.innerHTML = '<div role=status>Saved Successfully</div>'`, []string{"added success status: Saved Successfully"}},
		"a button goes":             {`b.remove()`, []string{"removed element button: Submit"}},
		"a text changes":            {`p.textContent = 'Teapot'`, []string{"changed text: Teapot"}},
		"an error by its words":     {`box.append(Object.assign(document.createElement('p'), {textContent: 'Invalid ZIP code'}))`, []string{"added error: Invalid ZIP code"}},
		"an error by its class":     {`box.innerHTML = '<p class="field-error">Bitte prüfen</p>'`, []string{"added error: Bitte prüfen"}},
		"a warning":                 {`box.innerHTML = '<div role=alert>The session ends soon</div>'`, []string{"added warning alert: The session ends soon"}},
		"loading":                   {`box.innerHTML = '<div class=spinner>Loading orders</div>'`, []string{"added loading: Loading orders"}},
		"a field":                   {`box.innerHTML = '<input aria-label=City value=Lisbon>'`, []string{"added form input: City"}},
		"a field is invalid":        {`document.getElementById('name').setAttribute('aria-invalid', 'true')`, []string{"changed error input: Your name"}},
		"disabled":                  {`b.disabled = true`, []string{"changed element button: Submit"}},
		"shown":                     {`late.hidden = false`, []string{"added success status: Saved later"}},
		"typed into an editor":      {`ed.textContent = 'my diary 4111111111111111'`, []string{"changed form div: Notes"}},
		"a password shown":          {`pw.type = 'text'; pw.setAttribute('value', 'hunter2')`, nil},
		"a code field":              {`otp.setAttribute('value', '123456'); otp.disabled = true`, nil},
		"a clock":                   {`for (let i = 1; i < 30; i++) { clock.textContent = i; await new Promise((r) => setTimeout(r)) }`, []string{"changed text: 29"}},
		"styles, wrappers, scripts": {`box.append(document.createElement('style'), document.createElement('div'), document.createElement('script')); box.style.color = 'red'`, nil},
		"opted out":                 {`box.className = 'dddk-skip'; box.innerHTML = '<p>private</p>'`, nil},
		"a token in a message":      {`box.innerHTML = '<p>Your key is ghp_abcdefghijklmnopqrstuvwxyz0123456789</p>'`, []string{"added text: Your key is [redacted: token]"}},
		"a card in a message":       {`box.innerHTML = '<p>Charged 4111 1111 1111 1111</p>'`, []string{"added text: Charged [redacted: card]"}},
	}
	url, tab := chrometest.Page(t, page), chrome.Tab(t)
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			chrometest.Load(t, tab, url)
			require.Empty(t, read(t, tab).Mutations, "a page that only loaded")
			act(t, tab, tc.script)
			c := read(t, tab)
			require.Equal(t, tc.want, events(c))
			data, err := json.Marshal(c.Mutations)
			require.NoError(t, err)
			for _, secret := range []string{"hunter2", "123456", "4111", "diary", "private"} {
				require.NotContains(t, string(data), secret)
			}
			for _, m := range c.Mutations {
				require.GreaterOrEqual(t, m.Age, 0.0)
			}
		})
	}
}

// TestLoadingIsNoNews: scripts that build the page while it loads leave no events, in
// two loads alike; what comes and goes afterwards does, though it is gone.
func TestLoadingIsNoNews(t *testing.T) {
	url := chrometest.Page(t, `<body><script>
		document.body.innerHTML = '<p>Built by a script</p>';
		addEventListener('DOMContentLoaded', () => document.body.append(document.createElement('button')));
		addEventListener('load', () => document.body.insertAdjacentHTML('beforeend', '<p role=alert>Error while loading</p>'));
	</script>`)
	for range 2 {
		tab := chrome.Open(t, url)
		require.Empty(t, read(t, tab).Mutations)
		act(t, tab, `document.body.insertAdjacentHTML('beforeend', '<p id=x role=status>Thank you</p>'); await new Promise((r) => setTimeout(r, 50)); document.getElementById('x').remove()`)
		require.Equal(t, []string{"added success status: Thank you", "removed success status: Thank you"}, events(read(t, tab)))
	}
}

// TestEndlessMutationsAreBounded: a page that never stops costs neither memory nor
// the latest news.
func TestEndlessMutationsAreBounded(t *testing.T) {
	tab := chrome.Open(t, chrometest.Page(t, `<body><div id=a></div><script>
		let n = 0; const step = () => { for (let i = 0; i < 500; i++) { const d = document.createElement('p'); d.textContent = 'x'.repeat(3000) + n++; a.append(d); if (a.childElementCount > 20) a.firstChild.remove(); } setTimeout(step, 4) };
		addEventListener('load', () => setTimeout(step, 20));
	</script>`))
	// The storm is there once a thousand records were only counted.
	_, err := tab.Session().Await(chrometest.Context(t), tab.ID(), `new Promise((done) => { const look = () => globalThis.__refscope.skipped > 1000 ? done('') : setTimeout(look, 20); look() })`)
	require.NoError(t, err)
	c := read(t, tab)
	require.Len(t, c.Mutations, 50)
	size := 0
	for _, m := range c.Mutations {
		require.LessOrEqual(t, len([]rune(m.Text)), 120)
		size += len(m.Text)
	}
	text, err := tab.Session().Eval(chrometest.Context(t), tab.ID(), `String(globalThis.__refscope.skipped > globalThis.__refscope.recent().length)`)
	require.NoError(t, err)
	require.Equal(t, "true", text, "most records are only counted")
	require.Less(t, size, 50*4*120)
}

func TestMutationsInFrames(t *testing.T) {
	inner := chrometest.Page(t, `<p id=p>quiet</p>`)
	tab := chrome.Open(t, chrometest.Page(t, `<iframe id=f srcdoc="<p id=p>inside</p>"></iframe><iframe src="`+strings.Replace(inner, "127.0.0.1", "localhost", 1)+`"></iframe>`))
	require.Empty(t, read(t, tab).Mutations)
	act(t, tab, `f.contentDocument.getElementById('p').textContent = 'Order failed'`)
	require.Equal(t, []string{"changed error: Order failed"}, events(read(t, tab)))
}

func TestObservedFromIsTheDocumentsStart(t *testing.T) {
	before := time.Now().Add(-time.Second)
	c := read(t, chrome.Open(t, chrometest.Page(t, `<p>x`)))
	require.WithinRange(t, c.ObservedFrom, before, c.TakenAt)
}
