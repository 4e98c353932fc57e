package audit

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/observation"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/why"
)

// SentSchema names the shape of the JSON of [Sent]. Changes are additive only.
const SentSchema = "refscope.sent/1"

// Sent is what a person sees of a page beside what a model was told of it in the agent's own text.
type Sent struct {
	Schema  string             `json:"schema"`
	URL     string             `json:"url"`               // the address of the page
	Format  observation.Format `json:"format"`            // of the text
	Guessed bool               `json:"guessed,omitempty"` // the text's format was recognised by its look
	Section string             `json:"section"`           // of the request, in which the text is
	// Share is Told of Seen, 0 to 1: of the elements in the window that are a text, a control or a picture, those of
	// which the text lacks nothing.
	Share float64 `json:"share"`
	Seen  int     `json:"seen"`
	Told  int     `json:"told"`
	// InView counts characters in the window, Page those of the whole page; Controls and Pictures are those in the
	// window.
	InView   Share `json:"text"`
	Page     Share `json:"page"`
	Controls Share `json:"controls"`
	Pictures Share `json:"pictures"`
	// Missing are the elements of which the text lacks something, at most 200; Missed counts them all.
	Missing []Miss `json:"missing"`
	Missed  int    `json:"missed"`
	// Unseen are the lines about what nobody sees, also not by scrolling.
	Unseen []Unseen `json:"unseen"`
	// Lines are those that list an element; of Untied of them it is not known which element it is.
	Lines  int `json:"lines"`
	Untied int `json:"untied"`
}

// Unseen is a line of an agent's text about an element that nobody sees.
type Unseen struct {
	Ref  string `json:"ref,omitempty"`  // the agent's own
	Line int    `json:"line"`           // of the text, from 1
	Role string `json:"role,omitempty"` // the ARIA role
	Name string `json:"name,omitempty"` // the accessible name
	Node int    `json:"node"`           // the index of the element
	// ElementRef is the element's number in the session.
	ElementRef int `json:"elementRef,omitempty"`
	// Reason is a verdict, or covered, faint, beyond or hidden; Explanation explains it in a sentence.
	Reason      string       `json:"reason"`
	Explanation string       `json:"explanation"`
	Box         snapshot.Box `json:"box"`
}

// Reasons why an agent's text lacks what a person sees, beside verdicts.
const (
	notListed   = "not-listed"
	ariaHidden  = "aria-hidden"
	frameAbsent = "frame-not-listed"
	noWords     = "no-words"
)

// AsSent compares what a person sees with what the text says that the model was given, and finds which formats tell
// what the text lacks. t is tied to the capture.
func AsSent(c *snapshot.Capture, t *observation.Text) *Sent {
	out, a := asSent(c, t)
	a.tellers(out.Missing)
	return out
}

// Told is [AsSent] without [Miss.ToldBy]: it renders no format, which for many turns takes long.
func Told(c *snapshot.Capture, t *observation.Text) *Sent {
	out, _ := asSent(c, t)
	return out
}

func asSent(c *snapshot.Capture, t *observation.Text) (*Sent, *auditor) {
	a := newAuditor(c, Options{})
	a.sent = true
	a.measureSight()
	a.withoutAgent()
	for i := range c.Nodes {
		if n := &c.Nodes[i]; isControl(n) {
			a.operated = append(a.operated, operated{n, fold(n.Name), fold(n.Text), fold(n.Role)})
		}
	}
	r := newReading(a.sentDocument(t), false)
	r.alone = map[string]bool{}
	for i := range r.Lines {
		for _, folded := range r.line(i) {
			r.alone[folded] = folded != ""
		}
	}
	for _, l := range t.Lines { // of a line the words alone, without what the format writes around them
		for _, words := range []string{fold(l.Name), fold(l.Value)} {
			r.alone[words] = words != ""
		}
	}
	a.views = []*reading{r}
	a.secrets() // so that nothing repeats one
	cov := a.cover(r)
	out := &Sent{Schema: SentSchema, URL: text.Line(a.hush(c.URL)), Format: t.Format, Guessed: t.Guessed,
		Section: t.Section, Seen: cov.elements.Seen, Told: cov.elements.Has, Share: cov.elements.Ratio(),
		InView: cov.Text,
		Page:   cov.Page, Controls: cov.Controls, Pictures: cov.Pictures, Missing: []Miss{}, Unseen: []Unseen{},
		Missed: cov.elements.Seen - cov.elements.Has}
	framed := map[int]bool{}
	for _, l := range t.Lines {
		if l.Ref != "" || l.Name != "" {
			out.Lines++
			if l.Node < 0 {
				out.Untied++
			}
		}
		if n := a.tree.Node(l.Node); n != nil {
			framed[n.Frame] = true
		}
	}
	place := map[int]int{}
	for _, m := range cov.Misses {
		if at, ok := place[m.Node]; ok { // a control is told as one, with the words that are missing
			if kept := &out.Missing[at]; m.Kind == missedControl {
				kept.Kind = m.Kind
			}
			continue
		}
		n := a.tree.Node(m.Node)
		by := a.namer(r, n)
		switch {
		case m.Reason == namedOtherwise && by != nil && (by == n || isControl(by)):
		case m.Reason == "", m.Reason == namedOtherwise, m.Reason == string(snapshot.VerdictFiltered),
			m.Reason == string(snapshot.VerdictSkippedTag): // our reason, or the page's own, is not the text's
			m.Reason, m.Explanation = a.untold(n, m, framed)
		}
		place[m.Node] = len(out.Missing)
		out.Missing = append(out.Missing, m)
	}
	slices.SortStableFunc(out.Missing, func(x, y Miss) int {
		rank := func(m Miss) int { return slices.Index([]string{missedControl, missedText, missedPicture}, m.Kind) }
		return cmp.Or(rank(x)-rank(y), x.Node-y.Node)
	})
	out.Unseen = a.toldUnseen(t)
	return out, a
}

// withoutAgent leaves out of account what an agent has put into the page that it works in, such as its panel, and what
// it lays over the rest: it tells its model of neither.
func (a *auditor) withoutAgent() {
	if !a.tree.HasAgent() {
		return
	}
	for p := range a.c.Nodes {
		n, s := &a.c.Nodes[p], &a.sight[p]
		switch {
		case a.tree.OfAgent(n):
			*s = sight{}
		case s.state == covered && n.Occlusion != nil && n.Occlusion.Coverer != nil:
			if by := a.tree.Node(*n.Occlusion.Coverer); by != nil && a.tree.OfAgent(by) {
				*s = sight{state: seen}
			}
		}
	}
}

// sentDocument is a text of an agent with the elements of its lines, so that it can be read as formats are. A line of
// which several elements may be meant is about each of them: what may have been told is not called missing.
func (a *auditor) sentDocument(t *observation.Text) *dump.Document {
	d := dump.Plain(dump.Format(t.Format), t.Body())
	tied := map[int]bool{}
	for _, l := range t.Lines {
		tied[l.Node] = true
	}
	for _, l := range t.Lines {
		may := l.Candidates
		if l.Node < 0 && len(may) == 0 {
			may = a.alike(l, tied)
		}
		for i := max(l.First-1, 0); i < min(l.Last, len(d.Lines)); i++ {
			at := &d.Lines[i]
			if n := a.tree.Node(l.Node); n != nil {
				if at.Node < 0 {
					at.Node, at.Ref = n.I, n.Ref
				} else if at.Node != n.I { // several elements on one line
					d.Spans = append(d.Spans, dump.Span{Start: at.Start, End: at.End, Line: i, Node: n.I})
				}
			}
			for _, node := range may {
				d.Spans = append(d.Spans, dump.Span{Start: at.Start, End: at.End, Line: i, Node: node})
			}
		}
	}
	for i := range d.Lines { // what the format lists without a number, such as what cannot be clicked
		if at := &d.Lines[i]; at.Node < 0 {
			for _, node := range a.named(fold(d.Text[at.Start:at.End]), tied) {
				d.Spans = append(d.Spans, dump.Span{Start: at.Start, End: at.End, Line: i, Node: node})
			}
		}
	}
	d.Spans = append(d.Spans, withins(d)...)
	slices.SortStableFunc(d.Spans, func(x, y dump.Span) int { return x.Line - y.Line })
	d.Index()
	for control, labels := range a.labels() { // whose label stands for it
		for _, label := range labels {
			if lines := d.LinesOf(label.I); len(lines) > 0 && !tied[control] {
				at := d.Lines[lines[0]]
				d.Spans = append(d.Spans, dump.Span{Start: at.Start, End: at.End, Line: lines[0], Node: control})
			}
		}
	}
	slices.SortStableFunc(d.Spans, func(x, y dump.Span) int { return x.Line - y.Line })
	d.Index()
	return d
}

// withins are the lines about no element of their own, such as "text: $50", as parts of the line that they are set in
// under.
func withins(d *dump.Document) []dump.Span {
	type level struct{ deep, node int }
	var out []dump.Span
	var up []level
	for i, l := range d.Lines {
		line := d.Text[l.Start:l.End]
		deep := len(line) - len(strings.TrimLeft(line, " \t"))
		for len(up) > 0 && up[len(up)-1].deep >= deep {
			up = up[:len(up)-1]
		}
		switch {
		case l.Node >= 0:
			up = append(up, level{deep, l.Node})
		case len(up) > 0 && deep < len(line):
			out = append(out, dump.Span{Start: l.Start, End: l.End, Line: i, Node: up[len(up)-1].node})
		}
	}
	return out
}

// operated is a control with its words as they are compared.
type operated struct {
	node             *snapshot.Node
	name, text, role string // folded
}

// named are the controls of which no line is known whose role, or tag, and name are in a folded line.
func (a *auditor) named(line string, tied map[int]bool) []int {
	if line == "" {
		return nil
	}
	var out []int
	for _, o := range a.operated {
		if o.name != "" && strings.Contains(line, o.name) && !tied[o.node.I] &&
			(o.role != "" && strings.Contains(line, o.role) || strings.HasPrefix(line, o.node.Tag)) {
			out = append(out, o.node.I)
		}
	}
	return out
}

// alike are the controls of which no line is known that a line may mean: its words, or attributes that it prints, are
// theirs. A format may cut an attribute, with dots at its end.
func (a *auditor) alike(l observation.Line, tied map[int]bool) []int {
	name := fold(l.Name)
	var out []int
	var starts []string
	for _, value := range l.Attrs {
		if start := fold(strings.TrimRight(value, ".…")); start != "" {
			starts = append(starts, start)
		}
	}
	for _, o := range a.operated {
		same := name != "" && (o.name == name || o.text == name) || o.name != "" &&
			slices.ContainsFunc(starts, func(start string) bool { return strings.HasPrefix(o.name, start) })
		if same && !tied[o.node.I] && len(out) < 50 {
			out = append(out, o.node.I)
		}
	}
	return out
}

// untold is why an agent's text lacks an element that a person sees, as far as the page tells.
func (a *auditor) untold(n *snapshot.Node, m Miss, framed map[int]bool) (reason, sentence string) {
	hiddenBy := func(n *snapshot.Node) bool { return strings.EqualFold(n.Attr("aria-hidden"), "true") }
	if hiddenBy(n) {
		return ariaHidden, "the page hides it from assistive technology (aria-hidden)"
	}
	for up := range a.tree.Ancestors(n.I) {
		if hiddenBy(up) {
			return ariaHidden, "the page hides " + a.say(up) + " around it from assistive technology (aria-hidden)"
		}
	}
	switch {
	case n.Frame > 0 && !framed[n.Frame]:
		return frameAbsent, "it lies in a frame of which the text lists nothing"
	case m.Kind == missedPicture && !hasWord(n.Name):
		return noWords, "it is a picture without words"
	case m.Kind == missedText && m.Characters > 0:
		return notListed, "the text lacks " + text.Count(m.Characters, "character", "characters") + " of it"
	}
	return notListed, "no line of the text is about it"
}

// toldUnseen are the lines about elements that nobody sees, nor anything in them.
func (a *auditor) toldUnseen(t *observation.Text) []Unseen {
	inside := make([]bool, len(a.c.Nodes)) // something in it, or itself, is seen
	for p := len(a.c.Nodes) - 1; p >= 0; p-- {
		if s := a.sight[p].state; s == seen || s == away {
			inside[p] = true
		}
		if q := a.tree.Position(a.c.Nodes[p].Parent); inside[p] && q >= 0 {
			inside[q] = true
		}
	}
	out := []Unseen{}
	told := map[int]bool{}
	for _, l := range t.Lines {
		p := a.tree.Position(l.Node)
		if p < 0 || inside[p] || told[l.Node] || !hasWord(l.Name+l.Value) && !isControl(&a.c.Nodes[p]) {
			continue
		}
		n, s := &a.c.Nodes[p], a.sight[p]
		one := Unseen{Ref: text.Line(l.Ref), Line: l.First, Role: text.Line(l.Role), Name: a.short(l.Name), Node: n.I,
			ElementRef: n.Ref, Box: n.VisibleBox()}
		switch {
		case s.state == hidden:
			one.Reason, one.Explanation = "hidden", s.why
		case s.state == faint:
			one.Reason, one.Explanation = "faint", s.why
		case s.state == beyond:
			one.Reason, one.Explanation = "beyond", s.why
		case s.state == covered:
			one.Reason, one.Explanation = "covered", "something lies over it"
			if n.Occlusion != nil && n.Occlusion.Coverer != nil {
				one.Explanation = a.say(a.tree.Node(*n.Occlusion.Coverer)) + " lies over it"
			}
		case n.Verdict.Rendered() || a.offered(n) || why.SeenByLabel(n):
			continue
		case n.Verdict.Unread():
			continue // it was not looked at
		default:
			one.Reason, one.Explanation = string(n.Verdict), why.VerdictWords(n.Verdict)
		}
		told[l.Node] = true
		out = append(out, one)
	}
	return out
}

// offered reports whether the element is one of a list that a person opens: an option.
func (a *auditor) offered(n *snapshot.Node) bool {
	if n.Tag == "option" || n.Tag == "optgroup" || n.Tag == "datalist" {
		return true
	}
	up := a.tree.Node(n.Parent)
	return up != nil && (up.Tag == "select" || up.Tag == "datalist")
}

// Text is the comparison for people. Page text is in quotes and is one line.
func (s *Sent) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: the text in %s (%s) told %d of the %s that a person sees in the window, %s\n", s.URL,
		text.Line(s.Section), text.Line(s.Format.Called(s.Guessed)), s.Told,
		text.Count(s.Seen, "element", "elements"), s.Percent())
	fmt.Fprintf(&b, "  text %s characters, of the whole page %s; controls %s; pictures %s\n", percent(s.InView),
		percent(s.Page), of(s.Controls), of(s.Pictures))
	if s.Missed > 0 {
		fmt.Fprintf(&b, "\na person sees, and the model was not told (%d):\n", s.Missed)
	}
	for _, m := range s.Missing {
		number := ""
		if m.Ref > 0 {
			number = fmt.Sprintf("[%d] ", m.Ref)
		}
		fmt.Fprintf(&b, "  %s%s", number, m.Kind)
		if m.Text != "" {
			b.WriteString(" " + quoted(text.Cut(m.Text, 80)))
		}
		fmt.Fprintf(&b, " at %.0f,%.0f: %s; %s\n", m.Box.X(), m.Box.Y(), m.Explanation, m.Tellers())
	}
	if n := s.Missed - len(s.Missing); n > 0 {
		fmt.Fprintf(&b, "  and %d more\n", n)
	}
	if len(s.Unseen) > 0 {
		fmt.Fprintf(&b, "\nthe model was told, and nobody sees (%d):\n", len(s.Unseen))
	}
	for _, u := range s.Unseen {
		fmt.Fprintf(&b, "  line %d  %s %s", u.Line, cmp.Or(u.Ref, "-"), u.Role)
		if u.Name != "" {
			b.WriteString(" " + quoted(text.Cut(u.Name, 80)))
		}
		if u.ElementRef > 0 {
			fmt.Fprintf(&b, " [%d]", u.ElementRef)
		}
		fmt.Fprintf(&b, ": %s\n", u.Explanation)
	}
	if s.Untied > 0 {
		fmt.Fprintf(&b, "\nof %d of %s it is not known which element they are about\n", s.Untied,
			text.Count(s.Lines, "line", "lines"))
	}
	return b.String()
}

// Percent is the share for people, rounded down so that 100 % is all.
func (s *Sent) Percent() string { return fmt.Sprintf("%.1f %%", float64(int(s.Share*1000))/10) }
