package dump

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/refscope/refscope/snapshot"
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

// roleOf is the element's role; a select goes by its tag, as the seed has it, and
// so does what has no role.
func roleOf(n *snapshot.Node) string {
	switch {
	case n.Tag == "select":
		return "select"
	case n.Role == "" || n.Role == "generic" || n.Role == "none" || n.Role == "presentation":
		if slices.Contains(n.Interactive, "contenteditable") {
			return "textbox"
		}
		return tagName(n.Tag)
	}
	return n.Role
}

// id is the ref number as the format spells it.
func (w *semantic) id(n *snapshot.Node) string {
	switch {
	case w.ax && w.o.Compat:
		return backend(n)
	case n.Frame > 0 && w.o.Compat:
		return "f" + strconv.Itoa(n.Frame) + "_" + strconv.Itoa(w.ordinal[n.I])
	}
	return frameID(n)
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
	e.x, e.y = round(x), round(y)
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
	s := label(w.t, n)
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
	return roleOf(n)
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
			return w.cut(n.I, "value", text.Squash(liveValue(n)), capSemValue)
		}
		if _, chosen := options(w.t, n); len(chosen) > 0 {
			return w.cut(n.I, "value", strings.Join(chosen, ", "), capSemValue)
		}
	}
	v := text.Squash(liveValue(n))
	if v == "" && slices.Contains(n.Interactive, "contenteditable") && text.Squash(n.Name) != "" {
		v = textOf(w.t, n) // what an editor holds; without a name this is what it is called
	}
	return w.cut(n.I, "value", v, capSemValue)
}

func (w *semantic) cut(node int, what, s string, max int) string {
	short, was := text.CutCount(s, max)
	if was > 0 {
		w.omit(node, ReasonCut, what+" cut from "+strconv.Itoa(was)+" to "+strconv.Itoa(max)+" characters")
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
	b = optional(b, "v", e.value)
	b = optional(b, "s", e.state)
	b = ints(append(b, `,"xy":`...), e.x, e.y)
	if n.Frame > 0 {
		b = strconv.AppendInt(append(b, `,"f":`...), int64(n.Frame), 10)
	}
	b = boxInts(append(b, `,"box":`...), n.Box)
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
	b = optional(b, "value", e.value)
	b = optional(b, "state", e.state)
	if n.Tag == "input" {
		b = optional(b, "type", inputType(n))
	}
	placeholder := text.Cut(text.Squash(n.Attr("placeholder")), capName)
	b = optional(b, "placeholder", placeholder)
	href := text.Cut(text.Squash(n.Attr("href")), capHref)
	b = optional(b, "href", href)
	b = ints(append(b, `,"coordinates":`...), e.x, e.y)
	b = boxInts(append(b, `,"box":`...), n.Box)
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

func optional(b []byte, key, s string) []byte {
	if s == "" {
		return b
	}
	b = append(b, `,"`...)
	b = append(b, key...)
	return text.AppendJSON(append(b, `":`...), s)
}

func boxInts(b []byte, x snapshot.Box) []byte {
	return ints(b, round(x.X()), round(x.Y()), round(x.W()), round(x.H()))
}

func ints(b []byte, v ...int) []byte {
	b = append(b, '[')
	for i, n := range v {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, int64(n), 10)
	}
	return append(b, ']')
}

// round is a whole number of CSS px; a broken coordinate is 0.
func round(v float64) int {
	if math.IsNaN(v) || math.Abs(v) > 1e9 {
		return 0
	}
	return int(math.Round(v))
}
