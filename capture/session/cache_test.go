package session_test

import (
	"testing"
	"time"

	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/session"
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
	cache.Invalidate()
	require.False(t, take(), "invalidated")
	cache.TTL = time.Nanosecond
	require.False(t, take(), "too old")
}

func TestAChildFrameThatChangesTearsTheMoment(t *testing.T) {
	tab := chrome.Open(t, chrometest.Page(t, `<p>still</p><iframe srcdoc="<p id=p>busy</p><script>const step = () => { p.title = Math.random(); requestAnimationFrame(step) }; step()</script>"></iframe>`))
	shot := take(t, tab, session.Options{Settle: session.Settle{Max: 100 * time.Millisecond}})
	require.True(t, shot.Capture.Moment.Torn)
	require.Positive(t, shot.Capture.Moment.MutationsDuring)
}
