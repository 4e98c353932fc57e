// Package text makes text of a page harmless and short. Whatever shows page text outside
// Chrome goes through it: dumps, the window, the command line, reports, messages of errors.
//
// Start with [Line], which turns any text into one harmless line, [Lines], which keeps line
// breaks, [Cut], which shortens, and [Quote], which puts text into quotes. [Count] and
// [Thousands] write numbers.
//
// Page text is escaped once. What [Line] made is put into quotes by [QuoteLine]; sentences and
// reports that are put together of escaped parts go out through [EscapeOnce].
//
// There is one list of dangerous characters, [Invisible]: what draws nothing and what moves
// what a reader sees. The rules that follow from it hold everywhere:
//
//   - White space of any kind, line and paragraph separators included, becomes one space.
//     [Lines] and [Visible] keep line feeds and tabs.
//   - A dangerous character is spelled out as \u{202e}: control characters, format characters
//     (bidi controls, zero-width characters, tags, the byte order mark), invisible fillers,
//     noncharacters. Three kinds stay because words depend on them: a joiner between two
//     visible characters beyond ASCII (Persian, Indic, emoji), a variation selector after a
//     visible character, and signs such as U+06DD that are drawn. A soft hyphen is dropped.
//   - The page's own backslashes are doubled, the whole run of them, before "u{" and before
//     what is spelled out, and nowhere else. Before "u{" each pair of backslashes is then
//     one of the page, and an odd one begins a spelling, so the text can be restored.
//   - Bytes that are not UTF-8, lone surrogates among them, become U+FFFD.
package text

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Line is s as one harmless line: white space is collapsed and dangerous characters are
// spelled out.
func Line(s string) string { return Visible(CollapseSpace(s)) }

// Lines is s as harmless text of several lines: every kind of line break becomes a line
// feed, tabs stay, dangerous characters are spelled out.
func Lines(s string) string { return Visible(Breaks(s)) }

// CollapseSpace collapses white space as a page shows it: runs become one space, none at the
// ends. Soft hyphens are dropped and broken bytes become U+FFFD. The result can still hold
// dangerous characters: [Line] spells them out too.
func CollapseSpace(s string) string {
	if squashed(s) {
		return s
	}
	s = strings.ToValidUTF8(s, "\uFFFD")
	var b strings.Builder
	b.Grow(len(s))
	space := false
	for _, r := range s {
		switch {
		case r == '\u00ad':
		case unicode.IsSpace(r) || r == '\u2028' || r == '\u2029':
			space = b.Len() > 0
		default:
			if space {
				b.WriteByte(' ')
				space = false
			}
			b.WriteRune(r)
		}
	}
	return b.String()
}

// squashed reports whether s is printable ASCII with single inner spaces.
func squashed(s string) bool {
	last := byte(' ')
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c < ' ' || c > '~' || (c == ' ' && last == ' ') {
			return false
		}
		last = c
	}
	return s == "" || last != ' '
}

// Breaks keeps the lines of s and nothing else of its white space: every kind of line
// break becomes a line feed, tabs stay, other white space becomes a plain space each. The
// result can still hold dangerous characters: [Lines] spells them out too.
func Breaks(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	s = strings.ReplaceAll(s, "\r\n", "\n")
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r == '\r' || r == '\u2028' || r == '\u2029' || r == '\u0085' || r == '\v' || r == '\f':
			return '\n'
		case r == '\u00ad':
			return -1
		case unicode.IsSpace(r):
			return ' '
		}
		return r
	}, s)
}

// Visible spells dangerous characters out and changes nothing else: line feeds, tabs and
// spaces pass. Use it for text whose white space is in order already; [Line] and [Lines]
// put it in order first.
func Visible(s string) string { return spellOut(s, true) }

// EscapeOnce spells out the dangerous characters that are left in text that was put together of
// escaped parts. It doubles no backslash, so text that is escaped already stays as it is.
func EscapeOnce(s string) string { return spellOut(s, false) }

// spellOut spells dangerous characters out. Where s is not escaped yet, backslashes that could pass
// for those of a spelling are doubled.
func spellOut(s string, doubling bool) string {
	if Plain(s) {
		return s
	}
	s = strings.ToValidUTF8(s, "\uFFFD")
	var b strings.Builder
	b.Grow(len(s) + 16)
	prev, double := rune(0), false
	for i, r := range s {
		switch {
		case r == '\n' || r == '\t':
			b.WriteRune(r)
		case r == '\\':
			if doubling && prev != '\\' { // once for a run: a page may be nothing else
				double = Doubled(s[i:], spelled)
			}
			if b.WriteByte('\\'); double {
				b.WriteByte('\\')
			}
		case r < utf8.RuneSelf && r >= ' ' && r != 0x7f:
			b.WriteByte(byte(r))
		default:
			next, _ := utf8.DecodeRuneInString(s[i+utf8.RuneLen(r):])
			if spelled(prev, r, next) {
				b.WriteString(spelling(r))
			} else {
				b.WriteRune(r)
			}
		}
		prev = r
	}
	return b.String()
}

// Restored gives back the text that [Visible] was given, broken bytes as U+FFFD. A spelling that
// was cut short stays as it is.
func Restored(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		if s[i] != '\\' {
			b.WriteByte(s[i])
			i++
			continue
		}
		after := strings.TrimLeft(s[i:], `\`)
		run := len(s) - i - len(after)
		digits, spells := strings.CutPrefix(after, "u{")
		digits, _, closed := strings.Cut(digits, "}")
		r, err := strconv.ParseUint(digits, 16, 21)
		switch {
		case spells && run%2 == 0:
			b.WriteString(s[i : i+run/2])
			i += run
		case spells && closed && err == nil:
			b.WriteString(s[i : i+run/2])
			b.WriteRune(rune(r))
			i += run + len("u{}") + len(digits)
		default:
			b.WriteString(s[i : i+run])
			i += run
		}
	}
	return b.String()
}

// spelling is a character as [Visible] spells it out.
func spelling(r rune) string { return `\u{` + strconv.FormatInt(int64(r), 16) + "}" }

// spelled reports whether Visible spells r, between prev and next, as \u{…}.
func spelled(prev, r, next rune) bool { return r != '\n' && r != '\t' && Hidden(prev, r, next) }

// HasHidden reports whether [Visible] spells out any character of s.
func HasHidden(s string) bool {
	s = strings.ToValidUTF8(s, "\uFFFD")
	prev := rune(0)
	for i, r := range s {
		next, _ := utf8.DecodeRuneInString(s[i+utf8.RuneLen(r):])
		if spelled(prev, r, next) {
			return true
		}
		prev = r
	}
	return false
}

// Doubled reports whether a writer that spells characters as \u{…} doubles the run of
// backslashes that s begins with: it does before "u{" and before a character that it
// spells out, which spelled decides by the characters around it.
func Doubled(s string, spelled func(prev, r, next rune) bool) bool {
	s = strings.TrimLeft(s, `\`)
	r, size := utf8.DecodeRuneInString(s)
	next, _ := utf8.DecodeRuneInString(s[size:])
	return strings.HasPrefix(s, "u{") || size > 0 && spelled('\\', r, next)
}

// Plain reports whether s is printable ASCII, line feeds and tabs without a backslash:
// text that no writer of this package changes, white space apart.
func Plain(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; (c < ' ' && c != '\n' && c != '\t') || c > '~' || c == '\\' {
			return false
		}
	}
	return true
}

// Hidden reports whether r, between prev and next (0 for none), must be spelled out: it is
// [Invisible] and not one of those that the characters beside it depend on.
func Hidden(prev, r, next rune) bool {
	if !Invisible(r) {
		return false
	}
	switch {
	case Joiner(r):
		// An emoji may carry its variation selector before the joiner.
		left := solid(prev) || unicode.Is(unicode.Variation_Selector, prev)
		return !(left && solid(next))
	case unicode.Is(unicode.Variation_Selector, r):
		return prev == 0 || Invisible(prev) || unicode.IsSpace(prev)
	}
	return true
}

// Joiner reports whether r is the zero-width joiner or non-joiner, which scripts and emoji
// need between visible characters.
func Joiner(r rune) bool { return r == '\u200c' || r == '\u200d' }

// solid reports whether r is a visible character beyond ASCII.
func solid(r rune) bool {
	return r >= utf8.RuneSelf && r != utf8.RuneError && !Invisible(r) && !unicode.IsSpace(r)
}

// Invisible reports whether r draws nothing or changes the order of other characters. It
// is the one list of dangerous characters: controls (Cc), format characters (Cf, with bidi
// controls, zero-width characters, tags and the byte order mark), what Unicode calls
// default ignorable, variation selectors, line and paragraph separators, noncharacters and
// surrogates.
func Invisible(r rune) bool {
	if r < utf8.RuneSelf {
		return r < ' ' || r == 0x7f
	}
	switch {
	case unicode.Is(unicode.Prepended_Concatenation_Mark, r):
		return false
	case r < 0xa0, unicode.Is(unicode.Cf, r), unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r),
		unicode.Is(unicode.Variation_Selector, r), r == '\u2028', r == '\u2029', unicode.Is(unicode.Cs, r):
		return true
	}
	return r&0xfffe == 0xfffe || (r >= 0xfdd0 && r <= 0xfdef)
}

// styling finds the sequences by which programs colour what they write to a terminal.
var styling = regexp.MustCompile("\x1b\\[[0-9;]*m")

// Unstyled is s without the sequences by which programs colour what they write to a terminal.
func Unstyled(s string) string {
	if !strings.Contains(s, "\x1b[") {
		return s
	}
	return styling.ReplaceAllString(s, "")
}
