package snapshot

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

// IsFrame reports whether the tag shows another document.
func IsFrame(tag string) bool { return tag == "iframe" || tag == "frame" }

// IsModal reports whether the element is a dialog by role or aria-modal.
func (n *Node) IsModal() bool {
	return n.Role == "dialog" || n.Role == "alertdialog" || n.Attrs["aria-modal"] == "true"
}

// Numbered reports whether the element belongs to the primary set, by what it is
// and not by whether it is rendered: interactive by evidence, a heading, a
// section, a dialog, an img, a pre, a frame, or a scroll container (an agent scrolls
// it by its number).
func (n *Node) Numbered() bool { return n.numberedByKind() || n.Scroller != nil }

// OnlyScrolls reports whether the element is in the primary set for nothing but
// being a scroll container, such as a bare div: it has a number, and formats that
// list elements one a line print what is in it instead of it.
func (n *Node) OnlyScrolls() bool { return n.Scroller != nil && !n.numberedByKind() }

func (n *Node) numberedByKind() bool {
	return len(n.Interactive) > 0 || IsHeading(n.Tag) || n.Role == "heading" || IsSection(n.Tag) ||
		n.IsModal() || n.Tag == "img" || n.Tag == "pre" || IsFrame(n.Tag)
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
