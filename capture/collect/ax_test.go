package collect_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/snapshot"
	"github.com/stretchr/testify/require"
)

const axPage = `<!doctype html><title>Two sources</title>
<h2 id="h">Orders</h2>
<a id="link" href="#x">Details <img alt="of order 7" src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"></a>
<label for="mail">Mail</label><input id="mail" type="email" value="a@b.example" required>
<input id="agree" type="checkbox" checked aria-label="Agree">
<button id="menu" aria-haspopup="menu" aria-expanded="false">More</button>
<select id="size" aria-label="Size"><option>Small<option selected>Large</select>
<input id="pw" type="password" value="hunter2-not-to-be-told" aria-label="Password">
<button id="echo">hunter2-not-to-be-told</button>
<button id="hidden" aria-hidden="true">Only seen</button>`

// readFrom captures the page with one source of roles and names; nodes by id.
func readFrom(t *testing.T, source string) map[string]*snapshot.Node {
	t.Helper()
	tab := chrome.Open(t, chrometest.Page(t, axPage))
	ctx := chrometest.Context(t)
	res, err := collect.Read(ctx, tab, collect.Options{Source: source})
	require.NoError(t, err)
	res.Release(ctx)
	require.Empty(t, res.Capture.Failed)
	require.Equal(t, source == collect.SourceAX, res.Capture.Source == snapshot.SourceAX)
	nodes := map[string]*snapshot.Node{}
	for i := range res.Capture.Nodes {
		if n := &res.Capture.Nodes[i]; n.Attr("id") != "" {
			nodes[n.Attr("id")] = n
		}
	}
	return nodes
}

// TestSourceAX: the two sources give one model, and agree where the specifications
// leave no choice.
func TestSourceAX(t *testing.T) {
	page, ax := readFrom(t, collect.SourcePage), readFrom(t, collect.SourceAX)
	for _, id := range []string{"h", "link", "mail", "agree", "menu", "size", "pw"} {
		require.Equal(t, page[id].Role, ax[id].Role, id)
		require.Equal(t, page[id].Name, ax[id].Name, id)
		require.Equal(t, page[id].Verdict, ax[id].Verdict, id)
		require.Equal(t, page[id].Box, ax[id].Box, id)
		require.Equal(t, "ax", ax[id].NameFrom, id)
		require.NotEqual(t, "ax", page[id].NameFrom, id)
	}
	require.Equal(t, "a@b.example", ax["mail"].Value)
	require.True(t, ax["mail"].States.Is("required"))
	require.True(t, ax["agree"].States.Is("checked"))
	require.Equal(t, false, ax["menu"].States["expanded"])
	require.Equal(t, "menu", ax["menu"].States.Token("haspopup"))
	require.EqualValues(t, 2, ax["h"].States.Number("level"))
	require.Equal(t, "Large", ax["size"].Value)

	require.Equal(t, "button", page["hidden"].Role)
	require.Empty(t, ax["hidden"].Role, "Chrome's tree does not have it")
	require.Equal(t, snapshot.VerdictRef, ax["hidden"].Verdict, "a person sees it all the same")
}

// TestSourceAXKeepsSecrets: what Chrome says is cleaned as what the page says is.
func TestSourceAXKeepsSecrets(t *testing.T) {
	for id, n := range readFrom(t, collect.SourceAX) {
		for _, text := range []string{n.Name, n.Description, n.Value} {
			require.NotContains(t, text, "hunter2", id)
			require.NotContains(t, text, "\u2022\u2022\u2022", "%s: nor how long it is", id)
		}
	}
}

func TestUnknownSource(t *testing.T) {
	tab := chrome.Tab(t)
	_, err := collect.Read(chrometest.Context(t), tab, collect.Options{Source: "tea leaves"})
	require.ErrorContains(t, err, `unknown source "tea leaves"`)
}

// TestOrderOfChromesTree: what an element owns lies behind its own children in Chrome's tree, also that of a field that
// has children there; the elements of a frame lie in it.
func TestOrderOfChromesTree(t *testing.T) {
	tab := chrome.Open(t, chrometest.Page(t, `<!doctype html><title>Owned</title>
		<div id=list role=list aria-owns="late list"><div id=one role=listitem>1</div></div>
		<input id=file type=file aria-label=Pick aria-owns=side><input id=field aria-label=Field aria-owns=last>
		<iframe id=frame title=Inner srcdoc="<ul id=second aria-owns=third><li>c</ul><button id=in>In</button><div id=third role=listitem>d</div>"></iframe>
		<input id=month type=month disabled><select id=size><option id=small>Small</select>
		<div id=late role=listitem>2</div><aside id=side aria-label=Side><button id=b>B</button></aside><button id=last>Last</button>`))
	ctx := chrometest.Context(t)
	res, err := collect.Read(ctx, tab, collect.Options{})
	require.NoError(t, err)
	defer res.Release(ctx)
	require.NoError(t, res.IdentifyEvery(ctx))
	collect.AXFacts(ctx, tab, res.Capture, func(name string) string { return name })
	require.Empty(t, res.Capture.Failed)
	byOrder, parts := map[int]string{}, map[string][]string{}
	for i := range res.Capture.Nodes {
		if n := &res.Capture.Nodes[i]; n.AX != nil && n.Attr("id") != "" {
			require.Empty(t, byOrder[n.AX.Order], "two have one place")
			byOrder[n.AX.Order] = n.Attr("id")
			for _, part := range n.AX.Parts {
				require.Empty(t, byOrder[part.Order], "two have one place")
				byOrder[part.Order] = n.Attr("id") + "'s"
				parts[n.Attr("id")] = append(parts[n.Attr("id")], part.Role)
			}
		}
	}
	var order []string
	for _, at := range slices.Sorted(maps.Keys(byOrder)) {
		order = append(order, byOrder[at])
	}
	require.Equal(t, strings.Fields("list one late file side b field frame second third in month month's month's size size's small last"), order)
	require.Equal(t, map[string][]string{"month": {"spinbutton", "spinbutton"}, "size": {"MenuListPopup"}}, parts)
}

// What Playwright keeps on an element is noted: its ref, and the role and the name that this goes with, without secrets.
func TestWhatPlaywrightKeeps(t *testing.T) {
	ctx := chrometest.Context(t)
	tab := chrome.Open(t, chrometest.Page(t, "<button id=a>Saved</button><button id=b>hunter2-not-to-be-told</button>"))
	plain := chrometest.DialPlain(t, chrome.Browser(t))
	session, err := plain.Attach(ctx, tab.ID())
	require.NoError(t, err)
	var world struct {
		ExecutionContextID int `json:"executionContextId"`
	}
	require.NoError(t, plain.Call(ctx, session, "Page.createIsolatedWorld",
		map[string]any{"frameId": tab.ID(), "worldName": "__playwright_utility_world_x"}, &world))
	require.NoError(t, plain.Call(ctx, session, "Runtime.evaluate", map[string]any{"contextId": world.ExecutionContextID,
		"expression": `a._ariaRef = { role: 'button', name: 'Save', ref: 'e3' };
b._ariaRef = { role: 'button', name: 'hunter2-not-to-be-told', ref: 'e4' }`}, nil))
	res, err := collect.Read(ctx, tab, collect.Options{})
	require.NoError(t, err)
	res.Release(ctx)
	clean := func(s string) string { return strings.ReplaceAll(s, "hunter2-not-to-be-told", "…") }
	collect.AgentRefs(ctx, tab, res.Capture, clean)
	require.Equal(t, map[string]string{snapshot.Playwright: "e3", snapshot.PlaywrightSays: "button Save"},
		byID(t, res.Capture, "a").AgentRefs)
	require.Equal(t, map[string]string{snapshot.Playwright: "e4"}, byID(t, res.Capture, "b").AgentRefs)
}
