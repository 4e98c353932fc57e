package picture

import (
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/export"
	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/why"
)

// The notice about what covers the page: it lies over the top of the picture, names what to
// press first, and lights what is covered.

// Cover is the notice of the turn in view.
type Cover struct {
	turn   *core.Turn
	shown  *core.Numbers // that its words name
	notice why.OverlayNotice
	boxes  *core.FoundBoxes // what is covered, in image px
	lit    bool
	// name describes the overlay, closed the one whose notice was put away: it stays silent
	// on the next turns, too.
	name, closed string
}

// CoverVM is the content of the strip over the picture; Text is "" where there is none.
type CoverVM struct {
	Text, Advice string
	Lit          bool
}

type ()

// coverShown lights what the overlay covers and selects the overlay, or ends that.
func coverShown() core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		c := Of(s).Cover
		if coverOf(s).Text == "" {
			return s, nil
		}
		edit(&s).Cover.lit = !c.lit
		if c.lit {
			return s, nil
		}
		s.Layers.Occlusion = true
		ref := 0
		if n := c.turn.Capture.Node(c.notice.Node); n != nil {
			ref = n.Ref
		}
		return core.PickOf(c.notice.Node, ref).Apply(s)
	})
}

// coverClosed puts the notice away.
func coverClosed() core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		c := &edit(&s).Cover
		c.closed, c.lit = c.name, false
		return s, nil
	})
}

// findCover keeps the notice that of the turn in view.
func findCover(s core.State) core.State {
	t, numbers := s.Current, s.Numbers()
	if t == Of(s).Cover.turn && numbers == Of(s).Cover.shown {
		return s
	}
	c := Cover{turn: t, shown: numbers, closed: Of(s).Cover.closed, lit: t == Of(s).Cover.turn && Of(s).Cover.lit}
	if t != nil && t.Capture != nil {
		if c.notice, _ = why.Overlay(numbers.In(t.Capture)); c.notice.Text != "" {
			c.name = why.Describe(t.Capture.Node(c.notice.Node))
		}
	}
	c.boxes = &core.FoundBoxes{}
	seen := snapshot.Box{}
	if t != nil && t.Scene != nil {
		seen = snapshot.Box{0, 0, float64(t.Scene.Size().X), float64(t.Scene.Size().Y)}
	}
	for _, i := range c.notice.Covered {
		n := t.Capture.Node(i)
		if t.Scene == nil || !n.InViewport {
			continue
		}
		// A section that the overlay overlaps would be a frame around half of the page.
		if m := t.Scene.ByRef(n.Ref); m != nil && m.Status != overlay.Container && len(m.Rects) > 0 {
			c.boxes.Boxes = append(c.boxes.Boxes, m.Box.Intersect(seen))
		}
	}
	edit(&s).Cover = c
	return s
}

// coverOf is the notice to show: none over another picture than that of the turn.
func coverOf(s core.State) CoverVM {
	c := Of(s).Cover
	if s.Current == nil || c.turn != s.Current || c.name == c.closed || s.Current.Pyramid == nil ||
		s.ShowPrevious || Of(s).Compare.Mode != PicturesOff || costsInView(s) || export.SetBoxes(s) != nil {
		return CoverVM{}
	}
	advice := c.notice.Advice
	if n := c.turn.Capture.Node(c.notice.Press); n != nil && c.shown.Own(n.Ref) != "" {
		advice = c.notice.Advise(c.shown.Own(n.Ref))
	}
	return CoverVM{c.notice.Text, advice, c.lit}
}
