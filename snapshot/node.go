package snapshot

import (
	"slices"
	"strings"
)

// Node is one DOM element as it was at the moment of the capture. Boxes are in
// CSS px of the top frame's viewport.
type Node struct {
	I      int `json:"i"`      // index in the full walk
	Parent int `json:"parent"` // index of the composed parent, -1 for the root
	Frame  int `json:"frame"`  // index in Capture.Frames
	// Shadow is the kind of shadow tree the element lives in: "open", "closed",
	// or "" for the document's own tree.
	Shadow string `json:"shadow,omitempty"`
	Tag    string `json:"tag"` // local name, lower case for HTML

	// Ref is the element's number in the session, 0 where it has none.
	Ref int `json:"ref,omitempty"`
	// BackendNodeID: the number that Chrome knows the element by, 0 where it was not asked.
	BackendNodeID int64 `json:"backendNodeId,omitempty"`
	// UID is the element's identity in its document's registry; see Frame.Loader.
	UID int `json:"uid,omitempty"`

	Role        string            `json:"role,omitempty"`        // the ARIA role, of the markup or implied by the tag
	Name        string            `json:"name,omitempty"`        // accessible name (accname 1.2)
	NameFrom    string            `json:"nameFrom,omitempty"`    // where the name came from
	Description string            `json:"description,omitempty"` // the accessible description
	Value       string            `json:"value,omitempty"`       // live value of a form control
	States      States            `json:"states,omitempty"`
	Attrs       map[string]string `json:"attrs,omitempty"` // as in the markup
	// Internals: a custom element whose role and states, where its markup has none, are what its script says by
	// ElementInternals, as the browser's accessibility tree has it.
	Internals bool `json:"internals,omitempty"`

	// Text is the element's own text: its runs joined. White space is collapsed
	// as the page renders it, and kept inside pre.
	Text      string `json:"text,omitempty"`
	TextRects []Box  `json:"textRects,omitempty"` // where the own text is drawn; of text that is all generated, its box
	// Ink is how the own text is drawn where a person may not be able to read it, nil
	// elsewhere.
	Ink  *Ink  `json:"ink,omitempty"`
	Runs []Run `json:"runs,omitempty"`
	// Generated are the bytes of its own text that a style sheet writes: at its start, by ::marker and ::before, and
	// at its end, by ::after. See [Node.Written].
	Generated [2]int `json:"generated,omitzero"`
	// Separators are what a style sheet writes before and after the content that is no part of the text: neither words
	// nor figures, as a stroke between two links.
	Separators [2]string `json:"separators,omitzero"`

	Box   Box   `json:"box"`
	Rects []Box `json:"rects,omitempty"` // all boxes, where there is more than one
	// Clip is what scroll ancestors and clip leave of the box, nil where all of it.
	Clip *Box `json:"clip,omitempty"`
	// Visible: a person scrolled to it would see it (cover not considered).
	Visible bool `json:"visible"`
	// Opacity is the opacity of the element with all around it where it is below 0.1 and above 0.01, which is
	// transparent; 0 elsewhere.
	Opacity float64 `json:"opacity,omitempty"`
	// InViewport: some of Clip or Box lies in the viewport.
	InViewport bool `json:"inViewport"`
	// Contents: display: contents, so no box of its own although children have one.
	Contents bool `json:"contents,omitempty"`
	// Boundary: it has a background, border or shadow that sets it apart.
	Boundary bool `json:"boundary,omitempty"`
	// Block: it starts and ends a line of its own, so text before and after it
	// does not join its text.
	Block bool `json:"block,omitempty"`
	// Apart: it is a box of its own in a line of text, as an inline-block is.
	Apart bool `json:"apart,omitempty"`
	// NoPointer: pointer-events: none, so clicks pass through it.
	NoPointer bool `json:"noPointer,omitempty"`
	// Broken: an img whose picture did not load, so that the browser paints the words of its alt in the box.
	Broken bool `json:"broken,omitempty"`

	// Interactive is the evidence that it can be operated: native, role, tabindex,
	// contenteditable, listener, cursor, label. Empty where it cannot.
	Interactive []string    `json:"interactive,omitempty"`
	Occlusion   *Occlusion  `json:"occlusion"`
	Scroller    *ScrollFact `json:"scroller,omitempty"`
	// Layer is how a positioned element lies over the page; nil for one in the
	// flow, or too small to cover anything.
	Layer *Layer `json:"layer,omitempty"`

	Verdict  Verdict `json:"verdict"`
	Evidence string  `json:"evidence,omitempty"` // what decided the verdict, in words for people
	// Unseen is why nobody sees an element that has a number: transparent, clipped, turned-away, or label where people
	// see its label in its place. See [Node.WhyUnseen].
	Unseen Verdict `json:"unseen,omitempty"`
	// FilteredBy is the rule of the site's profile that left it out, "" where none did.
	FilteredBy string   `json:"filteredBy,omitempty"`
	Redacted   []string `json:"redacted,omitempty"` // fields whose value was kept out
	// AgentRefs are what tools of agents that are at the page call the element, by scheme; only in captures
	// of a tap.
	AgentRefs map[string]string `json:"agentRefs,omitempty"`
	AX        *AXFact           `json:"ax,omitempty"`   // likewise, where an agent reads that tree
	Path      string            `json:"path,omitempty"` // unique CSS path
}

// Ink is how an element's own text is drawn. A node has it where the font is smaller
// than 7 CSS px, the contrast is below 1.6, or the element itself cuts its text off
// (capture/collect/js/legible.js has both numbers).
type Ink struct {
	Size float64 `json:"size"` // font size, CSS px of its own frame
	// Contrast is the contrast ratio of text and background by WCAG 2.2, 1 to 21, with
	// the opacity of all around, with the colour of a gradient that contrasts most; 0 where a
	// picture, or a gradient that lets through what is behind it, is the background, and for
	// text of another hue, which a person sees whatever the ratio.
	Contrast float64 `json:"contrast,omitempty"`
	// Clipped: the element's own overflow leaves nothing of the text to be seen.
	Clipped bool `json:"clipped,omitempty"`
}

// Run is one stretch of an element's own text, between two element children.
type Run struct {
	Text string `json:"text"` // the text, with its white space as the page shows it
	// Before is the index of the child element that follows the run, -1 after
	// the last one. Runs are in document order.
	Before int `json:"before"`
}

// States are the ARIA states and their native counterparts that hold for an
// element. A value is true, false, "mixed" or another token, or a number:
// checked, disabled, expanded, focused, invalid, level, multiselectable, open,
// pressed, readonly, required, selected, current, sort, busy, haspopup, modal, inert.
type States map[string]any

// Is reports whether the state is true; "mixed" is not.
func (s States) Is(name string) bool { v, ok := s[name].(bool); return ok && v }

// Has reports whether the state is known, whatever its value.
func (s States) Has(name string) bool { _, ok := s[name]; return ok }

// Token is a state's value where it is a word such as "mixed", else "".
func (s States) Token(name string) string { v, _ := s[name].(string); return v }

// Number is a state's value where it is a number such as a heading's level.
func (s States) Number(name string) float64 {
	switch v := s[name].(type) {
	case float64:
		return v
	case int:
		return float64(v)
	}
	return 0
}

// OcclusionState is how well a click on an element arrives.
type OcclusionState string

const (
	// Clear: every sampled point of the element lands on it.
	Clear OcclusionState = "clear"
	// Partly: some points do, the click point among them.
	Partly OcclusionState = "partly"
	// Covered: a click at the click point reaches something else; or none reaches a control at all, as it ignores the
	// pointer, is inert, is turned away or lies below what is around it.
	Covered OcclusionState = "covered"
)

// Occlusion is the evidence of what lies over an element. It is nil where the
// element is outside the viewport.
//
// State and HitShare are about clicks, VisibleShare about a person. Layers with a
// joint alpha of 0.6 or more hide what is below, as black on white keeps a contrast
// of 3:1 (WCAG 1.4.11) up to about there; text without a background hides nothing.
// So glass (opaque, but pointer-events: none or inert) lowers VisibleShare alone,
// and a veil or an empty catcher of clicks HitShare alone.
type Occlusion struct {
	State        OcclusionState `json:"state"`
	VisibleShare float64        `json:"visibleShare"` // of its visible area, what a person sees, 0 to 1
	HitShare     float64        `json:"hitShare"`     // of the same area, what a click reaches, 0 to 1
	// Click is the click point, CSS px: the middle, or where that is not the element's own, a point deep in it. Where
	// the middle of what is operated itself presses another control in it, it is one of its own words, or beside that.
	Click [2]float64 `json:"click"`
	// Coverer is what takes the most clicks; where nothing does, the layer that hides
	// the most from a person or that clicks pass through.
	Coverer *int `json:"coverer,omitempty"`
	// Points are the samples: x, y, and the index of the node hit (-1: none known).
	Points [][3]float64 `json:"points,omitempty"`
	// ClickThrough: it is hit although a painted layer that ignores the pointer lies over it.
	ClickThrough bool `json:"clickThrough,omitempty"`
}

// ScrollFact describes how far a scroll container is scrolled. The page's own scroll is
// in [Capture.Scroll]. Only containers with more than 50 CSS px to scroll, down or
// sideways, have one (S-11).
type ScrollFact struct {
	Depth   float64 `json:"depth"`   // 0 to 1 of the vertical range
	HasMore bool    `json:"hasMore"` // more below
	Range   float64 `json:"range"`   // CSS px that can be scrolled vertically

	DepthX   float64 `json:"depthX,omitempty"`   // 0 to 1 of the horizontal range, from the start edge
	HasMoreX bool    `json:"hasMoreX,omitempty"` // more sideways, in reading direction
	RangeX   float64 `json:"rangeX,omitempty"`   // CSS px that can be scrolled horizontally
	// Virtual: only the items near the visible part are in the document, so what is
	// not found may appear after scrolling.
	Virtual bool `json:"virtual,omitempty"`
}

// Layer describes how a positioned element lies over the page.
type Layer struct {
	Position string `json:"position"`    // fixed, sticky or absolute
	Z        int    `json:"z,omitempty"` // z-index, 0 for auto
	// Top: in the top layer, above everything else: a modal dialog, an open popover,
	// a fullscreen element.
	Top   bool `json:"top,omitempty"`
	Modal bool `json:"modal,omitempty"` // opened with showModal
	// Backdrop: a painted ::backdrop dims the page behind it.
	Backdrop bool `json:"backdrop,omitempty"`
}

// Attr is an attribute's value, "" where it is absent.
func (n *Node) Attr(name string) string { return n.Attrs[name] }

// HasAttr reports whether the attribute is present.
func (n *Node) HasAttr(name string) bool { _, ok := n.Attrs[name]; return ok }

// VisibleBox is the part of the box that clipping ancestors leave.
func (n *Node) VisibleBox() Box {
	if n.Clip != nil {
		return *n.Clip
	}
	return n.Box
}

// AllRects are the element's boxes: Rects where it has several, else Box.
func (n *Node) AllRects() []Box {
	if len(n.Rects) > 0 {
		return n.Rects
	}
	return []Box{n.Box}
}

// Verdict describes what became of an element: kept, or the one reason why not. Every
// DOM element has exactly one. The words are frozen in the capture's schema.
type Verdict string

const (
	// VerdictRef: kept, with a ref number of the primary set (see [Node.Numbered]).
	VerdictRef Verdict = "ref"
	// VerdictContent: kept as a line of text; its number comes after the primary set.
	VerdictContent Verdict = "content"
	// VerdictWrapper: rendered, but without content of its own.
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
	// VerdictTurned: it turns its back, which backface-visibility: hidden does not draw.
	VerdictTurned Verdict = "turned-away"
	// VerdictUnreachable: in a closed root or frame that could not be read.
	VerdictUnreachable Verdict = "unreachable"
)

// UnseenByLabel is no verdict: a person sees the label of the element in its place, see [Node.Unseen].
const UnseenByLabel Verdict = "label"

// unseenBefore is what releases that had no [Node.Unseen] wrote in the evidence of an element with a number.
var unseenBefore = [...]struct {
	words  string
	unseen Verdict
}{
	{"; not to be seen: opacity 0", VerdictTransparent},
	{"; not to be seen: clipped away", VerdictClipped},
	{"; not to be seen: turned away", VerdictTurned},
	{"; not to be seen itself: it is where its label is", UnseenByLabel},
}

// WhyUnseen is why nobody sees an element that has a box, by its verdict or in spite of it; "" where that is not known.
func (n *Node) WhyUnseen() Verdict {
	switch {
	case n.Verdict == VerdictTransparent, n.Verdict == VerdictClipped, n.Verdict == VerdictTurned:
		return n.Verdict
	case n.Verdict != VerdictRef:
		return ""
	case n.Unseen != "":
		return n.Unseen
	}
	for _, b := range unseenBefore {
		if strings.Contains(n.Evidence, b.words) {
			return b.unseen
		}
	}
	return ""
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

// Unread reports whether texts leave out elements with the verdict whatever they look like: they may be drawn.
func (v Verdict) Unread() bool {
	return v == VerdictSkippedTag || v == VerdictOptOut || v == VerdictFiltered || v == VerdictUnreachable
}

// Hidden reports whether the element is not drawn, by its verdict or, where that does not tell, its box.
func (n *Node) Hidden() bool { return !n.Verdict.Rendered() && (!n.Verdict.Unread() || n.Box.Empty()) }

// Laid reports whether the element has a box in the layout, also where it is transparent or
// clipped away: what asks for display, visibility and the box alone takes it for visible.
func (v Verdict) Laid() bool {
	return v.Rendered() || v == VerdictTransparent || v == VerdictClipped || v == VerdictTurned
}

// Which elements get ref numbers is frozen with the schema: first the primary
// set in document order — interactive by evidence, headings, sections, img, pre,
// frames — then content lines in document order, then newcomers in later turns.

// IsHeading reports whether the tag is h1 to h6.
func IsHeading(tag string) bool {
	return len(tag) == 2 && tag[0] == 'h' && tag[1] >= '1' && tag[1] <= '6'
}

// IsSection reports whether the tag is one of the sectioning containers that get
// a number and indent their children (D-2).
func IsSection(tag string) bool {
	switch tag {
	case "section", "article", "aside", "table", "tr", "form", "details", "dl", "dialog",
		"header", "footer", "main", "nav", "hgroup", "fieldset":
		return true
	}
	return false
}

// IsContentTag reports whether the tag is one of the content lines (D-3).
func IsContentTag(tag string) bool {
	switch tag {
	case "p", "li", "td", "th", "dt", "dd", "blockquote", "figcaption", "caption",
		"legend", "output", "meter", "progress":
		return true
	}
	return false
}

// Gauge reports whether the element shows by a value how far something is, whatever it is made of.
func (n *Node) Gauge() bool {
	return n.Role == "progressbar" || n.Role == "meter" || n.Role == "scrollbar"
}

// Line reports whether the element is a content line where its words, or what it tells, make it one.
func (n *Node) Line(words bool) bool {
	return IsContentTag(n.Tag) && (words || n.Value != "" || n.Name != "") ||
		n.Gauge() && (n.Value != "" || n.Name != "")
}

// IsLandmark reports whether the role is a landmark's (WAI-ARIA 1.2, 5.3.4).
func IsLandmark(role string) bool {
	switch role {
	case "banner", "complementary", "contentinfo", "form", "main", "navigation", "region", "search":
		return true
	}
	return false
}

// IsLabelable reports whether a label can name elements of the tag (HTML, 4.10.2, labelable elements).
func IsLabelable(tag string) bool {
	switch tag {
	case "input", "select", "textarea", "button", "meter", "output", "progress":
		return true
	}
	return false
}

// IsFieldType reports whether an input of the type holds a value that a person puts in and reads there, unlike a button
// or what is only submitted.
func IsFieldType(kind string) bool {
	switch kind {
	case "hidden", "checkbox", "radio", "submit", "image", "reset", "button":
		return false
	}
	return true
}

// IsTextType reports whether text is typed into an input of the type, in whatever case that is written: passwords and
// numbers too, dates as well.
func IsTextType(kind string) bool {
	switch kind = strings.ToLower(kind); kind {
	case "range", "color", "file":
		return false
	}
	return IsFieldType(kind)
}

// IsFrame reports whether the tag shows another document.
func IsFrame(tag string) bool { return tag == "iframe" || tag == "frame" }

// IsModal reports whether the element is a dialog by role or aria-modal.
func (n *Node) IsModal() bool {
	return n.Role == "dialog" || n.Role == "alertdialog" || n.Attrs["aria-modal"] == "true"
}

// Kind is what the element is, for a sentence; see [KindOf].
func (n *Node) Kind() string { return KindOf(n.Role, n.Tag) }

// KindOf is a role, or the tag in brackets where the role says nothing of the element: <img>.
func KindOf(role, tag string) string {
	switch role {
	case "", "generic", "none", "presentation":
		return "<" + tag + ">"
	}
	return role
}

// IsPicture reports whether the element is a picture that is addressed and named as an img is: an img, or a canvas that
// its page gives a name (a chart); a canvas without one has nothing that a text could say (D-7).
func (n *Node) IsPicture() bool { return n.Tag == "img" || n.Tag == "canvas" && n.Name != "" }

// Numbered reports whether the element belongs to the primary set, by what it is
// and not by whether it is rendered: interactive by evidence, a heading, a
// section, a dialog, a picture, a pre, a frame, or a scroll container (an agent scrolls
// it by its number).
func (n *Node) Numbered() bool { return n.numberedByKind() || n.Scroller != nil }

// OnlyScrolls reports whether the element is in the primary set for nothing but
// being a scroll container, such as a bare div: it has a number, and formats that
// list elements one a line print what is in it instead of it.
func (n *Node) OnlyScrolls() bool { return n.Scroller != nil && !n.numberedByKind() }

func (n *Node) numberedByKind() bool {
	return len(n.Interactive) > 0 || IsHeading(n.Tag) || n.Role == "heading" || IsSection(n.Tag) ||
		n.IsModal() || n.IsPicture() || n.Tag == "pre" || IsFrame(n.Tag)
}

// Control reports whether the element is a control by more than a listener, a tabindex or the look of its cursor.
func (n *Node) Control() bool {
	return slices.ContainsFunc(n.Interactive, func(by string) bool {
		return by == "native" || by == "role" || by == "contenteditable"
	})
}

// LetsClicksThrough reports whether no click is meant for the element: it ignores the pointer and is no control, and
// its [Occlusion] has no points.
func (n *Node) LetsClicksThrough() bool {
	return n.NoPointer && n.Occlusion != nil && n.Occlusion.State == Clear && len(n.Occlusion.Points) == 0
}

// Editable reports whether the element is a region that a person writes in (contenteditable).
func (n *Node) Editable() bool { return slices.Contains(n.Interactive, "contenteditable") }

// Atomic reports whether the content of an element with a verdict is folded into its own line: controls, headings, img
// and pre. heavy: it holds lines, sections or controls of its own, so that a control by weak evidence only, or an
// editable region, is not atomic.
func (n *Node) Atomic(heavy bool) bool {
	switch {
	case n.Verdict != VerdictRef:
		return false
	case len(n.Interactive) > 0:
		switch n.Tag {
		case "a", "button", "label", "summary", "select", "textarea", "input":
			return true
		}
		return !heavy
	}
	return IsHeading(n.Tag) || n.Role == "heading" || n.Tag == "pre" || n.IsPicture()
}

// WhyNumbered is why formats can address the element, as evidence of its verdict; see [Node.Numbered].
func (n *Node) WhyNumbered() string {
	switch {
	case len(n.Interactive) > 0:
		return "interactive: " + strings.Join(n.Interactive, ", ")
	case IsHeading(n.Tag) || n.Role == "heading":
		return "heading"
	case IsFrame(n.Tag):
		return "frame"
	case n.IsModal():
		return "dialog"
	case IsSection(n.Tag):
		return "section"
	case n.OnlyScrolls():
		return "scroll container"
	}
	return n.Tag
}

// Container reports whether the element holds other things rather than being a
// target itself: sections, dialogs, frames, scroll containers and lines of text that
// are not interactive. A marked picture lists containers and draws them on request
// only. A pre or heading that scrolls stays a target: it has a line of its own.
func (n *Node) Container() bool {
	if len(n.Interactive) > 0 {
		return false
	}
	if n.Verdict == VerdictContent {
		return true
	}
	return IsSection(n.Tag) || n.IsModal() || IsFrame(n.Tag) || n.OnlyScrolls()
}

// IsWidget reports whether the role makes an element interactive (D-5).
func IsWidget(role string) bool {
	switch role {
	case "button", "link", "tab", "menuitem", "menuitemcheckbox", "menuitemradio", "option", "checkbox", "radio",
		"switch", "combobox", "textbox", "searchbox", "slider", "spinbutton":
		return true
	}
	return false
}
