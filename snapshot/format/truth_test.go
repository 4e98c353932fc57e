package format_test

import (
	"strings"
	"testing"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/format/aria"
	"github.com/refscope/refscope/snapshot/pagetest"
	"github.com/stretchr/testify/require"
)

// What a container has scrolled out of its view is not where its box is.
func TestScrolledOutOfAContainer(t *testing.T) {
	c := pagetest.Parse(t, `
body
  div %scroll=0,true,900,0,true,900 @0,0,100,40
    a href=1 @0,0,50,20 "in"
    a href=2 id=right %out @200,0,50,20 "right"
    a href=3 id=down %out @0,300,50,20 "down"
  div @0,50,100,40
    a href=4 id=little %out @0,90,50,20 "out of one that scrolls by 20 px"
`)
	for i := range c.Nodes {
		if n := &c.Nodes[i]; n.Attr("id") != "" {
			n.Clip, n.InViewport = &snapshot.Box{n.Box.X(), n.Box.Y(), 0, 0}, false
		}
	}
	d, err := format.Render(c, format.DDDK, format.Options{})
	require.NoError(t, err)
	require.Regexp(t, `(?s)\n\[\d+\]<a href="1">.*\n→\[\d+\]<a href="2">.*\n↓\[\d+\]<a href="3">.*\n↓\[\d+\]<a href="4">`, d.Text)
}

// What cannot be used, and what lies over what, is in every format; a number that is named is printed; a field has the
// name that no label on the page shows.
func TestWhatCannotBeUsed(t *testing.T) {
	c := pagetest.Parse(t, `
body
  button %state=inert @0,0,40,20 "Frozen"
  input type=text %name="Quantity" %from=aria-label value=3 @0,30,40,20
  select %name="Speed" %from=aria-labelledby @0,60,40,20
    option %state=selected "Slow"
  div
    button %covered=veil @0,90,40,20 "Under"
    div id=veil @0,90,40,20
      p "Words on the veil"
  button %covered=words @0,120,40,20 "Below"
  p id=words @0,120,40,20 "Just words"
`)
	render := func(f dump.Format) string {
		d, err := format.Render(c, f, format.Options{Common: dump.Common{MarkCovered: true}})
		require.NoError(t, err)
		return d.Text
	}
	for f, want := range map[dump.Format][]string{
		format.DDDK: {`<button inert>Frozen</button>`, `aria-label="Quantity"`, `<select label="Speed" value="Slow"`,
			`Under</button> (covered by div)`, `Below</button> (covered by p)`},
		format.Aria:     {`button "Frozen" [inert]`},
		format.Semantic: {`"s":"inert"`},
		format.Skeleton: {`inert>Frozen`, `data-covered-by="div"`},
		format.DomTool:  {`"states":["inert"]`, `"coveredBy":"div"`},
		format.Wraith:   {"Frozen\" [", "[COVERED]"},
	} {
		for _, s := range want {
			require.Contains(t, render(f), s, string(f))
		}
	}
	require.NotContains(t, render(format.DomTool), `"coveredBy":0`)
}

// A paragraph, and a link that is a whole card, are in every format that lists text as a person reads them; the
// originals' own lengths are for compat.
func TestLongTextsAreWhole(t *testing.T) {
	long := strings.TrimSpace(strings.Repeat("some words of it ", 100)) // 1,699 characters
	c := pagetest.Parse(t, "body\n  p \""+long+" p\"\n  a href=x \""+long+" a\"\n  h2 \""+long+" h\"")
	for _, f := range []dump.Format{format.DDDK, format.Aria, format.Wraith, format.DomTool} {
		d, err := format.Render(c, f, format.Options{Common: dump.Common{MaxChars: -1}})
		require.NoError(t, err)
		for _, end := range []string{" p", " a", " h"} {
			require.Contains(t, d.Text, long+end, f)
		}
	}
	for f, limit := range map[dump.Format]int{format.Wraith: 200, format.DomTool: 500} {
		d, err := format.Render(c, f, format.Options{Common: dump.Common{MaxChars: -1, Compat: true}})
		require.NoError(t, err)
		require.NotContains(t, d.Text, long[:limit+1], f)
	}
}

// What aria-hidden takes out of the accessibility tree and a person can press has its line and its ref in aria too; what
// nobody sees has none, and compat is as its original.
func TestHiddenFromReadersOnly(t *testing.T) {
	c := pagetest.Parse(t, `
body
  nav aria-hidden=true %role=navigation
    "Go to "
    a href=1 "Orders"
  div aria-hidden=true
    p "Read by people"
  div aria-hidden=true
    a href=2 %out "Nowhere"
  select aria-hidden=true %name="Speed" %from=aria-label
    option %state=selected "Slow"
  input type=text role=button value=Reset
`)
	for i := range c.Nodes {
		if n := &c.Nodes[i]; n.Attr("href") == "2" {
			n.Visible = false
		}
	}
	d, err := format.Render(c, format.Aria, format.Options{})
	require.NoError(t, err)
	require.Equal(t, `- navigation: # aria-hidden
  - text: "Go to"
  - link "Orders" [ref=s1e2]
- text: "Read by people" # aria-hidden
- combobox "Speed" [ref=s1e4]: # aria-hidden
  - option "Slow" [selected]
- button [ref=s1e5]: "Reset"`, d.Text)
	d, err = format.Render(c, format.Aria, format.Options{Common: dump.Common{Compat: true}})
	require.NoError(t, err)
	require.NotContains(t, d.Text, "Orders")
}

// A container that scrolls has a line for the words that are its own, and none for those of its links.
func TestScrollersDoNotRepeatWords(t *testing.T) {
	c := pagetest.Parse(t, `
body
  div %scroll=0,true,900 @0,0,100,40
    div
      a href=1 @0,0,50,20 "Orders"
      a href=2 @0,20,50,20 "Returns"
  div %scroll=0,true,900 @0,100,100,40
    "Mind the "
    a href=3 @0,100,50,20 "gap"
`)
	d, err := format.Render(c, format.Wraith, format.Options{})
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(d.Text, "Orders"), d.Text)
	require.Contains(t, d.Text, `"Mind the gap"`)
}

// What can be operated in a drawing that has a name is listed in it: its name does not stand for them.
func TestWhatCanBeOperatedInADrawingIsInAria(t *testing.T) {
	c := pagetest.Parse(t, `
body
  svg %role=img %name="Chart" %from=svg-title %verdict=skipped-tag @0,0,100,40
    title "Chart"
    a href="/may" %role=link %name="May" %from=svg-title @0,0,40,40
    g %verdict=skipped-tag @40,0,40,40
      g role=button tabindex=0 %name="Zoom" %from=svg-title @40,0,40,40
    rect %verdict=skipped-tag @80,0,20,40
`)
	ref := 0
	for i := range c.Nodes {
		if n := &c.Nodes[i]; len(n.Interactive) > 0 { // as in a capture of Chrome
			ref++
			n.Ref, n.Verdict = ref, snapshot.VerdictRef
		}
	}
	d, err := format.Render(c, format.Aria, format.Options{})
	require.NoError(t, err)
	require.Equal(t, "- img \"Chart\":\n  - link \"May\" [ref=s1e1]\n  - button \"Zoom\" [ref=s1e2]", d.Text)
}

// The whole page is in aria, whatever its main part is: what a person sees beside it must not be lost.
func TestAriaIsOfTheWholePage(t *testing.T) {
	c := pagetest.Parse(t, `
body
  nav %role=navigation
    a href="/" "Home"
  main %role=main
    p %role=paragraph "Words"
  div "A notice beside it"
`)
	d, err := format.Render(c, format.Aria, format.Options{})
	require.NoError(t, err)
	for _, s := range []string{"Home", "Words", "A notice beside it"} {
		require.Contains(t, d.Text, s)
	}
	for _, o := range []format.Options{{Common: dump.Common{Compat: true}}, {Aria: aria.Options{AutoScope: true}}} {
		d, err = format.Render(c, format.Aria, o)
		require.NoError(t, err)
		require.Contains(t, d.Text, "# Auto-scoped to main content. Other landmarks: navigation")
		require.NotContains(t, d.Text, "Home")
	}
}

// An app whose controls lie beside its main is printed whole, and that is said; what other landmarks hold counts not.
func TestAnEmptyMainIsNoScope(t *testing.T) {
	for name, c := range map[string]struct {
		main  string
		whole bool
	}{
		"empty":    {`main %role=main`, true},
		"decor":    {"main %role=main\n    img %role=img %name=Logo", true},
		"controls": {"main %role=main\n    button \"Save\"\n    button \"Stop\"", false},
	} {
		t.Run(name, func(t *testing.T) {
			page := pagetest.Parse(t, "body\n  nav %role=navigation\n    a href=/ \"Home\"\n    a href=/b \"News\"\n  div\n"+
				"    button \"Add\"\n    button \"Clear\"\n  "+c.main)
			d, err := format.Render(page, format.Aria, format.Options{Aria: aria.Options{AutoScope: true}})
			require.NoError(t, err)
			require.Equal(t, c.whole, strings.HasPrefix(d.Text, "# The whole page: main has 0 of its controls, and 2 are beside it"))
			require.Equal(t, c.whole, strings.Contains(d.Text, "Add"), d.Text)
			require.Equal(t, c.whole, strings.Contains(d.Text, "Home"))
		})
	}
}

// A drawing that says what it shows is an image in aria; one in a control is part of the control's name.
func TestNamedDrawingsAreInAria(t *testing.T) {
	c := pagetest.Parse(t, `
body
  svg %role=img %name="Sales by month" %from=svg-title %verdict=skipped-tag @0,0,100,40
  button %name="Search" %from=content @0,50,40,20
    svg %role=img %name="Search" %from=aria-label %verdict=skipped-tag @0,50,20,20
  svg %role=img %verdict=skipped-tag @0,100,20,20
`)
	d, err := format.Render(c, format.Aria, format.Options{})
	require.NoError(t, err)
	require.Equal(t, "- img \"Sales by month\"\n- button \"Search\" [ref=s1e1]", d.Text)
	d, err = format.Render(c, format.Aria, format.Options{Common: dump.Common{Compat: true}})
	require.NoError(t, err)
	require.NotContains(t, d.Text, "Sales")
}

// An entry of a tree or menu is called by its own words: the entries in it have lines of their own.
func TestEntriesInEntries(t *testing.T) {
	c := pagetest.Parse(t, `
body
  li role=treeitem tabindex=0 %name="Fruits" %from=content @0,0,90,40
    "Fruits"
    ul %role=group @0,20,90,20
      li role=treeitem tabindex=-1 %name="Apple" %from=content @0,20,90,20 "Apple"
`)
	for f, want := range map[dump.Format]string{format.Wraith: `"Fruits"`, format.Skeleton: `>Fruits</li>`} {
		d, err := format.Render(c, f, format.Options{})
		require.NoError(t, err)
		require.Contains(t, d.Text, want)
		require.Equal(t, 1, strings.Count(d.Text, "Apple"), d.Text)
	}
	d, err := format.Render(c, format.Wraith, format.Options{Common: dump.Common{Compat: true}})
	require.NoError(t, err)
	require.Contains(t, d.Text, "Fruits Apple", "as the original")
}
