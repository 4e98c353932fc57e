// Package golden holds pages against what was accepted of them (N-12): a person looks
// at a page's dumps, marks and audit once and accepts them, and a machine says later
// what has become different, and nothing else.
//
// Two captures of an unchanged page are never the same bytes: a clock went on, a
// server gave out another id, the price of the day is another one, the test server has
// another port. So a capture is normalised first ([Normaliser.Capture]): rules put a word such
// as ‹time› in the place of what changes by itself and say what they replaced, and what
// is only true of one run (identities, timings, events) is taken out.
//
// Then the capture at hand is aligned with the accepted one ([Align]): elements are
// paired as package diff pairs them, equal elements get the numbers that were accepted,
// so that one new button does not change every line after it, and boxes that differ by
// less than the tolerance become the accepted ones. Only then are dumps and marks made
// of it, and [Compare] holds both sides against each other, element by element and
// line by line.
//
// Everything here is pure; package capture/export/accepted keeps the folders.
package golden

// Schema names the shape of the list of pages, golden.json. A folder of another
// version is refused by name, never guessed at.
const Schema = "refscope.golden/1"
