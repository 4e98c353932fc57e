package runs

import (
	"regexp"
	"strings"

	"github.com/refscope/refscope/snapshot/text"
)

// What differs between two equal runs, most specific first, and what stands in its place.
var volatile = []struct {
	pattern *regexp.Regexp
	instead string
}{
	{regexp.MustCompile(`\b[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\b`), "<id>"},
	{regexp.MustCompile(`\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?\b`), "<time>"},
	{regexp.MustCompile(`\b\d{1,2}[./]\d{1,2}[./](?:\d{4}|\d\d)\b`), "<time>"},
	{regexp.MustCompile(`(?i)\b\d{1,2} (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?(?: \d{4})?\b`), "<time>"},
	{regexp.MustCompile(`(?i)\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d{1,2}(?:, \d{4})?\b`), "<time>"},
	{regexp.MustCompile(`(?i)\b\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?(?: ?[ap]m)?\b`), "<time>"},
	{regexp.MustCompile(`(?i)\b\d+ (?:second|sec|minute|min|hour|day|week)s? ago\b`), "<time>"},
	{regexp.MustCompile(`\b(127\.0\.0\.1|localhost|\[::1\])([:_])\d+`), "$1$2<port>"},
	{regexp.MustCompile(`\b\d{9,}\b`), "<id>"},
	{regexp.MustCompile(`\b[0-9a-fA-F]{12,}\b`), "<id>"},
	{regexp.MustCompile(`(?:/[\w.-]+)*/(?:tmp|temp|Temp|T)/[\w./-]+`), "<file>"},
}

// steady is a text without what differs between two equal runs, its white space squashed.
func steady(s string) string {
	s = text.Squash(s)
	if !strings.ContainsAny(s, "0123456789") {
		return s
	}
	for _, v := range volatile {
		s = v.pattern.ReplaceAllString(s, v.instead)
	}
	return s
}

// numbers are the spellings of element numbers in the formats that models are given: [12],
// ref=s1e12, uid=4_2, @e12, s1e12, data-llm-id="12", tag hashes such as [b3f2].
var numbers = regexp.MustCompile(
	`\[\d+\]|\[[a-z]+-?[0-9a-f]{4,8}\]|\b(?:ref|uid|data-llm-id)[=:] ?"?[\w]+"?|@e\d+\b|\bs\d+e\d+\b|\be\d+\b`)

// numberless is a steady text without numbers of elements.
func numberless(s string) string { return numbers.ReplaceAllString(steady(s), "#") }
