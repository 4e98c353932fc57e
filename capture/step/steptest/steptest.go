// Package steptest runs steps in a page of a test: [On] opens the page, [Bench.Run] runs the steps.
package steptest

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/step"
	"github.com/refscope/refscope/capture/step/emulation"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/turn"
)

// Answer is the part of an answer that tests read.
type Answer struct {
	Status, Tab, SiteProfile, Screenshot, FullSnapshot, ViewportSnapshot string
	Navigated                                                            bool
	ActionRequired                                                       *struct{ Action, Domain string }
	Context                                                              struct{ URL, Title string }
	Changes                                                              *struct {
		Summary        string
		Added, Removed []string
	}
	Steps []struct {
		Action, Status, Warning, Error, Subtype string
		Params, Output, Observation             json.RawMessage
		RetrySuggested                          bool
		Dialogs                                 []snapshot.Dialog
		Context                                 *step.Context
	}
	Error  *struct{ Type, Message string }
	Errors []struct {
		Step                         int
		Action, Error, Type, Subtype string
	}
	Dialog *emulation.Dialog
	Raw    string `json:"-"`
}

// readAnswer reads an answer.
func readAnswer(t testing.TB, body []byte) Answer {
	t.Helper()
	a := Answer{Raw: string(body)}
	require.NoError(t, json.Unmarshal(body, &a), a.Raw)
	return a
}

// Out decodes the output of the last step of an answer that is ok.
func (a *Answer) Out(t testing.TB, into any) {
	t.Helper()
	require.Equal(t, "ok", a.Status, a.Errors)
	last := a.Steps[len(a.Steps)-1].Output
	require.NoError(t, json.Unmarshal(last, into), string(last))
}

// OutputOf decodes the output of a step.
func OutputOf[T any](t testing.TB, raw json.RawMessage) T {
	t.Helper()
	var v T
	require.NoError(t, json.Unmarshal(raw, &v), string(raw))
	return v
}

// Bench is a runner in a tab that shows a page, with a session on disk.
type Bench struct {
	T   testing.TB
	Ctx context.Context
	R   *step.Runner // of the next command
	Opt step.Options
}

// On opens a page with that markup.
func On(t testing.TB, chrome *chrometest.Chrome, html string) *Bench {
	t.Helper()
	return At(t, chrome, chrometest.Page(t, "<!doctype html><meta charset=utf-8><title>Bench</title>"+html))
}

// At opens an address.
func At(t testing.TB, chrome *chrometest.Chrome, url string) *Bench {
	t.Helper()
	return In(t, chrome.Open(t, url))
}

// In runs its steps in a tab.
func In(t testing.TB, tab *browser.Tab) *Bench {
	t.Helper()
	ctx := chrometest.Context(t)
	store, err := turn.Create(ctx, turn.Dir(t.TempDir()), "test")
	require.NoError(t, err)
	b := &Bench{T: t, Ctx: ctx, Opt: step.Options{Store: store, Alias: "t1", Files: t.TempDir(), Tool: "test"}}
	b.Opt.Collect.Known = &redact.Known{} // of the session
	b.R, err = step.New(ctx, tab, b.Opt)
	require.NoError(t, err)
	return b
}

// Run runs steps, written as a JSON list, as one command.
func (b *Bench) Run(steps string) Answer {
	b.T.Helper()
	c, err := step.Parse([]byte(`{"tab":"t1","steps":` + steps + `}`))
	require.NoError(b.T, err)
	a, err := b.R.Execute(b.Ctx, c)
	require.NoError(b.T, err)
	out := readAnswer(b.T, a.Body)
	require.Equal(b.T, a.OK, out.Status == "ok")
	if a.OK {
		require.Empty(b.T, a.Failed)
	} else { // in the words of the answer, which has no secrets
		first := out.Errors[0]
		require.Equal(b.T, text.Line(first.Action+" failed: "+first.Error), a.Failed)
	}
	b.next()
	return out
}

// next makes the runner of the next command.
func (b *Bench) next() {
	b.T.Helper()
	next, err := step.New(b.Ctx, b.R.Page().Tab(), b.Opt)
	require.NoError(b.T, err)
	b.R = next
}

// Allow lets the commands from now on use the files below a folder.
func (b *Bench) Allow(dir string) {
	b.T.Helper()
	b.Opt.Roots = append(b.Opt.Roots, dir)
	b.next()
}

// Eval is the value of a script in the page, as JSON.
func (b *Bench) Eval(js string) string {
	b.T.Helper()
	raw, err := b.R.Page().Evaluate(b.Ctx, "", js)
	require.NoError(b.T, err)
	return string(raw)
}

// Serve serves a page with that markup and gives its address.
func Serve(t testing.TB, html string) string {
	return chrometest.Page(t, "<!doctype html><meta charset=utf-8>"+html)
}

// RefIn is the ref of the line of a snapshot with that text.
func RefIn(t testing.TB, snapshot, text string) string {
	t.Helper()
	for line := range strings.Lines(snapshot) {
		if strings.Contains(line, text) {
			_, rest, ok := strings.Cut(line, "[ref=")
			require.True(t, ok, line)
			ref, _, _ := strings.Cut(rest, "]")
			return ref
		}
	}
	t.Fatalf("no line with %s in\n%s", text, snapshot)
	return ""
}

// Shop is a page with one of each.
const Shop = `<header style="position:sticky;top:0;background:#fff">` +
	`<nav aria-label="Site"><a href="/home">Home</a></nav></header>
<main><h1>Shop</h1><p id="intro">Fine <b>tea</b> &amp; cups.</p>
<table id="prices"><thead><tr><th>Thing</th><th>Price</th></tr></thead>` +
	`<tbody><tr><td>Tea</td><td>5</td></tr><tr><td>Cup</td><td>7</td></tr></tbody></table>
<ul id="list"><li>One</li><li>Two <a class="more" data-id="d2" href="two?x=1">more</a></li></ul>
<form id="f" action="/sent" onsubmit="window.sent=(window.sent||0)+1; event.preventDefault()">` +
	`<input name="elements" type="hidden" value="h"><input name="matches" type="hidden">` +
	`<input name="csrf_token" type="hidden" value="c4f1e0">
<label>Email <input id="email" name="email" type="email" required value="a@b.c"></label>` +
	`<label>Password <input id="pw" name="pw" type="password" value="Hunter2!x"></label>
<label><input id="news" type="checkbox" name="news" checked> News</label>` +
	`<label>Size <select name="size"><option>S<option selected>M</select></label><button id="go">Send</button></form>
<div id="wrap" style="width:300px;height:60px;margin-top:8px"></div>` +
	`<button id="hidden" style="display:none">Ghost</button></main>
<script type="application/ld+json">{"@type":"Shop"}</script><footer>Imprint</footer>`
