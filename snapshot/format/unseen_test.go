package format_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/pagetest"
)

// The originals of dddk and aria ask for display, visibility and the box alone: under Compat what is transparent
// or clipped away is printed as they do, and without it is not.
func TestCompatPrintsWhatIsTransparent(t *testing.T) {
	c := pagetest.Parse(t, `
body
  p "Ghost paragraph" %role=paragraph %verdict=transparent
  p "Clipped paragraph" %role=paragraph %verdict=clipped
  p "Gone paragraph" %role=paragraph %verdict=display-none
  p "Plain paragraph" %role=paragraph
`)
	for _, name := range []dump.Format{format.DDDK, format.Aria} {
		plain, err := format.Render(c, name, format.Options{})
		require.NoError(t, err)
		compat, err := format.Render(c, name, format.Options{Common: dump.Common{Compat: true}})
		require.NoError(t, err)
		for words, want := range map[string][2]bool{
			"Ghost": {false, true}, "Clipped": {false, true}, "Gone": {false, false}, "Plain": {true, true},
		} {
			if want[0] {
				require.Contains(t, plain.Text, words, name)
			} else {
				require.NotContains(t, plain.Text, words, name)
			}
			if want[1] {
				require.Contains(t, compat.Text, words, name)
			} else {
				require.NotContains(t, compat.Text, words, name)
			}
		}
	}
}
