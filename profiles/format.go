package profiles

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"
)

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
	plain := s != "" && !strings.ContainsAny(s[:1], "\"'#&*!|>%@`-?[]{},:~= \t") && !strings.Contains(s, " #") && !strings.Contains(s, ": ") &&
		!strings.HasSuffix(s, ":") && s != "true" && s != "false" && s != "null" && strings.TrimSpace(s) == s
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
