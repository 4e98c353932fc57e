package action

import (
	"context"

	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/snapshot"
)

// Bounds is the box of an element in CSS px of the tab's viewport, whatever frames are
// around it; [*NotReadyError] where it has no extent.
func (p *Page) Bounds(ctx context.Context, el collect.Element) (snapshot.Box, error) {
	var b [4]float64
	if err := call(ctx, el, `(node) => { const r = node.getBoundingClientRect(); return [r.x, r.y, r.width, r.height]; }`, nil, &b); err != nil {
		return snapshot.Box{}, err
	}
	if b[2] <= 0 || b[3] <= 0 {
		return snapshot.Box{}, &NotReadyError{Why: "it has no extent"}
	}
	way, err := p.way(ctx, el.Realm.Frame)
	if err != nil {
		return snapshot.Box{}, err
	}
	x0, y0, x1, y1 := b[0], b[1], b[0]+b[2], b[1]+b[3]
	for _, s := range way {
		// The corners of a turned frame are not those of the box around it.
		ax, ay := s.at.point(x0, y0)
		bx, by := s.at.point(x1, y0)
		cx, cy := s.at.point(x0, y1)
		dx, dy := s.at.point(x1, y1)
		x0, y0, x1, y1 = min(ax, bx, cx, dx), min(ay, by, cy, dy), max(ax, bx, cx, dx), max(ay, by, cy, dy)
	}
	return snapshot.Box{x0, y0, x1 - x0, y1 - y0}, nil
}
