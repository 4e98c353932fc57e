package pagefacts

import (
	"cmp"
	"slices"
	"strings"

	"github.com/refscope/refscope/snapshot"
)

// The kinds of overlays (W-4).
const (
	kindCookies      = "cookie_banner"
	kindConsent      = "consent_dialog"
	kindModal        = "modal"
	kindPopup        = "popup"
	kindNotification = "notification"
	kindOverlay      = "overlay"
)

// Shares of the viewport that decide what a layer is.
const (
	shareNone  = 0.04 // a fixed layer without a role that is smaller is a bubble
	shareLarge = 0.4  // page furniture that is larger is an open menu or drawer
	shareMost  = 0.5  // what covers more leaves no page to work with
)

// findOverlays finds what lies over the page, what to deal with first at the front. It
// is a pure function of the capture's facts, so it works on a recorded turn too.
//
// Two kinds of evidence make an overlay, and a class name is neither. By geometry:
// a positioned layer (fixed, sticky, absolute, top layer) that clicks land on where
// kept elements outside of it lie, or that takes a real share of the viewport. By
// role: dialog, alertdialog, aria-modal, an open popover, a live region in a layer.
//
//   - cookie_banner: mentions cookies or consent and has a button that answers;
//     consent_dialog where it also blocks the page.
//   - modal: a modal dialog, or a layer that blocks the page and can be answered.
//   - popup: a dialog, popover or dismissible layer that leaves the page usable.
//   - notification: a live region (status, alert, aria-live) in a layer.
//   - overlay: anything else that covers the page, such as a loading veil.
//
// Not overlays: page furniture (headers, navigation, footers, thin bars along an edge,
// rails) while it is smaller than 0.4 of the viewport and offers nothing to dismiss;
// layers under 0.04 without a role (chat bubbles); menus, list boxes and tooltips,
// which belong to the control that opened them; slides that lie on their siblings;
// and the page's own shell: a layer that holds most of what there is.
//
// An empty layer behind another overlay is that one's backdrop and not listed.
func findOverlays(c *snapshot.Capture) []snapshot.Overlay {
	f := newFinder(c)
	var found []*layer
	for _, l := range f.layers {
		if f.nested(l, found) {
			continue
		}
		if l.kind = f.overlayKind(l); l.kind != "" {
			found = append(found, l)
		}
	}
	found = f.mergeBackdrops(found)
	// What lies on another overlay comes before that one.
	for _, l := range found {
		l.rank = f.rank(l, found)
	}
	slices.SortStableFunc(found, func(a, b *layer) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), -cmp.Compare(a.share, b.share))
	})
	var out []snapshot.Overlay
	for _, l := range found {
		o := snapshot.Overlay{Node: l.node.I, Kind: l.kind, Title: f.title(l), Share: l.share}
		if l.press != nil {
			o.Press = &l.press.I
		}
		out = append(out, o)
	}
	return out
}

// layer is a candidate: a positioned element, or a dialog by role.
type layer struct {
	node   *snapshot.Node
	pos    int
	dialog *snapshot.Node // itself, or the one dialog that it is the frame of
	live   bool           // a live region, in the same way

	kept   int   // kept elements inside
	covers []int // positions of kept elements outside that it takes points of
	won    int   // cells of the grid
	share  float64

	text     string // of what is inside, lower case, at most maxLayerText bytes
	controls []*snapshot.Node
	fields   int // that text is typed into

	modal    bool
	backdrop bool
	consent  bool
	press    *snapshot.Node
	kind     string
	rank     int
}

const maxLayerText = 6000

// finder holds the capture's tree by position, so that it works on a filtered one.
type finder struct {
	c      *snapshot.Capture
	t      *snapshot.Tree
	parent []int
	end    []int // first position after the subtree
	at     map[int]int
	layers []*layer
	of     []*layer // innermost layer around each position
	shown  []int    // kept elements in the viewport before each position
}

func newFinder(c *snapshot.Capture) *finder {
	n := len(c.Nodes)
	f := &finder{c: c, t: snapshot.NewTree(c), parent: make([]int, n), end: make([]int, n), at: make(map[int]int, n),
		of: make([]*layer, n)}
	for p := range c.Nodes {
		f.at[c.Nodes[p].I] = p
		f.parent[p] = -1
		if up, ok := f.at[c.Nodes[p].Parent]; ok {
			f.parent[p] = up
		}
		f.end[p] = p + 1
	}
	for p := n - 1; p >= 0; p-- {
		if up := f.parent[p]; up >= 0 {
			f.end[up] = max(f.end[up], f.end[p])
		}
	}
	for p := range c.Nodes {
		node := &c.Nodes[p]
		if up := f.parent[p]; up >= 0 {
			f.of[p] = f.of[up]
		}
		if (node.Layer != nil || node.IsModal()) && rendered(node) {
			l := &layer{node: node, pos: p}
			f.layers = append(f.layers, l)
			f.of[p] = l
		}
	}
	if len(f.layers) > 0 {
		f.measure()
	}
	return f
}

// rendered reports whether a person could see the element or what is in it.
func rendered(n *snapshot.Node) bool {
	switch n.Verdict {
	case snapshot.VerdictZeroBox:
		return true // what is inside may overflow it
	case snapshot.VerdictRef, snapshot.VerdictContent, snapshot.VerdictWrapper, snapshot.VerdictInsideAtomic,
		snapshot.VerdictSkippedTag:
		return n.Visible || n.Contents || n.Box.Empty()
	}
	return false
}

func (f *finder) inside(outer, inner int) bool { return inner >= outer && inner < f.end[outer] }

// up is the next layer around l.
func (f *finder) up(l *layer) *layer {
	if p := f.parent[l.pos]; p >= 0 {
		return f.of[p]
	}
	return nil
}

// measure counts, for every layer, what it holds and what it takes from others.
func (f *finder) measure() {
	f.shown = make([]int, len(f.c.Nodes)+1)
	for p := range f.c.Nodes {
		n := &f.c.Nodes[p]
		f.shown[p+1] = f.shown[p]
		if n.Verdict.Kept() && n.InViewport && n.Visible {
			f.shown[p+1]++
			for l := f.of[p]; l != nil; l = f.up(l) {
				l.kept++
			}
		}
		if n.Occlusion == nil || !n.Verdict.Kept() {
			continue
		}
		for _, pt := range n.Occlusion.Points {
			hit, ok := f.at[int(pt[2])]
			if !ok || f.inside(p, hit) {
				continue
			}
			for l := f.of[hit]; l != nil && !f.inside(l.pos, p); l = f.up(l) {
				if k := len(l.covers); k == 0 || l.covers[k-1] != p {
					l.covers = append(l.covers, p)
				}
			}
		}
	}
	if g := f.c.Page.Grid; g != nil {
		for _, hit := range g.Hits {
			if p, ok := f.at[hit]; ok {
				for l := f.of[p]; l != nil; l = f.up(l) {
					l.won++
				}
			}
		}
	}
	for _, l := range f.layers {
		l.share = f.shareOf(l)
	}
}

// shareOf is the part of the viewport that a layer takes, from the grid; where clicks land
// on nothing else in its box, from the box, which is more exact.
func (f *finder) shareOf(l *layer) float64 {
	view := f.c.Viewport.Box()
	if view.Empty() {
		return 0
	}
	seen := l.node.VisibleBox().Intersect(view)
	if l.node.NoPointer || seen.Empty() {
		seen = snapshot.Box{}
		for p := l.pos + 1; p < f.end[l.pos]; p++ {
			if n := &f.c.Nodes[p]; n.Verdict.Kept() && n.InViewport && n.Visible {
				seen = seen.Union(n.VisibleBox().Intersect(view))
			}
		}
	}
	box := seen.Area() / view.Area()
	g := f.c.Page.Grid
	if g == nil || len(g.Hits) == 0 || l.won == 0 {
		if l.node.Layer != nil && g != nil && box > 2.5/float64(len(g.Hits)) {
			return 0 // it ignores the pointer or lies below everything
		}
		return box
	}
	in, mine := 0, 0
	for k, hit := range g.Hits {
		x := (float64(k%g.Columns) + 0.5) * view.W() / float64(g.Columns)
		y := (float64(k/g.Columns) + 0.5) * view.H() / float64(g.Rows)
		if seen.Contains(x, y) {
			in++
			if p, ok := f.at[hit]; ok && f.inside(l.pos, p) {
				mine++
			}
		}
	}
	if mine*10 >= l.won*9 && mine > 0 {
		return box * float64(mine) / float64(in)
	}
	return float64(l.won) / float64(len(g.Hits))
}

// nested reports whether a layer is only a part of an overlay that was found
// already. A dialog or popover that lies on kept elements of it is one of its own.
func (f *finder) nested(l *layer, found []*layer) bool {
	for _, o := range found {
		if !f.inside(o.pos, l.pos) {
			continue
		}
		own := l.node.IsModal() && o.dialog != l.node || l.node.Layer != nil && l.node.Layer.Top
		if own && slices.ContainsFunc(l.covers, func(p int) bool { return f.inside(o.pos, p) }) {
			continue
		}
		return true
	}
	return false
}

// overlayKind is the kind of overlay that a layer is, "" where it is none.
func (f *finder) overlayKind(l *layer) string {
	view := f.c.Viewport.Box()
	flows := l.node.Layer == nil || l.node.Layer.Position == "absolute" && !l.node.Layer.Top
	if len(l.covers) == 0 && (l.kept == 0 || flows && !l.node.IsModal()) {
		return ""
	}
	f.inspect(l)
	if menuLike(l.node) || l.dialog == nil && f.isSlide(l) {
		return ""
	}
	fact := l.node.Layer
	top := fact != nil && fact.Top
	box := l.node.VisibleBox().Intersect(view)
	wide := box.Area() >= 0.9*view.Area()
	l.modal = l.dialog != nil && (l.dialog.States.Is("modal") || l.dialog.Attr("aria-modal") == "true" ||
		l.dialog.Role == "alertdialog" || l.dialog.Layer != nil && l.dialog.Layer.Modal)
	l.backdrop = fact != nil && fact.Backdrop || wide && l.dialog != nil && l.dialog != l.node
	if l.dialog == nil && !top && f.shell(l) {
		return ""
	}
	l.consent = f.speaksOfConsent(l)
	floats := fact != nil && (fact.Position != "absolute" || top)
	switch {
	case l.dialog != nil:
		if l.kept == 0 || f.elsewhere(l) == 0 {
			return "" // nothing in it, or nothing but it
		}
	case l.consent && (floats || fact != nil && len(l.covers) > 0):
	case l.live && floats && l.kept > 0 && l.share < shareLarge:
	case top:
		if l.kept == 0 {
			return ""
		}
	case fact == nil, fact.Position == "sticky":
		return ""
	case l.kept == 0:
		if l.share < shareMost || len(l.covers) == 0 {
			return ""
		}
	case f.furniture(l, view):
		if l.share < shareLarge && !f.dismissible(l) || len(l.covers) == 0 {
			return ""
		}
	case fact.Position == "fixed":
		if l.share < shareNone || len(l.covers) == 0 && !(l.share >= shareLarge || f.dismissible(l)) ||
			f.elsewhere(l) == 0 {
			return ""
		}
	default: // absolute
		if !(len(l.covers) >= 3 && l.share >= 0.1 || len(l.covers) >= 1 && l.share >= 0.05 && f.dismissible(l)) {
			return ""
		}
	}
	l.press = f.pressOf(l)
	return f.kindOf(l)
}

func (f *finder) kindOf(l *layer) string {
	blocks := l.modal || l.backdrop || l.share >= shareMost
	switch {
	case l.consent && blocks:
		return kindConsent
	case l.consent:
		return kindCookies
	case l.live && l.dialog == nil:
		return kindNotification
	case l.modal, l.dialog != nil && blocks:
		return kindModal
	case l.dialog != nil:
		return kindPopup
	case l.kept == 0:
		return kindOverlay
	case blocks && (l.press != nil || l.fields > 0):
		return kindModal
	case l.press != nil, len(l.controls) > 0, l.node.Layer.Top:
		return kindPopup
	}
	return kindOverlay
}

// rank is 0 for overlays that can be dealt with at once and 1 for those that another
// overlay lies on; notifications, which block nothing, come last.
func (f *finder) rank(l *layer, found []*layer) int {
	if l.kind == kindNotification {
		return 2
	}
	for _, o := range found {
		if o != l && o.kind != kindNotification && slices.ContainsFunc(o.covers,
			func(p int) bool { return f.inside(l.pos, p) }) {
			return 1
		}
	}
	return 0
}

// mergeBackdrops takes empty layers out where another overlay lies over them, and
// gives that one their share.
func (f *finder) mergeBackdrops(found []*layer) []*layer {
	out := found[:0]
	for _, veil := range found {
		if veil.kept > 0 {
			out = append(out, veil)
			continue
		}
		var owner *layer
		for _, l := range found {
			if l.kept > 0 && l.kind != kindNotification &&
				!l.node.VisibleBox().Intersect(veil.node.VisibleBox()).Empty() &&
				(owner == nil || l.pos > veil.pos && owner.pos < veil.pos) {
				owner = l
			}
		}
		if owner == nil {
			out = append(out, veil)
			continue
		}
		owner.backdrop, owner.share = true, min(1, max(owner.share, veil.share+owner.share))
		owner.kind = f.kindOf(owner)
	}
	return out
}

// title is the name of the dialog, else the first heading in it, else its first
// line; at most 120 characters.
func (f *finder) title(l *layer) string {
	s := ""
	if l.dialog != nil {
		s = l.dialog.Name
	}
	if s == "" && l.node.NameFrom != "content" {
		s = l.node.Name
	}
	for pass := 0; pass < 2 && s == ""; pass++ {
		for p := l.pos; p < f.end[l.pos] && s == ""; p++ {
			n := &f.c.Nodes[p]
			if !rendered(n) {
				continue
			}
			switch heading := snapshot.IsHeading(n.Tag) || n.Role == "heading"; {
			case heading:
				s = f.t.Text(n.I)
			case pass == 1 && n.Text != "" && len(n.Interactive) == 0 && n.Verdict.Kept():
				s = f.line(p)
			}
		}
	}
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > 120 {
		s = string(r[:119]) + "…"
	}
	return s
}

// line is the text at a position, controls left out.
func (f *finder) line(pos int) string {
	var b strings.Builder
	for p := pos; p < f.end[pos] && b.Len() < 500; {
		n := &f.c.Nodes[p]
		if p > pos && (!rendered(n) || n.Block || len(n.Interactive) > 0) {
			p = f.end[p]
			continue
		}
		b.WriteString(n.Text + " ")
		p++
	}
	return b.String()
}
