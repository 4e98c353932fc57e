package format_test

import (
	"testing"

	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/pagetest"
	"github.com/stretchr/testify/require"
)

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
