package collect

import (
	"slices"
	"strings"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/redact"
)

// A secret may lie in several elements, each of which looks harmless: 4242 four times, in a span each. The page has
// cleaned each text separately; here the texts that are read as one passage, those of a block and of the
// inline elements in it, are cleaned as one.

// stretch is one run of an element's own text.
type stretch struct{ node, run int }

// joinedSecrets takes such secrets out of a capture, and lists its stretches as they are read. What is inside a control
// is its value and not read here.
func joinedSecrets(c *snapshot.Capture, red *redact.Redactor) []stretch {
	t := snapshot.NewTree(c)
	var parts, all []stretch
	before := "" // the text that the next block follows
	flush := func() {
		if len(parts) == 0 {
			return
		}
		texts := textsOf(c, parts)
		all = append(all, parts...)
		cleanStretches(c, red, parts)
		codeAfter(t, c, red, before, parts)
		if said := strings.Join(texts, ""); strings.TrimSpace(said) != "" {
			before = said
		}
		parts = parts[:0]
	}
	var walk func(n *snapshot.Node, depth int)
	walk = func(n *snapshot.Node, depth int) {
		p, run := t.Position(n.I), 0
		t.InOrder(n, func(string) {
			parts = append(parts, stretch{p, run})
			run++
		}, func(child *snapshot.Node) {
			if child.Frame != n.Frame || child.Block || child.Tag == "br" || snapshot.IsFormControl(child.Tag) ||
				depth >= maxInline {
				flush() // it has, or is, a text of its own
				return
			}
			walk(child, depth+1)
		})
	}
	for i := range c.Nodes {
		n := &c.Nodes[i]
		up := t.Node(n.Parent)
		if n.Block || up == nil || up.Frame != n.Frame || snapshot.IsFormControl(n.Tag) {
			walk(n, 0)
			flush()
		}
	}
	return all
}

// maxInline is how deep inline elements are entered.
const maxInline = 50

// cleanStretches takes what is secret out of stretches that are read as one.
func cleanStretches(c *snapshot.Capture, red *redact.Redactor, parts []stretch) {
	several := slices.ContainsFunc(parts, func(p stretch) bool { return p.node != parts[0].node })
	if !several {
		return // it was cleaned as it is
	}
	texts := textsOf(c, parts)
	for i, s := range red.CleanParts(texts) {
		if s != texts[i] {
			parts[i].put(c, s)
		}
	}
}

// textsOf are the texts of stretches.
func textsOf(c *snapshot.Capture, parts []stretch) []string {
	texts := make([]string, len(parts))
	for i, p := range parts {
		texts[i] = c.Nodes[p.node].TextRuns()[p.run].Text
	}
	return texts
}

// put gives a stretch another text.
func (p stretch) put(c *snapshot.Capture, s string) {
	n := &c.Nodes[p.node]
	if len(n.Runs) == 0 {
		n.Runs = slices.Clone(n.TextRuns())
	}
	n.Runs[p.run].Text = s
	n.Text = n.JoinRuns(isBreak(c.Nodes))
	if !slices.Contains(n.Redacted, "text") {
		n.Redacted = append(n.Redacted, "text")
	}
}

const (
	oneTimeCode = "one-time code" // why it is withheld, as package redact has it

	maxCode = 12  // bytes that a code has at most, and white space around it as many again
	maxSaid = 120 // bytes of the text before it that are looked at
)

// codeAfter takes a code for one time out that is a block, or a line, of its own, as they are set in large letters: the
// text before says what it is. Names of elements that are this text go with it.
func codeAfter(t *snapshot.Tree, c *snapshot.Capture, red *redact.Redactor, before string, parts []stretch) {
	texts := textsOf(c, parts)
	whole := strings.Join(texts, "")
	code := strings.TrimSpace(whole)
	if len(whole) > 2*maxCode || len(code) < 4 || len(code) > maxCode || before == "" ||
		!strings.ContainsAny(code, "0123456789") {
		return
	}
	said := strings.TrimSpace(before[max(0, len(before)-maxSaid):]) + " "
	cleaned := red.CleanParts(append([]string{said}, texts...))
	if cleaned == nil || cleaned[0] != said ||
		!strings.Contains(strings.Join(cleaned[1:], ""), redact.Mark(oneTimeCode)) {
		return
	}
	for i, s := range cleaned[1:] {
		if s != texts[i] {
			parts[i].put(c, s)
		}
	}
	secret := redact.Secret{Value: code, Reach: redact.Word, Why: oneTimeCode}
	name := func(n *snapshot.Node) {
		if now := redact.Remove(n.Name, secret); now != n.Name {
			n.Name = now
			if !slices.Contains(n.Redacted, "name") {
				n.Redacted = append(n.Redacted, "name")
			}
		}
	}
	n := &c.Nodes[parts[0].node]
	name(n)
	for up := range t.Ancestors(n.I) {
		name(up)
	}
}
