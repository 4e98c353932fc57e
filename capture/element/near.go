package element

import (
	"slices"
	"strings"

	"github.com/refscope/refscope/snapshot"
)

// Likeness scores a text against what was looked for (seed 16.3): 100 equal, 80 contains it, 70 is contained in it,
// 50 shares a word of more than two letters; 0 else.
func Likeness(given, wanted string) int {
	a, b := strings.ToLower(strings.TrimSpace(given)), strings.ToLower(strings.TrimSpace(wanted))
	switch {
	case a == "" || b == "":
		return 0
	case a == b:
		return 100
	case strings.Contains(a, b):
		return 80
	case len([]rune(a)) > 2 && strings.Contains(b, a):
		return 70
	}
	words := strings.FieldsFunc(a, parts)
	for _, w := range strings.FieldsFunc(b, parts) {
		if len([]rune(w)) > 2 && slices.Contains(words, w) {
			return 50
		}
	}
	return 0
}

// parts reports whether a letter parts words.
func parts(r rune) bool { return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r > 0x7f) }

// Near lists the elements that may be meant where one with that role and name is gone: visible ones with a
// number, best first, at most n. None of them may be acted on without being named.
func Near(c *snapshot.Capture, role, name string, n int) []*snapshot.Node {
	type scored struct {
		node  *snapshot.Node
		score int
	}
	var list []scored
	for i := range c.Nodes {
		node := &c.Nodes[i]
		if node.Ref == 0 || !node.Visible || node.Verdict != snapshot.VerdictRef {
			continue
		}
		if s := closeness(role, name, node.Role, node.Name); s > 0 {
			list = append(list, scored{node, s})
		}
	}
	slices.SortStableFunc(list, func(a, b scored) int { return b.score - a.score })
	var out []*snapshot.Node
	for _, s := range list[:min(n, len(list))] {
		out = append(out, s.node)
	}
	return out
}

// closeness orders elements by how much they are like one that is gone: the likeness of their names, an equal role
// before another one; 0 for none, which a name that only shares a word is too.
func closeness(role, name, role2, name2 string) int {
	score := Likeness(name2, name)
	switch {
	case role == role2 && strings.EqualFold(strings.TrimSpace(name), strings.TrimSpace(name2)):
		return 110
	case score <= 50:
		return 0
	case score == 100:
		return 105
	case role == role2:
		return score + 20
	}
	return score
}
