package find

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/pagetest"
)

// requireFinds holds that a locator finds the elements with these numbers, in this order.
func requireFinds(t *testing.T, c *snapshot.Capture, locator string, want []int) {
	t.Helper()
	found, err := Locate(c, locator)
	require.NoError(t, err, locator)
	var got []int
	for _, n := range found {
		got = append(got, n.Ref)
	}
	require.Equal(t, want, got, locator)
}

// TestLocate: what Playwright's locators find, by the nodes' refs. Each row was compared with Playwright on a live page
// of this kind.
func TestLocate(t *testing.T) {
	c := pagetest.Parse(t, `
body %verdict=wrapper @0,0,400,400
  h1 %role=heading %name=Tea %ref=1 %state=level=1 @0,0,90,20 "Tea"
  ul %role=list %verdict=wrapper @0,20,90,90
    li %role=listitem %verdict=wrapper @0,20,90,20
      "Green tea"
      button %role=button %name="Add to basket" %ref=2 @0,20,40,20 "Add to basket"
    li %role=listitem %verdict=wrapper @0,40,90,20
      "Black tea"
      button %role=button %name="Add to basket" %ref=3 %state=disabled @0,40,40,20 "Add to basket"
    li %role=listitem %verdict=wrapper @0,60,90,20
      "Basket of \"all\" teas"
      a href=/all %role=link %name="See ADD" %ref=4 @0,60,40,20 "See ADD"
  details %role=group %ref=10 @0,90,90,20
    summary %role=button %name=More %ref=5 @0,90,90,20 "More"
  input placeholder="Your mail" id=mail data-testid=mail %role=textbox %name=Mail %from=label %ref=6 @0,110,90,20
  input type=submit value=Send %role=button %name=Send %value=Send %ref=7 @0,130,90,20
  button aria-hidden=true %role=button %name=Ghost %ref=8 @0,150,90,20 "Ghost"
  button title="Close it" %role=button %name="Close it" %from=title %ref=9 @0,170,90,20
  iframe id=f %frame %verdict=wrapper @0,190,90,90
    html %verdict=wrapper @0,190,90,90
      button %role=button %name="Add to basket" %ref=13 @0,190,40,20 "Add to basket"
      a href=/z %role=link %name="See ADD" %ref=14 @0,210,40,20 "See ADD"
  iframe id=u %frame=crossed %verdict=wrapper @0,280,90,20
`)
	for locator, want := range map[string][]int{
		`internal:role=button[name="add"i]`:                                  {2, 3},
		`internal:role=button[name="Add to basket"s]`:                        {2, 3},
		`internal:role=button[name="Add"s]`:                                  nil,
		`role=button[name="add to basket"i]`:                                 {2, 3},
		`role=button[name="add"i]`:                                           nil,
		`role=button[name=/^ADD/i]`:                                          {2, 3},
		`internal:role=button[name="add"i][disabled=true]`:                   {3},
		`internal:role=button[name="add"i][disabled=false]`:                  {2},
		`internal:role=button[name="More"i]`:                                 nil, // a summary is none to it
		`internal:role=button[name="Ghost"i]`:                                nil,
		`internal:role=heading[level=1]`:                                     {1},
		`internal:role=heading[level=2]`:                                     nil,
		`internal:role=button[name="add"i] >> nth=1`:                         {3},
		`internal:role=button[name="add"i] >> nth=-1`:                        {3},
		`internal:role=button[name="add"i] >> nth=5`:                         nil,
		`li >> internal:has-text="black"i >> internal:role=button`:           {3},
		`li >> internal:has-text=/^Green/ >> button`:                         {2},
		`internal:role=listitem >> internal:has-text="of \"ALL\""i >> css=a`: {4},
		`internal:text="see add"i`:                                           {4},
		`text=see add`:                                                       {4},
		`text="See ADD"`:                                                     {4},
		`text="see add"`:                                                     nil,
		`internal:text="Send"s`:                                              {7},
		`internal:label="mail"i`:                                             {6},
		`internal:label="Close"i`:                                            nil,
		`internal:attr=[placeholder="your"i]`:                                {6},
		`internal:attr=[title="Close it"s]`:                                  {9},
		`internal:testid=[data-testid="mail"s]`:                              {6},
		`id=mail`:                                                            {6},
		`#mail`:                                                              {6},
		`css=input[id="mail"]`:                                               {6},
		`input[data-testid='mail']`:                                          {6},
		`ul >> nth=0 >> a`:                                                   {4},
		`internal:role=link >> nth=0`:                                        {4},
		`details >> internal:text="More"i`:                                   {5},
		`button:has-text("add")`:                                             {2, 3},
		`li:has-text("black") button`:                                        {3},
		`li:has-text("\"all\" teas") > a`:                                    {4},
		`ul:has-text("x")`:                                                   nil,
		`:text("see add")`:                                                   {4},
		`a:text-is("See ADD")`:                                               {4},
		`a:text-is("see add")`:                                               nil,
		`button:text("BASKET") >> nth=1`:                                     {3},
		`button:visible:has-text("ghost")`:                                   {8},
		`input:has-text("Send")`:                                             {7},
		`li:has-text("green"),h1:has-text('tea')`:                            {1, 0},
		`:is(h1:has-text("tea"))`:                                            {1},
		`li:not(:has-text("tea"))`:                                           nil,
		`li >> button:has-text("add") >> nth=0`:                              {2},
		`//li[2]/button`:                                                     {3},
		`xpath=//li/a`:                                                       {4},
		`//button[text()='Add to basket']`:                                   {2, 3},
		`(//li/button)[2]`:                                                   {3},
		`(//li/button)[3]`:                                                   nil,
		`//li[contains(text(),'Green')]/button`:                              {2},
		`//li[starts-with(., "Black tea")]/button`:                           {3},
		`//a[normalize-space()='See ADD']`:                                   {4},
		`//button[contains(., "add")]`:                                       nil,
		`//*[@id="mail"]`:                                                    {6},
		`//button[@title="Close it"]`:                                        {9},
		`li:has(> :text("add")) >> nth=1 >> button`:                          {3},
		`:nth-match(button:text("add"), 2)`:                                  {3},
		`:nth-match(a, h1, 2)`:                                               {4},
		`#f >> internal:control=enter-frame >> button`:                       {13},
		`#f >> internal:control=enter-frame >> :text("add") >> nth=-1`:       {14},
		`#f >> internal:control=enter-frame >> h1`:                           nil,
	} {
		requireFinds(t, c, locator, want)
	}
	for _, locator := range []string{"", "nth=1", "xpath=//a[text()=x]", "((//a)[1])[2]", "li:has-text(Green) button", "a:has-text(\"x", "a:text-is()",
		"a:links", "h1 >> internal:control=enter-frame >> a", "#f >> internal:control=enter-frame >> nth=0",
		"#u >> internal:control=enter-frame >> a", "internal:role=", "internal:role=button[name=", "role=button[colour=red]",
		"internal:text=bare", "text=", "internal:has-text=\"a\"i", "internal:control=enter-frame", "a >> nth=x", "internal:role=heading[level=a]",
		"text=/(/", "internal:role=group[expanded=true]", "internal:attr=[title]", "role=button[name*=\"a\"]"} {
		_, err := Locate(c, locator)
		require.ErrorContains(t, err, "find: ", locator)
	}
}

// TestLocateInsideWhatWasFound: all of a selector lies inside what the part before has found; a pattern and a test of
// an XPath look at white space that is not drawn; visible is what has a box and is not hidden by a style. Each row was
// compared with Playwright on a live page of this kind.
func TestLocateInsideWhatWasFound(t *testing.T) {
	c := pagetest.Parse(t, `
body %verdict=wrapper @0,0,400,400
  div id=a %verdict=wrapper @0,0,90,90
    label %ref=1 @0,0,90,20 " Email address "
    div id=b %verdict=wrapper @0,20,90,20
      label %ref=2 @0,20,90,20 "Password"
      a href=/ %role=link %ref=3 @0,40,90,20 "Password?"
  button %role=button %hidden %verdict=transparent %ref=4 @0,60,40,20 "Unseen"
  button %role=button %hidden %verdict=visibility-hidden %ref=5 @0,80,40,20 "Hidden"
`)
	for locator, want := range map[string][]int{
		`div label`: {1, 2}, `div >> label`: {1, 2}, `div >> div label`: {2}, `body >> body label`: nil,
		`#a >> xpath=//div/label`: {2}, `div >> div > label`: {2}, `#a >> #b label, #a label`: {2},
		`text=/^Email/`: nil, `text=/Email address/`: {1}, `text=/address$/i`: nil, `text=/^Pass/`: {2, 3},
		`button:visible`: {4}, `button >> visible=false`: {5}, `button >> visible=true`: {4},
		`"Password"`: {2}, `'Password?'`: {3}, `label:text-matches("^pass", "i")`: {2}, `:text-matches("d\\?")`: {3},
		`div >> internal:has="a" >> a`: {3}, `div >> internal:has="body a"`: nil, `label >> internal:and="#b *"`: {2},
		`a >> internal:or="label"`: {1, 2, 3}, `div >> internal:has-not="div" >> a`: {3},
		`#a >> internal:chain="div >> label"`: {2}, `label >> internal:has-not-text="pass"i`: {1},
	} {
		requireFinds(t, c, locator, want)
	}
	for _, locator := range []string{`//div[contains(., "address Password")]`, `text=/address Password/`} {
		_, err := Locate(c, locator)
		require.ErrorIs(t, err, ErrUnsure, locator)
	}
	for _, locator := range []string{`div >> :nth-match(label, 1)`, `div >> internal:has=label`,
		`a >> internal:has="colour=red"`, `:text-matches(a)`} {
		_, err := Locate(c, locator)
		require.ErrorContains(t, err, "find: ", locator)
	}
	for _, selector := range []string{"text/address Password", "aria/Nothing"} {
		_, err := LocatePuppeteer(c, selector)
		require.ErrorIs(t, err, ErrUnsure, selector)
	}
	_, err := LocatePuppeteer(c, "body >>> #b")
	require.ErrorContains(t, err, "find: ")
}

// TestLocateInShadowRoots: a tree before the shadow trees in it, which only what is in their hosts' own tree counts for.
// Each row was compared with Playwright on a live page of this kind.
func TestLocateInShadowRoots(t *testing.T) {
	c := pagetest.Parse(t, `
body %verdict=wrapper @0,0,400,400
  x-card id=c %verdict=wrapper @0,0,90,60
    div %shadow=open %verdict=wrapper @0,0,90,60
      button %role=button %name=Save %ref=1 @0,0,40,20 "Save"
      button %role=button %verdict=wrapper %ref=2 @0,20,40,20
        slot %verdict=wrapper @0,20,40,20
          b %shadow= %ref=3 @0,20,40,20 "Keep"
      p %ref=4 @0,40,40,20
        "Inner"
        i %ref=5 @0,40,40,20 "text"
  div class=shut %verdict=wrapper @0,60,90,20
    button %shadow=closed %role=button %name=Save %ref=6 @0,60,40,20 "Save"
  button %role=button %name=Save %ref=7 @0,80,40,20 "Save"
`)
	for locator, want := range map[string][]int{
		`button`: {7, 1, 2}, `text=Save`: {7, 1}, `text=save >> nth=0`: {7}, `button, p`: {1, 2, 4, 7}, `x-card button`: {1, 2},
		`x-card > div > p`: {4}, `text=Keep`: {3}, `button:has-text("Keep")`: nil, `text="Inner"`: {4}, `p:text-is("Inner")`: {4},
		`text="Innertext"`: nil, `text=Innertext`: {4}, `.shut >> button`: nil, `#c >> button >> nth=1`: {2},
		`internal:role=button[name="save"i]`: {7, 1}, `css:light=button`: {7}, `css:light=p`: nil,
	} {
		requireFinds(t, c, locator, want)
	}
}

// TestLocatePuppeteer: what Puppeteer's selectors find. Each row was compared with Puppeteer on a live page of this kind.
func TestLocatePuppeteer(t *testing.T) {
	c := pagetest.Parse(t, `
body %verdict=wrapper @0,0,400,400
  x-card id=c %verdict=wrapper @0,0,90,60
    div %shadow=open %verdict=wrapper @0,0,90,60
      button %role=button %name=Save %ref=1 @0,0,40,20 "Save"
      slot %verdict=wrapper @0,20,40,20
        b %shadow= %ref=2 @0,20,40,20 "Keep"
  p %ref=3 @0,60,90,20
    "Save it"
    i %ref=4 @0,60,40,20 "all"
  button %role=button %name=Save %ref=5 @0,80,40,20 "Save"
  input value=Sent %role=textbox %name=Mail %value=Sent %ref=6 @0,100,90,20
  a href=/ %role=link %name="Save as" %ref=7 @0,120,40,20 "Save as"
`)
	for selector, want := range map[string][]int{
		`button`: {5}, `#c button`: nil, `text/Save`: {1, 3, 5, 7}, `text/save`: nil, `text/Sent`: {6}, `text/Keep`: {0},
		`::-p-text(Save as)`: {7}, `::-p-text("Save as")`: {7}, `p::-p-text(all)`: {4}, `a::-p-text(Sent)`: nil, `aria/Save`: {1, 5},
		`aria/Save as[role="link"]`: {7}, `aria/[role="textbox"]`: {6}, `::-p-aria(Mail)`: {6}, `::-p-aria([name="Save"][role="button"])`: {1, 5},
		`#c >>> button`: {1}, `#c >>> b`: nil, `body >>> button`: {1, 5}, `p >>> i`: {4}, `pierce/button`: {1, 5}, `xpath///button[text()="Save"]`: {5}, `::-p-xpath(//p/i)`: {4}, `text=Save as`: {7},
	} {
		found, err := LocatePuppeteer(c, selector)
		require.NoError(t, err, selector)
		var got []int
		for _, n := range found {
			got = append(got, n.Ref)
		}
		require.Equal(t, want, got, selector)
	}
	for _, selector := range []string{"", "aria/x[level=\"1\"]", "p > a::-p-text(x)", "a >>>> b", "a >>> b >>> c", "p::-p-xpath(//i)", "::-p-x(1)"} {
		_, err := LocatePuppeteer(c, selector)
		require.ErrorContains(t, err, "find: ", selector)
	}
}

// FuzzLocate: no locator does harm, and what is found inside a part is inside what the part before found.
func FuzzLocate(f *testing.F) {
	c := page(f)
	for _, s := range []string{`internal:role=button[name="a"i] >> nth=0`, `li >> internal:has-text="x"i`, `text=/a/ >> b`, `"`, `a >>`, `nth=-99999999999`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		found, err := Locate(c, s)
		if err != nil || strings.Contains(s, ">>") {
			return
		}
		inner, err := Locate(c, s+" >> *")
		require.NoError(t, err)
		for _, n := range inner {
			require.NotEmpty(t, found, n.Path)
		}
	})
}

// TestLocateByLabel: each label counts by itself, that of what is not drawn too; of a heading the tag is its level. Each
// row was compared with Playwright on a live page of this kind.
func TestLocateByLabel(t *testing.T) {
	c := pagetest.Parse(t, `
body %verdict=wrapper @0,0,400,400
  label for=mail "Mail"
  label for=mail "to you"
  input id=mail %role=textbox %name="Mail to you" %from=label %ref=1 @0,0,90,20
  label "Sum of"
    output %role=status %ref=2 @0,20,90,20 "5"
    input %role=textbox %ref=3 @0,40,90,20
  div id=one "Street"
  div id=two "City"
  p aria-labelledby="one two" %ref=4 @0,60,90,20 "Where"
  em aria-label=Price %hidden %ref=5 "Old"
  input type=hidden aria-label=" " %hidden %ref=6
  label for=none "Nothing"
    select %role=combobox %ref=7 @0,80,90,20
  h2 aria-level=1 %role=heading %name=Title %state=level=1 %ref=8 @0,100,90,20 "Title"
  input %role=textbox %name=Recorded %from=label %ref=9 @0,120,90,20
  textarea %role=textbox %value="Dear all" %ref=10 @0,140,90,20
`)
	for locator, want := range map[string][]int{
		`internal:label="Mail"s`: {1}, `internal:label="to you"i`: {1}, `internal:label="Mail to you"s`: nil,
		`internal:label="sum"i`: {2}, `internal:label="Street"s`: {4}, `internal:label="City"s`: {4}, `internal:label="Street City"i`: nil,
		`internal:label="Price"s`: {5}, `internal:label="Nothing"i`: nil, `internal:label="Recorded"s`: {9}, `internal:label=/^to/`: {1},
		`role=heading[level=1]`: nil, `role=heading[level=2]`: {8}, `text=Where`: {4},
	} {
		requireFinds(t, c, locator, want)
	}
	_, err := Locate(c, `text=Dear`)
	require.ErrorIs(t, err, ErrUnsure, "what a textarea held at first is not known")
}
