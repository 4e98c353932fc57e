package snapshot

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// cardGroups are how the digits of a card are printed: in one piece, or as here.
// Other groups are phones, dates and order numbers.
func cardGroups(total int) []string {
	switch total {
	case 14:
		return []string{"14", "4-6-4"}
	case 15:
		return []string{"15", "4-6-5"}
	case 16:
		return []string{"16", "4-4-4-4"}
	case 19:
		return []string{"19", "4-4-4-4-3", "6-13"}
	}
	return nil
}

// cardSpans are the card numbers in a run of digits with single separators, as byte
// offsets in s. A run may hold more than the number: its expiry date, its code.
func cardSpans(s string, from, to int) [][2]int {
	var groups [][2]int
	for i := from; i < to; {
		start := i
		for i < to && s[i] >= '0' && s[i] <= '9' {
			i++
		}
		if i > start {
			groups = append(groups, [2]int{start, i})
			continue
		}
		_, size := utf8.DecodeRuneInString(s[i:])
		i += size
	}
	var out [][2]int
	for a := 0; a < len(groups); a++ {
		for b := min(a+4, len(groups)-1); b >= a; b-- {
			if isCard(s, groups[a:b+1]) {
				out = append(out, [2]int{groups[a][0], groups[b][1]})
				a = b
				break
			}
		}
	}
	return out
}

// isCard reports whether groups of digits are a card number: a range and length that
// a scheme gives out, printed as cards are, with a right check digit, and no part of
// a longer word, number, path or phone number.
func isCard(s string, groups [][2]int) bool {
	var digits, form strings.Builder
	separator := ""
	for i, g := range groups {
		if i > 0 {
			between := s[groups[i-1][1]:g[0]]
			if separator != "" && between != separator {
				return false
			}
			separator = between
			form.WriteByte('-')
		}
		digits.WriteString(s[g[0]:g[1]])
		form.WriteString(strconv.Itoa(g[1] - g[0]))
	}
	d := digits.String()
	if !slices.Contains(cardGroups(len(d)), form.String()) || !inCardRange(d) || !luhn(d) {
		return false
	}
	from, to := groups[0][0], groups[len(groups)-1][1]
	if from > 0 && (wordLike(s[from-1]) || strings.IndexByte("+#/._-,", s[from-1]) >= 0) {
		return false
	}
	if to == len(s) {
		return true
	}
	if next := s[to]; wordLike(next) || next == '_' || next == '/' {
		return false
	} else if next == '.' || next == '-' || next == ',' {
		// 4111….5 and 4111…-7 go on; a full stop at the end of a sentence does not.
		return to+1 == len(s) || !wordLike(s[to+1])
	}
	return true
}

// inCardRange: the leading digits belong to a scheme that has cards of that length.
// Visa's extinct 13 digits are left out: they look like article numbers.
func inCardRange(d string) bool {
	at := func(n int) int {
		v := 0
		for _, r := range d[:n] {
			v = v*10 + int(r-'0')
		}
		return v
	}
	in := func(v, from, to int) bool { return v >= from && v <= to }
	two, three, four := at(2), at(3), at(4)
	switch len(d) {
	case 14:
		return in(three, 300, 305) || two == 36 || two == 38 || two == 39 // Diners Club
	case 15:
		return two == 34 || two == 37 // American Express
	case 16:
		return d[0] == '4' || // Visa
			in(two, 51, 55) || in(four, 2221, 2720) || // Mastercard
			in(four, 2200, 2204) || // Mir
			four == 6011 || in(three, 644, 649) || two == 65 || // Discover
			in(four, 3528, 3589) || // JCB
			two == 62 // UnionPay
	case 19:
		return two == 62
	}
	return false
}

func luhn(d string) bool {
	sum := 0
	for i := range len(d) {
		v := int(d[len(d)-1-i] - '0')
		if i%2 == 1 {
			if v *= 2; v > 9 {
				v -= 9
			}
		}
		sum += v
	}
	return sum%10 == 0
}

func wordLike(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
