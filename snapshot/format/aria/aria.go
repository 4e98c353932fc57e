// Package aria is the format of the tree of roles and names.
package aria

import (
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
)

type (
	// Options are the options of the format alone.
	Options = dump.AriaOptions
	// Detail is how much the format prints.
	Detail = dump.AriaDetail
	// Unchanged is the answer to a since that still holds.
	Unchanged = dump.AriaUnchanged
	// Delivery says where the parts of an answer go.
	Delivery = dump.AriaDelivery
)

// The details and modes of the format, and what goes inline.
const (
	Full        = dump.AriaFull
	Interactive = dump.AriaInteractive
	Summary     = dump.AriaSummary

	ModeAI    = dump.AriaModeAI
	ModePlain = dump.AriaModePlain

	InlineBytes = dump.AriaInlineBytes
)

// Root is the node that a root of the seed's spelling names.
func Root(c *snapshot.Capture, root string) (*int, error) { return dump.AriaRoot(c, root) }

// Hash is what the since option compares.
func Hash(c *snapshot.Capture) string { return dump.AriaHash(c) }

// Since compares the capture with the hash of an earlier snapshot.
func Since(c *snapshot.Capture, snapshotID, hash string) *Unchanged {
	return dump.AriaSince(c, snapshotID, hash)
}

// Deliver decides for a document of the format.
func Deliver(d *dump.Document, limit int) Delivery { return dump.DeliverAria(d, limit) }
