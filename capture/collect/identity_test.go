package collect_test

import (
	"errors"
	"net/url"
	"slices"
	"testing"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/stretchr/testify/require"
)

// numbered captures a tab and gives numbers from the ledger.
func numbered(t testing.TB, tab *browser.Tab, l *turn.Ledger) *snapshot.Capture {
	t.Helper()
	ctx := chrometest.Context(t)
	res, err := collect.Read(ctx, tab, patient)
	require.NoError(t, err)
	require.NoError(t, res.Identify(ctx))
	res.Release(ctx)
	l.Assign(tab.ID(), l.NextTurn(), res.Capture)
	return res.Capture
}

func named(t testing.TB, c *snapshot.Capture, name string) *snapshot.Node {
	t.Helper()
	i := slices.IndexFunc(c.Nodes, func(n snapshot.Node) bool { return n.Name == name && n.Ref > 0 })
	require.GreaterOrEqual(t, i, 0, name)
	return &c.Nodes[i]
}

func script(t testing.TB, tab *browser.Tab, js string) {
	t.Helper()
	var res struct {
		ExceptionDetails *struct{ Text string } `json:"exceptionDetails"`
	}
	require.NoError(t, tab.Session().Call(chrometest.Context(t), "Runtime.evaluate", map[string]any{"expression": js, "awaitPromise": true}, &res))
	require.Nil(t, res.ExceptionDetails)
}

// TestRefsSurviveReRenders: what is rendered anew around an element does not change
// its ref, and a new element never gets an old one.
func TestRefsSurviveReRenders(t *testing.T) {
	tab := chrome.Open(t, chrometest.Page(t, `<body><ul id=u><li><button>keep</button></li><li><button>gone</button></li></ul>`))
	l := turn.NewLedger()
	before := numbered(t, tab, l)
	keep, gone := named(t, before, "keep").Ref, named(t, before, "gone").Ref
	script(t, tab, `const b = document.querySelector('button'); u.innerHTML = '<li><button>new</button></li><li></li><li><button>gone</button></li>'; u.children[1].append(b)`)
	after := numbered(t, tab, l)
	require.Equal(t, keep, named(t, after, "keep").Ref)
	require.NotEqual(t, gone, named(t, after, "gone").Ref, "another object")
	require.NotEqual(t, gone, named(t, after, "new").Ref)
}

// TestRefsSurviveReconnecting: two connections of programs that know nothing of one
// another to one browser, one after the other and at once.
func TestRefsSurviveReconnecting(t *testing.T) {
	b := chrome.Browser(t)
	tab := chrome.Open(t, chrometest.Page(t, closedPage))
	ctx := chrometest.Context(t)
	at, err := url.Parse(b.Endpoint())
	require.NoError(t, err)
	l := turn.NewLedger()
	want := numbered(t, tab, l)
	for range 2 {
		other, err := browser.Start(ctx, browser.Options{Attach: at.Host})
		require.NoError(t, err)
		second, err := other.AttachTab(ctx, tab.ID())
		require.NoError(t, err)
		got := numbered(t, second, l)
		for _, name := range []string{"one", "two", "three", "four"} {
			a, b := named(t, want, name), named(t, got, name)
			require.Equal(t, a.Ref, b.Ref, name)
			require.Equal(t, a.BackendNodeID, b.BackendNodeID, name)
			require.Equal(t, a.UID, b.UID, name)
		}
		require.NoError(t, second.Detach(ctx))
		require.NoError(t, other.Close())
	}
}

func TestResolve(t *testing.T) {
	const page = `<body><main><button id=a>Save</button><button id=b>Send</button><p>text</p></main><div id=s></div><script>
		s.attachShadow({ mode: 'closed' }).innerHTML = '<button>Shut</button>'</script>`
	tab := chrome.Tab(t)
	for name, c := range map[string]struct {
		of, change    string
		stage, refuse string
	}{
		"the object itself":               {"Save", `1`, collect.StageRegistry, ""},
		"moved elsewhere":                 {"Save", `document.body.prepend(a)`, collect.StageRegistry, ""},
		"renamed":                         {"Save", `a.textContent = 'Store'`, collect.StageRegistry, ""},
		"in a closed root":                {"Shut", `1`, collect.StageRegistry, ""},
		"rendered anew in its place":      {"Save", `a.outerHTML = a.outerHTML`, collect.StagePath, ""},
		"rendered anew elsewhere":         {"Save", `const x = a.cloneNode(true); a.remove(); document.body.append(x)`, collect.StageGhost, ""},
		"two of the same role and name":   {"Save", `a.outerHTML = '<button>Save</button><button>Save</button>'`, "", "2 elements"},
		"the name is another now":         {"Save", `a.outerHTML = '<button>Save it</button>'`, "", "nothing has"},
		"the role is another now":         {"Save", `a.outerHTML = '<a href="#">Save</a>'`, "", "nothing has"},
		"a new document of the same kind": {"Send", `document.documentElement.innerHTML = document.documentElement.innerHTML`, collect.StagePath, ""},
	} {
		t.Run(name, func(t *testing.T) {
			chrometest.Load(t, tab, chrometest.Page(t, page))
			ctx := chrometest.Context(t)
			l := turn.NewLedger()
			before := numbered(t, tab, l)
			n := named(t, before, c.of)
			script(t, tab, c.change)
			r, err := collect.Resolve(ctx, tab, collect.IdentityOf(before, n), collect.Options{})
			if c.refuse != "" {
				var gone *collect.GoneError
				require.ErrorAs(t, err, &gone)
				require.ErrorContains(t, err, c.refuse)
				require.NotEmpty(t, gone.Candidates)
				require.Contains(t, gone.Candidates[0].Node.Text, "Save")
				return
			}
			require.NoError(t, err)
			require.Equal(t, c.stage, r.Stage)
			substitute := c.stage == collect.StagePath || c.stage == collect.StageGhost
			require.Equal(t, substitute, r.ReResolved)
			text, err := r.Realm.Call(ctx, `function(el) { return el.localName + ' ' + el.textContent }`, []int64{r.Node})
			require.NoError(t, err)
			if !substitute {
				require.Equal(t, n.BackendNodeID, r.Node)
				return
			}
			require.Equal(t, "button "+c.of, text)
			l.Assign(tab.ID(), l.NextTurn(), r.Capture)
			require.NotEqual(t, n.Ref, r.Match.Ref, "it has a ref of its own")
			require.NoError(t, l.Link(n.Ref, r.Match.Ref, l.NextTurn()))
		})
	}
}

// TestResolveAfterNavigation: uids count from 1 again in a new document.
func TestResolveAfterNavigation(t *testing.T) {
	tab := chrome.Open(t, chrometest.Page(t, `<body><button>old</button>`))
	l := turn.NewLedger()
	before := numbered(t, tab, l)
	id := collect.IdentityOf(before, named(t, before, "old"))
	require.NoError(t, tab.Navigate(chrometest.Context(t), chrometest.Page(t, `<body><button>new</button>`)))
	_, err := collect.Resolve(chrometest.Context(t), tab, id, collect.Options{})
	var gone *collect.GoneError
	require.True(t, errors.As(err, &gone), "%v", err)
	after := numbered(t, tab, l)
	require.NotEqual(t, id.Ref, named(t, after, "new").Ref)
}

// TestResolveInFrames reaches elements in frames of other processes.
func TestResolveInFrames(t *testing.T) {
	tab := chrome.Open(t, framesSite(t)+"frames.html")
	l := turn.NewLedger()
	c := numbered(t, tab, l)
	for _, name := range []string{"same", "cross", "closed", "near0", "far0", "halved"} {
		n := named(t, c, name)
		r, err := collect.Resolve(chrometest.Context(t), tab, collect.IdentityOf(c, n), collect.Options{})
		require.NoError(t, err, name)
		require.Equal(t, collect.StageRegistry, r.Stage, name)
		require.Equal(t, n.BackendNodeID, r.Node, name)
	}
}
