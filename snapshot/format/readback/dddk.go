package readback

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/refscope/refscope/snapshot/text"
)

// readDDDK reads the numbered lines of a default dddk dump.
func readDDDK(text string) ([]Said, error) {
	numbered := regexp.MustCompile(
		`^[↑↓←→]?\[([1-9][0-9]*)\]<([a-z][a-z0-9-]*)((?: [a-z-]+(?:="[^"<>]*")?)*)( /)?>(.*)$`)
	attribute := regexp.MustCompile(` ([a-z-]+)(?:="([^"<>]*)")?`)
	var out []Said
	pre := false
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimLeft(line, "\t")
		if pre { // until its end, a pre holds text
			pre = !strings.Contains(line, "</pre>")
			continue
		}
		m := numbered.FindStringSubmatch(line)
		if m == nil {
			if strings.HasPrefix(line, "[") && !strings.HasPrefix(line, "[...truncated") ||
				strings.HasPrefix(line, "↑") ||
				strings.HasPrefix(line, "↓") {
				return nil, fmt.Errorf("line %d is none of the format: %q", i+1, line)
			}
			continue
		}
		ref, err := strconv.Atoi(m[1])
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
		attrs := map[string]*string{}
		for _, a := range attribute.FindAllStringSubmatch(m[3], -1) {
			v := a[2]
			attrs[a[1]] = &v
		}
		pre = m[2] == "pre" && !strings.Contains(m[5], "</pre>")
		out = append(out, dddkLine(Said{Ref: ref, Line: i}, m[2], attrs, m[4] != "", m[5]))
	}
	return out, nil
}

// dddkLine is the line of one element. alone: it has no end tag.
func dddkLine(s Said, tag string, attrs map[string]*string, alone bool, rest string) Said {
	inner, _, closed := strings.Cut(rest, "</"+tag+">")
	kind := ""
	if t := attrs["type"]; t != nil {
		kind = unescapeDDDK(*t)
	}
	s.Roles = tagRoles(tag, kind)
	switch tag {
	case "img", "pre", "iframe":
		return s // no states, and what is there is no name
	}
	s.States = map[string]bool{}
	for _, name := range [...]string{"checked", "selected", "expanded", "required", "disabled", "inert"} {
		v := attrs[name]
		s.States[name] = v != nil && *v == ""
		if v != nil && *v == "mixed" {
			s.States["mixed"] = true
		}
	}
	if len(tag) == 2 && tag[0] == 'h' { // a heading by role is printed without states
		s.States = nil
	}
	value := ""
	if v := attrs["value"]; v != nil {
		value = unescapeDDDK(*v)
	}
	switch tag {
	case "input":
		if !slices.Contains([]string{"checkbox", "radio", "submit", "reset", "button", "image"}, kind) {
			s.Value = &value
		}
		return s
	case "textarea":
		s.Value = &value
		return s
	case "select":
		value = strings.ReplaceAll(value, " | ", ", ") // of several choices
		s.Value = &value
		return s
	}
	if !closed || alone {
		return s // a section: its label may be its heading
	}
	name := unescapeDDDK(inner)
	if tag == "button" && name == "(no label)" {
		name = ""
	}
	s.Name = &name
	return s
}

// unescapeDDDK undoes the format's escapes.
func unescapeDDDK(s string) string {
	s = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&quot;", `"`, "&amp;", "&").Replace(s)
	return text.Restored(s)
}

// tagRoles are the roles that an element of the tag may have by ARIA in HTML, for
// the tags that dddk spells as tags; for any other word, the word is the role. nil:
// the tag implies no role.
func tagRoles(tag, kind string) []string {
	switch tag {
	case "a":
		return []string{"link", "button", "checkbox", "menuitem", "menuitemcheckbox", "menuitemradio",
			"option", "radio",
			"switch", "tab", "treeitem", "a"}
	case "button":
		return []string{"button", "checkbox", "combobox", "gridcell", "link", "menuitem", "menuitemcheckbox",
			"menuitemradio",
			"option", "radio", "separator", "slider", "switch", "tab", "treeitem"}
	case "select":
		return []string{"combobox", "listbox", "menu", "select"}
	case "textarea":
		return []string{"textbox", "textarea"}
	case "input":
		return inputRoles(kind)
	case "img", "iframe", "pre", "label", "summary", "control":
		return nil
	case "h1", "h2", "h3", "h4", "h5", "h6":
		return nil // a heading may be a tab, and an operable one is listed as what it does
	case "section", "article", "aside", "table", "tr", "form", "details", "dl", "dialog", "header", "footer", "main",
		"nav", "hgroup", "fieldset":
		return nil
	}
	return []string{tag}
}

// inputRoles are those of an input of the type.
func inputRoles(kind string) []string {
	switch kind {
	case "checkbox":
		return []string{"checkbox", "menuitemcheckbox", "option", "switch", "button"}
	case "radio":
		return []string{"radio", "menuitemradio"}
	case "range":
		return []string{"slider"}
	case "number":
		return []string{"spinbutton"}
	case "search":
		return []string{"searchbox", "combobox"}
	case "submit", "reset", "button", "image":
		return []string{"button", "checkbox", "combobox", "link", "menuitem", "menuitemcheckbox",
			"menuitemradio", "option",
			"radio", "switch", "tab"}
	case "date", "time", "month", "week", "datetime-local", "color", "file", "hidden", "password":
		return nil // no role by specification; browsers differ
	}
	return []string{"textbox", "combobox", "searchbox", "spinbutton"}
}
