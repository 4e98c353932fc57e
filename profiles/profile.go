// Package profiles stores what is known about sites, one markdown file for each domain. Start with [Open] and [Parse].
//
// A profile is written by agents and people for agents and people, so its text is
// authoritative and this package rewrites no more of it than it must. The text has
// five sections, all optional: Environment, Quirks, Strategies, Regions, Recipes.
// Before them there may be a front matter with the settings that Refscope itself applies:
//
//	---
//	filter:                       # left out of every dump, subtree and all
//	  - .global-nav
//	redact:                       # never leaves the page
//	  - selector: .balance
//	  - pattern: ACME-(\d{8})     # the group, or without one the whole match
//	wait:
//	  quiet: 500ms                # without changes before a capture
//	  max: 8s                     # of the whole wait
//	  network: 300ms              # without requests
//	  for: "#app main"            # must be there first
//	facts:
//	  - 2026-11-02 main content is in #content
//	allow-secrets: false          # true: answers may hold password values
//	---
//	# shop.example
//	Updated: 2026-11-02
//
//	## Quirks
//	- the cookie banner blocks all clicks until it is dismissed
//
// The front matter is a small part of YAML: keys at the start of a line, items and
// the keys of a group indented, values as they are or in quotes, a comment on a line
// of its own or after " # ". Inside a list an item may begin with # (an id selector).
//
// Files are HOME/profiles/DOMAIN.md. A [Store] finds the one for a URL (the host with
// its port, the host, its parent domains), saves atomically, keeps every replaced
// version under HOME/profiles/.history/DOMAIN/, and refuses to save over a text that
// the writer has not read: [Conflict] carries both. All I/O goes through an [os.Root],
// so no name and no link leads out of the folder; what varies between machines (the
// folder, a second folder to read from) is given by the caller. [Store.Import] copies
// another folder's profiles and overwrites none.
//
// [FromPage] is a first profile with the landmarks of a captured page, and
// [Profile.Try] shows on a recorded page what a profile would leave out and redact.
package profiles

import (
	"slices"
	"strings"
	"time"
)

// Names of the five sections that a profile is recommended to have.
const (
	Environment = "Environment"
	Quirks      = "Quirks"
	Strategies  = "Strategies"
	Regions     = "Regions"
	Recipes     = "Recipes"
)

// SectionNames are the five sections in their order.
func SectionNames() []string {
	return []string{Environment, Quirks, Strategies, Regions, Recipes}
}

// Profile is a profile's text taken apart. [Profile.Text] puts it together again.
type Profile struct {
	Front Front
	// Fenced: there is a front matter, if only an empty one.
	Fenced bool
	// Preamble is what is before the first section: title, date, remarks.
	Preamble string
	Sections []Section
	// unread are lines that were meant to withhold something and were not understood.
	unread []Problem
}

// Section is one "## Name" part of the text.
type Section struct {
	Name string // as written; see [Profile.Section]
	Line int    // of its heading in the text, from 1; 0 where it was not read from one
	Body string // the lines below the heading, each with its line break
}

// Front is the front matter: what Refscope itself acts on.
type Front struct {
	Filter []Rule // CSS selectors of what is left out
	Redact []Redaction
	Wait   Wait
	Facts  []Fact
	// AllowSecrets lets values of password and code fields through to the answer of
	// the agent that asked; they are stored nowhere anyway.
	AllowSecrets bool
	// Extra are the lines that are not understood here, and remarks, as they were.
	Extra []Extra
}

// Extra is a line of the front matter that is kept as it is.
type Extra struct {
	Key  string // under which it is: "" before all, "?" under a key not known here
	Text string
}

// Rule is one entry and the line it is on, 0 where it was not read from a text.
type Rule struct {
	Text string
	Line int
}

// Redaction names content that must not leave the page: one of the two is set.
type Redaction struct {
	Selector string // CSS: all content of these elements
	Pattern  string // a regular expression in Go's syntax, applied to every text
	Line     int
}

// Wait is how long a capture waits for the page; zero means the caller's own.
type Wait struct {
	Quiet, Max, Network time.Duration
	For                 string // CSS: an element that must be rendered first
	Line                int    // of For
}

// Fact is one thing that was known to hold on a day.
type Fact struct {
	Verified time.Time // UTC midnight of the day; zero where none is given
	Text     string
	Line     int
}

// Section is the first section of that name, whatever its letter case; nil for none.
func (p *Profile) Section(name string) *Section {
	i := slices.IndexFunc(p.Sections, func(s Section) bool { return strings.EqualFold(s.Name, name) })
	if i < 0 {
		return nil
	}
	return &p.Sections[i]
}

// Redactions are the selectors and the patterns to redact by.
func (p *Profile) Redactions() (selectors, patterns []string) {
	for _, r := range p.Front.Redact {
		if r.Selector != "" {
			selectors = append(selectors, r.Selector)
		}
		if r.Pattern != "" {
			patterns = append(patterns, r.Pattern)
		}
	}
	return selectors, patterns
}

// Template is a first profile for a domain, to be filled in.
func Template(domain string, day time.Time) string {
	var b strings.Builder
	b.WriteString("# " + domain + "\nUpdated: " + day.Format(time.DateOnly) + "\n")
	for _, s := range []struct{ name, what string }{
		{Environment, "framework, navigation, where the main content is"},
		{Quirks, "what makes automation fail without foreknowledge"},
		{Strategies, "how to fill, click and wait; readyWhen and settledWhen hooks"},
		{Regions, "stable selectors of navigation, main content, sidebar, footer"},
		{Recipes, "step sequences for login, search, checkout"},
	} {
		b.WriteString("\n## " + s.name + "\n<!-- " + s.what + " -->\n")
	}
	return b.String()
}
