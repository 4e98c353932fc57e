package collect_test

import (
	"cmp"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/stretchr/testify/require"
)

// namesPage: the element with the id of a case is looked at.
const namesPage = `<!doctype html><title>Names</title><style>
.up { text-transform: uppercase } .cap { text-transform: capitalize }
.step { counter-increment: step } .step::before { content: counter(step, upper-roman) ". " }
.star::after { content: "*" / "required" }
.gone { display: none } .veiled { visibility: hidden } .back { visibility: visible }
</style>
<button id="aria" aria-label="Close" title="Shut">x</button>
<span id="l1">Delete</span><button id="labelledby" aria-labelledby="labelledby2 l1">x</button><span id="labelledby2">Please</span>
<label for="field">Your mail</label><input id="field" placeholder="a@b">
<input id="placeholder" placeholder="Search orders">
<label><input id="emptylabel" placeholder="Street"></label>
<img id="alt" alt="A red ball" src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7">
<a id="decor" href="#"><img alt="" title="ignored" src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7">Go</a>
<a id="logo" href="#"><img alt="CNET" src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"><span>News</span></a>
<a id="joined" href="#"><b>Hel</b><i>lo</i></a>
<a id="blocks" href="#"><div>One</div><div>Two</div></a>
<button id="upper" class="up">Save as</button>
<button id="capital" class="cap">save as</button>
<button id="counted1" class="step">Plan</button><button id="counted2" class="step">Build</button>
<button id="starred" class="star">Name</button>
<button id="part">Pay<span class="gone"> never</span><span aria-hidden="true"> &times;</span></button>
<button id="veil"><span class="veiled">no <span class="back">yes</span></span></button>
<input id="submit" type="submit">
<input id="around" type="checkbox" aria-labelledby="wrap"><label id="wrap">Every <input value="3" size="2"> days</label>
<div id="host"></div><script>host.attachShadow({ mode: 'closed' }).innerHTML = '<label for="in">Inside</label><input id="in">'</script>

<label for="h1" class="gone">Hidden label</label><input id="h1">
<div>Quantity <input id="h2"></div>
<table><tr><td>Account number:</td><td><input id="h3"></td></tr></table>
<input id="h4" data-label="Coupon">
<div contenteditable role="textbox" id="h5" data-placeholder="Write a note" style="width: 90px; height: 20px"></div>
<section><input id="h6"></section>
<div><b>Not this</b><button>Other</button><input id="h7"></div>
<div>A sentence that is far too long to be anything that somebody would call the label of a small field in a form <input id="h8"></div>
<div><a href="#">Download</a><input id="h9"></div>
<div><p><a href="#">Forgot it?</a></p><input id="h10"></div>
<div><span>Accept the <a href="#">terms</a></span><input id="h11"></div>
<div><p>Far away</p><ul><li>A list of many things, which is longer than any label of a field could be<li>and goes on for a while, so that the field is far away</ul><input id="h13"></div>
<table><tr><td><a href="#">Row link</a><td><input id="h12"></table>
<svg width="60" height="60"><a id="xlink" xlink:href="#x"><text y="40">Old link</text></a></svg>
`

// TestNames: each name, and where it came from.
func TestNames(t *testing.T) {
	c := read(t, chrome.Open(t, chrometest.Page(t, namesPage)))
	type named struct{ name, from string }
	got := map[string]named{}
	for i := range c.Nodes {
		n := &c.Nodes[i]
		if id := n.Attr("id"); id != "" {
			got[id] = named{n.Name, n.NameFrom}
		}
	}
	for id, want := range map[string]named{
		"aria":        {"Close", "aria-label"},
		"labelledby":  {"Please Delete", "aria-labelledby"},
		"field":       {"Your mail", "label"},
		"placeholder": {"Search orders", "placeholder"},
		"emptylabel":  {"Street", "placeholder"},
		"alt":         {"A red ball", "alt"},
		"decor":       {"Go", "content"},
		"logo":        {"CNET News", "content"},
		"joined":      {"Hello", "content"},
		"blocks":      {"One Two", "content"},
		"upper":       {"SAVE AS", "content"},
		"capital":     {"Save As", "content"},
		"counted1":    {"I. Plan", "content"},
		"counted2":    {"II. Build", "content"},
		"starred":     {"Name required", "content"},
		"part":        {"Pay", "content"},
		"veil":        {"yes", "content"},
		"submit":      {"Submit", "default"},
		"around":      {"Every 3 days", "aria-labelledby"},
		"in":          {"Inside", "label"},

		// Where the specification finds nothing, a label is hunted for, and says so.
		"h1": {"Hidden label", "hunted:label-for"},
		"h2": {"Quantity", "hunted:previous-sibling"},
		"h3": {"Account number:", "hunted:previous-cell"},
		"h4": {"Coupon", "hunted:data-label"},
		"h5": {"Write a note", "hunted:placeholder"},
		"h6": {},
		"h7": {},
		"h8": {},
		// What a link says is not the label of the field beside it; what holds a link among words can be.
		"h9":  {},
		"h10": {},
		"h11": {"Accept the terms", "hunted:previous-sibling"},
		"h12": {},
		"h13": {},

		"xlink": {"Old link", "content"}, // it can be pressed as one with href can
	} {
		require.Contains(t, got, id)
		require.Equal(t, want, got[id], id)
	}
}

// TestHuntedNames: what stands beside radios and checkboxes names them as a person reads the line, what stands before
// or above other fields names these, and no text names two of them. data-want is the name; each line is one case.
func TestHuntedNames(t *testing.T) {
	tab := chrome.Tab(t)
	for name, page := range map[string]string{
		"after":            `<input type=radio data-want=Yes> Yes <input type=radio data-want=No> No`,
		"its own options":  `<label for=plan><select name=plan data-want=""><option>A<option>B</select></label>`,
		"after a question": `Age: <input type=radio data-want=Young> Young <input type=radio data-want=Old> Old`,
		"before":           `One <input type=radio data-want=One> Two <input type=radio data-want=Two>`,
		"lines": `<input type=checkbox data-want="First thing"> First <b>thing</b><br><input type=checkbox ` +
			`data-want=Second> Second`,
		"the line before is another's": `<input type=checkbox data-want=First> First<br><input type=checkbox data-want="">`,
		"a question on a line":         `Which of these?<br><input type=radio data-want=A> A<br><input type=radio data-want=B> B`,
		"wrapped":                      `<span><input type=radio data-want=Yes></span> Yes <span><input type=radio data-want=No></span> No`,
		"wrapped with its text":        `<span><input type=radio data-want=Yes> Yes</span> <span><input type=radio data-want=No> No</span>`,
		"a neighbour's label": `<input type=radio data-want=""> <label for=n>Named</label> ` +
			`<input id=n type=radio data-want=Named>`,
		"a label of two": `<label>Sex <input type=radio data-want="Sex F M"> F <input type=radio data-want=M> M</label>`,
		"one before":     `I agree <input type=checkbox data-want="I agree">`,
		"cells after":    `<table><tr><td><input type=radio data-want=Red><td>Red<tr><td><input type=radio data-want=Blue><td>Blue</table>`,
		"cells before":   `<table><tr><td>Red<td><input type=radio data-want=Red><tr><td>Blue<td><input type=radio data-want=Blue></table>`,
		"a heading":      `<h2>Choose wisely</h2><input type=checkbox data-want="">`,
		"a long sentence": `<input type=checkbox data-want="all of these words are for lawyers all of these words ` +
			`are for lawyers all of these words are for…"> ` + strings.Repeat("all of these words are for lawyers ", 8),
		"flex":                         `<div style="display:flex"><input type=checkbox data-want=News><div>News</div></div>`,
		"a block below":                `<input type=checkbox data-want=""><div>Something else</div>`,
		"right to left":                `<div dir=rtl><input type=radio data-want=כן> כן <input type=radio data-want=לא> לא</div>`,
		"text fields":                  `Name <input data-want=Name> of the person <input data-want="of the person">`,
		"a text field below a heading": `<h3>All about you</h3><input data-want="">`,
		"a text field below a paragraph": `<p style="width:200px">These two lines or more are about all that follows here.</p>` +
			`<input data-want="">`,
		"a label for its name": `<form><div><label for=pass>Password</label><button>Forgot</button></div>` +
			`<input type=password name=pass data-want=Password></form>`,
		"a label for the end of its id": `<form><label for=user>User</label><div><a href=x>Forgot it?</a></div>` +
			`<input id=page_main_user data-want=User></form><form><input name=user data-want=""></form>`,
		"words above its box":      `<div><div>E-mail</div><div><input data-want=E-mail></div></div>`,
		"words beside its box":     `<div style="display:flex"><div>City</div><div><input data-want=City></div></div>`,
		"words far above its box":  `<div>E-mail</div><div style="margin-top:60px"><input data-want=""></div>`,
		"a sentence above its box": `<div>Here you may say whatever you want of us, dear visitor</div><div><input data-want=""></div>`,
		"a heading above its box":  `<h2>Sign in</h2><div><input data-want=""></div>`,
		"words above a box of two": `<div>Date</div><div><input data-want=""><input data-want=""></div>`,
		"a link above its box":     `<div><a href=x>Forgot it?</a></div><div><input data-want=""></div>`,
		"a cell with a star":       `<table><tr><td>Code<td>*<td><input data-want=Code></table>`,
		"a cell with a hint":       `<table><tr><td><b>Name:</b><div>at most 20 letters</div><td><input data-want=Name:></table>`,
		"a cell of two":            `<table><tr><td>E-mail<td><input data-want=E-mail> <input type=checkbox data-want=hide> hide</table>`,
		"a list below a checkbox": `<input type=checkbox data-want=Agreed> Agreed<br><select data-want=""><option>Peru</select>` +
			`<p>Mail<br><input data-want=Mail>`,
		"a list that names itself":   `<select data-want=Country><option value="">Country<option>Peru</select>`,
		"a list of choices":          `<select data-want=""><option>Chile<option>Peru</select>`,
		"a label of a button and it": `<label>Street <button>Hide</button><input data-want=Street></label>`,
	} {
		t.Run(name, func(t *testing.T) {
			c := read(t, chrometest.Load(t, tab, chrometest.Page(t, "<!doctype html><meta charset=utf-8><body>"+page)))
			found := 0
			for i := range c.Nodes {
				want, ok := c.Nodes[i].Attrs["data-want"]
				if !ok {
					continue
				}
				found++
				require.Equal(t, want, c.Nodes[i].Name, "%s from %s", c.Nodes[i].Path, c.Nodes[i].NameFrom)
			}
			require.Positive(t, found)
		})
	}
}

// TestNamesOfSavedForms holds the names of the fields of other people's forms to what a person says of them, written by
// hand. What is missed is what the specification takes for a name (a hint that is drawn as a part of the label, the
// words of aria-label) and codes of one letter a field.
func TestNamesOfSavedForms(t *testing.T) {
	testneed.Long(t, "seventy saved forms")
	base := strings.TrimSuffix(chrometest.Folder(t, corpus(t, "forms")), "/")
	table, err := os.ReadFile("testdata/fields.tsv")
	require.NoError(t, err)
	type field struct{ key, want string }
	pages, order := map[string][]field{}, []string(nil)
	for line := range strings.Lines(string(table)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(f) != 3 {
			continue // what the table is
		}
		if pages[f[0]] == nil {
			order = append(order, f[0])
		}
		pages[f[0]] = append(pages[f[0]], field{f[1], f[2]})
	}
	fields := strings.Fields("textbox searchbox combobox listbox checkbox radio switch slider spinbutton")
	right, of := 0, 0
	for _, page := range order {
		c, left := read(t, chrome.Open(t, base+"/"+page+".html")), pages[page]
		for i := range c.Nodes {
			n := &c.Nodes[i]
			if !slices.Contains([]string{"input", "select", "textarea"}, n.Tag) || !slices.Contains(fields, n.Role) {
				continue
			}
			key := cmp.Or(n.Attrs["id"], n.Attrs["name"])
			k := slices.IndexFunc(left, func(f field) bool { return f.key == key })
			if k < 0 {
				continue // not shown to a person
			}
			want, cut := strings.CutSuffix(left[k].want, "…")
			left = slices.Delete(left, k, k+1)
			name := strings.Join(strings.Fields(n.Name), " ")
			of++
			if name == want || cut && strings.HasPrefix(name, want) {
				right++
			} else {
				t.Logf("%s %s: %q from %s, a person says %q", page, key, name, n.NameFrom, want)
			}
		}
		require.Empty(t, left, "fields of %s that were not found", page)
	}
	t.Logf("%d of %d", right, of)
	require.Equal(t, 328, of)
	require.GreaterOrEqual(t, right, 297)
}
