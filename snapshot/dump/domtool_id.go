package dump

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
// come to the same digits get "-2", "-3" … in document order. A capture without its wrappers
// ([snapshot.Capture.Kept]) lacks siblings, so ids in it may differ from those of the whole.
type nodeIDs struct {
	path map[int]uint32 // by node index
	id   map[int]string
	used map[string]int
}

func newNodeIDs(c *snapshot.Capture, t *snapshot.Tree) *nodeIDs {
	ids := &nodeIDs{
		path: make(map[int]uint32, len(c.Nodes)), id: make(map[int]string, len(c.Nodes)), used: make(map[string]int, len(c.Nodes)),
	}
	type key struct {
		parent int
		tag    string
	}
	index := map[key]int{}
	var b []byte
	for p := range c.Nodes {
		n := &c.Nodes[p]
		k := key{n.Parent, n.Tag}
		b = append(append(b[:0], n.Tag...), '[')
		if !n.HasAttr("id") {
			b = strconv.AppendInt(b, int64(index[k]), 10)
		}
		index[k]++
		for _, a := range [...]string{"role", "id"} {
			b = append(append(b, '|'), n.Attr(a)...)
		}
		path := murmur3(append(b, ']'), ids.path[n.Parent])
		ids.path[n.I] = path
		b = b[:0]
		for _, a := range [...]string{"id", "aria-label", "role", "type"} {
			b = append(append(b, n.Attr(a)...), 0)
		}
		ids.id[n.I] = ids.unique(fmt.Sprintf("nv_%08x", murmur3(b, path)))
	}
	return ids
}

// unique is the id, with the number of its occurrence where it is not the first.
func (ids *nodeIDs) unique(id string) string {
	for {
		ids.used[id]++
		k := ids.used[id]
		if k == 1 {
			return id
		}
		if s := id + "-" + strconv.Itoa(k); ids.used[s] == 0 {
			ids.used[s] = 1
			return s
		}
	}
}

// of is the id of an element.
func (ids *nodeIDs) of(n *snapshot.Node) string { return ids.id[n.I] }

// part is the id of something that belongs to an element without being one: kind is
// "iframe", "shadow", "summary" or "text", k tells several apart.
func (ids *nodeIDs) part(kind string, n *snapshot.Node, k string) string {
	// The element's id is unique, so this is too, except for a hash collision.
	digits := murmur3([]byte(ids.id[n.I]+k), ids.path[n.I])
	return ids.unique(fmt.Sprintf("nv_%s_%08x", kind, digits))
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
