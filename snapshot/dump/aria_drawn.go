package dump

import (
	"slices"
	"strings"
	"unicode"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/text"
)

// Text that is drawn although aria-hidden takes it out of the accessibility tree. The
// format is about that tree, but an agent that does not know what a person reads decides
// on less than the person does (N-3).

// drawnBytes is how much text of one such element is gathered, in bytes.
const drawnBytes = 8_000

// drawn adds the drawn text of an aria-hidden element to the item around it.
func (w *aria) drawn(n *snapshot.Node, into *ariaItem) {
	if w.o.Compat || !w.text || !n.Verdict.Rendered() || !n.Visible && !n.Contents || w.o.ViewportOnly && !inView(n) {
		return
	}
	if into.n.I >= 0 && len(into.n.Interactive) > 0 && into.name != "" {
		return
	}
	words := text.Squash(w.t.Gather(n, snapshot.Gather{NoAlt: true, MaxBytes: drawnBytes, MaxNodes: 1_000, Skip: func(c *snapshot.Node) bool {
		return !c.Visible && !c.Contents
	}}))
	if !strings.ContainsFunc(words, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) || w.said(words, into) {
		return
	}
	w.flush(into)
	// Its line is about the element, and has none of its states.
	own := &snapshot.Node{I: n.I, Parent: n.Parent, Ref: n.Ref, Tag: n.Tag, Verdict: n.Verdict, InViewport: n.InViewport, Occlusion: n.Occlusion}
	into.kids = append(into.kids, ariaKid{item: &ariaItem{n: own, role: "text", value: &words, note: "aria-hidden"}})
}

// said reports whether the text right before says the same, as where one of two is for
// screen readers.
func (w *aria) said(words string, into *ariaItem) bool {
	var b strings.Builder
	for _, p := range into.pend {
		b.WriteString(p.text)
	}
	if into.name == words || strings.Contains(text.Squash(b.String()), words) {
		return true
	}
	if len(into.kids) == 0 {
		return false
	}
	last := into.kids[len(into.kids)-1]
	if last.item != nil {
		return last.item.name == words || last.item.value != nil && *last.item.value == words
	}
	return slices.ContainsFunc(last.text, func(p piece) bool { return strings.Contains(p.text, words) })
}
