package redact

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Secret is a text that is withheld whatever it looks like: the value of a password
// field, a code, what was typed into one.
type Secret struct {
	Value string // UTF-8
	// Why is the reason in the mark, a word such as password; "" if only known to be
	// withheld.
	Why string
	// Reach describes where it is looked for.
	Reach Reach
}

// Reach is where in a text a secret is looked for. Removing a common word wherever it
// occurs would reveal more by the gaps than it hides.
type Reach uint8

const (
	// Auto is Anywhere, and Word for a secret of at most 3 characters: 7 is in half of all
	// numbers.
	Auto     Reach = iota
	Whole          // only a text that is the secret and nothing else, apart from white space around it
	Word           // where it is as a word of its own
	Anywhere       // also within words
)

// shortSecret is how many characters a secret has at most to be a word under Auto.
const shortSecret = 3

// called are what fields for passwords are called: a demo's default, and no secret that its label would tell.
var called = strings.Fields("password passwort kennwort wachtwoord contraseña parola пароль lösenord")

// LooksChosen reports whether a value looks like one that somebody chose, and is no
// common word: 6 characters or more, of two kinds, letters of English and others too. The collector has the same rule.
func LooksChosen(s string) bool {
	if utf8.RuneCountInString(s) < 6 || slices.Contains(called, strings.ToLower(s)) {
		return false
	}
	var small, capital, digit, other, english, foreign int
	for _, c := range s {
		if unicode.IsLetter(c) && c < utf8.RuneSelf {
			english = 1
		} else if unicode.IsLetter(c) {
			foreign = 1
		}
		switch {
		case unicode.IsLower(c):
			small = 1
		case unicode.IsUpper(c):
			capital = 1
		case unicode.IsDigit(c):
			digit = 1
		default:
			other = 1
		}
	}
	return small+capital+digit+other+english*foreign >= 2
}

// whyCode is why the value of a field for one-time codes is withheld.
const whyCode = "one-time code"

// looksCode reports whether the value of a field for one-time codes is one by its looks: 4 to
// 12 letters and digits, a digit among them, and no year. The collector has the same rule.
func looksCode(s string) bool {
	digits := 0
	for i := range len(s) {
		c := s[i]
		switch {
		case c >= '0' && c <= '9':
			digits++
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z':
		default:
			return false
		}
	}
	year := len(s) == 4 && digits == 4 && (strings.HasPrefix(s, "19") || strings.HasPrefix(s, "20"))
	return len(s) >= 4 && len(s) <= 12 && digits > 0 && !year
}

// Learned is the value of a field as a secret: anywhere where it looks chosen, as a word where
// it is a one-time code, otherwise only as a whole.
func Learned(value, why string) Secret {
	s := Secret{Value: strings.TrimSpace(value), Why: why, Reach: Whole}
	switch {
	case LooksChosen(s.Value):
		s.Reach = Anywhere
	case why == whyCode && looksCode(s.Value):
		s.Reach = Word
	}
	return s
}

// Add adds a secret to a list unless it is in it, is empty or is a mark; the longest
// first: one may hold another.
func Add(list []Secret, s Secret) []Secret {
	if s.Value == "" || IsMark(s.Value) || slices.ContainsFunc(list,
		func(t Secret) bool { return t.Value == s.Value }) {
		return list
	}
	at, _ := slices.BinarySearchFunc(list, len(s.Value), func(t Secret, n int) int {
		if len(t.Value) >= n {
			return -1
		}
		return 1
	})
	return slices.Insert(list, at, s)
}

// each calls see with each place in the text where the secret is looked for and occurs.
func (s Secret) each(text string, see func(from, to int)) {
	if s.Value == "" {
		return
	}
	word := s.Reach == Word || s.Reach == Auto && utf8.RuneCountInString(s.Value) <= shortSecret
	first, _ := utf8.DecodeRuneInString(s.Value)
	last, _ := utf8.DecodeLastRuneInString(s.Value)
	for at := 0; ; {
		i := strings.Index(text[at:], s.Value)
		if i < 0 {
			return
		}
		from, to := at+i, at+i+len(s.Value)
		at = to
		switch {
		case word && (wordRune(first) && wordBefore(text[:from]) || wordRune(last) && wordAfter(text[to:])):
			_, size := utf8.DecodeRuneInString(text[from:])
			at = from + size
		case s.Reach == Whole && (strings.TrimSpace(text[:from]) != "" || strings.TrimSpace(text[to:]) != ""):
			return
		default:
			see(from, to)
		}
	}
}

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

func wordBefore(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return wordRune(r)
}

func wordAfter(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return wordRune(r)
}
