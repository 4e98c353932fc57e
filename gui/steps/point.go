package steps

import (
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/snapshot"
)

// PointVM is a cross on the picture, in image px.
type PointVM struct {
	X, Y float64
	// Kind is its meaning: [PointNext] or [PointLast]; the zero value draws none.
	Kind PointKind
}

// PointKind is what a cross on the picture means.
type PointKind int

const (
	PointNone PointKind = iota
	PointNext           // where a click on the element pointed at would go
	PointLast           // where the last one went
)

// Point is the cross on the picture in view.
func Point(s core.State) PointVM {
	t := s.Pictured()
	if t == nil {
		return PointVM{}
	}
	if p := Of(s).Act.Last; p.Turn > 0 && (t.N == p.Turn || t.N == p.After) && !(Of(s).Act.On && s.Hover.Ref > 0) {
		return PointVM{p.X, p.Y, PointLast}
	}
	if Of(s).Act.On && !s.ShowPrevious && s.Hover.Ref > 0 && s.Current != nil {
		if x, y, ok := clickPoint(s, s.Current.Capture.ByRef(s.Hover.Ref)); ok {
			return PointVM{x, y, PointNext}
		}
	}
	return PointVM{}
}

// clickPoint is where a click on an element goes, in px of the picture.
func clickPoint(s core.State, n *snapshot.Node) (x, y float64, ok bool) {
	t := s.Current
	if t == nil || t.Image == nil || n == nil || !n.InViewport {
		return 0, 0, false
	}
	x, y = n.Box.Center()
	if n.Occlusion != nil {
		x, y = n.Occlusion.Click[0], n.Occlusion.Click[1]
	}
	scale := t.Capture.Viewport.Scale
	return x * scale, y * scale, scale > 0
}

// stillThere is the number of a turn where the last click can be shown on it too: it is
// of the same page in the same window, scrolled as before; 0 else.
func stillThere(s core.State, t *core.Turn) int {
	if s.Current == nil || Of(s).Act.Last.Turn != s.Current.N {
		return 0
	}
	a, b := s.Current.Capture, t.Capture
	if core.PageOf(a.URL) != core.PageOf(b.URL) || a.Viewport != b.Viewport || a.Scroll.X != b.Scroll.X ||
		a.Scroll.Y != b.Scroll.Y {
		return 0
	}
	return t.N
}
