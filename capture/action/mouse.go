package action

import (
	"context"
	"fmt"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
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
	_, err := cdp.Call(ctx, p.tab.Session(), input.DispatchMouseEvent, input.DispatchMouseEventParams{
		Type: input.DispatchMouseEventTypeMouseMoved, X: x, Y: y, Button: button, Buttons: buttons, Modifiers: int64(held),
	})
	if err != nil {
		return fmt.Errorf("moving the mouse to %.0f,%.0f: %w", x, y, err)
	}
	p.mouseX, p.mouseY = x, y
	return nil
}

// press presses (or releases) a button where the mouse is.
func (p *Page) press(ctx context.Context, what input.DispatchMouseEventType, button Button, count int, held Modifier) error {
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
		Type: what, X: p.mouseX, Y: p.mouseY, Button: button, Buttons: buttons, ClickCount: int64(count), Modifiers: int64(held),
	})
	if err != nil {
		return fmt.Errorf("mouse button at %.0f,%.0f: %w", p.mouseX, p.mouseY, err)
	}
	return nil
}

// ClickAt clicks at a point of the tab's viewport, count times in a row.
func (p *Page) ClickAt(ctx context.Context, x, y float64, button Button, count int, held Modifier) error {
	if button == "" {
		button = input.MouseButtonLeft
	}
	if err := p.move(ctx, x, y, false, held); err != nil {
		return err
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
