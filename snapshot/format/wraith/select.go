package wraith

import (
	"net/url"
	"slices"
	"strconv"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/text"
)

// Which elements the wraith formats list, and what is in an entry.

// selectAll lists, in document order, everything that has words, a name or a use.
func (w *wraith) selectAll() {
	for p := range w.Capture.Nodes {
		n := &w.Capture.Nodes[p]
		if !n.Verdict.Kept() || n.Ref == 0 || w.leftOut(n) {
			continue
		}
		if n.Verdict == snapshot.VerdictContent || n.OnlyScrolls() {
			w.textLine(n)
			continue
		}
		if n.Container() && !n.IsModal() && !snapshot.IsFrame(n.Tag) && !dump.AuthorNamed(n) {
			w.Omit(n.I, dump.ReasonRole, "a section without a name; its children are listed")
			continue
		}
		w.items = append(w.items, w.item(n))
	}
}

// leftOut records why a kept element is not listed, and reports whether it is so.
func (w *wraith) leftOut(n *snapshot.Node) bool {
	if field, ok := w.labels[n.I]; ok && n.Verdict == snapshot.VerdictRef && w.profile.merges {
		w.Omit(n.I, dump.ReasonDuplicate, "a label: @e"+strconv.Itoa(w.t.Node(field).Ref)+" has its text as the name")
		return true
	}
	if w.o.ViewportOnly && !n.InViewport {
		w.Omit(n.I, dump.ReasonViewport, dump.WhereOutside(w.Capture, n))
		return true
	}
	if line := w.lineAround(n); line != nil && w.profile.merges {
		w.Omit(n.I, dump.ReasonDuplicate, "its text is part of @e"+strconv.Itoa(line.Ref))
		return true
	}
	return false
}

// lineAround is the line of text whose words an inline line of text holds, nil for none.
func (w *wraith) lineAround(n *snapshot.Node) *snapshot.Node {
	if n.Verdict != snapshot.VerdictContent || n.Block {
		return nil
	}
	for up := range w.t.Ancestors(n.I) {
		switch {
		case up.Verdict == snapshot.VerdictContent && up.Ref > 0:
			return up
		case up.Block, up.Verdict.Kept(), !up.Verdict.Rendered():
			return nil
		}
	}
	return nil
}

// textLine lists a line of text, where it has words of its own.
func (w *wraith) textLine(n *snapshot.Node) {
	s := ownText(w.t, n)
	if n.OnlyScrolls() && unnumberedText(w.t, n) == "" {
		return // its words are those of elements with lines of their own
	}
	if s == "" {
		s = dump.ShownValue(w.t, n)
	}
	if s == "" && n.Text == "" && !holdsKept(w.t, n) {
		s = text.CollapseSpace(n.Name)
	}
	if s == "" {
		return // builder.why reports that its words are on other lines
	}
	it := item{n: n, role: "text", text: w.cut(n.I, "text", s, capLine)}
	if n.Gauge() && dump.AuthorNamed(n) && s != text.CollapseSpace(n.Name) {
		it.label = w.cut(n.I, "label", text.CollapseSpace(n.Name), capText)
	}
	it.frame = w.frameRef(n)
	w.items = append(w.items, it)
}

// holdsKept reports whether a kept element is right inside.
func holdsKept(t *snapshot.Tree, n *snapshot.Node) bool {
	for c := range t.Children(n.I) {
		if c.Verdict.Kept() {
			return true
		}
	}
	return false
}

// ownText is the content of a line of text: its words and those of the elements that
// flow in it, blocks that are lines of their own left out. The loose words of a body, or beside
// such blocks, are no sentence that goes through the elements between them.
func ownText(t *snapshot.Tree, n *snapshot.Node) string {
	if n.Tag == "body" || holdsBlock(t, n) {
		return dump.LooseText(t, n)
	}
	return text.CollapseSpace(dump.Gather(t, n, snapshot.Gather{Skip: func(c *snapshot.Node) bool {
		return c.Block && c.Verdict.Kept() && c.Verdict.Rendered() && !snapshot.IsFormControl(c.Tag) &&
			!snapshot.IsFrame(c.Tag)
	}}))
}

// holdsBlock reports whether a block that is kept is right inside an element, with lines of its own.
func holdsBlock(t *snapshot.Tree, n *snapshot.Node) bool {
	for c := range t.Children(n.I) {
		if c.Block && c.Verdict.Kept() && c.Verdict.Rendered() {
			return true
		}
	}
	return false
}

// unnumberedText are the words that no element with a number has.
func unnumberedText(t *snapshot.Tree, n *snapshot.Node) string {
	return text.CollapseSpace(dump.Gather(t, n,
		snapshot.Gather{Skip: func(c *snapshot.Node) bool { return c.Ref > 0 }}))
}

// textOf is the text of an element that is named by it.
func (w *wraith) textOf(n *snapshot.Node) string {
	if w.profile.additions {
		return dump.ItemText(w.t, n)
	}
	return dump.TextOf(w.t, n)
}

// item is the entry of a numbered element.
func (w *wraith) item(n *snapshot.Node) item {
	it := item{n: n, role: listedRole(n), frame: w.frameRef(n)}
	it.placeholder = w.cut(n.I, "placeholder", text.CollapseSpace(n.Attr("placeholder")), capText)
	name := text.CollapseSpace(n.Name)
	switch {
	case snapshot.IsFrame(n.Tag):
		it.text = dump.FrameLabel(w.Capture, w.frames, n)
		it.why = dump.Unreadable(w.Capture, w.frames, n)
	case n.Container(), n.IsModal():
		if dump.AuthorNamed(n) {
			it.text = name
		}
	case dump.HoldsValue(n):
		it.value = w.cut(n.I, "value", dump.ShownValue(w.t, n), capValue)
		it.text = it.value
		if it.text == "" && n.Tag != "input" && !snapshot.IsFormControl(n.Tag) {
			it.text = dump.TextOf(w.t, n) // the choice that an ARIA combobox shows
		}
		it.label = name
		if n.NameFrom == "placeholder" || it.label == it.placeholder {
			it.label = ""
		}
	case n.Tag == "pre":
		it.text = dump.RawTextOf(w.t, n)
	case n.Tag == "input":
		it.text, it.value = name, dump.Submits(n)
		if kind := dump.InputKind(n); it.text == "" && kind != "checkbox" && kind != "radio" {
			it.text = text.CollapseSpace(n.Value)
		}
	default:
		if it.text = w.textOf(n); it.text == "" {
			it.text = name
		} else if dump.AuthorNamed(n) {
			it.label = name
		}
	}
	it.text = w.cut(n.I, "text", it.text, w.profile.capText)
	if it.label = w.cut(n.I, "label", it.label, capText); it.label == it.text {
		it.label = ""
	}
	if n.Tag == "input" {
		if kind := dump.InputKind(n); kind != it.role && kind != "text" {
			it.kind = kind
		}
	}
	it.href = w.cut(n.I, "address", text.CollapseSpace(n.Attr("href")), dump.CapHref)
	if n.Tag == "img" && it.text == "" {
		it.src = w.cut(n.I, "file name", text.CollapseSpace(dump.FileName(n.Attr("src"))), capText)
	}
	w.choices(&it)
	return it
}

// choices adds the options of a select.
func (w *wraith) choices(it *item) {
	if it.n.Tag != "select" {
		return
	}
	all := dump.Options(w.t, it.n)
	for _, o := range all[:min(len(all), maxOptions)] {
		it.options = append(it.options, w.cut(it.n.I, "option", o.Text, capText))
		it.off = append(it.off, !o.Usable)
	}
	if it.more = len(all) - len(it.options); it.more > 0 {
		w.Omit(it.n.I, dump.ReasonCut, "options cut from "+strconv.Itoa(len(all))+" to "+strconv.Itoa(maxOptions))
	}
}

// listedRole is the role in brackets: the role, for an input its type.
func listedRole(n *snapshot.Node) string {
	switch {
	case n.Tag == "input" && (n.Attr("role") == "" || n.Role == ""):
		if kind := dump.InputKind(n); kind != "text" {
			return kind
		}
		if n.Role == "combobox" { // it has a list of suggestions
			return n.Role
		}
		return "textbox"
	case n.Tag == "select":
		if n.Role == "listbox" {
			return n.Role
		}
		return "combobox"
	case snapshot.IsFrame(n.Tag):
		return n.Tag
	}
	role := dump.RoleOf(n)
	if dump.TagName(role) != role { // the page made it up
		return dump.TagName(n.Tag)
	}
	return role
}

// frameRef is the ref of the frame element whose document the element is in, 0 for
// the main frame.
func (w *wraith) frameRef(n *snapshot.Node) int {
	if n.Frame <= 0 || n.Frame >= len(w.Capture.Frames) {
		return 0
	}
	if owner := w.t.Node(w.Capture.Frames[n.Frame].Owner); owner != nil {
		return owner.Ref
	}
	return 0
}

// findLabels finds the labels whose words their field's name has: by for, or around it.
func (w *wraith) findLabels() {
	w.labels = map[int]int{}
	for i, field := range w.Page.NamingLabels() {
		l := w.t.Node(i)
		if s := text.CollapseSpace(field.Name); l.Verdict == snapshot.VerdictRef && field.Ref > 0 && s != "" &&
			s == dump.TextOf(w.t, l) && !holdsText(w.t, l, field) {
			w.labels[i] = field.I
		}
	}
}

// holdsText reports whether the label holds another numbered element than its field,
// so that the line of the label is more than the field's name.
func holdsText(t *snapshot.Tree, label, field *snapshot.Node) bool {
	for c := range t.Children(label.I) {
		if c.Verdict == snapshot.VerdictRef && c.I != field.I {
			return true
		}
	}
	return false
}

// selectCompat lists what the original does, in its order.
func (w *wraith) selectCompat() {
	w.Unlisted = func(n *snapshot.Node) (string, string) {
		switch {
		case n.Shadow != "":
			return dump.ReasonRole, "compat: shadow trees are not read"
		case n.Verdict == snapshot.VerdictContent:
			return dump.ReasonRole, "compat: lines of text are not listed"
		}
		return dump.ReasonRole, "compat: not a control and not a heading of level 1 to 3"
	}
	var headings []item
	for p := range w.Capture.Nodes {
		n := &w.Capture.Nodes[p]
		if n.Verdict != snapshot.VerdictRef || n.Ref == 0 || n.Shadow != "" || w.leftOut(n) {
			continue
		}
		switch {
		case isControl(n):
			w.items = append(w.items, w.compatItem(n))
		case n.Tag == "h1" || n.Tag == "h2" || n.Tag == "h3":
			headings = append(headings, w.compatItem(n))
		}
	}
	w.items = append(w.items, headings...)
}

func (w *wraith) compatItem(n *snapshot.Node) item {
	it := w.item(n)
	if it.value == it.text {
		it.value = ""
	}
	if n.Frame > 0 && n.Frame < len(w.Capture.Frames) {
		host := ""
		if u, err := url.Parse(w.Capture.Frames[n.Frame].URL); err == nil {
			host = u.Hostname()
		}
		it.role = "[iframe: " + text.Visible(text.CollapseSpace(host)) + "] " + it.role
	}
	return it
}

// isControl is the original's idea of a control.
func isControl(n *snapshot.Node) bool {
	if n.Tag == "label" || snapshot.IsFrame(n.Tag) {
		return false
	}
	return n.HasAttr("onclick") || n.Control() || slices.Contains(n.Interactive, "tabindex")
}
