package tokens

import (
	"math"
	"testing"

	"github.com/dlclark/regexp2/v2"
	"github.com/stretchr/testify/require"
)

// published is o200k_base's pattern as OpenAI publishes it
// (tiktoken_ext/openai_public.py). The group around it keeps the engine from
// taking the matcher that the vocabulary's library registers for the bare pattern.
const published = `(?:` +
	`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?` +
	`|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?` +
	`|\p{N}{1,3}` +
	`| ?[^\s\p{L}\p{N}]+[\r\n/]*` +
	`|\s*[\r\n]+` +
	`|\s+(?!\S)` +
	`|\s+)`

// reference is a second tokenizer with nothing clever in it: the published pattern
// in a general engine, and byte pair encoding by looking for the lowest rank again
// and again.
type reference struct {
	ranks   map[string]uint32
	pattern *regexp2.Regexp
}

func newReference(c *Counter) reference {
	return reference{c.load(), regexp2.MustCompile(published, regexp2.None)}
}

func (r reference) encode(t testing.TB, s string) (ids []uint32) {
	m, err := r.pattern.FindStringMatch(s)
	for ; m != nil; m, err = r.pattern.FindNextMatch(m) {
		require.NoError(t, err)
		ids = append(ids, r.merge(m.String())...)
	}
	require.NoError(t, err)
	return ids
}

func (r reference) merge(piece string) []uint32 {
	if id, ok := r.ranks[piece]; ok {
		return []uint32{id}
	}
	parts := make([]string, 0, len(piece))
	for i := range len(piece) {
		parts = append(parts, piece[i:i+1])
	}
	for {
		best, at := uint32(math.MaxUint32), -1
		for i := 0; i+1 < len(parts); i++ {
			if rank, ok := r.ranks[parts[i]+parts[i+1]]; ok && rank < best {
				best, at = rank, i
			}
		}
		if at < 0 {
			break
		}
		parts[at] += parts[at+1]
		parts = append(parts[:at+1], parts[at+2:]...)
	}
	out := make([]uint32, len(parts))
	for i, p := range parts {
		out[i] = r.ranks[p]
	}
	return out
}
