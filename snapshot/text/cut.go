package text

import (
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Cut is s in at most n characters. Where it shortens s, the last of these is "…", with
// no space before it.
func Cut(s string, n int) string {
	short, _ := CutCount(s, n)
	return short
}

// CutCount is [Cut] that also returns how many characters there were; 0 where it cut
// nothing.
func CutCount(s string, n int) (short string, was int) {
	if len(s) <= n {
		return s, 0
	}
	if was = utf8.RuneCountInString(s); was <= n {
		return s, 0
	}
	return strings.TrimRight(Start(s, n-1), " ") + "…", was
}

// Start is the first n characters of s, all of it where it has no more.
func Start(s string, n int) string {
	if len(s) <= n {
		return s
	}
	if n <= 0 {
		return ""
	}
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// StartBytes is the beginning of s in at most n bytes, without a part of a character at
// its end.
func StartBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	n = max(n, 0)
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// maxCharacter is how many code points one character has at most: no stack of marks on a letter makes a line endless.
const maxCharacter = 32

// Character is how many bytes of s its first character takes as a person sees it: what is joined to the code point in
// front, such as marks, the second letter of a flag and the members of a family, is not torn from it. That is a short
// form of the grapheme clusters of UAX #29. It is 0 for "".
func Character(s string) int {
	before, at := utf8.DecodeRuneInString(s)
	flag := regional(before)
	for n := 1; at < len(s) && s[at] >= utf8.RuneSelf && n < maxCharacter; n++ {
		r, size := utf8.DecodeRuneInString(s[at:])
		switch {
		case unicode.In(r, unicode.M, unicode.Join_Control), r >= 0x1F3FB && r <= 0x1F3FF, // colours of a skin
			r >= 0xE0020 && r <= 0xE007F, // tags, of a flag
			r >= 0x1160 && r <= 0x11FF && unicode.Is(unicode.Hangul, before),
			before == '\u200d' && unicode.IsSymbol(r), flag && regional(r):
		default:
			return at
		}
		flag = false
		before, at = r, at+size
	}
	return at
}

// regional reports whether r is one of the letters of which two make a flag.
func regional(r rune) bool { return unicode.Is(unicode.Regional_Indicator, r) }

// Cut16 is [Cut] in UTF-16 units, which scripts of a page count: at most n units, the last
// of which is "…" where it cut. The second result is how many there were, 0 where it cut
// nothing.
func Cut16(s string, n int) (short string, was int) {
	if len(s) <= n {
		return s, 0
	}
	if was = Units16(s); was <= n {
		return s, 0
	}
	return s[:Index16(s, n-1)] + "…", was
}

// Units16 is the length of s in UTF-16 units.
func Units16(s string) int {
	n := 0
	for _, r := range s {
		n += utf16.RuneLen(r)
	}
	return n
}

// Index16 is the byte offset of the UTF-16 unit n of s, rounded down where n falls between
// the halves of a pair: half a pair is not text.
func Index16(s string, n int) int {
	units := 0
	for i, r := range s {
		if units += utf16.RuneLen(r); units > n {
			return i
		}
	}
	return len(s)
}
