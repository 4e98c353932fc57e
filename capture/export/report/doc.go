// Package report makes one HTML file of a recorded session (requirement N-14): what
// the agent saw, turn by turn, for people who have neither Refscope nor the pages.
//
// # The file
//
// A head (when, with what, what happened in plain words, a timeline), then one
// section for each turn: the picture with its numbered boxes, the elements and what
// covers them, what changed since the turn before, what a model received by section,
// the dump, steps and answer, console, dialogs, profile, notes, and what the turn
// lacks. It reads on a phone, in the dark and on paper, and without scripts.
//
// # It asks nobody for anything
//
// The policy in its head is default-src 'none'. Pictures are data: addresses; the
// one style sheet and the one script are allowed by their SHA-256 and by nothing else,
// so text of a page that came to be markup by a fault of ours could still not run or
// load anything. No address of a page is a link: the only links are to places in the
// file. There are no style attributes, because the policy forbids them; what is
// placed by coordinates is SVG, whose attributes are no styles.
//
// # Each picture stands once
//
// A picture is an SVG image in a defs block, named by the start of its SHA-256, and
// each place that shows it is an SVG use of that name: the turn, its card in the
// timeline, and every later turn with equal bytes. A script that sets the source of
// img elements would do the same, but then a reader without scripts, and paper, would
// see the first of equal pictures only. The bytes are those of the turn, unchanged.
//
// # Page text
//
// Everything goes through html/template. Titles, names, addresses, notes and the
// console are shown by [dump.Printable] in an element of their own direction (bdi), so
// that nothing reorders or hides what stands around it; dumps and differences are
// safe already.
//
// # Size and order
//
// Turns are read and written one after another; what is kept of a turn is its card,
// under 2 KB. Because the head tells what only the turns know, turns go to a spool
// first and are copied behind the head. A turn that cannot be read has a section that
// says so. What a limit leaves out is named where it is missing. The same session
// gives the same bytes: there is no clock, and every time is the session's own, in UTC.
package report
