package audit

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/turn"
)

// Schema names the shape of a report's JSON. Changes are additive only.
const Schema = "refscope.audit/1"

// PerRule is how many findings of one rule a report lists by default.
const PerRule = 200

// Severity is how much a finding weighs.
type Severity string

const (
	Error   Severity = "error"   // an agent is misled, or a secret is out
	Warning Severity = "warning" // an agent may be misled or miss something
	Note    Severity = "note"    // worth knowing
)

// Rank is 0 for an error, 1 for a warning, 2 for a note, 3 for anything else.
func (s Severity) Rank() int {
	switch s {
	case Error:
		return 0
	case Warning:
		return 1
	case Note:
		return 2
	}
	return 3
}

// View is one way in which an agent may have read the page.
type View struct {
	Format  dump.Format
	Options format.Options
}

// Text is a text beside the capture that is searched for secrets: the payload of a turn,
// a dump as it was sent.
type Text struct {
	Name string // as findings name it: "payload 1"
	Text string
}

// TextsOf are the texts of a turn that are searched for secrets: the payloads that are stored with it, and the request
// and the answer of its steps.
func TextsOf(payloads []turn.Payload, steps, answer []byte) []Text {
	var list []Text
	for i, p := range payloads {
		list = append(list, Text{fmt.Sprintf("payload %d (%s)", i+1, p.Dialect), string(p.Bytes)})
	}
	for _, t := range []Text{{"steps of the turn", string(steps)}, {"answer of the turn", string(answer)}} {
		if t.Text != "" {
			list = append(list, t)
		}
	}
	return list
}

// ProfileFact is a fact of a site's profile about its pages, with its effect here.
type ProfileFact struct {
	Line     int    // in the profile, from 1
	Kind     string // filter, redact selector, wait for …
	Rule     string // the selector or pattern
	Matches  int    // elements or fields of the page that it is about
	Problem  string // why it could not be tried, "" where it was
	Profile  string // name of the profile
	Optional bool   // it may well match nothing: a redaction, a filter of what comes and goes
}

// Options change what is looked at. The zero value audits dddk and aria.
type Options struct {
	// Views are the formats; none are dddk and aria with their defaults.
	Views []View
	// Personal looks for personal data too: e-mail addresses, phone numbers, IBANs.
	Personal bool
	// Texts are searched for secrets beside the capture.
	Texts []Text
	// Profile are the facts of the site's profile, to find those that are stale.
	Profile []ProfileFact
	// PerRule is how many findings of one rule are listed; 0 is [PerRule], below 0 all.
	PerRule int
}

// Finding is one thing that was found.
type Finding struct {
	Rule     string   `json:"rule"` // the id of the rule
	Severity Severity `json:"severity"`
	// Sentence describes what is wrong, Evidence what of the page shows it, one line.
	Sentence string `json:"sentence"`
	Evidence string `json:"evidence,omitempty"`
	// Node is the index of the element, -1 for the page as a whole.
	Node int `json:"node"`
	Ref  int `json:"ref,omitempty"` // the number of its element, 0 for none
	// Others are further elements that it is about: those with the same name, what
	// covers it.
	Others []int `json:"others,omitempty"`
	Frame  int   `json:"frame"` // index in Capture.Frames
	// Path is the element's CSS path, "" where the capture has none for it.
	Path string `json:"path,omitempty"`
	// Box is the place, in CSS px of the top frame's viewport; empty for none.
	Box snapshot.Box `json:"box"`
	// Formats are those that it is about; empty where it does not depend on one.
	Formats []dump.Format `json:"formats,omitempty"`
	Action  string        `json:"action"` // what to do
	// Section is the part of a request that it is about, and Bytes where in the body, from and to;
	// empty for a finding about a page alone.
	Section string `json:"section,omitempty"`
	Bytes   [2]int `json:"bytes,omitzero"`
	// Key is the same for the same finding in another turn or session: it is made of
	// the rule, the document, the kind and words of the element, never of numbers.
	Key string `json:"key"`
}

// More is the evidence where the sentence does not quote it already, "" elsewhere.
func (f *Finding) More() string {
	if strings.Contains(f.Sentence, f.Evidence) || strings.Contains(f.Sentence, strings.Trim(quoted(f.Evidence), `"`)) {
		return ""
	}
	return f.Evidence
}

// Count is how often a rule found something.
type Count struct {
	Rule   string `json:"rule"`   // the id of the rule
	Found  int    `json:"found"`  // how many findings it has
	Listed int    `json:"listed"` // of them in Findings
}

// Report is the judgement of one capture.
type Report struct {
	Schema string `json:"schema"`
	URL    string `json:"url"`             // the address of the page
	Title  string `json:"title,omitempty"` // the title of the page
	// Findings are ordered by severity, then by the table of rules, then as on the page.
	Findings []Finding `json:"findings"`
	// Coverage is that of each view, in their order.
	Coverage []Coverage `json:"coverage"`
	// Counts are of the rules that found something, in the order of [Rules].
	Counts []Count `json:"counts"`
	Tally
	Elements int `json:"elements"` // of the capture
}

// Tally counts findings, listed or not.
type Tally struct {
	Errors   int `json:"errors"`   // findings that are errors
	Warnings int `json:"warnings"` // those that are warnings
	Notes    int `json:"notes"`    // those that are notes
}

// Add counts one more.
func (t *Tally) Add(s Severity) {
	switch s {
	case Error:
		t.Errors++
	case Warning:
		t.Warnings++
	default:
		t.Notes++
	}
}

// Words says how many there are: 1 error, 0 warnings, 2 notes.
func (t Tally) Words() string {
	return text.Count(t.Errors, "error", "errors") + ", " + text.Count(t.Warnings, "warning", "warnings") + ", " +
		text.Count(t.Notes, "note", "notes")
}

// Count is how often the rule found something.
func (r *Report) Count(rule string) int {
	for _, c := range r.Counts {
		if c.Rule == rule {
			return c.Found
		}
	}
	return 0
}

// Worst is the highest severity of the report, "" where nothing was found.
func (r *Report) Worst() Severity {
	switch {
	case r.Errors > 0:
		return Error
	case r.Warnings > 0:
		return Warning
	case r.Notes > 0:
		return Note
	}
	return ""
}

// auditor collects findings.
type auditor struct {
	c        *snapshot.Capture
	o        Options
	tree     *snapshot.Tree
	page     *format.Page
	views    []*reading
	sight    []sight // by position in c.Nodes
	found    []Finding
	count    map[string]int
	tally    Tally
	keys     map[string]int
	rules    map[string]Rule
	sent     bool              // the text is an agent's own
	operated []operated        // controls, for what was sent
	masks    *strings.Replacer // of the secrets that were found, nil for none
}

func newAuditor(c *snapshot.Capture, o Options) *auditor {
	a := &auditor{
		c: c, o: o, tree: snapshot.NewTree(c), page: format.NewPage(c), count: map[string]int{},
		keys: map[string]int{}, rules: map[string]Rule{},
	}
	for _, r := range Rules() {
		a.rules[r.ID] = r
	}
	return a
}

// Run audits a capture; of one of no page only its texts, which have neither address nor coverage. An unknown format in
// the options is an error that names the known ones; nothing about the page is.
func Run(c *snapshot.Capture, o Options) (*Report, error) {
	pageless := c.Pageless()
	switch {
	case pageless:
		o.Views = nil
	case len(o.Views) == 0:
		o.Views = []View{{Format: format.DDDK}, {Format: format.Aria}}
	}
	o.PerRule = cmp.Or(o.PerRule, PerRule)
	a := newAuditor(c, o)
	a.measureSight()
	for _, v := range o.Views {
		d, err := a.page.Render(v.Format, v.Options)
		if err != nil {
			return nil, fmt.Errorf("audit: %w", err)
		}
		a.views = append(a.views, newReading(d, v.Options.Compat))
	}
	a.secrets() // first, so that no other finding repeats one
	out := &Report{Schema: Schema, URL: text.Line(a.hush(c.URL)), Title: text.Line(a.hush(c.Title)),
		Elements: len(c.Nodes), Findings: []Finding{}, Coverage: []Coverage{}, Counts: []Count{}}
	for _, r := range a.views {
		out.Coverage = append(out.Coverage, a.cover(r))
	}
	if pageless {
		out.URL, out.Title = "", ""
	}
	a.unseen()
	a.names()
	a.targets()
	a.keyboard()
	a.instructions()
	a.forged()
	a.loaded()
	a.moment()
	a.close(out)
	return out, nil
}

// close orders the findings and counts them.
func (a *auditor) close(out *Report) {
	Order(a.found, Rules())
	listed := map[string]int{}
	for _, f := range a.found {
		if a.o.PerRule < 0 || listed[f.Rule] < a.o.PerRule {
			listed[f.Rule]++
			out.Findings = append(out.Findings, f)
		}
	}
	for _, r := range Rules() {
		if n := a.count[r.ID]; n > 0 {
			out.Counts = append(out.Counts, Count{r.ID, n, listed[r.ID]})
		}
	}
	out.Tally = a.tally
}

// Order sorts findings by severity, then by the table of rules, then as on the page.
func Order(found []Finding, rules []Rule) {
	order := map[string]int{}
	for i, r := range rules {
		order[r.ID] = i
	}
	slices.SortStableFunc(found, func(x, y Finding) int {
		return cmp.Or(cmp.Compare(x.Severity.Rank(), y.Severity.Rank()), cmp.Compare(order[x.Rule], order[y.Rule]),
			cmp.Compare(x.Node, y.Node))
	})
}

// KeyOf is the key of the nth finding, from 1, of a rule with those words.
func KeyOf(rule, words string, nth int) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%d", rule, words, nth))
	return hex.EncodeToString(sum[:8])
}

// add notes a finding about the node, nil for the page as a whole. what is the words
// that its key is made of besides the element's own.
func (a *auditor) add(rule string, severity Severity, n *snapshot.Node, f Finding, what string) {
	f.Rule, f.Severity, f.Action = rule, severity, a.rules[rule].Action
	f.Evidence = a.short(f.Evidence)
	if n != nil {
		f.Node, f.Ref, f.Frame, f.Path = n.I, n.Ref, n.Frame, n.Path
		if f.Box.Empty() {
			f.Box = n.VisibleBox()
		}
		if n.Frame < len(a.c.Frames) {
			what = stem(a.c.Frames[n.Frame].URL) + "\x00" + n.Tag + "\x00" + n.Role + "\x00" + what
		}
	} else {
		f.Node = -1
	}
	key := rule + "\x00" + what
	a.keys[key]++
	f.Key = KeyOf(rule, what, a.keys[key])
	a.count[rule]++
	a.tally.Add(severity)
	a.found = append(a.found, f)
}

// stem is an address without its query and fragment, which change from visit to visit.
func stem(url string) string {
	if i := strings.IndexAny(url, "?#"); i >= 0 {
		return url[:i]
	}
	return url
}

// evidenceLimit is how much of a page's text a finding repeats, in characters.
const evidenceLimit = 160

// short is page text as a finding may repeat it: one line, at most 160 characters, and
// no secret in it.
func (a *auditor) short(s string) string { return short(a.hush(s)) }

// short is page text as one line of at most evidenceLimit characters.
func short(s string) string {
	return text.Cut(text.Line(text.StartBytes(s, 8*evidenceLimit)), evidenceLimit+1)
}

// quoted is the same in quotes.
func (a *auditor) quoted(s string) string { return text.QuoteLine(a.short(s)) }

// hush puts masks in the place of the secrets that were found.
func (a *auditor) hush(s string) string {
	if a.masks == nil || s == "" {
		return s
	}
	return a.masks.Replace(s)
}

// say is the name of an element in a sentence.
func (a *auditor) say(n *snapshot.Node) string {
	if n == nil {
		return "something"
	}
	kind := a.short(n.Kind())
	name := ""
	if n.Name != "" {
		name = " " + a.quoted(n.Name)
	}
	if n.Ref > 0 {
		return fmt.Sprintf("[%d] %s%s", n.Ref, kind, name)
	}
	return kind + name
}

// Changes are the findings that differ between two reports of a page.
type Changes struct {
	Appeared []Finding `json:"appeared"`
	Gone     []Finding `json:"gone"`
}

// Empty reports whether the two reports find the same.
func (c *Changes) Empty() bool { return len(c.Appeared)+len(c.Gone) == 0 }

// Diff compares two reports by the keys of their listed findings, for instance of two
// turns. Make both with [Options].PerRule below 0, or a finding beyond the limit in one
// of them may count as a change.
func Diff(a, b *Report) *Changes {
	without := func(list, other []Finding) []Finding {
		known := make(map[string]bool, len(other))
		for _, f := range other {
			known[f.Key] = true
		}
		out := []Finding{}
		for _, f := range list {
			if !known[f.Key] {
				out = append(out, f)
			}
		}
		return out
	}
	return &Changes{Appeared: without(b.Findings, a.Findings), Gone: without(a.Findings, b.Findings)}
}

// quoted is a line of a report, as [auditor.short] makes them, in quotes.
func quoted(s string) string { return text.QuoteLine(s) }
