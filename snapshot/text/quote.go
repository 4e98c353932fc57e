package text

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Quote is s as a JSON string in which dangerous characters are spelled out as \u202e, so
// that page text can neither close the quotes nor hide in them.
func Quote(s string) string { return string(AppendJSON(nil, s)) }

// AppendJSON appends [Quote] of s to dst. It is what encoding/json writes without HTML
// escaping, and besides spells out what a reader cannot see; a decoder gives back s exactly
// (broken bytes as U+FFFD).
func AppendJSON(dst []byte, s string) []byte {
	dst = append(dst, '"')
	if Plain(s) && !strings.ContainsAny(s, "\"\n\t") {
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
			if !Hidden(prev, r, next) {
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
