package markup

import (
	"slices"
	"strconv"
	"strings"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/text"
)

// The skeleton format: minimal HTML of what can be operated and of nothing else, seed
// "DOM extraction architecture" 9 (in its table of contents; chapter 10 in its text).
//
//	skeleton = [ element { NL element } ]
//	element  = "<" tag [ ' id="' number '"' ] { attribute } ( " />" | ">" text "</" tag ">" )
//	         | "<select" … ">" { NL "  " ( option | group ) } NL "</select>"
//	group    = '<optgroup label="…">' { NL "    " option } NL "  </optgroup>"
//	number   = ref | "f" frame "_" ref
//
// The list is flat, in document order: an element inside another has a line of its own
// after it. id is the ref number (what the seed's tagger stamps as data-llm-id), so a
// control of frame 1 is f1_12 (S-17). The page's own id is not printed.
//
// Attributes, in the seed's order and only where the element has them: name type href
// value placeholder role aria-label title data-testid data-id disabled readonly checked
// selected; value, checked and selected are the present state, not that of the markup.
// data-has-click-listener="true" marks a click handler that was found through the
// browser (S-7).
//
// What the original loses and the default adds: aria-label is the accessible name
// where no other attribute and no text does (the words of a label element, of
// aria-labelledby, or searched for, S-8); required, contenteditable and the ARIA states
// checked, selected, pressed, expanded, current, sort and busy; data-llm-in-shadow; elements that are
// operable by a role outside the seed's list, by tabindex, cursor or listener; a label
// that is itself what a person clicks. Options.MarkCovered adds data-covered-by.
//
// Texts are cut at 200 characters; a data: URL at its media type. Nothing is left out
// for being outside the viewport or covered. Escaping and the html- names are those of
// html.go. The limits cut lines from the end, close what is open and report what was removed in a
// comment: <!-- truncated: 38 nodes, 2,140 characters: 30 in <main> -->. A query and
// summarised repeats leave comments in the same manner.
//
// Compat: only the seed's tags (a button input select textarea) and roles, only its
// attributes, texts and addresses whole.

// capSkeleton is how many characters of an element's text skeleton prints.
const capSkeleton = 200

// capDataURL is how many characters of a data: URL the HTML formats print whole.
const capDataURL = 100

type skeleton struct {
	htmlWriter
	t      *snapshot.Tree
	o      dump.Common
	naming map[int]*snapshot.Node // labels that an element in the list is named by
}

// RenderSkeleton renders the skeleton.
func RenderSkeleton(p *dump.Page, o dump.Common) *dump.Builder {
	w := newSkeleton(p, o)
	w.write()
	return w.Builder
}

func newSkeleton(p *dump.Page, o dump.Common) *skeleton {
	w := &skeleton{t: p.Tree(), o: o, naming: p.NamingLabels()}
	w.htmlWriter = htmlWriter{Builder: dump.NewBuilder(p), profile: profileOf(o)}
	w.Rules = &dump.LineRules{Note: htmlNote}
	w.Unlisted = func(n *snapshot.Node) (string, string) {
		return dump.ReasonRole, "skeleton lists what can be operated"
	}
	return w
}

func (w *skeleton) write() {
	for p := range w.Capture.Nodes {
		n := &w.Capture.Nodes[p]
		switch {
		case n.Tag == "label" && w.naming[n.I] != nil && w.profile.named:
			w.Omit(n.I, dump.ReasonRole, "a label: its text is the name of its control")
		case w.lists(n):
			w.element(n)
		}
	}
	if len(w.Lines) == 0 {
		w.Add(nil, 0, "<!-- nothing can be operated -->")
	}
}

// lists reports whether the element is in the list.
func (w *skeleton) lists(n *snapshot.Node) bool {
	if n.Verdict != snapshot.VerdictRef || len(n.Interactive) == 0 || snapshot.IsFrame(n.Tag) {
		return false
	}
	if w.profile.allRoles {
		return true
	}
	switch n.Tag {
	case "a", "button", "input", "select", "textarea", "option":
		return true
	}
	role, _, _ := strings.Cut(text.CollapseSpace(n.Attr("role")), " ")
	switch role {
	case "button", "link", "menuitem", "tab", "checkbox", "radio", "switch", "option", "combobox", "listbox", "textbox":
		return true
	}
	return false
}

// element writes one element, a select with a line for each option.
func (w *skeleton) element(n *snapshot.Node) {
	text := w.content(n)
	name, attrs := spellTag(n.Tag, nest{}.fits(n.Tag, inside{text: text != "", sound: n.Tag == "select"}))
	w.line = append(append(w.line, '<'), name...)
	w.attributes(n, text, attrs)
	switch {
	case voidTag(name):
		w.line = append(w.line, " />"...)
		w.take(n, 0, dump.LineWhole)
		return
	case n.Tag == "select":
		w.line = append(w.line, '>')
		tag := "</" + name + ">"
		w.take(n, 0, dump.LineOpens)
		w.options(n, n, "  ", 0)
		w.closing(n, 0, tag)
		return
	}
	if w.profile.cuts {
		text = w.short(n, "text", text, capSkeleton)
	}
	w.line = append(w.line, '>')
	w.text(name, text, true, false)
	w.line = append(append(append(w.line, "</"...), name...), '>')
	w.take(n, 0, dump.LineWhole)
}

// content is the text between the element's tags.
func (w *skeleton) content(n *snapshot.Node) string {
	switch n.Tag {
	case "input", "select", "img", "area":
		return ""
	case "textarea":
		return dump.LiveValue(n)
	}
	if !w.profile.named {
		return dump.TextOf(w.t, n)
	}
	if s := dump.ItemText(w.t, n); s != "" {
		return s
	}
	if n.Editable() {
		return text.CollapseSpace(dump.LiveValue(n))
	}
	return ""
}

// attributes writes the attributes of an element that has that text.
func (w *skeleton) attributes(n *snapshot.Node, inner string, own []htmlAttr) {
	if n.Ref > 0 {
		w.attr("id", dump.FrameID(n))
	}
	for i := range own {
		w.line = own[i].append(w.line)
	}
	title, placeholder, value := n.Attr("title"), n.Attr("placeholder"), w.value(n)
	w.some("name", n.Attr("name"))
	w.some("type", n.Attr("type"))
	if n.HasAttr("href") {
		w.attr("href", w.url(n, "href", n.Attr("href")))
	}
	w.some("value", value)
	w.some("placeholder", placeholder)
	role := n.Attr("role")
	if w.profile.named && n.Internals {
		role = n.Role
	}
	w.some("role", role)
	label := n.Attr("aria-label")
	if w.profile.named && n.Name != "" {
		said := n.Name == inner || inner != "" && n.NameFrom == "content" ||
			n.Name == text.CollapseSpace(placeholder) || n.Name == text.CollapseSpace(title) ||
			n.Name == text.CollapseSpace(value)
		if label != "" || !said {
			label = n.Name
		}
	}
	w.some("aria-label", label)
	w.some("title", title)
	w.some("data-testid", n.Attr("data-testid"))
	w.some("data-id", n.Attr("data-id"))
	w.states(n)
	if slices.Contains(n.Interactive, "listener") {
		w.attr("data-has-click-listener", "true")
	}
	if !w.profile.additions {
		return
	}
	if n.Shadow != "" {
		w.attr("data-llm-in-shadow", "true")
	}
	if label != "" && dump.Guessed(n) {
		w.attr("data-guessed", "true")
	}
	if by := w.coveredBy(n, w.o); by != "" {
		w.attr("data-covered-by", by)
	}
}

// value is the value attribute: the content of a field, or what a button shows or
// submits.
func (w *skeleton) value(n *snapshot.Node) string {
	switch n.Tag {
	case "input":
		if !snapshot.IsFieldType(dump.InputType(n)) {
			return n.Attr("value")
		}
		return dump.LiveValue(n)
	case "select":
		if len(n.Redacted) > 0 {
			return dump.LiveValue(n)
		}
		return ""
	case "textarea":
		return ""
	}
	return n.Attr("value")
}

// states writes the seed's four bare attributes, and by default the states that they
// do not cover.
func (w *skeleton) states(n *snapshot.Node) {
	native := n.Tag == "input" || n.Tag == "option"
	w.bare("disabled", n.States.Is("disabled"))
	w.bare("readonly", n.States.Is("readonly"))
	w.bare("checked", native && n.States.Is("checked"))
	w.bare("selected", native && n.States.Is("selected"))
	if !w.profile.additions {
		return
	}
	w.bare("inert", n.States.Is("inert"))
	w.bare("required", n.States.Is("required"))
	if n.Editable() {
		w.attr("contenteditable", "true")
	}
	for _, s := range [...]string{"checked", "selected", "pressed", "expanded"} {
		switch v := n.States[s].(type) {
		case bool:
			if !native || s == "pressed" || s == "expanded" {
				w.attr("aria-"+s, strconv.FormatBool(v))
			}
		case string:
			w.some("aria-"+s, v)
		}
	}
	for _, s := range [...]string{"current", "sort", "busy"} {
		word := n.States.Token(s)
		if s == "sort" {
			word = dump.Sorted(w.t, n)
		}
		if w.some("aria-"+s, word); n.States.Is(s) {
			w.attr("aria-"+s, "true")
		}
	}
}

// options writes the options in node n of a select.
func (w *skeleton) options(sel, n *snapshot.Node, indent string, level int) {
	for c := range w.t.Children(n.I) {
		switch {
		case c.Tag == "option":
			w.line = append(append(w.line, indent...), "<option"...)
			if c.HasAttr("value") {
				w.attr("value", c.Attr("value"))
			}
			w.bare("disabled", c.HasAttr("disabled"))
			w.bare("selected", c.States.Is("selected") && len(sel.Redacted) == 0)
			w.line = appendHTML(append(w.line, '>'), dump.OptionText(w.t, c), false, false)
			w.line = append(w.line, "</option>"...)
			w.take(c, 0, dump.LineWhole)
		case c.Tag == "optgroup" && level == 0 && w.profile.additions:
			w.line = append(append(w.line, indent...), "<optgroup"...)
			w.attr("label", text.CollapseSpace(c.Attr("label")))
			w.bare("disabled", c.HasAttr("disabled"))
			w.line = append(w.line, '>')
			tag := indent + "</optgroup>"
			w.take(c, 0, dump.LineOpens)
			w.options(sel, c, indent+"  ", level+1)
			w.closing(c, 0, tag)
		case level < 8:
			w.options(sel, c, indent, level+1)
		}
	}
}

func (w *htmlWriter) attr(name, value string) {
	w.line = (&htmlAttr{name: name, value: value}).append(w.line)
}

// some writes an attribute that is not empty.
func (w *htmlWriter) some(name, value string) {
	if value != "" {
		w.attr(name, value)
	}
}

func (w *htmlWriter) bare(name string, holds bool) {
	if holds {
		w.line = (&htmlAttr{name: name, bare: true}).append(w.line)
	}
}

// short truncates a text and records that.
func (w *htmlWriter) short(n *snapshot.Node, what, s string, max int) string {
	short, was := text.CutCount(s, max)
	if was > 0 {
		w.Omit(n.I, dump.ReasonCut, what+" cut from "+strconv.Itoa(was)+" to "+strconv.Itoa(max)+" characters")
	}
	return short
}

// url is an address; of a long data: URL only what it is a picture of, since its
// content is no text.
func (w *htmlWriter) url(n *snapshot.Node, name, s string) string {
	if !w.profile.cuts || len(s) <= capDataURL || !strings.HasPrefix(s, "data:") {
		return s
	}
	media, _, found := strings.Cut(s[:capDataURL], ",")
	if !found {
		media = "data:"
	}
	if n.Verdict.Kept() {
		w.Omit(n.I, dump.ReasonCut, name+": the content of a data: URL, "+text.Thousands(len(s))+" bytes")
	}
	return media + ",…"
}

// operable elements are those whose numbers every format of this package prints.
func operable(n *snapshot.Node) bool {
	return n.Ref > 0 && n.Verdict == snapshot.VerdictRef && len(n.Interactive) > 0
}

// coveredBy is the number of what a click on the element would hit instead, or "true"
// where that has none; "" where nothing does or nobody asks.
func (w *htmlWriter) coveredBy(n *snapshot.Node, o dump.Common) string {
	if !o.MarkCovered || n.Occlusion == nil || n.Occlusion.State != snapshot.Covered {
		return ""
	}
	switch by, what := dump.Coverer(w.Page.Tree(), n, operable); {
	case by != nil:
		return dump.FrameID(by)
	case what != "":
		return what
	}
	return "true"
}

// The hybrid format: the text of hybrid mode, which is a picture and a skeleton (seed
// "DOM extraction architecture" 8 and 13). The skeleton is that of skeleton.go, byte
// for byte, after one line that describes where the picture goes and what its numbers mean:
//
//	<!-- picture of the visible part, 1280x720 CSS px, goes before this text
//	     (agent-interact: field screenshot); mark 12 is id="12" -->
//
// without the line break.
//
// The picture itself is no part of the document: who sends the text sends the picture
// beside it (package payload).
//
// The limits hold for both together, and the first line is never cut. Compat: no such line, so exactly the skeleton.

// RenderHybrid renders the text of hybrid mode.
func RenderHybrid(p *dump.Page, o dump.Common) *dump.Builder {
	w := newSkeleton(p, o)
	if w.profile.additions {
		w.line = append(w.line, "<!-- picture of the visible part, "...)
		w.line = strconv.AppendInt(w.line, int64(dump.Px(w.Capture.Viewport.Width)), 10)
		w.line = strconv.AppendInt(append(w.line, 'x'), int64(dump.Px(w.Capture.Viewport.Height)), 10)
		w.line = append(w.line, ` CSS px, goes before this text (agent-interact: field screenshot); `...)
		w.line = append(w.line, `mark 12 is id="12" -->`...)
		w.take(nil, 0, dump.LineWhole)
		w.Rules.Head = 1
	}
	w.write()
	return w.Builder
}
