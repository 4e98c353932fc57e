package readback

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// entry is an element of a semantic dump in its short spelling.
type entry struct {
	I, R, N, V, S string
}

// readSemantic reads a semantic dump.
func readSemantic(text string) ([]Said, error) {
	var envelope struct {
		Tree []entry `json:"interactive_tree"`
	}
	if err := json.Unmarshal([]byte(text), &envelope); err != nil {
		return nil, err
	}
	return readEntries(envelope.Tree)
}

// readAX reads an ax dump. It knows no name but Chrome's: an empty one is unknown.
func readAX(text string) ([]Said, error) {
	said, err := readSemantic(text)
	for i := range said {
		if *said[i].Name == "" {
			said[i].Name = nil
		}
	}
	return said, err
}

// readFiltered reads a filtered dump. What it calls a text is no name.
func readFiltered(text string) ([]Said, error) {
	var envelope struct {
		Tree []entry `json:"tree"`
	}
	if err := json.Unmarshal([]byte(text), &envelope); err != nil {
		return nil, err
	}
	said, err := readEntries(envelope.Tree)
	for i, e := range envelope.Tree[:len(said)] {
		if roles := shortRoles(e.R); roles == nil || !widget(roles[0]) {
			said[i].Roles, said[i].Name, said[i].Value = nil, nil, nil
		}
	}
	return said, err
}

// widget reports whether the role is of what a person operates.
func widget(role string) bool {
	switch role {
	case "button", "checkbox", "combobox", "link", "menuitem", "menuitemcheckbox", "menuitemradio", "option", "radio",
		"searchbox", "select", "slider", "spinbutton", "switch", "tab", "textbox", "treeitem":
		return true
	}
	return false
}

func readEntries(tree []entry) ([]Said, error) {
	// Elements are one a line, after the line that opens the list.
	var out []Said
	for i, e := range tree {
		id := e.I[strings.LastIndexByte(e.I, '_')+1:]
		ref, err := strconv.Atoi(id)
		if err != nil {
			return nil, fmt.Errorf("element %d: the id %q has no number", i+1, e.I)
		}
		s := Said{Ref: ref, Line: i + 1, Roles: shortRoles(e.R), States: map[string]bool{}}
		name, value := e.N, e.V
		s.Name = &name
		words := strings.Split(e.S, ",")
		for _, state := range [...]string{"disabled", "inert", "required", "checked", "mixed", "selected", "expanded",
			"readonly",
			"invalid", "pressed"} {
			s.States[state] = slices.Contains(words, state)
		}
		// Buttons, links and boxes have no value here, whatever they submit.
		switch e.R {
		case "btn", "link", "chk", "radio", "switch", "opt", "tab", "menu", "menuitemcheckbox",
			"menuitemradio", "a", "label",
			"summary", "li":
		default:
			s.Value = &value
		}
		out = append(out, s)
	}
	return out, nil
}

// rolesOf is a role and what formats call a select, nil for a word that is none.
func rolesOf(role string) []string {
	switch role {
	case "select":
		return []string{"select", "combobox", "listbox", "menu"}
	case "combobox", "listbox", "menu":
		return []string{role, "select"}
	case "element", "div", "span", "generic":
		return nil // no role, as each format spells that
	}
	for _, c := range role {
		if c < 'a' || c > 'z' {
			return nil // a word of the page
		}
	}
	return []string{role}
}

// shortRoles are the roles that a short role may mean.
func shortRoles(r string) []string {
	switch r {
	case "btn":
		return []string{"button"}
	case "inp":
		return []string{"textbox", "searchbox", "input", "textarea"}
	case "chk":
		return []string{"checkbox"}
	case "sel":
		return rolesOf("select")
	case "menu":
		return []string{"menuitem", "menu", "select"}
	case "opt":
		return []string{"option"}
	}
	return rolesOf(r)
}
