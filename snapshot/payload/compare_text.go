package payload

import (
	"fmt"
	"strings"

	"github.com/refscope/refscope/snapshot/text"
)

// Limits of [Difference.Report]: ranges that are printed, and bytes of each side of one.
const (
	maxRanges  = 20
	maxExcerpt = 60
)

// Report is the difference for people, without a newline at its end:
//
//	dddk 8,123 bytes, 2,031 tokens, SHA-256 5f0c1ab2… → dddk 8,140 bytes, 2,035 tokens, SHA-256 91be77d0…
//	= system
//	- history 1: 12 bytes
//	~ environment: 6,020 → 6,049 bytes, 1,505 → 1,513 tokens, from byte 311 of it
//	+ image: 20,480 bytes
//	first difference at byte 2,411; 2 ranges, 8 → 37 bytes
//	@2411 "Buy" → "Buy now"
//	@2609 "" → "[14]<button>Close</button>\\n"
//
// Texts of the bodies are JSON strings, cut at 60 bytes, so a page cannot forge a
// line. At most 20 ranges are printed, and how many more there are.
func (d *Difference) Report() string {
	var b strings.Builder
	side := func(s Side) string {
		out := fmt.Sprintf("%s %s bytes", s.Dialect, text.Thousands(s.Bytes))
		if s.Tokens > 0 { // 0 and "" are not known
			out += fmt.Sprintf(", %s tokens", text.Thousands(s.Tokens))
		}
		if s.SHA256 != "" {
			out += fmt.Sprintf(", SHA-256 %.8s…", s.SHA256)
		}
		return out
	}
	fmt.Fprintf(&b, "%s → %s", side(d.A), side(d.B))
	count := map[string]int{}
	for _, c := range d.Sections {
		count[c.Name]++
	}
	for _, c := range d.Sections {
		fmt.Fprintf(&b, "\n%s %s", c.sign(), c.label(count[c.Name] > 1))
		switch {
		case c.Kind == "changed":
			fmt.Fprintf(&b, ": %s → %s bytes, %s → %s tokens, from byte %s of it",
				text.Thousands(c.A.Bytes), text.Thousands(c.B.Bytes), text.Thousands(c.A.Tokens),
				text.Thousands(c.B.Tokens),
				text.Thousands(c.First))
		case c.A == nil:
			fmt.Fprintf(&b, ": %s bytes", text.Thousands(c.B.Bytes))
		case c.B == nil:
			fmt.Fprintf(&b, ": %s bytes", text.Thousands(c.A.Bytes))
		}
	}
	if d.Same {
		b.WriteString("\nthe same, byte for byte")
		return b.String()
	}
	gone, come := 0, 0
	for _, r := range d.Ranges {
		gone, come = gone+r.A[1]-r.A[0], come+r.B[1]-r.B[0]
	}
	word := "ranges"
	if len(d.Ranges) == 1 {
		word = "range"
	}
	fmt.Fprintf(&b, "\nfirst difference at byte %s; %s %s, %s → %s bytes", text.Thousands(d.First),
		text.Thousands(len(d.Ranges)), word, text.Thousands(gone), text.Thousands(come))
	for _, r := range d.Ranges[:min(len(d.Ranges), maxRanges)] {
		fmt.Fprintf(&b, "\n@%d %s → %s", r.A[0], excerpt(d.a.Body[r.A[0]:r.A[1]]), excerpt(d.b.Body[r.B[0]:r.B[1]]))
	}
	if more := len(d.Ranges) - maxRanges; more > 0 {
		fmt.Fprintf(&b, "\n… and %s more", text.Thousands(more))
	}
	return b.String()
}

// excerpt is the beginning of some bytes of a body as a JSON string.
func excerpt(b []byte) string {
	if len(b) <= maxExcerpt {
		return text.Quote(string(b))
	}
	return text.Quote(text.StartBytes(string(b), maxExcerpt)) + "…"
}
