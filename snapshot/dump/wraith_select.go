package dump

import (
	"net/url"
	"slices"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/text"
)

// Which elements the wraith formats list, and what an entry says.

// selectAll lists, in document order, everything that has words, a name or a use.
func (w *wraith) selectAll() {
	for p := range w.c.Nodes {
		n := &w.c.Nodes[p]
		if !n.Verdict.Kept() || n.Ref == 0 || w.leftOut(n) {
			continue
		}
		if n.Verdict == snapshot.VerdictContent || n.OnlyScrolls() {
			w.textLine(n)
			continue
		}
		if n.Container() && !n.IsModal() && !snapshot.IsFrame(n.Tag) && !authorNamed(n) {
			w.omit(n.I, ReasonRole, "a section that its author gave no name; what is in it is listed")
			continue
		}
		w.items = append(w.items, w.item(n))
	}
}

// leftOut records why a kept element is not listed, and reports whether it is so.
func (w *wraith) leftOut(n *snapshot.Node) bool {
	if field, ok := w.labels[n.I]; ok && n.Verdict == snapshot.VerdictRef && !w.o.Compat {
		w.omit(n.I, ReasonDuplicate, "a label: @e"+decimal(w.t.Node(field).Ref)+" carries its words")
		return true
	}
	if w.o.ViewportOnly && !n.InViewport {
		w.omit(n.I, ReasonViewport, outsideOf(w.c, n))
		return true
	}
	if line := w.lineAround(n); line != nil && !w.o.Compat {
		w.omit(n.I, ReasonDuplicate, "its words are part of @e"+decimal(line.Ref))
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

// outsideOf says where an element is that the viewport does not show.
func outsideOf(c *snapshot.Capture, n *snapshot.Node) string {
	if side := outside(n.Box, c.Viewport.Box()); side != "" {
		return side
	}
	return "not in the viewport"
}

// authorNamed reports whether the name was written for the element and is not the
// text in it, which has lines of its own.
func authorNamed(n *snapshot.Node) bool { return text.Squash(n.Name) != "" && n.NameFrom != "content" }

// textLine lists a line of text, where it has words of its own.
func (w *wraith) textLine(n *snapshot.Node) {
	s := ownText(w.t, n)
	if s == "" {
		s = shownValue(w.t, n)
	}
	if s == "" && n.Text == "" && !holdsKept(w.t, n) {
		s = text.Squash(n.Name)
	}
	if s == "" {
		return // builder.why says that its words are on other lines
	}
	it := wraithItem{n: n, role: "text", text: w.cut(n.I, "text", s, capWraithLine)}
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

// ownText is what a line of text says: its words and those of the elements that
// flow in it, blocks that are lines of their own left out.
func ownText(t *snapshot.Tree, n *snapshot.Node) string {
	return text.Squash(gather(t, n, snapshot.Gather{Skip: func(c *snapshot.Node) bool {
		return c.Block && c.Verdict.Kept() && c.Verdict.Rendered() && !snapshot.IsFormControl(c.Tag) && !snapshot.IsFrame(c.Tag)
	}}))
}

// item is the entry of a numbered element.
func (w *wraith) item(n *snapshot.Node) wraithItem {
	it := wraithItem{n: n, role: wraithRole(n), frame: w.frameRef(n)}
	it.placeholder = w.cut(n.I, "placeholder", text.Squash(n.Attr("placeholder")), capWraithText)
	name := text.Squash(n.Name)
	switch {
	case snapshot.IsFrame(n.Tag):
		it.text = frameLabel(w.c, w.frames, n)
		it.why = unreadable(w.c, w.frames, n)
	case n.Container(), n.IsModal():
		if authorNamed(n) {
			it.text = name
		}
	case holdsValue(n):
		it.value = w.cut(n.I, "value", shownValue(w.t, n), capWraithValue)
		it.text = it.value
		if it.text == "" && n.Tag != "input" && !snapshot.IsFormControl(n.Tag) {
			it.text = textOf(w.t, n) // the choice that an ARIA combobox shows
		}
		it.label = name
		if n.NameFrom == "placeholder" || it.label == it.placeholder {
			it.label = ""
		}
	case n.Tag == "pre":
		it.text = rawTextOf(w.t, n)
	case n.Tag == "input":
		it.text, it.value = name, submits(n)
		if kind := inputKind(n); it.text == "" && kind != "checkbox" && kind != "radio" {
			it.text = text.Squash(n.Value)
		}
	default:
		if it.text = textOf(w.t, n); it.text == "" {
			it.text = name
		} else if authorNamed(n) {
			it.label = name
		}
	}
	if n.Tag != "pre" {
		it.text = w.cut(n.I, "text", it.text, capWraithText)
	} else {
		it.text = w.cut(n.I, "text", it.text, capWraithLine)
	}
	if it.label = w.cut(n.I, "label", it.label, capWraithText); it.label == it.text {
		it.label = ""
	}
	if n.Tag == "input" {
		if kind := inputKind(n); kind != it.role && kind != "text" {
			it.kind = kind
		}
	}
	it.href = w.cut(n.I, "address", text.Squash(n.Attr("href")), capHref)
	if n.Tag == "img" && it.text == "" {
		it.src = w.cut(n.I, "file name", text.Squash(fileName(n.Attr("src"))), capWraithText)
	}
	w.choices(&it)
	return it
}

// choices adds the options of a select.
func (w *wraith) choices(it *wraithItem) {
	if it.n.Tag != "select" {
		return
	}
	all, _ := options(w.t, it.n)
	for _, s := range all[:min(len(all), maxWraithOptions)] {
		it.options = append(it.options, w.cut(it.n.I, "option", s, capWraithText))
	}
	if it.more = len(all) - len(it.options); it.more > 0 {
		w.omit(it.n.I, ReasonCut, "options cut from "+decimal(len(all))+" to "+decimal(maxWraithOptions))
	}
}

// wraithRole is what stands in brackets: the role, for an input its type.
func wraithRole(n *snapshot.Node) string {
	switch {
	case n.Tag == "input" && (n.Attr("role") == "" || n.Role == ""):
		if kind := inputKind(n); kind != "text" {
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
	role := roleOf(n)
	if tagName(role) != role { // the page made it up
		return tagName(n.Tag)
	}
	return role
}

// frameRef is the ref of the frame element whose document the element is in, 0 for
// the main frame.
func (w *wraith) frameRef(n *snapshot.Node) int {
	if n.Frame <= 0 || n.Frame >= len(w.c.Frames) {
		return 0
	}
	if owner := w.t.Node(w.c.Frames[n.Frame].Owner); owner != nil {
		return owner.Ref
	}
	return 0
}

// findLabels finds the labels whose words their field's name has: by for, or around it.
func (w *wraith) findLabels() {
	type key struct {
		frame int
		id    string
	}
	w.labels = map[int]int{}
	byID := map[key]*snapshot.Node{}
	var labels []*snapshot.Node
	for p := range w.c.Nodes {
		n := &w.c.Nodes[p]
		if n.Tag == "label" && n.Verdict == snapshot.VerdictRef {
			labels = append(labels, n)
		}
		if id := n.Attr("id"); id != "" && byID[key{n.Frame, id}] == nil {
			byID[key{n.Frame, id}] = n
		}
	}
	around := map[int]*snapshot.Node{} // label → the first field in it
	if len(labels) > 0 {
		for p := range w.c.Nodes {
			n := &w.c.Nodes[p]
			if !isField(n) {
				continue
			}
			for up := range w.t.Ancestors(n.I) {
				if up.Tag == "label" {
					if around[up.I] == nil {
						around[up.I] = n
					}
					break
				}
			}
		}
	}
	for _, l := range labels {
		field := around[l.I]
		if l.HasAttr("for") {
			field = byID[key{l.Frame, l.Attr("for")}]
		}
		if field == nil || !isField(field) || field.Ref == 0 {
			continue
		}
		if s := text.Squash(field.Name); s != "" && s == textOf(w.t, l) && !holdsText(w.t, l, field) {
			w.labels[l.I] = field.I
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
	w.why = func(n *snapshot.Node) (string, string) {
		switch {
		case n.Shadow != "":
			return ReasonRole, "compat: shadow trees are not read"
		case n.Verdict == snapshot.VerdictContent:
			return ReasonRole, "compat: lines of text are not listed"
		}
		return ReasonRole, "compat: not a control and not a heading of level 1 to 3"
	}
	var headings []wraithItem
	for p := range w.c.Nodes {
		n := &w.c.Nodes[p]
		if n.Verdict != snapshot.VerdictRef || n.Ref == 0 || n.Shadow != "" || w.leftOut(n) {
			continue
		}
		switch {
		case wraithControl(n):
			w.items = append(w.items, w.compatItem(n))
		case n.Tag == "h1" || n.Tag == "h2" || n.Tag == "h3":
			headings = append(headings, w.compatItem(n))
		}
	}
	w.items = append(w.items, headings...)
}

func (w *wraith) compatItem(n *snapshot.Node) wraithItem {
	it := w.item(n)
	if it.value == it.text {
		it.value = ""
	}
	if n.Frame > 0 && n.Frame < len(w.c.Frames) {
		host := ""
		if u, err := url.Parse(w.c.Frames[n.Frame].URL); err == nil {
			host = u.Hostname()
		}
		it.role = "[iframe: " + text.Visible(text.Squash(host)) + "] " + it.role
	}
	return it
}

// wraithControl is the original's idea of a control.
func wraithControl(n *snapshot.Node) bool {
	if n.Tag == "label" || snapshot.IsFrame(n.Tag) {
		return false
	}
	return n.HasAttr("onclick") || slices.ContainsFunc(n.Interactive, func(by string) bool {
		return by == "native" || by == "role" || by == "tabindex" || by == "contenteditable"
	})
}
