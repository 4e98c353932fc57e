package collect_test

import (
	"testing"

	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/find"
	"github.com/stretchr/testify/require"
)

// The text of a capture is what a person reads: words that a line break parts, and words that a style sheet writes.
func TestWordsThatAPersonReads(t *testing.T) {
	c := read(t, chrome.Open(t, chrometest.Page(t, `<!doctype html><meta charset=utf-8><title>Words</title><style>
.new::before { content: "NEW " } .req::after { content: " (required)" } .price::before { content: "$" } .icon::before { content: "\f101" }
.k { counter-increment: k } .k::before { content: "Step " counter(k) ": " } .gone::before { content: "Gone"; display: none }
.attr::after { content: attr(data-x) } .unseen { visibility: hidden } .note { list-style-type: "Note: " } .sep::after { content: " › " }
.block::before { content: "Over"; display: block } .sub { & b::before { content: "nested " } } .alt::before { content: "★ top" / "star" }
.pic::before { content: url("data:image/gif;base64,R0lGODlhAQABAAAAACw=") " A " / "star" } .picset::after { content: image-set("a.png" 1x, url("b.png") 2x) " B" }
@media print { .print::before { content: "printed" } } .a.b:not(.c, .d)::before, .never::after { content: "not c " } q { font-style: normal }
</style>
<p id=br>12 Main St<br>London</p><button id=brb>Buy<br>now</button><p id=bri><b>One</b><br><i>Two</i></p><pre id=pre>a
b</pre>
<p id=new class=new>Phone</p><span id=req class=req>Mail</span><b id=price class=price>12</b><i id=icon class=icon></i><i id=icontext class=icon>Home</i>
<h2 id=k1 class=k>Plan</h2><h2 id=k2 class=k>Build</h2><p id=gone class=gone>x</p><b id=attr class=attr data-x="from data"></b>
<p id=unseen class="new unseen">x</p><ul><li id=note class=note>Read</ul><p id=sep class=sep>Home</p><div id=block class=block>Under</div>
<p class=sub><b id=nested>deep</b></p><b id=alt class=alt>Rated</b><p id=print class=print>y</p><p id=multi class="a b">m</p><p id=q>He said <q>hello</q></p>
<b id=pic class=pic>Rated</b><b id=picset class=picset>Set</b><p id=ruby>Some <ruby>漢<rt>kan</rt></ruby> <i>ji</i></p><p id=mid>Before <b class=new>in</b> after</p><div id=empty class=new></div>
<x-host id=host></x-host><x-tab id=tab tabindex=0></x-tab><script>
for (const id of ['host', 'tab']) document.getElementById(id).attachShadow({ mode: 'open' }).innerHTML = '<style>b::before { content: "shade " }</style><b>text</b>';
</script>`)))
	tree := snapshot.NewTree(c)
	got := map[string]string{}
	var tab *snapshot.Node
	for i := range c.Nodes {
		n := &c.Nodes[i]
		if id := n.Attr("id"); id != "" {
			got[id] = tree.Text(n.I)
		}
		if n.Attr("id") == "tab" {
			tab = n
		}
	}
	for id, want := range map[string]string{
		"br": "12 Main St London", "brb": "Buy now", "bri": "One Two", "pre": "a b", "new": "NEW Phone", "req": "Mail (required)",
		"price": "$12", "icon": "", "icontext": "Home", "k1": "Step 1: Plan", "k2": "Step 2: Build", "gone": "x", "attr": "from data",
		"note": "Note: Read", "sep": "Home", "block": "Over Under", "nested": "nested deep", "alt": "★ topRated", "print": "y",
		"pic": "A Rated", "picset": "Set B", "multi": "not c m", "q": "He said “hello”", "mid": "Before NEW in after", "ruby": "Some 漢kan ji", "empty": "NEW", "host": "shade text", "tab": "shade text",
	} {
		require.Equal(t, want, got[id], id)
	}
	// Locators, XPaths and scripts read what the document says alone.
	said, err := find.Locate(c, `internal:text="He said hello"s`)
	require.NoError(t, err)
	require.Len(t, said, 1)
	for text, want := range map[string][]string{
		"Phone": {"new"}, "Mail": {"req"}, "12": {"price"}, "Plan": {"k1"}, "Read": {"note"}, "Under": {"block"}, "deep": {"nested"}, "Rated": {"alt", "pic"},
		"Set": {"picset"}, "m": {"multi"}, "Home": {"icontext", "sep"}, "NEW Phone": nil, "Mail (required)": nil, "NEW": nil, "from data": nil,
	} {
		for _, locator := range []string{`internal:text="` + text + `"s`, `//*[normalize-space(.)="` + text + `"][@id]`, `*:text-is("` + text + `")`} {
			found, err := find.Locate(c, locator)
			require.NoError(t, err, locator)
			var ids []string
			for _, n := range found {
				ids = append(ids, n.Attr("id"))
			}
			require.Equal(t, want, ids, locator)
		}
	}
	require.Empty(t, func() string {
		for i := range c.Nodes {
			if c.Nodes[i].Attr("id") == "unseen" && c.Nodes[i].Text != "x" {
				return c.Nodes[i].Text
			}
		}
		return ""
	}(), "what is hidden writes nothing")
	require.Contains(t, tab.Interactive, "tabindex", "its text is in its shadow tree")
}

// What a style sheet writes around the contents of a shadow tree, of a slot and of a closed <details> is read too,
// whether the sheet is the document's or that of the tree.
func TestWordsWrittenAroundShadowTrees(t *testing.T) {
	c := read(t, chrome.Open(t, chrometest.Page(t, `<!doctype html><title>Words</title><style>
#outer::before, #folded::before { content: "before " } #outer::after, #folded::after { content: " after" } .count::before { content: attr(data-n) }
</style>
<x-a id=outer><b>in</b></x-a><x-a id=own></x-a><x-a id=slots><b id=slotted>bold</b></x-a><x-a id=closed></x-a>
<x-a id=button role=button class=count data-n="3 "></x-a><details id=folded><summary>Sum</summary>Rest</details><script>
const fill = (id, css, html, mode = 'open') => document.getElementById(id).attachShadow({ mode }).innerHTML = '<style>' + css + '</style>' + html;
fill('outer', '', '<slot></slot>');
fill('own', ':host::before { content: "host " }', '<x-a id=inner class=badge></x-a>');
document.getElementById('own').shadowRoot.firstChild.append('.badge::after { content: "9" }');
document.getElementById('own').shadowRoot.lastChild.attachShadow({ mode: 'open' }).innerHTML = 'mail ';
fill('slots', 'slot::before { content: "slot " } ::slotted(b)::after { content: " end" }', '<slot id=slot></slot>');
fill('closed', ':host(x-a)::after { content: " shut" }', 'Door', 'closed');
fill('button', '', '<i>news</i>');
</script>`)))
	tree, got := snapshot.NewTree(c), map[string]string{}
	for i := range c.Nodes {
		if id := c.Nodes[i].Attr("id"); id != "" {
			got[id] = tree.Text(c.Nodes[i].I)
		}
		if c.Nodes[i].Attr("id") == "button" {
			require.Equal(t, "3 news", c.Nodes[i].Name)
		}
	}
	for id, want := range map[string]string{"outer": "before in after", "own": "host mail 9", "inner": "mail 9",
		"slots": "slot bold end", "slotted": "bold end", "closed": "Door shut", "button": "3 news",
		"folded": "before Sum after"} {
		require.Equal(t, want, got[id], id)
	}
}

// An area of an image map is a link where its image has it.
func TestImageMaps(t *testing.T) {
	c := read(t, chrome.Open(t, chrometest.Page(t, `<!doctype html><title>Maps</title><body style="margin:0">
<map name=m><area id=north href="#n" alt="North" coords="0,0,50,40"><area id=south href="#s" alt="South" shape=circle coords="75,20,20">
<area id=plain alt="No link" coords="0,0,5,5"></map>
<img usemap="#m" alt="Map" style="display:block;width:100px;height:40px;padding:10px" src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7">
<map name=gone><area id=gone href="#g" alt="Gone" coords="0,0,9,9"></map><img usemap="#gone" style="display:none">`)))
	got := map[string]*snapshot.Node{}
	for i := range c.Nodes {
		got[c.Nodes[i].Attr("id")] = &c.Nodes[i]
	}
	require.Equal(t, snapshot.VerdictRef, got["north"].Verdict, got["north"].Evidence)
	require.Equal(t, "North", got["north"].Name)
	require.Equal(t, snapshot.Box{0, 0, 50, 40}, got["north"].Box)
	require.Equal(t, snapshot.Clear, got["north"].Occlusion.State)
	require.Equal(t, snapshot.Box{60.86, 5.86, 28.28, 28.28}, got["south"].Box)
	require.Equal(t, snapshot.Clear, got["south"].Occlusion.State)
	require.NotEqual(t, snapshot.VerdictRef, got["plain"].Verdict)
	require.Equal(t, snapshot.VerdictDisplayNone, got["gone"].Verdict)
}
