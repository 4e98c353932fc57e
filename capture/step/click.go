package step

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/refscope/refscope/capture/action"
)

// clickParams are the parameters of click.
type clickParams struct {
	target
	ready
	DoubleClick        bool        `json:"doubleClick,omitempty"`
	Button             string      `json:"button,omitempty"` // left, middle, right
	JSClick            bool        `json:"jsClick,omitempty"`
	NativeOnly         bool        `json:"nativeOnly,omitempty"`
	ScrollUntilVisible *scrollHunt `json:"scrollUntilVisible,omitempty"`
	WaitAfter          *waitAfter  `json:"waitAfter,omitempty"`
}

// clicked is the output of click (seed 9.1).
type clicked struct {
	Clicked        bool         `json:"clicked"`
	Method         string       `json:"method"`
	CDPAttempted   bool         `json:"cdpAttempted,omitempty"`
	Navigated      bool         `json:"navigated,omitempty"`
	NewURL         string       `json:"newUrl,omitempty"`
	NewTabs        []newTab     `json:"newTabs,omitempty"`
	ReResolved     bool         `json:"reResolved,omitempty"`
	Substitute     *substitute  `json:"substitute,omitempty"`
	AutoForced     bool         `json:"autoForced,omitempty"`
	TargetReceived *bool        `json:"targetReceived,omitempty"`
	Checked        *bool        `json:"checked,omitempty"`
	MatchedIndex   *int         `json:"matchedIndex,omitempty"` // of selectors
	MatchedBy      string       `json:"matchedSelector,omitempty"`
	Coordinates    *coordinates `json:"coordinates,omitempty"`
}

// substitute says that a ref was gone and which one took its place.
type substitute struct {
	Was string `json:"was"`
	Now string `json:"now"`
}

type coordinates struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

// newTab is a tab that an action opened.
type newTab struct {
	TargetID string `json:"targetId"`
	URL      string `json:"url"`
	Title    string `json:"title"`
}

func parseClick(raw json.RawMessage) (Work, error) {
	var p clickParams
	if t, ok := simple(raw); ok {
		p.target = t
	} else if err := decode(raw, &p); err != nil {
		return nil, err
	}
	if err := errors.Join(p.target.Check(), p.ready.check()); err != nil {
		return nil, err
	}
	switch {
	case p.JSClick && p.NativeOnly:
		return nil, errors.New("jsClick and nativeOnly exclude each other")
	case p.Button != "" && p.Button != "left" && p.Button != "middle" && p.Button != "right":
		return nil, unknown("button", p.Button, []string{"left", "middle", "right"})
	}
	p.Patience = ms(p.Timeout)
	return func(ctx context.Context, r *Runner) (any, error) { return r.click(ctx, &p) }, nil
}

func (r *Runner) click(ctx context.Context, p *clickParams) (any, error) {
	before, err := r.places(ctx)
	if err != nil {
		return nil, err
	}
	count := 1
	if p.DoubleClick {
		count = 2
	}
	out := &clicked{Clicked: true, Method: action.MethodCDP}
	if p.X != nil {
		out.Coordinates = &coordinates{*p.X, *p.Y}
		if err := r.page.ClickAt(ctx, *p.X, *p.Y, action.Button(p.Button), count, 0); err != nil {
			return nil, err
		}
	} else {
		f, err := r.findOrScroll(ctx, &p.target, p.ScrollUntilVisible)
		if err != nil {
			return nil, err
		}
		done, err := r.page.Click(ctx, f.Element, action.ClickOptions{
			Options: p.options(), Button: action.Button(p.Button), Count: count, JS: p.JSClick, NativeOnly: p.NativeOnly,
		})
		if err != nil {
			return nil, r.named(err)
		}
		out.Method, out.CDPAttempted, out.TargetReceived, out.Checked = done.Method, done.Tried, done.Reached, done.Checked
		out.AutoForced = r.forced(done.Forced)
		out.ReResolved, out.Substitute = r.replaced(f)
		if len(p.Selectors) > 0 {
			out.MatchedBy, out.MatchedIndex = f.Selector, &f.Index
		}
		if done.Reached != nil && !*done.Reached {
			r.warn("the click did not get to the element")
		}
	}
	if p.WaitAfter != nil {
		r.calm(ctx, p.WaitAfter)
	}
	now, err := r.moved(ctx, before)
	if err != nil {
		return nil, err
	}
	out.Navigated, out.NewURL, out.NewTabs = now.navigated, now.url, now.tabs
	return out, nil
}
