package doctor

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/audit"
	"github.com/refscope/refscope/snapshot/find"
	"github.com/refscope/refscope/snapshot/why"
	"github.com/refscope/refscope/snapshot/wire"
)

// byPoint takes a point back to the page: through the space of the coordinates, the size at which
// the model saw the picture, its place on the page, and the page's own scale.
func (e *examination) byPoint(t *Target) {
	s := e.screen()
	if s == nil || s.Width == 0 {
		if e.dialect == wire.MCP && e.page != nil && !t.Thousandths {
			e.byPlace(t)
			return
		}
		t.Why = "the request has no picture"
		switch newest := e.newestPicture(); {
		case newest != nil && newest.zoomed:
			t.Why = "the request has no picture of the whole screen"
		case newest == nil && (len(e.shown) > 0 || e.asked.Continues()):
			t.Why = "the newest messages have no picture"
		}
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
			fmt.Sprintf("%s: %.0f, %.0f lies outside of %.0f x %.0f.", short(t.Verb), t.Point[0], t.Point[1], space[0],
				space[1]), how)
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
	if !at.Shows(x*float64(s.Width), y*float64(s.Height)) && !e.paintedOver(css) {
		t.Why = "the page looks different at this place than the picture does"
		return
	}
	e.at(t, css, at.Score, how)
}

// paintedOver reports whether what an element at the top of a place shows is withheld: the picture that was kept is
// painted over there, and the one that was sent is not.
func (e *examination) paintedOver(css [2]float64) bool {
	found := why.New(e.rec.Capture).At(css[0], css[1])
	if len(found) == 0 {
		return false
	}
	n := e.page.Tree().Node(found[0].Node)
	return n != nil && len(n.Redacted) > 0
}

// placeScore is how sure the element is at a place at which a tool acts: the page may move on before it does.
const placeScore = 0.9

// byPlace takes the place of a call of a tool as the tool does, which moves the mouse there: in CSS px of the view.
func (e *examination) byPlace(t *Target) {
	css, view := *t.Point, e.rec.Capture.Viewport
	if css[0] < 0 || css[1] < 0 || css[0] > view.Width || css[1] > view.Height {
		t.Why = fmt.Sprintf("it lies outside of the view of %.0f x %.0f CSS px", view.Width, view.Height)
		return
	}
	t.CSS = &css
	e.at(t, css, placeScore, "CSS px of the view")
}

// at finds the element at a place of the view.
func (e *examination) at(t *Target, css [2]float64, score float64, how string) {
	found := why.New(e.rec.Capture).At(css[0], css[1])
	if len(found) == 0 {
		t.Why = "no element lies at this place"
		return
	}
	n := e.hit(found)
	switch {
	case n == nil:
		t.Why = "the element at this place has no number"
	default:
		if other := e.overlapping(n, found, css); other != nil {
			t.Why = "two elements lie at this place, and which of them is on top is not known: " +
				name(n) + " and " + name(other)
			return
		}
		t.Node, t.Score, t.Why = n.I, score, "the topmost element at this place, by "+how
	}
}

// hit is the numbered element that takes a click at a place: the topmost one there, or what lies
// under something that covers all of it and that the browser's own hit tests never met; nil where
// it has no number.
func (e *examination) hit(found []why.Element) *snapshot.Node {
	top := e.page.Tree().Node(found[0].Node)
	for _, f := range found[1:] {
		n := e.page.Tree().Node(f.Node)
		if n == nil || n.Ref == 0 || !n.Control() || n.Occlusion == nil || n.Occlusion.HitShare < 1 {
			continue
		}
		if b := n.VisibleBox(); !e.page.Tree().Contains(n.I, top.I) && b.Intersect(top.VisibleBox()) == b {
			return n
		}
		break
	}
	for n := top; n != nil; n = e.page.Tree().Node(n.Parent) {
		if n.Ref > 0 {
			return n
		}
	}
	return nil
}

// overlapping is another control at a place that may be the one on top: neither contains the other,
// and the browser's own hit tests near the place do not name the first one.
func (e *examination) overlapping(n *snapshot.Node, found []why.Element, css [2]float64) *snapshot.Node {
	const sampled = 6 // CSS px
	for _, b := range found {
		other := e.page.Tree().Node(b.Node)
		if other == nil || other == n || other.Ref == 0 || !other.Control() || !other.Verdict.Rendered() ||
			e.page.Tree().Contains(n.I, other.I) ||
			e.page.Tree().Contains(other.I, n.I) || other.Occlusion != nil &&
			other.Occlusion.State == snapshot.Covered {
			continue
		}
		best, sure := math.Inf(1), false
		for _, o := range []*snapshot.Node{n, other} {
			if o.Occlusion == nil {
				continue
			}
			for _, p := range o.Occlusion.Points {
				if d := max(math.Abs(p[0]-css[0]), math.Abs(p[1]-css[1])); d <= sampled && d < best {
					best, sure = d, p[2] >= 0 && (int(p[2]) == n.I || e.page.Tree().Contains(n.I, int(p[2])))
				}
			}
		}
		if !sure {
			return other
		}
	}
	return nil
}

// bySelector finds the one element that a selector matches as the tool looks it up, which is in the page and not in its
// frames: CSS, an XPath, or a locator of Playwright or Puppeteer.
func (e *examination) bySelector(t *Target) {
	if e.page == nil {
		t.Why = "no page is known"
		return
	}
	locate := find.Locate
	if strings.Contains(t.Verb, "puppeteer") || find.OfPuppeteer(t.Selector) {
		locate = find.LocatePuppeteer
	}
	found, err := locate(e.rec.Capture, t.Selector)
	switch {
	case errors.Is(err, find.ErrFrame):
		t.Why = "the frame that the selector enters is none that was captured"
		return
	case errors.Is(err, find.ErrUnsure):
		t.Why = "what the selector finds depends on white space or comments of the page that a capture does not hold"
		return
	case err != nil:
		t.Why = "only CSS selectors, XPaths and the locators of Playwright and Puppeteer are looked up on the page"
		return
	}
	switch {
	case len(found) == 0:
		t.Why = "no element of the page matches the selector"
	case len(found) > 1 && takesFirst(t.Verb):
		t.Node, t.Score = found[0].I, 1
		t.Why = fmt.Sprintf("the first of %d elements that match the selector, which the tool takes", len(found))
	case len(found) > 1 && found[0].Verdict.Rendered() && !found[0].VisibleBox().Empty() && e.tookOne(t):
		t.Node, t.Score = found[0].I, 1
		t.Why = fmt.Sprintf("the first of %d elements that match the selector: the call worked, which a tool that "+
			"wants a single one refuses", len(found))
	case len(found) > 1:
		t.Why = fmt.Sprintf("%d elements of the page match the selector", len(found))
	default:
		t.Node, t.Score, t.Why = found[0].I, 1, "the only element that matches the selector"
	}
}

// tookOne reports whether a tool that was itself given the selector worked with what it matches.
func (e *examination) tookOne(t *Target) bool {
	return e.dialect == wire.MCP && !e.done && len(e.asked.Messages) > 0 && !e.failed() &&
		slices.ContainsFunc(e.answer.Calls, func(c wire.ToolCall) bool { return c.Name == t.Verb }) &&
		!slices.ContainsFunc(e.asked.Texts(), complains.MatchString)
}

// complains is the beginning of an answer that tells of an error without the protocol's word for it.
var complains = regexp.MustCompile(
	`(?i)^\W*(?:\w+\W+){0,8}?(?:\w*error|failed|timed? ?out|no element|not found|strict mode)\b`)

// takesFirst reports whether a tool acts on the first element that its selector matches, as Puppeteer and Playwright do
// where the selector is no locator. Their servers of tools name them after the library.
func takesFirst(verb string) bool {
	return strings.Contains(verb, "puppeteer_") || strings.Contains(verb, "playwright_") &&
		!strings.Contains(verb, "iframe")
}
