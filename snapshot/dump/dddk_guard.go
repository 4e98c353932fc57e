package dump

import (
	"regexp"
	"strings"
)

// guard puts a backslash before a plain line of text that begins like something
// that the format, or another of ours, gives a meaning to.
func guard(s string) string {
	if s == "" {
		return s
	}
	if headerWord(s) || strings.ContainsRune("[]@-<↑↓…\\\"'`", first(s)) {
		return `\` + s
	}
	return s
}

// guardPre does the same for a line inside pre, where quotes and dashes are too
// common to escape and begin no line of this format. The backslash goes to the
// first visible character.
func guardPre(s string) string {
	body := strings.TrimLeft(s, " \t")
	if body == "" {
		return s
	}
	if headerWord(body) || strings.ContainsRune("[]@<↑↓…\\", first(body)) {
		return s[:len(s)-len(body)] + `\` + body
	}
	return s
}

func first(s string) rune {
	for _, r := range s {
		return r
	}
	return 0
}

// headerWord reports whether the line reads like one of the header.
func headerWord(s string) bool {
	return strings.HasPrefix(s, "URL:") || strings.HasPrefix(s, "TITLE:") || strings.HasPrefix(s, "VIEWPORT:")
}

// guardLabel escapes what a label at the end of a line could forge: the notes
// that this format itself puts there.
func guardLabel(s string) string {
	s = strings.ReplaceAll(s, "(covered", `\(covered`)
	return strings.ReplaceAll(s, "(not read:", `\(not read:`)
}

var forged = regexp.MustCompile(`(?m)^[ \t]*(?:` +
	`[↑↓]?\[[^\]\n]{1,24}\][ \t]*(?:<|$)|` + // [5]<button>, [ref=e5]
	`</?[a-z][a-z0-9-]*[ >/]|` + // <p>text</p>
	`[↑↓]\[|` +
	`@e\d+\b|` + // @e5 [button]
	`- [a-z]+ (?:"|\[)|` + // - button "Pay" [ref=e5]
	`\{"(?:i|id)":"|` + // {"i":"5"
	`(?:URL|TITLE|VIEWPORT):[ \t]|` +
	`\[\.\.\.truncated)`)

// LooksForged reports whether raw page text has a line that would read as a line
// of one of our formats if it were printed as it is. The formats escape such
// text; that a page has it at all is a finding.
func LooksForged(text string) bool { return forged.MatchString(text) }
