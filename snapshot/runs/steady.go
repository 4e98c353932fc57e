package runs

import (
	"regexp"

	"github.com/refscope/refscope/snapshot/golden"
	"github.com/refscope/refscope/snapshot/text"
)

// volatile takes out what differs between two equal runs. Prices stay: they are what a page
// says.
var volatile = golden.Builtin("host", "id", "time", "date")

// frameRef is a ref of Playwright's in a frame: the counter of frames goes on from page to page, and
// equal runs differ in it.
var frameRef = regexp.MustCompile(`\bf\d+e(\d+)\b`)

// steady is a text without what differs between two equal runs, its white space squashed.
func steady(s string) string {
	s, _ = volatile.Text(text.CollapseSpace(s))
	return frameRef.ReplaceAllString(s, "f#e$1")
}

// numbers are the spellings of element numbers in the formats that models are given: [12],
// ref=s1e12, uid=4_2, @e12, s1e12, f3e12, data-llm-id="12", hashes such as [button-b3f2].
var numbers = regexp.MustCompile(
	`\[\d+\]|\[[a-z]+-?[0-9a-f]{4,8}\]|\b(?:ref|uid|data-llm-id)[=:] ?"?[\w#]+"?|\bf#e\d+\b|@e\d+\b|\bs\d+e\d+\b|` +
		`\be\d+\b`)

// numberless is a steady text without numbers of elements.
func numberless(s string) string { return numbers.ReplaceAllString(steady(s), "#") }
