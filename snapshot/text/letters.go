package text

import (
	"strings"
	"unicode"
)

// Letters are the letters and digits of a text, small, with one space between words: what is
// left of a text in every dump, however it is escaped.
func Letters(s string) string {
	var b strings.Builder
	gap := false
	for _, r := range s {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			gap = b.Len() > 0
			continue
		}
		if gap {
			b.WriteByte(' ')
			gap = false
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
