// Package sentinel checks that an action had the expected effect (S-14; seed "DOM
// extraction architecture" 2.6.3): an agent that clicks Save learns at once that "Invalid
// email" appeared for a second, and not five steps later.
//
// # An expectation
//
// An expectation is one JSON object, or the name of its type alone:
//
//	{"type":"navigation","or_element_appears":"Thank you","timeout":2000}
//	"any_change"
//
//	type               navigation, element_appears, element_disappears, value_changes,
//	                   state_changes, any_change, no_change
//	text, selector     what appears or disappears: a text that can be read (letter case and
//	                   white space do not count), or what a CSS selector matches
//	ref                or an element by its number, in any spelling; also elementId, element_id
//	value              with value_changes: the expected value of the field
//	orOutcome          another expectation that is as good; also or_outcome
//	or_element_appears the same in short, with a text; also or_element_disappears
//	timeout            ms that it may take, 1 to 30,000; 2,000 if there is none
//
// A member that is not in this list, a duplicate one, and one that its type has no
// use for are errors: nothing is guessed. An input has at most 16 KiB, a text 500
// characters, and expectations nest at most four deep.
//
// # What is observed
//
// [Watch] records the state of the page before the action, [Watcher.Verify] waits after it:
// for changes of the document, for another document, and no longer than the timeout. It
// never waits for a fixed time. The page's own observer of changes (S-9) reports what came
// and went in between, so a toast of 300 ms is seen. What was there before the action has
// not appeared, and what was not there has not disappeared.
//
// Once the outcome occurs, the page gets a moment of quiet for what follows, an
// error above all. The rules are in judge.go.
//
// Values of fields never leave the page: it returns hashes of them, and removes the
// contents of password fields from every text.
package sentinel
