package dump

import (
	"regexp"
	"strings"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/text"
)

// Kinds of a [Finding].
const (
	FindingForgedLine = "forged-line"       // it would read as a line of a dump
	FindingBreakout   = "breakout"          // it would end the markup or JSON around it
	FindingHidden     = "hidden-characters" // it holds what a reader cannot see, or what reorders what is seen
)

// Finding is a text of the page that would mislead the reader of a dump if it were
// printed as it is. The formats escape such text; that a page has it at all
// is worth knowing.
type Finding struct {
	Node  int    `json:"node"`          // index of the element
	Ref   int    `json:"ref,omitempty"` // its ref number, 0 where it has none
	Kind  string `json:"kind"`
	Where string `json:"where"` // text, name, value, description or attr:NAME; title of the page
	// Text is the beginning of it, at most 120 characters, with what cannot be seen
	// spelled out.
	Text string `json:"text"`
}

// foundText is how much of a text a finding repeats, in characters.
const foundText = 120

// breakout is what ends a context that an agent's prompt or a dump puts text into.
var breakout = regexp.MustCompile(`(?i)</(?:script|style|textarea|title|pre|svg|template|iframe|noscript)\b|-->|<!--|` +
	`<plaintext\b|\]\]>|"\s*\}\s*[,\]]`)

// Findings are the misleading texts of a capture, in the order of its nodes. They do
// not depend on a format: what one of ours spells in brackets another agent may.
func Findings(c *snapshot.Capture) []Finding {
	if c == nil {
		return nil
	}
	var found []Finding
	look := func(n *snapshot.Node, where, s string) {
		if kind := misleads(s); kind != "" {
			short := text.Cut(text.CollapseSpace(s), foundText)
			f := Finding{Node: -1, Kind: kind, Where: where, Text: text.Visible(short)}
			if n != nil {
				f.Node, f.Ref = n.I, n.Ref
			}
			found = append(found, f)
		}
	}
	look(nil, "title of the page", c.Title)
	for i := range c.Nodes {
		n := &c.Nodes[i]
		if !n.Verdict.Kept() && n.Verdict != snapshot.VerdictInsideAtomic {
			continue
		}
		look(n, "text", n.Text)
		if n.Name != n.Text {
			look(n, "name", n.Name)
		}
		look(n, "value", n.Value)
		look(n, "description", n.Description)
		for _, a := range spoken() {
			if v := n.Attrs[a]; v != n.Name && v != n.Value && v != n.Description {
				look(n, "attr:"+a, v)
			}
		}
	}
	return found
}

// spoken are the attributes whose text formats print.
func spoken() [7]string {
	return [7]string{"alt", "aria-label", "aria-roledescription", "aria-valuetext", "label", "placeholder", "title"}
}

// misleads is the kind of a text's finding, "" for none.
func misleads(s string) string {
	switch {
	case s == "", strings.HasPrefix(s, "[redacted"):
		return ""
	case strings.ContainsAny(s, "[@<{-:") && LooksForged(s):
		return FindingForgedLine
	case strings.ContainsAny(s, "<>]}") && breakout.MatchString(s):
		return FindingBreakout
	case !text.Plain(s) && text.Visible(text.CollapseSpace(s)) != text.CollapseSpace(s) && !strings.Contains(s, `\u{`):
		return FindingHidden
	}
	return ""
}

// Guard puts a backslash before a plain line of text that begins like something
// that the format, or another of ours, gives a meaning to.
func Guard(s string) string {
	if s == "" {
		return s
	}
	if HeaderWord(s) || strings.ContainsRune("[]@-<↑↓…\\\"'`", First(s)) {
		return `\` + s
	}
	return s
}

// First is the first character of a text, 0 for none.
func First(s string) rune {
	for _, r := range s {
		return r
	}
	return 0
}

// HeaderWord reports whether the line reads like one of the header.
func HeaderWord(s string) bool {
	return strings.HasPrefix(s, "URL:") || strings.HasPrefix(s, "TITLE:") || strings.HasPrefix(s, "VIEWPORT:")
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
