package readback

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// wraithElement is an element of either wraith format.
type wraithElement struct {
	Ref     int      `json:"ref_id"`
	Role    string   `json:"role"`
	Text    string   `json:"text"`
	Value   string   `json:"value"`
	Enabled bool     `json:"enabled"`
	Label   string   `json:"label"`
	Type    string   `json:"type"`
	States  []string `json:"states"`
}

// readWraithJSON reads a wraith-json dump.
func readWraithJSON(text string) ([]Said, error) {
	var v struct {
		Elements []wraithElement `json:"elements"`
	}
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		return nil, err
	}
	out := make([]Said, 0, len(v.Elements))
	for i, e := range v.Elements {
		if slices.Contains(e.States, "disabled") != !e.Enabled && !slices.Contains(e.States, "inert") {
			return nil, fmt.Errorf("element %d is enabled by one key and disabled by another", e.Ref)
		}
		out = append(out, e.said(i+1))
	}
	return out, nil
}

// readWraith reads the agent text.
func readWraith(text string) ([]Said, error) {
	head := regexp.MustCompile(`^@e([1-9][0-9]*) +\[([a-z0-9-]+)\] +`)
	word := regexp.MustCompile(`^ (?:\[([A-Z=]+)(?: by @e[0-9]+)?\]|([a-z]+)=|\+[0-9]+)`)
	plain := regexp.MustCompile(`^(?:[0-9]+|@e[0-9]+|open|closed)`)
	var out []Said
	for i, line := range strings.Split(text, "\n") {
		m := head.FindStringSubmatch(line)
		if m == nil {
			if strings.HasPrefix(line, "@") {
				return nil, fmt.Errorf("line %d is none of the format: %q", i+1, line)
			}
			continue
		}
		e := wraithElement{Role: m[2]}
		var err error
		if e.Ref, err = strconv.Atoi(m[1]); err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
		rest := line[len(m[0]):]
		if e.Text, rest, err = jsonString(rest); err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
		for rest != "" {
			m := word.FindStringSubmatch(rest)
			if m == nil {
				return nil, fmt.Errorf("line %d: %q is none of the format", i+1, rest)
			}
			rest = rest[len(m[0]):]
			if m[1] != "" {
				e.States = append(e.States, strings.ToLower(m[1]))
			}
			if m[2] == "" {
				continue
			}
			value := ""
			switch {
			case strings.HasPrefix(rest, "["):
				for ok := true; ok && err == nil; ok = strings.HasPrefix(rest, ",") {
					_, rest, err = jsonString(rest[1:])
					rest = strings.TrimPrefix(rest, " disabled")
				}
				rest = strings.TrimPrefix(rest, "]")
			case strings.HasPrefix(rest, `"`):
				value, rest, err = jsonString(rest)
			default:
				rest = rest[len(plain.FindString(rest)):]
			}
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", i+1, err)
			}
			switch m[2] {
			case "value":
				e.Value = value
			case "label":
				e.Label = value
			case "type":
				e.Type = value
			}
		}
		out = append(out, e.said(i))
	}
	return out, nil
}

// jsonString takes a JSON string off the start of s.
func jsonString(s string) (value, rest string, err error) {
	d := json.NewDecoder(strings.NewReader(s))
	if err := d.Decode(&value); err != nil {
		return "", s, fmt.Errorf("no JSON string at %q: %w", s, err)
	}
	return value, s[d.InputOffset():], nil
}

// said is the element's content. Its text is no name, and that of a field its value.
func (e *wraithElement) said(line int) Said {
	s := Said{Ref: e.Ref, Line: line, States: statesOf(e.States)}
	field := false
	switch e.Role {
	case "text", "heading", "iframe", "frame", "img", "pre":
		return s
	case "email", "password", "url", "tel", "search", "number", "date", "month", "week", "time",
		"datetime-local", "range",
		"color", "file",
		"submit", "reset", "image":
		s.Roles = inputRoles(e.Role)
		field = !slices.Contains([]string{"submit", "reset", "image"}, e.Role)
	case "textbox", "searchbox", "spinbutton", "slider":
		s.Roles, field = rolesOf(e.Role), true
	default:
		s.Roles = rolesOf(e.Role)
		field = e.Role == "combobox" || e.Role == "listbox"
	}
	if e.Role == "textbox" { // how an input without a known type is called
		s.Roles = append(s.Roles, "textarea", "input")
	}
	if e.Label != "" {
		s.Name = &e.Label
	}
	if field && e.Value != "" {
		s.Value = &e.Value
	}
	if !field && e.Text != "" && widget(e.Role) {
		s.Text = &e.Text
	}
	return s
}

// statesOf are the states of a list of words that names each that holds.
func statesOf(words []string) map[string]bool {
	states := map[string]bool{}
	for _, name := range [...]string{"disabled", "required", "checked", "selected", "expanded", "readonly", "invalid",
		"pressed"} {
		states[name] = slices.Contains(words, name)
	}
	states["mixed"] = slices.Contains(words, "checked=mixed") || slices.Contains(words, "pressed=mixed")
	return states
}
