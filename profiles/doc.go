// Package profiles keeps what is known of a site: one markdown file for each domain.
//
// A profile is written by agents and people for agents and people, so its text is
// the truth and this package never rewrites what it does not have to. The text has
// five sections, all optional: Environment, Quirks, Strategies, Regions, Recipes.
// Before them there may be a front matter with what Refscope itself acts on:
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
