package readback

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// readAria reads the lines of a default aria dump that have a ref.
func readAria(text string) ([]Said, error) {
	role := regexp.MustCompile(`^[a-z0-9-]+`)
	word := regexp.MustCompile(`^ \[([a-z]+)(=)?`)
	var out []Said
	for i, line := range strings.Split(text, "\n") {
		rest, item := strings.CutPrefix(strings.TrimLeft(line, " "), "- ")
		if !item {
			continue
		}
		rest = unquoteKey(rest)
		s := Said{Line: i, States: map[string]bool{}}
		what := role.FindString(rest)
		if what == "" {
			return nil, fmt.Errorf("line %d is none of the format: %q", i+1, line)
		}
		rest = rest[len(what):]
		var err error
		if strings.HasPrefix(rest, ` "`) {
			name := ""
			if name, rest, err = jsonString(rest[1:]); err != nil {
				return nil, fmt.Errorf("line %d: %w", i+1, err)
			}
			s.Name = &name
		}
		var states []string
		for m := word.FindStringSubmatch(rest); m != nil; m = word.FindStringSubmatch(rest) {
			rest = rest[len(m[0]):]
			value := ""
			if m[2] == "=" {
				if strings.HasPrefix(rest, `"`) {
					if value, rest, err = jsonString(rest); err != nil {
						return nil, fmt.Errorf("line %d: %w", i+1, err)
					}
				} else {
					at := strings.IndexByte(rest, ']')
					if at < 0 {
						return nil, fmt.Errorf("line %d: a bracket without an end: %q", i+1, line)
					}
					value, rest = rest[:at], rest[at:]
				}
			}
			rest = strings.TrimPrefix(rest, "]")
			switch m[1] {
			case "ref":
				if s.Ref, err = strconv.Atoi(value[strings.IndexByte(value, 'e')+1:]); err != nil {
					return nil, fmt.Errorf("line %d: %w", i+1, err)
				}
			case "value":
				s.Value = &value
			case "invalid":
				states = append(states, "invalid")
			default:
				if value == "mixed" {
					m[1] += "=mixed"
				}
				states = append(states, m[1])
			}
		}
		if s.Ref == 0 {
			continue
		}
		s.States = statesOf(states)
		switch what {
		case "heading", "generic", "document":
		default:
			s.Roles = rolesOf(what)
		}
		if held, ok := strings.CutPrefix(rest, ": "); ok && s.Value == nil && s.Name != nil &&
			(what == "textbox" || what == "searchbox" || what == "spinbutton") {
			// Without a name it may be the words of an editor, which other formats call it by.
			value, _, err := jsonString(held)
			if err != nil && !strings.Contains(held, `\U`) { // an escape of YAML alone
				return nil, fmt.Errorf("line %d: %w", i+1, err)
			}
			if err == nil {
				value = strings.Join(strings.Fields(value), " ")
				s.Value = &value
			}
		}
		out = append(out, s)
	}
	return out, nil
}

// unquoteKey undoes the single quotes around a key that YAML would end too early.
func unquoteKey(s string) string {
	if !strings.HasPrefix(s, "'") {
		return s
	}
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] != '\'':
			b.WriteByte(s[i])
		case i+1 < len(s) && s[i+1] == '\'':
			b.WriteByte('\'')
			i++
		default:
			return b.String() + s[i+1:]
		}
	}
	return b.String()
}
