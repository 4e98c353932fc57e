// Package redact is the one owner of redaction: which texts are secret, and how they are
// taken out (DESIGN, idea 5; B-11, P-3).
//
// Start with [Redactor.Clean] for a text, [JSON] for the texts of a JSON value, and [Body]
// for bytes as they cross the wire. All three take out what the rules of one table find
// by its looks ([Rules]), what the patterns of a site's profile find ([New]), and given
// [Secret] values; Body also the values of fields that hold secrets by their name. Each is
// replaced by a mark, "[redacted: token]".
//
// Invariants: outside of the marks every byte is unchanged; marks are never changed, so
// that redacting twice changes nothing more; no given secret is left where its [Reach]
// looks for it. Text that was made to hide a secret, in base64 for one, is not found:
// redaction stops accidental leaks only.
//
// The audit looks for the same and for more ([ForAudit]). The page applies [Rules] itself,
// before a text leaves it, see capture/collect/js/redact.js. Package redacttest holds the
// cases that both are tested with. Which form controls hold secrets is known to [Control].
package redact

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// patternLimit is how long a pattern of a profile may be, in bytes.
const patternLimit = 500

// findingLimit is how often a rule of the audit alone is found in one text at most.
const findingLimit = 20

// ProfileRule is the name of the rules that are patterns of a profile.
const ProfileRule = "profile"

// passes bounds how often a text is gone over. Two are enough for the built-in rules: the
// mark of a secret may make a word of what was beside it.
const passes = 8

// Redactor takes secrets out of texts. It is immutable.
//
// Go's regular expressions take time in proportion to the text whatever the pattern,
// which no browser promises: so a profile's patterns run here and cannot hang a page.
type Redactor struct {
	builtin []compiled
	custom  []compiled
	secrets []Secret // see With
}

type compiled struct {
	Rule
	re            *regexp.Regexp
	before, after [256]bool // the characters of Before and After
	named         bool      // a pattern of two groups, a name and its value
}

var builtin = sync.OnceValue(func() []compiled { return compile(Rules(AtCapture)) })

func compile(rules []Rule) []compiled {
	out := make([]compiled, len(rules))
	for i, rule := range rules {
		p := rule.Pattern
		if rule.Fold {
			p = "(?i)" + p
		}
		out[i] = compiled{Rule: rule, re: regexp.MustCompile(p)}
		out[i].named = out[i].re.NumSubexp() == 2
		for k := range len(rule.Before) {
			out[i].before[rule.Before[k]] = true
		}
		for k := range len(rule.After) {
			out[i].after[rule.After[k]] = true
		}
	}
	return out
}

// Standard has the built-in rules alone.
func Standard() *Redactor { return &Redactor{builtin: builtin()} }

// New has a profile's patterns beside the built-in rules. A pattern that is too long,
// matches the empty text or does not compile is an error that names it.
func New(patterns ...string) (*Redactor, error) {
	r := Standard()
	for _, p := range patterns {
		if err := CheckPattern(p); err != nil {
			return nil, err
		}
		r.custom = append(r.custom, compile([]Rule{{Name: ProfileRule, Pattern: p, Put: markPlain}})...)
	}
	return r, nil
}

// ForAudit has the rules that the audit looks for, for [Redactor.Find].
func ForAudit(personal bool) *Redactor {
	r := &Redactor{builtin: slices.Clone(builtin())}
	if personal {
		r.builtin = append(r.builtin, compile(Rules(Personal))...)
	}
	return r
}

// CheckPattern describes what is wrong with a profile's pattern, nil where it can be used.
func CheckPattern(p string) error {
	if len(p) > patternLimit {
		return fmt.Errorf("a pattern of %d bytes: at most %d are allowed", len(p), patternLimit)
	}
	re, err := regexp.Compile(p)
	if err != nil {
		var syntax interface{ Unwrap() error }
		if errors.As(err, &syntax) {
			err = syntax.Unwrap()
		}
		return fmt.Errorf("pattern %q: %w: write it in Go's syntax, which has no look-around and no back-references",
			p, err)
	}
	if re.MatchString("") {
		return fmt.Errorf("pattern %q matches the empty text, so it would match everywhere", p)
	}
	return nil
}

// With is the redactor with these secrets, and no others, beside its rules.
func (r *Redactor) With(secrets ...Secret) *Redactor {
	out := *r
	out.secrets = secrets
	return &out
}

// Custom reports whether a profile's patterns or given secrets are among the rules.
func (r *Redactor) Custom() bool { return len(r.custom)+len(r.secrets) > 0 }

// Clean is the text without what looks like a secret and without the given secrets.
// Cleaning twice changes nothing more.
func (r *Redactor) Clean(s string, secrets ...Secret) string {
	return search{rules: [][]compiled{r.builtin, r.custom}, secrets: slices.Concat(r.secrets, secrets)}.clean(s)
}

// CleanAddress is [Redactor.Clean] for an address, or another text in which the given secrets and what the profile's
// patterns find may be percent-encoded, or spelled as in JSON or HTML.
func (r *Redactor) CleanAddress(s string, secrets ...Secret) string {
	return r.CleanEncoded(r.Clean(s, secrets...), secrets...)
}

// CleanEncoded is the part of [Redactor.CleanAddress] that follows Clean.
func (r *Redactor) CleanEncoded(s string, secrets ...Secret) string {
	q := search{rules: [][]compiled{r.custom}, secrets: slices.Concat(r.secrets, secrets)}
	if len(r.custom)+len(q.secrets) == 0 || !strings.ContainsAny(s, `%+\&`) {
		return s
	}
	out, _ := q.body([]byte(s))
	return string(out)
}

// CleanCustom applies only the profile's patterns and the redactor's own secrets, for text
// that the page's rules have seen already.
func (r *Redactor) CleanCustom(s string) string {
	if !r.Custom() {
		return s
	}
	return search{rules: [][]compiled{r.custom}, secrets: r.secrets}.clean(s)
}

// splitSecret is how many bytes a secret has at least that is looked for across texts that follow each other.
const splitSecret = 6

// CleanSplit are texts that a page shows one after the other, without the redactor's own secrets where a page has split
// one over several of them. The first of those gets the mark.
func (r *Redactor) CleanSplit(texts []string) []string {
	out := slices.Clone(texts)
	all := strings.Join(texts, "")
	for _, secret := range r.secrets {
		if len(secret.Value) < splitSecret {
			continue
		}
		for at := 0; ; {
			i := strings.Index(all[at:], secret.Value)
			if i < 0 {
				break
			}
			from, to := at+i, at+i+len(secret.Value)
			at = to
			begin, mark := 0, Mark(secret.Why)
			for k, t := range texts {
				end := begin + len(t)
				if from < end && to > begin && (from < begin || to > end) {
					out[k] = strings.Replace(out[k], t[max(from-begin, 0):min(to, end)-begin], mark, 1)
					mark = ""
				}
				if begin = end; begin >= to {
					break
				}
			}
		}
	}
	return out
}

// Remove is the text without the given secrets, whatever the rules find.
func Remove(s string, secrets ...Secret) string { return search{secrets: secrets}.clean(s) }

// Match is a secret in a text.
type Match struct {
	Start, End int    // byte offsets
	Rule       string // name of the rule; [ProfileRule] for a profile's own
	Use        Use
}

// Find lists the secrets in a text, in no order; two rules may find the same. What is
// withheld already is none.
func (r *Redactor) Find(s string) []Match {
	var out []Match
	marks := Marks([]byte(s))
	in := blank(s, marks)
	for _, rules := range [][]compiled{r.builtin, r.custom} {
		eachMatch(rules, in, func(rule *compiled, from, to int) {
			if !strings.Contains(in[from:to], blankMark) {
				out = append(out, Match{from, to, rule.Name, rule.Use})
			}
		})
	}
	return out
}

// search has the rules and secrets to look for in a text.
type search struct {
	rules   [][]compiled
	secrets []Secret
	fields  bool // also the values of fields that hold secrets, as a body spells them
	// document: the text is a JSON document as it is, so that a backslash in it begins an escape.
	document bool
}

func (q search) clean(s string) string {
	for range passes {
		found := q.find(s)
		if len(found) == 0 {
			return s
		}
		found = spare(join(found), genuine(Marks([]byte(s)), found))
		if len(found) == 0 {
			return s
		}
		var b strings.Builder
		done := 0
		for _, f := range found {
			b.WriteString(s[done:f.start])
			b.WriteString(f.put)
			done = f.end
		}
		b.WriteString(s[done:])
		s = b.String()
	}
	return s
}

// find lists the stretches of a text that must go, and maybe parts of marks with them.
func (q search) find(s string) []stretch {
	if s == "" {
		return nil
	}
	var out []stretch
	if strings.Contains(s, markBegin) {
		marks := Marks([]byte(s))
		for _, m := range marks {
			if q.forged(m.Why) {
				out = append(out, stretch{start: m.Start, end: m.End, put: markPlain, forged: true})
			}
		}
		s = blank(s, marks)
	}
	return append(out, q.bare(s)...)
}

// bare is find for a text without marks.
func (q search) bare(s string) []stretch {
	var out []stretch
	own := q.signs(s)
	for _, rules := range q.rules {
		eachMatch(rules, s, func(rule *compiled, from, to int) {
			if own.hold(from, to) {
				return
			}
			if q.fields {
				if end := valueEnd(s, from, to, q.document); end < to {
					if to = end; !rule.ends(s, from, to) {
						return
					}
				}
			}
			out = append(out, stretch{start: from, end: to, put: rule.Put})
		})
	}
	if q.fields {
		eachField(s, func(from, to int) {
			if !own.hold(from, to) {
				out = append(out, stretch{start: from, end: to, put: markField})
			}
		})
	}
	// Where both find the same stretch, the rule's mark stays: a text reads alike before and after it is known.
	for _, secret := range q.secrets {
		mark := Mark(secret.Why)
		secret.each(s, func(from, to int) { out = append(out, stretch{start: from, end: to, put: mark}) })
	}
	return out
}

// forged reports whether a mark's reason holds a secret.
func (q search) forged(why string) bool {
	if commonReason(why) {
		return false
	}
	for _, s := range q.secrets {
		if reason(Mark(s.Why)) == why {
			return false
		}
	}
	q.fields = false
	return len(q.bare(why)) > 0
}

// blankMark replaces a mark in a text. No rule matches it alone; what
// matches around it matches through it.
const blankMark = "\x00"

func blank(s string, marks []Span) string {
	if len(marks) == 0 {
		return s
	}
	b := []byte(s)
	for _, m := range marks {
		for i := m.Start; i < m.End; i++ {
			b[i] = blankMark[0]
		}
	}
	return string(b)
}

// eachMatch calls see with each secret that the rules find, rule by rule; those of one
// rule are in order and do not overlap.
func eachMatch(rules []compiled, s string, see func(rule *compiled, from, to int)) {
	lower := ""
	for k := range rules {
		rule := &rules[k]
		in := s
		if rule.Fold {
			if lower == "" {
				lower = strings.ToLower(s)
			}
			in = lower
		}
		if rule.hinted(in) {
			rule.each(s, rule.places(in, s), func(from, to int) { see(rule, from, to) })
		}
	}
}

// ends reports whether the rule still finds what begins at from where the text ends at to.
func (c *compiled) ends(s string, from, to int) bool {
	found := false
	begin := max(0, from-maxBefore)
	c.each(s[:to], [][2]int{{begin, to}}, func(a, b int) { found = found || a <= from && from < b })
	return found
}

// maxBefore is how far before a secret the words are looked for that name it, in bytes.
const maxBefore = 200

// places are the parts of s that can hold matches, in order and apart: what is around the hints in the text that they
// are looked for in, or all of it.
func (c *compiled) places(in, s string) [][2]int {
	if c.After == "" || len(in) != len(s) { // in lower case, some letters have another length
		return [][2]int{{0, len(s)}}
	}
	hints := c.Hints
	if c.Check == "card" {
		hints = digits()
	}
	var all [][2]int
	for _, h := range hints {
		for done := 0; ; {
			at := strings.Index(in[done:], h)
			if at < 0 {
				break
			}
			at += done
			from, to := at, at+len(h)
			for from > 0 && !c.before[s[from-1]] {
				from--
			}
			for to < len(s) && !c.after[s[to]] {
				to++
			}
			all = append(all, [2]int{from, to})
			done = to
		}
	}
	slices.SortFunc(all, func(a, b [2]int) int { return a[0] - b[0] })
	apart := all[:0]
	for _, p := range all {
		if n := len(apart); n > 0 && p[0] <= apart[n-1][1] {
			apart[n-1][1] = max(apart[n-1][1], p[1])
		} else {
			apart = append(apart, p)
		}
	}
	if c.Check == "card" {
		apart = slices.DeleteFunc(apart, func(p [2]int) bool { return !c.hinted(s[p[0]:p[1]]) })
	}
	return apart
}

func (c *compiled) hinted(s string) bool {
	if c.Check == "card" {
		return strings.ContainsAny(s, "23456") && countDigits(s) >= 13
	}
	if len(c.Hints) == 0 {
		return true
	}
	for _, h := range c.Hints {
		if strings.Contains(s, h) {
			return true
		}
	}
	return false
}

// each calls see with the rule's secrets in some places of a text, which hold its matches as a whole.
func (c *compiled) each(s string, places [][2]int, see func(from, to int)) {
	limit := -1
	if c.Use != AtCapture {
		limit = findingLimit
	}
	done := 0
	for _, p := range places {
		if c.named {
			c.eachNamed(s, p[0], p[1], see)
			continue
		}
		for _, m := range c.re.FindAllStringSubmatchIndex(s[p[0]:p[1]], limit) {
			from, to := p[0]+m[0], p[0]+m[1]
			if len(m) > 3 && m[2] >= 0 {
				from, to = p[0]+m[2], p[0]+m[3]
			}
			if from == to || from < done || c.Use == Personal && endsNumber(s[:from]) {
				continue
			}
			if c.Check == "card" {
				for _, card := range cardSpans(s, from, to) {
					see(card[0], card[1])
					done = card[1]
				}
				continue
			}
			if passesCheck(c.Check, s[from:to]) {
				see(from, to)
				done = to
			}
		}
	}
}

// eachNamed is each for a pattern of a name and its value, from one offset to another. A value whose name is none of a
// secret may hold further names, as an address in a parameter does.
func (c *compiled) eachNamed(s string, from, to int, see func(from, to int)) {
	for from < to {
		m := c.re.FindStringSubmatchIndex(s[from:to])
		if m == nil {
			return
		}
		if passesNamed(c.Check, s[from+m[2]:from+m[3]], s[from+m[4]:from+m[5]]) {
			see(from+m[4], from+m[5])
			from += m[1]
			continue
		}
		from += m[4]
	}
}

// endsNumber reports whether a text ends with a digit, or a digit and a space: what
// follows is the rest of a longer number.
func endsNumber(s string) bool {
	s = strings.TrimSuffix(s, " ")
	return s != "" && s[len(s)-1] >= '0' && s[len(s)-1] <= '9'
}
