package diff

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/refscope/refscope/snapshot/text"
)

// maxListed is how many ref numbers a grouped line of a report names.
const maxListed = 10

// Report is the difference for people, without a newline at its end:
//
//	https://shop.example/cart
//	note: the page had not settled at the second capture
//	page: title "Cart" → "Cart (1)"
//	overlay: added "modal Sign in" [30] dialog "Sign in"
//	- [12] button "Buy" (display-none: …)
//	+ [31] button "Close"
//	~ [3] textbox "Name": value "" → "Ada"; focused none → true
//	~ [14] link "Terms": is now [33] (paired by place)
//	~ [6] → [7] link "Help": renamed to "Support"
//	~ [8] button "Pay": covered by [30] dialog "Sign in" (clear → covered)
//	> 312 elements moved by 0, 40: [5], [6], [7], … +309 more
//	1 removed, 1 added, 3 changed, 312 moved; 96 unchanged.
//
// One line for each element, - removed, + added, ~ changed; > is a group of elements that moved by the same distance,
// came into view, left it, or have new numbers. Of two numberings an element has both its numbers. In brackets after a
// new number is the rule that paired the two elements. Page strings are quoted and cut at 160 characters, so a page
// cannot forge a line.
func (d *Diff) Report() string {
	lines := d.ReportLines()
	texts := make([]string, len(lines))
	for i := range lines {
		texts[i] = lines[i].Text
	}
	return strings.Join(texts, "\n")
}

// ReportLine is one line of a report and the elements that it is about.
type ReportLine struct {
	Text string
	// Sign is the kind of change: + - ~, > of a group, "" of the page; Words are Text without
	// the sign and the element's name.
	Sign, Words string
	// Before and After are the two sides of the element that the line is about; both
	// are nil for lines about the page, about groups, and for the sentence at the end.
	Before, After *Element
	// Named are the numbers that a line about a group names, in order.
	Named []Named
	// Kinds are the kinds of change of the element, or of those of the group, each once; nil for
	// lines about the page.
	Kinds []Kind
	// Elements is how many a line about a group tells of, of which Named has the first.
	Elements int
}

// Named is a part of a report's line that is the number of one element.
type Named struct {
	Start, End int // bytes of the line
	Element    *Element
}

// ReportLines is [Diff.Report] line by line, for a window that shows where each is.
func (d *Diff) ReportLines() []ReportLine {
	var out []ReportLine
	plain := func(s string) { out = append(out, ReportLine{Text: s, Words: s}) }
	if d.Before.URL == d.After.URL {
		plain(quoteless(d.After.URL))
	} else {
		plain(quoteless(d.Before.URL) + " → " + quoteless(d.After.URL))
	}
	if d.Navigated {
		plain("navigated: another origin, path or search")
	}
	for _, n := range d.Notes {
		plain("note: " + quoteless(n))
	}
	for _, f := range d.Page {
		out = append(out, ReportLine{Text: fmt.Sprintf("page: %s %s → %s", f.What, spell(f.From), spell(f.To)),
			Words: f.words()})
	}
	for i := range d.Frames {
		plain(d.Frames[i].line())
	}
	for i := range d.Overlays {
		o := &d.Overlays[i]
		out = append(out, ReportLine{Text: o.line(), Words: o.line(), Before: o.Before, After: o.After})
	}
	grouped := d.groups()
	for i := 0; i < len(d.Changes); {
		end := i + 1
		for end < len(d.Changes) && sameElement(&d.Changes[i], &d.Changes[end]) {
			end++
		}
		if l := elementLine(d.Changes[i:end], grouped); l.Text != "" {
			l.Before, l.After, l.Kinds = d.Changes[i].Before, d.Changes[i].After, kindsOf(d.Changes[i:end], grouped)
			out = append(out, l)
		}
		i = end
	}
	for _, g := range grouped.lines {
		if len(g.changes) > 1 {
			out = append(out, g.line())
		}
	}
	plain(d.Sentence())
	return out
}

// words is the fact as a sentence for people.
func (f Fact) words() string {
	has := func(what string) string {
		if f.To == true {
			return "The page has " + what + " now."
		}
		return "The page has " + what + " no longer."
	}
	counted := func(one, many string) string {
		n, _ := f.To.(int)
		return "The page has " + text.Count(n, one, many) + ", before " + spell(f.From) + "."
	}
	const another = "%s is %s, before %s."
	switch f.What {
	case "hasLoginForm":
		return has("a login form")
	case "hasCaptcha":
		return has("a captcha")
	case "formCount":
		return counted("form", "forms")
	case "interactiveCount":
		return counted("control", "controls")
	case "dialogs":
		return counted("dialog that was answered", "dialogs that were answered")
	case "scroll":
		return fmt.Sprintf(another, "The page is scrolled: the corner", spell(f.To), spell(f.From))
	case "scrollRange":
		return "The page can be scrolled to " + spell(f.To) + ", before to " + spell(f.From) + "."
	}
	subject := map[string]string{"url": "The address", "title": "The title", "lang": "The language",
		"viewport": "The viewport", "type": "The kind of page", "description": "The description"}[f.What]
	return fmt.Sprintf(another, cmp.Or(subject, f.What), spell(f.To), spell(f.From))
}

// kindsOf are the kinds of an element's changes that its own line contains.
func kindsOf(cs []Change, grouped *groups) []Kind {
	var kinds []Kind
	for i := range cs {
		if !grouped.has(&cs[i]) && !slices.Contains(kinds, cs[i].Kind) {
			kinds = append(kinds, cs[i].Kind)
		}
	}
	return kinds
}

// quoteless is a page's string without the quotes of quote.
func quoteless(s string) string {
	q := quote(s)
	if end := strings.LastIndexByte(q, '"'); end > 0 {
		return q[1:end] + q[end+1:]
	}
	return q
}

func (f *FrameChange) line() string {
	s := "frame: " + f.Kind
	switch {
	case f.From != "" && f.To != "" && f.From != f.To:
		s += " " + quote(f.From) + " → " + quote(f.To)
	case f.To != "":
		s += " " + quote(f.To)
	default:
		s += " " + quote(f.From)
	}
	if f.Why != "" {
		s += " (" + quoteless(f.Why) + ")"
	}
	return s
}

func (o *OverlayChange) line() string {
	switch o.Kind {
	case "added":
		return "overlay: added " + quote(o.To) + " " + o.After.title()
	case "removed":
		return "overlay: removed " + quote(o.From) + " " + o.Before.title()
	}
	return "overlay: " + o.After.title() + " " + o.Kind + " " + quote(o.From) + " → " + quote(o.To)
}

func sameElement(x, y *Change) bool { return x.Before == y.Before && x.After == y.After }

// elementLine is all that happened to one element, with no text where a group line contains it.
func elementLine(cs []Change, grouped *groups) ReportLine {
	was := func(sign string, e *Element, why, form string) ReportLine {
		l := ReportLine{Text: sign + " " + e.title(), Sign: sign}
		if why != "" {
			l.Words = fmt.Sprintf(form, quoteless(why))
			l.Text += " (" + l.Words + ")"
		}
		return l
	}
	switch c := &cs[0]; c.Kind {
	case Removed:
		return was("-", c.Before, c.Why, "%s")
	case Added:
		return was("+", c.After, c.Why, "was %s")
	}
	var parts []string
	for i := range cs {
		if !grouped.has(&cs[i]) {
			parts = append(parts, cs[i].words())
		}
	}
	if len(parts) == 0 {
		return ReportLine{}
	}
	words := strings.Join(parts, "; ")
	return ReportLine{Text: "~ " + cs[0].title() + ": " + words, Sign: "~", Words: words}
}

// title is the element that changed, with both its numbers where two numberings give it two. That it has a new one in
// the same numbering, the change itself says.
func (c *Change) title() string {
	if c.Before.Ref == c.After.Ref || c.Before.Ref == 0 || c.After.Ref == 0 || c.Kind == Replaced {
		return c.Before.title()
	}
	number := refWord(c.Before)
	return number + " → " + refWord(c.After) + strings.TrimPrefix(c.Before.title(), number)
}

// words is one change without the element's name.
func (c *Change) words() string {
	switch c.Kind {
	case Replaced:
		return fmt.Sprintf("is now %s (%s)", refWord(c.After), c.Rule.words())
	case Covered:
		by := ""
		if c.By != nil {
			by = " by " + c.By.title()
		}
		return fmt.Sprintf("covered%s (%v → %v)", by, c.From, c.To)
	case Uncovered:
		return fmt.Sprintf("uncovered (%v → %v)", c.From, c.To)
	case Moved:
		return "moved from " + spell(c.From) + " to " + spell(c.To)
	case Resized:
		return "resized from " + spell(c.From) + " to " + spell(c.To)
	case Viewport:
		if c.To == true {
			return "came into view"
		}
		return "left the view"
	case Scrolled:
		return "scrolled from " + spell(c.From) + " to " + spell(c.To)
	case Renamed:
		s := "renamed to " + spell(c.To)
		if c.Rule == ByPath {
			s += " (paired by its path alone)"
		}
		return s
	}
	return c.Field + " " + spell(c.From) + " → " + spell(c.To)
}

func refWord(e *Element) string {
	if e.Ref == 0 {
		return "without a number"
	}
	return "[" + strconv.Itoa(e.Ref) + "]"
}

// groups are the changes that many elements have alike.
type groups struct {
	lines []*group
	at    map[string]*group
}

type group struct {
	what    string
	changes []*Change
}

// groups collects the moves by their distance, what came into view or left it, and
// new numbers by the rule that paired them.
func (d *Diff) groups() *groups {
	g := &groups{at: map[string]*group{}}
	for i := range d.Changes {
		if key := groupOf(&d.Changes[i]); key != "" {
			if g.at[key] == nil {
				g.at[key] = &group{what: key}
				g.lines = append(g.lines, g.at[key])
			}
			g.at[key].changes = append(g.at[key].changes, &d.Changes[i])
		}
	}
	return g
}

// groupOf is the text of a group line for the change, "" where it does not belong in one.
func groupOf(c *Change) string {
	switch c.Kind {
	case Moved:
		from, ok1 := c.From.([2]float64)
		to, ok2 := c.To.([2]float64)
		if ok1 && ok2 {
			return "moved by " + spell([2]float64{to[0] - from[0], to[1] - from[1]})
		}
	case Viewport:
		return c.words()
	case Replaced:
		return "have new numbers (" + c.Rule.words() + ")"
	}
	return ""
}

// has reports whether a group of several elements contains the change.
func (g *groups) has(c *Change) bool {
	key := groupOf(c)
	return key != "" && len(g.at[key].changes) > 1
}

func (g *group) line() ReportLine {
	words := fmt.Sprintf("%d elements %s", len(g.changes), g.what)
	l := ReportLine{Text: "> " + words, Sign: ">", Words: words, Kinds: []Kind{g.changes[0].Kind},
		Elements: len(g.changes)}
	name := func(e *Element) {
		start := len(l.Text)
		l.Text += refWord(e)
		l.Named = append(l.Named, Named{start, len(l.Text), e})
	}
	named := 0
	for _, c := range g.changes {
		if c.After.Ref == 0 || named == maxListed {
			continue
		}
		if named++; named == 1 {
			l.Text += ": "
		} else {
			l.Text += ", "
		}
		if c.Before.Ref > 0 && c.Before.Ref != c.After.Ref {
			name(c.Before)
			l.Text += " → "
		}
		name(c.After)
	}
	if more := len(g.changes) - named; named > 0 && more > 0 {
		l.Text += fmt.Sprintf(", +%d more", more)
	}
	return l
}

// Sentence is the difference in one line of figures.
func (d *Diff) Sentence() string {
	if d.Empty() {
		return fmt.Sprintf("nothing changed; %d elements are the same.", d.Unchanged)
	}
	var parts []string
	for _, k := range Kinds() {
		if n := d.Counts[k]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, kindWord(k)))
		}
	}
	count := func(n int, one, many string) {
		switch {
		case n == 1:
			parts = append(parts, "1 "+one)
		case n > 1:
			parts = append(parts, strconv.Itoa(n)+" "+many)
		}
	}
	count(len(d.Page), "fact of the page", "facts of the page")
	count(len(d.Frames), "frame", "frames")
	count(len(d.Overlays), "overlay", "overlays")
	return strings.Join(parts, ", ") + fmt.Sprintf("; %d unchanged.", d.Unchanged)
}

// kindWord is a kind as the sentence counts it.
func kindWord(k Kind) string {
	words := map[Kind]string{Role: "with another role", Value: "with another value", Text: "with another text",
		State: "with another state", Attr: "with another attribute", Viewport: "into or out of view"}
	return cmp.Or(words[k], string(k))
}
