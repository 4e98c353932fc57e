package step

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/capture/element"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/find"
)

// queryKinds are the steps that look for elements and tell what they hold (C-13; seed
// 11.3 to 11.7).
func queryKinds() []Kind {
	return []Kind{
		{Name: "query", Summary: "find elements by selector or by role, and tell what they hold", parse: parseQuery, Forms: []Form{
			{`"h1"`, "by CSS selector"},
			{`{"selector":"a","limit":5,"output":"href"}`, "output: text (default), html, href, value, tag or @attribute"},
			{`{"selector":"a","output":["text","href"],"clean":true,"metadata":true}`, "several outputs; clean trims, metadata adds tag, attributes and box"},
			{`{"selector":"a","output":{"attribute":"data-id"}}`, "an attribute, or attributes with a list"},
			{`{"role":"button","name":"Save","nameExact":true}`, "by role and name; nameRegex, checked, disabled, level"},
			{`{"roles":["link","button"],"countOnly":true}`, "of several roles, only how many"},
		}},
		{Name: "queryAll", Summary: "several queries at once", parse: parseQueryAll, Forms: []Form{
			{`{"title":"h1","links":{"selector":"a","limit":5,"output":"href"}}`, "labels with selectors or queries"},
		}},
		{Name: "inspect", Summary: "title, address and how many elements of each kind", parse: parseInspect, Forms: []Form{
			{`true`, "the common kinds"}, {`{"selectors":[".card",".error"],"limit":3}`, "also by selector; limit adds the first texts"},
		}},
	}
}

// outputs says what of each element is told. It is written as a string, a list or an
// object.
type outputs struct {
	modes []string // text, html, href, value, tag, @attribute
	keyed bool     // an object for each element, by mode or attribute
}

var modes = []string{"text", "html", "href", "value", "tag"}

// UnmarshalJSON reads the three forms.
func (o *outputs) UnmarshalJSON(b []byte) error {
	switch shape(b) {
	case "string":
		o.modes = make([]string, 1)
		if err := json.Unmarshal(b, &o.modes[0]); err != nil {
			return err
		}
	case "array":
		if err := decode(b, &o.modes); err != nil {
			return err
		}
		if o.keyed = true; len(o.modes) == 0 {
			return errors.New("output: the list is empty")
		}
	case "object":
		var p struct {
			Attribute  string   `json:"attribute,omitempty"`
			Attributes []string `json:"attributes,omitempty"`
		}
		if err := decode(b, &p); err != nil {
			return fmt.Errorf("output: %w", err)
		}
		if (p.Attribute == "") == (len(p.Attributes) == 0) {
			return errors.New("output: give one of attribute and attributes")
		}
		o.keyed = p.Attribute == ""
		for _, a := range append(p.Attributes, p.Attribute) {
			if a != "" {
				o.modes = append(o.modes, "@"+a)
			}
		}
		return nil
	default:
		return errors.New("output: want a string, a list or an object, not " + article(shape(b)))
	}
	for _, m := range o.modes {
		if !slices.Contains(modes, m) && (len(m) < 2 || m[0] != '@') {
			return unknown("output", m, append(slices.Clone(modes), "@attribute"))
		}
	}
	return nil
}

type queryParams struct {
	Selector  string   `json:"selector,omitempty"`
	Role      string   `json:"role,omitempty"`
	Roles     []string `json:"roles,omitempty"`
	Name      string   `json:"name,omitempty"`
	NameExact bool     `json:"nameExact,omitempty"`
	NameRegex string   `json:"nameRegex,omitempty"`
	Checked   *bool    `json:"checked,omitempty"`
	Disabled  *bool    `json:"disabled,omitempty"`
	Level     int      `json:"level,omitempty"`
	CountOnly bool     `json:"countOnly,omitempty"`
	Limit     *int     `json:"limit,omitempty"`
	Output    outputs  `json:"output"`
	Clean     bool     `json:"clean,omitempty"`
	Metadata  bool     `json:"metadata,omitempty"`

	limit int
}

// queryOutput is what a query found (seed 11.3).
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

// metadata is what an element is beside what it holds.
type metadata struct {
	Tag        string            `json:"tag"`
	Attributes map[string]string `json:"attributes,omitempty"`
	Box        rect              `json:"box"`
	Visible    bool              `json:"visible"`
}

func readQuery(raw json.RawMessage) (*queryParams, error) {
	p := &queryParams{}
	if shape(raw) == "string" {
		if err := decode(raw, &p.Selector); err != nil {
			return nil, err
		}
	} else if err := decode(raw, p); err != nil {
		return nil, err
	}
	p.Selector = strings.TrimSpace(p.Selector)
	byRole := p.Role != "" || len(p.Roles) > 0
	switch {
	case p.Selector == "" && !byRole:
		return nil, errors.New("give a selector, a role or roles")
	case p.Selector != "" && byRole:
		return nil, errors.New("give a selector or a role, not both")
	case !byRole && (p.Name != "" || p.NameExact || p.NameRegex != "" || p.Checked != nil || p.Disabled != nil || p.Level != 0):
		return nil, errors.New("name, nameExact, nameRegex, checked, disabled and level belong to role")
	case p.Level < 0 || p.Level > 9:
		return nil, fmt.Errorf("level: %d: want 1 to 6", p.Level)
	}
	if p.NameRegex != "" {
		if _, err := regexp.Compile(p.NameRegex); err != nil {
			return nil, fmt.Errorf("nameRegex: %w", err)
		}
	}
	if len(p.Output.modes) == 0 {
		p.Output.modes = []string{"text"}
	}
	var err error
	p.limit, err = limitOf(p.Limit, find.Limit)
	return p, err
}

func parseQuery(raw json.RawMessage) (Work, error) {
	p, err := readQuery(raw)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, r *Runner) (any, error) {
		out, errs, err := r.queries(ctx, []*queryParams{p})
		if err == nil {
			err = errs[0]
		}
		if err != nil {
			return nil, err
		}
		return out[0], nil
	}, nil
}

func parseQueryAll(raw json.RawMessage) (Work, error) {
	labels, values, err := keys(raw)
	if err != nil {
		return nil, err
	}
	if len(labels) == 0 {
		return nil, errors.New("it names no query: write {\"label\":\"selector\"}")
	}
	list := make([]*queryParams, len(labels))
	for i, l := range labels {
		if list[i], err = readQuery(values[l]); err != nil {
			return nil, fmt.Errorf("%s: %w", l, err)
		}
	}
	return func(ctx context.Context, r *Runner) (any, error) {
		found, errs, err := r.queries(ctx, list)
		if err != nil {
			return nil, err
		}
		out := map[string]any{}
		for i, l := range labels {
			if errs[i] != nil {
				// The other queries stand.
				out[l] = map[string]string{"error": errs[i].Error()}
				r.warn("%s: %v", l, errs[i])
				continue
			}
			out[l] = found[i]
		}
		return out, errIf(!slices.Contains(errs, nil), errs[0])
	}, nil
}

func errIf(is bool, err error) error {
	if is {
		return err
	}
	return nil
}

// queries answers queries from one reading of the page. The second result has the
// queries' own errors.
func (r *Runner) queries(ctx context.Context, list []*queryParams) ([]*queryOutput, []error, error) {
	els := make([][]collect.Element, len(list))
	errs := make([]error, len(list))
	for i, q := range list {
		if q.Selector != "" {
			if els[i], errs[i] = r.all(ctx, q.Selector); ctx.Err() != nil {
				return nil, nil, errs[i]
			}
		}
	}
	// What needs the page itself is asked while its elements are held: markup, and the
	// text of what is never drawn, such as a script.
	lives := make([]map[int]live, len(list))
	v, err := r.read(ctx, func(ctx context.Context, res *collect.Result) error {
		for i, q := range list {
			if errs[i] == nil {
				lives[i], errs[i] = r.lively(ctx, res, q, els[i])
			}
		}
		return ctx.Err()
	})
	if err != nil {
		return nil, nil, err
	}
	out := make([]*queryOutput, len(list))
	room := newRoom()
	for i, q := range list {
		if errs[i] != nil {
			continue
		}
		if q.Selector != "" {
			out[i], errs[i] = r.bySelectorQuery(ctx, v, q, els[i], lives[i], room)
		} else {
			out[i], errs[i] = r.byRoleQuery(v, q, lives[i], room)
		}
		if errs[i] == nil {
			out[i].Truncated = room.cut
		}
	}
	return out, errs, nil
}

// live is what was asked of the page: by position of a selector's elements, or by node
// of a role query.
type live struct{ html, text string }

func (r *Runner) lively(ctx context.Context, res *collect.Result, q *queryParams, els []collect.Element) (map[int]live, error) {
	out := map[int]live{}
	html := slices.Contains(q.Output.modes, "html")
	if q.CountOnly {
		return out, nil
	}
	left := maxOutput
	if q.Selector == "" {
		if !html {
			return out, nil
		}
		v, err := r.viewOf(res.Capture)
		if err != nil {
			return nil, err
		}
		a, err := find.Roles(v.c, q.roleQuery())
		if err != nil {
			return nil, err
		}
		for _, m := range a.Results {
			if len(out) == q.limit || !v.in(v.t.Node(m.Node)) {
				continue
			}
			el, err := res.Element(ctx, m.Node)
			if err != nil {
				return nil, err
			}
			s, _, err := res.Markup(ctx, el, false, left)
			if err != nil {
				return nil, err
			}
			out[m.Node] = live{html: s}
			left = max(0, left-len(s))
		}
		return out, nil
	}
	v, err := r.viewOf(res.Capture)
	if err != nil {
		return nil, err
	}
	shown := els[:min(len(els), q.limit)]
	nodes, err := v.nodes(ctx, shown)
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
			if l.text, _, err = res.Text(ctx, el, maxRead); err != nil {
				return nil, err
			}
		}
		out[i] = l
	}
	return out, nil
}

func (q *queryParams) roleQuery() find.RoleQuery {
	return find.RoleQuery{Role: q.Role, Roles: q.Roles, Name: q.Name, NameExact: q.NameExact, NameRegex: q.NameRegex, Checked: q.Checked, Disabled: q.Disabled, Level: q.Level, Limit: -1}
}

func (r *Runner) bySelectorQuery(ctx context.Context, v *view, q *queryParams, els []collect.Element, lives map[int]live, room *room) (*queryOutput, error) {
	out := &queryOutput{Selector: q.Selector, Total: len(els)}
	if len(els) == element.MaxMatches {
		r.warn("%q: there may be more than %d", q.Selector, element.MaxMatches)
	}
	if q.CountOnly {
		return out, nil
	}
	shown := els[:min(len(els), q.limit)]
	nodes, err := v.nodes(ctx, shown)
	if err != nil {
		return nil, err
	}
	for i, n := range nodes {
		res := queryResult{Index: i, Value: q.value(v, n, lives[i], room)}
		if n != nil {
			res.Ref = r.spell(n.Ref)
			if q.Metadata {
				res.Metadata = metadataOf(n, room)
			}
		}
		out.Results = append(out.Results, res)
	}
	out.Showing = len(out.Results)
	return out, nil
}

func (r *Runner) byRoleQuery(v *view, q *queryParams, lives map[int]live, room *room) (*queryOutput, error) {
	a, err := find.Roles(v.c, q.roleQuery())
	if err != nil {
		return nil, err
	}
	out := &queryOutput{Roles: a.Roles}
	for _, m := range a.Results {
		n := v.t.Node(m.Node)
		if !v.in(n) {
			continue
		}
		if out.Total++; q.CountOnly || out.Showing >= q.limit {
			continue
		}
		res := queryResult{Index: out.Showing, Ref: r.spell(m.Ref), Role: m.Role, Name: room.take(cut(m.Name, 1000)), Value: q.value(v, n, lives[m.Node], room)}
		if q.Metadata {
			res.Metadata = metadataOf(n, room)
		}
		out.Results = append(out.Results, res)
		out.Showing++
	}
	return out, nil
}
