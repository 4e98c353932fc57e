package find

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/text"
)

// RoleQuery looks for elements by role, name and state (seed 11.3, role query).
type RoleQuery struct {
	// Role or Roles are what is looked for: any of them.
	Role  string   `json:"role,omitempty"`
	Roles []string `json:"roles,omitempty"`
	// Name is a part of the name; with NameExact, all of it. Neither knows case.
	Name      string `json:"name,omitempty"`
	NameExact bool   `json:"nameExact,omitempty"`
	// NameRegex is an RE2 expression for a part of the name, without case.
	NameRegex string `json:"nameRegex,omitempty"`
	// Checked and Disabled ask for a state; nil does not. A state that an element
	// does not have counts as false.
	Checked  *bool `json:"checked,omitempty"`
	Disabled *bool `json:"disabled,omitempty"`
	// Level is a heading's level, 1 to 6; 0 is any.
	Level int `json:"level,omitempty"`
	// Limit is how many results to give; 0 is [Limit], below 0 all.
	Limit int `json:"limit,omitempty"`
	// CountOnly leaves the results out.
	CountOnly bool `json:"countOnly,omitempty"`
	// Output is what each result's value is: text (default), href, value, tag, or an
	// attribute's name after "@". html needs the page and is refused.
	Output string `json:"output,omitempty"`
}

// RoleResult is one element of a [RoleAnswer].
type RoleResult struct {
	Index int    `json:"index"` // from 0
	Role  string `json:"role"`
	Name  string `json:"name"`
	Ref   int    `json:"ref,omitempty"`
	Value string `json:"value"` // as Output asks
	Node  int    `json:"node"`
}

// RoleAnswer is the result of a role query.
type RoleAnswer struct {
	Roles   []string     `json:"roles"`
	Total   int          `json:"total"`   // how many match
	Showing int          `json:"showing"` // how many are given
	Results []RoleResult `json:"results,omitempty"`
}

// Roles looks for elements by role. A query without a role, an expression that
// cannot be used and an unknown output are errors.
func Roles(c *snapshot.Capture, q RoleQuery) (*RoleAnswer, error) {
	roles := slices.Clone(q.Roles)
	if q.Role != "" {
		roles = append([]string{q.Role}, roles...)
	}
	if len(roles) == 0 {
		return nil, errors.New("find: name a role")
	}
	switch {
	case q.Output == "html":
		return nil, errors.New(`find: output "html" needs the page: ask for text, href, value, tag or @attribute`)
	case !slices.Contains([]string{"", "text", "href", "value", "tag"}, q.Output) &&
		(len(q.Output) < 2 || q.Output[0] != '@'):
		return nil, fmt.Errorf("find: output %q: choose from text, href, value, tag, @attribute", q.Output)
	}
	s := &search{t: snapshot.NewTree(c)}
	if q.NameRegex != "" {
		re, err := compile(q.NameRegex)
		if err != nil {
			return nil, err
		}
		s.pattern = re
	}
	q.Limit = cmp.Or(q.Limit, Limit)
	want := strings.ToLower(text.CollapseSpace(q.Name))
	out := &RoleAnswer{Roles: roles}
	for p := range c.Nodes {
		n := &c.Nodes[p]
		if !s.listed(n) || !slices.ContainsFunc(roles, func(r string) bool { return strings.EqualFold(r, Role(n)) }) {
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
		out.Total++
		if q.CountOnly || q.Limit >= 0 && out.Showing >= q.Limit {
			continue
		}
		out.Results = append(out.Results, RoleResult{Index: out.Showing, Role: Role(n), Name: name, Ref: n.Ref,
			Value: output(n, name, q.Output), Node: n.I})
		out.Showing++
	}
	return out, nil
}

// ByRole lists the elements of a role query, best first: of one that asks for a name, those that have no more in
// theirs before those that hold it; of each what is nearest in the scope; then document order. Its limits are not
// used.
func ByRole(c *snapshot.Capture, q RoleQuery, in Scope) ([]*snapshot.Node, error) {
	q.Limit, q.CountOnly = -1, false
	answer, err := Roles(c, q)
	if err != nil {
		return nil, err
	}
	t, want := snapshot.NewTree(c), strings.ToLower(text.CollapseSpace(q.Name))
	var list []ranked
	for _, r := range answer.Results {
		n := t.Node(r.Node)
		one := ranked{n: n, away: in.away(c, n)}
		if want != "" && strings.ToLower(r.Name) != want {
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

func output(n *snapshot.Node, name, what string) string {
	switch what {
	case "", "text":
		return name
	case "href":
		return n.Attr("href")
	case "value":
		return n.Value
	case "tag":
		return n.Tag
	}
	return n.Attr(strings.ToLower(what[1:]))
}
