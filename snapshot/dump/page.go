package dump

import (
	"sync"

	"github.com/refscope/refscope/snapshot"
)

// Page is a capture with what the formats find out about it, each thing once and not
// once for each format. Whoever renders several formats of one capture makes one. It is
// safe for concurrent use. The capture must not change.
type Page struct {
	c      *snapshot.Capture
	tree   func() *snapshot.Tree
	around func() *surroundings
	naming func() map[int]bool
}

// NewPage is the page of the capture. It costs nothing until something is asked for.
func NewPage(c *snapshot.Capture) *Page {
	p := &Page{c: c}
	p.tree = sync.OnceValue(func() *snapshot.Tree { return snapshot.NewTree(c) })
	p.around = sync.OnceValue(func() *surroundings { return regionsAround(c, p.tree(), nil) })
	p.naming = sync.OnceValue(func() map[int]bool { return namingLabels(c, p.tree()) })
	return p
}

// of is what is known about the capture, which need not be the one that is rendered: aria
// looks into an earlier one.
func (o Options) of(c *snapshot.Capture) *Page {
	if o.page != nil && o.page.c == c {
		return o.page
	}
	return NewPage(c)
}
