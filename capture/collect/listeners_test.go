package collect_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestListeners: data-listener says whether an element is to have the evidence,
// data-label whether it stands for a control that is not to be seen.
func TestListeners(t *testing.T) {
	c := fixture(t, "listeners.html")
	require.Empty(t, c.Failed)
	checked := 0
	for i := range c.Nodes {
		n := &c.Nodes[i]
		for _, kind := range []string{"listener", "label"} {
			want, ok := n.Attrs["data-"+kind]
			if !ok {
				continue
			}
			checked++
			has := slices.Contains(n.Interactive, kind)
			assert.Equal(t, want == "yes", has, "%s #%s %q: %v", kind, n.Attr("id"), n.Text, n.Interactive)
			if has {
				assert.Equal(t, snapshot.VerdictRef, n.Verdict, n.Path)
				assert.NotNil(t, n.Occlusion, "%s is hit tested too", n.Path)
			}
		}
	}
	require.Equal(t, 28, checked)
	require.Positive(t, c.Timings.Listeners)
}

// TestAnAnswerThatIsLost: where the browser never answers a question of a capture, as Chrome does now and then while a
// frame goes on, it is asked once more, and the capture is what it would have been.
func TestAnAnswerThatIsLost(t *testing.T) {
	g := chrometest.NewGateway(t, chrome.Browser(t).Endpoint(), "seed")
	b, err := browser.Start(chrometest.Context(t), browser.Options{Attach: "ws://" + g.Address + "/chrome?token=seed"})
	require.NoError(t, err)
	defer b.Close()
	tab, err := b.OpenTab(chrometest.Context(t))
	require.NoError(t, err)
	defer tab.Close(chrometest.Context(t))
	other := strings.Replace(chrometest.Page(t, `<div id=d>D</div><script>d.onclick = () => {}</script>`),
		"127.0.0.1", "localhost", 1)
	require.NoError(t, tab.Navigate(chrometest.Context(t), chrometest.Page(t, `<div id=a>A</div><details><p>B</details>
		<iframe srcdoc="<button>C</button>"></iframe><iframe src="`+other+`"></iframe>
		<script>a.addEventListener('click', () => {})</script>`)))
	read(t, tab)
	before := g.Sent()
	want := read(t, tab)
	require.Empty(t, want.Failed)
	for _, of := range []string{"A", "D"} {
		require.True(t, slices.ContainsFunc(want.Nodes, func(n snapshot.Node) bool {
			return n.Text == of && slices.Contains(n.Interactive, "listener")
		}), of)
	}
	after := g.Sent()
	for method, n := range after {
		for nth := range n - before[method] {
			g.Lose(method, nth+1)
			got := read(t, tab)
			require.Empty(t, got.Failed, "%s %d", method, nth+1)
			require.Equal(t, want.Nodes, got.Nodes, "%s %d", method, nth+1)
		}
	}
	require.Greater(t, g.Lost(), 15)
}

// TestLibrariesThatCannotBeAsked: where the page keeps what its libraries listen to from being read, the capture says so,
// in no word of the page, and has the listeners that the browser knows.
func TestLibrariesThatCannotBeAsked(t *testing.T) {
	for get, why := range map[string]string{
		"for (;;);":                   "did not answer within 1s",
		"window.n = 1":                "would have to run",
		"throw new Error('pay-here')": "would have to run",
	} {
		c := read(t, chrome.Open(t, chrometest.Page(t, `<body><div id=a>A</div><div id=b>B</div><script>
			a.addEventListener('click', () => {}); b.__click = () => {};
			Object.defineProperty(document.body, '$$click', { get() { `+get+` } });</script>`)))
		require.Len(t, c.Failed, 1, get)
		require.Equal(t, "listeners", c.Failed[0].Layer)
		require.Contains(t, c.Failed[0].Why, why)
		require.NotContains(t, c.Failed[0].Why, "pay-here")
		require.True(t, slices.ContainsFunc(c.Nodes, func(n snapshot.Node) bool {
			return n.Text == "A" && slices.Contains(n.Interactive, "listener")
		}), get)
	}
}

// TestListenersInFrames: a frame of the same process has its own.
func TestListenersInFrames(t *testing.T) {
	c := read(t, chrome.Open(t, chrometest.Page(t, `<body><div id=a>outer</div><iframe srcdoc="<div id=b>inner</div><div>other</div><script>b.onclick = () => {}</script>"></iframe><script>a.onclick = () => {}</script>`)))
	var found []string
	for i := range c.Nodes {
		if slices.Contains(c.Nodes[i].Interactive, "listener") {
			found = append(found, fmt.Sprint(c.Nodes[i].Frame, c.Nodes[i].Text))
		}
	}
	require.Equal(t, []string{"0outer", "1inner"}, found)
}

// TestListenerOfContainers: what a page listens with makes no difference to what a container is: its boundary
// is known, and the tree of controls lists it.
func TestListenerOfContainers(t *testing.T) {
	style := []string{"", "background:#eee", "border:1px solid", "box-shadow:0 0 2px", "cursor:pointer"}
	inner := []string{"Card", "Card <button>One</button>", "Card <button>One</button><a href=#>Two</a>"}
	var b strings.Builder
	for s := range style {
		for k := range inner {
			for _, how := range []string{"attribute", "listener"} {
				handler := ""
				if how == "attribute" {
					handler = ` onclick="void 0"`
				}
				fmt.Fprintf(&b, `<div id="%s-%d-%d"%s style="%s">%s</div>`, how, s, k, handler, style[s], inner[k])
			}
		}
	}
	c := read(t, chrome.Open(t, chrometest.Page(t, `<body>`+b.String()+`<script>
		for (const d of document.querySelectorAll('[id^=listener]')) d.addEventListener('click', () => {})</script>`)))
	byID := map[string]*snapshot.Node{}
	for i := range c.Nodes {
		byID[c.Nodes[i].Attr("id")] = &c.Nodes[i]
	}
	tree, err := format.Render(c, format.Semantic, format.Options{})
	require.NoError(t, err)
	for s := range style {
		for k := range inner {
			one, two := byID[fmt.Sprintf("attribute-%d-%d", s, k)], byID[fmt.Sprintf("listener-%d-%d", s, k)]
			require.Equal(t, one.Boundary, two.Boundary, "%q %q", style[s], inner[k])
			attribute, listener := tree.LineOf(one.I) >= 0, tree.LineOf(two.I) >= 0
			require.Equal(t, attribute, listener, "%q %q", style[s], inner[k])
		}
	}
}

func TestManyListeners(t *testing.T) {
	const rows = 1500
	tab := chrome.Open(t, chrometest.Page(t, `<body><script>for (let i = 0; i < `+fmt.Sprint(rows)+`; i++) { const d = document.createElement('div'); d.textContent = 'row ' + i; d.addEventListener('click', () => {}); document.body.append(d) }</script>`))
	c := read(t, tab)
	n := 0
	for i := range c.Nodes {
		if slices.Contains(c.Nodes[i].Interactive, "listener") {
			n++
		}
	}
	require.Equal(t, rows, n)
}

const closedPage = `<!doctype html><body style="margin:0"><style>button { width: 80px; height: 30px }</style>
	<div id=a></div><my-box></my-box><section id=c>light <b slot=s>slotted</b><i>lost</i></section><p>after</p><script>
	customElements.define('my-box', class extends HTMLElement { constructor() { super(); this.attachShadow({ mode: 'closed' }).innerHTML = '<button>two</button><my-in></my-in>' } });
	customElements.define('my-in', class extends HTMLElement { constructor() { super(); const r = this.attachShadow({ mode: 'closed' }); r.innerHTML = '<div><button>three</button></div>'; this.far = r } });
	document.querySelector('#a').attachShadow({ mode: 'closed' }).innerHTML = '<button onclick="document.title = 1">one</button>';
	document.querySelector('#c').attachShadow({ mode: 'closed' }).innerHTML = '<button>four</button><slot name=s></slot><div style="height:40px"></div>';
	</script>`

// TestClosedShadowRoots: roots within roots, slots, hit tests through them; the
// second capture walks into them at once.
func TestClosedShadowRoots(t *testing.T) {
	tab := chrome.Open(t, chrometest.Page(t, closedPage))
	for turn := range 2 {
		c := read(t, tab)
		require.Empty(t, c.Failed)
		var names []string
		for i := range c.Nodes {
			n := &c.Nodes[i]
			switch n.Tag {
			case "button":
				names = append(names, n.Name)
				require.Equal(t, "closed", n.Shadow, n.Name)
				require.Equal(t, snapshot.Clear, n.Occlusion.State, "%s %v", n.Name, n.Occlusion)
				require.Contains(t, n.Path, " >>> ", n.Name)
			case "b":
				require.True(t, n.Visible, "turn %d: it is slotted", turn)
				require.Equal(t, "", n.Shadow)
			case "i":
				require.Equal(t, snapshot.VerdictDisplayNone, n.Verdict, "no slot takes it: %s", n.Evidence)
			}
		}
		require.Equal(t, []string{"one", "two", "three", "four"}, names)
	}
}

// TestControlsOfThePageInLabels: a custom element that takes part in forms is a control as the browser's own are, where
// it has the focus itself, so that its label is not all of it; one without a part in forms is a part of its label.
func TestControlsOfThePageInLabels(t *testing.T) {
	c := read(t, chrome.Open(t, chrometest.Page(t, `<!doctype html><body>
		<label><x-radio tabindex=0 data-is=ref></x-radio>One</label>
		<label><x-radio tabindex=-1 data-is=ref></x-radio>Two, which arrow keys reach</label>
		<fieldset disabled><label><x-radio tabindex=0 data-is=ref></x-radio>Three</label></fieldset>
		<label><x-radio data-is=inside-atomic></x-radio>Four, of which the focus is in what it holds</label>
		<label><x-icon tabindex=0 data-is=inside-atomic></x-icon>Five</label>
		<label><x-none tabindex=0 data-is=zero-box></x-none>Six</label><script>
		const draw = (el) => el.attachShadow({ mode: 'open' }).innerHTML =
			'<div style="width:20px;height:20px;display:inline-block;background:navy"></div>';
		customElements.define('x-radio', class extends HTMLElement {
			static formAssociated = true; constructor() { super(); draw(this);
			const internals = this.attachInternals(); if (this.hasAttribute('tabindex')) internals.role = 'radio' } });
		customElements.define('x-icon', class extends HTMLElement { constructor() { super(); draw(this) } });
		</script>`)))
	checked := 0
	for n, want := range marked(c, "data-is") {
		checked++
		require.Equal(t, want, string(n.Verdict), "%s: %s", n.Path, n.Evidence)
		require.Equal(t, n.Verdict == snapshot.VerdictRef, slices.Contains(n.Interactive, "native"), n.Path)
	}
	require.Equal(t, 6, checked)
}

// TestClosedRootsAreFoundOnceTheyAreThere: a host that was asked about before.
func TestClosedRootsAreFoundOnceTheyAreThere(t *testing.T) {
	tab := chrome.Open(t, chrometest.Page(t, `<body><div id=a style="width:100px;height:40px"></div>`))
	require.NotContains(t, texts(read(t, tab)), "late")
	require.NoError(t, tab.Session().Call(chrometest.Context(t), "Runtime.evaluate", map[string]any{
		"expression": `a.style.height = ''; a.attachShadow({ mode: 'closed' }).innerHTML = '<button>late</button>'`}, nil))
	require.Contains(t, texts(read(t, tab)), "late")
}

func texts(c *snapshot.Capture) string {
	var b strings.Builder
	for i := range c.Nodes {
		b.WriteString(c.Nodes[i].Text + "\n")
	}
	return b.String()
}

func TestDeepClosedRoots(t *testing.T) {
	const depth = 200
	tab := chrome.Open(t, chrometest.Page(t, `<body><script>let at = document.body;
		for (let i = 0; i < `+fmt.Sprint(depth)+`; i++) { const d = document.createElement('div'); at.append(d); at = d.attachShadow({ mode: 'closed' }) } at.innerHTML = '<button>bottom</button>'</script>`))
	require.Contains(t, texts(read(t, tab)), "bottom")
}

// BenchmarkIdentify is what the backendNodeIds of a page cost that was just loaded.
func BenchmarkIdentify(b *testing.B) {
	for _, rows := range []int{110, 770, 2850} {
		b.Run(fmt.Sprintf("rows=%d", rows), func(b *testing.B) {
			tab := chrome.Open(b, chrometest.Page(b, chrometest.Rows(rows)))
			ctx := chrometest.Context(b)
			for b.Loop() {
				b.StopTimer()
				require.NoError(b, tab.Reload(ctx))
				res, err := collect.Read(ctx, tab, patient)
				require.NoError(b, err)
				b.StartTimer()
				require.NoError(b, res.Identify(ctx))
			}
		})
	}
}
