package text

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Quote is s as a JSON string in which dangerous characters are spelled out as \u202e, so
// that page text can neither close the quotes nor hide in them.
func Quote(s string) string { return string(AppendJSON(nil, s)) }

// QuoteLine is [Quote] of the text that [Line] made s of: what is spelled out in s is escaped once in the
// quotes too.
func QuoteLine(s string) string { return Quote(Restored(s)) }

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
			dst = escape(dst, r)
		}
		prev = r
	}
	return append(dst, '"')
}

// JSON escapes the dangerous characters of a JSON document as [Quote] does, so that it is
// the same to a decoder and hides nothing from a reader. Such characters are in its strings
// only.
func JSON(doc string) string {
	if Plain(doc) {
		return doc
	}
	doc = strings.ToValidUTF8(doc, "\uFFFD")
	out := make([]byte, 0, len(doc)+16)
	prev := rune(0)
	for i, r := range doc {
		next, _ := utf8.DecodeRuneInString(doc[i+utf8.RuneLen(r):])
		if spelled(prev, r, next) {
			out = escape(out, r)
		} else {
			out = utf8.AppendRune(out, r)
		}
		prev = r
	}
	return string(out)
}

// escape appends a character as JSON spells it by number.
func escape(dst []byte, r rune) []byte {
	if hi, lo := utf16.EncodeRune(r); hi != utf8.RuneError {
		dst = append(hex4(append(dst, '\\', 'u'), hi), '\\', 'u')
		return hex4(dst, lo)
	}
	return hex4(append(dst, '\\', 'u'), r)
}

func hex4(dst []byte, r rune) []byte {
	const digits = "0123456789abcdef"
	return append(dst, digits[r>>12&15], digits[r>>8&15], digits[r>>4&15], digits[r&15])
}

// Cell is a text as one harmless cell of a table for spreadsheets: one that they would take for a formula begins with
// an apostrophe.
func Cell(s string) string {
	s = Line(s)
	if s != "" && strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		return "'" + s
	}
	return s
}

// ShellQuote is s as one word of a POSIX shell, in single quotes. It keeps every character
// but NUL; mvdan.cc/sh's Quote is not used because it refuses what a POSIX shell has no
// escape for, such as a zero-width space, and escapes each quote of a JSON body.
func ShellQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// ShellWord is [ShellQuote] where s needs it, else s.
func ShellWord(s string) string {
	special := func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') &&
			!strings.ContainsRune("-_./:=@%+,", r)
	}
	if s == "" || strings.IndexFunc(s, special) >= 0 {
		return ShellQuote(s)
	}
	return s
}
