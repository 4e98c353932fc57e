package action

import (
	"context"
	"errors"
	"fmt"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/collect"
)

// The ways in which a click was done.
const (
	MethodCDP    = "cdp"          // real mouse events
	methodJS     = "jsClick"      // element.click(), because it was requested
	methodJSAuto = "jsClick-auto" // element.click(), because the mouse did not reach it
	methodLabel  = "label"        // real mouse events on the label of a hidden control
)

// ClickOptions configure a click.
type ClickOptions struct {
	Options
	Button Button // left if empty
	Count  int    // 1 if 0; 2 for a double click
	Held   Modifier
	// JS clicks by script at once; NativeOnly never does.
	JS, NativeOnly bool
}

// Clicked is the result of a click.
type Clicked struct {
	Method string
	// X, Y is where, CSS px of the tab's viewport; 0,0 for a click by script.
	X, Y float64
	// Reached reports whether the page's event got to the element; nil where this is
	// unknown because the page navigated to another document.
	Reached *bool
	// Tried is set where the mouse was tried before the script.
	Tried bool
	// Forced is the reason why the element was not ready; it was clicked anyway.
	Forced *NotReadyError
	// Checked is the state of a checkbox or radio button after the click.
	Checked *bool
}

// Click clicks an element. A radio button or checkbox that its page hides behind a
// label is clicked through the label.
func (p *Page) Click(ctx context.Context, el collect.Element, o ClickOptions) (*Clicked, error) {
	if o.JS {
		return p.clickByScript(ctx, el, methodJS, nil)
	}
	label, err := p.labelOf(ctx, el)
	if err != nil {
		return nil, untouched(err)
	}
	if label != nil {
		done, err := p.clickOn(ctx, *label, el, o)
		if err != nil {
			return nil, err
		}
		if done.Method == MethodCDP {
			done.Method = methodLabel
		}
		return done, nil
	}
	return p.clickOn(ctx, el, el, o)
}

// clickOn sends the mouse to on, which represents el.
func (p *Page) clickOn(ctx context.Context, on, el collect.Element, o ClickOptions) (*Clicked, error) {
	r, err := p.wait(ctx, on, Visible|Enabled|HitTarget, o.Options)
	if err != nil {
		return nil, err
	}
	if r.Dead && r.Forced != nil {
		return nil, r.Forced // no browser delivers a click to it, so force is useless
	}
	switch {
	case o.NativeOnly && r.Away:
		return nil, outOfView()
	case o.NativeOnly && r.Forced != nil && r.Forced.Inert != "":
		return nil, r.Forced
	case o.NativeOnly && len(r.Points) == 0:
		return nil, &NotReadyError{Why: "it has no size, so no mouse can reach it"}
	case !o.NativeOnly && r.missed():
		// There is nothing that a mouse could be sent to: it would find the page's edge, or
		// press what lies there instead.
		if err := p.nowPrepared(ctx); err != nil {
			return nil, err
		}
		return p.clickByScript(ctx, el, methodJSAuto, r.Forced)
	}
	// The page may answer the mouse before anything is pressed.
	if _, _, err := p.moveOver(ctx, on, r, o.Held); err != nil {
		return nil, untouched(err)
	}
	if err := p.nowPrepared(ctx); err != nil {
		return nil, err
	}
	over, instead, err := p.over(ctx, on, r.frame)
	switch {
	case err != nil:
		return nil, untouched(err)
	case instead != nil && o.NativeOnly:
		return nil, instead
	case instead != nil:
		return p.fallBack(ctx, el, &Clicked{Forced: instead})
	}
	if err := p.arm(ctx, on); err != nil {
		return nil, untouched(err)
	}
	if err := p.pressed(ctx, o.Button, o.Count, o.Held); err != nil {
		return nil, err
	}
	done := &Clicked{Method: MethodCDP, X: r.X, Y: r.Y, Forced: r.Forced}
	if done.Reached, err = p.disarm(ctx, on, over); err != nil {
		return nil, err
	}
	if done.Reached != nil && !*done.Reached && !o.NativeOnly && !o.Force {
		return p.fallBack(ctx, el, done)
	}
	return done, p.readChecked(ctx, el, done)
}

// fallBack clicks by script what the mouse did not reach.
func (p *Page) fallBack(ctx context.Context, el collect.Element, tried *Clicked) (*Clicked, error) {
	done, err := p.clickByScript(ctx, el, methodJSAuto, tried.Forced)
	if err != nil {
		return nil, err
	}
	done.Tried = true
	return done, nil
}

func (p *Page) clickByScript(ctx context.Context, el collect.Element, method string,
	forced *NotReadyError) (*Clicked, error) {
	// The click is queued, or a dialog that it opens would keep the answer.
	reached := true
	const js = `(node) => {
		if (node.click) node.click();
		else node.dispatchEvent(new MouseEvent('click',
			{ bubbles: true, cancelable: true, composed: true, view: window }));
		return !node.matches(':disabled');
	}`
	if err := call(ctx, el, js, nil, &reached); err != nil {
		var stale *StaleError
		if errors.As(unrun(err), &stale) && stale.Untouched { // gone before, so nothing was clicked
			return nil, err
		}
		if !gone(err) {
			return nil, fmt.Errorf("clicking by script: %w", err)
		}
	}
	done := &Clicked{Method: method, Reached: &reached, Forced: forced}
	return done, p.readChecked(ctx, el, done)
}

// readChecked notes the state of a checkbox or radio button. If the page navigated, or
// removed the element, there is none.
func (p *Page) readChecked(ctx context.Context, el collect.Element, done *Clicked) error {
	var checked *bool
	err := call(ctx, el, `(node) => node.matches('input[type=checkbox],input[type=radio]') ? node.checked : null`, nil,
		&checked)
	if err != nil && !gone(err) {
		return err
	}
	done.Checked = checked
	return nil
}

// gone reports whether an error only means that the node or document no longer exists,
// as after a click that led to another page.
func gone(err error) bool {
	var stale *StaleError
	return errors.As(err, &stale) || errors.Is(err, browser.ErrNavigated) || errors.Is(err, browser.ErrDetached)
}

// labelOf is the visible label to click in place of a radio button or checkbox that
// cannot be seen or hit itself; nil for everything else.
func (p *Page) labelOf(ctx context.Context, el collect.Element) (*collect.Element, error) {
	var is bool
	const hidden = `(node) => {
		if (!node.matches('input[type=checkbox],input[type=radio]') || node.labels.length === 0) return false;
		const r = node.getBoundingClientRect(), s = getComputedStyle(node);
		return r.width <= 1 || r.height <= 1 || s.opacity === '0' || s.visibility !== 'visible' ||
			s.display === 'none' || s.pointerEvents === 'none' ||
			s.clip === 'rect(0px, 0px, 0px, 0px)' || /inset\((50|100)%/.test(s.clipPath) || r.right < 0 ||
				r.bottom + scrollY < 0;
	}`
	if err := call(ctx, el, hidden, nil, &is); err != nil || !is {
		return nil, err
	}
	return p.related(ctx, el, `[...node.labels].find((l) => l.getClientRects().length > 0)`)
}

// related is the element that an expression over node finds; nil for none.
func (p *Page) related(ctx context.Context, el collect.Element, expression string) (*collect.Element, error) {
	var is bool
	find := `(node) => { globalThis.__refscope.watched = (` + expression + `) || null; ` +
		`return globalThis.__refscope.watched !== null; }`
	if err := call(ctx, el, find, nil, &is); err != nil || !is {
		return nil, err
	}
	facts, err := el.Realm.Describe(ctx, "[globalThis.__refscope.watched]")
	if err != nil {
		return nil, fmt.Errorf("finding what belongs to the element: %w", err)
	}
	return &collect.Element{Realm: el.Realm, Node: facts[0].Node}, nil
}

// arm notes whether the next pointerdown or click gets to the element. It listens on the window, which nothing inside
// the page can stop, and on the element, which hears of what happens in a closed shadow root too.
func (p *Page) arm(ctx context.Context, el collect.Element) error {
	return call(ctx, el, `(node) => {
		const dead = node.matches(':disabled') || node.closest('button:disabled') !== null;
		const note = globalThis.__refscope.aim = { reached: false, heard: dead, stop: null };
		const heard = (e) => {
			note.heard = true;
			const path = e.composedPath(), at = path.indexOf(node);
			// A disabled field in it lets a pointer's events through and no click (Chrome 156).
			const kept = path.slice(0, at).some((n) => n instanceof Element &&
				n.matches(':is(button,input,select,textarea):disabled'));
			if (at >= 0 && !kept && !dead) note.reached = true;
		};
		const kinds = ['pointerdown', 'mousedown', 'click'];
		const how = { capture: true, passive: true };
		const each = (what) => { for (const k of kinds) for (const on of [window, node]) on[what](k, heard, how); };
		each('addEventListener');
		note.stop = () => each('removeEventListener');
		return true;
	}`, nil, nil)
}

// disarm returns what arm noted; nil where the document is gone. A page that keeps every event from those who listen
// after it has had a click that the mouse was over the element for: it is not clicked again.
func (p *Page) disarm(ctx context.Context, el collect.Element, over bool) (*bool, error) {
	text, err := el.Realm.Eval(ctx,
		`(() => { const a = globalThis.__refscope.aim; if (!a) return ''; a.stop(); delete globalThis.__refscope.aim; `+
			`return a.reached ? 'true' : a.heard ? 'false' : 'unheard'; })()`)
	switch {
	case err != nil && gone(err), err == nil && text == "":
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("asking whether the click was received: %w", err)
	}
	reached := text == "true" || text == "unheard" && over
	return &reached, nil
}
