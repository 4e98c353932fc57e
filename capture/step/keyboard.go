package step

import (
	"context"

	"github.com/refscope/refscope/capture/action"
)

// typeParams are the parameters of type. Its text is what to type, so an element is
// never found by its text here.
type typeParams struct {
	OptionalElement
	Ready
	Label string  `json:"label,omitempty" what:"the field's label"`
	Text  *string `json:"text" form:"string" required:"" secret:"" what:"what to type"`
	Delay float64 `json:"delay,omitempty" min:"0" unit:"ms" what:"pause between keys"`
}

func (p *typeParams) target() *target {
	t := p.to(p.wait())
	t.Label = p.Label
	return t
}

// CheckParams refuses an element that is named in two ways.
func (p *typeParams) CheckParams() error {
	if t := p.target(); !t.empty() {
		return t.check()
	}
	return nil
}

type typed struct {
	Typed      int         `json:"typed"` // characters
	ReResolved bool        `json:"reResolved,omitempty"`
	Substitute *substitute `json:"substitute,omitempty"`
	AutoForced bool        `json:"autoForced,omitempty"`
	Navigated  bool        `json:"navigated,omitempty"`
	NewURL     string      `json:"newUrl,omitempty"`
}

func typeText(ctx context.Context, e *Env, p *typeParams) (any, error) {
	before, err := e.places(ctx)
	if err != nil {
		return nil, err
	}
	out := &typed{Typed: len([]rune(*p.Text))}
	if t := p.target(); t.empty() {
		if err := e.page.Type(ctx, *p.Text, ms(p.Delay)); err != nil {
			return nil, err
		}
	} else {
		f, err := e.find(ctx, t)
		if err != nil {
			return nil, err
		}
		done, err := e.page.TypeInto(ctx, f.Element, *p.Text, ms(p.Delay), p.options())
		if err != nil {
			return nil, e.named(err)
		}
		out.AutoForced = e.forced(done.Forced)
		out.ReResolved, out.Substitute = e.replaced(f)
	}
	now, err := e.moved(ctx, before)
	if err != nil {
		return nil, err
	}
	out.Navigated, out.NewURL = now.navigated, now.url
	return out, nil
}

// pressParams are the parameters of press.
type pressParams struct {
	OptionalElement
	Key   string `json:"key" form:"string" what:"the key by its name, with modifiers and + before it"`
	Count int    `json:"count,omitempty" min:"0" max:"1000" what:"how often; 1"`

	keys action.Combination
}

// CheckParams refuses keys that do not exist.
func (p *pressParams) CheckParams() (err error) {
	p.keys, err = action.ParseKeys(p.Key)
	return err
}

type pressed struct {
	Pressed   string   `json:"pressed"`
	Navigated bool     `json:"navigated,omitempty"`
	NewURL    string   `json:"newUrl,omitempty"`
	NewTabs   []newTab `json:"newTabs,omitempty"`
}

func press(ctx context.Context, e *Env, p *pressParams) (any, error) {
	before, err := e.places(ctx)
	if err != nil {
		return nil, err
	}
	if t := p.to(0); !t.empty() {
		f, err := e.find(ctx, t)
		if err != nil {
			return nil, err
		}
		if err := e.page.Focus(ctx, f.Element); err != nil {
			return nil, err
		}
	}
	for range max(1, p.Count) {
		if err := e.page.Press(ctx, p.keys); err != nil {
			return nil, err
		}
	}
	now, err := e.moved(ctx, before)
	if err != nil {
		return nil, err
	}
	return &pressed{p.Key, now.navigated, now.url, now.tabs}, nil
}
