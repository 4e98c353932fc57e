package action

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/snapshot/text"
)

//go:embed js/fill.js
var fillJS string

//go:embed js/holds.js
var holdsJS string

// The ways in which a field was filled.
const (
	methodInsert = "insertText" // put in as by an input method: trusted input events
	methodSetter = "setter"     // the value was set and the events dispatched
	methodSelect = "select"     // an option of a list box was chosen
)

// elsewhere is why a field gets no keys.
const elsewhere = "its page gives the focus to something else, which would get the keys"

// FillOptions configure how a field is filled.
type FillOptions struct {
	Options
	// Append adds to what is there; else it is replaced.
	Append bool
	// React sets the value through the prototype's setter at once and dispatches input
	// and change, and types nothing.
	React bool
}

// Filled is the result of filling.
type Filled struct {
	Method string
	Forced *NotReadyError
	// Kept is whether the field has exactly the text that was put in, where it was put. A page that
	// formats, cuts or refuses what is typed gives false.
	Kept bool
	// Holds is what the field has instead; nil where it was kept, and where the field is gone.
	Holds *Holds
}

// Holds is what a field has that did not take a text as it was.
type Holds struct {
	// Value is what it holds, of a long text its start, "" where it is secret.
	Value string
	// Secret says what kind of secret the field is for, "" for none.
	Secret string
	// Length is that of what it holds, Asked of what it would, UTF-16 units.
	Length, Asked int
	// Invalid: what a person sees in it is not a value of its type, so it has none.
	Invalid bool
	// Left: the focus has gone elsewhere, and the rest of the text with it.
	Left bool
}

func (h *Holds) String() string {
	s := "the field holds " + text.Quote(text.Cut(h.Value, 201)) + ", which differs from what was asked"
	switch {
	case h.Secret != "":
		s = fmt.Sprintf("the field holds another text than was asked (%s): %d characters, not %d", h.Secret, h.Length,
			h.Asked)
	case h.Invalid:
		s = "the field has no value: what it shows is not one of its type"
	case h.Length == 0:
		s = "the field is empty: it did not take what was asked"
	}
	if h.Left {
		s += "; the focus has left it meanwhile"
	}
	return s
}

// Fill puts a text into a field, as a person would who pastes it: the field gets the
// focus, what was there is replaced, input and change events follow. Of a list box it
// chooses the option with that value or label.
func (p *Page) Fill(ctx context.Context, el collect.Element, value string, o FillOptions) (*Filled, error) {
	el, r, err := p.editable(ctx, el, o.Options)
	if err != nil {
		return nil, err
	}
	p.Typing(ctx, el, value)
	done := &Filled{Method: methodInsert, Forced: r.Forced, Kept: true}
	if r.Tag == "select" {
		chosen, err := p.Select(ctx, el, Choice{Either: []string{value}})
		if err != nil {
			return nil, err
		}
		if done.Method, done.Kept = methodSelect, chosen.Kept; !chosen.Kept {
			now := strings.Join(chosen.Values, ", ")
			done.Holds = &Holds{Value: now, Length: len(now), Asked: len(value)}
		}
		return done, nil
	}
	if err := p.expects(ctx, el, !o.Append || o.React, true); err != nil {
		return nil, unrun(err)
	}
	if o.React {
		done.Method = methodSetter
		if err := p.setValue(ctx, el, value); err != nil {
			return nil, err
		}
		return done, p.readKept(ctx, el, value, done)
	}
	answer, err := p.prepareField(ctx, el, value, !o.Append)
	if err != nil {
		return nil, unrun(err)
	}
	switch answer.How {
	case "refused":
		return nil, &NotEditableError{Why: fmt.Sprintf("an input of type %s does not take that value: %s", answer.Type,
			form(answer.Type))}
	case "set":
		done.Method, done.Kept = methodSetter, answer.Kept
		if answer.Kept {
			return done, nil
		}
		return done, p.readKept(ctx, el, value, done)
	case "unfocused":
		if answer.Keys != "" {
			return nil, &NotReadyError{Why: elsewhere}
		}
		// It cannot be typed into: its page gives the focus to something else.
		done.Method = methodSetter
		if err := p.setValue(ctx, el, value); err != nil {
			return nil, err
		}
		return done, p.readKept(ctx, el, value, done)
	}
	if err := p.shortcut(ctx, answer.Keys); err != nil {
		return nil, err
	}
	if value == "" {
		err = p.Press(ctx, deleteKey())
	} else {
		err = p.insert(ctx, value)
	}
	if err != nil {
		return nil, err
	}
	// The browser itself fires change only when the focus leaves, which may never happen.
	switch err := change(ctx, el); {
	case err != nil && gone(err) && value != "":
		return done, landed(ctx, el, err)
	case err != nil && !gone(err):
		return nil, err
	}
	if answer.Keys != "" {
		if _, err := p.still(ctx, el); err != nil { // the page tells the context what it holds when it draws
			return done, unlessGone(err)
		}
	}
	return done, p.readKept(ctx, el, value, done)
}

// preparedField is what js/fill.js answers about a field that is ready for a text.
type preparedField struct {
	How, Type, Keys string
	Kept, Rich      bool
}

// prepareField makes a field ready for a text, see js/fill.js. An editor that renders itself when it gets the focus
// puts its own caret then: what is to be written over is selected once more after that.
func (p *Page) prepareField(ctx context.Context, el collect.Element, value string,
	over bool) (answer preparedField, err error) {
	options := map[string]any{"value": value, "clear": over}
	err = call(ctx, el, fillJS, options, &answer)
	if err == nil && answer.Rich && answer.How == "type" {
		err = call(ctx, el, fillJS, options, &answer)
	}
	return answer, err
}

// shortcut presses keys that js/fill.js names, none for "".
func (p *Page) shortcut(ctx context.Context, keys string) error {
	if keys == "" {
		return nil
	}
	c, err := ParseKeys(keys)
	if err != nil {
		return err
	}
	return p.Press(ctx, c)
}

// landed is nil where what was typed has come to the page, whose field then went: pages render anew what was typed
// into. A field that went before that got nothing, and what took its place is to be typed into: an untouched
// [StaleError]. err is that of asking the field.
func landed(ctx context.Context, el collect.Element, err error) error {
	var stale *StaleError
	if !errors.As(err, &stale) || stale.Err != nil {
		return nil // another document has taken the place
	}
	if came, err := el.Realm.Eval(ctx, "String(globalThis.__refscope.landed)"); err != nil || came != "false" {
		return nil
	}
	stale.Untouched = true
	return stale
}

// form describes the value syntax of an input (HTML, section 4.10.5.1).
func form(kind string) string {
	switch kind {
	case "date":
		return "write it as 2026-12-31"
	case "datetime-local":
		return "write it as 2026-12-31T23:59"
	case "month":
		return "write it as 2026-12"
	case "week":
		return "write it as 2026-W52"
	case "time":
		return "write it as 23:59"
	case "color":
		return "write it as #rrggbb"
	}
	return "write it as a number"
}

// setValue sets the value through the prototype's setter and fires the events.
func (p *Page) setValue(ctx context.Context, el collect.Element, value string) error {
	return call(ctx, el, `(node, { value }) => {
		if (node.isContentEditable) {
			node.textContent = value;
			node.dispatchEvent(new InputEvent('input',
				{ bubbles: true, composed: true, inputType: 'insertText', data: value }));
			return true;
		}
		const proto = node.localName === 'textarea' ? HTMLTextAreaElement.prototype :
			node.localName === 'select' ? HTMLSelectElement.prototype : HTMLInputElement.prototype;
		Object.getOwnPropertyDescriptor(proto, 'value').set.call(node, value);
		node.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
		node.dispatchEvent(new Event('change', { bubbles: true }));
		return true;
	}`, map[string]string{"value": value}, nil)
}

// expects notes what a field holds, for [Page.readKept]: the text goes to its caret, or over all of it.
func (p *Page) expects(ctx context.Context, el collect.Element, over, end bool) error {
	return call(ctx, el, holdsJS, map[string]any{"note": true, "over": over, "end": end}, nil)
}

// readKept compares what the field holds with what it would after the text, in the page, so that no secret leaves it.
func (p *Page) readKept(ctx context.Context, el collect.Element, value string, done *Filled) error {
	var now struct {
		Kept, Later bool
		Holds
	}
	err := call(ctx, el, holdsJS, map[string]any{"text": value}, &now)
	if err == nil && now.Later {
		if _, err = p.still(ctx, el); err == nil {
			err = call(ctx, el, holdsJS, map[string]any{"text": value}, &now)
		}
	}
	if err != nil {
		return unlessGone(err)
	}
	if done.Kept = now.Kept; now.Kept {
		return nil
	}
	var c control
	if err := call(ctx, el, controlJS, nil, &c); err != nil {
		return unlessGone(err)
	}
	done.Holds = &now.Holds
	if now.Secret = cmp.Or(c.secret(value), c.secret(c.Value)); now.Secret == "" {
		now.Value = c.Value
	}
	return nil
}

// unlessGone is err; nil where it says that the element is gone.
func unlessGone(err error) error {
	if gone(err) {
		return nil
	}
	return err
}

// Focus gives an element the focus, and reports whether it, or what is in it, has taken it.
func (p *Page) Focus(ctx context.Context, el collect.Element) (taken bool, err error) {
	err = call(ctx, el, `(node) => { node.focus({ preventScroll: true }); return node.matches(':focus-within'); }`, nil,
		&taken)
	return taken, err
}

// change fires the change event on a field, as the browser itself does when the focus leaves.
func change(ctx context.Context, el collect.Element) error {
	return call(ctx, el,
		`(node) => { if (!node.isContentEditable && !node.editContext)
				node.dispatchEvent(new Event('change', { bubbles: true }));
			return true; }`,
		nil, nil)
}

// editable waits until the element can be written into. What stands for a field is written into by it, as a label is
// clicked, see [Page.fieldOf].
func (p *Page) editable(ctx context.Context, el collect.Element, o Options) (collect.Element, *ready, error) {
	r, err := p.wait(ctx, el, Visible|Editable, o)
	if _, ok := errors.AsType[*NotEditableError](err); ok {
		if field, failed := p.fieldOf(ctx, el); failed == nil && field != nil {
			el = *field
			r, err = p.wait(ctx, el, Visible|Editable, o)
		}
	}
	switch {
	case err != nil:
		return el, nil, err
	case r.Forced != nil && r.Locked != "":
		return el, nil, &NotEditableError{Why: r.Locked} // force cannot type into a disabled field
	}
	return el, r, p.nowPrepared(ctx)
}

// fieldOf is the field of a label, or the only one with an EditContext in an element: an editor's page draws beside it
// what is written in it, so that the one which is seen is around it. It is nil for every other element.
func (p *Page) fieldOf(ctx context.Context, el collect.Element) (*collect.Element, error) {
	return p.related(ctx, el, `((inner) => (node.localName === 'label' ? node.control :
		inner.length === 1 && inner[0]))([...node.querySelectorAll('[tabindex]')].filter((el) => el.editContext))`)
}

// TypeInto types a text key by key into an element, after what is in it.
func (p *Page) TypeInto(ctx context.Context, el collect.Element, text string, pause time.Duration,
	o Options) (*Filled, error) {
	return p.typeInto(ctx, el, text, pause, false, o)
}

// TypeOver types a text key by key in the place of what is in an element. What was
// there is selected without a key, so the page gets the text's key events alone; an empty
// text deletes it. A list box and a field that takes no keys (a date, a colour) are
// filled, see [Page.Fill].
func (p *Page) TypeOver(ctx context.Context, el collect.Element, text string, pause time.Duration,
	o Options) (*Filled, error) {
	return p.typeInto(ctx, el, text, pause, true, o)
}

func (p *Page) typeInto(ctx context.Context, el collect.Element, text string, pause time.Duration, over bool,
	o Options) (*Filled, error) {
	el, r, err := p.editable(ctx, el, o)
	if err != nil {
		return nil, err
	}
	switch r.Type {
	case "select", "date", "datetime-local", "month", "time", "week", "color", "range":
		if over {
			return p.Fill(ctx, el, text, FillOptions{Options: o})
		}
	}
	p.Typing(ctx, el, text)
	if err := p.expects(ctx, el, over, true); err != nil {
		return nil, unrun(err)
	}
	answer, err := p.prepareField(ctx, el, "", over)
	if err != nil {
		return nil, unrun(err)
	}
	if answer.How == "unfocused" {
		if r.Forced != nil {
			return nil, r.Forced
		}
		return nil, &NotReadyError{Why: elsewhere}
	}
	if err := p.shortcut(ctx, answer.Keys); err != nil {
		return nil, err
	}
	done := &Filled{Method: "keys", Forced: r.Forced, Kept: true}
	if over && text == "" {
		return done, p.Press(ctx, deleteKey())
	}
	if err := p.keys(ctx, text, pause); err != nil {
		return nil, err
	}
	err = call(ctx, el, `() => true`, nil, nil)
	switch {
	case err != nil && gone(err) && text != "":
		return done, landed(ctx, el, err)
	}
	return done, p.readKept(ctx, el, text, done)
}

// HasFocus reports whether keys go to a frame, or to one inside it.
func (p *Page) HasFocus(ctx context.Context, frame string) (bool, error) {
	realm, err := p.enter(ctx, frame)
	if err != nil {
		return false, err
	}
	answer, err := realm.Eval(ctx, "String(document.hasFocus())")
	if err != nil {
		return false, fmt.Errorf("asking frame %s for the focus: %w", frame, err)
	}
	return answer == "true", nil
}

// FocusFrame gives a frame that is not the main one the focus, as a person does who clicks into it: keys go to what
// had it there before.
func (p *Page) FocusFrame(ctx context.Context, frame string) error {
	way, err := p.way(ctx, frame)
	if err != nil || len(way) == 0 {
		return err
	}
	_, err = p.Focus(ctx, way[0].owner)
	return err
}

// Focused is the element that has the focus, in whatever frame or shadow tree;
// false where only the document has it.
func (p *Page) Focused(ctx context.Context) (collect.Element, bool, error) {
	frames, err := p.Frames(ctx)
	if err != nil {
		return collect.Element{}, false, err
	}
	for _, f := range frames {
		realm, err := f.session.Known(ctx, f.ID)
		if err != nil {
			continue // a frame that cannot be entered has nothing that we could type into
		}
		facts, err := realm.Describe(ctx, `(() => {
			const innerRoot = `+innerRootJS+`;
			if (!document.hasFocus()) return [];
			const active = (root) => root && root.activeElement;
			let el = document.activeElement;
			for (let inner; el && (inner = active(innerRoot(el))); ) el = inner;
			return !el || el === document.body || el === document.documentElement ||
				/^(iframe|frame)$/.test(el.localName) ? [] : [el];
		})()`)
		if err == nil && len(facts) == 1 {
			return collect.Element{Realm: realm, Node: facts[0].Node}, true, nil
		}
	}
	return collect.Element{}, false, nil
}
