package dump

import (
	"sync"

	"github.com/refscope/refscope/snapshot"
)

// Page is a capture with what the formats compute about it, each thing once and not
// once for each format. Make one to render several formats of one capture. It is
// safe for concurrent use. The capture must not change.
type Page struct {
	Capture *snapshot.Capture
	// Query is what a query chose of the page, nil without one. Capture has only that.
	Query *QueryResult

	tree   func() *snapshot.Tree
	around func() *surroundings
	naming func() map[int]*snapshot.Node
}

// NewPage is the page of the capture. It costs nothing until something is requested.
func NewPage(c *snapshot.Capture) *Page {
	p := &Page{Capture: c}
	p.tree = sync.OnceValue(func() *snapshot.Tree { return snapshot.NewTree(c) })
	p.around = sync.OnceValue(func() *surroundings { return regionsAround(c, p.tree(), nil) })
	p.naming = sync.OnceValue(func() map[int]*snapshot.Node { return namingLabels(c) })
	return p
}

// Tree is the capture's tree.
func (p *Page) Tree() *snapshot.Tree { return p.tree() }

// NamingLabels are the fields that labels name, by the label's node, where they are listed anyway.
func (p *Page) NamingLabels() map[int]*snapshot.Node { return p.naming() }
