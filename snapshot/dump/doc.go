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
// where its rules come from and what its compatibility profile changes. [Legend]
// explains each to an agent. The formats are:
//
//   - [DDDK], dddk.go: the indented tree of dotdotduck, a line an element.
//   - [Semantic], semantic.go: minified JSON of what can be operated.
//   - [Aria], aria.go: the tree of roles and names in YAML; Playwright's spelling of it
//     in aria_playwright.go.
//   - [Wraith], wraith.go: Wraith's flat list, a line an element.
//   - [WraithJSON], wraith_json.go: the same list as JSON.
//   - [DomTool], domtool.go: BrowserX's tree of virtual nodes as JSON.
//   - [Filtered], filtered.go: what a query finds, as JSON.
//   - [Skeleton], skeleton.go: minimal HTML of what can be operated.
//   - [Hybrid], hybrid.go: a skeleton that goes with a picture.
//   - [Full], full.go: the whole document as annotated HTML.
//   - [AX], ax.go: semantic with the roles and names of Chrome's accessibility tree.
//
// Whoever renders several formats of one capture makes a [Page] of it, which finds out
// once what they all need.
package dump
