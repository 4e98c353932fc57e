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

// kind is how a numbered element's inside is treated.
type kind int

const (
	kindLeaf    kind = iota // its text is on its line
	kindSection             // its inside is one tab deeper
)

// line is the element as it is after the number.
func (w *dddk) line(n *snapshot.Node) (string, kind) {
	switch n.Tag {
	case "a", "area":
		return w.link(n), kindLeaf
	case "button":
		s := cmp.Or(w.say(n, capText), "(no label)")
		return "<button" + w.chosen(n) + w.states(n) + ">" + s + "</button>", kindLeaf
	case "input":
		return w.input(n), kindLeaf
	case "select":
		return w.choice(n), kindLeaf
	case "textarea":
		return "<textarea" + w.fieldName(n) + w.placeholder(n) + w.value(n, capTextarea) + w.states(n) + " />", kindLeaf
	case "label", "summary":
		return "<" + n.Tag + w.states(n) + ">" + w.say(n, capText) + "</" + n.Tag + ">", kindLeaf
	}
	switch {
	case snapshot.IsWidget(n.Role) && len(n.Interactive) > 0:
		return w.widget(n, n.Role), kindLeaf
	case n.Tag == "img", n.IsPicture() && len(n.Interactive) == 0:
		return w.image(n), kindLeaf
	case n.Tag == "pre":
		return w.pre(n), kindLeaf
	case snapshot.IsHeading(n.Tag):
		return "<" + n.Tag + w.states(n) + ">" + w.say(n, capText) + "</" + n.Tag + ">", kindLeaf
	case n.Role == "heading":
		tag := "h2" // the level that ARIA assumes
		if l := int(n.States.Number("level")); l >= 1 && l <= 6 {
			tag = "h" + strconv.Itoa(l)
		}
		return "<" + tag + ">" + w.say(n, capText) + "</" + tag + ">", kindLeaf
	case n.IsModal(), n.Tag == "dialog":
		return w.section(n, "dialog"), kindSection
	case snapshot.IsSection(n.Tag):
		return w.section(n, n.Tag), kindSection
	case snapshot.IsFrame(n.Tag):
		return w.frame(n), kindSection
	case n.Editable():
		return w.widget(n, "textbox"), kindLeaf
	}
	return w.widget(n, "control"), kindLeaf
}

// chosen is what is on a button that a label names, as on one that opens a list: its words are what is chosen there.
func (w *dddk) chosen(n *snapshot.Node) string {
	own := text.CollapseSpace(w.t.Text(n.I))
	named := n.NameFrom == "label" || n.NameFrom == "aria-labelledby"
	if !w.profile.states || !named || strings.Contains(w.label(n), own) {
		return ""
	}
	return w.attr(n, "value", own, capValue)
}

// say is the element's label, cut and escaped for a place between tags.
func (w *dddk) say(n *snapshot.Node, max int) string {
	return w.profile.inTag(text.Visible(w.cut(n.I, "text", w.label(n), w.room(n, max, capSeen))))
}

func (w *dddk) label(n *snapshot.Node) string { return dump.Label(w.t, n) }

func (w *dddk) attr(n *snapshot.Node, name, s string, max int) string {
	s = text.CollapseSpace(s)
	if s == "" {
		return ""
	}
	return " " + name + `="` + w.profile.inQuotes(text.Visible(w.cut(n.I, name, s, max))) + `"`
}

func (w *dddk) link(n *snapshot.Node) string {
	if !w.profile.states { // href="" where there is none
		return `<a href="` + w.profile.inQuotes(text.Visible(text.CollapseSpace(n.Attr("href")))) + `">` +
			w.say(n, capLink) + "</a>"
	}
	return "<a" + w.attr(n, "href", n.Attr("href"), dump.CapHref) + w.states(n) + ">" + w.say(n, capLink) + "</a>"
}

func (w *dddk) input(n *snapshot.Node) string {
	return "<input" + w.attr(n, "type", dump.InputType(n), capPlaceholder) + w.fieldName(n) + w.placeholder(n) +
		w.value(n, capValue) + w.states(n) + " />"
}

// fieldName is the name of a field that no label shows: a label has a line of its own.
func (w *dddk) fieldName(n *snapshot.Node) string {
	if !w.profile.states {
		return ""
	}
	switch n.NameFrom {
	case "aria-label", "title":
		return w.attr(n, n.NameFrom, n.Name, w.room(n, capPlaceholder, capSeenHint))
	case "aria-labelledby":
		return w.attr(n, "label", n.Name, w.room(n, capPlaceholder, capSeenHint))
	}
	return ""
}

func (w *dddk) placeholder(n *snapshot.Node) string {
	return w.attr(n, "placeholder", n.Attr("placeholder"), w.room(n, capPlaceholder, capSeenHint))
}

func (w *dddk) value(n *snapshot.Node, max int) string {
	if t := n.Attr("type"); w.profile.masks && n.Value != "" && n.Tag == "input" && (t == "password" || t == "tel") {
		return ` value="[redacted]"`
	}
	v := dump.LiveValue(n)
	if n.Tag == "input" && v == "" {
		v = w.fixedValue(n)
	}
	return w.attr(n, "value", v, max)
}

// fixedValue is the value of an input that nobody types into: what a checkbox
// submits and what is on a button, which the browser may have put there.
func (w *dddk) fixedValue(n *snapshot.Node) string {
	v := n.Attr("value")
	switch dump.InputType(n) {
	case "checkbox", "radio":
		if v == "" && w.profile.masks {
			v = "on"
		}
		return v
	case "submit", "reset", "button", "image":
		if v == "" && !w.profile.masks {
			v = n.Name
		}
		return v
	}
	return ""
}

// choice is a select: which option is chosen and the first options.
func (w *dddk) choice(n *snapshot.Node) string {
	var all, chosen []string
	for _, o := range dump.Options(w.t, n) {
		if o.Chosen {
			chosen = append(chosen, o.Text)
		}
		if w.profile.states && !o.Usable {
			o.Text += " (disabled)"
		}
		all = append(all, o.Text)
	}
	value := strings.Join(chosen, " | ")
	if value == "" {
		value = dump.LiveValue(n)
	}
	if slices.Contains(n.Redacted, "value") {
		value = "[redacted]"
	}
	shown := all
	if len(all) > maxOptions {
		shown = all[:maxOptions]
		w.Omit(n.I, dump.ReasonCut, "options cut from "+strconv.Itoa(len(all))+" to "+strconv.Itoa(maxOptions))
	}
	list := w.profile.inTag(text.Visible(w.cut(n.I, "options", strings.Join(shown, " | "), capOptions)))
	if !w.profile.states {
		return "<select>options: " + list + "</select>"
	}
	if more := len(all) - len(shown); more > 0 {
		list += " | +" + strconv.Itoa(more)
	}
	return "<select" + w.fieldName(n) + w.attr(n, "value", value, capValue) + w.states(n) + ">options: " + list +
		"</select>"
}

// states are the bare attributes. A form control has disabled and required; the
// rest follows from ARIA states and their native counterparts alike.
func (w *dddk) states(n *snapshot.Node) string {
	if !w.profile.states {
		if n.Tag == "button" && n.States.Is("disabled") {
			return " disabled"
		}
		return ""
	}
	s := ""
	for _, name := range [...]string{"checked", "selected", "expanded", "required", "disabled", "inert"} {
		switch {
		case n.States.Is(name):
			s += " " + name
		case n.States.Token(name) == "mixed":
			s += " " + name + `="mixed"`
		}
	}
	for _, name := range [...]string{"current", "sort", "busy"} {
		if name == "sort" {
			s += w.sorted(n)
		} else if name = dump.StateName(n, name); name != "" {
			s += " " + name
		}
	}
	return s
}

// sorted is how the column is sorted, as an attribute.
func (w *dddk) sorted(n *snapshot.Node) string {
	if word := dump.Sorted(w.t, n); word != "" && w.profile.states {
		return ` sort="` + word + `"`
	}
	return ""
}

// widget is an element whose role makes it a control. A value that is not its
// label (a slider's position, the text of an editor) is printed as an input's.
func (w *dddk) widget(n *snapshot.Node, role string) string {
	value := ""
	if !w.profile.states {
		s := w.say(n, capText)
		return "<" + role + ">" + s + "</" + role + ">"
	}
	v := text.CollapseSpace(dump.LiveValue(n))
	if v == "" && n.Editable() { // a region without a role of its own, whose name is not what it holds
		v = w.t.Text(n.I)
	}
	if own := text.CollapseSpace(n.Text); v == "" && role == "control" && n.Name != "" &&
		!strings.Contains(w.label(n), own) {
		v = own // a clock that its author calls one
	}
	if v != "" && v != w.label(n) {
		value = w.attr(n, "value", v, capValue)
	}
	return "<" + role + value + w.states(n) + ">" + w.say(n, capText) + "</" + role + ">"
}

func (w *dddk) image(n *snapshot.Node) string {
	alt := text.CollapseSpace(n.Name)
	if alt == "" {
		alt = n.Attr("alt")
	}
	if a := w.attr(n, "alt", alt, capAlt); a != "" {
		return "<img" + a + " />"
	}
	return "<img" + w.attr(n, "src", dump.FileName(n.Attr("src")), capFile) + " />"
}

// pre keeps its lines. Its own end tag is the only "</pre>" it can hold.
func (w *dddk) pre(n *snapshot.Node) string {
	s := strings.TrimRight(strings.TrimPrefix(dump.RawTextOf(w.t, n), "\n"), " \t\n")
	short, did := w.cutPre(n, s)
	short = w.profile.inTag(text.Visible(short))
	if w.profile.sliced {
		short = strings.ReplaceAll(short, "</pre", `<\/pre`)
	}
	ls := strings.Split(short, "\n")
	for i := 1; i < len(ls); i++ {
		ls[i] = guardPre(ls[i])
	}
	s = strings.Join(ls, "\n")
	if did {
		s += "\n…[pre truncated]"
	}
	return "<pre>" + s + "</pre>"
}

// cutPre shortens the text of a pre; the marker after it replaces the "…".
func (w *dddk) cutPre(n *snapshot.Node, s string) (string, bool) {
	short := w.cut(n.I, "text", s, capPre)
	if len(short) == len(s) {
		return s, false
	}
	return strings.TrimRight(strings.TrimSuffix(short, "…"), " \t\n"), true
}

// section is a container with its label, which ends with the line.
func (w *dddk) section(n *snapshot.Node, tag string) string {
	s := ""
	if n.NameFrom != "content" { // a row is named by its cells, which follow
		s = text.CollapseSpace(n.Name)
	}
	if s == "" {
		if h := w.headings[n.I]; h != nil {
			s = w.label(h)
		}
	}
	if s == "" && w.profile.glues && tag != "dialog" {
		s = text.CollapseSpace(dump.TextContent(w.t, n)) // the original falls back to all its text
	}
	if w.profile.glues && tag == "dialog" {
		s = ""
	}
	s = w.cut(n.I, "label", s, w.room(n, capLabel, capSeen))
	if s != "" {
		s = " " + guardLabel(w.profile.inTag(text.Visible(s)))
	}
	return "<" + tag + w.states(n) + ">" + s
}

// frame is a section too: the document it shows, or why it could not be read.
func (w *dddk) frame(n *snapshot.Node) string {
	s := w.cut(n.I, "label", dump.FrameLabel(w.Capture, w.frames, n), w.room(n, capLabel, capSeen))
	if s != "" {
		s = " " + guardLabel(escapeText(text.Visible(s)))
	}
	if why := dump.Unreadable(w.Capture, w.frames, n); why != "" {
		s += " (not read: " + guardLabel(escapeText(text.Visible(text.Cut(why, capText)))) + ")"
	}
	return "<iframe>" + s
}
