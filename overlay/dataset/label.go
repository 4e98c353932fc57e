package dataset

import (
	"image"
	"math"
	"slices"
	"strings"

	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/overlay/geometry"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/likeness"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/text"
)

// nameRunes is at how many characters a name is cut.
const nameRunes = 80

// Label lists the elements of a picture with their boxes and instructions. The scene is that of the capture at the
// size of the picture, in the view for a model: see [Scene]. img is the picture itself at that size; without it, nil,
// nobody looks whether a box holds something.
func Label(c *snapshot.Capture, scene *overlay.Scene, img *image.RGBA, o Options) []Element {
	l := &labeler{c: c, tree: snapshot.NewTree(c), scene: scene, img: img, o: o,
		picture: image.Rectangle{Max: scene.Size()}}
	l.sx, l.sy = scene.Scale()
	l.withheld()
	var out []Element
	for i := range scene.Marks() {
		m := &scene.Marks()[i]
		if n := l.tree.Node(m.Node); n != nil && m.Status != overlay.Container && m.Status != overlay.OutOfScope {
			out = append(out, l.element(m, n))
		}
	}
	l.phrase(out)
	return out
}

// Scene is the scene of a capture whose picture has that size in px, as a set of these options writes it: at the size
// of the model.
func Scene(c *snapshot.Capture, size image.Point, o Options) *overlay.Scene {
	return overlay.NewScene(c, o.Model.Fit(size, o.Detail), overlay.Options{View: overlay.ViewModel, All: true,
		Seen: func(size image.Point) image.Point { return o.Model.Fit(size, o.Detail) }})
}

type labeler struct {
	c       *snapshot.Capture
	tree    *snapshot.Tree
	scene   *overlay.Scene
	img     *image.RGBA
	o       Options
	picture image.Rectangle
	sx, sy  float64           // px of the picture for one CSS px
	secret  []image.Rectangle // redacted, px
}

// withheld gathers the parts of the picture that are redacted.
func (l *labeler) withheld() {
	for p := range l.c.Nodes {
		n := &l.c.Nodes[p]
		if !n.InViewport || !hidesPixels(n) {
			continue
		}
		l.secret = append(l.secret, l.pixels(n.VisibleBox()))
	}
}

// hidesPixels reports whether something that is drawn was withheld of a node: addresses and the like are not.
func hidesPixels(n *snapshot.Node) bool {
	return slices.ContainsFunc(n.Redacted, func(field string) bool {
		switch field {
		case "value", "element", "text", "name", "attr:value", "attr:placeholder", "attr:srcdoc", "attr:alt":
			return true
		}
		return false
	})
}

// pixels are the px that a box in CSS px touches.
func (l *labeler) pixels(b snapshot.Box) image.Rectangle {
	return geometry.Touched(b.Scale(l.sx, l.sy)).Intersect(l.picture)
}

func (l *labeler) element(m *overlay.Mark, n *snapshot.Node) Element {
	e := Element{
		Ref: m.Ref, Node: m.Node, Path: n.Path, Role: n.Role, Name: clean(n.Name), Kind: "icon",
		Verdict: string(n.Verdict), Operable: len(n.Interactive) > 0, VisibleShare: max(0, m.VisibleShare),
	}
	if e.Role == "" {
		e.Role = n.Tag
	}
	e.Role = text.Cut(text.Line(e.Role), nameRunes)
	drawn := l.tree.Gather(n, snapshot.Gather{Controls: true, NoAlt: true, MaxBytes: 1000, MaxNodes: 200})
	if n.Value != "" {
		drawn = n.Value
	} else if p := n.Attr("placeholder"); p != "" {
		drawn = p
	}
	if strings.TrimSpace(drawn) != "" {
		e.Kind, e.shown = "text", folded(clean(drawn))
	}
	if m.Status == overlay.Drawn && !m.LeftOut {
		e.Mark = m.Number
	}
	var box image.Rectangle
	for _, r := range m.Rects {
		box = box.Union(r.Intersect(l.picture))
	}
	e.Box = [4]int{box.Min.X, box.Min.Y, box.Dx(), box.Dy()}
	e.Status = l.status(m, n, box)
	return e
}

// clean is page text as it is in an instruction: on one line, harmless, and without the quotes around it.
func clean(s string) string {
	s = text.Cut(text.Line(s), nameRunes)
	out := []rune(s)
	for i, r := range out {
		if r == '“' || r == '”' {
			out[i] = '"'
		}
	}
	return string(out)
}

func (l *labeler) status(m *overlay.Mark, n *snapshot.Node, box image.Rectangle) Status {
	switch {
	case box.Empty():
		return Outside
	case hidesPixels(n) || len(redact.Marks([]byte(n.Name))) > 0 || l.overSecret(box):
		return Redacted
	case box.Dx() < l.o.MinSide || box.Dy() < l.o.MinSide:
		return Tiny
	case l.shown(m, n) < l.o.MinVisible:
		return Clipped
	case m.Status == overlay.Covered || n.Occlusion != nil && (n.Occlusion.State == snapshot.Covered ||
		n.Occlusion.VisibleShare < l.o.MinVisible) || !n.Visible:
		return Covered
	case n.Occlusion == nil:
		return Untested
	case l.img != nil && blank(l.img, box):
		return Blank
	case !l.hitsItself(n, box):
		return OffCenter
	}
	return Visible
}

// blank reports whether a box in px and its edge are one even colour. A swatch of one colour is seen by its edge.
func blank(img image.Image, box image.Rectangle) bool {
	part := box.Inset(-3).Add(img.Bounds().Min).Intersect(img.Bounds())
	sub, ok := img.(interface {
		SubImage(image.Rectangle) image.Image
	})
	return ok && !part.Empty() && likeness.Blank(sub.SubImage(part))
}

// overSecret reports whether a redacted part is in the middle of a box or a fourth of it.
func (l *labeler) overSecret(box image.Rectangle) bool {
	middle := box.Min.Add(box.Max).Div(2)
	for _, s := range l.secret {
		common := s.Intersect(box)
		if middle.In(s) || 4*common.Dx()*common.Dy() >= box.Dx()*box.Dy() {
			return true
		}
	}
	return false
}

// shown is the share of an element that is in the picture and that nothing clips.
func (l *labeler) shown(m *overlay.Mark, n *snapshot.Node) float64 {
	whole, seen := 0.0, 0.0
	for _, b := range n.AllRects() {
		whole += b.Scale(l.sx, l.sy).Area()
	}
	for _, r := range m.Rects {
		r = r.Intersect(l.picture)
		seen += float64(r.Dx() * r.Dy())
	}
	if whole <= 0 {
		return 1 // it has no box of its own and is where its content is
	}
	return min(1, seen/whole)
}

// sampleReach is how far from a sample of the capture, in CSS px, its answer is believed.
const sampleReach = 1.5

// hitsItself reports whether the middle of a box in px is on the node itself, by the samples of the capture or, where
// none is near, because it is in one of the node's own boxes, nothing was found over these, and no control inside is
// there.
func (l *labeler) hitsItself(n *snapshot.Node, box image.Rectangle) bool {
	x, y := float64(box.Min.X+box.Max.X)/2/l.sx, float64(box.Min.Y+box.Max.Y)/2/l.sy
	if l.controlInside(n, x, y) {
		return false
	}
	near, found := math.Inf(1), -1
	for _, p := range n.Occlusion.Points {
		if d := math.Hypot(p[0]-x, p[1]-y); d < near {
			near, found = d, int(p[2])
		}
	}
	if near <= sampleReach {
		return l.own(n, found)
	}
	inside := slices.ContainsFunc(n.AllRects(), func(b snapshot.Box) bool { return b.Contains(x, y) })
	return inside && n.VisibleBox().Contains(x, y) && n.Occlusion.State == snapshot.Clear
}

// own reports whether a hit on a node is one on n: on it, in it, or on a label of it.
func (l *labeler) own(n *snapshot.Node, hit int) bool {
	if hit < 0 {
		return false
	}
	if l.tree.Contains(n.I, hit) {
		return true
	}
	if !snapshot.IsLabelable(n.Tag) {
		return false
	}
	for h := l.tree.Node(hit); h != nil; h = l.tree.Node(h.Parent) {
		if h.Tag == "label" {
			return l.tree.Contains(h.I, n.I) || n.Attr("id") != "" && h.Attr("for") == n.Attr("id")
		}
	}
	return false
}

// controlInside reports whether a control within a node is at a point in CSS px: a click there operates that one.
func (l *labeler) controlInside(n *snapshot.Node, x, y float64) bool {
	for p := l.tree.Position(n.I) + 1; p < len(l.c.Nodes) && l.tree.Contains(n.I, l.c.Nodes[p].I); p++ {
		d := &l.c.Nodes[p]
		if d.Ref == 0 || !d.Control() || !d.Visible || d.NoPointer {
			continue
		}
		for _, b := range d.AllRects() {
			if b.Intersect(d.VisibleBox()).Contains(x, y) {
				return true
			}
		}
	}
	return false
}
