package dump

import (
	"slices"
	"strings"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/text"
)

// What a form control is and holds, for the formats that print values beside text.

// inputKind is the type of an input in lower case; a type that HTML does not know
// is "text", as browsers take it (HTML, 4.10.5, the type attribute).
func inputKind(n *snapshot.Node) string {
	t := strings.ToLower(strings.TrimSpace(n.Attr("type")))
	switch t {
	case "hidden", "search", "tel", "url", "email", "password", "date", "month", "week", "time", "datetime-local",
		"number", "range", "color", "checkbox", "radio", "file", "submit", "image", "reset", "button":
		return t
	}
	return "text"
}

// holdsValue reports whether the element is a field whose value a person reads in
// it: text fields, selects, sliders and their ARIA counterparts. A checkbox or a
// button is none: what it submits is not to be seen.
func holdsValue(n *snapshot.Node) bool {
	switch n.Tag {
	case "input":
		switch inputKind(n) {
		case "hidden", "checkbox", "radio", "submit", "image", "reset", "button":
			return false
		}
		return true
	case "select", "textarea":
		return true
	case "button", "a", "label", "summary", "li", "option":
		return false
	}
	switch n.Role {
	case "textbox", "searchbox", "combobox", "spinbutton", "slider":
		return true
	}
	return slices.Contains(n.Interactive, "contenteditable")
}

// shownValue is what a field shows: the chosen options of a select joined by ", ",
// else its live value; a withheld value as such. "" for other elements, meter and
// progress apart.
func shownValue(t *snapshot.Tree, n *snapshot.Node) string {
	if !holdsValue(n) {
		if n.Tag == "meter" || n.Tag == "progress" || n.Tag == "output" {
			return text.Squash(liveValue(n))
		}
		return ""
	}
	if n.Tag == "select" && len(n.Redacted) == 0 {
		if _, chosen := options(t, n); len(chosen) > 0 {
			return strings.Join(chosen, ", ")
		}
	}
	return text.Squash(liveValue(n))
}

// submits is what a checkbox or radio stands for, "" where its author gave it no
// value of its own.
func submits(n *snapshot.Node) string {
	if n.Tag != "input" {
		return ""
	}
	switch inputKind(n) {
	case "checkbox", "radio":
		if v := text.Squash(n.Attr("value")); v != "on" {
			return v
		}
	}
	return ""
}

// stateNames are the states that hold for an element, always in this order: a
// true state by its name, checked and pressed also as "checked=mixed", a closed
// expander as "collapsed".
func stateNames(n *snapshot.Node) []string {
	if len(n.States) == 0 {
		return nil
	}
	var out []string
	for _, name := range [...]string{"disabled", "inert", "checked", "selected", "pressed", "expanded", "required", "readonly", "invalid", "current", "focused"} {
		token := n.States.Token(name)
		switch {
		case n.States.Is(name):
			out = append(out, name)
		case token == "mixed":
			out = append(out, name+"=mixed")
		case (name == "invalid" || name == "current") && token != "" && token != "false":
			out = append(out, name)
		}
		if open, ok := n.States[name].(bool); name == "expanded" && ok && !open {
			out = append(out, "collapsed")
		}
	}
	return out
}

// usable reports whether the element can be operated now: neither disabled nor inert.
func usable(n *snapshot.Node) bool { return !n.States.Is("disabled") && !n.States.Is("inert") }

// frameOwners maps frame elements to the documents in them.
func frameOwners(c *snapshot.Capture) map[int]int {
	m := make(map[int]int, len(c.Frames))
	for i, f := range c.Frames {
		if f.Parent >= 0 {
			m[f.Owner] = i
		}
	}
	return m
}

// unreadable says why the document of a frame element is not in the capture, ""
// where it is.
func unreadable(c *snapshot.Capture, frames map[int]int, n *snapshot.Node) string {
	i, ok := frames[n.I]
	switch {
	case !ok:
		return "no document in it"
	case c.Frames[i].Readable:
		return ""
	}
	if why := text.Squash(c.Frames[i].Why); why != "" {
		return why
	}
	return "no reason known"
}

// frameLabel is what a frame is called: its name or title, else its address.
func frameLabel(c *snapshot.Capture, frames map[int]int, n *snapshot.Node) string {
	s := text.Squash(n.Name)
	if s == "" {
		s = text.Squash(n.Attr("title"))
	}
	if i, ok := frames[n.I]; s == "" && ok {
		s = text.Squash(c.Frames[i].URL)
	}
	if s == "" {
		s = text.Squash(n.Attr("src"))
	}
	return s
}
