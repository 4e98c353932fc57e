package element_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/capture/action"
	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/capture/element"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/snapshot/format/dddk"
)

var chrome chrometest.Chrome

func TestMain(m *testing.M) { os.Exit(chrome.Main(m)) }

type fixture struct {
	*element.Resolver
	t   *testing.T
	ctx context.Context
	tab *browser.Tab
}

func on(t *testing.T, html string, change func(*element.Options)) *fixture {
	t.Helper()
	f := &fixture{t: t, tab: chrome.Open(t, chrometest.Page(t, "<!doctype html>"+html)), ctx: chrometest.Context(t)}
	o := element.Options{TTL: time.Minute, Session: session.Options{
		NoPicture: true, Settle: session.Settle{Quiet: 20 * time.Millisecond, Max: time.Second, Network: 20 * time.Millisecond},
	}}
	if change != nil {
		change(&o)
	}
	var err error
	f.Resolver, err = element.New(f.ctx, f.tab, o)
	require.NoError(t, err)
	return f
}

// eval runs an expression in the page's own world.
func (f *fixture) eval(expression string) {
	f.t.Helper()
	_, err := f.Page().Evaluate(f.ctx, "", expression)
	require.NoError(f.t, err)
}

// show takes a snapshot and gives the numbers of its elements by their ids.
func (f *fixture) show() map[string]int {
	f.t.Helper()
	f.Invalidate()
	s, err := f.Show(f.ctx)
	require.NoError(f.t, err)
	out := map[string]int{}
	for i := range s.Shot.Capture.Nodes {
		if n := &s.Shot.Capture.Nodes[i]; n.Attr("id") != "" {
			out[n.Attr("id")] = n.Ref
		}
	}
	return out
}

// id is the id attribute of the element that a target means.
func (f *fixture) id(t element.Target) string {
	f.t.Helper()
	t.Patience = 200 * time.Millisecond
	found, err := f.Find(f.ctx, &t)
	require.NoError(f.t, err, t.String())
	text, err := found.Realm.Call(f.ctx, "function(node) { return node.id; }", []int64{found.Element.Node})
	require.NoError(f.t, err)
	return text
}

func (f *fixture) refused(t element.Target, words string) error {
	f.t.Helper()
	t.Patience = 100 * time.Millisecond
	_, err := f.Find(f.ctx, &t)
	require.ErrorContains(f.t, err, words, t.String())
	return err
}

func TestFind(t *testing.T) {
	f := on(t, `<title>Find</title><form id=form><button id=go>Go</button></form><button id=go2>Go</button>
		<label>Name <input id=name></label><h2 id=h>Head</h2><p class=two>a</p><p class=two>b</p>`, nil)
	ref := f.show()["go2"]
	x, y := 20.0, 20.0
	for want, list := range map[string][]element.Target{
		"go": {
			{Selector: "#go"}, {Text: "Go", WithinSelector: "form"}, {Role: "button", Name: "Go", Exact: true},
			{Selectors: []string{"#none", "#go"}}, {Selector: "#go", StrictTarget: element.StrictTarget{Only: true}},
		},
		"go2":  {{Ref: element.Text(fmt.Sprint(ref))}, element.ParseTarget(fmt.Sprintf("s1e%d", ref)), {Selector: fmt.Sprintf("[%d]", ref)}},
		"name": {{Label: "Name"}},
	} {
		for _, target := range list {
			require.Equal(t, want, f.id(target), target.String())
		}
	}
	require.NotEmpty(t, f.id(element.Target{X: &x, Y: &y}))
	f.refused(element.Target{Selector: "#none"}, `no element that matches "#none"`)
	f.refused(element.Target{Selectors: []string{"#none", "#never"}}, "any of the 2 selectors")
	f.refused(element.Target{Ref: "9999"}, "the highest of this session is")
	f.refused(element.Target{Ref: "nv_00000000"}, "nv_00000000")
	f.refused(element.Target{Ref: "e00z0"}, "node e00z0")
	for id, i := range dddk.HashIDs(f.Last().Shot.Capture) {
		if n := &f.Last().Shot.Capture.Nodes[i]; n.Attr("id") == "go2" {
			require.Equal(t, "go2", f.id(element.ParseTarget("["+id+"]")))
			require.Equal(t, "go2", f.id(element.ParseTarget(id)))
		}
	}
	f.refused(element.Target{Text: "Go", WithinSelector: "div["}, "withinSelector")
	err := f.refused(element.Target{Selector: ".two", StrictTarget: element.StrictTarget{Only: true}}, "matches 2 elements")
	var several *element.AmbiguousError
	require.True(t, errors.As(err, &several))
}

// What is still coming is waited for.
func TestFindWaits(t *testing.T) {
	f := on(t, `<p>Soon</p>`, nil)
	f.eval(`setTimeout(() => document.body.append(Object.assign(document.createElement('button'), { id: 'late', textContent: 'Late' })), 300), 1`)
	found, err := f.Find(f.ctx, &element.Target{Selector: "#late"})
	require.NoError(t, err)
	require.NotZero(t, found.Element.Node)
}

// A ref with a frame that the element was never in is refused: in a frame that went away there is nothing to do,
// and an element of the main frame that has the same number is not it (S-17).
func TestARefOfAFrameThatIsNotThere(t *testing.T) {
	f := on(t, `<button id=main>Delete all</button><iframe id=f srcdoc="<button id=inner>Inside</button>"></iframe>`, nil)
	refs := f.show()
	main, inner := refs["main"], refs["inner"]
	require.Equal(t, "inner", f.id(element.Target{Ref: element.Text(fmt.Sprintf("f1_%d", inner))}))
	require.Equal(t, "main", f.id(element.Target{Ref: element.Text(fmt.Sprintf("f0s1e%d", main))}))
	for _, wrong := range []string{fmt.Sprintf("f1_%d", main), fmt.Sprintf("f5_%d", main), fmt.Sprintf("f5_%d", inner)} {
		f.refused(element.Target{Ref: element.Text(wrong)}, "in frame")
	}
	f.eval(`document.getElementById('f').remove(), 1`)
	f.refused(element.Target{Ref: element.Text(fmt.Sprintf("f1_%d", inner))}, "a document that the page has left")
	f.refused(element.Target{Ref: element.Text(fmt.Sprintf("f1_%d", main))}, "in frame")
}

// An element that is gone is replaced by the only one of its role and name, and the two are linked; with
// Resemblance also by what is only like it.
func TestSubstitutes(t *testing.T) {
	const html = `<div id=list><button id=save>Save</button></div>`
	f := on(t, html, nil)
	old := f.show()["save"]
	f.eval(`list.innerHTML = '<button id=new>Save</button>', 1`)
	found, err := f.FindNow(f.ctx, &element.Target{Ref: element.Text(fmt.Sprint(old))})
	require.NoError(t, err)
	require.True(t, found.Replaced())
	e, ok := f.Ledger().Entry(found.NewRef)
	require.True(t, ok)
	require.Equal(t, old, e.Replaces)
	require.Equal(t, old, found.Ref)

	f.eval(`list.innerHTML = '<button>Save</button><button id=second>Save</button>', 1`)
	f.refused(element.Target{Ref: element.Text(fmt.Sprint(old))}, "2 elements have the same role and name")
	f.eval(`list.innerHTML = '<button id=renamed>Save it</button>', 1`)
	f.refused(element.Target{Ref: element.Text(fmt.Sprint(old))}, "nothing has the same role and name")
	f.refused(element.Target{Ref: element.Text(fmt.Sprint(old)), StrictTarget: element.StrictTarget{Fallback: "#renamed"}}, `it was button "Save"`)
	f.show()
	var older *element.OlderError
	require.True(t, errors.As(f.refused(element.Target{Ref: element.Text(fmt.Sprint(old))}, "of an older snapshot (1; the last is 2)"), &older))

	compat := on(t, html, func(o *element.Options) { o.Resemblance = 0.5 })
	old = compat.show()["save"]
	compat.eval(`list.innerHTML = '<button id=renamed>Save it</button>', 1`)
	require.Equal(t, "renamed", compat.id(element.Target{Ref: element.Text(fmt.Sprint(old))}))
	compat.eval(`list.innerHTML = '<p>nothing</p>', 1`)
	var gone *collect.GoneError
	require.True(t, errors.As(compat.refused(element.Target{Ref: element.Text(fmt.Sprint(old))}, "is gone"), &gone))

	require.NoError(t, f.tab.Reload(f.ctx))
	var stale *action.StaleError
	require.True(t, errors.As(f.refused(element.Target{Ref: element.Text(fmt.Sprint(old))}, "a document that the page has left"), &stale))
}

// TestWordsMeanWhatAPersonMeans: of the elements with these words it is the one that a person would name so; one that is
// not there to be clicked is named in the error, with the reason.
func TestWordsMeanWhatAPersonMeans(t *testing.T) {
	f := on(t, `<a id=link href=/x>Sign in</a><p>Sign in to go on</p><button id=hit>Sign in now</button><div id=div role=button>Sign in</div>
		<button style="display:none">Sign in</button><label for=e>Email address</label><input id=e><input aria-label="Email address, again">
		<input id=phone placeholder="Phone"><h2 id=h2>Email</h2><select><option>Alpha<option>Beta</select>
		<div id=menu style="display:none"><button>Sign <b>out</b></button></div><details><summary>More</summary><a href="#rates">Rates</a></details>`, nil)
	for want, list := range map[string][]element.Target{
		"link":  {{Text: "sign in"}, {Text: "Sign in", Exact: true}}, // a link that is the text comes before a button that holds it
		"hit":   {{Text: "in now"}},
		"e":     {{Label: "email address"}},
		"phone": {{Label: "Phone", Exact: true}},
		"h2":    {{Role: "heading", Name: "mail"}},
		"div":   {{Role: "button", Name: "sign in"}}, // a button that is the name comes before one that holds it
	} {
		for _, target := range list {
			require.Equal(t, want, f.id(target), target.String())
		}
	}
	for _, none := range []struct {
		target element.Target
		words  string
	}{
		{element.Target{Text: "Nowhere"}, `there is no clickable element with the text "Nowhere" on the page`},
		{element.Target{Text: "Email", Exact: true}, `"Email" on the page: h2 has that text, and nothing says that it takes clicks: name it by selector or ref`},
		{element.Target{Text: "Beta"}, `"Beta" on the page: it is an option of a closed list, which selectOption chooses`},
		{element.Target{Text: "sign out"}, `button has that text and is not shown (display: none on div#menu`},
		{element.Target{Text: "Rates", Exact: true}, `a has that text and is not shown (its content is not rendered (closed details`},
		{element.Target{Label: "Fax"}, `there is no field labelled "Fax" on the page`},
		{element.Target{Role: "button", Name: "Fax"}, `there is no button named "Fax" on the page`},
	} {
		f.refused(none.target, none.words)
	}
}
