package dddk

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/text"
)

// The compatibility profile of dddk: what the shipped reader printed, losses
// included (engines.md 1.0), so that a person can see what its agents did not.
//
//   - An interactive element, a heading, an img and a pre are printed without what
//     is inside them: the input of a label and the link of a heading are lost.
//   - A content line that holds something interactive is not printed; only the
//     elements in it are, so the text beside a link is lost. Loose text beside
//     elements is lost everywhere.
//   - One line per table cell. A second link with the same address and text and a
//     second content line with the same tag and text are dropped, on the whole page.
//   - No checked, selected, expanded or required state, no chosen option.
//   - No frames and nothing in a shadow root, without a trace.
//   - What is interactive by a listener or a cursor alone is not; it is walked as
//     what it otherwise is. A section without a name or heading is called by all
//     its text, glued together.
//   - Text is not escaped; caps and MaxChars count UTF-16 units and MaxChars cuts in
//     the middle of a line. MaxTokens, MaxNodes, SummariseRepeats and Query, which
//     the original does not have, then work on what is left as they do without
//     Compat; their notes are not part of MaxChars.
//
// What it does not reproduce: page text still cannot forge a line, so line starts
// are guarded, "</pre" inside a pre and invisible characters are spelled out; numbers
// are ref numbers, where the original hashes or counts per dump. What is transparent or
// clipped away is printed, as the original asks for display, visibility and the box alone.

// compatWalk is the state of one compat rendering.
type compatWalk struct {
	*dddk
	holds map[int]bool    // nodes with something interactive inside
	seen  map[string]bool // what has been printed, for links and content lines
}

// original writes the lines after the header as the original did.
func (w *dddk) original() {
	k := &compatWalk{dddk: w, holds: map[int]bool{}, seen: map[string]bool{}}
	w.Unlisted = func(n *snapshot.Node) (string, string) {
		switch {
		case n.Shadow != "":
			return dump.ReasonRole, "compat: shadow roots are not read"
		case n.Frame > 0 || snapshot.IsFrame(n.Tag):
			return dump.ReasonRole, "compat: frames are not read"
		case n.Verdict == snapshot.VerdictContent:
			return dump.ReasonNoNumber, "compat: text beside elements is not read"
		}
		return dump.ReasonNoNumber, "compat: it lies inside an element that is not descended into"
	}
	for p := len(w.Capture.Nodes) - 1; p >= 0; p-- {
		if n := &w.Capture.Nodes[p]; k.operable(n) || k.holds[n.I] {
			k.holds[n.Parent] = true
		}
	}
	for n := range w.t.Roots() {
		k.visit(n, 0, 0)
	}
}

// operable is the original's idea of an interactive element.
func (k *compatWalk) operable(n *snapshot.Node) bool {
	if n.Verdict != snapshot.VerdictRef {
		return false
	}
	switch n.Tag {
	case "a", "button", "input", "select", "textarea", "label", "summary":
		return true
	}
	if slices.Contains(n.Interactive, "role") || (snapshot.IsWidget(n.Role) && len(n.Interactive) > 0) {
		return true
	}
	return slices.Contains(n.Interactive, "tabindex") && k.label(n) != ""
}

func (k *compatWalk) visit(n *snapshot.Node, depth, level int) {
	if level++; level > dump.MaxDepth || snapshot.IsFrame(n.Tag) {
		return
	}
	switch {
	case n.Shadow != "":
		// The light children of the host are assigned to slots in here.
		k.children(n, depth, level)
	case !n.Verdict.Laid():
		if n.Contents {
			k.children(n, depth, level)
		}
	case k.operable(n):
		k.once(n, depth)
	case n.Verdict == snapshot.VerdictRef && (n.Tag == "img" || n.Tag == "pre" || snapshot.IsHeading(n.Tag)):
		k.print(n, depth)
	case n.Verdict == snapshot.VerdictRef && snapshot.IsSection(n.Tag):
		s := k.section(n, n.Tag)
		k.Add(n, depth, k.index(n)+s+k.covered(n))
		k.children(n, min(depth+1, maxIndent), level)
	case n.Verdict == snapshot.VerdictRef && n.IsModal():
		k.Add(n, depth, k.index(n)+"<dialog>"+k.covered(n))
		k.children(n, min(depth+1, maxIndent), level)
	case n.OnlyScrolls() && !snapshot.IsContentTag(n.Tag) && !k.leaf(n):
		k.children(n, depth, level)
	case snapshot.IsContentTag(n.Tag) && !k.holds[n.I]:
		k.textLine(n, depth)
	case k.leaf(n):
		s := text.Visible(k.cut(n.I, "text", k.words(n), capText))
		if s != "" {
			k.Add(n, depth, dump.Guard(s))
		}
	default:
		k.children(n, depth, level)
	}
}

func (k *compatWalk) children(n *snapshot.Node, depth, level int) {
	for c := range k.t.Children(n.I) {
		k.visit(c, depth, level)
	}
}

// words is the text of an element and all in it, drawn or not.
func (k *compatWalk) words(n *snapshot.Node) string {
	return text.CollapseSpace(dump.Gather(k.t, n, snapshot.Gather{Laid: true}))
}

// leaf reports whether the element has text and no rendered element in it.
func (k *compatWalk) leaf(n *snapshot.Node) bool {
	for c := range k.t.Children(n.I) {
		if c.Verdict.Laid() {
			return false
		}
	}
	return strings.TrimSpace(n.Text) != "" || len(n.Runs) > 0
}

func (k *compatWalk) print(n *snapshot.Node, depth int) {
	s, _ := k.line(n)
	k.Add(n, depth, k.index(n)+s+k.covered(n))
}

// once prints an interactive element, and of equal links the first alone.
func (k *compatWalk) once(n *snapshot.Node, depth int) {
	if n.Tag == "a" {
		key := "a\x00" + n.Attr("href") + "\x00" + k.label(n)
		if k.seen[key] {
			k.Omit(n.I, dump.ReasonDuplicate, "compat: a link with the same address and text is above")
			return
		}
		k.seen[key] = true
	}
	k.print(n, depth)
}

// textLine prints a content line, and of equal ones the first alone.
func (k *compatWalk) textLine(n *snapshot.Node, depth int) {
	max := capText
	if n.Tag == "td" || n.Tag == "th" {
		max = capCell
	}
	whole := k.words(n)
	if whole == "" {
		whole = text.CollapseSpace(n.Value)
	}
	if whole == "" {
		if n.Verdict.Kept() {
			k.Omit(n.I, dump.ReasonNoNumber, "compat: it has no text to print")
		}
		return
	}
	key := n.Tag + "\x00" + whole
	if k.seen[key] {
		if n.Verdict.Kept() {
			k.Omit(n.I, dump.ReasonDuplicate, "compat: a line with the same tag and text is above")
		}
		return
	}
	k.seen[key] = true
	k.Add(n, depth, "<"+n.Tag+">"+text.Visible(k.cut(n.I, "text", whole, max))+"</"+n.Tag+">")
}

// limits describes how the shared cutters treat this format (snapshot/dump/trim.go). Under Compat
// MaxChars is the original's cut, and the other limits are ours.
func (w *dddk) limits(head int) {
	w.Rules = &dump.LineRules{Head: head, Chars: MaxChars, Note: dump.Bracketed, Sliced: w.profile.sliced}
	if !w.profile.sliced {
		return
	}
	max := cmp.Or(w.o.MaxChars, MaxChars)
	if max > 0 && len(w.Out) > max {
		w.slice(max)
	}
}

// slice is the original's cut: at the UTF-16 unit, in the middle of a line.
func (w *dddk) slice(max int) {
	if text.Units16(string(w.Out)) <= max {
		return
	}
	at := text.Index16(string(w.Out), max)
	gone := "its line is beyond the limit of " + strconv.Itoa(max) + " UTF-16 units"
	keep := 0
	for i, l := range w.Lines {
		if l.Start < at || (l.Start == at && l.End == at) {
			keep = i + 1
		}
		if l.End <= at {
			continue
		}
		if l.Node >= 0 {
			detail := gone
			if l.Start < at {
				detail = "its line is cut in the middle, at " + strconv.Itoa(max) + " UTF-16 units"
			}
			w.Omit(l.Node, dump.ReasonCut, detail)
		}
	}
	w.Out = w.Out[:at]
	w.Lines, w.Kinds = w.Lines[:keep], w.Kinds[:keep]
	if keep > 0 && w.Lines[keep-1].End > at {
		w.Lines[keep-1].End = at
	}
	w.Add(nil, 0, "[...truncated]")
	w.Truncated = true
}
