package audit

import (
	"html"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/text"
)

// What a dump has of the page, read from its text.
//
// A line is folded: the characters that count, in lower case, nothing between them. So
// escapes, quotes, tags' punctuation and line breaks cannot hide a word that is there.
// Entities and backslash escapes are resolved first; as not every format has them, a line
// is tried with and without.

// searchBudget bounds, in bytes, how much text is searched for words that are not
// near their element, in one dump.
const searchBudget = 64 << 20

// nearLines is how many elements with a line, from the inside out, an element's words
// are looked for at.
const nearLines = 6

// reading is a dump as coverage reads it.
type reading struct {
	*dump.Document
	compat  bool
	omitted map[int]dump.Omission // the first of each node
	folded  [][]string            // by line: the ways in which it can be read, nil until asked
	cursor  []int                 // by line: where the last words were found
	last    map[int]int           // by node: which of its lines had the last words
	whole   string                // all lines, folded
	budget  int
	// alone are the folded lines of a text that is no dump of ours: it may have an element's words on lines of their
	// own, one after the other. nil for a dump.
	alone map[string]bool
}

func newReading(d *dump.Document, compat bool) *reading {
	r := &reading{
		Document: d, compat: compat, omitted: make(map[int]dump.Omission, len(d.Omitted)),
		folded: make([][]string, len(d.Lines)), cursor: make([]int, len(d.Lines)), budget: searchBudget,
		last: map[int]int{},
	}
	for _, o := range d.Omitted {
		if _, ok := r.omitted[o.Node]; !ok {
			r.omitted[o.Node] = o
		}
	}
	return r
}

// line is how line i can be read.
func (r *reading) line(i int) []string {
	if r.folded[i] == nil {
		l := r.Lines[i]
		r.folded[i] = readings(r.Text[l.Start:l.End])
	}
	return r.folded[i]
}

func readings(s string) []string {
	out := []string{fold(s)}
	add := func(t string) {
		if f := fold(t); f != out[0] {
			out = append(out, f)
		}
	}
	if strings.ContainsRune(s, '&') {
		add(html.UnescapeString(s))
	}
	plain := func(t string) {
		add(t)
		if strings.ContainsRune(t, '&') {
			add(html.UnescapeString(t))
		}
	}
	if strings.ContainsRune(s, '\\') {
		plain(unescape(s))
	}
	if strings.Contains(s, `\u{`) {
		plain(text.Restored(s)) // invisible characters are spelled so
	}
	return out
}

// has is how many of the folded text's characters the dump has, near the element first.
// total is how many characters it is long.
func (r *reading) has(t *snapshot.Tree, n *snapshot.Node, text string) (has, total int) {
	want := fold(text)
	total = utf8.RuneCountInString(want)
	if total == 0 {
		return 0, 0
	}
	best := 0
	near := 0
	try := func(node int) bool {
		lines := r.LinesOf(node)
		if len(lines) == 0 {
			return false
		}
		near++
		from := r.last[node] // an element's texts come in the order of its lines
		for k := range lines {
			at := (from + k) % len(lines)
			if k >= 3 && !r.spend(len(want)+64) {
				break
			}
			if r.find(lines[at], want) {
				r.last[node] = at
				return true
			}
		}
		if near <= 2 {
			best = max(best, r.pieces(lines, text))
		}
		return best >= total
	}
	if try(n.I) {
		return total, total
	}
	for up := range t.Ancestors(n.I) {
		if try(up.I) {
			return total, total
		}
		if near >= nearLines {
			break
		}
	}
	if r.alone[want] || total >= 3 && r.anywhere(want) {
		return total, total
	}
	return min(best, total), total
}

// find looks for folded words in a line, from where the last ones were found on, as
// elements come in the order of the page.
func (r *reading) find(i int, want string) bool {
	for k, s := range r.line(i) {
		from := 0
		if k == 0 && r.cursor[i] <= len(s) {
			from = r.cursor[i]
		}
		at := strings.Index(s[from:], want)
		if at < 0 && from > 0 && r.spend(len(s)) {
			from, at = 0, strings.Index(s, want)
		}
		if at >= 0 {
			if k == 0 {
				r.cursor[i] = from + at
			}
			return true
		}
	}
	return false
}

// pieces counts the characters of a text's words that are in the lines, in order.
func (r *reading) pieces(lines []int, text string) int {
	best := 0
	for k, i := range lines {
		if k == 3 {
			break
		}
		for _, s := range r.line(i) {
			if !r.spend(len(s)) {
				return best
			}
			got, at := 0, 0
			for w := range wordsOf(text) {
				j := strings.Index(s[at:], w)
				if j < 0 {
					if got > 0 || at > 0 {
						break // cut here
					}
					continue
				}
				at += j + len(w)
				got += utf8.RuneCountInString(w)
			}
			best = max(best, got)
		}
	}
	return best
}

// anywhere looks for folded words in the whole dump.
func (r *reading) anywhere(want string) bool {
	if r.whole == "" && len(r.Lines) > 0 {
		var b strings.Builder
		for i := range r.Lines {
			for _, s := range r.line(i) {
				b.WriteString(s)
				if r.alone == nil {
					b.WriteByte(0)
				}
			}
		}
		r.whole = b.String()
	}
	return r.spend(len(r.whole)) && strings.Contains(r.whole, want)
}

func (r *reading) spend(n int) bool {
	r.budget -= n
	return r.budget >= 0
}

// fold keeps the characters that count, in lower case.
func fold(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for _, c := range s {
		switch {
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9':
			b.WriteByte(byte(c))
		case c >= 'A' && c <= 'Z':
			b.WriteByte(byte(c) + 'a' - 'A')
		case c < 0x80:
		case counts(c):
			b.WriteRune(unicode.ToLower(c))
		}
	}
	return b.String()
}

// piece is how long a stretch without white space is looked for in one, in characters:
// scripts that do not set words apart are looked for piece by piece.
const piece = 12

// wordsOf yields the folded words of a text.
func wordsOf(s string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for f := range strings.FieldsSeq(s) {
			w := fold(f)
			for w != "" {
				end, n := len(w), 0
				for i := range w {
					if n == piece {
						end = i
						break
					}
					n++
				}
				if !yield(w[:end]) {
					return
				}
				w = w[end:]
			}
		}
	}
}

// unescape resolves the escapes of JSON strings at every backslash.
func unescape(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch s[i] {
		case 'n', 'r', 't', 'b', 'f':
			b.WriteByte(' ')
		case 'u':
			r, ok := hex4(s[i+1:])
			if !ok {
				b.WriteByte('u')
				continue
			}
			i += 4
			if utf16.IsSurrogate(r) && strings.HasPrefix(s[i+1:], `\u`) {
				if low, ok := hex4(s[i+3:]); ok {
					r = utf16.DecodeRune(r, low)
					i += 6
				}
			}
			b.WriteRune(r)
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

func hex4(s string) (rune, bool) {
	if len(s) < 4 {
		return 0, false
	}
	n, err := strconv.ParseUint(s[:4], 16, 16)
	return rune(n), err == nil
}
