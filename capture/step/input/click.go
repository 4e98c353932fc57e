package input

import (
	"context"
	"errors"

	"github.com/refscope/refscope/capture/action"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/capture/step/stepdef"
)

// clickParams are the parameters of click.
type clickParams struct {
	stepdef.Target
	stepdef.Ready
	DoubleClick        bool          `json:"doubleClick,omitempty" what:"click twice"`
	Button             string        `json:"button,omitempty" choices:"left,middle,right" what:"mouse button; left"`
	JSClick            bool          `json:"jsClick,omitempty" what:"click by script"`
	NativeOnly         bool          `json:"nativeOnly,omitempty" what:"never click by script"`
	ScrollUntilVisible *scrollSearch `json:"scrollUntilVisible,omitempty" what:"scroll on until the element is there"`
	WaitAfter          *waitAfter    `json:"waitAfter,omitempty" what:"wait until the page has stopped changing"`
}

// CheckParams refuses a click of two kinds.
func (p *clickParams) CheckParams() error {
	if p.JSClick && p.NativeOnly {
		return errors.New("jsClick and nativeOnly exclude each other")
	}
	return nil
}

// clicked is the output of click (seed 9.1).
type clicked struct {
	Clicked      bool   `json:"clicked"`
	Method       string `json:"method"`
	CDPAttempted bool   `json:"cdpAttempted,omitempty"`
	*stepdef.Movement
	replacement
	AutoForced     bool         `json:"autoForced,omitempty"`
	TargetReceived *bool        `json:"targetReceived,omitempty"`
	Checked        *bool        `json:"checked,omitempty"`
	MatchedIndex   *int         `json:"matchedIndex,omitempty"` // of selectors
	MatchedBy      string       `json:"matchedSelector,omitempty"`
	Coordinates    *coordinates `json:"coordinates,omitempty"`
}

// replacement reports that another element took the place of the target's own.
type replacement struct {
	ReResolved bool        `json:"reResolved,omitempty"`
	Substitute *substitute `json:"substitute,omitempty"`
}

// substitute is a ref that was gone, and which one took its place.
type substitute struct {
	Was string `json:"was"`
	Now string `json:"now"`
}

type coordinates struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

func click(ctx context.Context, e *stepdef.Env, p *clickParams) (any, error) {
	before, err := e.Where(ctx)
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
		if err := e.Page.InViewport(ctx, *p.X, *p.Y); err != nil {
			return nil, err
		}
		if err := e.Page.ClickAt(ctx, *p.X, *p.Y, action.Button(p.Button), count, 0); err != nil {
			return nil, err
		}
	} else {
		t := p.Within(p.Wait())
		f, err := findOrScroll(ctx, e, t, p.ScrollUntilVisible)
		if err != nil {
			return nil, err
		}
		var done *action.Clicked
		f, err = e.Acting(ctx, t, f, func(el collect.Element) error {
			done, err = e.Page.Click(ctx, el, action.ClickOptions{
				Options: p.Options(), Button: action.Button(p.Button), Count: count, JS: p.JSClick,
				NativeOnly: p.NativeOnly,
			})
			return err
		})
		if err != nil {
			return nil, named(e, err)
		}
		out.Method, out.CDPAttempted, out.TargetReceived, out.Checked = done.Method, done.Tried,
			done.Reached, done.Checked
		out.AutoForced = forced(e, done.Forced)
		out.replacement = replaced(e, f)
		if len(p.Selectors) > 0 {
			out.MatchedBy, out.MatchedIndex = f.Selector, &f.Index
		}
		if done.Reached != nil && !*done.Reached {
			e.Warn("the click did not get to the element")
		}
	}
	if p.WaitAfter != nil {
		waitQuiet(ctx, e, p.WaitAfter)
	}
	if out.Movement, err = e.Moved(ctx, before); err != nil {
		return nil, err
	}
	return out, nil
}
