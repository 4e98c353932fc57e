// Package audit judges a capture: where does what an agent reads differ from what a
// person sees, and what could mislead it?
//
// [Run] returns a [Report]: findings, each with the element, its place on the
// picture, the evidence and what to do; and the coverage of each format in figures. It
// is a pure function of a capture, so any recorded turn can be audited again, and two
// reports can be compared ([Diff]).
//
// # What a person sees
//
// Coverage (row N-3) is measured from the boxes that were drawn, not from the formats'
// own rules: an element's own text counts as seen where its text boxes lie in the
// viewport, nothing cuts them off, nothing lies over the element, and the text is neither
// transparent, nor tiny, nor of the colour of its background (file seen.go). What a
// format has is read from its text (file reading.go). Characters are letters, marks, digits
// and symbols; white space and punctuation, which formats escape, do not count.
//
// # Rules
//
// [Rules] is the table of everything that can be found: id, title, why it matters, what
// to do. It feeds the help, SARIF and the window. Severity is of the finding, not of the
// rule: an instruction to agents is a warning where people can read it and an error where
// they cannot.
//
// What a finding repeats of the page is one line with everything invisible spelled out.
// A secret is never repeated: its first four characters and its length are.
//
// # Limits
//
// A report lists at most [Options].PerRule findings of a rule; Counts has them all. Work
// is linear in the size of the capture and of its dumps, whatever the page is like.
package audit
