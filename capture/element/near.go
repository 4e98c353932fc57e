package element

import (
	"slices"
	"strings"

	"github.com/refscope/refscope/snapshot"
)

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
		if s := likeness(role, name, node.Role, node.Name); s > 0 {
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

// likeness is how much an element is like one that is gone: 4 same role and name, 3 same name, 2 same role and a
// name that holds the other, 1 a name that shares it; 0 else.
func likeness(role, name, role2, name2 string) int {
	a, b := strings.ToLower(strings.TrimSpace(name)), strings.ToLower(strings.TrimSpace(name2))
	holds := a != "" && b != "" && (strings.Contains(a, b) || strings.Contains(b, a))
	switch {
	case role == role2 && a == b:
		return 4
	case a != "" && a == b:
		return 3
	case role == role2 && holds:
		return 2
	case holds:
		return 1
	}
	return 0
}
