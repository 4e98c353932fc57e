package dddk

import (
	"strings"

	"github.com/refscope/refscope/snapshot/dump"
)

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

// guardPre does the same for a line inside pre, where quotes and dashes are too
// common to escape and begin no line of this format. The backslash goes to the
// first visible character.
func guardPre(s string) string {
	body := strings.TrimLeft(s, " \t")
	if body == "" {
		return s
	}
	if dump.HeaderWord(body) || strings.ContainsRune("[]@<↑↓…\\", dump.First(body)) {
		return s[:len(s)-len(body)] + `\` + body
	}
	return s
}

// guardLabel escapes what a label at the end of a line could forge: the notes
// that this format itself puts there.
func guardLabel(s string) string {
	s = strings.ReplaceAll(s, "(covered", `\(covered`)
	return strings.ReplaceAll(s, "(not read:", `\(not read:`)
}
