package format_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/pagetest"
)

// stateMarks are how formats say that a column is sorted, a link is the current page and an option cannot be chosen; full
// prints the page's own attributes.
var stateMarks = map[dump.Format][]string{
	format.DDDK:     {`sort="descending"`, ` current`, `Small (disabled)`},
	format.Aria:     {"[sort=descending]", "[current]", `option "Small" [disabled]`},
	format.Wraith:   {"[SORT=DESCENDING]", "[CURRENT]", `"Small" disabled`},
	format.Semantic: {`"s":"sort=descending"`, `"s":"current"`},
	format.AX:       {`"s":"current"`},
	format.Filtered: {`"s":"sort=descending"`, `"s":"current"`},
	format.Skeleton: {`aria-sort="descending"`, `aria-current="page"`, "<option disabled"},
	format.Hybrid:   {`aria-sort="descending"`, `aria-current="page"`, "<option disabled"},
	format.WraithJSON: {`"states":["sort=descending"]`, `"states":["current"]`,
		`"options":["Small","Large"],"disabled_options":["Small"]`},
	format.DomTool: {`"states":["sort=descending"]`, `"states":["current"]`,
		`"options":["Small","Large"],"disabledOptions":["Small"]`},
}

// TestStatesStandInEveryFormat: what is sorted, current or not to be chosen stands in each format that prints states,
// and sorted and current in no original's spelling.
func TestStatesStandInEveryFormat(t *testing.T) {
	c := pagetest.Parse(t, `viewport: 800x600
body @0,0,800,900
  div id=a role=columnheader tabindex=0 %state=sort=descending @10,10,200,20 "Price zebra"
  a id=b href=/x %state=current=page @10,40,200,20 "Home zebra"
  select id=c name=size %name="Size zebra" @10,70,200,20
    option disabled %state=disabled "Small"
    option "Large"
`)
	for _, f := range format.Names() {
		for _, compat := range []bool{false, true} {
			d, err := format.Render(c, f, format.Options{Common: dump.Common{Compat: compat, Query: "zebra"}})
			require.NoError(t, err)
			for i, mark := range stateMarks[f] {
				if !compat {
					require.Contains(t, d.Text, mark, f)
				} else if i < 2 && f != format.Filtered { // the filter has no original of its own
					require.NotContains(t, strings.ToLower(d.Text), strings.ToLower(mark), "%s, compat", f)
				}
			}
		}
	}
}

// TestTheSortOfAHeaderStandsOnItsButton: where only controls have lines, the first one in a header says how its column is
// sorted, and no other; where the header has a line of its own, that does.
func TestTheSortOfAHeaderStandsOnItsButton(t *testing.T) {
	c := pagetest.Parse(t, `viewport: 800x600
body @0,0,800,900
  table @0,0,800,100
    tr @0,0,800,50
      th role=columnheader %state=sort=descending @0,0,200,50
        button @0,0,100,20 "Price zebra"
        button @100,0,100,20 "Menu zebra"
      th role=columnheader %state=sort=ascending @200,0,200,50 "Plain zebra"
`)
	for _, f := range []dump.Format{format.DDDK, format.Semantic, format.Skeleton, format.Hybrid} {
		d, err := format.Render(c, f, format.Options{Common: dump.Common{Query: "zebra"}})
		require.NoError(t, err)
		require.Equal(t, 1, strings.Count(d.Text, "descending"), "%s\n%s", f, d.Text)
		require.Less(t, strings.Index(d.Text, "descending"), strings.Index(d.Text, "Menu"), f)
	}
	d, err := format.Render(c, format.DDDK, format.Options{})
	require.NoError(t, err)
	require.Contains(t, d.Text, `<th sort="ascending">Plain zebra</th>`)
}

// TestGaugesStandInEveryFormat: how far something is, on whatever element, stands with its name in each format that prints
// what nobody presses.
func TestGaugesStandInEveryFormat(t *testing.T) {
	c := pagetest.Parse(t, `viewport: 800x600
body @0,0,800,900
  div role=progressbar %name=Upload %value=42 @0,0,200,10
    div @0,0,84,10
  span role=meter %name=Disk %value="7 of 10 GB" @0,20,200,10
`)
	marks := map[dump.Format][]string{
		format.DDDK:       {"Upload: 42", "Disk: 7 of 10 GB"},
		format.Aria:       {`progressbar "Upload"`, `: "42"`, "7 of 10 GB"},
		format.Wraith:     {`"42" label="Upload"`, `"7 of 10 GB" label="Disk"`},
		format.WraithJSON: {`"text":"42"`, `"label":"Upload"`, `"label":"Disk"`},
		format.DomTool:    {`"role":"progressbar"`, `"value":"42"`, `"value":"7 of 10 GB"`},
		format.Filtered:   {`"n":"Upload","v":"42"`, `"n":"Disk","v":"7 of 10 GB"`},
	}
	for f, all := range marks {
		d, err := format.Render(c, f, format.Options{})
		require.NoError(t, err)
		for _, mark := range all {
			require.Contains(t, d.Text, mark, f)
		}
	}
}
