package step

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/refscope/refscope/capture/action"
)

// typeParams are the parameters of type. Its text is what to type, so an element is
// never found by its text here.
type typeParams struct {
	Selector string  `json:"selector,omitempty"`
	Ref      text    `json:"ref,omitempty"`
	Label    string  `json:"label,omitempty"`
	Text     *string `json:"text"`
	Delay    float64 `json:"delay,omitempty"` // ms between keys
	ready
	careful
}

type typed struct {
	Typed      int         `json:"typed"` // characters
	ReResolved bool        `json:"reResolved,omitempty"`
	Substitute *substitute `json:"substitute,omitempty"`
	AutoForced bool        `json:"autoForced,omitempty"`
	Navigated  bool        `json:"navigated,omitempty"`
	NewURL     string      `json:"newUrl,omitempty"`
}

func parseType(raw json.RawMessage) (Work, error) {
	var p typeParams
	if shape(raw) == "string" {
		if err := decode(raw, &p.Text); err != nil {
			return nil, err
		}
	} else if err := decode(raw, &p); err != nil {
		return nil, err
	}
	if p.Text == nil {
		return nil, errors.New("text is missing")
	}
	t := target{Selector: p.Selector, Ref: p.Ref, Label: p.Label, Patience: ms(p.Timeout), StrictTarget: p.careful}
	if !t.Empty() {
		if err := t.Check(); err != nil {
			return nil, err
		}
	}
	if p.Delay < 0 {
		return nil, errors.New("delay: want 0 ms or more")
	}
	return func(ctx context.Context, r *Runner) (any, error) { return r.typeText(ctx, &t, &p) }, p.ready.check()
}

func (r *Runner) typeText(ctx context.Context, t *target, p *typeParams) (any, error) {
	before, err := r.places(ctx)
	if err != nil {
		return nil, err
	}
	out := &typed{Typed: len([]rune(*p.Text))}
	if t.Empty() {
		if err := r.page.Type(ctx, *p.Text, ms(p.Delay)); err != nil {
			return nil, err
		}
	} else {
		f, err := r.find(ctx, t)
		if err != nil {
			return nil, err
		}
		done, err := r.page.TypeInto(ctx, f.Element, *p.Text, ms(p.Delay), p.options())
		if err != nil {
			return nil, r.named(err)
		}
		out.AutoForced = r.forced(done.Forced)
		out.ReResolved, out.Substitute = r.replaced(f)
	}
	now, err := r.moved(ctx, before)
	if err != nil {
		return nil, err
	}
	out.Navigated, out.NewURL = now.navigated, now.url
	return out, nil
}

// pressParams are the parameters of press.
type pressParams struct {
	Key      string `json:"key"`
	Selector string `json:"selector,omitempty"`
	Ref      text   `json:"ref,omitempty"`
	Count    int    `json:"count,omitempty"` // 1 if 0
	careful
}

type pressed struct {
	Pressed   string   `json:"pressed"`
	Navigated bool     `json:"navigated,omitempty"`
	NewURL    string   `json:"newUrl,omitempty"`
	NewTabs   []newTab `json:"newTabs,omitempty"`
}

func parsePress(raw json.RawMessage) (Work, error) {
	var p pressParams
	if shape(raw) == "string" {
		if err := decode(raw, &p.Key); err != nil {
			return nil, err
		}
	} else if err := decode(raw, &p); err != nil {
		return nil, err
	}
	keys, err := action.ParseKeys(p.Key)
	if err != nil {
		return nil, err
	}
	t := target{Selector: p.Selector, Ref: p.Ref, StrictTarget: p.careful}
	if !t.Empty() {
		if err := t.Check(); err != nil {
			return nil, err
		}
	}
	if p.Count < 0 || p.Count > 1000 {
		return nil, errors.New("count: want 1 to 1000")
	}
	return func(ctx context.Context, r *Runner) (any, error) {
		before, err := r.places(ctx)
		if err != nil {
			return nil, err
		}
		if !t.Empty() {
			f, err := r.find(ctx, &t)
			if err != nil {
				return nil, err
			}
			if err := r.page.Focus(ctx, f.Element); err != nil {
				return nil, err
			}
		}
		for range max(1, p.Count) {
			if err := r.page.Press(ctx, keys); err != nil {
				return nil, err
			}
		}
		now, err := r.moved(ctx, before)
		if err != nil {
			return nil, err
		}
		return &pressed{p.Key, now.navigated, now.url, now.tabs}, nil
	}, nil
}
