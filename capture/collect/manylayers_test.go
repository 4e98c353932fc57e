package collect_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/refscope/refscope/snapshot/testpages"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sameOcclusion compares what a page says of every element with what it says once there are
// hundreds of layers more below its lower edge, where hit tests are spared (js/hit.js). It
// answers how many points were tested of how many.
func sameOcclusion(t *testing.T, tab *browser.Tab) (spared, all int) {
	t.Helper()
	const layers = `(() => {
		const d = document.createElement('div');
		d.style.cssText = 'position:absolute;top:0;left:0;width:0;height:0';
		d.innerHTML = '<p style="position:absolute;top:-9000px;width:1px;height:1px;margin:0"></p>'.repeat(400);
		document.body.append(d);
		return 'added';
	})()`
	before := read(t, tab)
	_, err := tab.Session().Eval(chrometest.Context(t), tab.ID(), layers)
	require.NoError(t, err)
	after := read(t, tab)
	where := map[int]*snapshot.Node{}
	for i := range after.Nodes {
		where[after.Nodes[i].UID] = &after.Nodes[i]
	}
	for i := range before.Nodes {
		a := &before.Nodes[i]
		b := where[a.UID]
		if a.Occlusion == nil || a.Frame != 0 || !assert.NotNil(t, b, a.Path) || !assert.NotNil(t, b.Occlusion, a.Path) {
			continue
		}
		one, two := *a.Occlusion, *b.Occlusion
		spared, all = spared+len(two.Points), all+len(one.Points)
		one.Points, two.Points = nil, nil
		if one.Coverer != nil && two.Coverer != nil {
			assert.Equal(t, before.Nodes[*one.Coverer].UID, after.Nodes[*two.Coverer].UID, a.Path)
			one.Coverer, two.Coverer = nil, nil
		}
		assert.Equal(t, one, two, "%s %q", a.Path, a.Name)
	}
	return spared, all
}

// TestManyLayers: what lies over what is the same where hit tests are spared.
func TestManyLayers(t *testing.T) {
	for _, file := range []string{"occlusion.html", "verdicts.html"} {
		t.Run(file, func(t *testing.T) { sameOcclusion(t, chrome.Open(t, chrometest.Folder(t, "testdata")+file)) })
	}
	t.Run("rows", func(t *testing.T) {
		spared, all := sameOcclusion(t, chrome.Open(t, chrometest.Page(t, chrometest.Rows(40))))
		require.Less(t, spared, all/3, "of %d points", all)
	})
}

// withoutBoxes are strips over buttons, between the points that are tested of every element, that are no box of an
// element that was read; those of "free" lie beside their button.
const withoutBoxes = `<!doctype html><title>Strips</title><style>
	body { height: 700px; margin: 0 } button { position: absolute; width: 200px; height: 60px }
	.strip::before, .late::after { content: ""; position: absolute; width: 9px; height: 80px }
	.pinned::before { content: ""; position: fixed; left: 633px; top: 90px; width: 9px; height: 80px }
	.turn::before { content: ""; position: absolute; left: 190px; top: 215px; width: 80px; height: 9px;
		transform: rotate(90deg) }
	:host::before, ::slotted(i)::before { position: absolute }
	.none::before { content: ""; position: absolute; left: 30px; top: 0; width: 9px; height: 80px; pointer-events: none }
	</style>
	<button style="left:10px;top:100px">placed</button>
	<style>#a::before { left: 43px; top: 90px }</style><i id=a class=strip></i>
	<button style="left:310px;top:100px">held</button>
	<div style="position:absolute;left:300px;top:80px;width:1px;height:1px"><p><span class=strip id=b></span></p></div>
	<style>#b::before { left: 33px; top: 10px }</style>
	<button style="left:610px;top:100px">pinned</button><i class=pinned></i>
	<button style="left:170px;top:200px">turned</button><i class=turn></i>
	<button style="left:410px;top:200px">moved</button>
	<div style="transform:translate(400px,190px);width:1px;height:1px"><b class=strip id=c></b></div>
	<style>#c::before { left: 33px; top: 0 }</style>
	<button style="left:710px;top:200px">left out</button>
	<div class=dddk-skip style="position:absolute;left:733px;top:190px;width:9px;height:80px"></div>
	<button style="left:10px;top:300px">in a shadow tree</button><div id=host></div>
	<button style="left:310px;top:300px">in another</button>
	<div style="position:absolute;left:300px;top:290px;width:1px;height:1px"><div id=two><s>s</s></div></div>
	<button style="left:610px;top:300px">free</button><style>#d::after { left: 815px; top: 290px }</style><i id=d class=late></i>
	<button style="left:10px;top:400px">free, the pointer goes through</button><i class=none></i>
	<script>
	host.attachShadow({mode: 'open'}).innerHTML =
		'<style>:host::before { content: ""; position: absolute; left: 33px; top: 290px; width: 9px; height: 80px }</style>';
	two.attachShadow({mode: 'open'}).innerHTML =
		'<style>::slotted(s)::before { content: ""; position: absolute; left: 33px; top: 0; width: 9px; height: 80px }</style><slot></slot>';
	</script>`

// TestCoversWithoutBoxes: what a style sheet places over an element takes clicks from it, as what keeps itself out does.
func TestCoversWithoutBoxes(t *testing.T) {
	tab := chrome.Open(t, chrometest.Page(t, withoutBoxes))
	sameOcclusion(t, tab)
	c := read(t, tab)
	for i := range c.Nodes {
		if n := &c.Nodes[i]; n.Tag == "button" {
			want := "partly"
			if strings.HasPrefix(n.Name, "free") {
				want = "clear"
			}
			require.NotNil(t, n.Occlusion, n.Name)
			assert.Equal(t, want, string(n.Occlusion.State), n.Name)
		}
	}
}

// TestManyLayersOfSavedPages is the same of every saved page.
func TestManyLayersOfSavedPages(t *testing.T) {
	testneed.Long(t, "reads each page twice, and the saved ones")
	spared, all := 0, 0
	for _, folder := range slices.Concat(testpages.Folders(t, testpages.Articles), testpages.Folders(t, testpages.Forms)) {
		root := chrometest.Folder(t, folder.Path)
		for _, file := range folder.Pages(t) {
			t.Run(file, func(t *testing.T) {
				s, a := sameOcclusion(t, chrome.Open(t, root+file))
				spared, all = spared+s, all+a
			})
		}
	}
	t.Logf("%d points for %d", spared, all)
}
