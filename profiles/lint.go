package profiles

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/refscope/refscope/snapshot/css"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/text"
)

// staleAfter is how old a fact may be before it should be looked at again.
const staleAfter = 180 * 24 * time.Hour

// Lint lists what is wrong or doubtful in a profile's text, by line. now reports which
// facts are old; where it is zero, none is.
func Lint(profile string, now time.Time) []Problem {
	var problems []Problem
	add := func(line int, fatal bool, format string, args ...any) {
		problems = append(problems, Problem{line, fmt.Sprintf(format, args...), fatal})
	}
	if len(profile) > MaxText {
		return []Problem{{1, fmt.Sprintf("the profile has %d bytes: at most %d are read", len(profile), MaxText), true}}
	}
	for i, line := range strings.Split(strings.TrimPrefix(profile, "\ufeff"), "\n") {
		line = strings.TrimSuffix(line, "\r")
		if !utf8.ValidString(line) {
			add(i+1, true, "the line is not UTF-8")
		} else if text.HasHidden(line) {
			add(i+1, false, "the line has control, direction or invisible characters: the text is not what it looks "+
				"like")
		}
	}
	p, parsed := Parse(profile)
	problems = append(problems, parsed...)
	for _, b := range p.Broken() {
		if !slices.Contains(parsed, b.Problem) {
			problems = append(problems, b.Problem)
		}
	}
	for _, r := range p.Front.Filter {
		if everything(r.Text) {
			add(r.Line, false, "filter %q leaves out the whole page", r.Text)
		}
	}
	for _, r := range p.Front.Redact {
		if everything(r.Selector) {
			add(r.Line, false, "redact %q withholds the whole page", r.Selector)
		}
	}
	w := p.Front.Wait
	if w.Max > 0 && w.Quiet > w.Max {
		line := lineOf(profile, "quiet:")
		add(line, true, "the page must be quiet for %s, but the whole wait ends after %s", w.Quiet, w.Max)
	}
	if p.Front.AllowSecrets {
		add(lineOf(profile, "allow-secrets:"), false, "answers to agents may hold passwords and codes of this site")
	}
	for _, f := range p.Front.Facts {
		switch {
		case f.Text == "":
			add(f.Line, true, "the fact has a day and no text")
		case f.Verified.IsZero():
			add(f.Line, false, "the fact has no day on which it was last seen to hold: begin it with one, such as "+
				"2026-11-02")
		case now.IsZero():
		case f.Verified.After(now.Add(24 * time.Hour)):
			add(f.Line, false, "the fact was last verified in the future, on %s", f.Verified.Format(time.DateOnly))
		case now.Sub(f.Verified) > staleAfter:
			days := int(now.Sub(f.Verified).Hours() / 24)
			add(f.Line, false, "the fact was last verified %d days ago: look whether it still holds", days)
		}
	}
	problems = append(problems, p.lintSections(profile)...)
	red := redact.Standard()
	for i, line := range strings.Split(normal(profile), "\n") {
		if red.Clean(line) != line {
			add(i+1, true, "the line holds what looks like a secret: agents are shown this text, so take it out")
		}
	}
	slices.SortStableFunc(problems, func(a, b Problem) int { return a.Line - b.Line })
	return problems
}

func (p *Profile) lintSections(profile string) []Problem {
	var problems []Problem
	add := func(line int, format string, args ...any) {
		problems = append(problems, Problem{line, fmt.Sprintf(format, args...), false})
	}
	seen := map[string]int{}
	for _, s := range p.Sections {
		i := slices.IndexFunc(SectionNames(), func(n string) bool { return strings.EqualFold(n, s.Name) })
		key := strings.ToLower(s.Name)
		switch {
		case seen[key] > 0:
			add(s.Line, "there is a section %s already in line %d", quoted(s.Name), seen[key])
		case i < 0:
			add(s.Line, "section %s is not one of %s", quoted(s.Name), strings.Join(SectionNames(), ", "))
		case strings.TrimSpace(s.Body) == "":
			add(s.Line, "section %q is empty: leave it out", s.Name)
		}
		if seen[key] == 0 {
			seen[key] = s.Line
		}
	}
	if strings.TrimSpace(p.Preamble) == "" && len(p.Sections) == 0 {
		add(max(1, strings.Count(normal(profile), "\n")), "the profile has no text about the site")
	}
	return problems
}

// Broken is a rule that cannot be used.
type Broken struct {
	Kind string // FilterRule, SelectorRule, PatternRule or WaitRule
	Problem
}

// Broken lists the rules that no page can use, lines that were meant to withhold something and are none among them.
// Everything that reads, writes or applies profiles asks it, so that all say the same of a rule.
func (p *Profile) Broken() []Broken {
	var out []Broken
	for _, line := range p.unread {
		out = append(out, Broken{SelectorRule, line})
	}
	add := func(kind string, line int, why string) {
		if why != "" {
			out = append(out, Broken{kind, Problem{line, why, true}})
		}
	}
	selector := func(kind, said, rule string, line int) {
		if why := checkSelector(rule); why != "" {
			add(kind, line, said+" "+quoted(rule)+": "+why)
		}
	}
	for _, r := range p.Front.Filter {
		selector(FilterRule, "filter", r.Text, r.Line)
	}
	for _, r := range p.Front.Redact {
		if r.Selector != "" {
			selector(SelectorRule, "redact", r.Selector, r.Line)
		} else if err := redact.CheckPattern(r.Pattern); err != nil {
			add(PatternRule, r.Line, "redact: "+err.Error())
		}
	}
	if w := p.Front.Wait; w.For != "" {
		selector(WaitRule, "wait for", w.For, w.Line)
	}
	return out
}

// checkSelector is why a page cannot use a selector, "" where it can.
func checkSelector(s string) string {
	err := css.Check(s)
	if syntax, ok := errors.AsType[*css.SyntaxError](err); ok {
		return fmt.Sprintf("not a valid CSS selector: %s (at character %d)", syntax.Why,
			utf8.RuneCountInString(s[:syntax.At])+1)
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

// everything: a selector that takes the whole page.
func everything(s string) bool {
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "*", "html", "body", ":root":
		return true
	}
	return false
}

// lineOf is the line of the front matter that begins with a key, 1 where none does.
func lineOf(text, key string) int {
	for i, line := range strings.Split(normal(text), "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), key) {
			return i + 1
		}
	}
	return 1
}
