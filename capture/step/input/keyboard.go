package input

import (
	"context"
	"errors"

	"github.com/refscope/refscope/capture/action"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/capture/element"
	"github.com/refscope/refscope/capture/step/stepdef"
)

// typeParams are the parameters of type. Its text is what to type, so an element is
// never found by its text here.
type typeParams struct {
	stepdef.OptionalElement
	stepdef.Ready
	Label string  `json:"label,omitempty" finds:"label" what:"the field's label"`
	Text  *string `json:"text" form:"string" required:"" secret:"" what:"what to type"`
	Delay float64 `json:"delay,omitempty" min:"0" unit:"ms" what:"pause between keys"`
}

func (p *typeParams) target() *element.Target {
	t := p.To(p.Wait())
	t.Label = p.Label
	return t
}

// CheckParams refuses an element that is named in two ways.
func (p *typeParams) CheckParams() error {
	if t := p.target(); !t.Empty() {
		return t.Check()
	}
	return nil
}

type typed struct {
	Typed   int  `json:"typed"`                   // characters
	Changed bool `json:"changedByPage,omitempty"` // the field did not take them as they are
	replacement
	AutoForced bool `json:"autoForced,omitempty"`
	*stepdef.Movement
}

func typeText(ctx context.Context, e *stepdef.Env, p *typeParams) (any, error) {
	before, err := e.Where(ctx)
	if err != nil {
		return nil, err
	}
	out := &typed{Typed: len([]rune(*p.Text))}
	var done *action.Filled
	if t := p.target(); t.Empty() {
		if err := e.Keyboard(ctx); err != nil {
			return nil, err
		}
		if done, err = e.Page.Type(ctx, *p.Text, stepdef.Milliseconds(p.Delay)); err != nil {
			return nil, err
		}
	} else {
		f, err := e.Find(ctx, t)
		if err != nil {
			return nil, err
		}
		f, err = e.Acting(ctx, t, f, func(el collect.Element) error {
			done, err = e.Page.TypeInto(ctx, el, *p.Text, stepdef.Milliseconds(p.Delay), p.Options())
			return err
		})
		if err != nil {
			return nil, named(e, err)
		}
		out.AutoForced = forced(e, done.Forced)
		out.replacement = replaced(e, f)
	}
	out.Changed = changed(e, "", done)
	if out.Movement, err = e.Moved(ctx, before); err != nil {
		return nil, err
	}
	return out, nil
}

// pressParams are the parameters of press.
type pressParams struct {
	stepdef.OptionalElement
	Key string `json:"key" form:"string" secret:"character" what:"the key by its name, with modifiers and + before it"`

	Count int `json:"count,omitempty" min:"0" max:"1000" what:"how often; 1"`

	keys    action.Combination
	unknown *action.KeyError // nil where the key exists
}

// CheckParams reads the keys. One that does not exist is a warning of the step (seed 9.4).
func (p *pressParams) CheckParams() (err error) {
	if p.keys, err = action.ParseKeys(p.Key); errors.As(err, &p.unknown) {
		return nil
	}
	return err
}

type pressed struct {
	Pressed string `json:"pressed"`
	*stepdef.Movement
}

func press(ctx context.Context, e *stepdef.Env, p *pressParams) (any, error) {
	if p.unknown != nil {
		e.Warn("%v; nothing was pressed", p.unknown)
		return &pressed{}, nil
	}
	before, err := e.Where(ctx)
	if err != nil {
		return nil, err
	}
	if t := p.To(0); !t.Empty() {
		f, err := e.Find(ctx, t)
		if err != nil {
			return nil, err
		}
		taken, err := e.Page.Focus(ctx, f.Element)
		if err != nil {
			return nil, err
		}
		if !taken {
			e.Warn("the element does not take the focus, so the key went to what had it")
		}
	} else if err := e.Keyboard(ctx); err != nil {
		return nil, err
	}
	key := p.Key
	do := func() error {
		for range max(1, p.Count) {
			if e.Page.TypesSecret(ctx, p.keys) {
				key = "[redacted: typed]"
			}
			if err := e.Page.Press(ctx, p.keys); err != nil {
				return err
			}
		}
		return nil
	}
	if p.keys.Reloads() {
		err = e.Page.Tab().LoadsAfter(ctx, do) // or the next step would act on the page that is about to go
	} else {
		err = do()
	}
	if err != nil {
		return nil, err
	}
	if why := p.keys.Reserved(); why != "" {
		e.Warn("%s", why)
	}
	now, err := e.Moved(ctx, before)
	if err != nil {
		return nil, err
	}
	return &pressed{key, now}, nil
}
