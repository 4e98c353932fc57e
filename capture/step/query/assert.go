package query

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/refscope/refscope/capture/element"
	"github.com/refscope/refscope/capture/step/param"
	"github.com/refscope/refscope/capture/step/stepdef"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/text"
)

// AssertSteps are the steps that check (seed 11.13).
func AssertSteps() []stepdef.StepDef {
	return []stepdef.StepDef{
		stepdef.Define(assert, stepdef.StepDef{
			Name: "assert", Summary: "fail unless the page is as expected",
			Forms: []param.Form{
				{`{"url":{"contains":"/search"}}`,
					"the address: contains, equals, startsWith, endsWith, matches (a regular expression)"},
				{`{"urlContains":"/search"}`, "the same, short"},
				{`{"text":"Welcome"}`, "a text somewhere on the page"},
				{`{"text":"welcome","selector":"h1","caseSensitive":false}`, "in an element, whatever the case"},
			},
		}),
	}
}

type urlCheck struct {
	Contains   *string `json:"contains,omitempty" what:"a part of the address"`
	Equals     *string `json:"equals,omitempty" what:"the whole address"`
	StartsWith *string `json:"startsWith,omitempty" what:"its beginning"`
	EndsWith   *string `json:"endsWith,omitempty" what:"its end"`
	Matches    *string `json:"matches,omitempty" what:"a regular expression"`
}

type assertParams struct {
	URL         *urlCheck `json:"url,omitempty" what:"contains, equals, startsWith, endsWith or matches"`
	URLContains *string   `json:"urlContains,omitempty" what:"a part of the address"`
	Text        *string   `json:"text,omitempty" finds:"words" what:"a text of the page"`

	Selector string `json:"selector,omitempty" finds:"selector" what:"the element that holds it, by selector or ref"`

	CaseSensitive *bool `json:"caseSensitive,omitempty" what:"false: capital letters of the text do not matter"`

	urls []urlTest
}

// assertion is one check (seed 11.13).
type assertion struct {
	Type     string `json:"type"` // url, text
	Check    string `json:"check"`
	Expected string `json:"expected"`
	Actual   string `json:"actual"` // of a text, its first 200 characters
	Passed   bool   `json:"passed"`
}

// assertError lists what was not as expected.
type assertError struct{ Failed []string }

func (e *assertError) Error() string { return "the assertion failed: " + strings.Join(e.Failed, "; ") }

// Subtype is the seed's name of the failure.
func (*assertError) Subtype() string { return "AssertionError" }

type assertOutput struct {
	Passed     bool        `json:"passed"`
	Assertions []assertion `json:"assertions"`
}

// urlTest is a check of an address that was read and is valid.
type urlTest struct {
	name, want string
	holds      func(url string) bool
}

// CheckParams refuses a check of nothing.
func (p *assertParams) CheckParams() error {
	add := func(name string, want *string, holds func(url, want string) bool) {
		if want != nil {
			p.urls = append(p.urls, urlTest{name, *want, func(url string) bool { return holds(url, *want) }})
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
				return fmt.Errorf("url: matches: %w", err)
			}
			add("matches", u.Matches, func(url, _ string) bool { return re.MatchString(url) })
		}
		if *u == (urlCheck{}) {
			return errors.New("url: give one of contains, equals, startsWith, endsWith, matches")
		}
	}
	switch {
	case len(p.urls) == 0 && p.Text == nil:
		return errors.New("say what to check: url, urlContains or text")
	case p.Text == nil && (p.Selector != "" || p.CaseSensitive != nil):
		return errors.New("selector and caseSensitive belong to text")
	case p.Text != nil && strings.TrimSpace(*p.Text) == "":
		return errors.New("text is empty")
	}
	return nil
}

func assert(ctx context.Context, e *stepdef.Env, p *assertParams) (any, error) {
	out := &assertOutput{Passed: true}
	if len(p.urls) > 0 {
		info, err := e.Page.Tab().Info(ctx)
		if err != nil {
			return nil, err
		}
		shown, err := e.Clean(ctx, info.URL)
		if err != nil {
			return nil, err
		}
		for _, t := range p.urls {
			out.Assertions = append(out.Assertions, assertion{"url", t.name, t.want, shown[0], t.holds(info.URL)})
		}
	}
	if p.Text != nil {
		a, err := assertText(ctx, e, p)
		if err != nil {
			return nil, err
		}
		out.Assertions = append(out.Assertions, *a)
	}
	fail := &assertError{}
	for _, a := range out.Assertions {
		if !a.Passed {
			fail.Failed = append(fail.Failed, fmt.Sprintf("the %s is %q: want %s %q", a.Type, a.Actual,
				a.Check, a.Expected))
		}
	}
	if len(fail.Failed) > 0 {
		return nil, fail
	}
	return out, nil
}

// assertText compares texts with single spaces. A text counts as a person reads it or
// as a script does: the two differ where blocks meet.
func assertText(ctx context.Context, e *stepdef.Env, p *assertParams) (*assertion, error) {
	var f *element.Found
	if p.Selector != "" {
		t := element.ParseTarget(strings.TrimSpace(p.Selector))
		var err error
		if f, err = e.Present(ctx, &t); err != nil {
			return nil, err
		}
	}
	v, err := e.Read(ctx, nil)
	if err != nil {
		return nil, err
	}
	var n *snapshot.Node
	if f != nil {
		if n, err = v.NodeOf(ctx, f.Element); err != nil {
			return nil, err
		}
	} else {
		for i := range v.Capture.Nodes {
			if e := &v.Capture.Nodes[i]; e.Frame == v.Frame && (e.Tag == "body" || e.Tag == "frameset") {
				n = e
				break
			}
		}
	}
	at := -1 // the tree has no text of a node that is not there
	if n != nil {
		at = n.I
	}
	want, seen, raw := text.CollapseSpace(*p.Text), v.Tree.InnerText(at), text.CollapseSpace(v.Text(n))
	a := &assertion{Type: "text", Check: "contains", Expected: *p.Text, Actual: text.Start(seen, 200)}
	if p.CaseSensitive != nil && !*p.CaseSensitive {
		want, seen, raw = strings.ToLower(want), strings.ToLower(seen), strings.ToLower(raw)
	}
	a.Passed = strings.Contains(seen, want) || strings.Contains(raw, want)
	return a, nil
}
