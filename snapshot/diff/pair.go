package diff

import (
	"strconv"
	"strings"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/diff/seq"
)

// pairing names which element of a is which of b. Positions are indices in Nodes,
// which in a filtered capture are not the nodes' own indices.
type pairing struct {
	a, b *snapshot.Capture
	// toB and toA are the position of the other side, -1 for none; rule is by
	// position in a.
	toB, toA     []int
	rule         []Rule
	treeA, treeB *snapshot.Tree
	// posA and posB return the position of a node index, -1 for none.
	posA, posB func(i int) int
	// frame is, for each frame of a, the frame of b in its place, -1 for none, and
	// frameRule how that is known.
	frame     []int
	frameRule []string
	// separate: some number is used for different elements, so the captures are of
	// two sessions.
	separate bool
}

func pair(a, b *snapshot.Capture) *pairing {
	p := &pairing{a: a, b: b, toB: make([]int, len(a.Nodes)), toA: make([]int, len(b.Nodes)),
		rule: make([]Rule, len(a.Nodes))}
	p.treeA, p.treeB = snapshot.NewTree(a), snapshot.NewTree(b)
	p.posA, p.posB = p.treeA.Position, p.treeB.Position
	for i := range p.toB {
		p.toB[i] = -1
	}
	for j := range p.toA {
		p.toA[j] = -1
	}
	p.pairFrames()
	p.byIdentity()
	p.pairOwners()
	p.byLooks()
	p.byPath()
	return p
}

func (p *pairing) join(i, j int, r Rule) {
	p.toB[i], p.toA[j], p.rule[i] = j, i, r
}

// same reports whether two frames show the same document: frame id and loader.
func (p *pairing) same(fa, fb int) bool {
	if fa < 0 || fb < 0 || fa >= len(p.a.Frames) || fb >= len(p.b.Frames) {
		return false
	}
	x, y := &p.a.Frames[fa], &p.b.Frames[fb]
	return x.Loader != "" && x.Loader == y.Loader && x.ID == y.ID
}

// documents reports whether both frames' documents are known.
func (p *pairing) documents(fa, fb int) bool {
	if fa < 0 || fb < 0 || fa >= len(p.a.Frames) || fb >= len(p.b.Frames) {
		return false
	}
	return p.a.Frames[fa].Loader != "" && p.b.Frames[fb].Loader != ""
}

// contradicted reports whether two nodes with one ref number are different elements
// by what else is known of them.
func (p *pairing) contradicted(x, y *snapshot.Node) bool {
	if x.Tag != y.Tag {
		return true
	}
	if !p.documents(x.Frame, y.Frame) {
		return false
	}
	if !p.same(x.Frame, y.Frame) {
		return true
	}
	uids := x.UID != 0 && y.UID != 0
	backends := x.BackendNodeID != 0 && y.BackendNodeID != 0
	if uids && x.UID == y.UID || backends && x.BackendNodeID == y.BackendNodeID {
		return false
	}
	return uids || backends
}

// identity is a number of an element within a document of b.
type identity struct {
	frame int
	id    int64
}

// byIdentity pairs by ref, uid and backendNodeId. One contradicted number is enough
// to distrust all of them: numbers of one session are never used again.
func (p *pairing) byIdentity() {
	refs := make(map[int]int, len(p.b.Nodes))
	uids := make(map[identity]int, len(p.b.Nodes))
	backends := make(map[identity]int)
	for j := range p.b.Nodes {
		n := &p.b.Nodes[j]
		if n.Ref > 0 {
			refs[n.Ref] = j
		}
		if n.UID != 0 {
			uids[identity{n.Frame, int64(n.UID)}] = j
		}
		if n.BackendNodeID != 0 {
			backends[identity{n.Frame, n.BackendNodeID}] = j
		}
	}
	for i := range p.a.Nodes {
		n := &p.a.Nodes[i]
		if j, ok := refs[n.Ref]; ok && n.Ref > 0 && p.contradicted(n, &p.b.Nodes[j]) {
			p.separate = true
			break
		}
	}
	if !p.separate {
		for i := range p.a.Nodes {
			if j, ok := refs[p.a.Nodes[i].Ref]; ok && p.toA[j] < 0 && p.a.Nodes[i].Ref > 0 {
				p.join(i, j, ByRef)
			}
		}
	}
	// Elements without a number, and all of them where numbers do not count.
	by := func(index map[identity]int, id func(*snapshot.Node) int64, r Rule) {
		for i := range p.a.Nodes {
			n := &p.a.Nodes[i]
			if p.toB[i] >= 0 || id(n) == 0 || n.Frame >= len(p.frame) {
				continue
			}
			f := p.frame[n.Frame]
			if !p.same(n.Frame, f) {
				continue
			}
			if j, ok := index[identity{f, id(n)}]; ok && p.toA[j] < 0 && p.b.Nodes[j].Tag == n.Tag {
				p.join(i, j, r)
			}
		}
	}
	by(uids, func(n *snapshot.Node) int64 { return int64(n.UID) }, ByUID)
	by(backends, func(n *snapshot.Node) int64 { return n.BackendNodeID }, ByBackendNode)
}

// byLooks pairs what is left of the kept elements by tag, role, name and own text:
// in the order of the page, and where that fails, where there is only one.
func (p *pairing) byLooks() {
	var y seq.Symbols
	var b strings.Builder
	look := func(n *snapshot.Node, frame int) int32 {
		b.Reset()
		b.WriteString(strconv.Itoa(frame))
		for _, s := range [...]string{n.Shadow, n.Tag, n.Role, n.Name, n.Text} {
			b.WriteByte(' ')
			b.WriteString(strconv.Itoa(len(s)))
			b.WriteByte(' ')
			b.WriteString(s)
		}
		return y.Of(b.String())
	}
	left, free := 0, 0
	var sa, sb, la, lb []int32 // sequence (anchors have symbols of their own) and looks
	var na, nb []int           // positions
	for j := range p.b.Nodes {
		n := &p.b.Nodes[j]
		if !n.Verdict.Kept() {
			continue
		}
		nb, lb = append(nb, j), append(lb, look(n, n.Frame))
		if p.toA[j] < 0 {
			free++
		}
	}
	for i := range p.a.Nodes {
		n := &p.a.Nodes[i]
		if !n.Verdict.Kept() {
			continue
		}
		f := -1
		if n.Frame < len(p.frame) {
			f = p.frame[n.Frame]
		}
		na, la = append(na, i), append(la, look(n, f))
		if p.toB[i] < 0 {
			left++
		}
	}
	if left == 0 || free == 0 {
		return
	}
	for k, i := range na {
		s := la[k]
		if p.toB[i] >= 0 {
			s = y.Of("pair " + strconv.Itoa(i))
		}
		sa = append(sa, s)
	}
	for k, j := range nb {
		s := lb[k]
		if p.toA[j] >= 0 {
			s = y.Of("pair " + strconv.Itoa(p.toA[j]))
		}
		sb = append(sb, s)
	}
	for _, m := range seq.Align(sa, sb) {
		i, j := na[m.A], nb[m.B]
		if p.toB[i] >= 0 {
			continue
		}
		r := ByOrder
		if x, z := p.a.Nodes[i].Path, p.b.Nodes[j].Path; x != "" && x == z {
			r = ByPlace
		}
		p.join(i, j, r)
	}
	p.onlyOnes(na, nb, la, lb)
}

// onlyOnes pairs elements that are the only ones of their looks in either capture.
func (p *pairing) onlyOnes(na, nb []int, la, lb []int32) {
	countA, countB, atB := map[int32]int{}, map[int32]int{}, map[int32]int{}
	for _, s := range la {
		countA[s]++
	}
	for k, s := range lb {
		countB[s]++
		atB[s] = nb[k]
	}
	for k, i := range na {
		n := &p.a.Nodes[i]
		s := la[k]
		if p.toB[i] >= 0 || n.Name == "" && n.Text == "" || countA[s] != 1 || countB[s] != 1 {
			continue
		}
		if j := atB[s]; p.toA[j] < 0 {
			p.join(i, j, ByOnly)
		}
	}
}

// byPath pairs what is left by path, tag and role, in documents that are not the
// same: there, no identity proves that it is another element. One of the two sides
// may be hidden, which has no role then.
func (p *pairing) byPath() {
	type place struct {
		frame     int
		path, tag string
	}
	at := map[place]int{}
	for j := range p.b.Nodes {
		if n := &p.b.Nodes[j]; p.toA[j] < 0 && n.Path != "" {
			at[place{n.Frame, n.Path, n.Tag}] = j
		}
	}
	for i := range p.a.Nodes {
		n := &p.a.Nodes[i]
		if p.toB[i] >= 0 || n.Path == "" || n.Frame >= len(p.frame) {
			continue
		}
		f := p.frame[n.Frame]
		if f < 0 || p.same(n.Frame, f) {
			continue
		}
		j, ok := at[place{f, n.Path, n.Tag}]
		if !ok || p.toA[j] >= 0 {
			continue
		}
		hidden := func(n *snapshot.Node) bool { return n.Role == "" && !n.Verdict.Kept() }
		if m := &p.b.Nodes[j]; m.Role == n.Role || hidden(m) || hidden(n) {
			p.join(i, j, ByPath)
		}
	}
}
