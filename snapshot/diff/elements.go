package diff

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/text"
)

// elements lists what became of every kept element.
func (w *comparison) elements() {
	for i := range w.a.Nodes {
		x := &w.a.Nodes[i]
		if !x.Verdict.Kept() {
			continue
		}
		j := w.toB[i]
		if j < 0 {
			w.Changes = append(w.Changes, Change{Kind: Removed, Before: element(x)})
			continue
		}
		if y := &w.b.Nodes[j]; !y.Verdict.Kept() {
			w.Changes = append(w.Changes, Change{Kind: Removed, Why: verdict(y), Rule: w.rule[i], Before: element(x),
				After: element(y)})
		}
	}
	for j := range w.b.Nodes {
		y := &w.b.Nodes[j]
		if !y.Verdict.Kept() {
			continue
		}
		i := w.toA[j]
		if i < 0 {
			w.Changes = append(w.Changes, Change{Kind: Added, After: element(y)})
			continue
		}
		x := &w.a.Nodes[i]
		if !x.Verdict.Kept() {
			w.Changes = append(w.Changes, Change{Kind: Added, Why: verdict(x), Rule: w.rule[i], Before: element(x),
				After: element(y)})
			continue
		}
		w.Paired[w.rule[i]]++
		before := len(w.Changes)
		w.compare(i, j)
		if len(w.Changes) == before {
			w.Unchanged++
		}
	}
}

// verdict is why an element is not kept, in words.
func verdict(n *snapshot.Node) string {
	if n.Evidence == "" {
		return string(n.Verdict)
	}
	return string(n.Verdict) + ": " + n.Evidence
}

// compare lists the changes of one element that is kept on both sides, in the order
// of [Kinds].
func (w *comparison) compare(i, j int) {
	x, y := &w.a.Nodes[i], &w.b.Nodes[j]
	var before, after *Element // made once, for what does change
	change := func(k Kind, field string, from, to any) *Change {
		if before == nil {
			before, after = element(x), element(y)
		}
		w.Changes = append(w.Changes, Change{Kind: k, Field: field, From: from, To: to, Rule: w.rule[i], Before: before,
			After: after})
		return &w.Changes[len(w.Changes)-1]
	}
	words := func(k Kind, field, from, to string) {
		if from != to {
			change(k, field, from, to)
		}
	}
	if x.Ref != y.Ref && !w.separate {
		change(Replaced, "ref", number(x.Ref), number(y.Ref))
	}
	words(Role, "role", x.Role, y.Role)
	words(Renamed, "name", x.Name, y.Name)
	words(Value, "value", x.Value, y.Value)
	words(Text, "description", x.Description, y.Description)
	if w.inner && x.Tag == "select" && y.Tag == "select" {
		w.options(x, y, words)
	}
	if x.Name == y.Name {
		words(Text, "text", w.textOf(w.treeA, x), w.textOf(w.treeB, y))
	}
	for _, name := range stateNames(x.States, y.States) {
		if from, to := x.States[name], y.States[name]; !equalState(from, to) {
			change(State, name, from, to)
		}
	}
	if from, to := len(x.Interactive) > 0, len(y.Interactive) > 0; from != to {
		change(State, "interactive", from, to)
	}
	for _, name := range [...]string{"href", "type", "placeholder", "alt", "src"} {
		from, had := x.Attrs[name]
		to, has := y.Attrs[name]
		if from != to || had != has {
			change(Attr, name, attr(from, had), attr(to, has))
		}
	}
	w.cover(i, j, change)
	w.boxes(i, j, change)
	if x.InViewport != y.InViewport {
		change(Viewport, "inViewport", x.InViewport, y.InViewport)
	}
	if from, to := scrolled(x), scrolled(y); w.o.Move >= 0 && far(to[0]-from[0], to[1]-from[1], w.o.Move) {
		change(Scrolled, "scroll", from, to)
	}
}

// textOf is an element's own text with that of what is in it and is not kept, as of the b in <p>Price: <b>100</b></p>:
// formats print both on one line.
func (w *comparison) textOf(t *snapshot.Tree, n *snapshot.Node) string {
	if !w.inner {
		return n.Text
	}
	for c := range t.Children(n.I) {
		if !c.Verdict.Kept() && c.Verdict.Rendered() {
			return strings.Join(strings.Fields(t.Gather(n, snapshot.Gather{Skip: func(c *snapshot.Node) bool {
				return c.Verdict.Kept()
			}})), " ")
		}
	}
	return n.Text
}

// maxOptions is how many options of a select a change lists.
const maxOptions = 20

// options reports that a select offers others than before. Of long lists the options before the first other one are
// counted only.
func (w *comparison) options(x, y *snapshot.Node, words func(k Kind, field, from, to string)) {
	from, to := dump.Options(w.treeA, x), dump.Options(w.treeB, y)
	same := 0
	for max(len(from), len(to)) > maxOptions && same < min(len(from), len(to)) && alike(from[same], to[same]) {
		same++
	}
	if !slices.EqualFunc(from, to, alike) {
		words(Text, "options", spellOptions(from, same), spellOptions(to, same))
	}
}

// alike reports whether a select offers the same in two options, whichever of them is chosen.
func alike(a, b dump.Option) bool { return a.Text == b.Text && a.Usable == b.Usable }

// spellOptions lists options as a list's line does: ["Choose","A1" disabled], with +5 for five that are not there.
func spellOptions(all []dump.Option, from int) string {
	var b strings.Builder
	if from > 0 {
		fmt.Fprintf(&b, "+%d ", from)
	}
	b.WriteByte('[')
	for i, o := range all[from:min(len(all), from+maxOptions)] {
		if i > 0 {
			b.WriteByte(',')
		}
		if b.WriteString(text.Quote(text.Cut(o.Text, capName))); !o.Usable {
			b.WriteString(" disabled")
		}
	}
	b.WriteByte(']')
	if more := len(all) - from - maxOptions; more > 0 {
		fmt.Fprintf(&b, " +%d", more)
	}
	return b.String()
}

// number is a ref number, nil for none.
func number(ref int) any {
	if ref == 0 {
		return nil
	}
	return ref
}

func attr(v string, has bool) any {
	if !has {
		return nil
	}
	return v
}

// stateNames are the names of the states of either side, sorted.
func stateNames(x, y snapshot.States) []string {
	if len(x) == 0 && len(y) == 0 {
		return nil
	}
	names := slices.AppendSeq(slices.Collect(maps.Keys(x)), maps.Keys(y))
	slices.Sort(names)
	return slices.Compact(names)
}

// equalState compares two values of a state: bool, string or number, nil for none.
// A capture from disk has other kinds of numbers than a fresh one.
func equalState(x, y any) bool {
	return plainState(x) == plainState(y)
}

func plainState(v any) any {
	switch v := v.(type) {
	case int:
		return float64(v)
	case bool, string, float64, nil:
		return v
	}
	return nil // no state has another value
}

// worse orders how well a click arrives.
func worse(s snapshot.OcclusionState) int {
	switch s {
	case snapshot.Partly:
		return 1
	case snapshot.Covered:
		return 2
	}
	return 0
}

// cover compares what a click on the element reaches. Outside the viewport that is
// not known, and nothing is reported.
func (w *comparison) cover(i, j int, change func(Kind, string, any, any) *Change) {
	x, y := w.a.Nodes[i].Occlusion, w.b.Nodes[j].Occlusion
	if x == nil || y == nil {
		return
	}
	kind := Covered
	switch {
	case worse(x.State) > worse(y.State):
		kind = Uncovered
	case x.State == y.State && (x.State != snapshot.Covered || w.sameCoverer(x.Coverer, y.Coverer)):
		return
	}
	c := change(kind, "occlusion", string(x.State), string(y.State))
	if kind == Covered && y.Coverer != nil {
		c.By = element(w.b.Node(*y.Coverer))
	}
}

// sameCoverer reports whether one element is in the way on both sides.
func (w *comparison) sameCoverer(x, y *int) bool {
	if x == nil || y == nil {
		return x == y
	}
	i := w.posA(*x)
	if i < 0 {
		return false
	}
	if j := w.toB[i]; j >= 0 {
		return w.b.Nodes[j].I == *y
	}
	// Layers without a number are paired by identity or path alone; in another
	// document, where both may be unknown, the tag must do.
	other := w.b.Node(*y)
	return other != nil && !w.same(w.a.Nodes[i].Frame, other.Frame) && w.a.Nodes[i].Tag == other.Tag
}

// boxes compares place and size.
func (w *comparison) boxes(i, j int, change func(Kind, string, any, any) *Change) {
	if w.o.Move < 0 {
		return
	}
	if unplaced(&w.a.Nodes[i]) || unplaced(&w.b.Nodes[j]) {
		return
	}
	x, y := w.a.Nodes[i].Box, w.b.Nodes[j].Box
	onScreenX, onScreenY := y.X()-x.X(), y.Y()-x.Y()
	freeX, freeY := onScreenX+w.restB[j][0]-w.restA[i][0], onScreenY+w.restB[j][1]-w.restA[i][1]
	// From the right, scrolling counts the other way round.
	mirrorX := onScreenX - w.restB[j][0] + w.restA[i][0]
	if math.Abs(mirrorX) < math.Abs(freeX) {
		freeX = mirrorX
	}
	if far(freeX, freeY, w.o.Move) && far(onScreenX, onScreenY, w.o.Move) {
		change(Moved, "box", [2]float64{x.X(), x.Y()}, [2]float64{y.X(), y.Y()})
	}
	if far(y.W()-x.W(), y.H()-x.H(), w.o.Move) {
		change(Resized, "box", [2]float64{x.W(), x.H()}, [2]float64{y.W(), y.H()})
	}
}

// unplaced reports whether it is not known where an element is that is taken to be in view, as in a recording without
// boxes.
func unplaced(n *snapshot.Node) bool { return n.Box.Empty() && n.InViewport && len(n.TextRects) == 0 }

// far reports whether one of the distances is beyond the threshold.
func far(dx, dy, threshold float64) bool {
	return math.Abs(dx) > threshold || math.Abs(dy) > threshold
}

// scrolled is how far the element's content is scrolled, x and y, in CSS px.
func scrolled(n *snapshot.Node) [2]float64 {
	if n.Scroller == nil {
		return [2]float64{}
	}
	s := n.Scroller
	return [2]float64{math.Round(s.DepthX * s.RangeX), math.Round(s.Depth * s.Range)}
}

// atRest is, for each node by position, how far scrolling has shifted it: the sum
// of its scroll containers and the page. A fixed element is not shifted by them.
func atRest(c *snapshot.Capture) [][2]float64 {
	out := make([][2]float64, len(c.Nodes))
	at := snapshot.NewTree(c).Position
	for p := range c.Nodes {
		n := &c.Nodes[p]
		up := at(n.Parent)
		switch {
		case n.Layer != nil && n.Layer.Position == "fixed":
			// It stays where its document's viewport is.
			if n.Frame > 0 && n.Frame < len(c.Frames) {
				if owner := at(c.Frames[n.Frame].Owner); owner >= 0 && owner < p {
					out[p] = out[owner]
				}
			}
		case up < 0 || up >= p:
			out[p] = [2]float64{c.Scroll.X, c.Scroll.Y}
		default:
			out[p] = out[up]
			if s := scrolled(&c.Nodes[up]); c.Nodes[up].Parent >= 0 || c.Nodes[up].Frame > 0 {
				out[p] = [2]float64{out[p][0] + s[0], out[p][1] + s[1]}
			}
		}
	}
	return out
}
