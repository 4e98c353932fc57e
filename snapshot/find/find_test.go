package find

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/pagetest"
)

// page is a shop page with a list, a form and a paragraph with a bold word.
func page(t testing.TB) *snapshot.Capture {
	return pagetest.Parse(t, `
body %role=document %verdict=wrapper @100,0,40,10
  nav %role=navigation %name="Main \"menu\"" %ref=1 %verdict=ref @100,20,40,10
    ul %role=list %verdict=wrapper @100,40,40,10
      li %role=listitem %verdict=wrapper @100,60,40,10
        a href=/in class=x %role=link %name="Sign In" %ref=2 @100,80,40,10
  h2 %role=heading %name=Teas %ref=3 %state=level=2 %verdict=ref @100,100,40,10
  button %name="Sign in now" %ref=4 %state=disabled @100,120,40,10
  input %role=textbox %name=Name %value="Ada  Lovelace" %ref=5 @100,140,40,10
  input %role=checkbox %name=All %ref=6 %state=checked=mixed @100,160,40,10
  input %role=checkbox %name=One %ref=7 %state=checked @100,180,40,10
  p %ref=8 %verdict=content @100,200,40,10
    "Hello "
    b %ref=9 %verdict=content @100,220,40,10 "dear"
    ", welcome"
  button %name="Hidden sign in" %hidden @100,240,40,10
`)
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
			a, err := Search(page(t), tt.q)
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
	a, err := Search(page(t), Query{Text: "sign", Role: "link", Near: &Near{X: 120, Y: 85}})
	require.NoError(t, err)
	data, err := json.Marshal(a)
	require.NoError(t, err)
	require.JSONEq(t,
		`{"matches":[{"path":["list","listitem","link"],"role":"link","name":"Sign In","ref":2,
		"box":[100,80,40,10],"distance":0,"node":4}],"matchCount":1,"searchedElements":9,
		"criteria":{"text":"sign","role":"link","near":{"x":120,"y":85,"radius":50},"limit":10,"context":2}}`,
		string(data))
	a, err = Search(page(t), Query{Role: "link", Context: 9})
	require.NoError(t, err)
	require.Equal(t, []string{`navigation "Main \"menu\""`, "list", "listitem", "link"}, a.Matches[0].Path)
	a, err = Search(page(t), Query{Role: "link", Context: -1})
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
		_, err := Search(page(t), q)
		require.EqualError(t, err, want)
	}
	_, err := Search(page(t), Query{Pattern: "(a"})
	require.ErrorContains(t, err, `find: pattern "(a"`)
	_, err = Search(page(t), Query{Pattern: "((a{500}){500}){5}"})
	require.Error(t, err, "a pattern that would be huge")
}

func TestRoles(t *testing.T) {
	yes, no := true, false
	for _, tt := range []struct {
		name string
		q    RoleQuery
		want string
	}{
		{"one role", RoleQuery{Role: "heading"}, "3=Teas"},
		{"several", RoleQuery{Roles: []string{"link", "button"}}, "2=Sign In 4=Sign in now"},
		{"name", RoleQuery{Role: "button", Name: "IN NOW"}, "4=Sign in now"},
		{"exact name", RoleQuery{Role: "button", Name: "in now", NameExact: true}, ""},
		{"pattern", RoleQuery{Role: "checkbox", NameRegex: "^o"}, "7=One"},
		{"checked", RoleQuery{Role: "checkbox", Checked: &yes}, "7=One"},
		{"mixed is neither", RoleQuery{Role: "checkbox", Checked: &no}, ""},
		{"not disabled", RoleQuery{Role: "button", Disabled: &no}, ""},
		{"disabled", RoleQuery{Role: "button", Disabled: &yes}, "4=Sign in now"},
		{"level", RoleQuery{Role: "heading", Level: 3}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			found, err := Roles(page(t), tt.q)
			require.NoError(t, err)
			var got []string
			for _, m := range found {
				got = append(got, fmt.Sprintf("%d=%s", m.Node.Ref, m.Name))
			}
			require.Equal(t, tt.want, strings.Join(got, " "))
		})
	}
	_, err := Roles(page(t), RoleQuery{})
	require.EqualError(t, err, "find: name a role")
}

// TestDeepText: text nested without end is searched within bounds.
func TestDeepText(t *testing.T) {
	c := &snapshot.Capture{}
	for i := range 4_000 {
		c.Nodes = append(c.Nodes, snapshot.Node{I: i, Parent: i - 1, Tag: "span", Ref: i + 1,
			Verdict: snapshot.VerdictContent, Text: "deep"})
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
		c.Nodes = append(c.Nodes, snapshot.Node{I: i, Parent: i / 8, Tag: "a", Role: "link", Ref: i + 1,
			Name: fmt.Sprint("Product number ", i), Verdict: snapshot.VerdictRef})
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
