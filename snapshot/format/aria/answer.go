package aria

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/text"
)

// What surrounds an aria text in an agent's answer (seed 7.5, 7.6, 11.1): whether it
// need be sent at all, and whether it goes inline or into a file. These are decisions;
// the caller does the writing.

// Inline limits of the seed (7.6).
const (
	InlineBytes = 9_000 // of text
	InlineRefs  = 1_000 // entries of the refs map
)

// Hash is what the since option compares, 32 hexadecimal digits: the state of the
// page with its form values (see [snapshot.StateHash]) and the refs of the kept
// elements in document order. A framework that renders the same page again gives other
// elements and so another hash: the refs that the agent holds would be stale.
//
// The original's hash (rounded scroll position, length of the HTML, count of elements)
// takes a page with another box ticked for unchanged; no profile has it.
func Hash(c *snapshot.Capture) string {
	sum := sha256.New()
	fmt.Fprint(sum, "refscope.aria/1 ", snapshot.StateHash(c))
	for p := range c.Nodes {
		if n := &c.Nodes[p]; n.Verdict.Kept() {
			fmt.Fprint(sum, " ", n.Ref)
		}
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// Unchanged is the answer to a since that still holds, in the seed's words.
type Unchanged struct {
	Unchanged  bool   `json:"unchanged"`  // true
	SnapshotID string `json:"snapshotId"` // the one that was asked about, such as "s3"
	// RefsChanged: the page was loaded or rendered again, so its elements have other refs.
	RefsChanged bool   `json:"refsChanged,omitempty"`
	Message     string `json:"message"`
}

// SinceTurn compares the capture with an earlier one, of any session: nil where the page is in another state.
// Other refs alone are no change of the page, and are reported.
func SinceTurn(c, before *snapshot.Capture, turn string) *Unchanged {
	if snapshot.StateHash(c) != snapshot.StateHash(before) {
		return nil
	}
	out := &Unchanged{Unchanged: true, SnapshotID: turn, Message: "The page has not changed since turn " + turn + "."}
	if Hash(c) != Hash(before) {
		out.RefsChanged = true
		out.Message = "The page has not changed since turn " + turn + ", but its elements have other refs: " +
			"leave out --since to read them."
	}
	return out
}

// Since compares the capture with the hash ([Hash]) of an earlier snapshot. It
// answers nil where the page has changed, or where there is no such hash (""): then a
// full snapshot is due.
func Since(c *snapshot.Capture, snapshotID, hash string) *Unchanged {
	if hash == "" || hash != Hash(c) {
		return nil
	}
	return &Unchanged{Unchanged: true, SnapshotID: snapshotID, Message: "The page has not changed since snapshot " +
		snapshotID + "."}
}

// Delivery describes where the parts of an answer go.
type Delivery struct {
	Bytes int // of the text, in UTF-8
	// TextToFile: the text is larger than the limit, so it goes into a file and
	// artifacts.snapshot names it, with truncatedInline.
	TextToFile bool
	Refs       []int // ref numbers that the text prints, in order
	RefsToFile bool  // more of them than InlineRefs
	// Message tells the agent where the text is, "" where it is inline. The path is the caller's.
	Message string
}

// Deliver decides for a document of the aria format. limit is in bytes; 0 is
// InlineBytes, below 0 there is none.
func Deliver(d *dump.Document, limit int) Delivery {
	if limit == 0 {
		limit = InlineBytes
	}
	out := Delivery{Bytes: len(d.Text), Refs: d.Refs}
	out.RefsToFile = len(out.Refs) > InlineRefs
	if out.TextToFile = limit > 0 && out.Bytes > limit; out.TextToFile {
		out.Message = fmt.Sprintf("The snapshot is %s bytes, more than the %s that are sent inline: it is in the file.",
			text.Thousands(out.Bytes), text.Thousands(limit))
	}
	return out
}
