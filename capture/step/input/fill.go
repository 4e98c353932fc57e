package input

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/refscope/refscope/capture/action"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/capture/element"
	"github.com/refscope/refscope/capture/step/param"
	"github.com/refscope/refscope/capture/step/stepdef"
)

// fillParams are the parameters of fill: one field with its value, or several.
type fillParams struct {
	_ struct{} `want:"a string or an object"`
	stepdef.OptionalTarget
	stepdef.Ready
	Value  *element.Text            `json:"value,omitempty" form:"string,number" secret:"" what:"the text"`
	_      struct{}                 `next:"" finds:"keys" form:"map" secret:""`
	Fields *param.Map[element.Text] `json:"fields,omitempty" what:"by selector or ref"`
	Clear  *bool                    `json:"clear,omitempty" what:"false: add to what is in the field"`
	React  bool                     `json:"react,omitempty" what:"set the value by script, as frameworks need it"`
}

// CheckParams refuses a fill without a value.
func (p *fillParams) CheckParams() error {
	switch {
	case p.Fields == nil && p.Value == nil:
		return errors.New("value is missing")
	case p.Fields == nil:
		return nil
	case p.Value != nil || !p.Empty():
		return errors.New("fields has the elements and their values: leave the others out")
	case len(p.Fields.Keys) == 0:
		return errors.New("it names no field")
	}
	return nil
}

func (p *fillParams) fillOptions() action.FillOptions {
	return action.FillOptions{Options: p.Options(), Append: p.Clear != nil && !*p.Clear, React: p.React}
}

// filled is the output of fill (seed 9.2).
type filled struct {
	Filled  any    `json:"filled"` // true, or how many of several
	Failed  int    `json:"failed,omitempty"`
	Method  string `json:"method,omitempty"`
	Changed bool   `json:"changedByPage,omitempty"` // the page formatted or cut what was put in
	*stepdef.Movement
	replacement
	AutoForced bool        `json:"autoForced,omitempty"`
	Fields     []oneFilled `json:"fields,omitempty"`
}

// oneFilled is one of several fields.
type oneFilled struct {
	Field  string `json:"field"`
	Status string `json:"status"` // ok, error
	Method string `json:"method,omitempty"`
	// Changed: the page formatted or cut what was put in.
	Changed bool   `json:"changedByPage,omitempty"`
	Error   string `json:"error,omitempty"`
}

// fill fills one field, the one that has the focus, or several.
func fill(ctx context.Context, e *stepdef.Env, p *fillParams) (any, error) {
	before, err := e.Where(ctx)
	if err != nil {
		return nil, err
	}
	out := &filled{Filled: true}
	if p.Fields != nil {
		err = fillAll(ctx, e, p, out)
	} else {
		err = fillOne(ctx, e, p, out)
	}
	if err != nil {
		return nil, err
	}
	if out.Movement, err = e.Moved(ctx, before); err != nil {
		return nil, err
	}
	return out, nil
}

func fillOne(ctx context.Context, e *stepdef.Env, p *fillParams, out *filled) error {
	p.Patience = p.Wait()
	f, err := findOrFocused(ctx, e, &p.Target)
	if err != nil {
		return err
	}
	var done *action.Filled
	f, err = e.Acting(ctx, &p.Target, f, func(el collect.Element) error {
		done, err = e.Page.Fill(ctx, el, string(*p.Value), p.fillOptions())
		return err
	})
	if err != nil {
		return named(e, err)
	}
	out.Method, out.Changed, out.AutoForced = done.Method, changed(e, "", done), forced(e, done.Forced)
	out.replacement = replaced(e, f)
	return nil
}

// findOrFocused is the target element, or the one with the focus where none is
// named.
func findOrFocused(ctx context.Context, e *stepdef.Env, t *element.Target) (*element.Found, error) {
	if !t.Empty() {
		return e.Find(ctx, t)
	}
	if err := e.Keyboard(ctx); err != nil {
		return nil, err
	}
	el, ok, err := e.Page.Focused(ctx)
	switch {
	case err != nil:
		return nil, err
	case !ok:
		return nil, &action.NotFoundError{What: "element with the focus",
			Hint: "name a field by selector, ref or label"}
	}
	return &element.Found{Element: collect.Element(el)}, nil
}

// fillAll fills field after field and continues where one fails. All failing is an error. The
// fields share one timeout: missing ones are not each waited for again.
func fillAll(ctx context.Context, e *stepdef.Env, p *fillParams, out *filled) error {
	good, until := 0, time.Now().Add(cmp.Or(p.Wait(), action.DefaultTimeout))
	var first error
	for i, name := range p.Fields.Keys {
		one := oneFilled{Field: name, Status: "ok"}
		t := element.ParseTarget(name)
		find := e.Elements.FindNow
		if t.Patience = time.Until(until); t.Patience > 0 {
			find = e.Find
		}
		f, err := find(ctx, &t)
		if err == nil {
			var done *action.Filled
			_, err = e.Acting(ctx, &t, f, func(el collect.Element) error {
				done, err = e.Page.Fill(ctx, el, string(p.Fields.Values[i]), p.fillOptions())
				return err
			})
			if err == nil {
				good++
				one.Method, one.Changed = done.Method, changed(e, name, done)
				forced(e, done.Forced)
			}
		}
		if err != nil {
			if ctx.Err() != nil {
				return err
			}
			one.Status, one.Error = "error", named(e, err).Error()
			if first == nil {
				first = fmt.Errorf("%s: %w", name, err)
			}
		}
		out.Fields = append(out.Fields, one)
	}
	out.Filled, out.Failed = good, len(p.Fields.Keys)-good
	if good == 0 {
		return first
	}
	if first != nil {
		e.Warn("%d of %d fields were not filled", out.Failed, len(p.Fields.Keys))
	}
	return nil
}
