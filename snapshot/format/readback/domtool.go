package readback

import (
	"encoding/json"
	"fmt"
	"strings"
)

// readDomTool reads a domtool dump: a node a line, up to its arrays.
func readDomTool(text string) ([]Said, error) {
	if !json.Valid([]byte(text)) {
		return nil, fmt.Errorf("the payload is not JSON")
	}
	var out []Said
	for i, line := range strings.Split(text, "\n") {
		if !strings.HasPrefix(line, `{"node_id":`) {
			continue
		}
		v := map[string]json.RawMessage{}
		d := json.NewDecoder(strings.NewReader(line))
		if _, err := d.Token(); err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
		for d.More() {
			key, err := d.Token()
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", i+1, err)
			}
			name, _ := key.(string)
			if name == "children" || name == "iframe" || name == "shadowDom" {
				break
			}
			var raw json.RawMessage
			if err := d.Decode(&raw); err != nil {
				return nil, fmt.Errorf("line %d, key %s: %w", i+1, name, err)
			}
			v[name] = raw
		}
		var n struct {
			Ref        int
			Tag, Role  string
			Name       string `json:"ariaLabel"`
			Value      string
			Type, Host string
			States     []string
		}
		whole, err := json.Marshal(v)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
		if err := json.Unmarshal(whole, &n); err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
		if n.Ref == 0 || n.Host != "" {
			continue
		}
		s := Said{Ref: n.Ref, Line: i, States: statesOf(n.States)}
		if n.Role != "" && n.Role != "heading" && widget(n.Role) {
			s.Roles = rolesOf(n.Role)
		}
		if n.Name != "" && widget(n.Role) {
			s.Name = &n.Name
		}
		if n.Value != "" && n.Type != "checkbox" && n.Type != "radio" && (n.Tag == "input" || n.Tag == "textarea" ||
			n.Tag == "select") {
			s.Value = &n.Value
		}
		out = append(out, s)
	}
	return out, nil
}
