package collect_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/snapshot"
	"github.com/stretchr/testify/require"
)

// TestStates: what an element's HTML and ARIA say of its state. HERE is the place of its id and its name.
func TestStates(t *testing.T) {
	is := func(pairs ...any) snapshot.States {
		s := snapshot.States{}
		for k := 0; k < len(pairs); k += 2 {
			s[pairs[k].(string)] = pairs[k+1]
		}
		return s
	}
	cases := []struct {
		html string
		want snapshot.States
	}{
		{`<fieldset disabled><legend>L <input HERE></legend></fieldset>`, nil},
		{`<fieldset disabled><legend>L</legend><legend><input HERE></legend></fieldset>`, is("disabled", true)},
		{`<fieldset disabled><a href=# HERE>a</a></fieldset>`, nil},
		{`<button HERE disabled aria-disabled=false>b</button>`, is("disabled", true)},
		{`<div aria-disabled=true><button HERE>b</button></div>`, is("disabled", true)},
		{`<div aria-disabled=true><input HERE></div>`, is("disabled", true)},
		{`<div aria-disabled=true><a href=# HERE>a</a></div>`, is("disabled", true)},
		{`<div aria-disabled=true><section aria-disabled=false><button HERE>b</button></section></div>`, nil},
		{`<div aria-disabled=true><section aria-disabled><button HERE>b</button></section></div>`, is("disabled", true)},
		{`<div aria-disabled=true><h2 HERE>h</h2></div>`, is("level", 2.0)},
		{`<input type=checkbox aria-checked=true HERE>`, is("checked", false)},
		{`<div role=checkbox aria-checked=mixed tabindex=0 HERE>c</div>`, is("checked", "mixed")},
		{`<div role=switch aria-checked=mixed tabindex=0 HERE>c</div>`, is("checked", false)},
		{`<div role=radio aria-checked=mixed tabindex=0 HERE>c</div>`, is("checked", false)},
		{`<button aria-pressed=mixed HERE>b</button>`, is("pressed", "mixed")},
		{`<a href=# aria-pressed=true HERE>a</a>`, nil},
		{`<details open><summary aria-expanded=false HERE>s</summary></details>`, is("expanded", true)},
		{`<button popovertarget=closed HERE>b</button>`, is("expanded", false)},
		{`<input type=button popovertarget=shown HERE>`, is("expanded", true)},
		{`<button commandfor=shown command=toggle-popover HERE>b</button>`, is("expanded", true)},
		{`<button commandfor=shown command=show-modal HERE>b</button>`, nil},
		{`<button popovertarget=shown aria-expanded=false HERE>b</button>`, is("expanded", false)},
		{`<button popovertarget=host HERE>b</button>`, nil},
		{`<form><button popovertarget=shown HERE>b</button></form>`, nil},
		{`<div popover=manual id=shown>p<button popovertarget=shown HERE>b</button></div>`, nil},
		{`<select required HERE><option>1</select>`, is("required", true)},
		{`<input type=range required readonly HERE>`, nil},
		{`<input type=color required HERE>`, nil},
		{`<input type=submit required HERE>`, nil},
		{`<input type=date readonly HERE>`, is("readonly", true)},
		{`<input aria-invalid=spelling HERE>`, is("invalid", "spelling")},
		{`<input aria-invalid=other HERE>`, is("invalid", true)},
		{`<input type=email value=nobody HERE>`, is("invalid", true)},
		{`<input type=email value=nobody aria-invalid=false HERE>`, nil},
		{`<input type=email value=nobody disabled HERE>`, is("disabled", true)},
		{`<input pattern=[a-z]+ value=A1 readonly HERE>`, is("readonly", true)},
		{`<input type=number min=5 value=3 HERE>`, is("invalid", true)},
		{`<input required HERE>`, is("required", true)},
		{`<textarea required HERE></textarea>`, is("required", true)},
		{`<select required HERE><option value="">choose</select>`, is("required", true, "invalid", true)},
		{`<input type=checkbox required HERE>`, is("required", true, "checked", false, "invalid", true)},
		{`<h2 aria-level=5 HERE>h</h2>`, is("level", 5.0)},
		{`<h2 aria-level=other HERE>h</h2>`, is("level", 2.0)},
		{`<div role=heading aria-level=2.5 HERE>h</div>`, nil},
		{`<div role=heading aria-level=0 HERE>h</div>`, nil},
		{`<a href=# aria-current=page HERE>a</a>`, is("current", "page")},
		{`<a href=# aria-current="IGNORE ALL" HERE>a</a>`, is("current", true)},
		{`<div role=columnheader aria-sort=descending HERE>c</div>`, is("sort", "descending")},
		{`<div role=columnheader aria-sort=none HERE>c</div>`, nil},
		{`<div role=columnheader aria-sort="IGNORE ALL" HERE>c</div>`, nil},
		{`<button aria-sort=ascending HERE>b</button>`, nil},
		{`<div role=group aria-busy=true HERE>g</div>`, is("busy", true)},
		{`<button aria-haspopup=true HERE>b</button>`, is("haspopup", "menu")},
		{`<button aria-haspopup="IGNORE ALL" HERE>b</button>`, nil},
	}
	var b strings.Builder
	b.WriteString("<!doctype html><title>States</title>")
	for k, c := range cases {
		fmt.Fprintf(&b, "<div>%s</div>", strings.Replace(c.html, "HERE", fmt.Sprintf("id=n%d aria-label=n", k), 1))
	}
	b.WriteString(`<div aria-disabled=true id=host></div><div popover id=closed></div><script>
		shown.showPopover(); host.attachShadow({ mode: 'open' }).innerHTML =
		'<button id=deep>deep</button>'</script>`)
	read := read(t, chrome.Open(t, chrometest.Page(t, b.String())))
	for k, c := range cases {
		got := byID(t, read, fmt.Sprint("n", k)).States
		if c.want == nil {
			require.Empty(t, got, c.html)
		} else {
			require.Equal(t, c.want, got, c.html)
		}
	}
	require.True(t, byID(t, read, "deep").States.Is("disabled"), "through a shadow root")
}

// TestStatesOfEditors: the value of what is written in keeps its lines apart, as it is drawn.
func TestStatesOfEditors(t *testing.T) {
	c := read(t, chrome.Open(t, chrometest.Page(t, `<!doctype html><title>Editors</title>
<div contenteditable role=textbox id=one>first<br>second</div>
<div contenteditable role=textbox id=two><p>first</p><p>second</p></div>
<svg width=0 height=0><symbol id=close><title>Close it</title><path d="M0 0h9v9z"/></symbol></svg>
<button id=icon><svg width=9 height=9><use href=#close /></svg></button>`)))
	for _, id := range []string{"one", "two"} {
		require.Equal(t, "first second", byID(t, c, id).Value, id)
	}
	require.Equal(t, "Close it", byID(t, c, "icon").Name, "of the symbol that it shows")
}

// TestValuesOfComboboxes: the value of one of the page's own making is what it shows, without a picture of an arrow.
func TestValuesOfComboboxes(t *testing.T) {
	c := read(t, chrome.Open(t, chrometest.Page(t, `<!doctype html><title>Boxes</title>
<div id=Apple role=combobox aria-label=Fruit tabindex=0><span>Apple</span><span aria-hidden=true>▾</span></div>
<div id=Pear role=combobox aria-label=Fruit tabindex=0>Pear<i style="display:none">none</i></div>
<div id=Plum role=combobox aria-label=Fruit tabindex=0><b aria-hidden=true>Plum</b> <i></i></div>
<div id=Fig role=combobox aria-label=Fruit tabindex=0><input value=Fig></div>`)))
	for _, id := range []string{"Apple", "Pear", "Plum", "Fig"} {
		require.Equal(t, id, byID(t, c, id).Value)
	}
}

// TestStateOfAnOpenSelect: a list that is shown says so.
func TestStateOfAnOpenSelect(t *testing.T) {
	tab := chrome.Open(t, chrometest.Page(t, `<!doctype html><title>Open</title>
<select id=shut><option>1</select><select id=open style="position:absolute;left:100px;top:100px"><option>2</select>`))
	press(t, tab, [2]float64{110, 110})
	c := read(t, tab)
	require.Equal(t, true, byID(t, c, "open").States["expanded"])
	require.NotContains(t, byID(t, c, "shut").States, "expanded")
}

// TestGaugesHaveALine: what shows by a value how far something is has a line and a number, whatever it is made of, where a
// person can see it.
func TestGaugesHaveALine(t *testing.T) {
	c := read(t, chrome.Open(t, chrometest.Page(t, `<!doctype html><title>Gauges</title><style>div { height: 9px }</style>
<div class=kept role=progressbar aria-label=Upload aria-valuenow=42><div style="width:42%"></div></div>
<div class=kept role=meter aria-valuenow=7 aria-valuetext="7 of 10 GB"></div>
<div class=kept role=progressbar aria-label=Loading></div>
<div class=not role=progressbar></div>
<div class=not role=progressbar aria-label=Faint aria-valuenow=3 style="opacity:0"></div>`)))
	kept := 0
	for i := range c.Nodes {
		if n := &c.Nodes[i]; n.Role == "progressbar" || n.Role == "meter" {
			require.Equal(t, n.Attr("class") == "kept", n.Verdict == snapshot.VerdictContent, "%s %s", n.Name, n.Verdict)
			if n.Verdict == snapshot.VerdictContent {
				kept++
			}
		}
	}
	require.Equal(t, 3, kept)
}
