package domtool

import (
	"cmp"
	"math"
	"slices"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/ordered"
)

// Layout of domtool nodes, with Options.IncludeLayout (B-8) and the layout groups of
// the seed's future list (B-14):
//
//	"layout":{"box":[x,y,w,h],"z":3,"position":"fixed","top":true,"group":"grid","row":1,"column":2}
//
// box is in CSS px of the viewport, in hundredths. z is the z-index and position how the
// element lies over the page, absent for elements in the flow; top: in the top layer, above
// everything else. group describes how the children are arranged: "nav-bar" (a navigation, tool bar,
// menu bar or tab list), "grid" (two rows and columns at least, which line up), or "row" (three
// at least beside one another). row and column, from 1, are the place of a cell in the
// grid or row around it. What is fixed or sticky, cells of tables apart, lies over the page and
// is no cell, and cells of a row do not overlap.

// vlayout is the layout of one node.
type vlayout struct {
	group       string
	row, column int
}

// slack is how far edges may be apart that still line up, in CSS px.
const slack = 2

// arrange works out the group of a node and the places of its children.
func arrange(v *vnode) {
	if v.layout == nil {
		v.layout = &vlayout{}
	}
	v.layout.group = ""
	var cells []*vnode
	for _, c := range v.children {
		c.layout = &vlayout{}
		if c.n != nil && !c.n.Box.Empty() && !overPage(c.n) {
			cells = append(cells, c)
		}
	}
	rows := rowsOf(cells)
	switch {
	case len(rows) == 1 && len(cells) >= 3 && apart(cells):
		v.layout.group = "row"
		for i, c := range cells {
			c.layout.row, c.layout.column = 1, i+1
		}
	case len(rows) >= 2 && len(rows[0]) >= 2 && lineUp(rows) && apart(rows[0]):
		v.layout.group = "grid"
		for r, row := range rows {
			for i, c := range row {
				c.layout.row, c.layout.column = r+1, i+1
			}
		}
	}
	if v.n != nil && (v.n.Tag == "nav" || slices.Contains([]string{"navigation", "menubar", "toolbar", "tablist"},
		v.n.Role)) {
		v.layout.group = "nav-bar"
	}
}

// overPage reports whether an element lies over the page and not among its siblings.
func overPage(n *snapshot.Node) bool {
	if n.Layer == nil || n.Tag == "td" || n.Tag == "th" {
		return false
	}
	return n.Layer.Top || n.Layer.Position == "fixed" || n.Layer.Position == "sticky"
}

// apart reports whether the cells of a row lie beside one another.
func apart(row []*vnode) bool {
	row = slices.Clone(row)
	slices.SortFunc(row, func(a, b *vnode) int { return cmp.Compare(a.n.Box.X(), b.n.Box.X()) })
	for i := range row[1:] {
		if row[i+1].n.Box.X() < row[i].n.Box.Right()-slack {
			return false
		}
	}
	return true
}

// rowsOf splits cells, in document order, into rows: the next one begins where a cell
// lies below the middle of the row before it.
func rowsOf(cells []*vnode) [][]*vnode {
	var rows [][]*vnode
	bottom := math.Inf(-1)
	for _, c := range cells {
		b := c.n.Box
		_, middle := b.Center()
		if len(rows) == 0 || middle > bottom {
			rows = append(rows, nil)
			bottom = b.Bottom()
		}
		last := len(rows) - 1
		rows[last] = append(rows[last], c)
	}
	return rows
}

// lineUp reports whether rows have their cells at the same left edges; the last row
// may be shorter.
func lineUp(rows [][]*vnode) bool {
	for r, row := range rows {
		if len(row) > len(rows[0]) || len(row) < len(rows[0]) && r < len(rows)-1 {
			return false
		}
		for i, c := range row {
			if math.Abs(c.n.Box.X()-rows[0][i].n.Box.X()) > slack {
				return false
			}
		}
	}
	return true
}

// writeLayout writes the layout of a node that has one.
func writeLayout(j *ordered.Writer, v *vnode) {
	if v.layout == nil || v.n == nil {
		return
	}
	j.Open("layout", '{').Hundredths("box", v.n.Box[:]...)
	if l := v.n.Layer; l != nil {
		j.Int("z", l.Z).Optional("position", position(l)).True("top", l.Top)
	}
	j.Optional("group", v.layout.group)
	if v.layout.row > 0 {
		j.Int("row", v.layout.row).Int("column", v.layout.column)
	}
	j.Close("}")
}

// position passes the positions of [snapshot.Layer] and nothing else.
func position(l *snapshot.Layer) string {
	switch l.Position {
	case "fixed", "sticky", "absolute":
		return l.Position
	}
	return ""
}
