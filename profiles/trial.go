package profiles

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/css"
	"github.com/refscope/refscope/snapshot/pagefacts"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/text"
)

// Kinds of a rule that is tried.
const (
	FilterRule   = "filter"
	SelectorRule = "redact selector"
	PatternRule  = "redact pattern"
	WaitRule     = "wait for"
	// RepeatedTexts is the kind of what is unknown where more texts are withheld than are looked for elsewhere.
	RepeatedTexts = "repeated texts"
	// NameWords is the kind of what is unknown where a name is made of words that are withheld, and of others that the
	// recording does not hold apart.
	NameWords = "words of names"
)

// Trial is the effect that a profile would have on a recorded page, so that an edit is seen
// before it is saved (C-17). It is made without a browser, so three things differ from
// the next capture: what was withheld or left out when the page was recorded is not
// there to be found (Unknown names it), selectors are those of package css, and the name of an element is
// cleaned where it repeats what is withheld, not computed again. What was recorded beside
// the elements (console, dialogs, changes) is not looked at.
type Trial struct {
	Rules []RuleTrial `json:"rules"`
	// Redacted are the fields whose content changes, in document order.
	Redacted []Redacted `json:"redacted"`
	// Unknown are rules that took something out when the page was recorded and that the profile does not have: what
	// comes back is not known here, only to the next capture.
	Unknown []Unknown `json:"unknown"`
	// Capture has the redactions, and none of the filters; Drop are the filters that
	// can be tried, for whatif.Between.
	Capture *snapshot.Capture `json:"-"`
	Drop    []string          `json:"-"`
	// Out are the elements that the filters leave out with all that is in them, by their index in the capture.
	Out []int `json:"-"`
}

// Unknown is what only a capture can tell: what comes back that was never captured, or has no number yet.
type Unknown struct {
	Kind     string `json:"kind"`     // FilterRule, SelectorRule, RepeatedTexts or NameWords
	Rule     string `json:"rule"`     // "" where the recording does not name it
	Elements int    `json:"elements"` // that it took out
}

// String is the sentence about it.
func (u Unknown) String() string {
	what := text.Count(u.Elements, "element", "elements")
	switch u.Kind {
	case RepeatedTexts:
		return what + " are withheld, with more texts than are looked for in the rest of the page: " +
			"which of them stay there is not known"
	case NameWords:
		return what + " have names with withheld words in them: how these names read then is not known"
	case SelectorRule:
		return what + " had their content withheld when the page was recorded, by a rule that is not here: " +
			"what comes back is not known"
	}
	rule := "a filter"
	if u.Rule != "" {
		rule = "the filter " + text.Cut(text.Line(u.Rule), 61)
	}
	return what + " that " + rule + " left out when the page was recorded may come back: what they show is not known"
}

// RuleTrial is one rule of the profile.
type RuleTrial struct {
	Line int    `json:"line"` // in the profile, from 1
	Kind string `json:"kind"` // FilterRule, SelectorRule, PatternRule or WaitRule
	Rule string `json:"rule"`
	// Matches counts elements that the selector matches, or fields that the pattern
	// changes; what an earlier rule took out is not there any more.
	Matches int `json:"matches"`
	// Kept counts the kept elements that these and all in them are; 0 for a pattern.
	Kept int `json:"kept"`
	// Problem is why the rule cannot be tried; "" where it was.
	Problem string `json:"problem,omitempty"`
}

// Redacted is one field that the profile would change.
type Redacted struct {
	Node  int    `json:"node"` // index in the capture; -1 for the page's own title and address
	Ref   int    `json:"ref,omitempty"`
	Tag   string `json:"tag,omitempty"`
	Kept  bool   `json:"kept"`  // a format can show it
	Field string `json:"field"` // text, value, name, description, attr:NAME, title, url
	Line  int    `json:"line"`  // of the rule, 0 for a text that repeats what another rule withholds
	Text  string `json:"text"`  // as it would be: what is withheld is not in it
}

const (
	putRedacted = "[redacted]"
	putProfile  = "[redacted: profile]"
)

// Try applies the profile's filters and redactions to a capture, which stays as it is.
// A rule that cannot be tried has an error; the others are tried anyway.
func (p *Profile) Try(c *snapshot.Capture) *Trial {
	copied := *c
	copied.Nodes = slices.Clone(c.Nodes)
	t := &trier{c: c, tree: css.NewTree(c), nodes: snapshot.NewTree(c), out: &Trial{Rules: []RuleTrial{},
		Redacted: []Redacted{}, Unknown: []Unknown{}, Capture: &copied}}
	for _, r := range p.Front.Filter {
		if _, ok := t.selector(FilterRule, r.Text, r.Line); ok {
			t.out.Drop = append(t.out.Drop, r.Text)
		}
	}
	withheld := map[int]int{} // node → line of the rule
	for _, r := range p.Front.Redact {
		if r.Selector == "" {
			t.pattern(r)
			continue
		}
		in, ok := t.selector(SelectorRule, r.Selector, r.Line)
		if !ok {
			continue
		}
		for node := range in {
			if _, known := withheld[node]; !known {
				withheld[node] = r.Line
			}
		}
	}
	if w := p.Front.Wait; w.For != "" {
		t.selector(WaitRule, w.For, w.Line)
	}
	t.unknown(withheld)
	t.learn(withheld)
	for k := range copied.Nodes {
		t.node(&copied.Nodes[k], withheld)
	}
	if t.unsure > 0 {
		t.out.Unknown = append(t.out.Unknown, Unknown{Kind: NameWords, Elements: t.unsure})
	}
	own := &snapshot.Node{I: -1}
	copied.Title = t.clean(own, "title", c.Title)
	copied.URL = t.clean(own, "url", c.URL)
	copied.Frames = slices.Clone(c.Frames)
	for k := range copied.Frames {
		f := &copied.Frames[k]
		f.URL = t.quiet(f.URL)
		if _, ok := withheld[f.Owner]; ok && f.URL != "" {
			f.URL = putProfile
		}
	}
	if copied.Page = t.page(c.Page); c.Whole() {
		pagefacts.Describe(&copied)
	}
	slices.SortStableFunc(t.out.Rules, func(a, b RuleTrial) int { return a.Line - b.Line })
	for _, r := range t.patterns {
		for k := range t.out.Rules {
			if at := &t.out.Rules[k]; at.Line == r.line && at.Kind == PatternRule {
				at.Matches = r.matches
			}
		}
	}
	return t.out
}

// unknown lists what rules took out when the page was recorded that the profile does not have, and what its own filters
// take out.
func (t *trier) unknown(withheld map[int]int) {
	add := func(kind, rule string) {
		i := slices.IndexFunc(t.out.Unknown, func(u Unknown) bool { return u.Kind == kind && u.Rule == rule })
		if i < 0 {
			t.out.Unknown = append(t.out.Unknown, Unknown{Kind: kind, Rule: rule})
			i = len(t.out.Unknown) - 1
		}
		t.out.Unknown[i].Elements++
	}
	dropped := map[int]bool{} // what the profile's filters take out anyway
	for _, rule := range t.out.Drop {
		sel, err := css.Parse(rule)
		if err != nil {
			continue
		}
		for _, n := range sel.All(t.tree) {
			dropped[n.I] = true
		}
	}
	for k := range t.c.Nodes {
		n := &t.c.Nodes[k]
		if dropped[n.I] && !dropped[n.Parent] {
			t.out.Out = append(t.out.Out, n.I)
		}
		if dropped[n.I] = dropped[n.I] || dropped[n.Parent]; dropped[n.I] {
			continue
		}
		if n.Verdict == snapshot.VerdictFiltered {
			add(FilterRule, n.FilteredBy)
		} else if _, still := withheld[n.I]; !still && slices.Contains(n.Redacted, "element") {
			add(SelectorRule, "")
		}
	}
}

type triedPattern struct {
	line, matches int
	red           *redact.Redactor
}

type trier struct {
	c        *snapshot.Capture
	tree     *css.Tree
	nodes    *snapshot.Tree
	unsure   int // elements whose names or descriptions cannot be known
	out      *Trial
	patterns []*triedPattern
	literals []redact.Secret // what is withheld, the longest first
	wholes   []redact.Secret // all of the text of a withheld element, as it is in the name of one around it
}

// selector notes a rule by selector and returns the elements it is about: those
// that match, and all in them.
func (t *trier) selector(kind, rule string, line int) (map[int]bool, bool) {
	r := RuleTrial{Line: line, Kind: kind, Rule: rule}
	sel, err := css.Parse(rule)
	if err != nil {
		if r.Problem = checkSelector(rule); r.Problem == "" {
			r.Problem = err.Error()
		}
		t.out.Rules = append(t.out.Rules, r)
		return nil, false
	}
	in := map[int]bool{}
	for _, n := range sel.All(t.tree) {
		in[n.I] = true
	}
	r.Matches = len(in)
	if len(in) > 0 {
		for k := range t.c.Nodes { // parents come before what is in them
			n := &t.c.Nodes[k]
			if in[n.I] || in[n.Parent] {
				in[n.I] = true
				if n.Verdict.Kept() {
					r.Kept++
				}
			}
		}
	}
	t.out.Rules = append(t.out.Rules, r)
	return in, true
}

func (t *trier) pattern(r Redaction) {
	rule := RuleTrial{Line: r.Line, Kind: PatternRule, Rule: r.Pattern}
	red, err := redact.New(r.Pattern)
	if err != nil {
		rule.Problem = err.Error()
	} else {
		t.patterns = append(t.patterns, &triedPattern{line: r.Line, red: red})
	}
	t.out.Rules = append(t.out.Rules, rule)
}

// maxLiterals is how many withheld texts are surely looked for in the rest of the page: a capture looks for 200, some
// of which are the same text with its white space.
const maxLiterals = 100

// learn notes the texts of withheld elements: the rest of the page may repeat them.
func (t *trier) learn(withheld map[int]int) {
	seen := map[string]bool{}
	add := func(s string, least int) {
		s = strings.Join(strings.Fields(s), " ")
		if utf8.RuneCountInString(s) < least || redact.IsMark(s) || seen[s] {
			return
		}
		if len(seen) == maxLiterals {
			t.out.Unknown = append(t.out.Unknown, Unknown{Kind: RepeatedTexts, Elements: len(withheld)})
		}
		if len(seen) <= maxLiterals {
			seen[s] = true
		}
	}
	for k := range t.c.Nodes {
		n := &t.c.Nodes[k]
		if _, ok := withheld[n.I]; !ok {
			continue
		}
		for _, r := range n.TextRuns() {
			add(r.Text, 2)
		}
		add(n.Value, 2)
		ticks := n.Attrs["type"] == "checkbox" || n.Attrs["type"] == "radio" // nobody sees the value of such a box
		for _, name := range slices.Sorted(maps.Keys(n.Attrs)) {
			switch {
			case name == "value" && n.Tag == "input" && !ticks:
				add(n.Attrs[name], 2)
			case redact.IsContentAttribute(name):
				add(n.Attrs[name], 6)
			}
		}
	}
	for k := range t.c.Nodes {
		n := &t.c.Nodes[k]
		_, ok := withheld[n.I]
		if _, in := withheld[n.Parent]; !ok || in {
			continue
		}
		if s := strings.Join(strings.Fields(t.nodes.Text(n.I)), " "); utf8.RuneCountInString(s) >= 2 && len(s) <= 4096 {
			t.wholes = redact.Add(t.wholes, redact.Secret{Value: s, Reach: redact.Word})
		}
	}
	for s := range seen {
		t.literals = redact.Add(t.literals, redact.Secret{Value: s, Reach: redact.Word})
	}
}

// node cleans one element of the copy.
func (t *trier) node(n *snapshot.Node, withheld map[int]int) {
	line, hidden := withheld[n.I]
	if hidden && !slices.Contains(n.Redacted, "element") {
		n.Redacted = append(slices.Clone(n.Redacted), "element") // as the collector has it
	}
	field := func(name, s, put string) string {
		mark := redact.IsMark(strings.TrimSpace(s)) && (s != putRedacted || put != putProfile)
		if hidden && strings.TrimSpace(s) != "" && !mark {
			t.note(n, name, line, put)
			return put
		}
		return t.clean(n, name, s)
	}
	if runs := n.TextRuns(); len(runs) > 0 {
		cleaned := make([]snapshot.Run, len(runs))
		changed := false
		for k, r := range runs {
			cleaned[k] = snapshot.Run{Text: field("text", r.Text, withEdges(r.Text)), Before: r.Before}
			changed = changed || cleaned[k].Text != r.Text
		}
		if changed {
			n.Runs = cleaned
			n.Text = n.JoinRuns(func(k int) bool {
				before := t.nodes.Node(k)
				return before != nil && before.Tag == "br"
			})
		}
	}
	n.Value = field("value", n.Value, putProfile)
	switch {
	case hidden && n.Name != "" && !strings.HasPrefix(n.NameFrom, "hunted:"):
		n.Name, n.NameFrom = field("name", n.Name, putRedacted), "content" // as the collector has it
	default: // words beside it, which are not its own
		n.Name = t.name(n, withheld)
	}
	before := n.Description
	if n.Description = field("description", before, putRedacted); hidden {
		n.Description = "" // as the collector has it
	} else if before != n.Description && n.Description != putRedacted &&
		!slices.Contains(slices.Collect(maps.Values(n.Attrs)), before) {
		t.unsure++
	}
	if _, chosen := n.States["selected"]; hidden && chosen && n.Tag == "option" { // it would tell the value of its list
		n.States = maps.Clone(n.States)
		delete(n.States, "selected")
	}
	var attrs map[string]string
	for _, name := range slices.Sorted(maps.Keys(n.Attrs)) {
		s := n.Attrs[name]
		clean := field
		switch {
		case redact.IsWordAttribute(name, s):
			continue
		case hidden && !redact.IsContentAttribute(name):
			clean = func(name, s, _ string) string { return t.clean(n, name, s) }
		}
		if now := clean("attr:"+name, s, putProfile); now != s {
			if attrs == nil {
				attrs = maps.Clone(n.Attrs)
			}
			attrs[name] = now
		}
	}
	if attrs != nil {
		n.Attrs = attrs
	}
}

// withEdges is what stands for a withheld text, parted from what is around it as the text is.
func withEdges(s string) string {
	put := putRedacted
	if s != strings.TrimLeftFunc(s, unicode.IsSpace) {
		put = " " + put
	}
	if s != strings.TrimRightFunc(s, unicode.IsSpace) {
		put += " "
	}
	return put
}

// clean applies what is withheld elsewhere and the patterns to one text.
func (t *trier) clean(n *snapshot.Node, field, s string) string {
	if s == "" {
		return s
	}
	first, changed := 0, false
	sealed := s
	if field == "name" || field == "description" {
		sealed = redact.Remove(sealed, t.wholes...)
	}
	sealed = redact.Standard().CleanEncoded(redact.Remove(sealed, t.literals...), t.literals...)
	if sealed != s {
		s, changed = sealed, true
	}
	for _, p := range t.patterns {
		if next := p.red.CleanCustom(s); next != s {
			if !changed {
				first, changed = p.line, true
			}
			p.matches++
			s = next
		}
	}
	if changed {
		t.note(n, field, first, s)
	}
	return s
}

// page cleans what repeats texts of elements, which are noted there.
func (t *trier) page(p snapshot.Page) snapshot.Page {
	p.Preview, p.Description = t.quiet(p.Preview), t.quiet(p.Description)
	p.Landmarks, p.Overlays = slices.Clone(p.Landmarks), slices.Clone(p.Overlays)
	for k := range p.Landmarks {
		p.Landmarks[k].Name = t.quiet(p.Landmarks[k].Name)
	}
	for k := range p.Overlays {
		p.Overlays[k].Title = t.quiet(p.Overlays[k].Title)
	}
	return p
}

// quiet cleans a text that is noted elsewhere, or is nobody's.
func (t *trier) quiet(s string) string {
	s = redact.Remove(s, t.literals...)
	for _, p := range t.patterns {
		s = p.red.CleanCustom(s)
	}
	return s
}

func (t *trier) note(n *snapshot.Node, field string, line int, text string) {
	t.out.Redacted = append(t.out.Redacted, Redacted{
		Node: n.I, Ref: n.Ref, Tag: n.Tag, Kept: n.I < 0 || n.Verdict.Kept(), Field: field, Line: line, Text: text,
	})
	if n.I >= 0 && !slices.Contains(n.Redacted, field) {
		n.Redacted = append(slices.Clone(n.Redacted), field)
	}
}

// String is the rule as one line: "line 3: filter .ads: …".
func (r RuleTrial) String() string {
	elements := text.Count(r.Matches, "element matches", "elements match")
	what := ""
	switch {
	case r.Problem != "":
		what = "it cannot be tried here: " + r.Problem
	case r.Kind == PatternRule:
		what = text.Count(r.Matches, "text matches", "texts match")
	case r.Kind == FilterRule && r.Matches > 0:
		what = fmt.Sprintf("%s, %d that are kept now are left out", elements, r.Kept)
	case r.Kind == SelectorRule && r.Matches > 0:
		what = fmt.Sprintf("%s, the content of %d that are kept is withheld", elements, r.Kept)
	default:
		what = elements
	}
	return fmt.Sprintf("line %d: %s %s: %s", r.Line, r.Kind, text.Cut(text.Line(r.Rule), 61), what)
}
