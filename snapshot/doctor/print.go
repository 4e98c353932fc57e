package doctor

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/refscope/refscope/snapshot/audit"
	"github.com/refscope/refscope/snapshot/observation"
	"github.com/refscope/refscope/snapshot/text"
)

// Text is the report for people: what the model saw, what it wants done, and what is wrong.
func (r *Report) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "turn %d: %s, %s, %s\n", r.Turn, strings.TrimSpace(r.Dialect+" "+r.Model), r.Cost(), r.Words())
	if r.Paired {
		fmt.Fprintf(&b, "page: %s\n", r.URL)
	} else {
		b.WriteString("page: none is paired with the request")
		if r.Unpaired != "" {
			b.WriteString(": " + text.Line(r.Unpaired))
		}
		b.WriteByte('\n')
	}
	r.sections(&b)
	if p := r.Prefix; p != nil {
		fmt.Fprintf(&b, "the same as in turn %d: the first %s tokens", p.Turn, text.Thousands(p.Tokens))
		if p.Broken != "" {
			fmt.Fprintf(&b, ", up to byte %d in %s", p.At, p.Broken)
		}
		b.WriteByte('\n')
	}
	r.knowledge(&b)
	for _, t := range r.Targets {
		r.target(&b, t)
	}
	rules := map[string]audit.Rule{}
	for _, rule := range Rules() {
		rules[rule.ID] = rule
	}
	for _, f := range r.Findings {
		fmt.Fprintf(&b, "\n%s %s: %s\n", strings.ToUpper(string(f.Severity)), f.Rule, rules[f.Rule].Title)
		fmt.Fprintf(&b, "  %s\n", f.Sentence)
		if f.Evidence != "" {
			fmt.Fprintf(&b, "  %s\n", text.QuoteLine(f.Evidence))
		}
		if f.Section != "" {
			fmt.Fprintf(&b, "  in %s, bytes %d to %d of the request\n", f.Section, f.Bytes[0], f.Bytes[1])
		}
		fmt.Fprintf(&b, "  → %s\n", f.Action)
	}
	if len(r.Findings) == 0 {
		b.WriteString("\nNothing was found.\n")
	}
	return b.String()
}

// Cost are the tokens of the request in words: as the vendor counted them where its answer says so.
func (r *Report) Cost() string {
	if r.Counted > 0 {
		return text.Count(r.Counted, "token", "tokens") + " as the vendor counted"
	}
	return "about " + text.Count(r.Tokens, "token", "tokens")
}

// manyTools is from how many tools on they are one line: an agent of today brings fifty.
const manyTools = 10

// sections is what the model saw, one line for each section, and one for many tools.
func (r *Report) sections(b *strings.Builder) {
	tools, largest := Section{}, Section{}
	count := 0
	for _, s := range r.Sections {
		if s.Role == "tools" {
			if tools.Tokens, count = tools.Tokens+s.Tokens, count+1; count == 1 || s.Tokens > largest.Tokens {
				largest = s
			}
		}
	}
	listed := false
	for _, s := range r.Sections {
		if s.Role == "tools" && count >= manyTools {
			if !listed {
				name := s.Name[:max(0, strings.LastIndexByte(s.Name, '['))]
				fmt.Fprintf(b, "  %-24s %-9s %7s tokens  %d tools, the largest is %s with %s\n", name, s.Role,
					text.Thousands(tools.Tokens), count, largest.Name, text.Count(largest.Tokens, "token", "tokens"))
			}
			listed = true
			continue
		}
		isNew := ""
		if s.New && r.Prefix != nil {
			isNew = " new"
		}
		count := text.Thousands(s.Tokens)
		if s.Tokens == 0 && len(s.Images) > 0 {
			count = "?" // the model is not known
		}
		fmt.Fprintf(b, "  %-24s %-9s %7s tokens%s", s.Name, short(s.Role), count, isNew)
		for _, t := range r.Texts {
			if t.Section == s.Name {
				fmt.Fprintf(b, "  %s, %s", t.Called(), text.Count(len(t.Lines), "element", "elements"))
				if t.Matched > 0 {
					fmt.Fprintf(b, ", %d known on the page", t.Matched)
				}
			}
		}
		for _, p := range s.Images {
			switch {
			case p.Problem != "":
				fmt.Fprintf(b, "  picture: %s", p.Problem)
			case p.Width == 0:
				b.WriteString("  picture elsewhere")
			case p.SeenWidth != p.Width || p.SeenHeight != p.Height:
				fmt.Fprintf(b, "  picture %d x %d px, seen as %d x %d", p.Width, p.Height, p.SeenWidth, p.SeenHeight)
			default:
				fmt.Fprintf(b, "  picture %d x %d px", p.Width, p.Height)
			}
		}
		b.WriteByte('\n')
	}
}

// knowledge is what the model knows of the page where that is more than the newest text.
func (r *Report) knowledge(b *strings.Builder) {
	if k := r.Known; k != nil {
		merged, oldest := 0, r.Turn
		for _, t := range r.Texts {
			if t.Standing != observation.Superseded {
				merged++
			}
		}
		for _, l := range k.Lines {
			oldest = min(oldest, l.Since)
		}
		from := text.Count(merged, "text", "texts")
		if merged == 0 { // of calls before
			from = "the turns before"
		}
		fmt.Fprintf(b, "known of the page: %s from %s, the oldest since turn %d",
			text.Count(len(k.Lines), "element", "elements"), from, oldest)
		if r.Paired {
			fmt.Fprintf(b, "; %d known on the page", k.Matched)
		}
		b.WriteByte('\n')
	}
	for _, d := range r.Dropped {
		fmt.Fprintf(b, "left out since: the text of turn %d, %s (%s)\n", d.Turn,
			text.Count(d.Lines, "element", "elements"), d.Format)
	}
}

func (r *Report) target(b *strings.Builder, t Target) {
	what := short(t.Ref)
	switch {
	case t.Point != nil:
		what = fmt.Sprintf("%.0f, %.0f", t.Point[0], t.Point[1])
	case what == "":
		what = text.QuoteLine(short(cmp.Or(t.Named, t.Selector)))
	}
	fmt.Fprintf(b, "answer: %s %s", short(t.Verb), what)
	if t.ElementRef > 0 {
		fmt.Fprintf(b, " → [%d]", t.ElementRef)
	}
	if t.Why != "" {
		fmt.Fprintf(b, ": %s", t.Why)
	}
	b.WriteByte('\n')
}
