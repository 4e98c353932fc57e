// Package vision knows what the vendors of vision models do to a picture before a
// model sees it, and does it first.
//
// Marks are drawn at the size at which they will be looked at. So a picture goes
// through [Model.Fit] and [Resize] before the marks are drawn, and the vendor then
// finds nothing to do: for every model and every picture that it does not refuse,
// Fit(Fit(size)) = Fit(size).
//
// The rules are one table (file table.go). Each row has a date and the page it was
// read from; names that no row knows get the row "unknown", which fits all others.
// Numbers of tokens are the vendors' published arithmetic, not a count by the
// vendor, and are called estimates wherever they are shown.
//
// All arithmetic is on integers, so that sizes and pixels are equal on every processor
// by construction: a compiler may fuse a floating multiply with an add on one and not
// on another.
package vision
