package relevance

import (
	"unicode"
)

// split splits a text into lower-case words, in any script.
//
//   - A word is a run of letters, marks and digits. A combining mark belongs to
//     the letter before it.
//   - Scripts that write no spaces between words (Chinese, Japanese kana, Thai, Lao,
//     Khmer, Burmese) give each pair of neighbouring letters, the usual substitute for
//     words in retrieval, and a letter that is alone. A combining mark
//     is no letter of its own there.
//   - Digits are apart from letters, so that "G7" and "7" meet; a decimal sign
//     between digits stays: 3.50.
//
// Letters are compared without regard to case and otherwise as they are: an é that
// is written as one character does not equal e with a combining accent.
func split(s string) []string {
	var out []string
	var word []rune
	var pair []rune // letters of an unspaced run
	kind := other
	flush := func() {
		switch {
		case kind == unspaced && len(pair) == 1:
			out = append(out, string(pair))
		case kind == unspaced:
			for i := range len(pair) - 1 {
				out = append(out, string(pair[i:i+2]))
			}
		case len(word) > 0:
			out = append(out, string(word))
		}
		word, pair = word[:0], pair[:0]
	}
	rs := []rune(s)
	for i, r := range rs {
		k := kindOf(r)
		if k == mark {
			if kind == spaced {
				word = append(word, r)
			}
			continue
		}
		if k == other && kind == digit && (r == '.' || r == ',') && i+1 < len(rs) && kindOf(rs[i+1]) == digit {
			word = append(word, r)
			continue
		}
		if k != kind {
			flush()
			kind = k
		}
		switch k {
		case unspaced:
			pair = append(pair, r)
		case spaced, digit:
			word = append(word, unicode.ToLower(unicode.ToUpper(r)))
		}
	}
	flush()
	return out
}

// kinds of characters.
const (
	other = iota
	spaced
	unspaced
	digit
	mark
)

func kindOf(r rune) int {
	if r < 0x80 {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z':
			return spaced
		case r >= '0' && r <= '9':
			return digit
		}
		return other
	}
	switch {
	case unicode.Is(unicode.M, r):
		return mark
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer,
		unicode.Myanmar) && unicode.IsLetter(r):
		return unspaced
	case unicode.IsDigit(r):
		return digit
	case unicode.IsLetter(r):
		return spaced
	}
	return other
}
