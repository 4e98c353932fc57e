// Package domtool is BrowserX's tree of virtual nodes as JSON.
package domtool

import (
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
)

// Options are the options of the format alone.
type Options struct {
	// IncludeLayout adds boxes (CSS px), stacking and layout groups (B-8, B-14).
	IncludeLayout bool
}

// NodeIDs maps the format's ids of a capture to the indices of the elements.
func NodeIDs(c *snapshot.Capture) map[string]int { return dump.NodeIDs(c) }
