package dump

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/text"
)

// TreeHash is 32 hexadecimal digits that are equal for two captures where the semantic
// format with these options would tell an agent the same (S-10, the seed's delta
// hashing): the address and title, every listed element with its number, role, name,
// value, states and place, and how far the page and its containers are scrolled. Who
// has sent a page with that hash need not send it again.
//
// It knows less than [snapshot.StateHash], which also covers texts and elements that
// semantic does not list, and it is stricter in one point: numbers and places count,
// because they are sent. Recent events and figures about the capture do not count, and
// neither does MaxChars.
func TreeHash(c *snapshot.Capture, o Options) string {
	w := newSemantic(c, o, false)
	b := text.AppendJSON(nil, c.URL)
	b = text.AppendJSON(b, text.Squash(c.Title))
	b = text.AppendJSON(b, w.scrollPosition())
	for i := range w.elements {
		b = append(b, w.elements[i].encoded...)
	}
	for _, s := range w.scrollers() {
		b = append(b, s.text...)
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:16])
}
