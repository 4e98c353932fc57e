package snapshot

// Verdict says what became of an element: kept, or the one reason why not. Every
// DOM element has exactly one. The words are frozen in the capture's schema.
type Verdict string

const (
	// VerdictRef: kept, with a ref number of the primary set (see [Node.Numbered]).
	VerdictRef Verdict = "ref"
	// VerdictContent: kept as a line of text; its number comes after the primary set.
	VerdictContent Verdict = "content"
	// VerdictWrapper: rendered, but with nothing of its own to say.
	VerdictWrapper Verdict = "wrapper"
	// VerdictInsideAtomic: its text is part of the control or line around it.
	VerdictInsideAtomic Verdict = "inside-atomic"
	// VerdictSkippedTag: script, style, template and other tags that show nothing.
	VerdictSkippedTag Verdict = "skipped-tag"
	// VerdictOptOut: class dddk-skip or attribute data-dddk-skip, or inside such.
	VerdictOptOut Verdict = "opt-out"
	// VerdictFiltered: the site profile or a filter took it out.
	VerdictFiltered Verdict = "filtered"
	// VerdictDisplayNone: display: none, on it or on an ancestor.
	VerdictDisplayNone Verdict = "display-none"
	// VerdictVisibilityHidden: visibility: hidden or collapse.
	VerdictVisibilityHidden Verdict = "visibility-hidden"
	// VerdictContentHidden: content-visibility, closed details, hidden=until-found.
	VerdictContentHidden Verdict = "content-hidden"
	// VerdictZeroBox: no box, or one without area, and no text that overflows it.
	VerdictZeroBox Verdict = "zero-box"
	// VerdictTransparent: opacity 0 and nothing that a click would reach.
	VerdictTransparent Verdict = "transparent"
	// VerdictClipped: an ancestor's overflow or clip leaves nothing of it to be seen.
	VerdictClipped Verdict = "clipped"
	// VerdictUnreachable: in a closed root or frame that could not be read.
	VerdictUnreachable Verdict = "unreachable"
	// VerdictLimit: the walk stopped before it, at a limit or deadline.
	VerdictLimit Verdict = "limit"
)

// Verdicts lists every verdict in the order in which counts are printed.
func Verdicts() []Verdict {
	return []Verdict{
		VerdictRef, VerdictContent, VerdictWrapper, VerdictInsideAtomic, VerdictSkippedTag,
		VerdictOptOut, VerdictFiltered, VerdictDisplayNone, VerdictVisibilityHidden,
		VerdictContentHidden, VerdictZeroBox, VerdictTransparent, VerdictClipped,
		VerdictUnreachable, VerdictLimit,
	}
}

// Kept reports whether the element is part of what a format may show.
func (v Verdict) Kept() bool { return v == VerdictRef || v == VerdictContent }

// Rendered reports whether the text that elements with the verdict have of their own is
// drawn.
func (v Verdict) Rendered() bool {
	switch v {
	case VerdictRef, VerdictContent, VerdictWrapper, VerdictInsideAtomic:
		return true
	}
	return false
}
