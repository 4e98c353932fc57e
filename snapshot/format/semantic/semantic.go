// Package semantic is the format of minified JSON of what can be operated.
package semantic

import (
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
)

// Options are the options of the formats semantic, ax and filtered alone.
type Options struct {
	// NoViewportPruning keeps elements outside the visible part of the page; it switches
	// the MinVisible rule off too.
	NoViewportPruning bool
	// MinVisible is the share of an element's area, 0 to 1, that the viewport must
	// show. 0 is the default 0.66; below 0 is no such rule.
	MinVisible float64
	// KeepContainers keeps generic containers without a visual boundary.
	KeepContainers bool
	// NoAtomic keeps elements that lie inside a link, button or select.
	NoAtomic bool
	// Long spells keys in full (id, role, name …) and adds type, placeholder, href,
	// isInShadow and frameId.
	Long bool
}

func (o Options) with(k dump.Common) dump.Options {
	d := dump.Flat(k)
	d.NoViewportPruning, d.MinVisible = o.NoViewportPruning, o.MinVisible
	d.KeepContainers, d.NoAtomic, d.Long = o.KeepContainers, o.NoAtomic, o.Long
	return d
}

// Tree is the interactive_tree alone, as one line of JSON.
func Tree(c *snapshot.Capture, k dump.Common, o Options) []byte {
	return dump.InteractiveTree(c, o.with(k))
}

// IDs maps each i of the tree to its ref.
func IDs(c *snapshot.Capture, k dump.Common, o Options) map[string]int {
	return dump.SemanticIDs(c, o.with(k))
}

// TreeHash is equal for two captures of which the format would print the same.
func TreeHash(c *snapshot.Capture, k dump.Common, o Options) string {
	return dump.TreeHash(c, o.with(k))
}

// ScrollPosition is how far the page is scrolled: "25%".
func ScrollPosition(c *snapshot.Capture) string { return dump.ScrollPosition(c) }

// RecentEvents are the last ten changes in the seed's words.
func RecentEvents(all []snapshot.Mutation) (events []string, errors, success bool) {
	return dump.RecentEvents(all)
}
