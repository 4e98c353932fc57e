package dddk

import (
	"hash/fnv"
	"strconv"
	"strings"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/text"
)

// Hash ids of dddk (D-12). The seed numbers elements; the reader that was shipped calls
// them e and four characters of a hash, so that an element keeps its id between two
// dumps as long as it has the same text in the same place (engines.md 1.0, contradiction
// 1). The hash is FNV-1a of tag, role, index among its siblings, 30 characters of its
// text and its address; where two elements have the same, the later ones get -2, -3. Each has
// a digit and a letter after its e, so that none is the ref e1234 or the name of a tag.
//
// The original's bytes cannot be reproduced (it hashes what its own reader saw), so the
// ids are of the same kind and not the same. Everything else about an element, and all
// that the window and the other formats show, is numbered by its ref number.

const (
	hashText  = 30      // characters
	hashRange = 1679616 // 36⁴
)

// hashIDs are the hash ids of all numbered elements by their ref number.
func hashIDs(c *snapshot.Capture, t *snapshot.Tree) map[int]string {
	ids, taken := map[int]string{}, map[string]int{}
	place := map[int]int{} // node → how many of its children have been seen
	for i := range c.Nodes {
		n := &c.Nodes[i]
		at := place[n.Parent]
		place[n.Parent]++
		if n.Verdict != snapshot.VerdictRef || n.Ref == 0 {
			continue
		}
		id := hashID(n.Tag, n.Role, at, dump.Label(t, n), n.Attr("href"))
		taken[id]++
		if k := taken[id]; k > 1 {
			id += "-" + strconv.Itoa(k)
		}
		ids[n.Ref] = id
	}
	return ids
}

// HashIDs are the nodes, by the ids that [IDsHash] prints.
func HashIDs(c *snapshot.Capture) map[string]int {
	refs := hashIDs(c, snapshot.NewTree(c))
	out := make(map[string]int, len(refs))
	for i := range c.Nodes {
		if id := refs[c.Nodes[i].Ref]; id != "" {
			out[id] = c.Nodes[i].I
		}
	}
	return out
}

// hashID is e and four characters of 0-9a-z, a digit and a letter among them.
func hashID(tag, role string, at int, label, href string) string {
	label = text.Cut(text.CollapseSpace(label), hashText)
	h := fnv.New32a()
	_, _ = h.Write([]byte(strings.Join([]string{tag, role, strconv.Itoa(at), label, href}, "|"))) // never fails
	for {
		s := strconv.FormatUint(uint64(h.Sum32()%hashRange), 36)
		s = strings.Repeat("0", 4-len(s)) + s
		if strings.ContainsAny(s, "0123456789") && strings.Trim(s, "0123456789") != "" {
			return "e" + s
		}
		_, _ = h.Write([]byte("|"))
	}
}
