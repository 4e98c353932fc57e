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
