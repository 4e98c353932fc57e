package domtool

import (
	"context"
	"errors"
	"time"

	"github.com/refscope/refscope/capture/action"
	"github.com/refscope/refscope/capture/element"
)

// ClickOptions describe how to click.
type ClickOptions struct {
	Options
	Button action.Button // left if empty
	Count  int           // 1 if 0
}

// Click clicks the element that a target means.
func (t *Tool) Click(ctx context.Context, target string, o ClickOptions) (*Result, error) {
	return t.do(ctx, "click", target, func(f *element.Found, r *Result) error {
		done, err := t.elements.Page().
			Click(ctx, f.Element, action.ClickOptions{Options: o.action(), Button: o.Button, Count: o.Count})
		if err != nil {
			return err
		}
		r.Method, r.Checked = done.Method, done.Checked
		return nil
	})
}

// TypeOptions describe how to type.
type TypeOptions struct {
	Options
	// Replace types over what is in the field; else the text goes after it.
	Replace bool
}

// Type types a text key by key into the element that a target means. A list box chooses
// the option, and a field that takes no keys (a date, a colour) gets the value.
func (t *Tool) Type(ctx context.Context, target, text string, o TypeOptions) (*Result, error) {
	return t.do(ctx, "type", target, func(f *element.Found, r *Result) error {
		p := t.elements.Page()
		write := p.TypeInto
		if o.Replace {
			write = p.TypeOver
		}
		done, err := write(ctx, f.Element, text, 0, o.action())
		if err != nil {
			return err
		}
		r.Method = done.Method
		if o.Replace {
			r.Kept = &done.Kept
		}
		return nil
	})
}

// KeypressOptions describe where a key goes.
type KeypressOptions struct {
	Options
	// Target gets the focus first; "" is what has it.
	Target string
}

// Keypress presses and releases a key or a combination, such as Enter or Control+a. A
// key that no keyboard has is an [*action.KeyError].
func (t *Tool) Keypress(ctx context.Context, key string, o KeypressOptions) (*Result, error) {
	keys, err := action.ParseKeys(key)
	if err != nil {
		return nil, err
	}
	return t.do(ctx, "keypress", o.Target, func(f *element.Found, _ *Result) error {
		p := t.elements.Page()
		if f != nil {
			taken, err := p.Focus(ctx, f.Element)
			if err != nil {
				return err
			}
			if !taken {
				return &action.NotReadyError{Why: "it does not take the focus, so the key would go elsewhere"}
			}
		} else if _, err := t.elements.Keyboard(ctx); err != nil {
			return err
		}
		return p.Press(ctx, keys)
	})
}

// do finds the element and acts on it. If it is removed in between, it is looked for
// once more. Whatever the outcome, the cached snapshot is stale afterwards.
func (t *Tool) do(ctx context.Context, name, target string, act func(*element.Found, *Result) error) (*Result, error) {
	began := time.Now()
	r := &Result{Action: name, Target: target}
	err := open(ctx, t.elements.Page(), target)
	if err == nil {
		err = t.actOnce(ctx, r, act)
		var stale *action.StaleError
		if errors.As(err, &stale) { // nothing was done to it: what acts finds that out first
			err = t.actOnce(ctx, r, act)
		}
	}
	t.elements.Invalidate()
	err = typed(target, err)
	took := time.Since(began)
	r.Took = float64(took.Microseconds()) / 1000
	t.tell(ctx, Event{
		Name: name, Took: took, ReResolved: r.ReResolved, Method: r.Method, Kept: r.Kept, Checked: r.Checked,
	}, err)
	if err != nil {
		return nil, err
	}
	return r, nil
}

func (t *Tool) actOnce(ctx context.Context, r *Result, act func(*element.Found, *Result) error) error {
	if r.Target == "" {
		return act(nil, r)
	}
	target := element.ParseTarget(r.Target)
	target.Only = target.Selector != ""
	f, err := t.elements.FindNow(ctx, &target)
	if err == nil {
		err = t.elements.Unread(ctx, f)
	}
	if err != nil {
		return err
	}
	r.Ref, r.NewRef, r.ReResolved = f.Ref, f.NewRef, f.Replaced()
	return act(f, r)
}
