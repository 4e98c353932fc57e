package doctor

import (
	"fmt"

	"github.com/refscope/refscope/snapshot/audit"
	"github.com/refscope/refscope/snapshot/why"
)

// byPoint takes a point back to the page: through the space of the coordinates, the size at which
// the model saw the picture, its place on the page, and the page's own scale.
func (e *examination) byPoint(t *Target) {
	s := e.newestPicture()
	if s == nil || s.Width == 0 {
		t.Why = "the request has no picture"
		return
	}
	space := [2]float64{float64(s.SeenWidth), float64(s.SeenHeight)}
	how := "px of the picture as the model saw it"
	switch {
	case t.Thousandths:
		space, how = [2]float64{1000, 1000}, "thousandths of the picture"
	case e.asked.Display != [2]int{}:
		space, how = [2]float64{float64(e.asked.Display[0]), float64(e.asked.Display[1])}, "px of the declared screen"
	case s.SeenWidth == 0:
		space = [2]float64{float64(s.Width), float64(s.Height)}
	}
	x, y := t.Point[0]/space[0], t.Point[1]/space[1]
	if x < 0 || y < 0 || x > 1 || y > 1 {
		e.add(PointOutside, audit.Error, nil, s.section.Name,
			fmt.Sprintf("%s: %.0f, %.0f lies outside of %.0f x %.0f.", short(t.Verb), t.Point[0], t.Point[1], space[0], space[1]), how)
		t.Why = "it lies outside of the picture"
		return
	}
	if s.Place == nil || e.page == nil {
		t.Why = "where on the page the picture was taken is not known"
		return
	}
	at, scale := *s.Place, e.rec.Capture.Viewport.Scale
	css := [2]float64{(at.X + x*at.Width) / scale, (at.Y + y*at.Height) / scale}
	t.CSS = &css
	if !at.Shows(x*float64(s.Width), y*float64(s.Height)) {
		t.Why = "the page looks different at this place than the picture does"
		return
	}
	found := why.New(e.rec.Capture).At(css[0], css[1])
	if len(found) == 0 {
		t.Why = "no element lies at this place"
		return
	}
	for n := e.page.tree.Node(found[0].Node); n != nil; n = e.page.tree.Node(n.Parent) {
		if n.Ref > 0 {
			t.Node, t.Score, t.Why = n.I, at.Score, "the topmost element at this place, by "+how
			return
		}
	}
}
