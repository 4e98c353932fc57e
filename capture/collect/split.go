package collect

import (
	"slices"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/redact"
)

// A secret may lie in several elements, each of which looks harmless: 4242 four times, in a span each. The page has
// cleaned each text separately; here the texts that are read as one passage, those of a block and of the
// inline elements in it, are cleaned as one.

// stretch is one run of an element's own text.
type stretch struct{ node, run int }

// joinedSecrets takes such secrets out of a capture. What is inside a control is its value and not read here.
func joinedSecrets(c *snapshot.Capture, red *redact.Redactor) {
	t := snapshot.NewTree(c)
	var parts []stretch
	flush := func() {
		cleanStretches(c, red, parts)
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
}

// maxInline is how deep inline elements are entered.
const maxInline = 50

// cleanStretches takes what is secret out of stretches that are read as one.
func cleanStretches(c *snapshot.Capture, red *redact.Redactor, parts []stretch) {
	several := slices.ContainsFunc(parts, func(p stretch) bool { return p.node != parts[0].node })
	if !several {
		return // it was cleaned as it is
	}
	texts := make([]string, len(parts))
	for i, p := range parts {
		texts[i] = c.Nodes[p.node].TextRuns()[p.run].Text
	}
	for i, s := range red.CleanParts(texts) {
		if s == texts[i] {
			continue
		}
		n := &c.Nodes[parts[i].node]
		if len(n.Runs) == 0 {
			n.Runs = slices.Clone(n.TextRuns())
		}
		n.Runs[parts[i].run].Text = s
		n.Text = n.JoinRuns(isBreak(c.Nodes))
		if !slices.Contains(n.Redacted, "text") {
			n.Redacted = append(n.Redacted, "text")
		}
	}
}
