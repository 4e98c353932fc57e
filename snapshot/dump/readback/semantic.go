package readback

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// readSemantic reads a semantic dump in its short spelling.
func readSemantic(text string) ([]Said, error) {
	var envelope struct {
		Tree []struct {
			I, R, N, V, S string
		} `json:"interactive_tree"`
	}
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	if err := d.Decode(&envelope); err != nil {
		return nil, err
	}
	// Elements stand one a line, after the line that opens the list.
	var out []Said
	for i, e := range envelope.Tree {
		id := e.I[strings.LastIndexByte(e.I, '_')+1:]
		ref, err := strconv.Atoi(id)
		if err != nil {
			return nil, fmt.Errorf("element %d: the id %q has no number", i+1, e.I)
		}
		s := Said{Ref: ref, Line: i + 1, Roles: shortRoles(e.R), States: map[string]bool{}}
		name, value := e.N, e.V
		s.Name = &name
		words := strings.Split(e.S, ",")
		for _, state := range [...]string{"disabled", "required", "checked", "mixed", "selected", "expanded", "readonly", "invalid", "pressed"} {
			s.States[state] = slices.Contains(words, state)
		}
		// Buttons, links and boxes have no value here, whatever they submit.
		switch e.R {
		case "btn", "link", "chk", "radio", "switch", "opt", "tab", "menu", "menuitemcheckbox", "menuitemradio", "a", "label", "summary", "li":
		default:
			s.Value = &value
		}
		out = append(out, s)
	}
	return out, nil
}

// shortRoles are the roles that a short role stands for.
func shortRoles(r string) []string {
	switch r {
	case "btn":
		return []string{"button"}
	case "inp":
		return []string{"textbox", "searchbox", "input", "textarea"}
	case "chk":
		return []string{"checkbox"}
	case "sel":
		return []string{"select"}
	case "menu":
		return []string{"menuitem", "menu"}
	case "opt":
		return []string{"option"}
	}
	return []string{r}
}
