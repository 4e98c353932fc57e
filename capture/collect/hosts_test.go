package collect_test

import (
	"strings"
	"testing"

	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/snapshot"
	"github.com/stretchr/testify/require"
)

// TestNumbersOfHosts: an element that only listens leaves its number to the one control that fills it and shows all that
// it shows; with words, a second control or room of its own it is a target too.
func TestNumbersOfHosts(t *testing.T) {
	const page = `<!doctype html><meta charset=utf-8><style>x-b,.w{display:inline-block;cursor:pointer}
		.card{width:300px;height:90px;position:relative}.all{position:absolute;inset:0}</style>
		<div class=w id=through><button id=deaf style="pointer-events:none">Deaf</button></div>
		<x-b id=host>Save</x-b> <x-b id=off data-off>Off</x-b> <div class=w id=div><button id=inner>In</button></div>
		<div class=w id=twice><div class=w id=once><a href=#a id=link>Link</a></div></div>
		<div class="w card" id=words><a class=all href=#b id=stretched></a><p>Card</p></div>
		<div class="w card" id=room><button id=small>Small</button></div>
		<div class=w id=two style="border:1px solid"><button id=one>1</button><button id=other>2</button></div>
		<div role=checkbox aria-checked=true tabindex=0 id=box><label id=drawn for=kept>Agree<input
			id=kept type=checkbox hidden></label></div>
		<div role=treeitem tabindex=0 id=item><label id=own><input type=checkbox id=tick> Tick</label></div>
		<script>customElements.define('x-b', class extends HTMLElement { connectedCallback() {
			this.attachShadow({mode:'open'}).innerHTML =
				'<style>button{font:inherit}button:disabled{pointer-events:none}</style><button part=b' +
				(this.dataset.off === undefined ? '' : ' disabled') + '><slot></slot></button>';
		} }); for (const e of document.querySelectorAll('x-b,.w')) e.addEventListener('click', () => {})</script>`
	c := read(t, chrome.Open(t, chrometest.Page(t, page)))
	numbered := map[string]bool{}
	for i := range c.Nodes {
		n := &c.Nodes[i]
		if n.Attr("part") == "b" {
			require.Equal(t, snapshot.VerdictRef, n.Verdict, "the button of a host")
			require.Contains(t, n.Interactive, "listener", "a press on it is heard by its host")
		}
		if id := n.Attr("id"); id != "" {
			numbered[id] = n.Verdict == snapshot.VerdictRef
			if id == "host" {
				require.Contains(t, n.Evidence, "what it listens for happens on button")
			}
		}
	}
	for id, want := range map[string]bool{"host": false, "off": false, "div": false, "inner": true, "twice": false,
		"once": false, "link": true, "words": true, "stretched": true, "room": true, "small": true, "two": true,
		"one": true, "other": true, "through": true, "box": true, "drawn": false, "item": true, "own": true,
		"tick": true} {
		require.Equal(t, want, numbered[id], id)
	}
}

// TestPartsPressedAlone: what listens to being pressed inside a control is a target of its own, as the cross of a chip
// or of a tab is, unless it is how the control is drawn: all that it shows, or nothing on all of its room.
func TestPartsPressedAlone(t *testing.T) {
	const page = `<!doctype html><meta charset=utf-8><style>button,label{position:relative}i{cursor:pointer}
		.ripple{position:absolute;inset:0}.icon::before{content:'\2715'}</style>
		<div role=button tabindex=0>Chip <svg data-part=yes width=16 height=16><circle r=8 cx=8 cy=8 /></svg></div>
		<div onclick="x()">Row <span data-part=yes>Edit</span> <span data-part=yes>Delete</span></div>
		<div tabindex=0><span data-part=yes tabindex=0>One</span> <span data-part=yes tabindex=0>Two</span></div>
		<button>Tab <i data-part=yes class=icon>&nbsp;</i></button>
		<label><input> <i data-part=yes>clear</i></label> <label><input type=checkbox> <i data-part=no>Tick</i></label>
		<button><span data-part=no>All</span></button> <a href=#a><b data-part=no>All</b></a>
		<button>Press<span class=ripple data-part=no></span></button>
		<button>Go <i data-part=no style="pointer-events:none">deaf</i></button>
		<button>Go <i data-part=no style="opacity:0">unseen</i></button>
		<script>for (const e of document.querySelectorAll('[data-part]')) e.addEventListener('click', () => {})</script>`
	c := read(t, chrome.Open(t, chrometest.Page(t, page)))
	tried := 0
	for i := range c.Nodes {
		n := &c.Nodes[i]
		want, ok := n.Attrs["data-part"]
		if !ok {
			continue
		}
		tried++
		require.Contains(t, n.Interactive, "listener", n.Path)
		require.Equal(t, want == "yes", n.Verdict == snapshot.VerdictRef, "%s %q: %s, %s", n.Path, n.Text, n.Verdict,
			n.Evidence)
		if want == "yes" {
			require.NotNil(t, n.Occlusion, n.Path)
			require.Equal(t, snapshot.Clear, n.Occlusion.State, n.Path)
		}
	}
	require.Equal(t, 13, tried)
}

// TestWordsOfDrawings: the words that an SVG draws are read as a person reads them, and those that it hides are not.
func TestWordsOfDrawings(t *testing.T) {
	c := read(t, chrome.Open(t, chrometest.Page(t, `<!doctype html><meta charset=utf-8><body id=all>
		<svg width=300 height=120><title>untold</title><g><g><text y=20>Mon <tspan>Tue</tspan></text></g></g>
		<text y=40 opacity=0>ghost</text><text y=60 display=none>none</text><text y=80 visibility=hidden>unseen</text>
		<defs><text>defined</text></defs><svg y=80 width=99 height=40><text y=20>nested</text></svg></svg>
		<div id=pressed onclick="x()"><svg width=99 height=40><text y=20>Bar 7</text></svg></div>
		<button id=button><svg width=60 height=20><text y=15>Press</text></svg></button>`)))
	tree := snapshot.NewTree(c)
	tried := map[string]bool{}
	for i := range c.Nodes {
		n := &c.Nodes[i]
		tried[n.Attr("id")] = true
		switch n.Attr("id") {
		case "all":
			require.Equal(t, "Mon Tue nested Bar 7 Press", strings.Join(strings.Fields(tree.Text(n.I)), " "))
		case "pressed":
			require.Equal(t, "Bar 7", tree.Text(n.I))
		case "button":
			require.Equal(t, "Press", n.Name)
		}
		if n.Tag == "text" && n.Text == "Mon" {
			tried["Mon"] = true
			require.Equal(t, snapshot.VerdictContent, n.Verdict)
		}
	}
	for _, id := range []string{"all", "pressed", "button", "Mon"} {
		require.True(t, tried[id], id)
	}
}

// TestAHostTakesThePressesOfItsControl: a control that ignores the pointer is covered, but where the element that it fills
// listens for it, as hosts of component libraries do.
func TestAHostTakesThePressesOfItsControl(t *testing.T) {
	c := read(t, chrome.Open(t, chrometest.Page(t, `<!doctype html><title>Aside</title>
<style>div { width: 200px } button { width: 100%; pointer-events: none }</style>
<div onclick="1"><button id=clear>Through its host</button></div><button id=covered>Dead</button>
<div><button id=covered>In nothing that listens</button></div>
<div onclick="1" style="height:60px"><button id=covered>A part of what listens</button></div>`)))
	for i := range c.Nodes {
		if n := &c.Nodes[i]; n.Tag == "button" {
			require.NotNil(t, n.Occlusion)
			require.Equal(t, n.Attr("id"), string(n.Occlusion.State), n.Name)
		}
	}
}
