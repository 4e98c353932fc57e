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
