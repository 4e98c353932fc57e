package element_test

import (
	"errors"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/capture/action"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/element"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/refscope/refscope/snapshot/testpages"
)

// caughtJS keeps the way of each click in a frame, and keeps the page from doing anything with the mouse: the next
// click is on the same page.
const caughtJS = `function() {
	if (globalThis.caught) return '';
	globalThis.caught = [];
	const kinds = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'auxclick'];
	for (const kind of kinds) addEventListener(kind, (e) => {
		if (kind === 'click') caught.push(e.composedPath());
		e.preventDefault(); e.stopImmediatePropagation();
	}, true);
	return '';
}`

// reachedJS is what the clicks since the last call have reached: the element, what is in it, a label of it, or the
// number of clicks that went elsewhere.
const reachedJS = `function(node) {
	const ways = caught.splice(0);
	if (ways.length === 0) return 'nothing';
	let elsewhere = '';
	for (const way of ways) {
		const at = way[0];
		if (way.includes(node) || node.contains(at)) continue;
		if (node.labels && [...node.labels].some((l) => way.includes(l))) continue;
		elsewhere = at.localName + '#' + at.id + '.' + at.className;
	}
	return elsewhere ? 'elsewhere: ' + elsewhere : 'it';
}`

// Every number of the project's own pages is clicked: the click reaches its element or is refused with a reason, and
// never reaches another one.
func TestEveryRefReachesItsElement(t *testing.T) {
	testneed.Long(t, "every control of every page is clicked")
	clicked, refused := 0, 0
	for _, kind := range testpages.Kinds() {
		folder := testpages.Own(t, kind)
		url := chrometest.Folder(t, folder.Path)
		for _, page := range folder.Pages(t) {
			t.Run(string(kind)+"/"+page, func(t *testing.T) {
				c, r := reachAll(t, url+page)
				clicked, refused = clicked+c, refused+r
			})
		}
	}
	t.Logf("%d clicks reached their elements, %d were refused", clicked, refused)
	require.Greater(t, clicked, 300)
	require.Less(t, refused, clicked/10)
}

// reachAll clicks the elements of one page that can be operated.
func reachAll(t *testing.T, url string) (clicked, refused int) {
	ctx := chrometest.Context(t)
	tab := chrome.Open(t, url)
	r, err := element.New(ctx, tab, element.Options{Session: session.Options{NoPicture: true}})
	require.NoError(t, err)
	s, err := r.Show(ctx)
	require.NoError(t, err)
	for i := range s.Shot.Capture.Nodes {
		n := &s.Shot.Capture.Nodes[i]
		if n.Verdict != snapshot.VerdictRef || len(n.Interactive) == 0 || n.Tag == "option" || snapshot.IsFrame(n.Tag) {
			continue
		}
		target := element.ParseTarget(strconv.Itoa(n.Ref))
		target.Patience = time.Second
		f, err := r.Find(ctx, &target)
		require.NoError(t, err, "[%d] %s %q", n.Ref, n.Role, n.Name)
		require.False(t, f.Replaced(), "[%d] is the same element", n.Ref)
		_, err = f.Realm.Call(ctx, caughtJS, nil)
		require.NoError(t, err)
		o := action.Options{Timeout: 300 * time.Millisecond, Strict: true}
		_, err = r.Page().Click(ctx, f.Element, action.ClickOptions{Options: o})
		var notReady *action.NotReadyError
		if errors.As(err, &notReady) {
			refused++
			continue
		}
		require.NoError(t, err, "[%d] %s %q", n.Ref, n.Role, n.Name)
		got, err := f.Realm.Call(ctx, reachedJS, []int64{f.Element.Node})
		require.NoError(t, err)
		require.Equal(t, "it", got, "[%d] %s %q at %s", n.Ref, n.Role, n.Name, n.Path)
		clicked++
	}
	return clicked, refused
}
