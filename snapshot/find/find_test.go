package find

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
)

// page is a shop page with a list, a form and a paragraph with a bold word.
func page() *snapshot.Capture {
	c := &snapshot.Capture{}
	add := func(parent int, n snapshot.Node) int {
		n.I, n.Parent = len(c.Nodes), parent
		if n.Verdict == "" {
			n.Verdict = snapshot.VerdictRef
		}
		n.Box = snapshot.Box{100, float64(20 * n.I), 40, 10}
		c.Nodes = append(c.Nodes, n)
		return n.I
	}
	body := add(-1, snapshot.Node{Tag: "body", Role: "document", Verdict: snapshot.VerdictWrapper})
	nav := add(body, snapshot.Node{Tag: "nav", Role: "navigation", Name: "Main \"menu\"", Ref: 1, Block: true})
	list := add(nav, snapshot.Node{Tag: "ul", Role: "list", Verdict: snapshot.VerdictWrapper, Block: true})
	item := add(list, snapshot.Node{Tag: "li", Role: "listitem", Verdict: snapshot.VerdictWrapper, Block: true})
	add(item, snapshot.Node{Tag: "a", Role: "link", Name: "Sign In", Ref: 2, Attrs: map[string]string{"href": "/in", "class": "x"}})
	add(body, snapshot.Node{Tag: "h2", Role: "heading", Name: "Teas", Ref: 3, States: snapshot.States{"level": 2.0}})
	add(body, snapshot.Node{Tag: "button", Role: "button", Name: "Sign in now", Ref: 4, States: snapshot.States{"disabled": true}})
	add(body, snapshot.Node{Tag: "input", Role: "textbox", Name: "Name", Value: "Ada  Lovelace", Ref: 5})
	add(body, snapshot.Node{Tag: "input", Role: "checkbox", Name: "All", Ref: 6, States: snapshot.States{"checked": "mixed"}})
	add(body, snapshot.Node{Tag: "input", Role: "checkbox", Name: "One", Ref: 7, States: snapshot.States{"checked": true}})
	p := add(body, snapshot.Node{Tag: "p", Ref: 8, Verdict: snapshot.VerdictContent, Block: true, Text: "Hello dear  ,", Runs: []snapshot.Run{{Text: "Hello ", Before: 11}, {Text: ", welcome", Before: -1}}})
	add(p, snapshot.Node{Tag: "b", Ref: 9, Verdict: snapshot.VerdictContent, Text: "dear"})
	add(body, snapshot.Node{Tag: "button", Role: "button", Name: "Hidden sign in", Verdict: snapshot.VerdictDisplayNone})
	return c
}

func refs(a *Answer) (out []int) {
	for _, m := range a.Matches {
		out = append(out, m.Ref)
	}
	return out
}

func TestSearch(t *testing.T) {
	for _, tt := range []struct {
		name string
		q    Query
		want []int
	}{
		{"text without case", Query{Text: "sign  IN"}, []int{2, 4}},
		{"exact", Query{Text: "sign in", Exact: true}, []int{2}},
		{"in the value", Query{Text: "ada lovelace"}, []int{5}},
		{"over name and value", Query{Text: "name ada"}, []int{5}},
		{"a value is not a name", Query{Text: "Ada Lovelace", Exact: true}, nil},
		{"text over inline elements", Query{Text: "hello dear, welcome"}, []int{8}},
		{"role", Query{Role: "checkbox"}, []int{6, 7}},
		{"role without one", Query{Role: "<p>"}, []int{8}},
		{"text and role", Query{Text: "sign", Role: "Button"}, []int{4}},
		{"pattern", Query{Pattern: "^(one|all)$"}, []int{6, 7}},
		{"pattern on a value", Query{Pattern: "love.ace$"}, []int{5}},
		{"selector", Query{Selector: "nav a.x, h2"}, []int{2, 3}},
		{"near, nearest first", Query{Near: &Near{X: 120, Y: 125, Radius: 21}}, []int{4, 3, 5}},
		{"near, default radius", Query{Near: &Near{X: 120, Y: 5}, Role: "navigation"}, []int{1}},
		{"limit", Query{Pattern: ".", Limit: 2}, []int{1, 2}},
		{"all", Query{Pattern: ".", Limit: -1}, []int{1, 2, 3, 4, 5, 6, 7, 8, 9}},
		{"nothing", Query{Text: "nowhere"}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, err := Search(page(), tt.q)
			require.NoError(t, err)
			require.Equal(t, tt.want, refs(a))
			require.Equal(t, 9, a.SearchedElements)
			if tt.q.Limit != 2 {
				require.Equal(t, len(tt.want), a.MatchCount)
			} else {
				require.Equal(t, 9, a.MatchCount)
			}
		})
	}
}

func TestAnswerShape(t *testing.T) {
	a, err := Search(page(), Query{Text: "sign", Role: "link", Near: &Near{X: 120, Y: 85}})
	require.NoError(t, err)
	data, err := json.Marshal(a)
	require.NoError(t, err)
	require.JSONEq(t, `{"matches":[{"path":["list","listitem","link"],"role":"link","name":"Sign In","ref":2,"box":[100,80,40,10],"distance":0,"node":4}],
		"matchCount":1,"searchedElements":9,"criteria":{"text":"sign","role":"link","near":{"x":120,"y":85,"radius":50},"limit":10,"context":2}}`, string(data))
	a, err = Search(page(), Query{Role: "link", Context: 9})
	require.NoError(t, err)
	require.Equal(t, []string{`navigation "Main \"menu\""`, "list", "listitem", "link"}, a.Matches[0].Path)
	a, err = Search(page(), Query{Role: "link", Context: -1})
	require.NoError(t, err)
	require.Equal(t, []string{"link"}, a.Matches[0].Path)
}

func TestWrongQueries(t *testing.T) {
	for want, q := range map[string]Query{
		"find: say what to look for: text, pattern, role, selector or near":            {Exact: true},
		"find: the text is nothing but white space":                                    {Text: " \t"},
		"find: a pattern of 1001 characters: at most 1000 are read":                    {Pattern: strings.Repeat("é", 1001)},
		`find: selector "a:hover" at byte 7: a capture cannot answer :hover`:           {Selector: "a:hover"},
		"find: near 1,2 with radius -3: write numbers of CSS px, the radius from 0 on": {Near: &Near{1, 2, -3}},
	} {
		_, err := Search(page(), q)
		require.EqualError(t, err, want)
	}
	_, err := Search(page(), Query{Pattern: "(a"})
	require.ErrorContains(t, err, `find: pattern "(a"`)
	_, err = Search(page(), Query{Pattern: "((a{500}){500}){5}"})
	require.Error(t, err, "a pattern that would be huge")
}

func TestRoles(t *testing.T) {
	yes, no := true, false
	for _, tt := range []struct {
		name string
		q    RoleQuery
		want string
	}{
		{"one role", RoleQuery{Role: "heading"}, "1/1 0:3=Teas"},
		{"several", RoleQuery{Roles: []string{"link", "button"}}, "2/2 0:2=Sign In 1:4=Sign in now"},
		{"name", RoleQuery{Role: "button", Name: "IN NOW"}, "1/1 0:4=Sign in now"},
		{"exact name", RoleQuery{Role: "button", Name: "in now", NameExact: true}, "0/0"},
		{"pattern", RoleQuery{Role: "checkbox", NameRegex: "^o"}, "1/1 0:7=One"},
		{"checked", RoleQuery{Role: "checkbox", Checked: &yes}, "1/1 0:7=One"},
		{"mixed is neither", RoleQuery{Role: "checkbox", Checked: &no}, "0/0"},
		{"not disabled", RoleQuery{Role: "button", Disabled: &no}, "0/0"},
		{"disabled", RoleQuery{Role: "button", Disabled: &yes}, "1/1 0:4=Sign in now"},
		{"level", RoleQuery{Role: "heading", Level: 3}, "0/0"},
		{"count", RoleQuery{Roles: []string{"link", "button"}, CountOnly: true}, "0/2"},
		{"limit", RoleQuery{Roles: []string{"link", "button"}, Limit: 1}, "1/2 0:2=Sign In"},
		{"href", RoleQuery{Role: "link", Output: "href"}, "1/1 0:2=/in"},
		{"attribute", RoleQuery{Role: "link", Output: "@class"}, "1/1 0:2=x"},
		{"value", RoleQuery{Role: "textbox", Output: "value"}, "1/1 0:5=Ada  Lovelace"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, err := Roles(page(), tt.q)
			require.NoError(t, err)
			got := fmt.Sprintf("%d/%d", a.Showing, a.Total)
			for _, r := range a.Results {
				got += fmt.Sprintf(" %d:%d=%s", r.Index, r.Ref, r.Value)
			}
			require.Equal(t, tt.want, got)
		})
	}
	_, err := Roles(page(), RoleQuery{})
	require.EqualError(t, err, "find: name a role")
	_, err = Roles(page(), RoleQuery{Role: "a", Output: "html"})
	require.ErrorContains(t, err, "needs the page")
	_, err = Roles(page(), RoleQuery{Role: "a", Output: "@"})
	require.ErrorContains(t, err, "choose from")
}

// TestDeepText: text nested without end is searched within bounds.
func TestDeepText(t *testing.T) {
	c := &snapshot.Capture{}
	for i := range 4_000 {
		c.Nodes = append(c.Nodes, snapshot.Node{I: i, Parent: i - 1, Tag: "span", Ref: i + 1, Verdict: snapshot.VerdictContent, Text: "deep"})
	}
	a, err := Search(c, Query{Text: "deep deep", Limit: -1})
	require.NoError(t, err)
	require.Zero(t, a.MatchCount, "nothing stands between the words")
	a, err = Search(c, Query{Text: strings.Repeat("deep", maxNodes), Limit: -1})
	require.NoError(t, err)
	require.Equal(t, 4_000-maxNodes+1, a.MatchCount)
}

func BenchmarkSearch(b *testing.B) {
	c := &snapshot.Capture{}
	for i := range 5_000 {
		c.Nodes = append(c.Nodes, snapshot.Node{I: i, Parent: i / 8, Tag: "a", Role: "link", Ref: i + 1, Name: fmt.Sprint("Product number ", i), Verdict: snapshot.VerdictRef})
	}
	for name, q := range map[string]Query{"text": {Text: "number 4999"}, "pattern": {Pattern: "number 49+$"}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if a, err := Search(c, q); err != nil || a.MatchCount == 0 {
					b.Fatal(a, err)
				}
			}
		})
	}
}
