package foreign

import (
	"fmt"
	"slices"
	"strings"

	"github.com/refscope/refscope/snapshot/text"
)

// damaged notes one thing that could not be read. kind groups things of which only the
// first few are named.
func (r *Report) damaged(kind, format string, args ...any) {
	if r.counts == nil {
		r.counts = map[string]int{}
	}
	if r.counts[kind] == 0 {
		r.kinds = append(r.kinds, kind)
	}
	if r.counts[kind]++; r.counts[kind] <= maxSaid {
		r.Damage = append(r.Damage, text.Line(fmt.Sprintf(format, args...)))
	}
}

// lacks adds a sentence once.
func (r *Report) lacks(sentence string) {
	if !slices.Contains(r.Lacks, sentence) {
		r.Lacks = append(r.Lacks, sentence)
	}
}

// finish adds the counts of what was not named.
func (r *Report) finish() {
	for _, kind := range r.kinds {
		if more := r.counts[kind] - maxSaid; more > 0 {
			r.Damage = append(r.Damage, fmt.Sprintf("%d more %s", more, kind))
		}
	}
}

// cut is the first n bytes of s, at the border of a character, marked where more follow.
func cut(s string, n int) string {
	if len(s) <= n {
		return strings.ToValidUTF8(s, "\uFFFD")
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}
