package collect_test

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/snapshot/find"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/format/aria"
	"github.com/stretchr/testify/require"
)

// TestPlaywrightSnapshots reads the pages of Playwright's own test suite and compares
// dump's Playwright profile with what that suite expects, byte for byte. One of them
// is known to differ: the glyph of a ::before outside of a name is in no capture.
func TestPlaywrightSnapshots(t *testing.T) {
	text, err := os.ReadFile(corpus(t, "aria-yaml-cases.json"))
	require.NoError(t, err)
	var cases []struct {
		Test     string  `json:"test"`
		HTML     string  `json:"html"`
		Selector *string `json:"selector"`
		Expected string  `json:"expected"`
	}
	require.NoError(t, json.Unmarshal(text, &cases))
	require.Len(t, cases, 36)
	tab := chrome.Tab(t)
	right := 0
	for i, c := range cases {
		ctx := chrometest.Context(t)
		require.NoError(t, tab.Navigate(ctx, chrometest.Page(t, c.HTML)))
		res, err := collect.Read(ctx, tab, patient)
		require.NoError(t, err)
		res.Release(ctx)
		o := format.Options{Aria: aria.Options{Playwright: true}}
		if c.Selector != nil && *c.Selector != "body" {
			for k := range res.Capture.Nodes {
				if n := &res.Capture.Nodes[k]; n.Tag == *c.Selector && o.Aria.Root == nil {
					o.Aria.Root = &n.I
				}
			}
			require.NotNil(t, o.Aria.Root, "selector %q", *c.Selector)
		}
		o.Aria.Boxes = strings.Contains(c.Expected, "[box=")
		d, err := format.Render(res.Capture, format.Aria, o)
		require.NoError(t, err)
		if d.Text == c.Expected {
			right++
		} else {
			t.Logf("case %d %q:\ngot\n%.1500s\nwant\n%.1500s", i, c.Test, d.Text, c.Expected)
		}
	}
	t.Logf("%d of %d byte for byte", right, len(cases))
	require.GreaterOrEqual(t, right, 35)
}

// TestPlaywrightOnTemplates is what pages of templates are made of, with what Playwright 1.65 says of it: letters are
// those
// of the document where a style sheet draws others, a cell has its content for a name, a drawing its texts.
func TestPlaywrightOnTemplates(t *testing.T) {
	c := read(t, chrome.Open(t, chrometest.Page(t, `<!doctype html><title>t</title><style>
.up{text-transform:uppercase}.sep::before{content:"/"}.q::after{content:" ›"}</style>
<table class=up><tr><th></th><th>Net <b>work</b></th><th>Hits</th></tr><tr><th
colspan=3>All</th></tr><tr><td>One</td><th>mid</th><td></td></tr></table>
<table><tr><td><input type=checkbox aria-label="Select it"></td><td>77 <input type=range value=5 max=10></td><td><a
href=# aria-label="Open site"></a>x</td><td><button>Go</button> more</td><td><input
value=val></td><td><select><option>a<option selected>so</select></td><td><figure>fig</figure></td></tr></table>
<button class=up>Upper btn</button><label class=up>up lab <input></label><label class=up for=two>one</label><label
class=up for=two>two</label><input id=two><fieldset class=up disabled><legend>Leg end</legend><select
aria-label=Sx><option>o1</select></fieldset>
<select disabled aria-label=Sd><option>a<optgroup label=g><option>b</optgroup></select><select multiple
aria-label=Sm><optgroup disabled label=g><option>b</optgroup></select>
<svg width=100 height=30><desc>About</desc><text y=10>Hello</text><a href="#"><text y=20>Link</text></a></svg><a
href=#>Cart <svg width=5 height=5><text>Save</text></svg> now</a>
<ol><li>Home</li><li class=sep>Timeline</li><li class="sep q"><a
href=#>Deep</a></li></ol><s>Old</s> <address>Addr</address> <hgroup><h2>H</h2></hgroup><p>a <q>b</q></p><article
role=comment><h4>Au</h4></article><p role="comment note">n</p>
<map name=m><area href=# alt=North coords="0,0,9,9"></map><img usemap=#m alt=Map width=20 height=20
src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">`)))
	d, err := format.Render(c, format.Aria, format.Options{Aria: aria.Options{Playwright: true}})
	require.NoError(t, err)
	require.Equal(t, `- table:
  - rowgroup:
    - row "Net work Hits":
      - columnheader
      - columnheader "Net work"
      - columnheader "Hits"
    - row "All":
      - columnheader "All"
    - row "One mid":
      - cell "One"
      - rowheader "mid"
      - cell
- table:
  - rowgroup:
    - row "Select it 77 5 Open sitex Go more val so":
      - cell "Select it":
        - checkbox "Select it"
      - cell "77 5":
        - text: "77"
        - slider: "5"
      - cell "Open sitex":
        - link "Open site":
          - /url: "#"
        - text: x
      - cell "Go more":
        - button "Go"
        - text: more
      - cell "val":
        - textbox: val
      - cell "so":
        - combobox:
          - option "a"
          - option "so" [selected]
      - cell:
        - figure: fig
- button "Upper btn"
- text: up lab
- textbox "up lab"
- text: onetwo
- textbox "one two"
- group "Leg end":
  - text: Leg end
  - combobox "Sx" [disabled]:
    - option "o1" [disabled] [selected]
- combobox "Sd" [disabled]:
  - option "a" [selected]
- listbox "Sm":
  - group [disabled]:
    - option "b" [disabled]
- img:
  - text: Hello
  - link "Link":
    - /url: "#"
- link "Cart now":
  - /url: "#"
  - text: Cart
  - img: Save
  - text: now
- list:
  - listitem: Home
  - listitem: /Timeline
  - listitem:
    - text: /
    - link "Deep":
      - /url: "#"
    - text: ›
- text: Old Addr
- heading "H" [level=2]
- paragraph: a b
- article:
  - heading "Au" [level=4]
- note: "n"
- img "Map"`, d.Text)
}

// TestPlaywrightOnLabels: labels name a control in Playwright even where they are empty or hidden, and aria-owns is
// looked
// up in the document, also from a shadow tree.
func TestPlaywrightOnLabels(t *testing.T) {
	c := read(t, chrome.Open(t, chrometest.Page(t, `<!doctype html><label><button>Save</button></label><label
for=b2> </label><button id=b2>Two</button><label for=o></label><output id=o title=T>5</output><label
for=m></label><meter id=m title=Mt value=.5></meter><label for=i></label><input type=image id=i alt=Alt src=x><label
for=f></label><input type=file id=f title=F><label for=c></label><input type=checkbox id=c title=C><label
for=s></label><input id=s type=submit value=Go><label><span></span><input title=W placeholder=P></label><label for=zz
hidden>Hid</label><input id=zz title=Z><label for=q aria-hidden=true>AH</label><input id=q title=Q>
<ul><li role=treeitem aria-owns=g>Root</li></ul><ul id=g role=group><li role=treeitem>Leaf</ul>
<div id=h></div><script>h.attachShadow({mode:'open'}).innerHTML=
'<ul role=tree><li role=treeitem aria-owns=k>R2</li><ul id=k role=group><li role=treeitem>L2</ul></ul>'</script>
<label for=w1 hidden>Out <b>bold</b> <i>it</i></label><input id=w1 title=T><label style="text-transform:uppercase"
for=w2>Name here</label><input id=w2><label style="text-transform:uppercase">wrap <input type=checkbox></label>
<label for=w3 hidden>A</label><label for=w3>B</label><input id=w3><label for=w4
style="display:none">C<button>D</button></label><button id=w4>E</button><label><input type=radio title=R><i
hidden>x</i></label>`)))
	d, err := format.Render(c, format.Aria, format.Options{Aria: aria.Options{Playwright: true}})
	require.NoError(t, err)
	require.Equal(t, `- button: Save
- button: Two
- status: "5"
- meter
- button
- button
- checkbox
- button "Go"
- textbox:
  - /placeholder: P
- textbox "Hid"
- textbox "AH"
- list:
  - treeitem "Root":
    - text: Root
    - group:
      - treeitem "Leaf"
- tree:
  - treeitem "R2"
  - group:
    - treeitem "L2"
- textbox "Out bold it"
- text: Name here
- textbox "Name here"
- text: wrap
- checkbox "wrap"
- text: B
- textbox "A B"
- button "C D": E
- radio`, d.Text)
}

// TestPlaywrightOnEditors: of what has the role of a text box Playwright lists the elements with a role, not the
// text; and
// what stands in an empty one names it in a field only.
func TestPlaywrightOnEditors(t *testing.T) {
	c := read(t, chrome.Open(t, chrometest.Page(t, `<!doctype html><div role=textbox
contenteditable>x<b>bold</b><div>deep <span>in</span></div></div><div role=textbox
aria-label=L><ul><li>one <i>two</i></li></ul>loose</div><div role=searchbox>words</div><div
contenteditable>plain</div><div role=textbox aria-placeholder=Write></div><div
role=textbox><button>Go</button> after <a href=/x>link</a></div>`)))
	d, err := format.Render(c, format.Aria, format.Options{Aria: aria.Options{Playwright: true}})
	require.NoError(t, err)
	require.Equal(t, `- textbox
- textbox "L":
  - list:
    - listitem: one two
- searchbox: words
- text: plain
- textbox
- textbox:
  - button "Go"
  - link "link":
    - /url: /x`, d.Text)
}

// TestPlaywrightOnNamersSaidOnce: what has named a control in it, and is the name of the cell, button or option
// around both,
// says that name once.
func TestPlaywrightOnNamersSaidOnce(t *testing.T) {
	c := read(t, chrome.Open(t, chrometest.Page(t, `<!doctype html><table><tr><th>H</th><td><label>A <input
type=checkbox></label></td><td id=q>B <input type=checkbox aria-labelledby=q></td><td><label for=z>C</label><input
type=checkbox id=z></td></tr><tr><th scope=row><label>D <input type=text value=v></label></th><td><button
aria-labelledby="w">x</button><span id=w>W</span></td><td><span id=w2>V<button
aria-labelledby="w2">y</button></span></td></tr></table>
<button><label>In <input type=radio title=T></label></button><a href=/x><span id=e>E <b role=checkbox
aria-checked=true aria-labelledby=e>c</b></span></a><h2><label>F <button>G</button></label></h2><ul><li
role=option><label>O <input type=checkbox></label></li><li role=option aria-label=P2><label>P <input
type=checkbox></label></li></ul><div role=row><div role=cell id=l9>L <input type=range aria-labelledby=l9
value=3></div></div><fieldset role=radio><legend>Leg <input type=checkbox></legend>x</fieldset>`)))
	d, err := format.Render(c, format.Aria, format.Options{Aria: aria.Options{Playwright: true}})
	require.NoError(t, err)
	require.Equal(t, `- table:
  - rowgroup:
    - row "H A B C":
      - rowheader "H"
      - cell "A":
        - text: A
        - checkbox "A"
      - cell "B":
        - text: B
        - checkbox "B"
      - cell "C":
        - text: C
        - checkbox "C"
    - row "D v W V y":
      - rowheader "D v":
        - text: D
        - textbox "D": v
      - cell "W":
        - button "W": x
        - text: W
      - cell "V y":
        - text: V
        - button "V y": "y"
- button "In":
  - text: In
  - radio "In"
- link "E c":
  - /url: /x
  - text: E
  - checkbox "E c" [checked]: c
- heading "F" [level=2]:
  - text: F
  - button "F": G
- list:
  - option "O":
    - text: O
    - checkbox "O"
  - option "P2":
    - text: P
    - checkbox "P"
- row "L 3":
  - cell "L 3":
    - text: L
    - slider "L 3": "3"
- radio "Leg":
  - text: Leg
  - checkbox
  - text: x`, d.Text)
}

// TestPlaywrightOnWhatIsAround: what makes no box is hidden where nothing is in it, a control that is named by what is
// around it says there what it holds, and a text stays beside a name that its own parts give.
func TestPlaywrightOnWhatIsAround(t *testing.T) {
	c := read(t, chrome.Open(t, chrometest.Page(t, `<!doctype html><div role=group aria-label=G1
style="display:contents"><i aria-hidden=true>x</i></div><div role=group aria-label=G2
style="display:contents">text</div><div role=group aria-label=G3 style="display:contents"> <b>b</b></div><div
role=group aria-label=G4 style="display:contents"><div style="display:contents"><span
style="visibility:hidden">s</span></div></div>
<table style="display:block"><thead style="display:contents"><tr style="display:contents"><th
aria-hidden=true>H</th></tr></thead><tr><td>c</td></tr></table>
<x-a></x-a><x-b><button>light</button></x-b><x-c>words</x-c><div role=group aria-label=G5
style="display:contents"></div><ul style="display:contents"><li style="display:contents"><a href=/x>A</a></li></ul>
<script>for(const [n,h] of [['x-a','<style>:host{display:contents}</style><button>in shadow</button>'],
['x-b','<style>:host{display:contents}</style><slot></slot><button>s2</button>'],
['x-c','<style>:host{display:contents}</style><b><slot></slot></b>']])
customElements.define(n,class extends HTMLElement{
connectedCallback(){this.attachShadow({mode:'open'}).innerHTML=h}})</script>
<div id=lw>Vol <div role=slider aria-labelledby=lw aria-valuenow=30 tabindex=0>s</div> end</div><div id=l2>A <button
id=b2 aria-labelledby="l2">Go</button></div><div id=l3>File <button id=b3 aria-labelledby="b3 l3b">Del</button><span
id=l3b>n.txt</span></div><div id=l4>T <input aria-labelledby=l4 value=v> u</div><div id=l5>T <input type=checkbox
aria-labelledby=l5> u</div>
<table><tr><th><x-s aria-label="Sort by Name">Name</x-s></th><th><span title=t>Q</span></th><td><button
aria-label="Close it">x</button></td></tr></table><button><x-s aria-label="Long name">Short</x-s></button><a
href=/y><span aria-label="Other">Word</span></a><h2><span style="text-transform:uppercase">caps</span></h2><button
class=g>glyph</button><style>.g::before{content:">> "}.h::after{content:"*"}</style><a href=/z class=h>star</a>`)))
	d, err := format.Render(c, format.Aria, format.Options{Aria: aria.Options{Playwright: true}})
	require.NoError(t, err)
	require.Equal(t, `- group "G2": text
- group "G3": b
- table:
  - rowgroup:
    - row "c":
      - cell "c"
- button "light"
- button "s2"
- text: words
- list:
  - listitem:
    - link "A":
      - /url: /x
- text: Vol
- slider "Vol 30 end": s
- text: end A
- button "A Go": Go
- text: File
- button "Del n.txt": Del
- text: n.txt T
- textbox "T v u": v
- text: u T
- checkbox "T u"
- text: u
- table:
  - rowgroup:
    - row "Sort by Name Q Close it":
      - columnheader "Sort by Name": Name
      - rowheader "Q"
      - cell "Close it":
        - button "Close it": x
- button "Long name": Short
- link "Other":
  - /url: /y
  - text: Word
- heading "caps" [level=2]
- button ">> glyph"
- link "star*":
  - /url: /z`, d.Text)
}

// TestPlaywrightInShadowTrees: ids are those of one shadow tree, and the header of a part that has a role of its own
// is the
// page's.
func TestPlaywrightInShadowTrees(t *testing.T) {
	c := read(t, chrome.Open(t, chrometest.Page(t, `<!doctype html><header>A</header><section role=dialog
aria-label=D><header>B</header><footer>C</footer></section><section><header>E</header></section><div role=region
aria-label=R><header>F</header></div><article role=none><footer>G</footer></article><main><x-h
id=h></x-h></main><aside role=""><header>I</header></aside>
<x-i id=i><label for=q>Slot lab</label><input id=q></x-i><x-i id=i2></x-i><x-i id=i3></x-i><x-o id=o></x-o><x-e
id=e></x-e>
<script>h.attachShadow({mode:'open'}).innerHTML='<header>H</header>';
const t=n=>'<label id=l for=input>'+n+'</label><input id=input>'+
'<b id=bb>'+n+'B</b><button aria-labelledby=bb>x</button>';
for(const [e,n] of [[i,'One'],[i2,'Two'],[i3,'Three']])e.attachShadow({mode:'open'}).innerHTML=t(n)+'<slot></slot>';
o.attachShadow({mode:'open'}).innerHTML='<x-p id=input></x-p><x-p></x-p>';
for(const p of o.shadowRoot.querySelectorAll('x-p'))p.attachShadow({mode:'open'}).innerHTML=t('In '+p.id);
e.attachShadow({mode:"open"}).innerHTML="<x-p id=e></x-p>";
e.shadowRoot.firstChild.attachShadow({mode:"open"}).innerHTML="<label for=e></label><input id=e title=E>"</script>`)))
	d, err := format.Render(c, format.Aria, format.Options{Aria: aria.Options{Playwright: true}})
	require.NoError(t, err)
	require.Equal(t, `- banner: A
- dialog "D":
  - banner: B
  - contentinfo: C
- text: E
- region "R": F
- contentinfo: G
- main: H
- complementary:
  - banner: I
- text: One
- textbox "One"
- text: OneB
- button "OneB": x
- text: Slot lab
- textbox "Slot lab"
- text: Two
- textbox "Two"
- text: TwoB
- button "TwoB": x
- text: Three
- textbox "Three"
- text: ThreeB
- button "ThreeB": x
- text: In input
- textbox "In input"
- text: In inputB
- button "In inputB": x
- text: In
- textbox "In"
- text: In B
- button "In B": x
- textbox`, d.Text)
	for label, want := range map[string]int{"One": 1, "Two": 1, "Three": 1, "In input": 1, "Slot lab": 1, "None": 0} {
		found, err := find.Locate(c, `internal:label="`+label+`"s`)
		require.NoError(t, err)
		require.Len(t, found, want, label)
	}
}

// TestHeadersOfTables: a <th> without a scope is the header of its row or of its column as Chrome takes it.
func TestHeadersOfTables(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	one := func(of ...string) string { return of[r.IntN(len(of))] }
	var page strings.Builder
	page.WriteString("<!doctype html><title>Tables</title>")
	for range 120 {
		page.WriteString("<table><tr><td>a</td><td>b</td></tr>")
		for range 1 + r.IntN(3) {
			space := one("", "\n")
			page.WriteString("<tr>" + space)
			for range 1 + r.IntN(4) {
				page.WriteString(one("<td>", "<th>", "<th>") + one("", "", " ", "x", "<b>y</b>", "<i></i>") + space)
			}
		}
		page.WriteString("</table>")
	}
	tab := chrome.Open(t, chrometest.Page(t, page.String()))
	ctx := chrometest.Context(t)
	res, err := collect.Read(ctx, tab, patient)
	require.NoError(t, err)
	defer res.Release(ctx)
	require.NoError(t, res.IdentifyEvery(ctx))
	c := res.Capture
	collect.AXFacts(ctx, tab, c, func(s string) string { return s })
	headers := map[string]int{}
	for i := range c.Nodes {
		if n := &c.Nodes[i]; n.Tag == "th" && n.AX != nil && strings.HasSuffix(n.AX.Role, "header") {
			require.Equal(t, n.AX.Role, n.Role, n.Path)
			headers[n.Role]++
		}
	}
	require.Greater(t, min(headers["rowheader"], headers["columnheader"]), 50, headers)
}
