package aria

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/text"
)

// The tree that the aria format prints: items with a role, and text between them.
// Details and limits work on this tree and not on the page.

// item is one element with a role, or a group without a line of its own (role "").
type item struct {
	n     *snapshot.Node
	role  string
	name  string // whole and clean, still to be cut
	value *string
	kids  []kid
	note  string // our words after the line
	pend  []dump.Stretch
	pre   bool // the waiting text keeps its white space
}

// kid is an item, or a stretch of text where item is nil.
type kid struct {
	item *item
	text []dump.Stretch
}

// textOnly reports whether the item holds text and nothing else.
func (it *item) textOnly() bool {
	return !slices.ContainsFunc(it.kids, func(k kid) bool { return k.item != nil })
}

// words are the item's texts joined.
func (it *item) words() string {
	var b strings.Builder
	for _, k := range it.kids {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		for _, p := range k.text {
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

// listedRole is the role that an element is listed by, "" where it is flattened.
func listedRole(n *snapshot.Node) string {
	switch {
	case snapshot.IsFrame(n.Tag):
		return "document"
	case n.Tag == "html", n.Tag == "body" && n.Attr("role") == "" && !n.Editable():
		return ""
	}
	switch n.Role {
	case "", "generic", "none", "presentation":
	case "code", "emphasis", "mark", "strong", "subscript", "superscript", "time":
		if len(n.Interactive) == 0 {
			return "" // a part of a sentence
		}
		return n.Role
	default:
		return dump.TagName(n.Role)
	}
	if n.Verdict != snapshot.VerdictRef {
		return ""
	}
	switch {
	case n.Editable():
		return "textbox"
	case n.Tag == "label" && !slices.Contains(n.Interactive, "label"):
		return "" // its control carries the name
	case len(n.Interactive) > 0, n.Scroller != nil:
		return "generic"
	}
	return ""
}

// addressed reports whether the element's line has its ref: it can be operated,
// it is a heading (the seed's example), it scrolls, or it is a frame, by which a step goes into it.
func addressed(n *snapshot.Node) bool {
	return n.Ref > 0 && n.Verdict.Kept() && listedRole(n) != "" &&
		(len(n.Interactive) > 0 || n.Role == "heading" || n.Scroller != nil || snapshot.IsFrame(n.Tag))
}

// numbers reports whether the text has the ref of an element that is [addressed]: the original's has none of a frame.
func (w *aria) numbers(n *snapshot.Node) bool {
	return addressed(n) && (w.profile.additions || !snapshot.IsFrame(n.Tag))
}

// inView reports whether some of the element is in the viewport; one without a box of
// its own is where its content is.
func inView(n *snapshot.Node) bool { return n.InViewport || n.Contents }

// build makes the tree of one element and what it holds, as a group.
func (w *aria) build(roots ...*snapshot.Node) *item {
	group := &item{n: &snapshot.Node{I: -1}}
	for _, r := range roots {
		w.visit(r, group, 0)
	}
	w.flush(group)
	w.dropText(group)
	return group
}

// visit adds an element to the item around it.
func (w *aria) visit(n *snapshot.Node, into *item, depth int) {
	switch {
	case depth > dump.MaxDepth:
		w.leave(n, dump.ReasonCut, "nested deeper than 10,000 elements")
		return
	case n.Attr("aria-hidden") == "true" && !w.unheard:
		if w.profile.additions && w.seenControl(n) {
			w.hidden(n, into, depth)
			return
		}
		w.leave(n, dump.ReasonRole, "aria-hidden takes it out of the accessibility tree")
		w.drawn(n, into)
		return
	case w.profile.additions && into.n != nil && len(into.n.Interactive) == 0 && namedDrawing(n):
		if !w.o.ViewportOnly || inView(n) {
			w.flush(into)
			it := &item{n: n, role: "img", name: w.name(n)}
			for c := range w.t.Children(n.I) { // a map of links is more than its name
				if w.seenIn(c, func(at *snapshot.Node) bool { return len(at.Interactive) > 0 }) {
					w.visit(c, it, depth+1)
				}
			}
			w.flush(it)
			into.kids = append(into.kids, kid{item: it})
		}
		return
	case n.Tag == "br":
		into.pend = append(into.pend, dump.Stretch{Text: " "})
		return
	case !w.shown(n), n.Shadow != "" && !w.pierce:
		// What it holds may still be seen, or come from the host's own children.
		if n.Shadow != "" && !w.pierce && n.Verdict.Kept() && !w.nested {
			w.Omit(n.I, dump.ReasonScope, "it lies in a shadow tree")
		}
		for c := range w.t.Children(n.I) {
			w.visit(c, into, depth+1)
		}
		return
	}
	role := listedRole(n)
	if !w.profile.additions && role == "generic" && n.OnlyScrolls() {
		role = ""
	}
	fixed := w.o.ViewportOnly && stays(n)
	if role == "" && !fixed {
		w.flatten(n, into, depth)
		return
	}
	w.flush(into)
	it := &item{n: n, role: role, name: w.name(n), pre: n.Tag == "pre"}
	w.fill(it, depth)
	if w.o.ViewportOnly && !inView(n) && len(it.kids) == 0 {
		return // reason is viewport
	}
	if w.Page.Query != nil && !n.Verdict.Kept() && len(it.kids) == 0 && it.value == nil {
		return // a list of which a query leaves nothing
	}
	if role == "paragraph" && !n.Verdict.Kept() && it.name == "" && len(it.kids) == 0 && w.profile.additions {
		return // nothing to see, nothing to print
	}
	into.kids = append(into.kids, kid{item: it})
}

// shown reports whether the element is in the tree. The original asks for display, visibility and the box alone.
func (w *aria) shown(n *snapshot.Node) bool {
	return n.Verdict.Rendered() || !w.profile.additions && n.Verdict.Laid()
}

// namedDrawing reports whether the element is a drawing, or a part of one, that says in words what it shows. One in a
// control is part of the control's name.
func namedDrawing(n *snapshot.Node) bool {
	return n.Role == "img" && n.Verdict == snapshot.VerdictSkippedTag && n.Name != "" && n.NameFrom != "content" &&
		!n.Box.Empty()
}

// flatten puts what an element without a role holds in its place.
func (w *aria) flatten(n *snapshot.Node, into *item, depth int) {
	if n.Block {
		w.flush(into)
	}
	pre := into.pre
	if n.Tag == "pre" {
		into.pre = true
	}
	w.children(n, into, depth)
	if n.Block {
		w.flush(into)
	}
	into.pre = pre
}

// children adds an element's text and children to an item.
func (w *aria) children(n *snapshot.Node, into *item, depth int) {
	seen := !w.o.ViewportOnly || inView(n)
	w.t.InOrder(n, func(s string) {
		if seen && s != "" {
			into.pend = append(into.pend, dump.Stretch{Node: n, Text: s})
		}
	}, func(c *snapshot.Node) { w.visit(c, into, depth+1) })
}

// flush ends a stretch of text.
func (w *aria) flush(it *item) {
	var ps []dump.Stretch
	if it.pre {
		for _, p := range it.pend {
			if s := text.Breaks(p.Text); s != "" {
				ps = append(ps, dump.Stretch{Node: p.Node, Text: s})
			}
		}
	} else {
		ps = dump.SquashStretches(it.pend)
	}
	it.pend = it.pend[:0]
	if !slices.ContainsFunc(ps, func(p dump.Stretch) bool { return strings.TrimSpace(p.Text) != "" }) {
		return
	}
	it.kids = append(it.kids, kid{text: ps})
}

// fill gives an item its content, its name and its value.
func (w *aria) fill(it *item, depth int) {
	n := it.n
	switch {
	case snapshot.IsFrame(n.Tag):
		w.frame(it, depth)
	case n.Tag == "select":
		w.choices(it)
	case snapshot.IsFormControl(n.Tag):
		if n.Tag == "option" {
			it.name = dump.OptionText(w.t, n)
		}
	default:
		w.children(n, it, depth)
		w.flush(it)
	}
	w.setValue(it)
	w.chooseName(it)
}

// frame is a document with what it shows, or the reason why not.
func (w *aria) frame(it *item, depth int) {
	n := it.n
	f, ok := w.frames[n.I]
	for _, s := range []string{n.Attr("title"), n.Attr("name")} {
		if it.name == "" {
			it.name = text.CollapseSpace(s)
		}
	}
	if it.name == "" && ok {
		it.name = text.CollapseSpace(w.Capture.Frames[f].URL)
	}
	switch {
	case !ok:
		it.note = "not read: no document in it"
	case !w.Capture.Frames[f].Readable:
		it.note = "not read: no reason known"
		if why := text.Cut(text.Visible(text.CollapseSpace(w.Capture.Frames[f].Why)), capWhy); why != "" {
			it.note = "not read: " + why
		}
	case !w.into:
		it.note = "content left out"
		for c := range w.t.Children(n.I) {
			w.leave(c, dump.ReasonScope, "it lies in a frame")
		}
	default:
		w.children(n, it, depth)
		w.flush(it)
	}
	if !w.profile.additions {
		it.note = ""
	}
}

// choices lists the options of a select: the first ones, and those that are chosen.
func (w *aria) choices(it *item) {
	if !w.profile.additions || slices.Contains(it.n.Redacted, "value") {
		return
	}
	listed, all := 0, 0
	var walk func(n *snapshot.Node, level int)
	walk = func(n *snapshot.Node, level int) {
		for c := range w.t.Children(n.I) {
			switch {
			case c.Tag == "option":
				all++
				if all > maxOptions && !c.States.Is("selected") {
					break
				}
				listed++
				it.kids = append(it.kids, kid{item: &item{n: c, role: "option", name: dump.OptionText(w.t, c)}})
			case level < 8:
				walk(c, level+1)
			}
		}
	}
	walk(it.n, 0)
	if listed < all {
		it.note = text.Count(all-listed, "option", "options") + " more"
		if !w.nested {
			w.Omit(it.n.I, dump.ReasonCut, it.note+" of "+text.Count(all, "option", "options"))
		}
	}
}

// setValue gives a field its value: the empty one too where it is typed.
func (w *aria) setValue(it *item) {
	n := it.n
	value := text.CollapseSpace(dump.LiveValue(n))
	typed := n.Tag == "input" || n.Tag == "textarea"
	switch it.role {
	case "textbox", "searchbox", "spinbutton":
		if typed || value != "" && len(it.kids) == 0 {
			if n.Tag == "textarea" && w.profile.additions {
				value = text.Breaks(dump.LiveValue(n))
			}
			it.value = &value
		}
		return
	case "checkbox", "radio", "button", "link", "switch", "menuitemcheckbox", "menuitemradio", "option", "listitem":
		if !typed || !dump.HoldsValue(n) { // a text field that the page calls a button shows its value all the same
			return
		}
	}
	if !w.profile.additions || value == "" || n.Tag == "select" && len(it.kids) > 0 {
		return
	}
	it.value = &value
}

// chooseName decides between an item's name and its text, which are often the same.
func (w *aria) chooseName(it *item) {
	n := it.n
	fromContent := n.NameFrom == "content" || n.NameFrom == "" && it.name != "" &&
		strings.EqualFold(it.name, it.words())
	if w.namer != nil && it.name == "" {
		w.settleCompat(it)
		fromContent = true
	}
	switch {
	case it.name == "" && it.textOnly() && byContent(it.role) && w.fits(it.words()):
		it.name = it.words() // a capture that names it by nothing
		w.dropNameText(it)
	case it.name == "":
	case !it.textOnly():
		if fromContent && len(n.Interactive) == 0 && it.role != "heading" && w.profile.additions {
			it.name = "" // a row is made of its cells
		} else if fromContent && w.fits(it.name) {
			w.dropNameText(it)
		}
	case w.fits(it.name) && (fromContent || it.name == it.words()):
		w.dropNameText(it)
	}
	w.dropText(it)
}

// dropText drops an item's texts where they are not requested.
func (w *aria) dropText(it *item) {
	if w.text || w.profile.live && isLiveRegion(it.role) {
		return
	}
	it.kids = slices.DeleteFunc(it.kids, func(k kid) bool {
		if k.item == nil && !w.nested {
			w.leaveKid(k, dump.ReasonRole, "text is not asked for")
		}
		return k.item == nil
	})
}

// byContent are the roles of controls and headings that their content names.
func byContent(role string) bool {
	switch role {
	case "button", "checkbox", "heading", "link", "menuitem", "menuitemcheckbox", "menuitemradio", "option", "radio",
		"switch", "tab", "treeitem":
		return true
	}
	return false
}

// dropNameText drops the texts that the item's name contains already.
func (w *aria) dropNameText(it *item) {
	it.kids = slices.DeleteFunc(it.kids, func(k kid) bool {
		for _, p := range k.text {
			if p.Node != nil {
				w.named[p.Node.I] = true
			}
		}
		return k.item == nil
	})
}

// settleCompat names what the original named by its content.
func (w *aria) settleCompat(it *item) {
	switch it.role {
	case "cell", "gridcell", "columnheader", "rowheader", "option", "treeitem", "tab", "menuitem", "tooltip":
		it.name = dump.TextOf(w.t, it.n)
	case "listitem":
		if s := dump.TextOf(w.t, it.n); text.Units16(s) <= capShort {
			it.name = s
		}
	}
}

// isLiveRegion are the roles whose text the original prints.
func isLiveRegion(role string) bool {
	switch role {
	case "alert", "alertdialog", "status", "log", "marquee", "timer", "paragraph":
		return true
	}
	return false
}

// stays reports whether the element stays in place while the page scrolls: the part
// of a page that every viewport snapshot has again. Dialogs are not.
func stays(n *snapshot.Node) bool {
	return n.Layer != nil && (n.Layer.Position == "fixed" || n.Layer.Position == "sticky") &&
		!n.Layer.Top && !n.IsModal() && n.InViewport
}

// name is the name of an element; under Compat by the original's own list (S-24),
// whose last source, the text, is the specification's name from content.
func (w *aria) name(n *snapshot.Node) string {
	if w.namer != nil {
		if name := w.namer.Name(n, w.order); name != "" {
			return name
		}
	}
	return text.CollapseSpace(n.Name)
}

// What is drawn although aria-hidden takes it out of the accessibility tree. The format is
// about that tree, but an agent that does not know what a person reads and can press
// decides on less than the person does (N-3).

// hiddenNote is at the lines of what aria-hidden hides.
const hiddenNote = "aria-hidden"

// seenControl reports whether the element is, or holds, what a person sees and can operate.
func (w *aria) seenControl(n *snapshot.Node) bool { return w.seenIn(n, (*snapshot.Node).Control) }

// seenIn reports whether the element is, or holds, one with a number that a person sees and that is such.
func (w *aria) seenIn(n *snapshot.Node, such func(*snapshot.Node) bool) bool {
	seen := false
	subtree(w.t, n, func(at *snapshot.Node) {
		seen = seen || at.Verdict.Kept() && at.Ref > 0 && at.Visible && such(at) && (!w.o.ViewportOnly || inView(at))
	})
	return seen
}

// hidden adds an aria-hidden element that a person can operate, or that holds such, as any
// other element: with its roles, states and refs. The outermost lines have the note.
func (w *aria) hidden(n *snapshot.Node, into *item, depth int) {
	w.flush(into)
	first := len(into.kids)
	w.unheard = true
	w.visit(n, into, depth)
	w.unheard = false
	w.flush(into)
	for k := first; k < len(into.kids); k++ {
		switch it := into.kids[k].item; {
		case it == nil && w.text:
			words := (&item{kids: into.kids[k : k+1]}).words()
			into.kids[k] = kid{item: unheardText(cmp.Or(w.lineOf(into.kids[k].text, into), n), words)}
		case it == nil:
		case it.note == "":
			it.note = hiddenNote
		default:
			it.note = hiddenNote + ", " + it.note
		}
	}
}

// unheardText is the line of an aria-hidden element's text: it is about the element, and
// has none of its states.
func unheardText(n *snapshot.Node, words string) *item {
	own := &snapshot.Node{I: n.I, Parent: n.Parent, Ref: n.Ref, Tag: n.Tag, Verdict: n.Verdict,
		InViewport: n.InViewport,
		Occlusion:  n.Occlusion}
	return &item{n: own, role: "text", value: &words, note: hiddenNote}
}

// drawnBytes is how much text of one such element is gathered, in bytes.
const drawnBytes = 8_000

// drawn adds the drawn text of an aria-hidden element to the item around it.
func (w *aria) drawn(n *snapshot.Node, into *item) {
	if !w.profile.additions || !w.text || !n.Verdict.Rendered() || !n.Visible && !n.Contents || w.o.ViewportOnly &&
		!inView(n) {
		return
	}
	if into.n.I >= 0 && len(into.n.Interactive) > 0 && into.name != "" {
		return
	}
	words := text.CollapseSpace(w.t.Gather(n, snapshot.Gather{NoAlt: true, MaxBytes: drawnBytes, MaxNodes: 1_000,
		Skip: func(c *snapshot.Node) bool {
			return !c.Visible && !c.Contents
		}}))
	if !strings.ContainsFunc(words, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) ||
		w.said(words, into) {
		return
	}
	w.flush(into)
	into.kids = append(into.kids, kid{item: unheardText(n, words)})
}

// said reports whether the text right before is the same, as where one of two is for
// screen readers.
func (w *aria) said(words string, into *item) bool {
	var b strings.Builder
	for _, p := range into.pend {
		b.WriteString(p.Text)
	}
	if into.name == words || strings.Contains(text.CollapseSpace(b.String()), words) {
		return true
	}
	if len(into.kids) == 0 {
		return false
	}
	last := into.kids[len(into.kids)-1]
	if last.item != nil {
		return last.item.name == words || last.item.value != nil && *last.item.value == words
	}
	return slices.ContainsFunc(last.text, func(p dump.Stretch) bool { return strings.Contains(p.Text, words) })
}
