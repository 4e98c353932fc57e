package element_test

import (
	"context"
	"errors"
	"fmt"
	"os"
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

// reached counts the clicks of a test.
type reached struct {
	pages, clicked, refused, strangers int
	// other: the page's own doing (an element that is gone, a frame that is busy) ended the try.
	other int
}

// Every number of the project's own pages is clicked: the click reaches its element or is refused with a reason, and
// never reaches another one. With REFSCOPE_SLOW so is every number of the saved pages, as far as nine minutes go
// (-timeout 20m).
func TestEveryRefReachesItsElement(t *testing.T) {
	testneed.Long(t, "every control of every page is clicked")
	t.Run("own", func(t *testing.T) {
		var all reached
		for _, kind := range testpages.Kinds() {
			folder := testpages.Own(t, kind)
			url := chrometest.Folder(t, folder.Path)
			for _, page := range folder.Pages(t) {
				t.Run(string(kind)+"/"+page, func(t *testing.T) { all.page(t, url+page, time.Now().Add(time.Hour)) })
			}
		}
		t.Logf("%+v", all)
		require.Greater(t, all.clicked, 300)
		require.Less(t, all.refused, all.clicked/10)
		require.Zero(t, all.other)
	})
	t.Run("saved", func(t *testing.T) {
		if os.Getenv("REFSCOPE_SLOW") == "" {
			testneed.Extra(t, "set REFSCOPE_SLOW=1 to click every number of the saved pages")
		}
		end := time.Now().Add(9 * time.Minute)
		var all reached
		for _, kind := range testpages.Kinds() {
			for _, folder := range testpages.Folders(t, kind)[1:] {
				url := chrometest.Folder(t, folder.Path)
				for _, page := range folder.Pages(t) {
					if time.Now().Before(end) {
						t.Run(string(kind)+"/"+page, func(t *testing.T) { all.page(t, url+page, end) })
					}
				}
			}
		}
		t.Logf("%+v", all)
	})
}

// page clicks the elements of one page that can be operated, until the end.
func (r *reached) page(t *testing.T, url string, end time.Time) {
	ctx := chrometest.Context(t)
	tab := chrome.Open(t, url)
	e, err := element.New(ctx, tab, element.Options{Session: session.Options{NoPicture: true}})
	require.NoError(t, err)
	s, err := e.Show(ctx)
	require.NoError(t, err)
	r.pages++
	for i := range s.Shot.Capture.Nodes {
		n := &s.Shot.Capture.Nodes[i]
		if n.Verdict != snapshot.VerdictRef || len(n.Interactive) == 0 || n.Tag == "option" || snapshot.IsFrame(n.Tag) {
			continue
		}
		if time.Now().After(end) || ctx.Err() != nil {
			return
		}
		what := fmt.Sprintf("[%d] %s %q at %s", n.Ref, n.Role, n.Name, n.Path)
		got, err := click(ctx, e, n.Ref)
		var notReady *action.NotReadyError
		switch {
		case errors.As(err, &notReady):
			r.refused++
		case err != nil:
			r.other++
			t.Logf("%s: %v", what, err)
		case got != "it":
			r.strangers++
			t.Errorf("%s: the click reached %s", what, got)
		default:
			r.clicked++
		}
	}
}

// click clicks the element with a number: what the click has reached, see reachedJS.
func click(ctx context.Context, e *element.Resolver, ref int) (string, error) {
	target := element.ParseTarget(strconv.Itoa(ref))
	target.Patience = time.Second
	f, err := e.Find(ctx, &target)
	if err != nil {
		return "", err
	}
	if f.Replaced() {
		return "", fmt.Errorf("found again as %d", f.NewRef)
	}
	if _, err = f.Realm.Call(ctx, caughtJS, nil); err != nil {
		return "", err
	}
	o := action.Options{Timeout: 300 * time.Millisecond, Strict: true}
	if _, err = e.Page().Click(ctx, f.Element, action.ClickOptions{Options: o}); err != nil {
		return "", err
	}
	return f.Realm.Call(ctx, reachedJS, []int64{f.Element.Node})
}
