package core

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Plain makes text of a page safe to show in one line: white space of every kind
// becomes one blank, control, format and direction characters and bytes that are
// not UTF-8 become visible escapes such as \u202e, and what is longer than limit
// runes ends in "…". A limit of 0 means no limit. A page can thus neither turn a
// sentence of the window around nor make a texture that the screen cannot show.
func Plain(s string, limit int) string {
	var b strings.Builder
	n, blank := 0, false
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		raw := s[i]
		i += size
		var piece string
		switch {
		case r == utf8.RuneError && size == 1:
			piece = fmt.Sprintf(`\x%02x`, raw)
		case unicode.IsSpace(r):
			blank = b.Len() > 0
			continue
		case Joins(r):
			piece = string(r)
		case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs, unicode.Zl, unicode.Zp):
			if r > 0xffff {
				piece = fmt.Sprintf(`\U%08x`, r)
			} else {
				piece = fmt.Sprintf(`\u%04x`, r)
			}
		default:
			piece = string(r)
		}
		if blank {
			piece, blank = " "+piece, false
		}
		if n += utf8.RuneCountInString(piece); limit > 0 && n > limit {
			b.WriteString("…")
			break
		}
		b.WriteString(piece)
	}
	return b.String()
}

// Joins reports whether a format character is one that scripts and emoji need and
// that cannot change the direction of what stands around it.
func Joins(r rune) bool { return r == 0x200c || r == 0x200d }

// Thousands writes a count with a comma after every three digits.
func Thousands(n int) string {
	s := fmt.Sprint(n)
	start := 0
	if n < 0 {
		start = 1
	}
	for i := len(s) - 3; i > start; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Plural is a count and its noun: "1 turn", "2 turns".
func Plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Thousands(n) + " " + many
}
