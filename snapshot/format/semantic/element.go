package semantic

import (
	"math"
	"strconv"
	"strings"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/ordered"
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
	case w.profile.backend:
		return backend(n)
	case n.Frame > 0 && w.profile.ordinals:
		return "f" + strconv.Itoa(n.Frame) + "_" + strconv.Itoa(w.ordinal[n.I])
	}
	return dump.FrameID(n)
}

// element works out what is in an entry and encodes it.
func (w *semantic) element(n *snapshot.Node) element {
	e := element{n: n, name: w.name(n), value: w.value(n), state: stateWords(n, dump.Sorted(w.t, n), w.o.Compat)}
	x, y := n.VisibleBox().Center()
	if w.profile.wholeBox {
		x, y = n.Box.Center()
	}
	if o := n.Occlusion; o != nil {
		if !w.profile.wholeBox {
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

// name is the name of the element; under Compat by the seed's own list (S-24).
func (w *semantic) name(n *snapshot.Node) string {
	switch {
	case w.ax: // what Chrome calls it and nothing else
		return w.axName(n)
	case w.namer != nil:
		return w.cut(n.I, "name", w.namer.Name(n, w.order), capNameCompat)
	}
	s := dump.Label(w.t, n)
	if n.OnlyScrolls() { // all its text would add nothing
		if s = text.CollapseSpace(n.Name); s == "" {
			s = text.CollapseSpace(n.Text)
		}
	}
	for _, a := range [...]string{"placeholder", "title", "alt"} {
		if s == "" {
			s = text.CollapseSpace(n.Attr(a))
		}
	}
	if s == "" && n.Tag == "input" && n.Role == "button" {
		s = text.CollapseSpace(n.Value)
	}
	return w.cut(n.I, "name", s, capName)
}

// role is the role of the element; under Compat by the seed's own tables (S-24).
func (w *semantic) role(n *snapshot.Node) string {
	if w.namer != nil {
		return w.order.Role(n)
	}
	return dump.RoleOf(n)
}

// value is the value of a field. What a checkbox or button would submit is no value
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
			return w.cut(n.I, "value", text.CollapseSpace(dump.LiveValue(n)), capValue)
		}
		if _, chosen := dump.SelectOptions(w.t, n); len(chosen) > 0 {
			return w.cut(n.I, "value", strings.Join(chosen, ", "), capValue)
		}
	}
	v := text.CollapseSpace(dump.LiveValue(n))
	if v == "" && n.Editable() && text.CollapseSpace(n.Name) != "" {
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

// stateWords joins the states that hold, sorted as [dump.Sorted] has it, under Compat those of the original.
func stateWords(n *snapshot.Node, sorted string, compat bool) string {
	if len(n.States) == 0 && sorted == "" {
		return ""
	}
	if sorted != "" {
		sorted = "sort=" + sorted
	}
	var s []string
	for _, name := range [...]string{"disabled", "inert", "readonly", "required", "invalid", "checked"} {
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
	for _, word := range [...]string{dump.StateName(n, "current"), sorted, dump.StateName(n, "busy")} {
		if word != "" && !compat {
			s = append(s, word)
		}
	}
	return strings.Join(s, ",")
}

// short is the minified element: i r n v s xy f box scr occ focused.
func (w *semantic) short(e *element) []byte {
	n, j := e.n, ordered.Make(96+len(e.name)+len(e.value))
	j.Open("", '{').String("i", w.id(n)).String("r", shortRole(w.role(n))).String("n", e.name)
	j.Optional("v", e.value).Optional("s", e.state).Ints("xy", e.x, e.y).Positive("f", n.Frame)
	box(j, n.Box)
	if w.scrolls(n) {
		w.scrolled(j.Open("scr", '{'), n, "h", "hX").Close("}")
	}
	return j.True("occ", e.occ).True("focused", n.States.Is("focused")).True("guessed", w.guessed(e)).Close("}").Out
}

// long is the unminified element.
func (w *semantic) long(e *element) []byte {
	n, j := e.n, ordered.Make(192+len(e.name)+len(e.value))
	j.Open("", '{').String("id", w.id(n)).String("role", w.role(n)).String("name", e.name)
	j.Optional("value", e.value).Optional("state", e.state)
	if n.Tag == "input" {
		j.Optional("type", dump.InputType(n))
	}
	j.Optional("placeholder", text.Cut(text.CollapseSpace(n.Attr("placeholder")), capName))
	j.Optional("href", text.Cut(text.CollapseSpace(n.Attr("href")), dump.CapHref)).Ints("coordinates", e.x, e.y)
	box(j, n.Box)
	j.True("isInShadow", n.Shadow != "").Positive("frameId", n.Frame)
	if w.scrolls(n) {
		w.scrolled(j.Open("scrollable", '{'), n, "hasMore", "hasMoreX").Close("}")
	}
	j.True("occluded", e.occ).True("focused", n.States.Is("focused"))
	return j.True("guessed", w.guessed(e)).Close("}").Out
}

// guessed reports whether the name that is printed is one that the page does not give.
func (w *semantic) guessed(e *element) bool { return !w.o.Compat && e.name != "" && dump.Guessed(e.n) }

// box writes x, y, width and height in whole CSS px.
func box(j *ordered.Writer, b snapshot.Box) {
	j.Ints("box", round(b.X()), round(b.Y()), round(b.W()), round(b.H()))
}

// round is a whole number of CSS px; a broken coordinate is 0.
func round(v float64) int {
	if math.IsNaN(v) || math.Abs(v) > 1e9 {
		return 0
	}
	return int(math.Round(v))
}
