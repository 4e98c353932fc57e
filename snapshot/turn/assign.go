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
	a := l.assignment(target, turn, c)
	known := make([]*Entry, len(c.Nodes)) // by position, nil for newcomers too
	newcomers := number(c, l.high+1, func(p int) bool {
		known[p] = a.find(&c.Nodes[p])
		return known[p] != nil
	})
	l.expect(len(newcomers))
	for _, p := range newcomers {
		a.add(p)
	}
	for p, r := range known {
		if r != nil {
			r.Last = max(r.Last, turn)
			a.compare(p, r)
		}
	}
	for p := range c.Nodes {
		if ref := c.Nodes[p].Ref; ref > 0 {
			l.seen[ref] = true
		}
	}
}

// NumberFromOne gives the nodes of a capture of no session the numbers that [Ledger.Assign] gives in an empty one.
func NumberFromOne(c *snapshot.Capture) { number(c, 1, func(int) bool { return false }) }

// number gives kept nodes that are not known numbers from next on, and returns their positions in this order. known is
// asked about each kept node, in document order, and numbers those that it knows itself; all others get 0.
func number(c *snapshot.Capture, next int, known func(position int) bool) []int {
	var primary, content []int
	for p := range c.Nodes {
		n := &c.Nodes[p]
		n.Ref = 0
		switch {
		case !n.Verdict.Kept() || known(p):
		case n.Verdict == snapshot.VerdictRef:
			primary = append(primary, p)
		default:
			content = append(content, p)
		}
	}
	newcomers := slices.Concat(primary, content)
	for i, p := range newcomers {
		c.Nodes[p].Ref = next + i
	}
	return newcomers
}

// assignment is one call of Assign.
type assignment struct {
	l      *Ledger
	c      *snapshot.Capture
	turn   int
	target string
	// frame index → document index, -1 where not looked up; the last is for frames that are not there
	docs []int
	up   []int // position → position of the nearest kept node around it, -1 for none
}

func (l *Ledger) assignment(target string, turn int, c *snapshot.Capture) *assignment {
	l.round++
	a := &assignment{l: l, c: c, turn: turn, target: target, up: outer(c), docs: make([]int, len(c.Frames)+1)}
	for i := range a.docs {
		a.docs[i] = -1
	}
	return a
}

// find gives a known element its number, and returns its entry, nil for a newcomer. No number is given twice in a
// capture, whatever the page's registry contains.
func (a *assignment) find(n *snapshot.Node) *Entry {
	l := a.l
	d := a.document(n, false)
	if d < 0 && n.BackendNodeID == 0 {
		return nil
	}
	if n.UID != 0 && d >= 0 {
		if r := l.refs[l.byUID[uidKey{d, n.UID}]]; a.isOf(r, n) &&
			(r.BackendNodeID == n.BackendNodeID || r.BackendNodeID == 0 || n.BackendNodeID == 0) {
			a.take(n, r, d)
			return r
		}
	}
	if n.BackendNodeID != 0 {
		doc := a.key(n)
		if r := l.refs[l.byNode[nodeKey{doc.target, doc.loader, n.BackendNodeID}]]; a.isOf(r, n) {
			a.take(n, r, a.document(n, true))
			return r
		}
	}
	return nil
}

// isOf reports whether an entry may be that of the element: it is given to none yet, and its tag is the same.
func (a *assignment) isOf(r *Entry, n *snapshot.Node) bool {
	return r != nil && r.given != a.l.round && r.Tag == keptName(n.Tag)
}

// take gives n the number of r and notes the identities that are new for it.
func (a *assignment) take(n *snapshot.Node, r *Entry, d int) {
	n.Ref, r.given = r.Ref, a.l.round
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
func (a *assignment) compare(p int, r *Entry) {
	n := &a.c.Nodes[p]
	name, role, in := keptName(nameOf(n)), keptName(n.Role), a.in(p)
	if name == r.now && role == r.nowRole && in == r.nowIn {
		return
	}
	e := line{K: kindChange, T: a.turn, R: n.Ref}
	if name != r.now {
		e.Name = new(name)
	}
	if role != r.nowRole {
		e.Role = new(role)
	}
	if in != r.nowIn {
		e.In = new(in)
	}
	a.note(e)
}

// Give numbers one element of a capture that [Ledger.Assign] has seen and left without
// a number, because no format would list it: an agent pointed at it. It gives the
// element's number, which it may have had before.
func (l *Ledger) Give(target string, turn int, c *snapshot.Capture, i int) int {
	a := l.assignment(target, turn, c)
	for p := range c.Nodes {
		if r := l.refs[c.Nodes[p].Ref]; r != nil {
			r.given = l.round
		}
	}
	for p := range c.Nodes {
		n := &c.Nodes[p]
		if n.I != i {
			continue
		}
		if n.Ref == 0 && a.find(n) == nil {
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
