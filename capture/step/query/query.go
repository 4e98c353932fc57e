package query

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/capture/element"
	"github.com/refscope/refscope/capture/step/param"
	"github.com/refscope/refscope/capture/step/stepdef"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/find"
	"github.com/refscope/refscope/snapshot/text"
)

// Steps are the steps that look for elements and return their content (C-13; seed
// 11.3 to 11.7).
func Steps() []stepdef.StepDef {
	return []stepdef.StepDef{
		stepdef.Define(query, stepdef.StepDef{
			Name: "query", Summary: "find elements by selector or by role, and tell what they hold",
			Also: []string{"find", "locate"},
			Forms: []param.Form{
				{`"h1"`, "by CSS selector"},
				{`{"selector":"a","limit":5,"output":"href"}`,
					"output: text (default), html, href, value, tag or @attribute"},
				{`{"selector":"a","output":["text","href"],"clean":true,"metadata":true}`,
					"several outputs; clean trims, metadata adds tag, attributes and box"},
				{`{"selector":"a","output":{"attribute":"data-id"}}`, "an attribute, or attributes with a list"},
				{`{"role":"button","name":"Save","nameExact":true}`,
					"by role and name; nameRegex, checked, disabled, level"},
				{`{"roles":["link","button"],"countOnly":true}`, "of several roles, only how many"},
			},
		}),
		stepdef.Define(queryAll, stepdef.StepDef{
			Name: "queryAll", Summary: "several queries at once",
			Forms: []param.Form{
				{`{"title":"h1","links":{"selector":"a","limit":5,"output":"href"}}`,
					"labels with selectors or queries"},
			},
		}),
		stepdef.Define(inspect, stepdef.StepDef{
			Name: "inspect", Summary: "title, address and how many elements of each kind",
			Forms: []param.Form{
				{`true`, "the common kinds"},
				{`{"selectors":[".card",".error"],"limit":3}`, "also by selector; limit adds the first texts"},
			},
		}),
	}
}

// outputs selects what is returned of each element. It is written as a string, a list or an
// object.
type outputs struct {
	_          struct{} `want:"a string, a list or an object"`
	One        string   `json:"-" form:"string"`
	List       []string `json:"-" form:"array"`
	Attribute  string   `json:"attribute,omitempty" what:"one attribute"`
	Attributes []string `json:"attributes,omitempty" what:"several attributes"`

	modes []string // text, html, href, value, tag, @attribute
	keyed bool     // an object for each element, by mode or attribute
}

// CheckParams refuses what can be given of no element.
func (o *outputs) CheckParams() error {
	if o.Attribute != "" || o.Attributes != nil || o.One == "" && o.List == nil {
		if (o.Attribute == "") == (len(o.Attributes) == 0) {
			return errors.New("give one of attribute and attributes")
		}
		o.keyed = o.Attribute == ""
		for _, a := range append(o.Attributes, o.Attribute) {
			if a != "" {
				o.modes = append(o.modes, "@"+a)
			}
		}
		return nil
	}
	if o.modes, o.keyed = []string{o.One}, o.List != nil; o.keyed {
		o.modes = o.List
	}
	if len(o.modes) == 0 {
		return errors.New("the list is empty")
	}
	known := []string{"text", "html", "href", "value", "tag"}
	for _, m := range o.modes {
		if !slices.Contains(known, m) && (len(m) < 2 || m[0] != '@') {
			return param.Unknown("output", m, append(known, "@attribute"))
		}
	}
	return nil
}

type queryParams struct {
	Selector string `json:"selector,omitempty" finds:"selector" form:"string" what:"elements by CSS selector"`
	find.RoleQuery
	CountOnly bool `json:"countOnly,omitempty" what:"only how many"`
	stepdef.Limit
	Output   *outputs `json:"output,omitempty" what:"text, html, href, value, tag or @attribute"`
	Clean    bool     `json:"clean,omitempty" what:"with single spaces"`
	Metadata bool     `json:"metadata,omitempty" what:"with tag, attributes and box"`

	limit int
}

// CheckParams refuses a query for nothing, or for two things.
func (p *queryParams) CheckParams() error {
	p.Selector = strings.TrimSpace(p.Selector)
	byRole := p.Role != "" || len(p.Roles) > 0
	switch {
	case p.Selector == "" && !byRole:
		return errors.New("give a selector, a role or roles")
	case p.Selector != "" && byRole:
		return errors.New("give a selector or a role, not both")
	case !byRole && (p.Name != "" || p.NameExact || p.NameRegex != "" || p.Checked != nil || p.Disabled != nil ||
		p.Level != 0):
		return errors.New("name, nameExact, nameRegex, checked, disabled and level belong to role")
	}
	if _, err := regexp.Compile(p.NameRegex); err != nil {
		return fmt.Errorf("nameRegex: %w", err)
	}
	if p.Output == nil {
		p.Output = &outputs{modes: []string{"text"}}
	}
	p.limit = p.Or(find.Limit)
	return nil
}

// queryOutput is the result of a query (seed 11.3).
type queryOutput struct {
	Selector string        `json:"selector,omitempty"`
	Roles    []string      `json:"roles,omitempty"`
	Total    int           `json:"total"`
	Showing  int           `json:"showing"`
	Results  []queryResult `json:"results,omitempty"`
	// Truncated: values were cut, because all of them are too large for an answer.
	Truncated bool `json:"truncated,omitempty"`
}

type queryResult struct {
	Index    int       `json:"index"` // from 0
	Ref      string    `json:"ref,omitempty"`
	Role     string    `json:"role,omitempty"` // of a role query
	Name     string    `json:"name,omitempty"` // of a role query
	Value    any       `json:"value"`          // a string, or an object by output
	Metadata *metadata `json:"metadata,omitempty"`
}

// metadata describes an element besides its content.
type metadata struct {
	Tag        string            `json:"tag"`
	Attributes map[string]string `json:"attributes,omitempty"`
	Box        stepdef.Rect      `json:"box"`
	Visible    bool              `json:"visible"`
}

func query(ctx context.Context, e *stepdef.Env, p *queryParams) (any, error) {
	out, errs, err := queries(ctx, e, []*queryParams{p})
	if err == nil {
		err = errs[0]
	}
	if err != nil {
		return nil, err
	}
	return out[0], nil
}

type queryAllParams struct {
	Queries param.Map[queryParams] `json:"-" form:"object"`
}

// CheckParams refuses no queries.
func (p *queryAllParams) CheckParams() error {
	if len(p.Queries.Keys) == 0 {
		return errors.New("it names no query: write {\"label\":\"selector\"}")
	}
	return nil
}

func queryAll(ctx context.Context, e *stepdef.Env, p *queryAllParams) (any, error) {
	list := make([]*queryParams, len(p.Queries.Values))
	for i := range list {
		list[i] = &p.Queries.Values[i]
	}
	found, errs, err := queries(ctx, e, list)
	if err != nil {
		return nil, err
	}
	out := map[string]any{}
	for i, l := range p.Queries.Keys {
		if errs[i] != nil {
			// The other queries remain valid.
			out[l] = map[string]string{"error": errs[i].Error()}
			e.Warn("%s: %v", l, errs[i])
			continue
		}
		out[l] = found[i]
	}
	if !slices.Contains(errs, nil) {
		return nil, errs[0]
	}
	return out, nil
}

// queries answers queries from one reading of the page. The second result has the
// queries' own errors.
func queries(ctx context.Context, e *stepdef.Env, list []*queryParams) ([]*queryOutput, []error, error) {
	els := make([][]collect.Element, len(list))
	errs := make([]error, len(list))
	for i, q := range list {
		if q.Selector != "" {
			if els[i], errs[i] = e.All(ctx, q.Selector); ctx.Err() != nil {
				return nil, nil, errs[i]
			}
		}
	}
	// What needs the page itself is asked while its elements are held: markup, and the
	// text of what is never drawn, such as a script.
	lives := make([]map[int]live, len(list))
	v, err := e.Read(ctx, func(ctx context.Context, res *collect.Result) error {
		for i, q := range list {
			if errs[i] == nil {
				lives[i], errs[i] = lively(ctx, e, res, q, els[i])
			}
		}
		return ctx.Err()
	})
	if err != nil {
		return nil, nil, err
	}
	out := make([]*queryOutput, len(list))
	budget := stepdef.NewBudget()
	for i, q := range list {
		if errs[i] != nil {
			continue
		}
		if q.Selector != "" {
			out[i], errs[i] = bySelectorQuery(ctx, e, v, q, els[i], lives[i], budget)
		} else {
			out[i], errs[i] = byRoleQuery(e, v, q, lives[i], budget)
		}
		if errs[i] == nil {
			out[i].Truncated = budget.Cut
		}
	}
	return out, errs, nil
}

// live is what was read from the page: by position of a selector's elements, or by node
// of a role query.
type live struct{ html, text string }

func lively(ctx context.Context, e *stepdef.Env, res *collect.Result, q *queryParams,
	els []collect.Element) (map[int]live, error) {
	out := map[int]live{}
	html := slices.Contains(q.Output.modes, "html")
	if q.CountOnly {
		return out, nil
	}
	left := stepdef.MaxOutput
	if q.Selector == "" {
		if !html {
			return out, nil
		}
		v, err := e.ViewOf(res.Capture)
		if err != nil {
			return nil, err
		}
		found, err := find.Roles(v.Capture, q.RoleQuery)
		if err != nil {
			return nil, err
		}
		for _, m := range found {
			if len(out) == q.limit || !v.In(m.Node) {
				continue
			}
			el, err := res.Element(ctx, m.Node.I)
			if err != nil {
				return nil, err
			}
			s, _, err := res.Markup(ctx, el, false, left)
			if err != nil {
				return nil, err
			}
			out[m.Node.I] = live{html: s}
			left = max(0, left-len(s))
		}
		return out, nil
	}
	v, err := e.ViewOf(res.Capture)
	if err != nil {
		return nil, err
	}
	shown := els[:min(len(els), q.limit)]
	nodes, err := v.Nodes(ctx, shown)
	if err != nil {
		return nil, err
	}
	for i, el := range shown {
		var l live
		if html {
			if l.html, _, err = res.Markup(ctx, el, false, left); err != nil {
				return nil, err
			}
			left = max(0, left-len(l.html))
		}
		if nodes[i] == nil || nodes[i].Verdict == snapshot.VerdictSkippedTag {
			// Markup is redacted; of what is never drawn, its content is its text.
			if l.text, _, err = res.Text(ctx, el, stepdef.MaxRead); err != nil {
				return nil, err
			}
		}
		out[i] = l
	}
	return out, nil
}

func bySelectorQuery(ctx context.Context, e *stepdef.Env, v *stepdef.View, q *queryParams, els []collect.Element,
	lives map[int]live, budget *stepdef.OutputBudget) (*queryOutput, error) {
	out := &queryOutput{Selector: q.Selector, Total: len(els)}
	if len(els) == element.MaxMatches {
		e.Warn("%q: there may be more than %d", q.Selector, element.MaxMatches)
	}
	if q.CountOnly {
		return out, nil
	}
	shown := els[:min(len(els), q.limit)]
	nodes, err := v.Nodes(ctx, shown)
	if err != nil {
		return nil, err
	}
	for i, n := range nodes {
		res := queryResult{Index: i, Value: q.value(v, n, lives[i], budget)}
		if n != nil {
			res.Ref = e.Elements.Spell(n.Ref)
			if q.Metadata {
				res.Metadata = metadataOf(n, budget)
			}
		}
		out.Results = append(out.Results, res)
	}
	out.Showing = len(out.Results)
	return out, nil
}

func byRoleQuery(e *stepdef.Env, v *stepdef.View, q *queryParams, lives map[int]live,
	budget *stepdef.OutputBudget) (*queryOutput, error) {
	found, err := find.Roles(v.Capture, q.RoleQuery)
	if err != nil {
		return nil, err
	}
	out := &queryOutput{Roles: q.Wanted()}
	for _, m := range found {
		n := m.Node
		if !v.In(n) {
			continue
		}
		if out.Total++; q.CountOnly || out.Showing >= q.limit {
			continue
		}
		res := queryResult{Index: out.Showing, Ref: e.Elements.Spell(n.Ref), Role: find.Role(n),
			Name: budget.Take(text.Start(m.Name, 1000)), Value: q.value(v, n, lives[n.I], budget)}
		if q.Metadata {
			res.Metadata = metadataOf(n, budget)
		}
		out.Results = append(out.Results, res)
		out.Showing++
	}
	return out, nil
}
