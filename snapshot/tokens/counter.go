package tokens

import (
	"strings"
	"sync"

	"github.com/tiktoken-go/tokenizer/codec"
)

// Encoding is the name of what a [Counter] counts with.
const Encoding = "o200k_base"

// vocabularySize is the number of ordinary tokens of o200k_base. The special
// tokens have higher numbers and represent no text.
const vocabularySize = 199_998

// Counter counts o200k_base tokens. The zero value is ready for use; it builds its
// tables at the first count, which takes some 50 ms and 16 MB. It is safe for
// concurrent use and must not be copied after that. Make one where the program
// starts and pass it on.
//
// Counting a text of n bytes takes time in proportion to n log n, whatever is in
// it: a megabyte of one letter without a space is no worse than prose.
type Counter struct {
	once  sync.Once
	ranks map[string]uint32 // token → its number, which is also its rank in merging
}

func (c *Counter) load() map[string]uint32 {
	c.once.Do(func() {
		v := codec.NewO200kBase()
		c.ranks = make(map[string]uint32, vocabularySize)
		id := [1]uint{}
		for i := range uint(vocabularySize) {
			id[0] = i
			if s, err := v.Decode(id[:]); err == nil {
				c.ranks[s] = uint32(i)
			}
		}
	})
	return c.ranks
}

// Count is the number of tokens of s. Each run of bytes that are not UTF-8 is
// counted as the U+FFFD that replaces it in a request.
func (c *Counter) Count(s string) int {
	n := 0
	c.encode(s, func(uint32, int) { n++ })
	return n
}

// Encode returns the tokens' numbers in the vocabulary, in order.
func (c *Counter) Encode(s string) []uint32 {
	var ids []uint32
	c.encode(s, func(id uint32, _ int) { ids = append(ids, id) })
	return ids
}

// Spread counts the tokens of the whole text and describes how many of them begin in
// each of its parts. ends are the parts' ends, byte offsets in ascending order, the
// last one len(text); the first part begins at 0. A token that reaches over the end
// of a part is counted where it begins, so the parts add up to [Counter.Count] of
// the whole exactly. A part counted alone may differ by a token or so from
// that, because it cannot share one with its neighbour. text must be valid UTF-8.
func (c *Counter) Spread(text string, ends []int) []int {
	out := make([]int, len(ends))
	if len(ends) == 0 {
		return out
	}
	at, part := 0, 0
	c.encode(text, func(_ uint32, size int) {
		for part < len(ends)-1 && at >= ends[part] {
			part++
		}
		out[part]++
		at += size
	})
	return out
}

// encode yields each token's number and its length in bytes.
func (c *Counter) encode(s string, yield func(id uint32, size int)) {
	if s == "" {
		return
	}
	m := merger{ranks: c.load()}
	s = strings.ToValidUTF8(s, "\uFFFD")
	for s != "" {
		n := split(s)
		if id, ok := m.ranks[s[:n]]; ok {
			yield(id, n)
		} else {
			m.merge(s[:n], yield)
		}
		s = s[n:]
	}
}
