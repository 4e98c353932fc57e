package dddk

import "strings"

// escapeText makes s safe between tags. & is escaped only where it would read as
// one of our own escapes, so that "AT&T" stays as it is.
func escapeText(s string) string {
	if !strings.ContainsAny(s, "<>&") {
		return s
	}
	return escape(s, false)
}

// escapeAttr makes s safe between double quotes.
func escapeAttr(s string) string {
	if !strings.ContainsAny(s, `<>&"`) {
		return s
	}
	return escape(s, true)
}

func escape(s string, quote bool) string {
	var b strings.Builder
	b.Grow(len(s) + 16)
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '<':
			b.WriteString("&lt;")
		case c == '>':
			b.WriteString("&gt;")
		case c == '"' && quote:
			b.WriteString("&quot;")
		case c == '&' && entity(s[i:]):
			b.WriteString("&amp;")
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

func entity(s string) bool {
	return strings.HasPrefix(s, "&lt;") || strings.HasPrefix(s, "&gt;") ||
		strings.HasPrefix(s, "&quot;") || strings.HasPrefix(s, "&amp;")
}
