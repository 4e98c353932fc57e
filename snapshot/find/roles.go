package find

import (
	"errors"
	"slices"
	"strings"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/text"
)

// RoleQuery looks for elements by role, name and state (seed 11.3, role query). Its members are the parameters of steps
// that embed it, with their tags.
type RoleQuery struct {
	// Role or Roles are what is looked for: any of them.
	Role  string   `json:"role,omitempty" finds:"role" what:"elements by role"`
	Roles []string `json:"roles,omitempty" finds:"role" what:"elements of several roles"`
	// Name is a part of the name; with NameExact, all of it. Neither knows case.
	Name      string `json:"name,omitempty" what:"a part of the name"`
	NameExact bool   `json:"nameExact,omitempty" what:"name is the whole name"`
	// NameRegex is an RE2 expression for a part of the name, without case.
	NameRegex string `json:"nameRegex,omitempty" what:"a regular expression for the name"`
	// Checked and Disabled ask for a state; nil does not. A state that an element
	// does not have counts as false.
	Checked  *bool `json:"checked,omitempty" what:"only checked ones, or only others"`
	Disabled *bool `json:"disabled,omitempty" what:"only disabled ones, or only others"`
	// Level is a heading's level, 1 to 6; 0 is any.
	Level int `json:"level,omitempty" min:"0" max:"9" what:"of headings, 1 to 6"`
}

// Wanted are the roles that the query asks for.
func (q *RoleQuery) Wanted() []string {
	if q.Role == "" {
		return slices.Clone(q.Roles)
	}
	return append([]string{q.Role}, q.Roles...)
}

// RoleMatch is one element that a role query finds.
type RoleMatch struct {
	Node *snapshot.Node
	Name string // with single spaces
}

// Roles lists the elements that a role query finds, in document order. A query without a role and an expression that
// cannot be used are errors.
func Roles(c *snapshot.Capture, q RoleQuery) ([]RoleMatch, error) {
	roles := q.Wanted()
	if len(roles) == 0 {
		return nil, errors.New("find: name a role")
	}
	s := &search{t: snapshot.NewTree(c)}
	if q.NameRegex != "" {
		re, err := compile(q.NameRegex)
		if err != nil {
			return nil, err
		}
		s.pattern = re
	}
	want := strings.ToLower(text.CollapseSpace(q.Name))
	var out []RoleMatch
	for p := range c.Nodes {
		n := &c.Nodes[p]
		named := slices.ContainsFunc(roles, func(r string) bool { return strings.EqualFold(r, Role(n)) })
		if !named || !listed(s.t, n) {
			continue
		}
		if !stateIs(n, "checked", q.Checked) || !stateIs(n, "disabled", q.Disabled) || q.Level > 0 &&
			level(n) != q.Level {
			continue
		}
		name := s.name(n)
		switch {
		case want != "" && q.NameExact && strings.ToLower(name) != want,
			want != "" && !q.NameExact && !strings.Contains(strings.ToLower(name), want),
			s.pattern != nil && !s.pattern.MatchString(name):
			continue
		}
		out = append(out, RoleMatch{n, name})
	}
	return out, nil
}

// ByRole lists the elements of a role query, best first: a visible one before one that is not; of a query that asks for
// a name, those that have no more in theirs before those that hold it; of each what is nearest in the scope; then
// document order.
func ByRole(c *snapshot.Capture, q RoleQuery, in Scope) ([]*snapshot.Node, error) {
	found, err := Roles(c, q)
	if err != nil {
		return nil, err
	}
	want := strings.ToLower(text.CollapseSpace(q.Name))
	var list []ranked
	for _, m := range found {
		one := ranked{n: m.Node, away: in.away(c, m.Node)}
		if want != "" && strings.ToLower(m.Name) != want {
			one.words = 1
		}
		if one.away >= 0 {
			list = append(list, one)
		}
	}
	return byRank(list), nil
}

// stateIs reports whether the state is as asked; "mixed" is neither.
func stateIs(n *snapshot.Node, name string, want *bool) bool {
	if want == nil {
		return true
	}
	if n.States.Token(name) != "" {
		return false
	}
	return n.States.Is(name) == *want
}

// level is a heading's level: from its state, else from its tag.
func level(n *snapshot.Node) int {
	if l := int(n.States.Number("level")); l > 0 {
		return l
	}
	if snapshot.IsHeading(n.Tag) {
		return int(n.Tag[1] - '0')
	}
	return 0
}
