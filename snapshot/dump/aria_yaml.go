package dump

import (
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/refscope/refscope/snapshot/text"
	"unicode/utf8"
)

// Strings of the aria format as YAML 1.2 takes them: always in double quotes in the
// default, only where needed in Playwright's profile.

// appendYAML appends s as a YAML string in double quotes: a JSON string, but for
// characters beyond U+FFFF that are spelled out, which YAML does not take in halves.
func appendYAML(dst []byte, s string) []byte {
	q := text.AppendJSON(nil, s)
	for i := 0; i < len(q); i++ {
		if q[i] != '\\' {
			dst = append(dst, q[i])
			continue
		}
		if i+11 < len(q) && q[i+1] == 'u' && q[i+6] == '\\' && q[i+7] == 'u' {
			hi, err1 := strconv.ParseUint(string(q[i+2:i+6]), 16, 32)
			lo, err2 := strconv.ParseUint(string(q[i+8:i+12]), 16, 32)
			if r := utf16.DecodeRune(rune(hi), rune(lo)); err1 == nil && err2 == nil && r != utf8.RuneError {
				dst = append(dst, `\U`...)
				dst = hex4(hex4(dst, r>>16), r)
				i += 11
				continue
			}
		}
		dst = append(dst, q[i], q[i+1])
		i++
	}
	return dst
}

// bareRegex reports whether a name is printed as a regular expression would be: /…/
// with nothing inside that ends it.
func bareRegex(s string) bool {
	if len(s) < 2 || s[0] != '/' || s[len(s)-1] != '/' {
		return false
	}
	return !strings.ContainsAny(s[1:len(s)-1], `"'[]/\ `) && text.Plain(s)
}

// playScalar is a text as a YAML value.
func playScalar(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if !needsQuotes(s) && text.Visible(s) == s {
		return s
	}
	q := appendYAML(nil, s)
	out := q[:0:0]
	for i := 0; i < len(q); i++ {
		switch {
		case q[i] != '\\':
			out = append(out, q[i])
		case q[i+1] == 'u' && q[i+2] == '0' && q[i+3] == '0':
			out = append(out, '\\', 'x', q[i+4], q[i+5])
			i += 5
		default:
			out = append(out, q[i], q[i+1])
			i++
		}
	}
	return string(out)
}

// needsQuotes reports whether YAML would take the text for something else than it is.
func needsQuotes(s string) bool {
	if s == "" || strings.TrimSpace(s) != s {
		return true
	}
	if strings.ContainsRune("-&*],?!>|@\"'#%[", rune(s[0])) || strings.ContainsAny(s, "{}`\n\r") {
		return true
	}
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c < ' ' || c == 0x7f:
			return true
		case c == ':' && (i+1 == len(s) || s[i+1] == ' ' || s[i+1] == '\t'):
			return true
		case c == '#' && i > 0 && (s[i-1] == ' ' || s[i-1] == '\t'):
			return true
		}
	}
	switch strings.ToLower(s) {
	case "y", "n", "yes", "no", "true", "false", "on", "off", "null", "~":
		return true
	}
	return numeric(s)
}

// numeric reports whether YAML, or the JavaScript that reads it back, takes the text
// for a number.
func numeric(s string) bool {
	switch strings.ToLower(strings.TrimLeft(s, "+-")) {
	case "infinity", ".inf", ".nan", "nan":
		return true
	}
	if _, err := strconv.ParseFloat(s, 64); err == nil {
		return true
	}
	_, err := strconv.ParseInt(s, 0, 64)
	return err == nil
}
