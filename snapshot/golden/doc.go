// Package golden compares pages with their accepted state (N-12): a person looks at a
// page's dumps, marks and audit once and accepts them, and a machine reports later
// what has changed, and nothing else.
//
// Two captures of an unchanged page are never the same bytes: a clock advanced, a
// server gave out another id, the price of the day is another one, the test server has
// another port. So a capture is normalised first ([Normaliser.Capture]): rules replace what
// changes on its own by a word such as ‹time› and report what they replaced, and what
// is only true of one run (identities, timings, events) is removed.
//
// Then the new capture is aligned with the accepted one ([Align]): elements are
// paired as package diff pairs them, equal elements get the accepted numbers,
// so that one new button does not change every line after it, and boxes that differ by
// less than the tolerance become the accepted ones. Only then are dumps and marks made
// of it, and [Compare] compares both sides, element by element and
// line by line.
//
// Everything here is pure; package capture/export/goldenstore keeps the folders.
package golden

// Schema names the shape of the list of pages, golden.json. A folder of another
// version is refused by name, never guessed at.
const Schema = "refscope.golden/1"
