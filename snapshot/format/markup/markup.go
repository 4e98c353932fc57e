// Package markup has the formats that are HTML: skeleton (skeleton.go), hybrid, which is a
// skeleton that goes with a picture, and full, the whole document (full.go). The first
// comment of these files is the format's grammar. How page text is escaped, and which tags
// can be written where, is the same for all: html.go and nest.go.
//
// The files call each other one way: html and nest know no format; attrs and pattern work
// on full's tree; skeleton and full select and write.
package markup

import "github.com/refscope/refscope/snapshot/dump"

// Options are the options of full alone.
type Options struct {
	// NoTemplates writes repeated patterns out instead of once.
	NoTemplates bool
	// FrameIDs spells the numbers of elements in child frames, by ref, as the text beside this one does: full
	// then writes these, and none for an element that has none. nil is f1_12 for 12 (S-17).
	FrameIDs map[int]string
}

// profile has the differences between the default and the originals: each rule holds for the default.
type profile struct {
	additions bool // attributes and groups of options that the seed lacks; full's are few and come first
	allRoles  bool // skeleton: what is operable by other tags and roles than the seed's
	named     bool // skeleton: names that no text and no attribute has; labels of listed controls are left out
	cuts      bool // texts and data: addresses are cut
	live      bool // full: value, checked and selected are what holds now
}

// profileOf is the profile that the options select.
func profileOf(o dump.Common) profile {
	if o.Compat {
		return profile{}
	}
	return profile{additions: true, allRoles: true, named: true, cuts: true, live: true}
}
