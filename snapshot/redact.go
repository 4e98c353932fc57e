package snapshot

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// SecretRule is one kind of secret that is known by its looks alone, wherever it
// stands: in text, attributes, values, names, URLs, console lines. The collector
// gets this table too and applies it in the page, so there is one list; a test runs
// both over the same cases.
type SecretRule struct {
	Name string `json:"name"`
	// Pattern is written in the syntax that Go and JavaScript share. Where it has a
	// group, the group is the secret, else the whole match is.
	Pattern string `json:"pattern"`
	Fold    bool   `json:"fold,omitempty"` // letter case is ignored
	// Hints: a text without any of them cannot match, and is not tried. Lower case
	// where Fold is set.
	Hints []string `json:"hints"`
	// Check is what a match must satisfy besides: "card" is a number that a card
	// scheme gives out, with its Luhn digit; "mixed" has letters and digits,
	// "varied" small and capital letters and digits.
	Check string `json:"check,omitempty"`
	Put   string `json:"put"` // what stands there instead
	// Source says where the shape is published.
	Source string `json:"source"`
}

const (
	putToken = "[redacted: token]"
	putCard  = "[redacted: card]"
	putPart  = "[redacted]"
)

// SecretRules are the built-in rules. Shapes without a fixed beginning, such as bare
// hexadecimal, are not among them: they look like ids.
func SecretRules() []SecretRule { return slices.Clone(secretRules) }

var secretRules = []SecretRule{
	{Name: "JSON web token", Pattern: `\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)*`,
		Hints: []string{"eyJ"}, Put: putToken, Source: "RFC 7519, section 3.1: base64url of {\" begins with eyJ"},
	{Name: "sk- key", Pattern: `\bsk-[A-Za-z0-9_-]{20,}`, Hints: []string{"sk-"}, Check: "varied", Put: putToken,
		Source: "OpenAI and Anthropic API references, authentication"},
	{Name: "Stripe key", Pattern: `\b(?:[sr]k_(?:live|test)_|whsec_)[A-Za-z0-9]{16,}`, Hints: []string{"k_live_", "k_test_", "whsec_"}, Put: putToken,
		Source: "docs.stripe.com/keys"},
	{Name: "AWS access key", Pattern: `\b(?:AKIA|ASIA)[A-Z0-9]{16}\b`, Hints: []string{"AKIA", "ASIA"}, Put: putToken,
		Source: "AWS IAM user guide, unique identifiers"},
	{Name: "GitHub token", Pattern: `\b(?:gh[oprsu]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{22,})`, Hints: []string{"gho_", "ghp_", "ghr_", "ghs_", "ghu_", "github_pat_"}, Put: putToken,
		Source: "docs.github.com, GitHub's token formats"},
	{Name: "GitLab token", Pattern: `\bglpat-[A-Za-z0-9_-]{20,}`, Hints: []string{"glpat-"}, Put: putToken,
		Source: "docs.gitlab.com, token prefixes"},
	{Name: "Slack token", Pattern: `\bxox[abeoprs]-[A-Za-z0-9-]{10,}`, Hints: []string{"xox"}, Put: putToken,
		Source: "docs.slack.dev, token types"},
	{Name: "Google key", Pattern: `\b(?:AIza[A-Za-z0-9_-]{35}|ya29\.[A-Za-z0-9_-]{20,})`, Hints: []string{"AIza", "ya29."}, Put: putToken,
		Source: "docs.cloud.google.com, secret scanning: API keys and OAuth tokens"},
	{Name: "npm token", Pattern: `\bnpm_[A-Za-z0-9]{36}`, Hints: []string{"npm_"}, Put: putToken,
		Source: "GitHub changelog 2021-09-23, npm's token format"},
	{Name: "bearer token", Pattern: `\bbearer[ \t]+([A-Za-z0-9._~+/=-]{16,})`, Fold: true, Hints: []string{"bearer"}, Check: "mixed", Put: putToken,
		Source: "RFC 6750, section 2.1"},
	{Name: "basic credentials", Pattern: `\bauthorization["']?[ \t]*[:=][ \t]*["']?basic[ \t]+([A-Za-z0-9+/=_-]{6,})`, Fold: true, Hints: []string{"authorization"}, Put: putToken,
		Source: "RFC 7617, section 2"},
	{Name: "private key", Pattern: `-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----[^-]*(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----)?`,
		Hints: []string{"PRIVATE KEY"}, Put: "[redacted: key]", Source: "RFC 7468, section 10"},
	{Name: "password in a URL", Pattern: `://[^/ \t\n\f\r:@?#"'<>]+:([^/ \t\n\f\r@?#"'<>]+)@`, Hints: []string{"://"}, Put: putPart,
		Source: "RFC 3986, section 3.2.1"},
	{Name: "URL parameter", Pattern: urlParameter, Fold: true, Hints: []string{"=", "%3d"}, Put: putPart,
		Source: "RFC 6749, sections 4.1.2 and 4.2.2, RFC 6750, section 2.3, and the names in common use"},
	// The separators are space, no-break space, thin and narrow no-break space, hyphen
	// and non-breaking hyphen.
	{Name: "card number", Pattern: `\d(?:[ ` + "\u00a0\u2009\u202f\u2011" + `-]?\d){13,}`, Check: "card", Put: putCard,
		Source: "ISO/IEC 7812-1, annex B (Luhn), and the schemes' published ranges"},
}

// urlParameter are query and fragment parameters that let their holder in, also
// inside another URL's parameter, where they are escaped.
const urlParameter = `(?:[?&#;]|%3f|%26|%23)` +
	`(?:[\w.\[\]-]*(?:token|passw(?:or)?d|passphrase|secret|(?:api|access|auth|private)[_-]?key|session[_-]?id|signature|credential)|` +
	`pwd|code|session|sessid|sid|jsessionid|phpsessid|auth|authorization|otp|sig|ticket|samlresponse|assertion)` +
	`\]?(?:=|%3d)([^&# \t\n\f\r"'<>]+)`

// PatternLimit is how long a pattern of a profile may be, in bytes.
const PatternLimit = 500

// Redactor takes secrets out of texts that reach Refscope outside a page's elements,
// and applies a site profile's own patterns to everything. It is immutable.
//
// Go's regular expressions take time in proportion to the text whatever the pattern,
// which no browser promises: so a profile's patterns run here and cannot hang a page.
type Redactor struct {
	builtin []compiledRule
	custom  []compiledRule
}

type compiledRule struct {
	SecretRule
	re *regexp.Regexp
}

// NewRedactor compiles a profile's patterns beside the built-in rules. A pattern that
// is too long, matches the empty text or does not compile is an error that names it.
func NewRedactor(patterns ...string) (*Redactor, error) {
	r := &Redactor{}
	for _, rule := range secretRules {
		re, err := compileRule(rule)
		if err != nil {
			return nil, err
		}
		r.builtin = append(r.builtin, compiledRule{rule, re})
	}
	for _, p := range patterns {
		if err := CheckPattern(p); err != nil {
			return nil, err
		}
		rule := SecretRule{Name: "profile", Pattern: p, Put: putPart}
		re, err := compileRule(rule)
		if err != nil {
			return nil, err
		}
		r.custom = append(r.custom, compiledRule{rule, re})
	}
	return r, nil
}

// CheckPattern says what is wrong with a profile's pattern, nil where it can be used.
func CheckPattern(p string) error {
	if len(p) > PatternLimit {
		return fmt.Errorf("a pattern of %d bytes: at most %d are allowed", len(p), PatternLimit)
	}
	re, err := regexp.Compile(p)
	if err != nil {
		var syntax interface{ Unwrap() error }
		if errors.As(err, &syntax) {
			err = syntax.Unwrap()
		}
		return fmt.Errorf("pattern %q: %w: write it in Go's syntax, which has no look-around and no back-references", p, err)
	}
	if re.MatchString("") {
		return fmt.Errorf("pattern %q matches the empty text, so it would match everywhere", p)
	}
	return nil
}

func compileRule(rule SecretRule) (*regexp.Regexp, error) {
	p := rule.Pattern
	if rule.Fold {
		p = "(?i)" + p
	}
	re, err := regexp.Compile(p)
	if err != nil {
		return nil, fmt.Errorf("secret rule %s: %w", rule.Name, err)
	}
	return re, nil
}

// Custom reports whether a profile's patterns are among the rules.
func (r *Redactor) Custom() bool { return len(r.custom) > 0 }

// Clean is the text without what looks like a secret. Cleaning twice changes nothing
// more.
func (r *Redactor) Clean(s string) string { return r.CleanCustom(r.cleanWith(r.builtin, s)) }

// CleanCustom applies only the profile's patterns, for text that the page's rules
// have seen already.
func (r *Redactor) CleanCustom(s string) string {
	if len(r.custom) == 0 {
		return s
	}
	return r.cleanWith(r.custom, s)
}

func (r *Redactor) cleanWith(rules []compiledRule, s string) string {
	if s == "" {
		return s
	}
	lower := ""
	for _, rule := range rules {
		in := s
		if rule.Fold {
			if lower == "" {
				lower = strings.ToLower(s)
			}
			in = lower
		}
		if !hinted(rule.SecretRule, in) {
			continue
		}
		if next := rule.replace(s); next != s {
			s, lower = next, ""
		}
	}
	return s
}

func hinted(rule SecretRule, s string) bool {
	if rule.Check == "card" {
		return strings.ContainsAny(s, "23456") && countDigits(s) >= 14
	}
	if len(rule.Hints) == 0 {
		return true
	}
	for _, h := range rule.Hints {
		if strings.Contains(s, h) {
			return true
		}
	}
	return false
}

func countDigits(s string) int {
	n := 0
	for i := 0; i < len(s); i++ {
		if s[i] >= '0' && s[i] <= '9' {
			n++
		}
	}
	return n
}

// Found is a secret in a text.
type Found struct {
	Start, End int    // byte offsets
	Put        string // the mark that goes in its place: [redacted: token]
	Rule       string // name of the rule; "profile" for a profile's own
}

// Find lists what Clean would take out of the text, in no order; two rules may find the
// same. It is for who must leave everything else as it is, byte for byte.
func (r *Redactor) Find(s string) []Found {
	var out []Found
	lower := ""
	for _, rules := range [][]compiledRule{r.builtin, r.custom} {
		for _, rule := range rules {
			in := s
			if rule.Fold {
				if lower == "" {
					lower = strings.ToLower(s)
				}
				in = lower
			}
			if s != "" && hinted(rule.SecretRule, in) {
				out = append(out, rule.find(s)...)
			}
		}
	}
	return out
}

// find lists the rule's secrets in order; they do not overlap.
func (c *compiledRule) find(s string) []Found {
	var out []Found
	done := 0
	for _, m := range c.re.FindAllStringSubmatchIndex(s, -1) {
		from, to := m[0], m[1]
		if len(m) > 3 && m[2] >= 0 {
			from, to = m[2], m[3]
		}
		if from == to || from < done {
			continue
		}
		if c.Check == "card" {
			for _, card := range cardSpans(s, from, to) {
				out = append(out, Found{card[0], card[1], c.Put, c.Name})
				done = card[1]
			}
			continue
		}
		if c.passes(s[from:to]) {
			out = append(out, Found{from, to, c.Put, c.Name})
			done = to
		}
	}
	return out
}

func (c *compiledRule) replace(s string) string {
	found := c.find(s)
	if len(found) == 0 {
		return s
	}
	var b strings.Builder
	done := 0
	for _, f := range found {
		b.WriteString(s[done:f.Start])
		b.WriteString(f.Put)
		done = f.End
	}
	b.WriteString(s[done:])
	return b.String()
}

// passes is the check of a match besides its pattern.
func (c *compiledRule) passes(match string) bool {
	if c.Check == "" {
		return true
	}
	var small, capital, digit bool
	for _, ch := range match {
		switch {
		case ch >= 'a' && ch <= 'z':
			small = true
		case ch >= 'A' && ch <= 'Z':
			capital = true
		case ch >= '0' && ch <= '9':
			digit = true
		}
	}
	if c.Check == "mixed" {
		return digit && (small || capital)
	}
	return digit && small && capital
}
