// Package snapshot is what was seen: one web page at one moment, as plain data.
//
// A [Capture] is read from the browser once and never changes afterwards. Every
// text format (package dump), payload, difference, audit and marked picture is a
// pure function of captures, so all of them can be made again later, without a
// browser, from a turn on disk.
//
// The data is a flat list of [Node] values, one for each DOM element, in the
// document order of the composed tree: a shadow root's content takes the place
// of its host's light children, a slot is followed by what is assigned to it,
// and a frame element is followed by the document it shows. A node names its
// parent by index, so the list is also the tree; [NewTree] turns it around.
//
// Every element has exactly one [Verdict], kept or not, with the evidence for it
// in words. Elements that a format can address have a ref number; see
// [Node.Numbered] and [Node.Content] for which and in what order.
//
// This package and its children know no Chrome, no window and no clock.
package snapshot
