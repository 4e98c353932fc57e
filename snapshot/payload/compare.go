package payload

import (
	"fmt"
	"strings"

	"github.com/refscope/refscope/snapshot/diff/seq"
)

// diffSchema names the shape of a difference's JSON. Changes are additive only.
const diffSchema = "refscope.payload-diff/1"

// Difference is how one payload differs from another: section by section, and byte by
// byte (P-4).
type Difference struct {
	Schema string `json:"schema"`
	A      Side   `json:"a"`
	B      Side   `json:"b"`
	Same   bool   `json:"same"` // byte for byte
	// First is the offset of the first byte that differs, -1 where none does.
	First int `json:"first"`
	// Sections are those of b in their order; what only a has comes before what
	// followed it there.
	Sections []SectionChange `json:"sections"`
	// Ranges are the bytes that differ, in order: a with the range of b put in the place
	// of each of its own is b.
	Ranges []Range `json:"ranges,omitempty"`

	a, b *Payload
}

// Side is one of two payloads.
type Side struct {
	Dialect string `json:"dialect"`
	SHA256  string `json:"sha256"`
	Bytes   int    `json:"bytes"`
	Tokens  int    `json:"tokens"` // of all sections
}

// SectionChange is the change of a section.
type SectionChange struct {
	Kind string `json:"kind"` // same, changed, added, removed
	Name string `json:"name"`
	// Nth is which of the sections with that name it is, from 1: in b, of a removed one in a.
	Nth int `json:"nth"`
	// A and B are the section on either side, nil where there is none.
	A *Section `json:"a,omitempty"`
	B *Section `json:"b,omitempty"`
	// First is the first byte that differs, counted from the section's start; -1 where
	// none does or one side is missing.
	First int `json:"first"`
}

// Range is a stretch of a and what b has instead, byte offsets; one of the two may be
// empty.
type Range struct {
	A [2]int `json:"a"`
	B [2]int `json:"b"`
}

// Diff compares two payloads, also of different dialects. Sections are paired by name and
// order: those with equal values first, so that one message less at the start of the
// history is one message less. A picture is compared by its base64, with or without a
// data URL.
func Diff(a, b *Payload) *Difference {
	d := &Difference{Schema: diffSchema, A: sideOf(a), B: sideOf(b), First: -1, a: a, b: b}
	d.Ranges = ranges(a.Body, b.Body)
	d.Same = len(d.Ranges) == 0
	if !d.Same {
		d.First = commonPrefix(a.Body, b.Body)
	}
	d.Sections = pairSections(a, b)
	return d
}

func sideOf(p *Payload) Side {
	n, _ := p.Tokens()
	return Side{p.Dialect, p.SHA256, len(p.Body), n}
}

// content is the text by which a section is compared.
func (p *Payload) content(s Section) string {
	v := strings.TrimSuffix(strings.TrimPrefix(string(p.Value(s)), `"`), `"`)
	if _, data, ok := strings.Cut(v, ";base64,"); ok && s.Name == "image" {
		return data
	}
	return v
}

// pairSections pairs the sections of two payloads, name by name.
func pairSections(a, b *Payload) []SectionChange {
	byName := func(p *Payload) (names []string, at map[string][]int) {
		at = map[string][]int{}
		for i, s := range p.Sections {
			if len(at[s.Name]) == 0 {
				names = append(names, s.Name)
			}
			at[s.Name] = append(at[s.Name], i)
		}
		return names, at
	}
	names, inA := byName(a)
	_, inB := byName(b)
	partner := map[int]int{} // section of b → section of a
	taken := map[int]bool{}  // sections of a with a partner
	for _, name := range names {
		for _, m := range pairNamed(a, b, inA[name], inB[name]) {
			partner[m.B], taken[m.A] = m.A, true
		}
	}
	out := make([]SectionChange, 0, len(b.Sections))
	nth := map[string]int{}
	nthOfA := map[int]int{}
	for i, s := range a.Sections {
		nth[s.Name]++
		nthOfA[i] = nth[s.Name]
	}
	nth = map[string]int{}
	next := 0 // the first section of a that has no place yet
	removed := func(before int) {
		for ; next < before; next++ {
			if s := a.Sections[next]; !taken[next] {
				out = append(out, SectionChange{Kind: "removed", Name: s.Name, Nth: nthOfA[next], A: &s, First: -1})
			}
		}
	}
	for i, s := range b.Sections {
		nth[s.Name]++
		at, ok := partner[i]
		if !ok {
			out = append(out, SectionChange{Kind: "added", Name: s.Name, Nth: nth[s.Name], B: &s, First: -1})
			continue
		}
		removed(at)
		old := a.Sections[at]
		c := SectionChange{Kind: "same", Name: s.Name, Nth: nth[s.Name], A: &old, B: &s, First: -1}
		if x, y := a.content(old), b.content(s); x != y {
			c.Kind, c.First = "changed", commonPrefix(a.Value(old), b.Value(s))
		}
		out = append(out, c)
	}
	removed(len(a.Sections))
	return out
}

// pairNamed pairs sections of one name: equal ones in order, then those between them in
// order. The indices of the matches are those of the payloads' sections.
func pairNamed(a, b *Payload, inA, inB []int) []seq.Match {
	var y seq.Symbols
	number := func(p *Payload, at []int) []int32 {
		out := make([]int32, len(at))
		for i, k := range at {
			out[i] = y.Of(p.content(p.Sections[k]))
		}
		return out
	}
	equal := append(seq.Align(number(a, inA), number(b, inB)), seq.Match{A: len(inA), B: len(inB)})
	var out []seq.Match
	i, k := 0, 0
	for _, m := range equal {
		for ; i < m.A && k < m.B; i, k = i+1, k+1 {
			out = append(out, seq.Match{A: inA[i], B: inB[k]})
		}
		if i, k = m.A+1, m.B+1; m.A < len(inA) {
			out = append(out, seq.Match{A: inA[m.A], B: inB[m.B]})
		}
	}
	return out
}

// ranges are the bytes that differ. The bodies are aligned word by word, and what lies
// between equal words is narrowed to the bytes at its ends.
func ranges(a, b []byte) []Range {
	head := commonPrefix(a, b)
	if head == len(a) && head == len(b) {
		return nil
	}
	tail := commonSuffix(a[head:], b[head:])
	var y seq.Symbols
	wordsA, ends := words(a[head:len(a)-tail], &y)
	wordsB, endsB := words(b[head:len(b)-tail], &y)
	var out []Range
	matches := append(seq.Align(wordsA, wordsB), seq.Match{A: len(wordsA), B: len(wordsB)})
	at := func(ends []int, i int) int {
		if i == 0 {
			return head
		}
		return head + ends[i-1]
	}
	i, k := 0, 0
	for _, m := range matches {
		r := Range{[2]int{at(ends, i), at(ends, m.A)}, [2]int{at(endsB, k), at(endsB, m.B)}}
		out = narrow(out, a, b, r)
		i, k = m.A+1, m.B+1
	}
	return out
}

// narrow appends the range without what is equal at its ends, where anything is left.
func narrow(out []Range, a, b []byte, r Range) []Range {
	n := commonPrefix(a[r.A[0]:r.A[1]], b[r.B[0]:r.B[1]])
	r.A[0], r.B[0] = r.A[0]+n, r.B[0]+n
	n = commonSuffix(a[r.A[0]:r.A[1]], b[r.B[0]:r.B[1]])
	r.A[1], r.B[1] = r.A[1]-n, r.B[1]-n
	if r.A[0] == r.A[1] && r.B[0] == r.B[1] {
		return out
	}
	return append(out, r)
}

// isWord reports whether a byte is of a word of ASCII, or of base64.
func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '+' || c == '/' || c == '='
}

// words numbers the words of a text, runs of letters, digits and bytes beyond ASCII, and
// each other byte; ends are their ends.
func words(text []byte, y *seq.Symbols) (numbers []int32, ends []int) {
	for i := 0; i < len(text); {
		end := i
		for end < len(text) && (isWord(text[end]) || text[end] >= 0x80) {
			end++
		}
		end = max(end, i+1)
		numbers = append(numbers, y.Of(string(text[i:end])))
		ends = append(ends, end)
		i = end
	}
	return numbers, ends
}

func commonPrefix(a, b []byte) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

func commonSuffix(a, b []byte) int {
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}

// sign is the first character of a section's line in Report.
func (c SectionChange) sign() string {
	return map[string]string{"same": "=", "changed": "~", "added": "+", "removed": "-"}[c.Kind]
}

// label names the section: history 2, where there are several of that name.
func (c SectionChange) label(several bool) string {
	if several {
		return fmt.Sprintf("%s %d", c.Name, c.Nth)
	}
	return c.Name
}
