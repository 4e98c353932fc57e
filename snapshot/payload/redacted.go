package payload

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/refscope/refscope/snapshot"
)

// Which bytes of a payload are not what the page held. "Exact" means exact outside of
// these (DESIGN, idea 5; P-3).
//
// A withheld text stands in a capture, and so in all that is made of it, as
//
//	mark = "[redacted" [ ": " reason ] "]"      ; a format that cuts it ends it with "…"
//
// which is the same in every spelling that a body can have, for JSON, HTML and YAML
// escape none of it. A page can write such a mark itself; then a span is listed that
// hides nothing. A picture with boxes that were filled flat is listed as a whole,
// because compression leaves no byte of it as it was.

// Span is a stretch of a body that does not hold what was there.
type Span struct {
	Start int    `json:"start"` // byte offset
	End   int    `json:"end"`   // byte offset behind it
	Why   string `json:"why"`   // what was withheld: password, token, card; withheld where nothing is said
}

// markPattern finds marks.
func markPattern() *regexp.Regexp {
	return regexp.MustCompile(`\[redacted(?:: ([^\[\]"\\<>\n…]{1,60}))?(?:\]|…)`)
}

// marks are the marks in a body, in order.
func marks(body []byte) []Span {
	var out []Span
	for _, m := range markPattern().FindAllSubmatchIndex(body, -1) {
		s := Span{Start: m[0], End: m[1], Why: "withheld"}
		if m[2] >= 0 {
			s.Why = string(body[m[2]:m[3]])
		}
		out = append(out, s)
	}
	return out
}

// redactedIn lists the redacted places of a payload, in order.
func redactedIn(p *Payload, c *snapshot.Capture) []Span {
	out := marks(p.Body)
	for _, s := range p.Sections {
		if n := filled(c); s.Name == "image" && n > 0 {
			out = append(out, Span{s.Start, s.End, fmt.Sprintf("the picture is filled flat where it shows %d withheld", n)})
		}
	}
	slices.SortFunc(out, func(a, b Span) int { return a.Start - b.Start })
	return out
}

// filled counts the elements whose withheld text the picture would show; see
// capture/session, which fills them.
func filled(c *snapshot.Capture) int {
	count := 0
	for i := range c.Nodes {
		n := &c.Nodes[i]
		for _, field := range n.Redacted {
			switch field {
			case "value", "element", "attr:value", "attr:placeholder", "attr:srcdoc", "text":
				if n.InViewport {
					count++
				}
			default:
				continue
			}
			break
		}
	}
	return count
}
