package audit

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/text"
)

// leastSecret is how long a secret is at least, in bytes: ?code=12 lets nobody in.
const leastSecret = 4

// secretLimit bounds how much of one text is searched for secrets, in bytes.
const secretLimit = 4 << 20

// secrets looks for what should not leave the machine in everything that a capture
// holds: texts, values, names, attributes, addresses, the console, dialogs, changes; and
// in the texts that were given besides.
func (a *auditor) secrets() {
	s := &searcher{a: a, red: redact.ForAudit(a.o.Personal), seen: map[string]bool{}}
	c := a.c
	s.text(nil, "address of the page", c.URL)
	s.text(nil, "title of the page", c.Title)
	for i, f := range c.Frames {
		if i > 0 {
			s.text(a.tree.Node(f.Owner), "address of the frame", f.URL)
		}
	}
	for p := range c.Nodes {
		s.node(&c.Nodes[p])
	}
	if c.Network != nil {
		for i := range c.Network.Requests {
			s.text(nil, "address of a request", c.Network.Requests[i].URL)
		}
	}
	for _, e := range c.Console {
		s.text(nil, "console", e.Text)
		s.text(nil, "address in the console", e.URL)
	}
	for _, d := range c.Dialogs {
		s.text(nil, "dialog", d.Message)
	}
	for _, m := range c.Mutations {
		s.text(nil, "recorded changes", m.Text)
	}
	for _, t := range a.o.Texts {
		s.text(nil, t.Name, t.Text)
	}
	s.mask()
}

type searcher struct {
	a       *auditor
	secrets []string // those found, for masks
	red     *redact.Redactor
	seen    map[string]bool // secret and where: an element names its own text again
}

func (s *searcher) node(n *snapshot.Node) {
	// A secret may be spread over inline elements; whoever needs it whole reads it as one.
	text := n.Text
	if n.Block && n.Verdict.Rendered() {
		text = s.a.tree.Gather(n, snapshot.Gather{NoAlt: true, MaxBytes: secretLimit, MaxNodes: 5_000,
			Skip: func(c *snapshot.Node) bool { return c.Block || !c.Verdict.Rendered() }})
	}
	s.text(n, "text", text)
	if text != n.Text {
		s.text(n, "text", n.Text)
	}
	if n.Name != n.Text {
		s.text(n, "name", n.Name)
	}
	s.text(n, "description", n.Description)
	s.text(n, "value", n.Value)
	if n.Tag == "input" && n.Attr("type") == "password" && n.Value != "" && !redact.IsMark(n.Value) {
		s.found(n, "value", "password", n.Value)
	}
	for _, k := range slices.Sorted(maps.Keys(n.Attrs)) {
		v := n.Attrs[k]
		if k == "class" || k == "style" || k == "d" || len(v) < 8 {
			continue
		}
		s.text(n, "attr:"+k, v)
	}
}

// text searches one text. Redaction marks and what is left around them are no secrets.
func (s *searcher) text(n *snapshot.Node, where, text string) {
	if len(text) < 4 {
		return
	}
	if len(text) > secretLimit {
		text = strings.ToValidUTF8(text[:secretLimit], "")
	}
	if where != "value" && strings.Contains(text, "[redacted") && (n == nil || len(n.Redacted) == 0) {
		s.redacted(n, where, text)
	}
	for _, f := range s.red.Find(text) {
		secret := text[f.Start:f.End]
		switch {
		case strings.Contains(secret, "redacted"): // what redaction left in another spelling
		case f.Use == redact.Personal:
			s.personalData(n, where, f.Rule, secret)
		case len(secret) >= leastSecret:
			s.found(n, where, f.Rule, secret)
		}
	}
}

// mask makes the masks of what was found, the longest first: one may hold another.
func (s *searcher) mask() {
	slices.SortStableFunc(s.secrets, func(x, y string) int { return cmp.Compare(len(y), len(x)) })
	var pairs []string
	for _, secret := range slices.Compact(s.secrets) {
		if len(secret) >= 4 {
			pairs = append(pairs, secret, masked(secret))
		}
	}
	if len(pairs) > 0 {
		s.a.masks = strings.NewReplacer(pairs...)
	}
}

// known reports whether the secret was noted for the element, and notes it.
func (s *searcher) known(n *snapshot.Node, where, secret string) bool {
	at := -1
	if n != nil {
		at, where = n.I, ""
	}
	key := fmt.Sprintf("%d\x00%s\x00%s", at, where, secret)
	if s.seen[key] {
		return true
	}
	s.seen[key] = true
	if n != nil { // what is around it names itself after it
		up := fmt.Sprintf("%d\x00%s\x00%s", n.Parent, "", secret)
		return s.seen[up]
	}
	return false
}

func (s *searcher) found(n *snapshot.Node, where, kind, secret string) {
	s.secrets = append(s.secrets, secret)
	if s.known(n, where, secret) {
		return
	}
	f := Finding{Sentence: fmt.Sprintf("In %s: a %s, %s.", s.place(n, where), kind, masked(secret)),
		Evidence: masked(secret), Formats: s.in(n, secret)}
	s.a.add(Secret, Error, n, f, kind+"\x00"+where)
}

func (s *searcher) personalData(n *snapshot.Node, where, kind, data string) {
	if s.known(n, where, data) {
		return
	}
	s.a.add(PersonalData, Note, n, Finding{Sentence: fmt.Sprintf("In %s: %s, %s.", s.place(n, where),
		text.Article(kind),
		masked(data)), Evidence: masked(data), Formats: s.in(n, data)}, kind+"\x00"+where)
}

// in are the formats that have the secret.
func (s *searcher) in(n *snapshot.Node, secret string) []dump.Format {
	if n == nil {
		return nil
	}
	return s.a.formatsWith(n, secret)
}

func (s *searcher) place(n *snapshot.Node, where string) string {
	if n == nil {
		return "the " + s.a.short(where)
	}
	return "the " + s.a.short(where) + " of " + s.a.sayKind(n)
}

// redacted notes what redaction took out of a text, by its marks alone.
func (s *searcher) redacted(n *snapshot.Node, where, text string) {
	if s.known(n, where, "[redacted") {
		return
	}
	var marks []string
	for _, m := range redact.Marks([]byte(text)) {
		marks = append(marks, text[m.Start:m.End])
	}
	marks = marks[:min(4, len(marks))]
	s.a.add(RedactedValue, Note, n, Finding{
		Sentence: fmt.Sprintf("Redaction withheld a part of %s.", s.place(n, where)),
		Evidence: strings.Join(marks, " "),
		Formats:  s.in(n, strings.Join(marks, " ")),
	}, where)
}

// masked is a secret as it may be shown: its first four characters and its length. Of a
// short one, less.
func masked(s string) string {
	n := utf8.RuneCountInString(s)
	show := min(4, n/4)
	head := ""
	for i, r := range s {
		if show == 0 {
			break
		}
		show--
		head = s[:i+utf8.RuneLen(r)]
	}
	return fmt.Sprintf("%s… (%d characters)", text.Line(head), n)
}
