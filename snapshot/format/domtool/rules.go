package domtool

import (
	"slices"
	"strings"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
)

// What domtool takes for visible, actionable and worth a node: its own predicates over
// the facts of a capture.

// leastOpacity is the highest opacity that is not visible, the seed's.
const leastOpacity = 0.05

// visible is the format's visibility rule (B-3; seed, "Visibility Algorithm"): the
// element is rendered (display, visibility, content-visibility, closed details), its opacity with
// all around it is above 0.05, it is more than 1 CSS px wide and high, and its ancestors' clips leave something of
// it. An element with display: contents has no box and is visible, and so are words that
// overflow an empty box, unless the profile has it otherwise; a drawing that other formats do not read is drawn. With
// viewportOnly some of it must be in the viewport.
func visible(n *snapshot.Node, viewportOnly bool, p profile) bool {
	switch {
	case !n.Verdict.Rendered() && n.Verdict != snapshot.VerdictSkippedTag, n.Opacity > 0 && n.Opacity <= leastOpacity:
		return false
	case n.Contents:
		return !viewportOnly || n.InViewport
	case !n.Visible, viewportOnly && !n.InViewport, n.Clip != nil && n.Clip.Empty():
		return false
	}
	large := func(b snapshot.Box) bool { return b.W() > 1 && b.H() > 1 }
	return slices.ContainsFunc(n.AllRects(), large) || p.overflows && n.Box.Empty() && slices.ContainsFunc(n.TextRects,
		large)
}

// actionable is the format's rule for what can be operated (B-4; seed,
// "Actionability Detection"): a native control, a widget role, tabindex, contenteditable, a
// click handler or a pointer cursor — a capture's evidence — and clicks do not pass through
// it. What is disabled or inert is not actionable, unless the profile has it otherwise: the seed does not look.
func actionable(n *snapshot.Node, p profile) bool {
	return n.Verdict == snapshot.VerdictRef && len(n.Interactive) > 0 && !n.NoPointer && !snapshot.IsFrame(n.Tag) &&
		(p.disabled || dump.Usable(n))
}

// editable reports whether the element is an editable region.
func editable(n *snapshot.Node) bool { return slices.Contains(n.Interactive, "contenteditable") }

// textHost reports whether words of inline elements inside are part of the element's
// own text: it is a line of text, a heading, a control or a part of one.
func textHost(n *snapshot.Node) bool {
	return n.Verdict == snapshot.VerdictContent || n.Verdict == snapshot.VerdictInsideAtomic ||
		snapshot.IsContentTag(n.Tag) ||
		snapshot.IsHeading(n.Tag) || n.Role == "heading" || n.Tag == "pre" || n.Tag == "label" ||
		n.Verdict == snapshot.VerdictRef && len(n.Interactive) > 0
}

// flows reports whether all content of an element inside a text host is part of its text.
func (w *domtool) flows(host, n *snapshot.Node) bool {
	if !w.profile.flows || !n.Verdict.Rendered() || n.Verdict == snapshot.VerdictRef || w.within[n.I].nodes ||
		snapshot.IsFormControl(n.Tag) ||
		snapshot.IsFrame(n.Tag) || !textHost(host) || dump.AuthorNamed(n) && n.Tag != "img" {
		return false
	}
	return !n.Block || n.Verdict == snapshot.VerdictInsideAtomic || editable(host)
}

// anonymous reports whether an element is a wrapper that its only child can replace.
func anonymous(n *snapshot.Node) bool {
	if n.HasAttr("id") || n.HasAttr("role") || n.HasAttr("aria-label") {
		return false
	}
	return n.Tag == "div" || n.Tag == "span" || n.Tag == "slot" || n.Tag == "center" || n.Tag == "font" ||
		strings.Contains(n.Tag, "-")
}

// shadowRoot reports whether child begins a shadow tree of its composed parent.
func shadowRoot(parent, child *snapshot.Node) bool {
	if child.Shadow == "" || child.Frame != parent.Frame {
		return false
	}
	if i := strings.LastIndex(child.Path, " > "); child.Path != "" {
		return strings.LastIndex(child.Path, " >>> ") > i
	}
	return parent.Shadow == ""
}

// readable reports whether the format reads the document of a frame element.
func (w *domtool) readable(n *snapshot.Node) bool {
	i, ok := w.frames[n.I]
	if !ok || !w.Capture.Frames[i].Readable {
		return false
	}
	f := w.Capture.Frames[i]
	return w.profile.reaches || f.Parent == 0 && !f.OutOfProcess && f.Origin == w.Capture.Frames[0].Origin
}

// opaque are elements whose content is pixels or another program's.
func opaque(n *snapshot.Node) bool {
	return (n.Tag == "canvas" || n.Tag == "embed" || n.Tag == "object") && !n.Box.Empty() &&
		(n.Verdict.Rendered() || n.Verdict == snapshot.VerdictSkippedTag)
}
