package profiles

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/refscope/refscope/snapshot/text"
)

// Problem is something wrong or doubtful in a profile's text, as a sentence.
type Problem struct {
	Line int    `json:"line"` // from 1
	Text string `json:"text"`
	// Fatal: the line does not do what it was meant to do.
	Fatal bool `json:"fatal"`
}

// String is the problem as one line: "line 7: …".
func (p Problem) String() string { return fmt.Sprintf("line %d: %s", p.Line, p.Text) }

// MaxText is the largest profile that is read and written, in bytes.
const MaxText = 1 << 20

// normal is a text in UTF-8 with plain line breaks, without a byte order mark.
func normal(text string) string {
	text = strings.ToValidUTF8(strings.TrimPrefix(text, "\ufeff"), "\ufffd")
	return strings.ReplaceAll(text, "\r\n", "\n")
}

// Parse takes a text apart. It reads whatever it is given: lines of the front matter
// that it does not understand are problems, and are kept in [Front.Extra].
func Parse(text string) (*Profile, []Problem) {
	text = normal(text)
	p := &Profile{}
	var problems []Problem
	body, line, open := text, 1, false
	if rest, ok := strings.CutPrefix(text, "---\n"); ok {
		if front, after, ok := cutFence(rest); ok {
			p.Fenced = true
			r := &reader{front: &p.Front, line: 1}
			r.read(front)
			problems, p.unread = r.problems, r.unread
			body = after
			line += 2 + strings.Count(front, "\n")
		} else {
			open = true
			end := Problem{1, "the front matter has no end: close it with a line ---", true}
			problems = append(problems, end)
			if strings.Contains("\n"+rest, "\nredact:") {
				p.unread = append(p.unread, end)
			}
		}
	}
	p.split(body, line)
	for _, r := range strayRules(p.Preamble, line) {
		if open {
			break // its lines stand in the text for want of the end
		}
		problems = append(problems, r.Problem)
		if r.key == "redact" && !p.Fenced {
			p.unread = append(p.unread, r.Problem)
		}
	}
	return p, problems
}

// strayRule is a rule that stands in the text.
type strayRule struct {
	key string
	Problem
}

// strayRules lists lines above the sections that begin as a rule does: outside the front matter they do nothing, and
// who wrote one may rely on it. Line is the number of the text's first.
func strayRules(preamble string, line int) []strayRule {
	var out []strayRule
	fence := ""
	for i, l := range strings.Split(preamble, "\n") {
		switch t := strings.TrimLeft(l, " "); {
		case fence != "":
			if strings.HasPrefix(t, fence) {
				fence = ""
			}
			continue
		case strings.HasPrefix(t, "```"), strings.HasPrefix(t, "~~~"):
			fence = t[:3]
			continue
		}
		key, _, ok := strings.Cut(l, ":")
		if ok && slices.Contains(ruleKeys, key) {
			out = append(out, strayRule{key, Problem{line + i, fmt.Sprintf(
				"%s stands outside of the front matter and does nothing: write the rules at the start, between two "+
					"lines ---",
				key), true}})
		}
	}
	return out
}

// ruleKeys are the keys of a front matter.
var ruleKeys = []string{"filter", "redact", "wait", "facts", "allow-secrets"}

// cutFence splits at the line that closes the front matter.
func cutFence(s string) (front, after string, ok bool) {
	for at := 0; at <= len(s); {
		line, _, more := strings.Cut(s[at:], "\n")
		if strings.TrimRight(line, " \t") == "---" {
			after = ""
			if more {
				after = s[at+len(line)+1:]
			}
			return s[:at], after, true
		}
		if !more {
			return "", "", false
		}
		at += len(line) + 1
	}
	return "", "", false
}

// split finds the sections: level two headings outside fenced code.
func (p *Profile) split(body string, line int) {
	fence := ""
	var cur *strings.Builder
	preamble := &strings.Builder{}
	cur = preamble
	var bodies []*strings.Builder
	for len(body) > 0 {
		l, rest, more := strings.Cut(body, "\n")
		whole := body[:len(body)-len(rest)]
		if !more {
			whole, rest = body, ""
		}
		t := strings.TrimLeft(l, " ")
		indent := len(l) - len(t)
		switch {
		case fence == "" && indent < 4 && (strings.HasPrefix(t, "```") || strings.HasPrefix(t, "~~~")):
			fence = t[:3]
		case fence != "" && strings.HasPrefix(t, fence) && strings.Trim(t, fence[:1]+" \t") == "":
			fence = ""
		case fence == "" && indent == 0 && strings.HasPrefix(l, "## ") && more:
			name := strings.TrimSpace(l[3:])
			if name != "" && l == "## "+name {
				p.Sections = append(p.Sections, Section{Name: name, Line: line})
				cur = &strings.Builder{}
				bodies = append(bodies, cur)
				body, line = rest, line+1
				continue
			}
		}
		cur.WriteString(whole)
		body, line = rest, line+1
	}
	p.Preamble = preamble.String()
	for i, b := range bodies {
		p.Sections[i].Body = b.String()
	}
}

// reader reads the lines of a front matter.
type reader struct {
	front    *Front
	line     int
	problems []Problem
	unread   []Problem // of them, those about redactions
	group    string    // the key whose indented lines are read
}

func (r *reader) fault(format string, args ...any) {
	p := Problem{r.line, fmt.Sprintf(format, args...), true}
	r.problems = append(r.problems, p)
	if r.group == "redact" {
		r.unread = append(r.unread, p)
	}
}

// keep notes a line that is not understood, as it is.
func (r *reader) keep(line string) { r.front.Extra = append(r.front.Extra, Extra{r.group, line}) }

func (r *reader) read(text string) {
	for text != "" {
		line, rest, _ := strings.Cut(text, "\n")
		text = rest
		r.line++
		trimmed := strings.TrimSpace(line)
		switch {
		case trimmed == "":
		case strings.HasPrefix(line, "#"):
			r.keep(line)
		case line[0] == ' ' || line[0] == '\t' || line[0] == '-':
			r.inner(line, trimmed)
		default:
			r.key(line)
		}
	}
}

func (r *reader) key(line string) {
	key, value, ok := strings.Cut(line, ":")
	key = strings.TrimSpace(key)
	if !ok {
		r.group = "?"
		r.keep(line)
		r.fault("%s is not an entry: write KEY: VALUE, or indent it below its key", quoted(line))
		return
	}
	if strings.HasPrefix(strings.TrimSpace(value), "# ") {
		value = "" // a remark behind the key
	}
	value, good := scalar(value)
	switch key {
	case "filter", "redact", "wait", "facts":
		r.group = key
		if value != "" && value != "[]" && value != "{}" || !good {
			r.keep(line)
			r.fault("%s is a list: write its entries on lines of their own, indented", key)
		}
	case "allow-secrets":
		r.group = key
		switch value {
		case "true", "false":
			r.front.AllowSecrets = value == "true"
		default:
			r.keep(line)
			r.fault("allow-secrets is true or false, not %s", quoted(value))
		}
	default:
		r.group = "?"
		r.keep(line)
		r.fault("the key %s is not known: use %s or %s", quoted(key), strings.Join(ruleKeys[:len(ruleKeys)-1], ", "),
			ruleKeys[len(ruleKeys)-1])
	}
}

// inner reads an indented line.
func (r *reader) inner(line, trimmed string) {
	item, isItem := "", trimmed == "-"
	if !isItem {
		item, isItem = strings.CutPrefix(trimmed, "- ")
	}
	if !isItem && strings.HasPrefix(trimmed, "#") {
		r.keep(line)
		return
	}
	bad := func(format string, args ...any) {
		r.keep(line)
		r.fault(format, args...)
	}
	switch r.group {
	case "filter":
		value, ok := scalar(item)
		if !isItem || !ok || value == "" {
			bad("a filter is a CSS selector after a dash, such as - .ads")
			return
		}
		r.front.Filter = append(r.front.Filter, Rule{value, r.line})
	case "redact":
		kind, rest, _ := strings.Cut(item, ":")
		value, ok := scalar(rest)
		switch {
		case isItem && ok && value != "" && strings.TrimSpace(kind) == "selector":
			r.front.Redact = append(r.front.Redact, Redaction{Selector: value, Line: r.line})
		case isItem && ok && value != "" && strings.TrimSpace(kind) == "pattern":
			r.front.Redact = append(r.front.Redact, Redaction{Pattern: value, Line: r.line})
		default:
			bad("a redaction is - selector: CSS or - pattern: EXPRESSION")
		}
	case "wait":
		key, rest, ok := strings.Cut(trimmed, ":")
		value, good := scalar(rest)
		if isItem || !ok || !good || value == "" {
			bad("write the waits as quiet: 500ms, max: 8s, network: 300ms and for: CSS, indented")
			return
		}
		r.wait(strings.TrimSpace(key), value, bad)
	case "facts":
		value, ok := scalar(item)
		if !isItem || !ok || value == "" {
			bad("a fact is a day and a sentence after a dash, such as - 2026-11-02 search needs two clicks")
			return
		}
		f := Fact{Text: value, Line: r.line}
		day, rest, _ := strings.Cut(value, " ")
		if t, err := time.Parse(time.DateOnly, day); err == nil {
			f.Verified, f.Text = t, strings.TrimSpace(rest)
		}
		r.front.Facts = append(r.front.Facts, f)
	default:
		r.keep(line)
		if r.group != "?" {
			r.fault("%s is indented, but no list is above it", quoted(trimmed))
		}
	}
}

func (r *reader) wait(key, value string, bad func(string, ...any)) {
	w := &r.front.Wait
	if key == "for" {
		w.For, w.Line = value, r.line
		return
	}
	to := map[string]*time.Duration{"quiet": &w.Quiet, "max": &w.Max, "network": &w.Network}[key]
	if to == nil {
		bad("wait knows quiet, max, network and for, not %s", quoted(key))
		return
	}
	d, err := time.ParseDuration(value)
	if err != nil || d <= 0 || d > time.Hour {
		bad("%s is a time such as 500ms or 8s, not %s", key, quoted(value))
		return
	}
	*to = d
}

// scalar is a value: in double quotes as JSON writes it, in single quotes with two
// of them for one, or as it is up to a comment.
func scalar(s string) (string, bool) {
	s = strings.TrimSpace(s)
	switch {
	case strings.HasPrefix(s, `"`):
		dec := json.NewDecoder(strings.NewReader(s))
		var v string
		if err := dec.Decode(&v); err != nil {
			return "", false
		}
		rest := strings.TrimSpace(s[dec.InputOffset():])
		return strings.TrimSpace(v), (rest == "" || strings.HasPrefix(rest, "#")) && !strings.ContainsAny(v, "\n\r")
	case strings.HasPrefix(s, "'"):
		var b strings.Builder
		for i := 1; i < len(s); i++ {
			if s[i] != '\'' {
				b.WriteByte(s[i])
				continue
			}
			if i+1 < len(s) && s[i+1] == '\'' {
				b.WriteByte('\'')
				i++
				continue
			}
			rest := strings.TrimSpace(s[i+1:])
			return strings.TrimSpace(b.String()), rest == "" || strings.HasPrefix(rest, "#")
		}
		return "", false
	}
	if i := strings.Index(s, " # "); i >= 0 {
		s = s[:i]
	}
	return strings.TrimSpace(s), true
}

// quoted is a text of the profile for a sentence: harmless, short and in quotes.
func quoted(s string) string { return text.Quote(text.Cut(s, 61)) }

// Text puts a profile together: front matter, preamble, sections. Of a profile that
// was parsed, all that stood in it is there again; the front matter's own layout and
// comments behind values are not.
func (p *Profile) Text() string {
	var b strings.Builder
	if front := p.Front.text(); p.Fenced || front != "" {
		b.WriteString("---\n" + front + "---\n")
	}
	b.WriteString(p.Preamble)
	for _, s := range p.Sections {
		if t := b.String(); t != "" && !strings.HasSuffix(t, "\n") {
			b.WriteByte('\n')
		}
		b.WriteString("## " + s.Name + "\n" + s.Body)
	}
	return b.String()
}

func (f *Front) text() string {
	var b strings.Builder
	extra := func(key string) (lines []string) {
		for _, e := range f.Extra {
			if e.Key == key {
				lines = append(lines, e.Text)
			}
		}
		return lines
	}
	write := func(lines []string) {
		for _, line := range lines {
			b.WriteString(line + "\n")
		}
	}
	group := func(key string, lines []string) {
		if lines = append(lines, extra(key)...); len(lines) > 0 {
			b.WriteString(key + ":\n")
			write(lines)
		}
	}
	write(extra(""))
	var filter, redact, wait, facts []string
	for _, r := range f.Filter {
		filter = append(filter, "  - "+quote(r.Text))
	}
	for _, r := range f.Redact {
		if r.Selector != "" {
			redact = append(redact, "  - selector: "+quote(r.Selector))
		} else {
			redact = append(redact, "  - pattern: "+quote(r.Pattern))
		}
	}
	for _, w := range []struct {
		key string
		d   time.Duration
	}{{"quiet", f.Wait.Quiet}, {"max", f.Wait.Max}, {"network", f.Wait.Network}} {
		if w.d > 0 {
			wait = append(wait, "  "+w.key+": "+w.d.String())
		}
	}
	if f.Wait.For != "" {
		wait = append(wait, "  for: "+quote(f.Wait.For))
	}
	for _, fact := range f.Facts {
		text := fact.Text
		if !fact.Verified.IsZero() {
			text = strings.TrimSpace(fact.Verified.Format(time.DateOnly) + " " + text)
		}
		facts = append(facts, "  - "+quote(text))
	}
	group("filter", filter)
	group("redact", redact)
	group("wait", wait)
	group("facts", facts)
	if lines := extra("allow-secrets"); f.AllowSecrets || len(lines) > 0 {
		b.WriteString("allow-secrets: " + strconv.FormatBool(f.AllowSecrets) + "\n")
		write(lines)
	}
	write(extra("?"))
	return b.String()
}

// quote writes a value so that this package and YAML read the same. Single quotes
// leave the backslashes of a pattern alone.
func quote(s string) string {
	plain := s != "" && !strings.ContainsAny(s[:1], "\"'#&*!|>%@`-?[]{},:~= \t") && !strings.Contains(s, " #") &&
		!strings.Contains(s, ": ") && !strings.HasSuffix(s, ":") && strings.TrimSpace(s) == s &&
		s != "true" && s != "false" && s != "null"
	for _, r := range s {
		if r < 0x20 || r == 0x7f || r == '\ufffd' || r == '\u2028' || r == '\u2029' || r >= 0x80 && r <= 0xa0 {
			b, err := json.Marshal(s)
			if err == nil {
				return string(b)
			}
			plain = false
		}
	}
	if plain {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", "''") + "'"
}
