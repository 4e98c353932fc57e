package session_test

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/refscope/refscope/assets"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/profiles"
	"github.com/refscope/refscope/snapshot"
	"github.com/stretchr/testify/require"
)

func TestCacheStandsWhileNothingChanges(t *testing.T) {
	tab := chrome.Open(t, chrometest.Page(t, `<input id=i value=a><input id=c type=checkbox><p id=p>text</p><div style="height:3000px"></div>`))
	ctx := chrometest.Context(t)
	cache := session.Cache{TTL: time.Minute}
	take := func() bool {
		_, cached, err := cache.Take(ctx, tab, session.Options{NoPicture: true})
		require.NoError(t, err)
		return cached
	}
	require.False(t, take())
	require.True(t, take(), "nothing changed")
	for _, c := range [][2]string{
		{"a mutation", `p.textContent = 'other'`},
		{"typing", `i.value = 'b'`},
		{"a checkbox", `c.checked = true`},
		{"scrolling", `scrollTo(0, 500)`},
		{"focus", `i.focus()`},
		{"a new document", `document.open(); document.write('<p>new'); document.close()`},
	} {
		name, change := c[0], c[1]
		_, err := tab.Session().Eval(ctx, tab.ID(), change+"; ''")
		require.NoError(t, err, name)
		require.False(t, take(), name)
	}
	require.True(t, take())
	inPage(t, tab, `(() => { document.querySelector('p').onclick = () => {}; return '' })()`)
	require.False(t, take(), "a listener that comes")
	require.True(t, take())
	inPage(t, tab, `(() => { document.querySelector('p').onclick = null; return '' })()`)
	require.False(t, take(), "a listener that goes")
	require.True(t, take())
	cache.Invalidate()
	require.False(t, take(), "invalidated")
	cache.TTL = time.Nanosecond
	require.False(t, take(), "too old")
}

// TestAProfileThatIsEditedIsNoticedByTheCache: what the person has just told the profile to withhold is withheld in the
// next answer, also within the time for which a shot is valid.
func TestAProfileThatIsEditedIsNoticedByTheCache(t *testing.T) {
	tab := chrome.Open(t, chrometest.Page(t, `<p id=balance>Balance 1,234.56</p>`))
	book := profiles.Open(t.TempDir(), "")
	cache := session.Cache{TTL: time.Minute}
	take := func() (snapshot.Capture, bool) {
		shot, cached, err := cache.Take(chrometest.Context(t), tab, session.Options{NoPicture: true, Profiles: book})
		require.NoError(t, err)
		return *shot.Capture, cached
	}
	take()
	_, cached := take()
	require.True(t, cached, "there is no profile, as before")
	_, err := book.Save(chrometest.Context(t), "127.0.0.1", "---\nredact:\n  - selector: '#balance'\n---\n", "")
	require.NoError(t, err)
	c, cached := take()
	require.False(t, cached)
	text, err := json.Marshal(c.Nodes)
	require.NoError(t, err)
	require.NotContains(t, string(text), "1,234.56")
	_, cached = take()
	require.True(t, cached, "the profile is as it was")
}

// TestTheCacheGivesNoShotWithoutAPictureWhereOneIsAskedFor: a shot of texts alone does not do.
func TestTheCacheGivesNoShotWithoutAPictureWhereOneIsAskedFor(t *testing.T) {
	tab := chrome.Open(t, chrometest.Page(t, `<p>Still</p>`))
	cache := session.Cache{TTL: time.Minute}
	for _, o := range []session.Options{{NoPicture: true}, {}, {}, {NoPicture: true}} {
		shot, _, err := cache.Take(chrometest.Context(t), tab, o)
		require.NoError(t, err)
		require.True(t, o.NoPicture || len(shot.Picture) > 0)
	}
}

func TestAChildFrameThatChangesTearsTheMoment(t *testing.T) {
	tab := chrome.Open(t, chrometest.Page(t, `<p>still</p><iframe srcdoc="<p id=p>busy</p><script>const step = () => { p.title = Math.random(); requestAnimationFrame(step) }; step()</script>"></iframe>`))
	shot := take(t, tab, session.Options{Settle: session.Settle{Max: 100 * time.Millisecond}})
	require.True(t, shot.Capture.Moment.Torn)
	require.Positive(t, shot.Capture.Moment.MutationsDuring)
}

// TestWhatChangesIsSeen: whatever a script does that another reading of the page would tell, the state is another; and on a page where nothing happens both stay as they are.
func TestWhatChangesIsSeen(t *testing.T) {
	tab := chrome.Open(t, chrometest.Page(t, `<!doctype html><title>Shop</title><style id=s>#a { color: black }</style>
<button id=a>Pay</button><div id=p popover>More</div><input id=i required value=x><div id=h></div>
<div id=box style="height:30px;overflow:auto"><p>one<p>two<p>three<p>four</div>
<script>window.root = h.attachShadow({mode: 'closed'}); root.innerHTML = '<button>Inner</button>'</script>`))
	take(t, tab, session.Options{NoPicture: true})
	look := func() session.State {
		state, err := session.StateOf(chrometest.Context(t), tab)
		require.NoError(t, err)
		return state
	}
	before := look()
	for range 5 {
		require.Equal(t, before, look(), "nothing happens")
	}
	for _, script := range []string{
		`document.styleSheets[0].insertRule('#a { display: none }')`,
		`document.styleSheets[0].disabled = true`,
		`const s = new CSSStyleSheet(); s.replaceSync('#a { opacity: 0 }'); document.adoptedStyleSheets = [s]`,
		`p.showPopover()`,
		`p.addEventListener('click', () => {})`,
		`a.onclick = () => {}`,
		`root.firstChild.textContent = 'Other'`,
		`history.pushState({}, '', '#two')`,
		`i.value = ''`,
		`i.setCustomValidity('no')`,
		`box.scrollTop = 20`,
		`a.focus()`,
		`document.title = 'Basket'`,
		`a.firstChild.data = 'Pay now'`,
		`document.body.append(document.createElement('iframe'))`,
	} {
		inPage(t, tab, `(() => { `+script+`; return 'done' })()`)
		after := look()
		require.NotEqual(t, before, after, script)
		take(t, tab, session.Options{NoPicture: true}) // which gives new elements their identity
		before = look()
	}
}

// TestReadingLeavesTheState: a shot of a page where nothing happens is taken between two equal states, or no reading
// would ever be given again. The page of widgets has elements of its own kind, and is always read again.
func TestReadingLeavesTheState(t *testing.T) {
	site := chrometest.Serve(t, http.FileServerFS(assets.Demo()))
	for _, page := range []string{"index.html", "checkout.html", "orders.html"} {
		t.Run(page, func(t *testing.T) {
			tab := chrome.Open(t, site+page)
			before, err := session.StateOf(chrometest.Context(t), tab)
			require.NoError(t, err)
			shot := take(t, tab, session.Options{AnyCaret: true, Settle: session.Settle{Beside: true}})
			after, err := session.StateOf(chrometest.Context(t), tab)
			require.NoError(t, err)
			require.True(t, shot.Holds(before, after), "%+v\n%+v", before, after)
		})
	}
	t.Run("a shadow root that no reading has met", func(t *testing.T) {
		tab := chrome.Open(t, chrometest.Page(t, `<div id=h></div><script>
			h.attachShadow({mode: 'open'}).innerHTML = '<button>Print</button>'</script>`))
		ctx := chrometest.Context(t)
		before, err := session.StateOf(ctx, tab)
		require.NoError(t, err)
		inPage(t, tab, `(() => { h.shadowRoot.firstChild.textContent = 'Print!'; return '' })()`)
		changed, err := session.StateOf(ctx, tab)
		require.NoError(t, err)
		require.NotEqual(t, before, changed, "it is observed from the first look on")
		shot := take(t, tab, session.Options{NoPicture: true, Settle: session.Settle{Beside: true}})
		after, err := session.StateOf(ctx, tab)
		require.NoError(t, err)
		require.True(t, shot.Holds(changed, after), "%+v\n%+v", changed, after)
	})
}
