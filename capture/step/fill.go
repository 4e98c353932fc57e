package step

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/refscope/refscope/capture/action"
	"github.com/refscope/refscope/capture/collect"
)

// fillParams are the parameters of fill with one field.
type fillParams struct {
	target
	ready
	Value *text `json:"value,omitempty"`
	Clear *bool `json:"clear,omitempty"`
	React bool  `json:"react,omitempty"`
}

// batchParams are those with several.
type batchParams struct {
	ready
	Fields json.RawMessage `json:"fields"`
	Clear  *bool           `json:"clear,omitempty"`
	React  bool            `json:"react,omitempty"`
}

// filled is the output of fill (seed 9.2).
type filled struct {
	Filled     any         `json:"filled"` // true, or how many of a batch
	Failed     int         `json:"failed,omitempty"`
	Method     string      `json:"method,omitempty"`
	Changed    bool        `json:"changedByPage,omitempty"` // the page formatted or cut what was put in
	Navigated  bool        `json:"navigated,omitempty"`
	NewURL     string      `json:"newUrl,omitempty"`
	ReResolved bool        `json:"reResolved,omitempty"`
	Substitute *substitute `json:"substitute,omitempty"`
	AutoForced bool        `json:"autoForced,omitempty"`
	Fields     []oneFilled `json:"fields,omitempty"`
}

// oneFilled is one field of a batch.
type oneFilled struct {
	Field  string `json:"field"`
	Status string `json:"status"` // ok, error
	Method string `json:"method,omitempty"`
	Error  string `json:"error,omitempty"`
}

func parseFill(raw json.RawMessage) (Work, error) {
	switch shape(raw) {
	case "string", "number":
		var value text
		if err := json.Unmarshal(raw, &value); err != nil {
			return nil, err
		}
		return func(ctx context.Context, r *Runner) (any, error) { return r.fill(ctx, &fillParams{Value: &value}) }, nil
	case "object":
	default:
		return nil, errShape(raw, "a string or an object")
	}
	names, values, err := keys(raw)
	switch {
	case err != nil:
		return nil, err
	case len(names) == 0:
		return nil, errors.New("it names no field")
	case slices.Contains(names, "fields"):
		var p batchParams
		if err := decode(raw, &p); err != nil {
			return nil, err
		}
		return parseBatch(p.Fields, p)
	case slices.Contains(names, "value"), slices.ContainsFunc(names, isMember):
		var p fillParams
		if err := decode(raw, &p); err != nil {
			return nil, err
		}
		if p.Value == nil {
			return nil, errors.New("value is missing")
		}
		if !p.target.Empty() {
			if err := p.target.Check(); err != nil {
				return nil, err
			}
		}
		p.Patience = ms(p.Timeout)
		return func(ctx context.Context, r *Runner) (any, error) { return r.fill(ctx, &p) }, p.ready.check()
	}
	for _, n := range names {
		if s := shape(values[n]); s != "string" && s != "number" {
			return nil, fmt.Errorf("%q: want a string, not %s", n, article(s))
		}
	}
	return parseBatch(raw, batchParams{})
}

// isMember reports whether a key is a parameter of fill and no selector: a map of
// fields has selectors and refs as its keys, and a misspelt value is no field.
func isMember(key string) bool {
	return slices.Contains(members(reflect.TypeFor[fillParams]()), key)
}

func parseBatch(raw json.RawMessage, p batchParams) (Work, error) {
	names, values, err := keys(raw)
	if err != nil {
		return nil, fmt.Errorf("fields: %w", err)
	}
	if len(names) == 0 {
		return nil, errors.New("fields is empty: name at least one field")
	}
	list := make([]fillParams, len(names))
	for i, n := range names {
		var value text
		if err := json.Unmarshal(values[n], &value); err != nil {
			return nil, fmt.Errorf("%q: %w", n, err)
		}
		list[i] = fillParams{target: targetOf(n), ready: p.ready, Value: &value, Clear: p.Clear, React: p.React}
		list[i].Patience = ms(p.Timeout)
	}
	return func(ctx context.Context, r *Runner) (any, error) { return r.fillAll(ctx, names, list) }, p.ready.check()
}

// fill fills one field, or the one that has the focus.
func (r *Runner) fill(ctx context.Context, p *fillParams) (any, error) {
	before, err := r.places(ctx)
	if err != nil {
		return nil, err
	}
	out := &filled{Filled: true}
	f, err := r.findOrFocused(ctx, &p.target)
	if err != nil {
		return nil, err
	}
	done, err := r.page.Fill(ctx, f.Element, string(*p.Value), action.FillOptions{Options: p.options(), Append: p.Clear != nil && !*p.Clear, React: p.React})
	if err != nil {
		return nil, r.named(err)
	}
	out.Method, out.Changed, out.AutoForced = done.Method, !done.Kept, r.forced(done.Forced)
	out.ReResolved, out.Substitute = r.replaced(f)
	now, err := r.moved(ctx, before)
	if err != nil {
		return nil, err
	}
	out.Navigated, out.NewURL = now.navigated, now.url
	return out, nil
}

// findOrFocused is the element that is meant, or the one with the focus where none is
// named.
func (r *Runner) findOrFocused(ctx context.Context, t *target) (*found, error) {
	if !t.Empty() {
		return r.find(ctx, t)
	}
	el, ok, err := r.page.Focused(ctx)
	switch {
	case err != nil:
		return nil, err
	case !ok:
		return nil, &action.NotFoundError{What: "element with the focus", Hint: "name a field by selector, ref or label"}
	}
	return &found{Element: collect.Element(el)}, nil
}

// fillAll fills field after field and goes on where one fails. All failing is an error.
func (r *Runner) fillAll(ctx context.Context, names []string, list []fillParams) (any, error) {
	before, err := r.places(ctx)
	if err != nil {
		return nil, err
	}
	out := &filled{}
	good := 0
	var first error
	for i := range list {
		one := oneFilled{Field: names[i], Status: "ok"}
		f, err := r.find(ctx, &list[i].target)
		if err == nil {
			var done *action.Filled
			done, err = r.page.Fill(ctx, f.Element, string(*list[i].Value), action.FillOptions{
				Options: list[i].options(), Append: list[i].Clear != nil && !*list[i].Clear, React: list[i].React,
			})
			if err == nil {
				good++
				one.Method = done.Method
				r.forced(done.Forced)
			}
		}
		if err != nil {
			if ctx.Err() != nil {
				return nil, err
			}
			one.Status, one.Error = "error", r.named(err).Error()
			if first == nil {
				first = fmt.Errorf("%s: %w", names[i], err)
			}
		}
		out.Fields = append(out.Fields, one)
	}
	out.Filled, out.Failed = good, len(list)-good
	if good == 0 {
		return nil, first
	}
	if first != nil {
		r.warn("%d of %d fields were not filled", out.Failed, len(list))
	}
	now, err := r.moved(ctx, before)
	if err != nil {
		return nil, err
	}
	out.Navigated, out.NewURL = now.navigated, now.url
	return out, nil
}
