package step

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/refscope/refscope/snapshot"
)

// assertKinds are the steps that check (seed 11.13).
func assertKinds() []Kind {
	return []Kind{
		{Name: "assert", Summary: "fail unless the page is as expected", parse: parseAssert, Forms: []Form{
			{`{"url":{"contains":"/search"}}`, "the address: contains, equals, startsWith, endsWith, matches (a regular expression)"},
			{`{"urlContains":"/search"}`, "the same, short"}, {`{"text":"Welcome"}`, "a text somewhere on the page"},
			{`{"text":"welcome","selector":"h1","caseSensitive":false}`, "in an element, whatever the case"},
		}},
	}
}

type urlCheck struct {
	Contains   *string `json:"contains,omitempty"`
	Equals     *string `json:"equals,omitempty"`
	StartsWith *string `json:"startsWith,omitempty"`
	EndsWith   *string `json:"endsWith,omitempty"`
	Matches    *string `json:"matches,omitempty"`
}

type assertParams struct {
	URL           *urlCheck `json:"url,omitempty"`
	URLContains   *string   `json:"urlContains,omitempty"`
	Text          *string   `json:"text,omitempty"`
	Selector      string    `json:"selector,omitempty"`
	CaseSensitive *bool     `json:"caseSensitive,omitempty"`
}

// assertion is one check (seed 11.13).
type assertion struct {
	Type     string `json:"type"` // url, text
	Check    string `json:"check"`
	Expected string `json:"expected"`
	Actual   string `json:"actual"` // of a text, its first 200 characters
	Passed   bool   `json:"passed"`
}

// AssertError says what was not as expected.
type AssertError struct{ Failed []string }

func (e *AssertError) Error() string { return "the assertion failed: " + strings.Join(e.Failed, "; ") }

type assertOutput struct {
	Passed     bool        `json:"passed"`
	Assertions []assertion `json:"assertions"`
}

// test is a check of an address that was read and is valid.
type test struct {
	name, want string
	holds      func(url string) bool
}

func (p *assertParams) tests() ([]test, error) {
	var out []test
	add := func(name string, want *string, holds func(url, want string) bool) {
		if want != nil {
			w := *want
			out = append(out, test{name, w, func(url string) bool { return holds(url, w) }})
		}
	}
	add("contains", p.URLContains, strings.Contains)
	if u := p.URL; u != nil {
		add("contains", u.Contains, strings.Contains)
		add("equals", u.Equals, func(url, want string) bool { return url == want })
		add("startsWith", u.StartsWith, strings.HasPrefix)
		add("endsWith", u.EndsWith, strings.HasSuffix)
		if u.Matches != nil {
			re, err := regexp.Compile(*u.Matches)
			if err != nil {
				return nil, fmt.Errorf("url: matches: %w", err)
			}
			add("matches", u.Matches, func(url, _ string) bool { return re.MatchString(url) })
		}
		if *u == (urlCheck{}) {
			return nil, errors.New("url: give one of contains, equals, startsWith, endsWith, matches")
		}
	}
	return out, nil
}

func parseAssert(raw json.RawMessage) (Work, error) {
	var p assertParams
	if err := decode(raw, &p); err != nil {
		return nil, err
	}
	tests, err := p.tests()
	if err != nil {
		return nil, err
	}
	switch {
	case len(tests) == 0 && p.Text == nil:
		return nil, errors.New("say what to check: url, urlContains or text")
	case p.Text == nil && (p.Selector != "" || p.CaseSensitive != nil):
		return nil, errors.New("selector and caseSensitive belong to text")
	case p.Text != nil && strings.TrimSpace(*p.Text) == "":
		return nil, errors.New("text is empty")
	}
	return func(ctx context.Context, r *Runner) (any, error) {
		out := &assertOutput{Passed: true}
		if len(tests) > 0 {
			info, err := r.page.Tab().Info(ctx)
			if err != nil {
				return nil, err
			}
			shown, err := r.seal(ctx, info.URL)
			if err != nil {
				return nil, err
			}
			for _, t := range tests {
				out.Assertions = append(out.Assertions, assertion{"url", t.name, t.want, shown[0], t.holds(info.URL)})
			}
		}
		if p.Text != nil {
			a, err := r.assertText(ctx, &p)
			if err != nil {
				return nil, err
			}
			out.Assertions = append(out.Assertions, *a)
		}
		fail := &AssertError{}
		for _, a := range out.Assertions {
			if !a.Passed {
				fail.Failed = append(fail.Failed, fmt.Sprintf("the %s is %q: want %s %q", a.Type, a.Actual, a.Check, a.Expected))
			}
		}
		if len(fail.Failed) > 0 {
			return nil, fail
		}
		return out, nil
	}, nil
}

// assertText compares texts with single spaces. A text counts as a person reads it or
// as a script does: the two differ where blocks meet.
func (r *Runner) assertText(ctx context.Context, p *assertParams) (*assertion, error) {
	var f *found
	if p.Selector != "" {
		t := targetOf(strings.TrimSpace(p.Selector))
		var err error
		if f, err = r.present(ctx, &t); err != nil {
			return nil, err
		}
	}
	v, err := r.read(ctx, nil)
	if err != nil {
		return nil, err
	}
	var n *snapshot.Node
	if f != nil {
		if n, err = v.nodeOf(ctx, f.Element); err != nil {
			return nil, err
		}
	} else {
		for i := range v.c.Nodes {
			if e := &v.c.Nodes[i]; e.Frame == v.frame && (e.Tag == "body" || e.Tag == "frameset") {
				n = e
				break
			}
		}
	}
	squash := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	want, seen, raw := squash(*p.Text), v.t.InnerText(v.index(n)), squash(v.text(n))
	a := &assertion{Type: "text", Check: "contains", Expected: *p.Text, Actual: cut(seen, 200)}
	if p.CaseSensitive != nil && !*p.CaseSensitive {
		want, seen, raw = strings.ToLower(want), strings.ToLower(seen), strings.ToLower(raw)
	}
	a.Passed = strings.Contains(seen, want) || strings.Contains(raw, want)
	return a, nil
}

// index is the index of a node, -1 for nil: a tree then has no text of it.
func (v *view) index(n *snapshot.Node) int {
	if n == nil {
		return -1
	}
	return n.I
}
