package action

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/snapshot"
)

const placeJS = `JSON.stringify({ x: Math.round(scrollX), y: Math.round(scrollY),
	maxX: Math.max(0, document.scrollingElement ? document.scrollingElement.scrollWidth - innerWidth : 0),
	maxY: Math.max(0, document.scrollingElement ? document.scrollingElement.scrollHeight - innerHeight : 0) })`

// Place is where the frame is scrolled to; the main frame if empty.
func (p *Page) Place(ctx context.Context, frame string) (snapshot.Scroll, error) {
	return p.scrolled(ctx, frame, placeJS)
}

func (p *Page) scrolled(ctx context.Context, frame, expression string) (snapshot.Scroll, error) {
	var s snapshot.Scroll
	realm, err := p.enter(ctx, frame)
	if err != nil {
		return s, err
	}
	text, err := realm.Eval(ctx, expression)
	if err != nil {
		return s, fmt.Errorf("scrolling: %w", err)
	}
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		return s, fmt.Errorf("scrolling: %w", err)
	}
	return s, nil
}

// ScrollTo scrolls a frame to a place at once, without the page's smooth scrolling.
func (p *Page) ScrollTo(ctx context.Context, frame string, x, y float64) (snapshot.Scroll, error) {
	return p.scrolled(ctx, frame, fmt.Sprintf("(scrollTo({ left: %g, top: %g, behavior: 'instant' }), %s)",
		x, y, placeJS))
}

// ScrollBy scrolls a frame by a distance at once.
func (p *Page) ScrollBy(ctx context.Context, frame string, dx, dy float64) (snapshot.Scroll, error) {
	return p.scrolled(ctx, frame, fmt.Sprintf("(scrollBy({ left: %g, top: %g, behavior: 'instant' }), %s)", dx, dy,
		placeJS))
}

// ScrollEnd scrolls a frame to its very bottom, or back to its top.
func (p *Page) ScrollEnd(ctx context.Context, frame string, bottom bool) (snapshot.Scroll, error) {
	y := "0"
	if bottom {
		y = "document.scrollingElement ? document.scrollingElement.scrollHeight : 0"
	}
	return p.scrolled(ctx, frame, fmt.Sprintf("(scrollTo({ left: scrollX, top: %s, behavior: 'instant' }), %s)", y,
		placeJS))
}

// Centre scrolls an element to the middle of the view, through all containers around it.
func (p *Page) Centre(ctx context.Context, el collect.Element) (snapshot.Scroll, error) {
	err := call(ctx, el,
		`(node) => { node.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' }); return true; }`,
		nil,
		nil)
	if err != nil {
		return snapshot.Scroll{}, err
	}
	if _, err := p.reveal(ctx, el); err != nil { // through the frames around it too
		return snapshot.Scroll{}, err
	}
	return p.Place(ctx, el.Realm.Frame)
}

// Inside scrolls the content of an element and returns the new position.
func (p *Page) Inside(ctx context.Context, el collect.Element, dx, dy float64) (snapshot.Scroll, error) {
	var s snapshot.Scroll
	err := call(ctx, el, `(node, { dx, dy }) => { node.scrollBy({ left: dx, top: dy, behavior: 'instant' });
		return { x: Math.round(node.scrollLeft), y: Math.round(node.scrollTop),
			maxX: node.scrollWidth - node.clientWidth, maxY: node.scrollHeight - node.clientHeight }; }`,
		map[string]float64{"dx": dx, "dy": dy}, &s)
	return s, err
}
