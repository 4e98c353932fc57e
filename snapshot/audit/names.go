package audit

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
)

// names judges what controls are called: nothing, the same as another, or something else
// than what is written on them.
func (a *auditor) names() {
	type group struct {
		first  *snapshot.Node
		others []*snapshot.Node
	}
	groups := map[string]*group{}
	var order []*group
	labels := a.labels()
	for p := range a.c.Nodes {
		n := &a.c.Nodes[p]
		if !n.Verdict.Kept() || !isControl(n) || !a.reachable(p) {
			continue
		}
		name := strings.Join(strings.Fields(n.Name), " ")
		if name == "" {
			a.unnamed(n)
			continue
		}
		a.labelInName(n, labels)
		key := fmt.Sprintf("%d\x00%s\x00%s", n.Frame, n.Role, strings.ToLower(name))
		g := groups[key]
		switch {
		case g == nil:
			g = &group{first: n}
			groups[key] = g
			order = append(order, g)
		case !samePurpose(g.first, n):
			g.others = append(g.others, n)
		}
	}
	for _, g := range order {
		if len(g.others) == 0 {
			continue
		}
		f := Finding{}
		said := ""
		for i, n := range g.others {
			if i == 20 {
				break
			}
			f.Others = append(f.Others, n.I)
			if n.Ref > 0 && i < 8 {
				said += fmt.Sprintf(" [%d]", n.Ref)
			}
		}
		f.Sentence = fmt.Sprintf("%d elements are called %s %s; besides [%d]:%s.", len(g.others)+1,
			a.short(g.first.Role),
			a.quoted(g.first.Name), g.first.Ref, said)
		severity := Note
		if g.first.InViewport && g.others[0].InViewport {
			severity = Warning
		}
		a.add(DuplicateName, severity, g.first, f, a.short(g.first.Name))
	}
}

// reachable reports whether a person, perhaps after scrolling, can operate the element.
func (a *auditor) reachable(p int) bool {
	switch a.sight[p].state {
	case seen, away:
		return !a.c.Nodes[p].States.Is("disabled") && !a.c.Nodes[p].States.Is("inert")
	}
	return false
}

// samePurpose reports whether it does not matter which of two elements of one name is
// taken: links to the same address, an element and what is in it.
func samePurpose(x, y *snapshot.Node) bool {
	if x.Tag == "a" && y.Tag == "a" && x.HasAttr("href") && x.Attr("href") == y.Attr("href") {
		return true
	}
	return x.Role == "option" || x.Role == "none" || y.Parent == x.I
}

func (a *auditor) unnamed(n *snapshot.Node) {
	text := a.tree.Text(n.I)
	f := Finding{Sentence: fmt.Sprintf("%s, %.0f by %.0f px, has no accessible name.", a.say(n), n.Box.W(), n.Box.H()),
		Evidence: text}
	if href := n.Attr("href"); f.Evidence == "" && href != "" {
		f.Evidence = href
	} else if f.Evidence == "" {
		f.Evidence = strings.TrimSpace(n.Attr("id") + " " + n.Attr("class"))
	}
	severity := Warning
	if hasWord(text) && n.Role != "textbox" && n.Role != "combobox" {
		severity = Note // formats print its text
	}
	a.add(UnnamedControl, severity, n, f, a.short(f.Evidence))
}

// labels are the label elements of each control, by the control's index.
func (a *auditor) labels() map[int][]*snapshot.Node {
	out := map[int][]*snapshot.Node{}
	ids := map[string]int{}
	var labels []*snapshot.Node
	for p := range a.c.Nodes {
		n := &a.c.Nodes[p]
		if n.Tag == "label" {
			labels = append(labels, n)
		}
		if id := n.Attr("id"); id != "" && len(n.Interactive) > 0 {
			ids[fmt.Sprintf("%d\x00%s", n.Frame, id)] = n.I
		}
	}
	for _, l := range labels {
		if id := l.Attr("for"); id != "" {
			if i, ok := ids[fmt.Sprintf("%d\x00%s", l.Frame, id)]; ok {
				out[i] = append(out[i], l)
			}
		}
	}
	return out
}

// labelInName is WCAG 2.5.3: the name holds what is written on the control. Signs
// without a letter, and single letters such as X, are exempt.
func (a *auditor) labelInName(n *snapshot.Node, labels map[int][]*snapshot.Node) {
	switch n.NameFrom {
	case "aria-label", "aria-labelledby", "title":
	default:
		return
	}
	from := n
	visible := ""
	switch n.Tag {
	case "input":
		if t := n.Attr("type"); t == "submit" || t == "button" || t == "reset" {
			visible = n.Value
		}
	case "select", "textarea":
	default:
		if n.Role == "textbox" || n.Role == "combobox" || n.Role == "searchbox" || n.Role == "listbox" {
			break // what is in it is its value
		}
		visible = a.read(n)
	}
	if visible == "" && len(labels[n.I]) > 0 {
		from = labels[n.I][0]
		visible = a.read(from)
	}
	written, name := fold(visible), fold(n.Name)
	if utf8.RuneCountInString(written) < 2 || !strings.ContainsFunc(visible, isLetter) ||
		strings.Contains(name, written) || name == "" {
		return
	}
	if !inOrder(visible, n.Name) {
		a.add(LabelUnlikeText, Warning, n, Finding{
			Sentence: fmt.Sprintf("%s is called %s (by %s), and a person reads %s.", a.sayKind(n), a.quoted(n.Name),
				a.short(n.NameFrom), a.quoted(visible)), Evidence: visible,
			Formats: a.formatsOf(n), Others: otherThan(n, from),
		}, a.short(n.Name)+"\x00"+a.short(visible))
	}
}

func otherThan(n, other *snapshot.Node) []int {
	if other == n {
		return nil
	}
	return []int{other.I}
}

// read is the text of the element that a person can see, without that of the items which a tree has in it.
func (a *auditor) read(n *snapshot.Node) string {
	return strings.Join(strings.Fields(a.tree.Gather(n, snapshot.Gather{NoAlt: true, MaxBytes: 2_000, MaxNodes: 200,
		Skip: func(c *snapshot.Node) bool {
			p := a.tree.Position(c.I)
			return c.Role == "treeitem" || p < 0 || a.sight[p].state == hidden || a.sight[p].state == none ||
				c.Attr("aria-hidden") == "true"
		}})), " ")
}

// inOrder reports whether the words of the visible text are in the name, one after the
// other.
func inOrder(visible, name string) bool {
	in := fold(name)
	for w := range wordsOf(visible) {
		at := strings.Index(in, w)
		if at < 0 {
			return false
		}
		in = in[at+len(w):]
	}
	return true
}

func isLetter(r rune) bool { return counts(r) && !(r >= '0' && r <= '9') }

// sayKind names an element without its name.
func (a *auditor) sayKind(n *snapshot.Node) string {
	kind := a.short(n.Kind())
	if n.Ref > 0 {
		return fmt.Sprintf("[%d] %s", n.Ref, kind)
	}
	return kind
}

// formatsOf are the formats that have a line about the element.
func (a *auditor) formatsOf(n *snapshot.Node) []dump.Format {
	var in []dump.Format
	for _, r := range a.views {
		if len(r.LinesOf(n.I)) > 0 {
			in = append(in, r.Format)
		}
	}
	return in
}
