package session_test

import (
	"testing"

	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/session"
	"github.com/stretchr/testify/require"
)

// TestStamp: the numbers stand in the page only where that is asked for, they are the
// capture's, and what another program wrote stays.
func TestStamp(t *testing.T) {
	tab := chrome.Open(t, chrometest.Page(t, `<!doctype html><title>Stamp</title><h1>Shop</h1><button id=a>Buy</button>
		<button id=b data-llm-id=77>Theirs</button><div id=host></div><div id=c onclick="1">Press</div>
		<script>host.attachShadow({mode: 'open'}).innerHTML = '<a href="/in">In</a>'</script>`))
	tree, err := tab.Session().FrameTree(chrometest.Context(t))
	require.NoError(t, err)
	ids := func() string {
		text, err := tab.Session().Eval(chrometest.Context(t), tree[0].ID, `JSON.stringify([
			document.getElementById('a').dataset.llmId || '', document.getElementById('b').dataset.llmId,
			document.getElementById('host').shadowRoot.firstChild.getAttribute('data-llm-id') || '',
			document.getElementById('host').shadowRoot.firstChild.getAttribute('data-llm-in-shadow') || '',
			document.getElementById('c').getAttribute('data-has-click-listener') || ''])`)
		require.NoError(t, err)
		return text
	}
	take(t, tab, session.Options{NoPicture: true})
	require.Equal(t, `["","77","","",""]`, ids())
	shot := take(t, tab, session.Options{NoPicture: true, PageWrites: session.PageWrites{Stamp: true}})
	require.Equal(t, `["2","77","4","true","true"]`, ids())
	require.False(t, shot.Capture.Moment.Torn)
	require.Len(t, shot.Capture.Failed, 1)
	require.Contains(t, shot.Capture.Failed[0].Why, "1 elements carry a data-llm-id of another program")
}

// A number that another program has given to an element of the page is given to no second one.
func TestAStampIsOfOneElementAlone(t *testing.T) {
	tab := chrome.Open(t, chrometest.Page(t, `<!doctype html><title>Stamp</title><button>One</button><button>Two</button>
		<button>Three</button><p data-llm-id=2>Theirs</p><div id=host></div>
		<script>host.attachShadow({mode: 'open'}).innerHTML = '<b data-llm-id=3>Theirs too</b>'</script>`))
	shot := take(t, tab, session.Options{NoPicture: true, PageWrites: session.PageWrites{Stamp: true}})
	text, err := tab.Session().Eval(chrometest.Context(t), tab.ID(),
		`JSON.stringify([...document.querySelectorAll('button')].map((b) => b.dataset.llmId || ''))`)
	require.NoError(t, err)
	require.Equal(t, `["1","",""]`, text)
	require.Len(t, shot.Capture.Failed, 1)
	require.Contains(t, shot.Capture.Failed[0].Why, "2 elements are not stamped")
}
