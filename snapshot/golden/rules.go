package golden

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/refscope/refscope/snapshot"
)

// Rule replaces text that changes on its own. Patterns are those of Go (RE2), which
// take time in proportion to the text whatever they are.
type Rule struct {
	Name    string `json:"name"`    // what it is called
	Pattern string `json:"pattern"` // a regular expression in Go's syntax
	// Put is in the place of each match; $1 is the first group. "" is the rule's
	// name in ‹›.
	Put string `json:"put,omitempty"`

	digit bool // nothing without a digit matches, so most texts need not be tried
}

// Limits of a rule, in characters.
const (
	maxName    = 60
	maxPattern = 1_000
	maxPut     = 200
)

// builtin are the rules that a list turns on by name, in the order in which they run.
// Several may have one name.
func builtin() []Rule {
	const (
		amount = `(?:\d{1,3}(?:[.,'’ \x{a0}\x{202f}]\d{3})+|\d+)(?:[.,](?:\d+|[-–—]+))?`
		day    = `\d{1,2}(?:st|nd|rd|th)?\.?`
		month  = `(?:Jan(?:uary|uar)?|Feb(?:ruary|ruar)?|Mar(?:ch)?|März|Apr(?:il)?|May|Mai|June?|Juni|July?|Juli|` +
			`Aug(?:ust)?|Sept?(?:ember)?|O[ck]t(?:ober)?|Nov(?:ember)?|De[cz](?:ember)?)\.?`
	)
	return []Rule{
		{Name: "host", Pattern: `(127\.0\.0\.1|\blocalhost|\[::1\]):\d{1,5}\b`, Put: "$1:0", digit: true},
		{Name: "id", Pattern: `\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\b`},
		// RFC 9562, 4
		{Name: "id", Pattern: `[:«]r[0-9a-z]+[:»]`},
		// useId of React 18 and 19
		{Name: "time", Pattern: `\b\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:Z|[+-]\d{2}:?\d{2}\b)?`,
			digit: true}, // ISO 8601
		{Name: "time",
			Pattern: `(?i)\b(?:\d+|an?|one) ?(?:s|secs?|seconds?|mins?|minutes?|h|hrs?|hours?|days?|weeks?|` +
				`months?|years?) ago\b`},
		{Name: "date", Pattern: `\b\d{4}[-/.]\d{1,2}[-/.]\d{1,2}\b`, digit: true},
		{Name: "date", Pattern: `\b\d{1,2}[-/.]\d{1,2}[-/.]\d{4}\b`, digit: true},
		{Name: "date", Pattern: `\b\d{1,2}/\d{1,2}/\d{2}\b`, digit: true},
		{Name: "date", Pattern: `\b` + day + ` (?:of )?` + month + `(?:,? \d{4})?(?:\b|$)`, digit: true},
		{Name: "date", Pattern: `\b` + month + ` ` + day + `(?:,? \d{4})?(?:\b|$)`, digit: true},
		{Name: "time", Pattern: `\b(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?: ?[aApP]\.?[mM]\b\.?)?`, digit: true},
		{Name: "price", Pattern: `[-−]?(?:[$€£¥₹₽₩]|\b(?:USD|EUR|GBP|CHF|JPY))[ \x{a0}\x{202f}]?` + amount,
			digit: true},
		{Name: "price", Pattern: `\b` + amount +
			`[ \x{a0}\x{202f}]?(?:[€£₽₩]|(?:USD|EUR|GBP|CHF|JPY|PLN|SEK|NOK|DKK|kr|zł|Kč)\b)`, digit: true},
		{Name: "id", Pattern: `\b[0-9a-fA-F]{12,}\b`},     // hashes
		{Name: "id", Pattern: `\b\d{10,}\b`, digit: true}, // numbers of databases, milliseconds
	}
}

// ruleNames are those of the built-in rules, in the order of their first rule.
func ruleNames() []string {
	var out []string
	for _, r := range builtin() {
		if !slices.Contains(out, r.Name) {
			out = append(out, r.Name)
		}
	}
	return out
}

// compiled is a rule that is ready.
type compiled struct {
	Rule
	re *regexp.Regexp
}

// compile checks a rule. Its errors name the rule.
func (r Rule) compile() (compiled, error) {
	fail := func(format string, args ...any) (compiled, error) {
		return compiled{}, fmt.Errorf("rule %q: %s", r.Name, fmt.Sprintf(format, args...))
	}
	switch {
	case r.Name == "" || utf8.RuneCountInString(r.Name) > maxName || !clean(r.Name):
		return fail("a name has 1 to %d printable characters", maxName)
	case utf8.RuneCountInString(r.Pattern) > maxPattern:
		return fail("its pattern has more than %d characters", maxPattern)
	case utf8.RuneCountInString(r.Put) > maxPut || !clean(r.Put):
		return fail("what it puts has at most %d printable characters", maxPut)
	}
	re, err := regexp.Compile(r.Pattern)
	if err != nil {
		return fail("%v", err)
	}
	if re.MatchString("") {
		return fail("its pattern matches the empty text, so everywhere")
	}
	if r.Put == "" {
		r.Put = "‹" + strings.NewReplacer("$", "", "‹", "", "›", "").Replace(r.Name) + "›"
	}
	return compiled{r, re}, nil
}

// clean reports whether a text is printable UTF-8 in one line.
func clean(s string) bool {
	return utf8.ValidString(s) && strings.IndexFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) < 0
}

// Replaced lists what a rule replaced, for a person to see that it took nothing else.
type Replaced struct {
	Rule  string `json:"rule"`  // the name of the rule
	Count int    `json:"count"` // how often it replaced something
	// Examples are the first different texts, in order, each cut at 60 characters.
	Examples []string `json:"examples"`
	// Texts are all of them in the order of the page, at most maxTexts, each cut likewise.
	Texts []string `json:"texts,omitempty"`
}

const (
	maxExamples = 4
	maxTexts    = 500
	exampleMax  = 60
)

// Normaliser applies rules. It is immutable and safe for concurrent use.
type Normaliser struct {
	rules []compiled // for all that a page says
	codes []compiled // in front of these, for what nobody reads: addresses, and attributes but those in readAttrs
}

// readAttrs are the attributes that a person reads or hears.
const readAttrs = " alt title placeholder value label content aria-label aria-description aria-placeholder " +
	"aria-roledescription aria-valuetext aria-braillelabel summary "

// newNormaliser compiles rules of one's own, which run first, and the built-in ones
// with these names.
func newNormaliser(own []Rule, names []string) (*Normaliser, error) {
	n := &Normaliser{}
	for _, name := range names {
		if !slices.Contains(ruleNames(), name) {
			return nil, fmt.Errorf("unknown rule %q: choose from %s", name, strings.Join(ruleNames(), ", "))
		}
	}
	for _, r := range own {
		c, err := r.compile()
		if err != nil {
			return nil, err
		}
		n.rules = append(n.rules, c)
	}
	for _, r := range builtin() {
		if !slices.Contains(names, r.Name) {
			continue
		}
		c, err := r.compile()
		if err != nil {
			return nil, err
		}
		n.rules = append(n.rules, c)
	}
	return n, nil
}

// Builtin is a normaliser with the built-in rules of these names: host, id, time, date and
// price. Another name is a mistake of the program: Builtin panics, as regexp.MustCompile does.
func Builtin(names ...string) *Normaliser {
	n, err := newNormaliser(nil, names)
	if err != nil {
		panic(err)
	}
	return n
}

// tally counts what was replaced, by rule in the order of its first match.
type tally struct {
	list []Replaced
	at   map[string]int
}

func (t *tally) add(rule, was string) {
	i, ok := t.at[rule]
	if !ok {
		if t.at == nil {
			t.at = map[string]int{}
		}
		i = len(t.list)
		t.at[rule] = i
		t.list = append(t.list, Replaced{Rule: rule})
	}
	r := &t.list[i]
	r.Count++
	if utf8.RuneCountInString(was) > exampleMax {
		was = string([]rune(was)[:exampleMax-1]) + "…"
	}
	if len(r.Examples) < maxExamples && !slices.Contains(r.Examples, was) {
		r.Examples = append(r.Examples, was)
	}
	if len(r.Texts) < maxTexts {
		r.Texts = append(r.Texts, was)
	}
}

// Masked is a text that a rule replaced on both sides and that is another one now.
type Masked struct {
	Rule string `json:"rule"` // the name of the rule that masks it
	Was  string `json:"was"`  // "" where nothing was in its place
	Now  string `json:"now"`  // what it is now
}

// MaskedBetween pairs what each rule replaced in the accepted page and now, in order, and lists what
// differs: a check that says "same" did not compare it.
func MaskedBetween(was, now []Replaced) []Masked {
	var out []Masked
	texts := func(list []Replaced, rule string) []string {
		if i := slices.IndexFunc(list, func(r Replaced) bool { return r.Rule == rule }); i >= 0 {
			return list[i].Texts
		}
		return nil
	}
	var rules []string
	for _, r := range slices.Concat(was, now) {
		if !slices.Contains(rules, r.Rule) {
			rules = append(rules, r.Rule)
		}
	}
	for _, rule := range rules {
		a, b := texts(was, rule), texts(now, rule)
		for i := range max(len(a), len(b)) {
			m := Masked{Rule: rule}
			if i < len(a) {
				m.Was = a[i]
			}
			if i < len(b) {
				m.Now = b[i]
			}
			if m.Was != m.Now && !slices.Contains(out, m) {
				out = append(out, m)
			}
		}
	}
	return out
}

// Proven are the built-in rules that two captures of an unchanged page need: what these replace differs
// between the two. Where there are none, nothing of the page changes by itself.
func Proven(a, b *snapshot.Capture) []string {
	names := asked()
	for _, name := range ruleNames() {
		n := Builtin(name)
		_, one := n.Capture(a)
		_, two := n.Capture(b)
		if !slices.Contains(names, name) && len(MaskedBetween(one, two)) > 0 {
			names = append(names, name)
		}
	}
	return names
}

// asked are the rules of a list that names none. The port of a server on this machine is another one each
// time that it starts, and refscopectl starts one for files.
func asked() []string { return []string{"host"} }

// Text is the text after all rules, and what they replaced.
func (n *Normaliser) Text(s string) (string, []Replaced) {
	var t tally
	return n.apply(s, &t), t.list
}

func (n *Normaliser) apply(s string, t *tally) string { return apply(n.rules, s, t) }

// unread is apply for a text that nobody reads.
func (n *Normaliser) unread(s string, t *tally) string {
	return apply(n.rules, apply(n.codes, s, t), t)
}

func apply(rules []compiled, s string, t *tally) string {
	digits := hasDigit(s)
	for i := range rules {
		r := &rules[i]
		if r.digit && !digits {
			continue
		}
		matches := r.re.FindAllStringSubmatchIndex(s, -1)
		if len(matches) == 0 {
			continue
		}
		var b []byte
		at := 0
		for _, m := range matches {
			b = append(b, s[at:m[0]]...)
			was := s[m[0]:m[1]]
			now := r.re.ExpandString(nil, r.Put, s, m)
			if string(now) != was {
				t.add(r.Name, was)
			}
			b = append(b, now...)
			at = m[1]
		}
		s = string(append(b, s[at:]...))
		digits = hasDigit(s)
	}
	return s
}

func hasDigit(s string) bool { return strings.ContainsAny(s, "0123456789") }
