// Package dump turns a capture into the texts that agents read.
//
// A [Format] is a pure function of one [snapshot.Capture]: no browser, no clock,
// no randomness, so the same capture always gives the same bytes and every
// recorded turn can be rendered again with other options. [Render] answers with
// a [Document], which is more than the text:
//
//   - Lines say which element stands on which line, so that a window can select
//     the box of a line and the line of a box. Spans do the same for the cells of
//     a table row, which share one line.
//   - Omitted says what the format left out or shortened and why. Every kept
//     element (see [snapshot.Verdict.Kept]) either has a line or an [Omission];
//     an element that is neither has been lost by the capture, not by the format.
//
// Numbers are the ref numbers of the session. A format that prints fewer
// elements leaves gaps and never renumbers.
//
// Every format can be kept short: to characters, tokens or elements (budget.go), by
// one line for many siblings of a kind (repeats.go), to what a task is about
// (query.go). [Regions] says which parts of the page a document spends its text on.
//
// Page text is hostile. No text of the page, whatever it is and wherever it
// stands, can add a line to a dump, look like a numbered element, or hide itself
// from a person who reads the dump: see escape.go for the rules, which hold in
// every format and in every compatibility profile.
//
// Each format has one file (and, where it needs them, neighbours with the same
// prefix) whose first comment gives its grammar, its limits, how it escapes,
// where its rules come from and what its compatibility profile changes.
package dump
