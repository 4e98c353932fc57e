package text

import (
	"strconv"
	"strings"
)

// Thousands writes n with a comma after every three digits: 12,000.
func Thousands(n int) string {
	s := strconv.Itoa(n)
	first := 0
	if n < 0 {
		first = 1
	}
	for i := len(s) - 3; i > first; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Percent is a share of 0 to 1 in whole percent. A part is neither 0 % nor 100 %: those are none and all, to 0.05 %.
func Percent(share float64) string {
	switch {
	case share > 0 && share < 0.005:
		return "<1 %"
	case share >= 0.995 && share < 0.9995:
		return "99 %"
	}
	return strconv.FormatFloat(share*100, 'f', 0, 64) + " %"
}

// Count is a number and its noun: "1 turn", "2,000 turns".
func Count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Thousands(n) + " " + many
}

// Article is a word or words behind "a" or "an", by the first letter.
func Article(words string) string {
	if words != "" && strings.ContainsRune("aeioAEIO", rune(words[0])) {
		return "an " + words
	}
	return "a " + words
}
