package turn

import (
	"slices"

	"github.com/refscope/refscope/snapshot"
)

// Assign gives every kept node of the capture its ref number: that which the
// element had before, or, for newcomers, the next ones after the highest so far,
// first the primary set ([snapshot.VerdictRef]) in document order, then content
// lines in document order. All other nodes get 0. target is the browser's id of
// the tab; turn is the number of the turn, [Ledger.NextTurn] under
// [Store.Append].
//
// It does no I/O. Names, roles and places that changed since the element was
// last seen are noted in the ledger.
func (l *Ledger) Assign(target string, turn int, c *snapshot.Capture) {
	a := assignment{l: l, c: c, turn: turn, target: target, taken: make(map[int]bool)}
	a.up = outer(c)
	a.docs = make([]int, len(c.Frames)+1)
	for i := range a.docs {
		a.docs[i] = -1
	}
	var primary, content []int
	for p := range c.Nodes {
		n := &c.Nodes[p]
		n.Ref = 0
		switch {
		case !n.Verdict.Kept() || a.find(n):
		case n.Verdict == snapshot.VerdictRef:
			primary = append(primary, p)
		default:
			content = append(content, p)
		}
	}
	newcomers := slices.Concat(primary, content)
	l.expect(len(newcomers))
	for i, p := range newcomers {
		c.Nodes[p].Ref = l.high + 1 + i
	}
	for _, p := range newcomers {
		a.add(p)
	}
	fresh := make([]bool, len(c.Nodes))
	for _, p := range newcomers {
		fresh[p] = true
	}
	for p := range c.Nodes {
		if c.Nodes[p].Ref == 0 {
			continue
		}
		l.seen[c.Nodes[p].Ref] = true
		r := l.refs[c.Nodes[p].Ref]
		r.Last = max(r.Last, turn)
		if !fresh[p] {
			a.compare(p)
		}
	}
}

// assignment is one call of Assign.
type assignment struct {
	l      *Ledger
	c      *snapshot.Capture
	turn   int
	target string
	// frame index → document index, -1 where not looked up; the last is for frames that are not there
	docs  []int
	up    []int        // position → position of the nearest kept node around it, -1 for none
	taken map[int]bool // refs found in this capture
}

// find returns the number of a known element. No number is given twice in a capture,
// whatever the page's registry contains.
func (a *assignment) find(n *snapshot.Node) bool {
	l := a.l
	d := a.document(n, false)
	if d < 0 && n.BackendNodeID == 0 {
		return false
	}
	doc := a.key(n)
	if n.UID != 0 && d >= 0 {
		if r := l.refs[l.byUID[uidKey{d, n.UID}]]; r != nil && !a.taken[r.Ref] && r.Tag == keptName(n.Tag) &&
			(r.BackendNodeID == n.BackendNodeID || r.BackendNodeID == 0 || n.BackendNodeID == 0) {
			a.take(n, r, d)
			return true
		}
	}
	if n.BackendNodeID != 0 {
		if r := l.refs[l.byNode[nodeKey{doc.target, doc.loader, n.BackendNodeID}]]; r != nil && !a.taken[r.Ref] &&
			r.Tag == keptName(n.Tag) {
			a.take(n, r, a.document(n, true))
			return true
		}
	}
	return false
}

// take gives n the number of r and notes the identities that are new for it.
func (a *assignment) take(n *snapshot.Node, r *Entry, d int) {
	n.Ref = r.Ref
	a.taken[r.Ref] = true
	newUID := n.UID != 0 && (r.UID != n.UID || r.doc != d)
	newNode := n.BackendNodeID != 0 && r.BackendNodeID == 0
	if newUID || newNode {
		uid := n.UID
		if uid == 0 {
			uid = r.UID
		}
		a.note(line{K: kindKey, T: a.turn, R: r.Ref, D: d + 1, UID: uid, Node: n.BackendNodeID})
	}
}

// add enters a newcomer, whose Ref is set.
func (a *assignment) add(p int) {
	n := &a.c.Nodes[p]
	name, role, in := keptName(nameOf(n)), keptName(n.Role), a.in(p)
	e := line{K: kindRef, T: a.turn, R: n.Ref, D: a.document(n, true) + 1, UID: n.UID, Node: n.BackendNodeID,
		Tag: keptName(n.Tag)}
	if role != "" {
		e.Role = &role
	}
	if name != "" {
		e.Name = &name
	}
	if in != 0 {
		e.In = &in
	}
	a.note(e)
}

// compare notes what is different about a known element.
func (a *assignment) compare(p int) {
	n := &a.c.Nodes[p]
	r := a.l.refs[n.Ref]
	e := line{K: kindChange, T: a.turn, R: n.Ref}
	if name := keptName(nameOf(n)); name != r.now {
		e.Name = &name
	}
	if role := keptName(n.Role); role != r.nowRole {
		e.Role = &role
	}
	if in := a.in(p); in != r.nowIn {
		e.In = &in
	}
	if e.Name != nil || e.Role != nil || e.In != nil {
		a.note(e)
	}
}

// Give numbers one element of a capture that [Ledger.Assign] has seen and left without
// a number, because no format would list it: an agent pointed at it. It gives the
// element's number, which it may have had before.
func (l *Ledger) Give(target string, turn int, c *snapshot.Capture, i int) int {
	a := assignment{l: l, c: c, turn: turn, target: target, taken: make(map[int]bool)}
	a.up = outer(c)
	a.docs = make([]int, len(c.Frames)+1)
	for k := range a.docs {
		a.docs[k] = -1
	}
	for p := range c.Nodes {
		n := &c.Nodes[p]
		if n.Ref > 0 {
			a.taken[n.Ref] = true
		}
	}
	for p := range c.Nodes {
		n := &c.Nodes[p]
		if n.I != i {
			continue
		}
		if n.Ref == 0 && !a.find(n) {
			n.Ref = l.high + 1
			a.add(p)
		}
		l.seen[n.Ref] = true
		return n.Ref
	}
	return 0
}

// note cannot fail for lines that Assign makes: each names a document and a ref
// that it has looked up or entered before.
func (a *assignment) note(e line) {
	if err := a.l.note(e); err != nil {
		panic("turn: a ledger line of our own does not apply: " + err.Error())
	}
}

func (a *assignment) in(p int) int {
	if q := a.up[p]; q >= 0 {
		return a.c.Nodes[q].Ref
	}
	return 0
}

// key is the document that the node lives in.
func (a *assignment) key(n *snapshot.Node) document {
	d := document{target: keptName(a.target)}
	if n.Frame >= 0 && n.Frame < len(a.c.Frames) {
		d.frame, d.loader = keptName(a.c.Frames[n.Frame].ID), keptName(a.c.Frames[n.Frame].Loader)
	}
	return d
}

// document is the index of the node's document, -1 if unknown and
// must not be entered.
func (a *assignment) document(n *snapshot.Node, enter bool) int {
	f := n.Frame
	if f < 0 || f >= len(a.c.Frames) {
		f = len(a.c.Frames)
	}
	if a.docs[f] >= 0 {
		return a.docs[f]
	}
	k := a.key(n)
	d, ok := a.l.docOf[k]
	if !ok {
		if !enter {
			return -1
		}
		d = len(a.l.docs)
		a.note(line{K: kindDoc, D: d + 1, T: a.turn, Target: k.target, Frame: k.frame, Loader: k.loader})
	}
	a.docs[f] = d
	return d
}

// nameOf is the element in words for a person: its name, or its text.
func nameOf(n *snapshot.Node) string {
	if n.Name != "" {
		return n.Name
	}
	return n.Text
}

// outer is for each position in c.Nodes the position of the nearest kept node
// around it, -1 for none.
func outer(c *snapshot.Capture) []int {
	up := make([]int, len(c.Nodes))
	t := snapshot.NewTree(c)
	for p := range c.Nodes {
		up[p] = -1
		q := t.Position(c.Nodes[p].Parent)
		if q < 0 || q >= p { // parents come first
			continue
		}
		if c.Nodes[q].Verdict.Kept() {
			up[p] = q
		} else {
			up[p] = up[q]
		}
	}
	return up
}
