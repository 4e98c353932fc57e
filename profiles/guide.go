package profiles

import "strings"

// Rules is a front matter with one example of every rule, each with what it does. The editor, the help and the page in
// docs show it.
const Rules = `---
filter:                       # left out of every text, with its contents
  - .global-nav
redact:                       # never leaves the page
  - selector: .balance
  - pattern: ACME-(\d{8})     # the group, or without one the whole match
wait:
  quiet: 500ms                # without changes before a capture
  max: 8s                     # of the whole wait
  network: 300ms              # without requests
  for: "#app main"            # must be there first
facts:
  - 2026-11-02 main content is in #content
allow-secrets: false          # true: answers may hold password values
---
`

// RuleNames are the keys of [Rules], in their order.
func RuleNames() []string {
	var names []string
	for line := range strings.Lines(Rules) {
		if name, _, ok := strings.Cut(line, ":"); ok && !strings.HasPrefix(line, " ") {
			names = append(names, name)
		}
	}
	return names
}

// RuleExample is the part of [Rules] about one key, "" where it has none of that name.
func RuleExample(name string) string {
	var b strings.Builder
	for line := range strings.Lines(Rules) {
		switch {
		case strings.HasPrefix(line, name+":"), b.Len() > 0 && strings.HasPrefix(line, " "):
			b.WriteString(line)
		case b.Len() > 0:
			return b.String()
		}
	}
	return b.String()
}

// CommentedRules is [Rules] as comments: a front matter that does nothing until a line of it is uncommented.
func CommentedRules() string {
	var b strings.Builder
	for line := range strings.Lines(Rules) {
		if line != "---\n" {
			b.WriteString("# ")
		}
		b.WriteString(line)
	}
	return b.String()
}
