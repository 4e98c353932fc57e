package foreign

import (
	"fmt"
	"slices"
	"strings"

	"github.com/refscope/refscope/snapshot"
)

// judge gives every node its verdict by the collector's rules (capture/collect), as far
// as they need no layout. Parents come before children.
func (k *composer) judge() {
	nodes := k.c.Nodes
	heavy := make([]bool, len(nodes)) // a line, section, heading or strong control somewhere inside
	words := make([]bool, len(nodes)) // text of its own or of inline elements in its line
	for i := len(nodes) - 1; i >= 0; i-- {
		n := &nodes[i]
		words[i] = words[i] || n.Text != ""
		p := n.Parent
		if p < 0 {
			continue
		}
		if heavy[i] || snapshot.IsContentTag(n.Tag) || snapshot.IsSection(n.Tag) || snapshot.IsHeading(n.Tag) ||
			strong(n) && k.hides[i].verdict != snapshot.VerdictDisplayNone {
			heavy[p] = true
		}
		if words[i] && !n.Block && !n.Numbered() && k.hides[i].verdict == "" {
			words[p] = true
		}
	}
	atomic, line := make([]int, len(nodes)), make([]int, len(nodes))
	for i := range nodes {
		n := &nodes[i]
		atomic[i], line[i] = -1, -1
		if p := n.Parent; p >= 0 {
			up := &nodes[p]
			switch {
			case n.Frame != up.Frame: // a document begins anew
			case atomic[p] >= 0:
				atomic[i] = atomic[p]
			case isAtomic(up, heavy[p]):
				atomic[i] = p
			}
			if n.Frame == up.Frame && !n.Block && !n.Numbered() {
				line[i] = line[p]
				if up.Verdict == snapshot.VerdictContent {
					line[i] = p
				}
			}
		}
		n.Verdict, n.Evidence = k.verdict(i, atomic[i], line[i], words[i])
		if !n.Verdict.Kept() {
			n.Path = ""
		}
	}
	k.c.Verdicts = k.c.CountVerdicts()
}

// verdict is one node's verdict, and why.
func (k *composer) verdict(i, around, line int, words bool) (snapshot.Verdict, string) {
	n := &k.c.Nodes[i]
	name := func(j int) string { return fmt.Sprintf("%s (node %d)", plainTag(k.c.Nodes[j].Tag), j) }
	if h := k.hides[i]; h.verdict != "" {
		return h.verdict, h.why
	}
	if p := n.Parent; p >= 0 && (n.Tag == "option" || n.Tag == "optgroup") && slices.Contains([]string{"select", "optgroup", "datalist"}, k.c.Nodes[p].Tag) {
		return snapshot.VerdictInsideAtomic, "an option of " + name(p)
	}
	if around >= 0 && !strong(n) {
		return snapshot.VerdictInsideAtomic, "part of " + name(around)
	}
	switch {
	case n.Numbered():
		return snapshot.VerdictRef, numberedBecause(n) + "; " + notDrawn
	case line >= 0 && n.Text != "":
		return snapshot.VerdictInsideAtomic, "words of " + name(line)
	case n.Text != "":
		return snapshot.VerdictContent, "own text; " + notDrawn
	case snapshot.IsContentTag(n.Tag) && (words || n.Value != "" || n.Name != ""):
		return snapshot.VerdictContent, "text; " + notDrawn
	}
	return snapshot.VerdictWrapper, "nothing of its own"
}

// strong reports whether an element is a control by more than a listener or tabindex.
func strong(n *snapshot.Node) bool {
	return slices.ContainsFunc(n.Interactive, func(by string) bool { return by == "native" || by == "role" || by == "contenteditable" })
}

// isAtomic reports whether an element's content is folded into its own line.
func isAtomic(n *snapshot.Node, heavy bool) bool {
	switch {
	case n.Verdict != snapshot.VerdictRef:
		return false
	case len(n.Interactive) > 0:
		switch n.Tag {
		case "a", "button", "label", "summary", "select", "textarea", "input":
			return true
		}
		return !heavy
	}
	return snapshot.IsHeading(n.Tag) || n.Role == "heading" || n.Tag == "pre" || n.Tag == "img"
}

func numberedBecause(n *snapshot.Node) string {
	switch {
	case len(n.Interactive) > 0:
		return "interactive: " + strings.Join(n.Interactive, ", ")
	case snapshot.IsHeading(n.Tag) || n.Role == "heading":
		return "heading"
	case snapshot.IsFrame(n.Tag):
		return "frame"
	case n.IsModal():
		return "dialog"
	case snapshot.IsSection(n.Tag):
		return "section"
	}
	return plainTag(n.Tag)
}

// facts fills what a capture says of the page as a whole.
func (k *composer) facts() {
	c := k.c
	for i := range c.Nodes {
		n, d := &c.Nodes[i], k.doms[i]
		switch {
		case n.Tag == "html" && n.Frame == 0 && c.Lang == "":
			c.Lang = n.Attrs["lang"]
		case n.Tag == "title" && n.Frame == 0 && c.Title == "":
			c.Title = k.s.text(d.titleText())
		case n.Tag == "meta" && n.Frame == 0 && strings.EqualFold(n.Attrs["name"], "description") && c.Page.Description == "":
			c.Page.Description = n.Attrs["content"]
		case n.Tag == "form":
			c.Page.FormCount++
		case n.Tag == "input" && strings.EqualFold(n.Attrs["type"], "password") && k.hides[i].verdict == "":
			c.Page.HasLoginForm = true
		}
		if n.Verdict.Kept() && len(n.Interactive) > 0 {
			c.Page.InteractiveCount++
		}
	}
}

// titleText is the text of a title element, at most 8 KiB.
func (d *dom) titleText() string {
	var b strings.Builder
	for _, k := range d.kids {
		if k.tag == "" && b.Len() < 8<<10 {
			b.WriteString(k.text)
		}
	}
	return squash(cut(b.String(), 8<<10))
}
