package endpoint

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// A task's words are read clause by clause, with ";" or "then" between them:
//
//	click "Add Heron gooseneck kettle to the basket"      also press, open, follow
//	fill "Email" with "ada@example.org"                    also type "…" into "…"
//	choose "Portugal" in "Country"                         also select … from …
//	check "I agree"                                        also uncheck
//	press Enter                                            a key, without quotes
//	scroll "Workshop log"                                  a container further down
//	fill the form                                          every field by its kind
//	finish the checkout                                    whatever a shop asks for until the order is placed
//
// and each may end with: until "Thank you" appears, or: until the page changes.

// clause is one thing to be done.
type clause struct {
	do    string // click, fill, choose, check, uncheck, key, scroll, form
	what  string // the element's name, or the key
	with  string // the text or option
	until string // a text that appears, "\n" for another page, "" for the usual
	roles []string
	// ifThere: where it is not there, it need not be done.
	ifThere bool
}

func (c clause) String() string {
	switch c.do {
	case "fill":
		return fmt.Sprintf("fill %q", c.what)
	case "choose":
		return fmt.Sprintf("choose %q in %q", c.with, c.what)
	case "key":
		return "press " + c.what
	case "form":
		return "fill the form"
	}
	return fmt.Sprintf("%s %q", c.do, c.what)
}

var (
	untilText = regexp.MustCompile(`(?i)^(.*\S)\s+until\s+"([^"]+)"\s+appears$`)
	untilPage = regexp.MustCompile(`(?i)^(.*\S)\s+until\s+the\s+page\s+changes$`)
	patterns  = []struct {
		re *regexp.Regexp
		of func(m []string) []clause
	}{
		{regexp.MustCompile(`(?i)^(?:click|press|open|follow)\s+"([^"]+)"$`),
			func(m []string) []clause { return []clause{{do: "click", what: m[1]}} }},
		{regexp.MustCompile(`(?i)^fill\s+"([^"]+)"\s+with\s+"([^"]*)"$`),
			func(m []string) []clause { return []clause{{do: "fill", what: m[1], with: m[2]}} }},
		{regexp.MustCompile(`(?i)^type\s+"([^"]*)"\s+into\s+"([^"]+)"$`),
			func(m []string) []clause { return []clause{{do: "fill", what: m[2], with: m[1]}} }},
		{regexp.MustCompile(`(?i)^(?:choose|select)\s+"([^"]+)"\s+(?:in|from)\s+"([^"]+)"$`),
			func(m []string) []clause { return []clause{{do: "choose", what: m[2], with: m[1]}} }},
		{regexp.MustCompile(`(?i)^(check|uncheck)\s+"([^"]+)"$`),
			func(m []string) []clause { return []clause{{do: strings.ToLower(m[1]), what: m[2]}} }},
		{regexp.MustCompile(`(?i)^press\s+([A-Za-z0-9+]+)$`),
			func(m []string) []clause { return []clause{{do: "key", what: m[1]}} }},
		{regexp.MustCompile(`(?i)^scroll\s+"([^"]+)"$`),
			func(m []string) []clause { return []clause{{do: "scroll", what: m[1]}} }},
		{regexp.MustCompile(`(?i)^fill(?:\s+in)?\s+the\s+form$`),
			func([]string) []clause { return []clause{{do: "form"}} }},
		{regexp.MustCompile(`(?i)^finish\s+the\s+checkout$`), func([]string) []clause {
			return []clause{
				{do: "click", what: "Basket", roles: []string{"btn"}, ifThere: true},
				{do: "click", what: "Go to checkout", until: "\n", ifThere: true},
				{do: "form"},
				{do: "check", what: "I agree"},
				{do: "click", what: "Place order", until: "\n"},
			}
		}},
	}
)

// readTask reads a task's words. A clause that is not understood is an error that names
// it: this endpoint does not pretend.
func readTask(query string) ([]clause, error) {
	var plan []clause
	for _, part := range split(query) {
		until := ""
		if m := untilText.FindStringSubmatch(part); m != nil {
			part, until = m[1], m[2]
		} else if m := untilPage.FindStringSubmatch(part); m != nil {
			part, until = m[1], "\n"
		}
		found := false
		for _, p := range patterns {
			if m := p.re.FindStringSubmatch(part); m != nil {
				list := p.of(m)
				if until != "" {
					list[len(list)-1].until = until
				}
				plan, found = append(plan, list...), true
				break
			}
		}
		if !found {
			return nil, fmt.Errorf("there is no rule for: %s", part)
		}
	}
	if len(plan) == 0 {
		return nil, errors.New("the task is empty")
	}
	return plan, nil
}

// split divides a task at ";" and "then", but not between quotes.
func split(query string) []string {
	var parts []string
	var b strings.Builder
	quoted := false
	flush := func() {
		if s := strings.Trim(strings.TrimSpace(b.String()), ".,"); s != "" {
			parts = append(parts, strings.TrimSpace(s))
		}
		b.Reset()
	}
	for i := 0; i < len(query); i++ {
		switch c := query[i]; {
		case c == '"':
			quoted = !quoted
			b.WriteByte(c)
		case quoted:
			b.WriteByte(c)
		case c == ';':
			flush()
		case (c == ' ' || c == ',') && strings.HasPrefix(strings.ToLower(query[i+1:]), "then "):
			flush()
			i += len("then ")
		default:
			b.WriteByte(c)
		}
	}
	flush()
	return parts
}
