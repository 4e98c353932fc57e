package dump

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// How page text is made safe. The rules hold in every format; the line formats
// add guard, the JSON formats AppendJSON.
//
//   - White space of any kind, line and paragraph separators included, becomes
//     one space; inside pre, line feeds and tabs stay.
//   - What a reader cannot see or what reorders what a reader sees is spelled out
//     as \u{202e}: control characters, format characters (bidi controls, zero-width
//     characters, tags), invisible fillers, noncharacters. Backslashes of the page
//     are doubled, the whole run of them, before "u{" and before what is spelled out,
//     and nowhere else. So the spelling is never ambiguous: before "u{", each pair of
//     backslashes is one of the page, and an odd one begins a spelling. Three kinds stay
//     because words depend on them: a joiner between two visible non-ASCII
//     characters (Persian, Indic, emoji), a variation selector after a visible
//     character, and signs such as U+06DD that are drawn. A soft hyphen is dropped.
//   - Bytes that are not UTF-8, lone surrogates among them, become U+FFFD.

// Printable is page text as one line for people, wherever it is shown besides a
// dump: a title, an address, a line of the console. White space is collapsed and
// what cannot be seen is spelled out.
func Printable(s string) string { return printable(squash(s)) }

// PrintableLines is the same for text of several lines, whose line breaks and tabs
// stay.
func PrintableLines(s string) string { return printable(lines(s)) }

// Squash collapses white space as a page shows it: runs become one space, none
// at the ends. Soft hyphens are dropped and broken bytes become U+FFFD.
func squash(s string) string {
	if squashed(s) {
		return s
	}
	s = strings.ToValidUTF8(s, "\uFFFD")
	var b strings.Builder
	b.Grow(len(s))
	space := false
	for _, r := range s {
		switch {
		case r == '\u00ad':
		case unicode.IsSpace(r) || r == '\u2028' || r == '\u2029':
			space = b.Len() > 0
		default:
			if space {
				b.WriteByte(' ')
				space = false
			}
			b.WriteRune(r)
		}
	}
	return b.String()
}

// squashed reports whether s is printable ASCII with single inner spaces.
func squashed(s string) bool {
	last := byte(' ')
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c < ' ' || c > '~' || (c == ' ' && last == ' ') {
			return false
		}
		last = c
	}
	return s == "" || last != ' '
}

// lines keeps line feeds and tabs, for pre: every kind of line break becomes a
// line feed, other white space is kept as a plain space.
func lines(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	s = strings.ReplaceAll(s, "\r\n", "\n")
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r == '\r' || r == '\u2028' || r == '\u2029' || r == '\u0085' || r == '\v' || r == '\f':
			return '\n'
		case r == '\u00ad':
			return -1
		case unicode.IsSpace(r):
			return ' '
		}
		return r
	}, s)
}

// printable spells out what cannot be seen. Line feeds and tabs pass: callers
// have squashed them or want them.
func printable(s string) string {
	if plain(s) {
		return s
	}
	s = strings.ToValidUTF8(s, "\uFFFD")
	var b strings.Builder
	b.Grow(len(s) + 16)
	prev, double := rune(0), false
	for i, r := range s {
		switch {
		case r == '\n' || r == '\t':
			b.WriteRune(r)
		case r == '\\':
			if prev != '\\' { // once for a run: a page may be nothing else
				double = doubled(s[i:], spelled)
			}
			if b.WriteByte('\\'); double {
				b.WriteByte('\\')
			}
		case r < utf8.RuneSelf && r >= ' ' && r != 0x7f:
			b.WriteByte(byte(r))
		default:
			next, _ := utf8.DecodeRuneInString(s[i+utf8.RuneLen(r):])
			if spelled(prev, r, next) {
				b.WriteString(`\u{` + strconv.FormatInt(int64(r), 16) + "}")
			} else {
				b.WriteRune(r)
			}
		}
		prev = r
	}
	return b.String()
}

// spelled reports whether printable spells r, between prev and next, as \u{…}.
func spelled(prev, r, next rune) bool { return r != '\n' && r != '\t' && hidden(prev, r, next) }

// doubled reports whether the backslashes that s begins with stand before "u{" or
// before a character that is spelled out.
func doubled(s string, spelled func(prev, r, next rune) bool) bool {
	s = strings.TrimLeft(s, `\`)
	r, size := utf8.DecodeRuneInString(s)
	next, _ := utf8.DecodeRuneInString(s[size:])
	return strings.HasPrefix(s, "u{") || size > 0 && spelled('\\', r, next)
}

// plain reports whether s is printable ASCII without a backslash.
func plain(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; (c < ' ' && c != '\n' && c != '\t') || c > '~' || c == '\\' {
			return false
		}
	}
	return true
}

// hidden reports whether r, between prev and next, must be spelled out.
func hidden(prev, r, next rune) bool {
	if !invisible(r) {
		return false
	}
	switch {
	case r == '\u200c' || r == '\u200d':
		// An emoji may carry its variation selector before the joiner.
		left := solid(prev) || unicode.Is(unicode.Variation_Selector, prev)
		return !(left && solid(next))
	case unicode.Is(unicode.Variation_Selector, r):
		return prev == 0 || invisible(prev) || unicode.IsSpace(prev)
	}
	return true
}

// solid is a visible character that is not ASCII.
func solid(r rune) bool {
	return r >= 0x80 && r != utf8.RuneError && !invisible(r) && !unicode.IsSpace(r)
}

// invisible reports whether the character draws nothing or changes the order of
// others.
func invisible(r rune) bool {
	if r < utf8.RuneSelf {
		return r < ' ' || r == 0x7f
	}
	switch {
	case unicode.Is(unicode.Prepended_Concatenation_Mark, r):
		return false
	case r < 0xa0, unicode.Is(unicode.Cf, r), unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r),
		unicode.Is(unicode.Variation_Selector, r), r == '\u2028', r == '\u2029':
		return true
	}
	return r&0xfffe == 0xfffe || (r >= 0xfdd0 && r <= 0xfdef)
}

// escapeText makes s safe between tags. & is escaped only where it would read as
// one of our own escapes, so that "AT&T" stays as it is.
func escapeText(s string) string {
	if !strings.ContainsAny(s, "<>&") {
		return s
	}
	return escape(s, false)
}

// escapeAttr makes s safe between double quotes.
func escapeAttr(s string) string {
	if !strings.ContainsAny(s, `<>&"`) {
		return s
	}
	return escape(s, true)
}

func escape(s string, quote bool) string {
	var b strings.Builder
	b.Grow(len(s) + 16)
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '<':
			b.WriteString("&lt;")
		case c == '>':
			b.WriteString("&gt;")
		case c == '"' && quote:
			b.WriteString("&quot;")
		case c == '&' && entity(s[i:]):
			b.WriteString("&amp;")
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

func entity(s string) bool {
	return strings.HasPrefix(s, "&lt;") || strings.HasPrefix(s, "&gt;") ||
		strings.HasPrefix(s, "&quot;") || strings.HasPrefix(s, "&amp;")
}

// AppendJSON appends s as a JSON string. It is what encoding/json writes without
// HTML escaping, and besides spells out as \u202e what a reader cannot see, so a
// decoder gives back s exactly (broken bytes as U+FFFD).
func AppendJSON(dst []byte, s string) []byte {
	dst = append(dst, '"')
	if plain(s) && !strings.ContainsAny(s, "\"\n\t") {
		dst = append(dst, s...)
		return append(dst, '"')
	}
	s = strings.ToValidUTF8(s, "\uFFFD")
	prev := rune(0)
	for i, r := range s {
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r == '\n':
			dst = append(dst, '\\', 'n')
		case r == '\t':
			dst = append(dst, '\\', 't')
		case r == '\r':
			dst = append(dst, '\\', 'r')
		case r >= ' ' && r < 0x7f:
			dst = append(dst, byte(r))
		default:
			next, _ := utf8.DecodeRuneInString(s[i+utf8.RuneLen(r):])
			if !hidden(prev, r, next) {
				dst = utf8.AppendRune(dst, r)
				break
			}
			if hi, lo := utf16.EncodeRune(r); hi != utf8.RuneError {
				dst = append(hex4(append(dst, '\\', 'u'), hi), '\\', 'u')
				dst = hex4(dst, lo)
			} else {
				dst = hex4(append(dst, '\\', 'u'), r)
			}
		}
		prev = r
	}
	return append(dst, '"')
}

func hex4(dst []byte, r rune) []byte {
	const digits = "0123456789abcdef"
	return append(dst, digits[r>>12&15], digits[r>>8&15], digits[r>>4&15], digits[r&15])
}

// cut shortens s to n characters, the last of which is then "…". It says how
// many there were, and whether it did anything.
func cut(s string, n int) (short string, was int, did bool) {
	if len(s) <= n {
		return s, 0, false
	}
	was = utf8.RuneCountInString(s)
	if was <= n {
		return s, was, false
	}
	i := 0
	for range n - 1 {
		_, size := utf8.DecodeRuneInString(s[i:])
		i += size
	}
	return strings.TrimRight(s[:i], " ") + "…", was, true
}

// cut16 is cut in UTF-16 units, which the originals count.
func cut16(s string, n int) (short string, was int, did bool) {
	if len(s) <= n {
		return s, 0, false
	}
	if was = units16(s); was <= n {
		return s, was, false
	}
	return s[:index16(s, n-1)] + "…", was, true
}

// units16 is the length of s in UTF-16 units.
func units16(s string) int {
	n := 0
	for _, r := range s {
		n += utf16.RuneLen(r)
	}
	return n
}

// index16 is the byte offset of the UTF-16 unit n, rounded down where n falls
// between the halves of a pair: half a pair is not text.
func index16(s string, n int) int {
	units := 0
	for i, r := range s {
		if units += utf16.RuneLen(r); units > n {
			return i
		}
	}
	return len(s)
}
