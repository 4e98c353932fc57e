package step

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/refscope/refscope/snapshot/testpages"
)

// earJS notes the paths of all clicks, and keeps them from doing anything: the page must
// stay what it is for the next one.
const earJS = `(() => {
	window.ear = [];
	window.addEventListener('click', (e) => { window.ear.push(e.composedPath()); e.preventDefault(); e.stopPropagation(); }, true);
	for (const kind of ['submit', 'beforeunload']) window.addEventListener(kind, (e) => { e.preventDefault(); e.stopImmediatePropagation(); }, true);
	return 1;
})()`

// meantJS counts the clicks that were noted since it was asked last: those on the
// element, or on its label, and the others.
const meantJS = `function() {
	let meant = 0, other = [];
	for (const path of window.ear.splice(0)) {
		if (path.includes(this) || [...(this.labels || [])].some((l) => path.includes(l))) meant++;
		else other.push(path[0] && path[0].outerHTML ? path[0].outerHTML.slice(0, 200) : String(path[0]));
	}
	return JSON.stringify({ meant, other });
}`

// tally are the outcomes of clicks by ref.
type tally struct{ right, refused, unseen, wrong int }

func (a *tally) add(b tally) {
	a.right, a.refused, a.unseen, a.wrong = a.right+b.right, a.refused+b.refused, a.unseen+b.unseen, a.wrong+b.wrong
}

func (a tally) all() int { return a.right + a.refused + a.unseen + a.wrong }

// For every visible control of real pages that nothing covers, a click by ref gets to
// that very element, and after 20 nodes came in at the top of the page it still does or
// is refused: of each folder 3 pages and 8 controls of each, or all pages and 200 controls with
// $REFSCOPE_SLOW. Every control of every page of our own is clicked in capture/element.
func TestAClickByRefGetsToItsElement(t *testing.T) {
	for _, kind := range []testpages.Kind{testpages.Articles, testpages.Forms} {
		for _, folder := range testpages.Folders(t, kind) {
			t.Run(folder.Name, func(t *testing.T) { clickByRef(t, folder) })
		}
	}
}

func clickByRef(t *testing.T, folder testpages.Folder) {
	names := folder.Pages(t)
	pages, most := testneed.Cases(1, 3, len(names)), testneed.Cases(5, 8, 200) // all: more than 10,000 on the saved pages
	site := chrometest.Folder(t, folder.Path)
	var before, after tally
	for i := range pages {
		name := names[i*len(names)/pages]
		t.Run(name, func(t *testing.T) {
			f := newFidelity(t, site+name, most)
			one, two := f.clickAll(), tally{}
			_, err := f.r.Page().Evaluate(f.ctx, "", `(() => { for (let i = 0; i < 20; i++) document.body.prepend(Object.assign(document.createElement('p'), { textContent: 'New ' + i })); return 1; })()`)
			require.NoError(t, err)
			two = f.clickAll()
			t.Logf("%d controls: %+v, then %+v", len(f.nodes), one, two)
			before.add(one)
			after.add(two)
		})
	}
	t.Logf("clicks by ref: %+v; after 20 nodes were inserted: %+v", before, after)
	require.Zero(t, before.wrong+after.wrong, "clicks on another element")
	require.NotZero(t, before.all())
	require.GreaterOrEqual(t, float64(before.right), 0.99*float64(before.all()))
	require.GreaterOrEqual(t, float64(after.right), 0.99*float64(after.all()))
}

// fidelity is a page whose controls are clicked.
type fidelity struct {
	t     *testing.T
	ctx   context.Context
	r     *Runner
	nodes []*snapshot.Node
}

func newFidelity(t *testing.T, url string, most int) *fidelity {
	ctx := chrometest.Context(t)
	r, err := New(ctx, chrome.Open(t, url), Options{Alias: "t1"})
	require.NoError(t, err)
	r.env.Page.Settle(ctx)
	o := r.env.LookOptions()
	o.NodeIDs = true // by which the page is asked below; actions find elements by other means
	shot, err := session.Take(ctx, r.env.Page.Tab(), o)
	require.NoError(t, err)
	c := shot.Capture
	r.env.Elements.Add(c)
	f := &fidelity{t: t, ctx: ctx, r: r}
	for i := range c.Nodes {
		n := &c.Nodes[i]
		if n.Ref > 0 && n.Frame == 0 && n.Visible && len(n.Interactive) > 0 && !n.States.Is("disabled") && !n.NoPointer && (n.Occlusion == nil || n.Occlusion.State != snapshot.Covered) {
			f.nodes = append(f.nodes, n)
		}
	}
	if len(f.nodes) > most {
		var some []*snapshot.Node
		for k := range most {
			some = append(some, f.nodes[k*len(f.nodes)/most])
		}
		f.nodes = some
	}
	_, err = r.env.Page.Evaluate(ctx, "", earJS)
	require.NoError(t, err)
	return f
}

// clickAll clicks every control once.
func (f *fidelity) clickAll() tally {
	var out tally
	for _, n := range f.nodes {
		run, err := lookup("click").Parse(json.RawMessage(fmt.Sprintf(`{"ref":"s1e%d","timeout":700}`, n.Ref)))
		require.NoError(f.t, err)
		f.r.env.TakeWarnings()
		answer, err := run(f.ctx, f.r.env)
		meant, other := f.heard(n)
		what := fmt.Sprintf("[%d] %s %q %s", n.Ref, n.Role, n.Name, n.Path)
		switch {
		case len(other) > 0:
			out.wrong++
			f.t.Logf("wrong: %s: %v; %+v %v %v", what, other, answer, err, f.r.env.TakeWarnings())
		case err != nil:
			out.refused++
			f.t.Logf("refused: %s: %v", what, err)
		case meant == 0:
			out.unseen++
			f.t.Logf("unseen: %s: %+v %v", what, answer, f.r.env.TakeWarnings())
		default:
			out.right++
		}
	}
	return out
}

// heard asks the page what was clicked, by an identity of the element that the click did
// not use: its handle in the page's own world.
func (f *fidelity) heard(n *snapshot.Node) (meant int, other []string) {
	s := f.r.env.Page.Tab().Session()
	var node struct {
		Object struct {
			ObjectID string `json:"objectId"`
		} `json:"object"`
	}
	require.NoError(f.t, s.Call(f.ctx, "DOM.resolveNode", map[string]any{"backendNodeId": n.BackendNodeID}, &node), n.Path)
	var res struct {
		Result struct {
			Value string `json:"value"`
		} `json:"result"`
	}
	require.NoError(f.t, s.Call(f.ctx, "Runtime.callFunctionOn", map[string]any{"objectId": node.Object.ObjectID, "functionDeclaration": meantJS, "returnByValue": true}, &res))
	var answer struct {
		Meant int
		Other []string
	}
	require.NoError(f.t, json.Unmarshal([]byte(res.Result.Value), &answer))
	return answer.Meant, answer.Other
}
