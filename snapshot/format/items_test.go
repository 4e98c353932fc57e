package format_test

import (
	"testing"

	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/pagetest"
	"github.com/stretchr/testify/require"
)

// TestItemsInItems: the items of trees and menus that lie in another have lines in semantic too; what else a control
// holds is a part of it.
func TestItemsInItems(t *testing.T) {
	for _, c := range []struct {
		outer, inner string
		told         bool
	}{
		{"treeitem", "treeitem", true}, {"menuitem", "menuitemcheckbox", true},
		{"treeitem", "checkbox", false}, {"button", "button", false},
	} {
		shot := pagetest.Parse(t, `div role=`+c.outer+` tabindex=0 @10,10,200,60 %name=Outer "Outer"
  div @10,40,200,30
    div role=`+c.inner+` tabindex=0 @10,40,200,30 %by=role %name=Inner "Inner"`)
		d, err := format.Render(shot, format.Semantic, format.Options{Common: dump.Common{MaxChars: -1, MaxNodes: -1}})
		require.NoError(t, err)
		require.Contains(t, d.Text, `"n":"Outer`)
		require.Equal(t, c.told, len(d.LinesOf(shot.Nodes[len(shot.Nodes)-1].I)) == 1, d.Text)
	}
}
