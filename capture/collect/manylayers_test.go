package collect_test

import (
	"slices"
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
