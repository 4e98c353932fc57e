package observation

import (
	"encoding/json"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"
)

// BrokenLine is the last line of a text that was begun and not ended, as where a limit cut it off without a word; ""
// where it ends as its format ends, and where that cannot be told.
func (t *Text) BrokenLine() string {
	body := strings.TrimSpace(t.body)
	last := strings.TrimSpace(body[strings.LastIndexByte(body, '\n')+1:])
	if t.openFence() || t.openJSON() {
		return last
	}
	at := slices.IndexFunc(formats, func(f format) bool { return f.name == t.Format })
	if at < 0 || formats[at].broken == nil || len(t.Lines) == 0 {
		return ""
	}
	// What was cut may stand before other words of the agent.
	lines := strings.Split(t.body, "\n")
	for _, n := range []int{t.Lines[len(t.Lines)-1].Last, t.Lines[len(t.Lines)-1].Last + 1} {
		if n <= len(lines) && formats[at].broken(strings.TrimSpace(lines[n-1])) {
			return strings.TrimSpace(lines[n-1])
		}
	}
	if formats[at].broken(last) {
		return last
	}
	return ""
}

// openFence reports whether the text lies in a fenced block of Markdown that is not closed.
func (t *Text) openFence() bool {
	open := false
	eachLine(t.body, func(i, _, _ int, line string) {
		if strings.HasPrefix(strings.TrimSpace(line), "```") && (open || len(t.Lines) > 0 && i < t.Lines[0].First) {
			open = !open
		}
	})
	return open
}

// openJSON reports whether a text of objects ends within one.
func (t *Text) openJSON() bool {
	if !slices.Contains([]Format{AgentE, WraithJSON, DomTool, Semantic}, t.Format) && (t.Format != Skyvern ||
		!strings.Contains(t.body, `"tagName"`)) {
		return false
	}
	at := strings.IndexAny(t.body, "{[")
	if at < 0 {
		return false
	}
	var whole json.RawMessage
	return errors.Is(json.NewDecoder(strings.NewReader(t.body[at:])).Decode(&whole), io.ErrUnexpectedEOF)
}

// oddQuotes reports whether a quote of a line is not closed.
func oddQuotes(line string) bool {
	return strings.Count(strings.NewReplacer(`\\`, "", `\"`, "").Replace(line), `"`)%2 == 1 &&
		(strings.HasPrefix(line, "@e") || strings.HasPrefix(line, "uid="))
}

func brokenAria(line string) bool {
	quotes := strings.Count(strings.ReplaceAll(line, `\"`, ""), `"`)
	return strings.HasPrefix(line, "- ") && (quotes%2 == 1 && !strings.Contains(line, ": ") ||
		strings.LastIndexByte(line, '[') > strings.LastIndexByte(line, ']'))
}

// bracketBegun is a number in brackets that is not closed.
var bracketBegun = regexp.MustCompile(`^(?:\*|[↑↓])*\[\d*$`)

func brokenTag(line string) bool {
	return strings.LastIndexByte(line, '<') > strings.LastIndexByte(line, '>') || bracketBegun.MatchString(line)
}

// unclosedTag is a numbered tag without its end tag. Sections have none.
var unclosedTag = regexp.MustCompile(
	`^[↑↓←→]?\[\d+\]<(?:a|button|label|summary|h[1-6]|select|textarea)\b[^<>]*[^/]>[^<]*$`)

func brokenDDDK(line string) bool { return brokenTag(line) || unclosedTag.MatchString(line) }

func brokenObject(line string) bool {
	return strings.Count(line, "{") > strings.Count(line, "}") && !strings.HasSuffix(line, "}")
}

var browsergymName = regexp.MustCompile(`^\[[a-zA-Z]*\d+\] [A-Za-z]+ '[^']*$`)

func brokenBrowserGym(line string) bool { return browsergymName.MatchString(line) }
