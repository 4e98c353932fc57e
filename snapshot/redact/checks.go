package redact

// What a match must satisfy besides its pattern: "card" is a number that a card scheme
// gives out, with its Luhn digit; "mixed" has letters and digits; "varied" has small and
// capital letters and digits, as random keys have; "password" is no word of a sentence;
// "iban" and "phone" have the right length, and the first its check digits. "code" is one for one time. "query", "body"
// and "said" are of patterns with two groups: the first is a name, which must be that of a secret there; of "said", its
// value must look like one.

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// cardGroups are how the digits of a card are printed: in one piece, or as here.
// Other groups are phones, dates and order numbers.
func cardGroups(total int) []string {
	switch total {
	case 13:
		return []string{"13", "4-3-3-3"}
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

// escapedSpace is a space in an address. Its digits are none of a number.
const escapedSpace = "%20"

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
		if strings.HasPrefix(s[i:], escapedSpace) {
			size = len(escapedSpace)
		}
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
	if !slices.Contains(cardGroups(len(d)), form.String()) || !inCardRange(d) || !luhn(d) ||
		len(d) == 13 && len(groups) == 1 && articleNumber(d) {
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
		// 4111….5 and 4111…-7 continue; a full stop at the end of a sentence does not.
		return to+1 == len(s) || !wordLike(s[to+1])
	}
	return true
}

// articleNumber reports whether 13 digits are an article number with its check digit (GS1,
// EAN-13). One in ten of Visa's old 13 digits is one, too, and stays.
func articleNumber(d string) bool {
	sum := 0
	for i := range len(d) {
		sum += int(d[i]-'0') * (1 + 2*(i%2))
	}
	return sum%10 == 0
}

// inCardRange: the leading digits belong to a scheme that has cards of that length.
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
	case 13:
		return d[0] == '4' // Visa, until the nineties
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

func passesCheck(check, match string) bool {
	small, capital, digit := kinds(match)
	switch check {
	case "mixed":
		return digit && (small || capital)
	case "varied":
		return digit && small && capital
	case "password":
		return (small || capital) && (digit || strings.ContainsAny(match, "!#$%^&*@+~")) &&
			!strings.ContainsAny(match, "()[]{}|") && match[0] != '@'
	case "code":
		return looksCode(strings.NewReplacer("-", "", " ", "").Replace(match))
	case "iban":
		return iban(match)
	case "phone":
		return phone(match)
	}
	return true
}

// passesNamed is passesCheck for a name and its value.
func passesNamed(check, name, value string) bool {
	switch check {
	case "query":
		return SecretName(unescaped(name), InQuery) != ""
	case "said":
		return saidSecret(SecretName(name, InBody), value)
	}
	return SecretName(name, InBody) != ""
}

// unescaped is the name of a parameter or a form's field without its percent-encoding (RFC 3986, section 2.1).
func unescaped(name string) string {
	if !strings.Contains(name, "%") {
		return name
	}
	if plain, err := url.PathUnescape(name); err == nil {
		return plain
	}
	return name
}

// saidSecret reports whether a text says what a secret is: "otp=834921", but not "token: string".
func saidSecret(kind, value string) bool {
	small, capital, digit := kinds(value)
	switch kind {
	case "":
		return false
	case whyCode, whyCard:
		if looksCode(value) && len(value) <= 10 {
			return true
		}
	}
	return digit && (small || capital) && len(value) >= 6 && !strings.ContainsAny(value, "()[]{}|<>")
}

// kinds reports which letters and digits of ASCII a text has.
func kinds(s string) (small, capital, digit bool) {
	for _, c := range s {
		switch {
		case c >= 'a' && c <= 'z':
			small = true
		case c >= 'A' && c <= 'Z':
			capital = true
		case c >= '0' && c <= '9':
			digit = true
		}
	}
	return small, capital, digit
}

func countDigits(s string) int {
	n := 0
	for i := range len(s) {
		if s[i] >= '0' && s[i] <= '9' {
			n++
		}
	}
	return n
}

// ibanLength is the length of an IBAN of a country, 0 for none (ISO 13616 registry, release 99).
func ibanLength(country string) int {
	for _, of := range [...]struct {
		length    int
		countries string
	}{
		{15, "NO"}, {16, "BE"}, {18, "DK FO FI GL NL SD FK"}, {19, "MK SI"}, {20, "AT BA EE KZ LT LU XK MN"},
		{21, "CH HR LI LV"}, {22, "BG BH CR DE GB GE IE ME RS VA"}, {23, "AE GI IL IQ TL SO OM"},
		{24, "AD CZ ES MD PK RO SA SE SK TN VG"}, {25, "LY PT ST"}, {26, "IS TR"}, {27, "BI DJ FR GR IT MC MR SM"},
		{28, "AL AZ BY CY DO GT HU LB NI PL SV"}, {29, "BR EG PS QA UA"}, {30, "JO KW MU YE"}, {31, "MT SC"},
		{32, "LC"}, {33, "RU"},
	} {
		if strings.Contains(of.countries, country) {
			return of.length
		}
	}
	return 0
}

// iban checks length and check digits: moved to the end and letters read as 10 to 35,
// the number leaves 1 when divided by 97.
func iban(s string) bool {
	var b []byte
	for i := range len(s) {
		if s[i] != ' ' {
			b = append(b, s[i])
		}
	}
	if len(b) < 5 || ibanLength(string(b[:2])) != len(b) {
		return false
	}
	rest := 0
	for _, c := range append(b[4:len(b):len(b)], b[:4]...) {
		if c >= 'A' {
			rest = (rest*100 + int(c-'A') + 10) % 97
		} else {
			rest = (rest*10 + int(c-'0')) % 97
		}
	}
	return rest == 1
}

// phone: 8 to 15 digits (E.164), not all the same.
func phone(s string) bool {
	n, same := 0, true
	var first byte
	for i := range len(s) {
		if s[i] >= '0' && s[i] <= '9' {
			if n == 0 {
				first = s[i]
			}
			same = same && s[i] == first
			n++
		}
	}
	return n >= 8 && n <= 15 && !same
}
