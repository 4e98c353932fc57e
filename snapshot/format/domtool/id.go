package domtool

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"strconv"

	"github.com/refscope/refscope/snapshot"
)

// Node ids of domtool (B-2; seed, "Node ID Strategy"): "nv_" and eight hexadecimal digits.
//
// An element's place is tag[index|role|id], with role and id as in its attributes. The
// index counts the siblings of the same tag before it, visible or not, from 0; an
// element with an id has none, so that siblings may come and go around it. Its path hash is
// MurmurHash3 of that, seeded with the path hash of its composed parent (0 for a root), which is
// the seed's concatenated path in linear time; frames and shadow roots continue the path of
// their host. The digits are MurmurHash3 of the stable attributes id, aria-label, role and type, seeded
// with the path hash.
//
// So an id does not depend on styles, classes, boxes, text, values, states, refs or what the
// format lists, and is the same in every capture of an unchanged document. Two elements that
// result in the same digits get "-2", "-3" … in document order. A capture without its wrappers
// ([snapshot.Capture.Kept]) lacks siblings, so ids in it may differ from those of the whole.
type nodeIDs struct {
	// By node index: the path hash, the digits, and which one with these digits it is.
	place map[int]hashes
	used  map[string]int // ids of parts
}

type hashes struct {
	path, digits uint32
	nth          int32
}

func newNodeIDs(c *snapshot.Capture) *nodeIDs {
	ids := &nodeIDs{place: make(map[int]hashes, len(c.Nodes)), used: map[string]int{}}
	type key struct {
		parent int
		tag    string
	}
	index, same := make(map[key]int32, len(c.Nodes)), make(map[uint32]int32, len(c.Nodes))
	var b []byte
	for p := range c.Nodes {
		n := &c.Nodes[p]
		k := key{n.Parent, n.Tag}
		i := index[k]
		index[k] = i + 1
		b = append(append(b[:0], n.Tag...), '[')
		if !n.HasAttr("id") {
			b = strconv.AppendInt(b, int64(i), 10)
		}
		for _, a := range [...]string{"role", "id"} {
			b = append(append(b, '|'), n.Attr(a)...)
		}
		h := hashes{path: murmur3(append(b, ']'), ids.place[n.Parent].path)}
		b = b[:0]
		for _, a := range [...]string{"id", "aria-label", "role", "type"} {
			b = append(append(b, n.Attr(a)...), 0)
		}
		h.digits = murmur3(b, h.path)
		h.nth = same[h.digits] + 1
		same[h.digits] = h.nth
		ids.place[n.I] = h
	}
	return ids
}

// of is the id of an element.
func (ids *nodeIDs) of(n *snapshot.Node) string {
	h := ids.place[n.I]
	return string(h.append([]byte("nv_")))
}

// append appends the digits, and which one with these it is where it is not the first.
func (h hashes) append(b []byte) []byte {
	b = fmt.Appendf(b, "%08x", h.digits)
	if h.nth > 1 {
		b = strconv.AppendInt(append(b, '-'), int64(h.nth), 10)
	}
	return b
}

// part is the id of something that belongs to an element without being one: kind is
// "iframe", "shadow", "summary" or "text", k distinguishes several.
func (ids *nodeIDs) part(kind string, n *snapshot.Node, k string) string {
	h := ids.place[n.I]
	h.digits, h.nth = murmur3(append([]byte(k), byte(h.nth)), h.digits), 1
	id := string(h.append([]byte("nv_" + kind + "_")))
	ids.used[id]++
	if k := ids.used[id]; k > 1 {
		id += "-" + strconv.Itoa(k)
	}
	return id
}

// NodeIDs are domtool's ids of a capture: which element, by its index, each of them is.
// The id of a frame's entry or placeholder (nv_iframe_…) and of a shadow root
// (nv_shadow_…) refers to the element that has it. Words and summaries (nv_text_…,
// nv_summary_…) are no elements and have no entry.
func NodeIDs(c *snapshot.Capture) map[string]int {
	ids, t := newNodeIDs(c), snapshot.NewTree(c)
	all := make(map[string]int, len(c.Nodes))
	for p := range c.Nodes {
		all[ids.of(&c.Nodes[p])] = c.Nodes[p].I
	}
	for p := range c.Nodes {
		n := &c.Nodes[p]
		if snapshot.IsFrame(n.Tag) {
			all[ids.part("iframe", n, "")] = n.I
		}
		for child := range t.Children(n.I) {
			if shadowRoot(n, child) {
				all[ids.part("shadow", n, "")] = n.I
				break
			}
		}
	}
	return all
}

// murmur3 is MurmurHash3_x86_32 by Austin Appleby, who put it in the public domain.
func murmur3(data []byte, seed uint32) uint32 {
	const c1, c2 = 0xcc9e2d51, 0x1b873593
	h, n := seed, len(data)
	for ; len(data) >= 4; data = data[4:] {
		k := bits.RotateLeft32(binary.LittleEndian.Uint32(data)*c1, 15) * c2
		h = bits.RotateLeft32(h^k, 13)*5 + 0xe6546b64
	}
	if len(data) > 0 {
		var rest [4]byte
		copy(rest[:], data)
		h ^= bits.RotateLeft32(binary.LittleEndian.Uint32(rest[:])*c1, 15) * c2
	}
	h ^= uint32(n)
	h = (h ^ h>>16) * 0x85ebca6b
	h = (h ^ h>>13) * 0xc2b2ae35
	return h ^ h>>16
}
