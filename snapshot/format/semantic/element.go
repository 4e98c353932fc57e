package semantic

import (
	"slices"
	"strconv"
	"strings"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/text"
)

// How one element of interactive_tree is spelled.

// shortRole is the seed's role map; what it does not have passes unchanged.
func shortRole(role string) string {
	switch role {
	case "button":
		return "btn"
	case "textbox", "input", "textarea", "searchbox":
		return "inp"
	case "checkbox":
		return "chk"
	case "select":
		return "sel"
	case "menuitem":
		return "menu"
	case "option":
		return "opt"
	}
	return role // link, radio, tab, switch and slider are their own short forms
}

// id is the ref number as the format spells it.
func (w *semantic) id(n *snapshot.Node) string {
	switch {
	case w.ax && w.o.Compat:
		return backend(n)
	case n.Frame > 0 && w.o.Compat:
		return "f" + strconv.Itoa(n.Frame) + "_" + strconv.Itoa(w.ordinal[n.I])
	}
	return dump.FrameID(n)
}

// element works out what an entry says and encodes it.
func (w *semantic) element(n *snapshot.Node) element {
	e := element{n: n, name: w.name(n), value: w.value(n), state: stateWords(n)}
	x, y := n.VisibleBox().Center()
	if w.o.Compat {
		x, y = n.Box.Center()
	}
	if o := n.Occlusion; o != nil {
		if !w.o.Compat {
			x, y = o.Click[0], o.Click[1]
			e.occ = o.State == snapshot.Covered
		} else {
			e.occ = o.HitShare < 0.5
		}
	}
	e.x, e.y = dump.Round(x), dump.Round(y)
	if w.o.Long {
		e.encoded = w.long(&e)
	} else {
		e.encoded = w.short(&e)
	}
	return e
}

// name is what the element is called; under Compat by the seed's own list (S-24).
func (w *semantic) name(n *snapshot.Node) string {
	switch {
	case w.ax: // what Chrome calls it and nothing else
		return w.axName(n)
	case w.o.Compat:
		return w.cut(n.I, "name", w.namer.Name(n, w.order), capNameCompat)
	}
	s := dump.Label(w.t, n)
	if n.OnlyScrolls() { // all its text would say nothing new
		if s = text.Squash(n.Name); s == "" {
			s = text.Squash(n.Text)
		}
	}
	for _, a := range [...]string{"placeholder", "title", "alt"} {
		if s == "" {
			s = text.Squash(n.Attr(a))
		}
	}
	if s == "" && n.Tag == "input" && n.Role == "button" {
		s = text.Squash(n.Value)
	}
	return w.cut(n.I, "name", s, capName)
}

// role is what the element is; under Compat by the seed's own tables (S-24).
func (w *semantic) role(n *snapshot.Node) string {
	if w.o.Compat && !w.ax {
		return w.order.Role(n)
	}
	return dump.RoleOf(n)
}

// value is what a field holds. What a checkbox or button would submit is no value
// that a person sees.
func (w *semantic) value(n *snapshot.Node) string {
	switch n.Role {
	case "checkbox", "radio", "button", "link", "switch", "menuitemcheckbox", "menuitemradio", "option":
		return ""
	}
	switch n.Tag {
	case "button", "a", "label", "summary", "li":
		return ""
	case "select":
		if len(n.Redacted) > 0 {
			return w.cut(n.I, "value", text.Squash(dump.LiveValue(n)), capValue)
		}
		if _, chosen := dump.SelectOptions(w.t, n); len(chosen) > 0 {
			return w.cut(n.I, "value", strings.Join(chosen, ", "), capValue)
		}
	}
	v := text.Squash(dump.LiveValue(n))
	if v == "" && slices.Contains(n.Interactive, "contenteditable") && text.Squash(n.Name) != "" {
		v = dump.TextOf(w.t, n) // what an editor holds; without a name this is what it is called
	}
	return w.cut(n.I, "value", v, capValue)
}

func (w *semantic) cut(node int, what, s string, max int) string {
	short, was := text.CutCount(s, max)
	if was > 0 {
		w.Omit(node, dump.ReasonCut, what+" cut from "+strconv.Itoa(was)+" to "+strconv.Itoa(max)+" characters")
	}
	return short
}

// stateWords joins the states that hold.
func stateWords(n *snapshot.Node) string {
	if len(n.States) == 0 {
		return ""
	}
	var s []string
	for _, name := range [...]string{"disabled", "readonly", "required", "invalid", "checked"} {
		if n.States.Is(name) || (name == "invalid" && n.States.Token(name) != "" && n.States.Token(name) != "false") {
			s = append(s, name)
		}
	}
	if n.States.Token("checked") == "mixed" || n.States.Token("pressed") == "mixed" {
		s = append(s, "mixed")
	}
	for _, name := range [...]string{"selected", "pressed", "expanded"} {
		if n.States.Is(name) {
			s = append(s, name)
		}
	}
	if open, ok := n.States["expanded"].(bool); ok && !open {
		s = append(s, "collapsed")
	}
	return strings.Join(s, ",")
}

// short is the minified element: i r n v s xy f box scr occ focused.
func (w *semantic) short(e *element) []byte {
	n := e.n
	b := make([]byte, 0, 96+len(e.name)+len(e.value))
	b = text.AppendJSON(append(b, `{"i":`...), w.id(n))
	b = text.AppendJSON(append(b, `,"r":`...), shortRole(w.role(n)))
	b = text.AppendJSON(append(b, `,"n":`...), e.name)
	b = dump.Optional(b, "v", e.value)
	b = dump.Optional(b, "s", e.state)
	b = dump.Ints(append(b, `,"xy":`...), e.x, e.y)
	if n.Frame > 0 {
		b = strconv.AppendInt(append(b, `,"f":`...), int64(n.Frame), 10)
	}
	b = dump.BoxInts(append(b, `,"box":`...), n.Box)
	if w.scrolls(n) {
		b = w.scrollFact(b, "scr", n, "h", "hX")
	}
	if e.occ {
		b = append(b, `,"occ":true`...)
	}
	if n.States.Is("focused") {
		b = append(b, `,"focused":true`...)
	}
	return append(b, '}')
}

// long is the unminified element.
func (w *semantic) long(e *element) []byte {
	n := e.n
	b := text.AppendJSON([]byte(`{"id":`), w.id(n))
	b = text.AppendJSON(append(b, `,"role":`...), w.role(n))
	b = text.AppendJSON(append(b, `,"name":`...), e.name)
	b = dump.Optional(b, "value", e.value)
	b = dump.Optional(b, "state", e.state)
	if n.Tag == "input" {
		b = dump.Optional(b, "type", dump.InputType(n))
	}
	placeholder := text.Cut(text.Squash(n.Attr("placeholder")), capName)
	b = dump.Optional(b, "placeholder", placeholder)
	href := text.Cut(text.Squash(n.Attr("href")), dump.CapHref)
	b = dump.Optional(b, "href", href)
	b = dump.Ints(append(b, `,"coordinates":`...), e.x, e.y)
	b = dump.BoxInts(append(b, `,"box":`...), n.Box)
	if n.Shadow != "" {
		b = append(b, `,"isInShadow":true`...)
	}
	if n.Frame > 0 {
		b = strconv.AppendInt(append(b, `,"frameId":`...), int64(n.Frame), 10)
	}
	if w.scrolls(n) {
		b = w.scrollFact(b, "scrollable", n, "hasMore", "hasMoreX")
	}
	if e.occ {
		b = append(b, `,"occluded":true`...)
	}
	if n.States.Is("focused") {
		b = append(b, `,"focused":true`...)
	}
	return append(b, '}')
}
