package tokens

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Splitting: o200k_base cuts a text into pieces before it looks for tokens, and no
// token reaches from one piece into the next. The published pattern
// (tiktoken_ext/openai_public.py) has these alternatives, of which the first one
// that matches wins:
//
//	[^\r\n\p{L}\p{N}]? U* L+ contraction?      a word that ends in small letters
//	[^\r\n\p{L}\p{N}]? U+ L* contraction?      a word in capitals
//	\p{N}{1,3}                                 up to three digits
//	 ?[^\s\p{L}\p{N}]+[\r\n/]*                 signs, with the line breaks after them
//	\s*[\r\n]+                                 white space up to its last line break
//	\s+(?!\S)                                  white space, but for the last one before a word
//	\s+
//
//	U = [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]   L = [\p{Ll}\p{Lm}\p{Lo}\p{M}]
//	contraction = (?i:'s|'t|'re|'ve|'m|'ll|'d)
//
// Each is a loop over the characters that looks at none of them more than three
// times before it consumes it.

// class is the class of a character in the pattern.
type class uint8

const (
	capital class = 1 << iota // U
	small                     // L
	letter                    // \p{L}
	number                    // \p{N}
	space                     // \s
	breaks                    // \r and \n
)

func classOf(r rune) class {
	if r < utf8.RuneSelf {
		switch {
		case r >= 'a' && r <= 'z':
			return small | letter
		case r >= 'A' && r <= 'Z':
			return capital | letter
		case r >= '0' && r <= '9':
			return number
		case r == '\r' || r == '\n':
			return space | breaks
		case r == ' ' || r >= '\t' && r <= '\f':
			return space
		}
		return 0
	}
	switch {
	case unicode.Is(unicode.Lo, r), unicode.Is(unicode.Lm, r):
		return capital | small | letter
	case unicode.Is(unicode.Ll, r):
		return small | letter
	case unicode.Is(unicode.Lu, r), unicode.Is(unicode.Lt, r):
		return capital | letter
	case unicode.Is(unicode.M, r):
		return capital | small
	case unicode.Is(unicode.N, r):
		return number
	case unicode.IsSpace(r):
		return space
	}
	return 0
}

// split is the length in bytes of the piece that s begins with. s must not be
// empty and must be valid UTF-8.
func split(s string) int {
	r, size := utf8.DecodeRuneInString(s)
	k := classOf(r)
	// A word, perhaps with one character before it that is neither letter nor
	// digit nor line break.
	if k&(letter|number|breaks) == 0 {
		if n := word(s[size:]); n > 0 {
			return size + n
		}
	}
	if k&(capital|small) != 0 {
		if n := word(s); n > 0 {
			return n
		}
	}
	switch {
	case k&number != 0:
		return size + runOf(s[size:], 2, func(k class) bool { return k&number != 0 })
	case k&space == 0:
		return signs(s)
	case r == ' ':
		if n := signs(s[1:]); n > 0 {
			return 1 + n
		}
	}
	return blank(s)
}

// runOf is the length in bytes of the at most max characters that s begins with
// and that are of the class.
func runOf(s string, max int, is func(class) bool) int {
	end := 0
	for range max {
		r, size := utf8.DecodeRuneInString(s[end:])
		if size == 0 || !is(classOf(r)) {
			break
		}
		end += size
	}
	return end
}

// word is the length of the word that s begins with, 0 for none.
func word(s string) int {
	// U* as far as it goes; both is where its last character that is in L begins.
	caps, both := 0, -1
	for caps < len(s) {
		r, size := utf8.DecodeRuneInString(s[caps:])
		k := classOf(r)
		if k&capital == 0 {
			break
		}
		if k&small != 0 {
			both = caps
		}
		caps += size
	}
	end := caps
	for end < len(s) {
		r, size := utf8.DecodeRuneInString(s[end:])
		if classOf(r)&small == 0 {
			break
		}
		end += size
	}
	if end == caps && both >= 0 {
		// L+ found nothing after the capitals: U* gives back what L+ needs. The
		// characters after it are capitals only, so the word ends with it.
		_, size := utf8.DecodeRuneInString(s[both:])
		end = both + size
	}
	if end == 0 {
		return 0
	}
	return end + contraction(s[end:])
}

func contraction(s string) int {
	if len(s) < 2 || s[0] != '\'' {
		return 0
	}
	r, size := utf8.DecodeRuneInString(s[1:])
	switch unicode.ToLower(r) {
	case 's', 'ſ', 't', 'm', 'd': // ſ folds to s
		return 1 + size
	}
	if len(s) >= 3 {
		switch strings.ToLower(s[1:3]) {
		case "re", "ve", "ll":
			return 3
		}
	}
	return 0
}

// signs are characters that are neither white space nor letters nor digits, with
// the line breaks and slashes after them; 0 for none.
func signs(s string) int {
	end := 0
	for end < len(s) {
		r, size := utf8.DecodeRuneInString(s[end:])
		if classOf(r)&(space|letter|number) != 0 {
			break
		}
		end += size
	}
	if end == 0 {
		return 0
	}
	for end < len(s) && (s[end] == '\r' || s[end] == '\n' || s[end] == '/') {
		end++
	}
	return end
}

// blank is white space: up to its last line break where it has one, else all of
// it, but for the last character where something follows and there are several.
func blank(s string) int {
	end, last, line := 0, 0, 0
	for end < len(s) {
		r, size := utf8.DecodeRuneInString(s[end:])
		k := classOf(r)
		if k&space == 0 {
			break
		}
		last = end
		end += size
		if k&breaks != 0 {
			line = end
		}
	}
	switch {
	case line > 0:
		return line
	case end < len(s) && last > 0:
		return last
	}
	return end
}
