package payload

import (
	"fmt"
	"slices"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/redact"
)

// Which bytes of a payload are not what the page held: the marks of package redact. "Exact"
// means exact outside of these (DESIGN, idea 5; P-3). A picture with boxes that were filled
// flat is listed as a whole, because compression leaves no byte of it as it was.

// redactedIn lists the redacted places of a payload, in order.
func redactedIn(p *Payload, c *snapshot.Capture) []redact.Span {
	out := redact.Marks(p.Body)
	for _, s := range p.Sections {
		if n := filled(c); s.Name == "image" && n > 0 {
			out = append(out, redact.Span{Start: s.Start, End: s.End,
				Why: fmt.Sprintf("the picture is filled flat where it shows %d withheld", n)})
		}
	}
	slices.SortFunc(out, func(a, b redact.Span) int { return a.Start - b.Start })
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
