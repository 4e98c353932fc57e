package aria

import (
	"fmt"
	"slices"
	"strings"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/text"
)

// What of the page the aria format prints: the root, and the fixed parts that the
// agent has had.

// Root is the node that a root of the seed's spelling names: "body", or
// "role=navigation" for the first rendered element with that role. "" is nil: the
// whole page, or main alone with AutoScope. Anything else is a CSS selector, which only the browser can
// resolve; that and a role that the page does not have are errors.
func Root(c *snapshot.Capture, root string) (*int, error) {
	role, byRole := strings.CutPrefix(root, "role=")
	switch {
	case root == "":
		return nil, nil
	case root != "body" && !byRole:
		return nil, fmt.Errorf("aria root %q is a selector: resolve it to a node first", root)
	}
	t := snapshot.NewTree(c)
	for p := range c.Nodes {
		n := &c.Nodes[p]
		found := byRole && n.Role == role && n.Verdict.Rendered() && !hiddenFromTree(t, n)
		if found || !byRole && n.Tag == "body" && n.Frame == 0 {
			i := n.I
			return &i, nil
		}
	}
	if byRole {
		return nil, fmt.Errorf("aria root %q: no rendered element has that role", root)
	}
	return nil, fmt.Errorf("aria root %q: the page has none", root)
}

// hiddenFromTree reports whether aria-hidden hides the element or what it lies in.
func hiddenFromTree(t *snapshot.Tree, n *snapshot.Node) bool {
	if n.Attr("aria-hidden") == "true" {
		return true
	}
	for up := range t.Ancestors(n.I) {
		if up.Attr("aria-hidden") == "true" {
			return true
		}
	}
	return false
}

// mainOf is the element that AutoScope prints, nil for none.
func mainOf(c *snapshot.Capture, t *snapshot.Tree) *snapshot.Node {
	for p := range c.Nodes {
		n := &c.Nodes[p]
		if n.Role == "main" && n.Frame == 0 && n.Verdict.Rendered() && !hiddenFromTree(t, n) {
			return n
		}
	}
	return nil
}

// scope builds the tree of the root, explains what lies outside it, and prints the
// header.
func (w *aria) scope() *item {
	var root *snapshot.Node
	auto := false
	if r := w.o.Root; r != nil {
		root = w.t.Node(*r)
	} else if w.o.AutoScope || w.profile.autoScope {
		root = mainOf(w.Capture, w.t)
		if root == nil && w.profile.additions && slices.ContainsFunc(w.Capture.Nodes, func(n snapshot.Node) bool {
			return n.Role == "main" && n.Frame == 0 && n.Verdict == snapshot.VerdictZeroBox && !hiddenFromTree(w.t, &n)
		}) {
			w.put(nil, "# The whole page: main is empty", nil)
			w.head = len(w.Lines)
		}
		if in, beside := w.controls(root); root != nil && beside > in && w.profile.additions {
			w.put(nil, fmt.Sprintf(
				"# The whole page: main has %d of its controls, and %d are beside it in no other landmark",
				in, beside), nil)
			w.head = len(w.Lines)
			root = nil
		}
		auto = root != nil
	}
	if root == nil || root.Tag == "body" && root.Frame == 0 {
		return w.build(slices.Collect(w.t.Roots())...)
	}
	w.outside(root)
	if auto {
		w.header(root)
	}
	tree := w.build(root)
	if len(tree.kids) == 1 && tree.kids[0].item != nil && tree.kids[0].item.n == root && (auto || !w.profile.rootLine) {
		// The root has no line of its own.
		tree = tree.kids[0].item
		tree.role = ""
		if !auto && root.Verdict.Kept() {
			w.Omit(root.I, dump.ReasonScope, "the root has no line of its own")
		}
	}
	return tree
}

// controls counts what can be operated in main, and what neither main nor another landmark holds: an app that puts its
// controls beside its main is not read by that alone.
func (w *aria) controls(root *snapshot.Node) (in, beside int) {
	if root == nil {
		return 0, 0
	}
	inside, other := map[int]bool{root.I: true}, map[int]bool{}
	for p := range w.Capture.Nodes {
		n := &w.Capture.Nodes[p]
		inside[n.I] = inside[n.I] || inside[n.Parent]
		other[n.I] = other[n.Parent] || isOther(n, w.profile)
		switch {
		case !n.Verdict.Kept() || len(n.Interactive) == 0 || hiddenFromTree(w.t, n):
		case inside[n.I]:
			in++
		case !other[n.I]:
			beside++
		}
	}
	return in, beside
}

// outside explains the kept elements that do not lie in the root.
func (w *aria) outside(root *snapshot.Node) {
	in := map[int]bool{root.I: true}
	for p := range w.Capture.Nodes {
		n := &w.Capture.Nodes[p]
		switch {
		case in[n.I]:
		case in[n.Parent] && n.Parent < n.I:
			in[n.I] = true
		case n.Verdict.Kept():
			w.Omit(n.I, dump.ReasonScope, "outside the "+dump.TagName(root.Tag)+" that this snapshot is scoped to")
		}
	}
}

// header states that the text is scoped to main, and what else the page has.
func (w *aria) header(root *snapshot.Node) {
	var others []string
	more := 0
	in := map[int]bool{root.I: true}
	for p := range w.Capture.Nodes {
		n := &w.Capture.Nodes[p]
		if in[n.I] || in[n.Parent] && n.Parent < n.I {
			in[n.I] = true
			continue
		}
		if !n.Verdict.Rendered() || !isOther(n, w.profile) || hiddenFromTree(w.t, n) {
			continue
		}
		if len(others) == maxOthers {
			more++
			continue
		}
		s := n.Role
		if name := shorten(text.CollapseSpace(n.Name), capName, roomName); name != "" && n.NameFrom != "content" {
			s += " " + string(text.AppendJSON(nil, name))
		}
		others = append(others, s)
	}
	if more > 0 {
		others = append(others, "and "+text.Count(more, "landmark", "landmarks")+" more")
	}
	node := root
	if !root.Verdict.Kept() {
		node = nil
	}
	defer func() { w.head = len(w.Lines) }()
	if len(others) == 0 {
		w.put(node, `# Auto-scoped to main content. Use {root: "body"} for full page`, nil)
		return
	}
	w.put(node, "# Auto-scoped to main content. Other landmarks: "+strings.Join(others, ", "), nil)
	w.put(nil, `# Use {root: "body"} for full page`, nil)
}

// isOther are the landmarks of the header (seed 7.4). A dialog is none, but an agent
// that does not know of one works on a page that is covered.
func isOther(n *snapshot.Node, p profile) bool {
	switch n.Role {
	case "navigation", "banner", "contentinfo", "complementary", "search":
		return true
	case "dialog", "alertdialog":
		return p.additions
	}
	return false
}

// known prints a note for a fixed or sticky part that reads as it did before.
func (w *aria) known(it *item, indent string) bool {
	if w.before == nil || !stays(it.n) || it.n.Ref == 0 && it.n.UID == 0 {
		return false
	}
	was, ok := w.before[partKey(it.n)]
	if !ok || was != w.part(it) {
		return false
	}
	what := it.role
	if what == "" {
		what = dump.TagName(it.n.Tag)
	}
	if name := shorten(it.name, capName, roomName); name != "" {
		what += " " + string(text.AppendJSON(nil, name))
	}
	w.put(it.n, indent+"# "+what+" is the same as in the snapshot before, at the same place", nil)
	for _, k := range it.kids {
		w.leaveKid(k, dump.ReasonDuplicate, "it is the same as in the snapshot before, at the same place")
	}
	return true
}

// partKey identifies a part across two captures of a page: by number, else by identity.
func partKey(n *snapshot.Node) int {
	if n.Ref > 0 {
		return n.Ref
	}
	return -n.UID
}

// partsOf are the fixed and sticky parts of a capture, as their lines.
func partsOf(c *snapshot.Capture, o settings) map[int]string {
	o.Before = nil
	w := newAria(dump.NewPage(c), o)
	w.nested = true
	parts := map[int]string{}
	var walk func(it *item)
	walk = func(it *item) {
		if stays(it.n) {
			parts[partKey(it.n)] = w.part(it)
		}
		for _, k := range it.kids {
			if k.item != nil {
				walk(k.item)
			}
		}
	}
	walk(w.build(slices.Collect(w.t.Roots())...))
	return parts
}

// part is a part of the tree as its lines.
func (w *aria) part(it *item) string {
	p := newAria(w.Page, w.o)
	p.nested = true
	p.emit(kid{item: it}, it, 0)
	return string(p.Out)
}
