package mcp

import (
	"slices"
	"strings"

	"github.com/refscope/refscope/capture/step"
	"github.com/refscope/refscope/snapshot"
)

// refNote is what is known of a ref that could not be acted on (W-6).
type refNote struct {
	Ref  int    `json:"ref"`
	Role string `json:"role,omitempty"` // as it was last
	Name string `json:"name,omitempty"`
	// LastSeen is the turn of this session in which it was seen last, 0 where it is of no
	// turn. Gone: it is not on the page any more.
	LastSeen   int  `json:"lastSeenInTurn,omitempty"`
	Gone       bool `json:"gone,omitempty"`
	ReplacedBy int  `json:"replacedBy,omitempty"`
	// Candidates may be meant, best first, at most five. None of them was acted on.
	Candidates []candidate `json:"candidates,omitempty"`
}

type candidate struct {
	Ref  int    `json:"ref"`
	Role string `json:"role"`
	Name string `json:"name"`
}

// note tells of a ref, nil where the session never gave it.
func note(d *step.Done, c *snapshot.Capture, ref int) *refNote {
	e, ok := d.Ledger.Entry(ref)
	if !ok {
		return nil
	}
	out := &refNote{Ref: ref, Role: e.Role, Name: e.Name, LastSeen: min(e.Last, d.Ledger.NextTurn()-1), ReplacedBy: e.ReplacedBy}
	for _, ch := range e.Changes {
		switch ch.What {
		case "name":
			out.Name = ch.New
		case "role":
			out.Role = ch.New
		}
	}
	if c == nil {
		return out
	}
	if byRef(c, ref) != nil {
		return out // it is there, and was not ready
	}
	out.Gone = true
	type scored struct {
		candidate
		score int
	}
	var list []scored
	for i := range c.Nodes {
		n := &c.Nodes[i]
		if n.Ref == 0 || !n.Visible || n.Verdict != snapshot.VerdictRef {
			continue
		}
		if s := likeness(out.Role, out.Name, n.Role, n.Name); s > 0 {
			list = append(list, scored{candidate{n.Ref, n.Role, clip(n.Name, 120)}, s})
		}
	}
	slices.SortStableFunc(list, func(a, b scored) int { return b.score - a.score })
	for _, s := range list[:min(5, len(list))] {
		out.Candidates = append(out.Candidates, s.candidate)
	}
	return out
}

// likeness is how much an element is like one that is gone: 4 same role and name, 3 same
// name, 2 same role and a name that holds the other, 1 a name that shares it; 0 else.
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
