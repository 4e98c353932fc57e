package tokens

import (
	"unicode/utf16"
	"unicode/utf8"
)

// Size is how long a text is, in the units that limits are given in.
type Size struct {
	Bytes int `json:"bytes"` // of its UTF-8
	Chars int `json:"chars"` // characters: runes; a broken byte is one
	UTF16 int `json:"utf16"` // UTF-16 units, which JavaScript calls length
}

// Measure is the size of s. It takes time linear in its length.
func Measure(s string) Size {
	z := Size{Bytes: len(s)}
	for i := 0; i < len(s); {
		if s[i] < utf8.RuneSelf {
			i++
			z.Chars++
			z.UTF16++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		i += n
		z.Chars++
		z.UTF16 += utf16.RuneLen(r)
	}
	return z
}
