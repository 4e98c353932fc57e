package dump

import (
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/text"
)

// What a form control is and holds, for the formats that print values beside text.

// Limits of addresses in all formats, in characters: one address must not eat the text.
const (
	CapHref = 1_000 // of a link
	CapURL  = 2_000 // of the page or a frame
)

// InputKind is the type of an input in lower case; a type that HTML does not know
// is "text", as browsers take it (HTML, 4.10.5, the type attribute).
func InputKind(n *snapshot.Node) string {
	t := strings.ToLower(strings.TrimSpace(n.Attr("type")))
	switch t {
	case "hidden", "search", "tel", "url", "email", "password", "date", "month", "week", "time", "datetime-local",
		"number", "range", "color", "checkbox", "radio", "file", "submit", "image", "reset", "button":
		return t
	}
	return "text"
}

// Guessed reports whether an element's name was hunted for: the page ties no name to it, and this is what stands beside
// it, or an attribute that is no name by the specification. A format that prints such a name marks it.
func Guessed(n *snapshot.Node) bool { return n.Name != "" && strings.HasPrefix(n.NameFrom, "hunted:") }

// HoldsValue reports whether the element is a field whose value a person reads in
// it: text fields, selects, sliders and their ARIA counterparts. A checkbox or a
// button is none: what it submits is not to be seen.
func HoldsValue(n *snapshot.Node) bool {
	switch n.Tag {
	case "input":
		return snapshot.IsFieldType(InputKind(n))
	case "select", "textarea":
		return true
	case "button", "a", "label", "summary", "li", "option":
		return false
	}
	switch n.Role {
	case "textbox", "searchbox", "combobox", "spinbutton", "slider":
		return true
	}
	return n.Editable()
}

// ShownValue is what a field shows: the chosen options of a select joined by ", ",
// else its live value; a withheld value as such. "" for other elements, meter and
// progress apart.
func ShownValue(t *snapshot.Tree, n *snapshot.Node) string {
	if !HoldsValue(n) {
		if n.Gauge() || n.Tag == "output" {
			return text.CollapseSpace(LiveValue(n))
		}
		return ""
	}
	if n.Tag == "select" && len(n.Redacted) == 0 {
		if _, chosen := SelectOptions(t, n); len(chosen) > 0 {
			return strings.Join(chosen, ", ")
		}
	}
	return text.CollapseSpace(LiveValue(n))
}

// Submits is the value that a checkbox or radio submits, "" where its author gave it no
// value of its own.
func Submits(n *snapshot.Node) string {
	if n.Tag != "input" {
		return ""
	}
	switch InputKind(n) {
	case "checkbox", "radio":
		if v := text.CollapseSpace(n.Attr("value")); v != "on" {
			return v
		}
	}
	return ""
}

// StateNames are the states that hold for an element, always in this order, each by its [StateName]; a closed
// expander is "collapsed".
func StateNames(n *snapshot.Node) []string {
	if len(n.States) == 0 {
		return nil
	}
	var out []string
	for _, name := range [...]string{"disabled", "inert", "checked", "selected", "pressed", "expanded", "required",
		"readonly", "invalid", "current", "sort", "busy", "focused"} {
		if s := StateName(n, name); s != "" {
			out = append(out, s)
		}
		if open, ok := n.States[name].(bool); name == "expanded" && ok && !open {
			out = append(out, "collapsed")
		}
	}
	return out
}

// StateName is a state that holds by its name, with its word where that says more: "checked=mixed",
// "sort=descending"; "" for one that does not hold.
func StateName(n *snapshot.Node, name string) string {
	switch word := n.States.Token(name); {
	case n.States.Is(name), (name == "invalid" || name == "current") && word != "" && word != "false":
		return name
	case word == "mixed", name == "sort" && word != "":
		return name + "=" + word
	}
	return ""
}

// Sorted is how the column is sorted that the element heads, "" for not at all: of the first control in a header that
// is none itself it is what the header says.
func Sorted(t *snapshot.Tree, n *snapshot.Node) string {
	if s := n.States.Token("sort"); s != "" || !n.Control() {
		return s
	}
	near := 8
	for up := range t.Ancestors(n.I) {
		if near--; near < 0 || up.Control() {
			return ""
		}
		s := up.States.Token("sort")
		for i := up.I + 1; s != "" && i < n.I; i++ {
			if c := t.Node(i); c.Control() && c.Verdict.Kept() {
				return ""
			}
		}
		if s != "" || up.Role == "columnheader" || up.Role == "rowheader" {
			return s
		}
	}
	return ""
}

// Usable reports whether the element can be operated now: neither disabled nor inert.
func Usable(n *snapshot.Node) bool { return !n.States.Is("disabled") && !n.States.Is("inert") }

// FrameOwners maps frame elements to the documents in them.
func FrameOwners(c *snapshot.Capture) map[int]int {
	m := make(map[int]int, len(c.Frames))
	for i, f := range c.Frames {
		if f.Parent >= 0 {
			m[f.Owner] = i
		}
	}
	return m
}

// Unreadable explains why the document of a frame element is not in the capture, ""
// where it is.
func Unreadable(c *snapshot.Capture, frames map[int]int, n *snapshot.Node) string {
	i, ok := frames[n.I]
	switch {
	case !ok:
		return "no document in it"
	case c.Frames[i].Readable:
		return ""
	}
	if why := text.CollapseSpace(c.Frames[i].Why); why != "" {
		return why
	}
	return "no reason known"
}

// FrameLabel is the label of a frame: its name or title, else its address.
func FrameLabel(c *snapshot.Capture, frames map[int]int, n *snapshot.Node) string {
	s := text.CollapseSpace(n.Name)
	if s == "" {
		s = text.CollapseSpace(n.Attr("title"))
	}
	if i, ok := frames[n.I]; s == "" && ok {
		s = text.CollapseSpace(c.Frames[i].URL)
	}
	if s == "" {
		s = text.CollapseSpace(n.Attr("src"))
	}
	return s
}

// Px is a length in CSS px as a whole number from 0 to 1e9.
func Px(v float64) int { return int(math.Round(max(0, min(v, 1e9)))) }

// TagName is the printable part of a tag: the parser lets almost any
// character into the names of unknown elements.
func TagName(tag string) string {
	for i := 0; i < len(tag); i++ {
		c := tag[i]
		if !(c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-') {
			return "element"
		}
	}
	if tag == "" || utf8.RuneCountInString(tag) > 40 {
		return "element"
	}
	return tag
}

// InputType is the type attribute of an input as the page has it, "text" where it has none; [InputKind] knows only
// those of HTML.
func InputType(n *snapshot.Node) string {
	if t := strings.ToLower(text.CollapseSpace(n.Attr("type"))); t != "" {
		return t
	}
	return "text"
}

// LiveValue is a control's value; what was kept out of the capture shows as such.
func LiveValue(n *snapshot.Node) string {
	if n.Value == "" && slices.Contains(n.Redacted, "value") {
		return "[redacted]"
	}
	return n.Value
}

// Option is a choice of a select.
type Option struct {
	Text           string
	Chosen, Usable bool
}

// Options are the choices of a select.
func Options(t *snapshot.Tree, sel *snapshot.Node) []Option {
	var all []Option
	var walk func(n *snapshot.Node, level int)
	walk = func(n *snapshot.Node, level int) {
		for c := range t.Children(n.I) {
			switch {
			case c.Tag == "option":
				all = append(all, Option{OptionText(t, c), c.States.Is("selected"), Usable(c) || !Usable(sel)})
			case level < 8:
				walk(c, level+1)
			}
		}
	}
	walk(sel, 0)
	return all
}

// SelectOptions are the texts of a select's options and of the chosen ones.
func SelectOptions(t *snapshot.Tree, sel *snapshot.Node) (all, chosen []string) {
	for _, o := range Options(t, sel) {
		if all = append(all, o.Text); o.Chosen {
			chosen = append(chosen, o.Text)
		}
	}
	return all, chosen
}

// FileName is the last part of an image's address, "" for one without: a data
// URL is content, not a name.
func FileName(src string) string {
	u, err := url.Parse(strings.TrimSpace(src))
	if err != nil || u.Opaque != "" || u.Scheme == "data" || u.Scheme == "blob" {
		return ""
	}
	return u.Path[strings.LastIndexByte(u.Path, '/')+1:]
}

// FrameID is the number of an element as the HTML formats and semantic spell it: 12,
// or f1_12 in frame 1 (S-17).
func FrameID(n *snapshot.Node) string {
	if n.Frame == 0 {
		return strconv.Itoa(n.Ref)
	}
	return "f" + strconv.Itoa(n.Frame) + "_" + strconv.Itoa(n.Ref)
}

// RoleOf is the element's role; a select goes by its tag, as the seed has it, and
// so does what has no role.
func RoleOf(n *snapshot.Node) string {
	switch {
	case n.Tag == "select":
		return "select"
	case n.Role == "" || n.Role == "generic" || n.Role == "none" || n.Role == "presentation":
		if n.Editable() {
			return "textbox"
		}
		return TagName(n.Tag)
	}
	return n.Role
}

// OutsideView returns on which side of the viewport a box lies wholly, "" for none.
func OutsideView(b, view snapshot.Box) string {
	switch {
	case b.Y() >= view.Bottom():
		return "below the viewport"
	case b.Bottom() <= 0:
		return "above the viewport"
	case b.X() >= view.Right():
		return "right of the viewport"
	case b.Right() <= 0:
		return "left of the viewport"
	}
	return ""
}

// namingLabels maps the labels (by node) to the field that each names and that is listed anyway: the first element with
// the id that for says (HTML, 4.10.4), else the first field in it.
func namingLabels(c *snapshot.Capture) map[int]*snapshot.Node {
	type key struct {
		frame int
		id    string
	}
	byID, first, inside := map[key]*snapshot.Node{}, map[int]*snapshot.Node{}, map[int]int{} // inside: node → label
	var labels []*snapshot.Node
	for p := range c.Nodes {
		n := &c.Nodes[p]
		if id := n.Attr("id"); id != "" && byID[key{n.Frame, id}] == nil {
			byID[key{n.Frame, id}] = n
		}
		if l, ok := inside[n.Parent]; ok {
			inside[n.I] = l
			if isField(n) && first[l] == nil {
				first[l] = n
			}
		}
		if n.Tag == "label" {
			labels = append(labels, n)
			inside[n.I] = n.I
		}
	}
	named := make(map[int]*snapshot.Node, len(labels))
	for _, l := range labels {
		field := first[l.I]
		if l.HasAttr("for") {
			field = byID[key{l.Frame, l.Attr("for")}]
		}
		if field != nil && isField(field) {
			named[l.I] = field
		}
	}
	return named
}

// isField reports whether the node is a kept control that a label can name.
func isField(n *snapshot.Node) bool {
	return n.Verdict == snapshot.VerdictRef && snapshot.IsLabelable(n.Tag)
}

// OptionText is the text of an option, which a closed select does not render.
func OptionText(t *snapshot.Tree, n *snapshot.Node) string {
	if l := text.CollapseSpace(n.Attr("label")); l != "" {
		return l
	}
	if s := text.CollapseSpace(Gather(t, n, snapshot.Gather{All: true})); s != "" {
		return s
	}
	return text.CollapseSpace(n.Name)
}

// WhereOutside describes where an element is that the viewport does not show.
func WhereOutside(c *snapshot.Capture, n *snapshot.Node) string {
	if side := OutsideView(n.Box, c.Viewport.Box()); side != "" {
		return side
	}
	return "not in the viewport"
}

// AuthorNamed reports whether the name was written for the element and is not the
// text in it, which has lines of its own.
func AuthorNamed(n *snapshot.Node) bool {
	return text.CollapseSpace(n.Name) != "" && n.NameFrom != "content"
}

// Coverer is what lies over the element: the numbered element, of those that the format prints, that it is or belongs
// to; else what it is in a word; nil and "" if unknown.
func Coverer(t *snapshot.Tree, n *snapshot.Node, printed func(*snapshot.Node) bool) (by *snapshot.Node, what string) {
	if n.Occlusion == nil || n.Occlusion.Coverer == nil {
		return nil, ""
	}
	over := t.Node(*n.Occlusion.Coverer)
	if over == nil {
		return nil, ""
	}
	if printed(over) {
		return over, ""
	}
	for up := range t.Ancestors(over.I) {
		if printed(up) && !t.Contains(up.I, n.I) { // what holds both is not what covers
			return up, ""
		}
	}
	if (over.Tag == "div" || over.Tag == "span") && over.Role != "" && over.Role != "generic" {
		return nil, TagName(over.Tag) + " " + TagName(over.Role)
	}
	return nil, TagName(over.Tag)
}

// HasRef reports whether the element has a number: formats that print all of them name a coverer by it.
func HasRef(n *snapshot.Node) bool { return n.Ref > 0 }
