// Package dump is what the formats share that turn a capture into the texts that agents
// read: documents, limits, queries, repeats, regions.
//
// A format is a pure function of one [snapshot.Capture]: no browser, no clock,
// no randomness, so the same capture always gives the same bytes and every
// recorded turn can be rendered again with other options. Its result is
// a [Document], which is more than the text:
//
//   - Lines name the element of each line, so that a window can select
//     the box of a line and the line of a box. Spans do the same for the cells of
//     a table row, which share one line.
//   - Omitted describes what the format left out or shortened and why. Every kept
//     element (see [snapshot.Verdict.Kept]) either has a line or an [Omission];
//     an element that is neither has been lost by the capture, not by the format.
//
// Numbers are the ref numbers of the session. A format that prints fewer
// elements leaves gaps and never renumbers.
//
// Every format can be kept short: to characters, tokens or elements (budget.go), by
// one line for many siblings of a kind (repeats.go), to what a task is about
// (query.go). [Regions] names which parts of the page a document spends its text on.
//
// Page text is hostile. No text of the page, wherever it is, can add a line to a dump,
// look like a numbered element, or hide itself from a person who reads the dump: package
// text has the rules, which apply to every format and every compatibility profile.
//
// The formats themselves are packages below snapshot/format, which has their table. A
// format composes lines in a [Builder] and leaves the rest, such as the limits, to it.
//
// To render several formats of one capture, make a [Page] of it, which computes
// once what they all need.
package dump
