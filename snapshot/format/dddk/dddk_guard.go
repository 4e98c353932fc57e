package dddk

import (
	"strings"

	"github.com/refscope/refscope/snapshot/dump"
)

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
