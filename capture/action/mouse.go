package action

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/snapshot"
)

// Button is a mouse button.
type Button = input.MouseButton

// Modifier is a set of modifier keys that are held, as the protocol numbers them.
type Modifier int64

// The modifier keys.
const (
	Alt Modifier = 1 << iota
	Control
	Meta
	Shift
)

// move moves the mouse.
func (p *Page) move(ctx context.Context, x, y float64, pressed bool, held Modifier) error {
	buttons := int64(0)
	button := input.MouseButtonNone
	if pressed {
		buttons, button = 1, input.MouseButtonLeft
	}
	seen, err := p.seenBox(ctx)
	if err != nil {
		return fmt.Errorf("moving the mouse to %.0f,%.0f: %w", x, y, err)
	}
	p.panned = [2]float64{seen.X(), seen.Y()}
	_, err = cdp.Call(ctx, p.tab.Session(), input.DispatchMouseEvent, input.DispatchMouseEventParams{
		Type: input.DispatchMouseEventTypeMouseMoved, X: x - p.panned[0], Y: y - p.panned[1], Button: button,
		Buttons: buttons, Modifiers: int64(held),
	})
	if err != nil {
		return fmt.Errorf("moving the mouse to %.0f,%.0f: %w", x, y, err)
	}
	p.mouseX, p.mouseY = x, y
	return nil
}

// seenBox is the part of the tab's viewport that a person sees who has pinched the page larger; else all of it.
func (p *Page) seenBox(ctx context.Context) (snapshot.Box, error) {
	m, err := cdp.Call(ctx, p.tab.Session(), page.GetLayoutMetrics, cdp.Empty{})
	if err != nil || m.CSSVisualViewport == nil {
		return snapshot.Box{}, err
	}
	v := m.CSSVisualViewport
	return snapshot.Box{v.OffsetX, v.OffsetY, v.ClientWidth, v.ClientHeight}, nil
}

// press presses (or releases) a button where the mouse is.
func (p *Page) press(ctx context.Context, what input.DispatchMouseEventType, button Button, count int,
	held Modifier) error {
	buttons := int64(0)
	if what == input.DispatchMouseEventTypeMousePressed {
		switch button {
		case input.MouseButtonRight:
			buttons = 2
		case input.MouseButtonMiddle:
			buttons = 4
		default:
			buttons = 1
		}
	}
	_, err := cdp.Call(ctx, p.tab.Session(), input.DispatchMouseEvent, input.DispatchMouseEventParams{
		Type: what, X: p.mouseX - p.panned[0], Y: p.mouseY - p.panned[1], Button: button, Buttons: buttons,
		ClickCount: int64(count), Modifiers: int64(held),
	})
	if err != nil {
		return fmt.Errorf("mouse button at %.0f,%.0f: %w", p.mouseX, p.mouseY, err)
	}
	return nil
}

// OutsideError is the error of a point that lies outside the tab's viewport, or outside Seen, the part of it that a
// person sees who has pinched the page larger: no mouse gets there.
type OutsideError struct {
	X, Y, Width, Height float64 // CSS px
	Seen                snapshot.Box
}

func (e *OutsideError) Error() string {
	if e.Seen.W() > 0 {
		return fmt.Sprintf("the point %g,%g is outside what the window shows of the page, which somebody has pinched "+
			"larger: %.0f x %.0f CSS px from %.0f,%.0f: scroll an element there into view, or click it by its ref",
			e.X, e.Y, e.Seen.W(), e.Seen.H(), e.Seen.X(), e.Seen.Y())
	}
	return fmt.Sprintf("the point %g,%g is outside the viewport, which is %g x %g CSS px: scroll to it first", e.X, e.Y,
		e.Width, e.Height)
}

// InViewport is an [*OutsideError] where no mouse gets to the point of the tab's viewport.
func (p *Page) InViewport(ctx context.Context, x, y float64) error {
	const measure = "JSON.stringify([innerWidth, innerHeight, visualViewport.scale])"
	text, err := p.tab.Session().Eval(ctx, p.tab.ID(), measure)
	if err != nil {
		return fmt.Errorf("measuring the viewport: %w", err)
	}
	var size [3]float64
	if err := json.Unmarshal([]byte(text), &size); err != nil {
		return fmt.Errorf("measuring the viewport: %w", err)
	}
	if x < 0 || y < 0 || x >= size[0] || y >= size[1] {
		return &OutsideError{X: x, Y: y, Width: size[0], Height: size[1]}
	}
	if size[2] <= 1 {
		return nil
	}
	seen, err := p.seenBox(ctx)
	if err != nil {
		return fmt.Errorf("measuring the viewport: %w", err)
	}
	if !seen.Contains(x, y) {
		return &OutsideError{X: x, Y: y, Width: size[0], Height: size[1], Seen: seen}
	}
	return nil
}

// ClickAt clicks at a point of the tab's viewport, count times in a row.
func (p *Page) ClickAt(ctx context.Context, x, y float64, button Button, count int, held Modifier) error {
	if err := p.move(ctx, x, y, false, held); err != nil {
		return err
	}
	return p.pressed(ctx, button, count, held)
}

// pressed presses and releases a button where the mouse is, count times in a row.
func (p *Page) pressed(ctx context.Context, button Button, count int, held Modifier) error {
	if button == "" {
		button = input.MouseButtonLeft
	}
	for n := 1; n <= max(1, count); n++ {
		if err := p.press(ctx, input.DispatchMouseEventTypeMousePressed, button, n, held); err != nil {
			return err
		}
		if err := p.press(ctx, input.DispatchMouseEventTypeMouseReleased, button, n, held); err != nil {
			return err
		}
	}
	return nil
}

// MoveTo moves the mouse to a point of the tab's viewport.
func (p *Page) MoveTo(ctx context.Context, x, y float64) error { return p.move(ctx, x, y, false, 0) }

//go:embed js/appeared.js
var appearedJS string

// layerLimit is how many layers are compared.
const layerLimit = 400

// layersCome is how long after the mouse a tooltip or menu may come: that of an interestfor comes after 500 ms, those
// of common libraries after up to 700 ms.
const layersCome = time.Second

// moveOver moves the mouse to where an element is, and reports whether the browser has it over the element, and what
// is there instead; see [Page.over]. The browser knows where frames and layers lie from what it has drawn: right after
// a scroll a move may go to what was there before, so it is repeated once the next frame is drawn.
func (p *Page) moveOver(ctx context.Context, el collect.Element, r *ready, held Modifier) (
	bool, *NotReadyError, error) {
	for try := 0; ; try++ {
		if err := p.move(ctx, r.X, r.Y, false, held); err != nil {
			return false, nil, err
		}
		over, instead, err := p.over(ctx, el, r.frame)
		if over || err != nil || try == 2 {
			return over, instead, err
		}
		const drawn = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(''))))`
		if _, err := p.tab.Session().Await(ctx, p.tab.ID(), drawn); err != nil {
			return false, nil, fmt.Errorf("waiting for the page to be drawn: %w", err)
		}
	}
}

// HoverOptions configure a hover.
type HoverOptions struct {
	Options
	// Hold is how long the mouse stays before anything else happens.
	Hold time.Duration
	// Watch reports what appeared.
	Watch bool
}

// Layer is something in front of the page: a menu, a tooltip, a list.
type Layer struct {
	UID  int    `json:"uid,omitempty"` // identity in its frame's registry
	Ref  string `json:"ref,omitempty"` // its ref; the caller sets it, and takes out the uid
	Kind string `json:"kind"`          // menu, listbox, tooltip, dialog, popover, … or layer
	Tag  string `json:"tag"`
	// Text is its first 200 characters as they are rendered.
	Text string       `json:"text"`
	Box  snapshot.Box `json:"box"` // CSS px of its frame's viewport
}

// Hovered is the result of hovering.
type Hovered struct {
	Forced   *NotReadyError
	Appeared []Layer // with Watch: what was not there before
}

// Hover moves the mouse over an element.
func (p *Page) Hover(ctx context.Context, el collect.Element, o HoverOptions) (*Hovered, error) {
	r, err := p.wait(ctx, el, Visible|HitTarget, o.Options)
	if err != nil {
		return nil, err
	}
	if len(r.Points) == 0 {
		return nil, &NotReadyError{Why: "it has no size, so no mouse can be over it"}
	}
	if err := p.nowPrepared(ctx); err != nil {
		return nil, err
	}
	var before []Layer
	if o.Watch {
		if err := call(ctx, el, appearedJS, map[string]int{"limit": layerLimit}, &before); err != nil {
			return nil, err
		}
	}
	// From outside, so that the page sees the mouse come in.
	if p.mouseX == r.X && p.mouseY == r.Y {
		if err := p.move(ctx, r.X+1, r.Y+1, false, 0); err != nil {
			return nil, err
		}
	}
	done := &Hovered{Forced: r.Forced}
	over, instead, err := p.moveOver(ctx, el, r, 0)
	switch {
	case err != nil && !gone(err): // what the mouse came over may have answered with another page
		return nil, err
	case done.Forced == nil && !over && instead != nil:
		done.Forced = instead
	}
	if o.Hold > 0 {
		select {
		case <-time.After(o.Hold):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	if !o.Watch {
		return done, nil
	}
	known := map[int]bool{}
	for _, l := range before {
		known[l.UID] = true
	}
	for try, end := 1, time.Now().Add(layersCome); ; try++ {
		var now []Layer
		if err := call(ctx, el, appearedJS, map[string]int{"limit": layerLimit}, &now); err != nil {
			return nil, err
		}
		done.Appeared = done.Appeared[:0]
		for _, l := range now {
			if !known[l.UID] {
				done.Appeared = append(done.Appeared, l)
			}
		}
		if len(done.Appeared) > 0 || !time.Now().Before(end) {
			return done, nil
		}
		select {
		case <-time.After(retryAfter(try)):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}
