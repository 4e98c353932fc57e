package conversation

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/refscope/refscope/snapshot/text"
)

// Stretch is a part of a line of Markdown in one style. Its text is safe to show.
type Stretch struct {
	Text               string
	Bold, Italic, Code bool
}

// Plain is a line of Markdown without its marks, safe to show.
func Plain(line string) string {
	var b strings.Builder
	for _, s := range Inline(line) {
		b.WriteString(s.Text)
	}
	return b.String()
}

// Thought is the part of an answer that says why, where it is written as agents of the ReAct kind write (UI-TARS among
// them): what stands behind "Thought:", until a line begins with "Action"; or in tags, as Midscene asks for. Any other
// answer is its thought.
func Thought(answer string) string {
	if strings.Contains(answer, "<action-type>") {
		if m := thoughtTag.FindStringSubmatch(answer); m != nil {
			return strings.TrimSpace(m[1])
		}
		return ""
	}
	_, rest, ok := cutLabel(answer, "thought:")
	if !ok {
		return answer
	}
	if before, _, ok := cutLabel(rest, "action"); ok {
		rest = before
	}
	return strings.TrimSpace(strings.TrimLeft(rest, "* ")) // **Thought:**
}

// thoughtTag is what an answer says of its plan; what is logged for people stands in where it says nothing else.
var thoughtTag = regexp.MustCompile(`(?s)<(?:thought|planning|log)>(.*?)</(?:thought|planning|log)>`)

// cutLabel cuts a text around the first line that begins with a label, in whatever case.
func cutLabel(s, label string) (before, after string, ok bool) {
	at := 0
	for line := range strings.Lines(s) {
		start := strings.TrimLeft(line, " \t*#")
		if len(start) >= len(label) && strings.EqualFold(start[:len(label)], label) {
			from := at + len(line) - len(start) + len(label)
			return s[:at], s[from:], true
		}
		at += len(line)
	}
	return s, "", false
}

// Inline is a line of Markdown without the marks of headings and quotes, in stretches of one style: **bold**, __bold__,
// *italic*, `code`. A mark that is not closed, and one inside of a word such as in __init__ or 2*3, stands for itself.
func Inline(line string) []Stretch {
	line = text.Line(strings.TrimLeft(strings.TrimSpace(line), "#> "))
	var out []Stretch
	add := func(s Stretch) {
		if s.Text != "" {
			out = append(out, s)
		}
	}
	from := 0
	for at := 0; at < len(line); {
		mark, inner := marked(line, at)
		if mark == "" {
			at++
			continue
		}
		add(Stretch{Text: line[from:at]})
		add(Stretch{Text: inner, Bold: len(mark) == 2, Italic: mark == "*", Code: mark == "`"})
		at += len(inner) + 2*len(mark)
		from = at
	}
	add(Stretch{Text: line[from:]})
	return out
}

// marked is the mark that opens at a byte of a line and what stands up to the one that closes it; "" for none.
func marked(line string, at int) (mark, inner string) {
	for _, mark := range []string{"`", "**", "__", "*"} {
		rest, ok := strings.CutPrefix(line[at:], mark)
		if !ok {
			continue
		}
		end := strings.Index(rest, mark)
		if end <= 0 {
			return "", ""
		}
		inner, after := rest[:end], rest[end+len(mark):]
		first, _ := utf8.DecodeRuneInString(inner)
		last, _ := utf8.DecodeLastRuneInString(inner)
		if mark != "`" && (unicode.IsSpace(first) || unicode.IsSpace(last) || inWord(line[:at], after, mark)) {
			return "", ""
		}
		return mark, inner
	}
	return "", ""
}

// inWord reports whether a mark stands inside of a word, where it is no mark: a letter or digit touches it from
// outside. Of ** this is no hindrance.
func inWord(before, after, mark string) bool {
	if mark == "**" {
		return false
	}
	touches := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }
	left, _ := utf8.DecodeLastRuneInString(before)
	right, _ := utf8.DecodeRuneInString(after)
	return before != "" && touches(left) || after != "" && touches(right)
}
