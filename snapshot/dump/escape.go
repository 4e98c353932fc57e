package dump

import (
	"strings"

	"github.com/refscope/refscope/snapshot/text"
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

// Printable is [text.Line].
func Printable(s string) string { return text.Line(s) }

// PrintableLines is [text.Lines].
func PrintableLines(s string) string { return text.Lines(s) }

// AppendJSON is [text.AppendJSON].
func AppendJSON(dst []byte, s string) []byte { return text.AppendJSON(dst, s) }

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

func hex4(dst []byte, r rune) []byte {
	const digits = "0123456789abcdef"
	return append(dst, digits[r>>12&15], digits[r>>8&15], digits[r>>4&15], digits[r&15])
}
