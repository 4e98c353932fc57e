package find

import (
	"errors"
	"slices"
	"strings"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/text"
)

// Clickable lists the elements that a person would click by that text, best first (C-5, seed 6.4): a visible one before
// one that is not; of each an equal text before one that only holds it ("Completed" is not "Clear completed"); of each
// what is nearest in the scope; of each buttons, links, elements with the role of a button, then whatever else can be
// clicked; of each what is inside before what is around it; then document order. An option is one only where it is
// drawn. Text is compared without case and with white space collapsed; with exact, case counts and the whole text must
// be equal.
func Clickable(c *snapshot.Capture, words string, exact bool, in Scope) ([]*snapshot.Node, error) {
	want := text.CollapseSpace(words)
	if want == "" {
		return nil, errors.New("find: name the text to click")
	}
	t := snapshot.NewTree(c)
	var list []ranked
	at := map[int]int{} // by node, its place in list
	add := func(one ranked) {
		for up := range t.Ancestors(one.n.I) {
			if i, ok := at[up.I]; ok && list[i].words == one.words && list[i].kind == one.kind && one.n.Visible {
				list[i].outer = 1
			}
		}
		at[one.n.I] = len(list)
		list = append(list, one)
	}
	for i := range c.Nodes {
		n := &c.Nodes[i]
		if !listed(t, n) || n.Tag == "option" && !n.Visible {
			continue
		}
		kind, away := clickKind(n), in.away(c, n)
		if kind < 0 || away < 0 {
			continue
		}
		name := n.Name
		switch {
		case n.Tag == "select": // it shows what is chosen; what else there is to choose is an option of its own
			if m := matches(n.Value, want, exact); m >= 0 {
				add(ranked{n: n, words: m, away: away, kind: kind})
				continue
			}
		case name == "":
			name = t.Text(i)
		}
		if m := matches(name, want, exact); m >= 0 {
			add(ranked{n: n, words: m, away: away, kind: kind})
		}
	}
	return byRank(list), nil
}

// Plain is the last visible element whose own text that is and that [Clickable] does not list, nil where there is none.
func Plain(c *snapshot.Capture, words string, exact bool, in Scope) *snapshot.Node {
	want := text.CollapseSpace(words)
	for i := len(c.Nodes) - 1; i >= 0; i-- {
		n := &c.Nodes[i]
		if n.Visible && in.away(c, n) >= 0 && clickKind(n) < 0 && matches(n.Text, want, exact) >= 0 {
			return n
		}
	}
	return nil
}

// Hidden is the first control that is called so and that its style or what is around it hides, so that [Clickable] does
// not list it, nil where there is none.
func Hidden(c *snapshot.Capture, words string, exact bool, in Scope) *snapshot.Node {
	want, t := text.CollapseSpace(words), snapshot.NewTree(c)
	for i := range c.Nodes {
		n := &c.Nodes[i]
		switch n.Verdict {
		case snapshot.VerdictDisplayNone, snapshot.VerdictVisibilityHidden, snapshot.VerdictContentHidden:
		default:
			continue
		}
		if clickKind(n) < 0 || in.away(c, n) < 0 {
			continue
		}
		own := text.CollapseSpace(t.Gather(n, snapshot.Gather{All: true, MaxBytes: 200, MaxNodes: 50}))
		if matches(own, want, exact) >= 0 {
			return n
		}
	}
	return nil
}

// clickKind is the place in the order of 6.4, -1 for what is not clicked by its text.
func clickKind(n *snapshot.Node) int {
	kind := n.Attrs["type"]
	switch {
	case n.Tag == "button", n.Tag == "input" && slices.Contains([]string{"button", "submit", "reset", "image"}, kind):
		return 0
	case n.Tag == "a" && n.Attrs["href"] != "":
		return 1
	case n.Role == "button":
		return 2
	case len(n.Interactive) > 0, n.Tag == "label", n.Tag == "summary", n.Tag == "option":
		return 3
	}
	return -1
}

// Field lists the fields that a label names, best first (C-11, seed 6.4 and 9.2): a visible one before one that is not;
// of each an equal label before one that only holds it; of each what is nearest in the scope; of each by a label
// element, by aria-label, by aria-labelledby, by the placeholder. Text is compared as for [Clickable]. A field that is
// not rendered is none: nobody could fill it.
func Field(c *snapshot.Capture, label string, exact bool, in Scope) ([]*snapshot.Node, error) {
	want := text.CollapseSpace(label)
	if want == "" {
		return nil, errors.New("find: name a label")
	}
	var list []ranked
	for i := range c.Nodes {
		n := &c.Nodes[i]
		if !n.Verdict.Kept() || !isField(n) {
			continue
		}
		away := in.away(c, n)
		if away < 0 {
			continue
		}
		kind := 4
		switch n.NameFrom {
		case "label":
			kind = 0
		case "aria-label":
			kind = 1
		case "aria-labelledby":
			kind = 2
		}
		if m := matches(n.Name, want, exact); m >= 0 {
			list = append(list, ranked{n: n, words: m, away: away, kind: kind})
		} else if m := matches(n.Attrs["placeholder"], want, exact); m >= 0 {
			list = append(list, ranked{n: n, words: m, away: away, kind: 3})
		}
	}
	return byRank(list), nil
}

func isField(n *snapshot.Node) bool {
	switch n.Tag {
	case "input":
		return !slices.Contains([]string{"button", "submit", "reset", "image", "hidden"}, n.Attrs["type"])
	case "textarea", "select":
		return true
	}
	return slices.Contains([]string{"textbox", "searchbox", "combobox", "spinbutton"}, n.Role)
}

// matches is 0 for an equal text, 1 for one that contains it, -1 for neither.
func matches(s, want string, exact bool) int {
	s = text.CollapseSpace(s)
	switch {
	case s == "":
		return -1
	case s == want:
		return 0
	case exact:
		return -1
	case strings.EqualFold(s, want):
		return 0
	case strings.Contains(strings.ToLower(s), strings.ToLower(want)):
		return 1
	}
	return -1
}
