package importer

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/refscope/refscope/snapshot"
)

// Roles, names and states of elements that are known by their markup alone. It is a
// short form of what the collector does in the page (html-aam, accname 1.2): without
// styles, generated content and references by property.

// namedByContent reports whether accname 1.2 lets content name an element of the role.
func namedByContent(role string) bool {
	switch role {
	case "button", "cell", "checkbox", "columnheader", "gridcell", "heading", "link", "menuitem", "menuitemcheckbox",
		"menuitemradio", "option", "radio", "row", "rowheader", "switch", "tab", "tooltip", "treeitem":
		return true
	}
	return false
}

// inputType is an input's type, "text" where there is none.
func inputType(d *dom) string {
	if t := strings.ToLower(strings.TrimSpace(d.attr("type"))); t != "" {
		return t
	}
	return "text"
}

// roleOf is the first token of the role attribute, else the role of the tag by html-aam.
func roleOf(d *dom) string {
	if f := strings.Fields(strings.ToLower(d.attr("role"))); len(f) > 0 {
		return cut(f[0], 40)
	}
	switch d.tag {
	case "a", "area":
		if d.has("href") {
			return "link"
		}
	case "button", "article", "main", "table", "form", "option", "meter", "dialog", "figure":
		return d.tag
	case "summary":
		return "DisclosureTriangle"
	case "input":
		switch t := inputType(d); t {
		case "hidden":
			return ""
		case "checkbox", "radio":
			return t
		case "button", "submit", "reset", "image", "file":
			return "button"
		case "range":
			return "slider"
		case "number":
			return "spinbutton"
		case "search":
			return "searchbox"
		}
		if d.has("list") {
			return "combobox"
		}
		return "textbox"
	case "textarea":
		return "textbox"
	case "select":
		if n, _ := strconv.Atoi(d.attr("size")); d.has("multiple") || n > 1 {
			return "listbox"
		}
		return "combobox"
	case "h1", "h2", "h3", "h4", "h5", "h6":
		return "heading"
	case "img":
		return "img"
	case "nav":
		return "navigation"
	case "aside":
		return "complementary"
	case "ul", "ol", "menu":
		return "list"
	case "li":
		return "listitem"
	case "p":
		return "paragraph"
	case "tr":
		return "row"
	case "td":
		return "cell"
	case "th":
		return "columnheader"
	case "details", "fieldset", "optgroup":
		return "group"
	case "output":
		return "status"
	case "progress":
		return "progressbar"
	case "iframe", "frame":
		return "iframe"
	}
	return ""
}

// interactive is the evidence that an element can be operated, as snapshot.Node has it.
func interactive(d *dom, inDetails bool) []string {
	var by []string
	switch d.tag {
	case "a", "area":
		if d.has("href") {
			by = append(by, "native")
		}
	case "button", "select", "textarea", "label":
		by = append(by, "native")
	case "input":
		if inputType(d) != "hidden" {
			by = append(by, "native")
		}
	case "summary":
		if inDetails {
			by = append(by, "native")
		}
	}
	if f := strings.Fields(strings.ToLower(d.attr("role"))); len(f) > 0 &&
		(snapshot.IsWidget(f[0]) || f[0] == "treeitem") {
		by = append(by, "role")
	}
	if v, ok := d.attrs["contenteditable"]; ok && !strings.EqualFold(v, "false") {
		by = append(by, "contenteditable")
	}
	// The value of a handler is left out of a trace; that there is one is kept.
	if d.has("onclick") || d.has("onmousedown") || d.has("onpointerdown") {
		by = append(by, "listener")
	}
	if n, err := strconv.Atoi(strings.TrimSpace(d.attr("tabindex"))); err == nil && n >= 0 && len(by) == 0 &&
		d.innerText(80) != "" {
		by = append(by, "tabindex")
	}
	return by
}

// statesOf are the states in the markup and the noted form state.
func statesOf(d *dom, parent *dom) snapshot.States {
	s := snapshot.States{}
	flag := func(name, aria string) {
		switch v := d.attr(aria); v {
		case "true":
			s[name] = true
		case "false":
			if name != "disabled" && name != "readonly" && name != "required" {
				s[name] = false
			}
		case "mixed":
			s[name] = "mixed"
		}
	}
	for _, f := range [][2]string{{"checked", "aria-checked"}, {"selected", "aria-selected"},
		{"pressed", "aria-pressed"},
		{"expanded", "aria-expanded"},
		{"disabled", "aria-disabled"}, {"readonly", "aria-readonly"}, {"required", "aria-required"}} {
		flag(f[0], f[1])
	}
	switch d.tag {
	case "input":
		if t := inputType(d); t == "checkbox" || t == "radio" {
			v, live := d.attrs[pwChecked]
			s["checked"] = live && v == "true" || !live && d.has("checked")
		}
	case "option":
		v, live := d.attrs[pwSelected]
		s["selected"] = live && v == "true" || !live && d.has("selected")
	case "details":
		s["expanded"] = d.has("open")
	case "summary":
		if parent != nil && parent.tag == "details" {
			s["expanded"] = parent.has("open")
		}
	case "h1", "h2", "h3", "h4", "h5", "h6":
		s["level"] = int(d.tag[1] - '0')
	case "dialog":
		if d.has("open") || d.has(pwDialog) {
			s["open"] = true
		}
		if d.attr(pwDialog) == "modal" {
			s["modal"] = true
		}
	}
	switch d.tag {
	case "input", "select", "textarea", "button", "option", "optgroup", "fieldset":
		for _, name := range []string{"disabled", "required", "readonly"} {
			if d.has(name) {
				s[name] = true
			}
		}
	}
	if len(s) == 0 {
		return nil
	}
	return s
}

// scope is the tree that ids are looked up in: a document or a shadow tree.
type scope struct {
	ids    map[string]*dom
	labels map[*dom][]*dom // by control
}

// newScope indexes a tree without the shadow trees in it, at most limit elements.
func newScope(root *dom, limit int) *scope {
	s := &scope{ids: map[string]*dom{}, labels: map[*dom][]*dom{}}
	var named []*dom // labels with a for attribute
	var walk func(d, label *dom, depth int)
	walk = func(d, label *dom, depth int) {
		if limit--; d.tag == "" || limit < 0 || depth > maxDepth {
			return
		}
		if id := d.attr("id"); id != "" && s.ids[id] == nil {
			s.ids[id] = d
		}
		switch {
		case d.tag == "label":
			label = d
			if d.has("for") {
				named, label = append(named, d), nil
			}
		case snapshot.IsLabelable(d.tag) && label != nil && inputType(d) != "hidden":
			s.labels[d] = append(s.labels[d], label)
			label = nil
		}
		for _, k := range d.kids {
			if k.tag == "template" && k.has(pwShadow) {
				continue
			}
			walk(k, label, depth+1)
		}
	}
	walk(root, nil, 0)
	for _, l := range named {
		if to := s.ids[l.attr("for")]; to != nil {
			s.labels[to] = append(s.labels[to], l)
		}
	}
	return s
}

// label is the text of a control's labels.
func (s *scope) label(d *dom) string {
	var words []string
	for _, l := range s.labels[d] {
		words = append(words, l.innerText(maxName))
	}
	return strings.Join(words, " ")
}

// maxName is how long a name may be, in bytes.
const maxName = 4 << 10

// name is the accessible name and where it is from.
func (s *scope) name(d *dom, role string) (text, from string) {
	if refs := strings.Fields(d.attr("aria-labelledby")); len(refs) > 0 {
		var words []string
		for _, id := range refs[:min(len(refs), 20)] {
			if to := s.ids[id]; to != nil {
				words = append(words, to.innerText(maxName))
			}
		}
		if t := strings.TrimSpace(strings.Join(words, " ")); t != "" {
			return t, "aria-labelledby"
		}
	}
	attr := func(name string) string { return squash(cut(d.attr(name), maxName)) }
	if t := attr("aria-label"); t != "" {
		return t, "aria-label"
	}
	if t := s.label(d); t != "" {
		return t, "label"
	}
	switch {
	case d.tag == "img" || d.tag == "area" || d.tag == "input" && inputType(d) == "image":
		if t := attr("alt"); t != "" {
			return t, "alt"
		}
	case d.tag == "input" && slices.Contains([]string{"button", "submit", "reset"}, inputType(d)):
		if t := attr("value"); t != "" {
			return t, "value"
		}
	case d.tag == "fieldset":
		for _, k := range d.kids {
			if k.tag == "legend" {
				return k.innerText(maxName), "legend"
			}
		}
	case d.tag == "table":
		for _, k := range d.kids {
			if k.tag == "caption" {
				return k.innerText(maxName), "caption"
			}
		}
	}
	if namedByContent(role) || d.tag == "summary" || d.tag == "label" {
		if t := d.innerText(maxName); t != "" {
			return t, "content"
		}
	}
	if t := attr("title"); t != "" {
		return t, "title"
	}
	if d.tag == "input" || d.tag == "textarea" {
		if t := attr("placeholder"); t != "" {
			return t, "placeholder"
		}
	}
	return "", ""
}

// finite is a number of a file, within what a page can have, and 0 where it is none.
func finite(v float64) float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) || math.Abs(v) > 1e7 {
		return 0
	}
	return v
}
