// Package sentinel checks that an action did what it was meant to do (S-14; seed "DOM
// extraction architecture" 2.6.3): an agent that clicks Save learns that "Invalid email"
// came up for a second, and does not find out five steps later.
//
// # An expectation
//
// What is expected is one JSON object, or the name of its type alone:
//
//	{"type":"navigation","or_element_appears":"Thank you","timeout":2000}
//	"any_change"
//
//	type               navigation, element_appears, element_disappears, value_changes,
//	                   state_changes, any_change, no_change
//	text, selector     what appears or disappears: a text that can be read (letter case and
//	                   white space do not count), or what a CSS selector matches
//	ref                or an element by its number, in any spelling; also elementId, element_id
//	value              with value_changes: what the field is to hold then
//	orOutcome          another expectation that is as good; also or_outcome
//	or_element_appears the same in short, with a text; also or_element_disappears
//	timeout            ms that it may take, 1 to 30,000; 2,000 if there is none
//
// A member that is not in this list, a duplicate one, and one that its type has no
// use for are errors: nothing is guessed. An input has at most 16 KiB, a text 500
// characters, and at most four expectations hang on each other.
//
// # What is looked at
//
// [Watch] notes how the page is before the action, [Watcher.Verify] waits after it: for
// changes of the document, for another document, and no longer than the timeout. It never
// waits for a fixed time. What came and went in between is known from the page's own
// observer of changes (S-9), so a toast of 300 ms is seen. What was there before the
// action has not appeared, and what was not there has not disappeared.
//
// Once the outcome is there, the page is given a moment of quiet for what follows, an
// error above all. The rules are in judge.go.
//
// Values of fields never leave the page: it answers with hashes of them, and takes the
// contents of password fields out of every text.
package sentinel
