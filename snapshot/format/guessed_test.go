package format_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/pagetest"
)

// guessedMarks are how formats mark a name that the page does not give. dddk and full print the page's own attributes and
// no such name.
var guessedMarks = map[dump.Format]string{
	format.Semantic: `"guessed":true`, format.AX: `"guessed":true`, format.Filtered: `"guessed":true`, format.Aria: "[guessed]",
	format.Wraith: "[GUESSED]", format.WraithJSON: `"guessed":true`, format.DomTool: `"guessed":true`,
	format.Skeleton: `data-guessed="true"`, format.Hybrid: `data-guessed="true"`,
}

// TestGuessedNamesAreMarked: a name that was hunted for is marked in every format that prints it, and in no original's
// spelling; a name that the page gives is not marked.
func TestGuessedNamesAreMarked(t *testing.T) {
	const page = `viewport: 800x600
body @0,0,800,900
  input id=a type=text %name="Zebra crossing" @10,10,200,20
  input id=b type=radio value=1 %name="Zebra pass" @10,40,20,20
  select id=c %name="Zebra size" @10,70,200,20
    option selected "Zebra"
  textarea id=d %name="Zebra note" @10,100,200,20
  button id=e @10,130,200,20 "Zebra"
`
	marked := 0
	for _, hunted := range []bool{false, true} {
		c := pagetest.Parse(t, page)
		controls := 0
		for i := range c.Nodes {
			if n := &c.Nodes[i]; snapshot.IsFormControl(n.Tag) && n.Tag != "button" && n.Tag != "option" {
				n.NameFrom = map[bool]string{false: "label", true: "hunted:previous-sibling"}[hunted]
				controls++
			}
		}
		require.Equal(t, 4, controls)
		for _, f := range format.Names() {
			for _, compat := range []bool{false, true} {
				d, err := format.Render(c, f, format.Options{Common: dump.Common{Compat: compat, Query: "zebra"}})
				require.NoError(t, err)
				want := 0
				if guessedMarks[f] != "" && hunted && (!compat || f == format.Filtered) {
					want = controls
				}
				mark := guessedMarks[f]
				if mark == "" {
					require.NotContains(t, strings.ToLower(d.Text), "guessed", f)
					continue
				}
				require.Equal(t, want, strings.Count(d.Text, mark), "%s, compat %v:\n%s", f, compat, d.Text)
				marked += want
				legend := format.Legend(f, format.Options{Common: dump.Common{Compat: compat}})
				require.Equal(t, !compat || f == format.Filtered, strings.Contains(legend, "guessed") || strings.Contains(legend, "GUESSED"), f)
			}
		}
	}
	t.Logf("%d marks", marked)
}
