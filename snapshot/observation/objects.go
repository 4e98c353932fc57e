package observation

import (
	"encoding/json"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Formats that are JSON: an object for each element, its children in it. What is cut off is read as far as it goes.
//
//	semantic     {"i":"12","r":"btn","n":"Add"}                       ours, short keys
//	wraith-json  {"ref_id":12,"role":"button","text":"Add",…}         ours
//	domtool      {"node_id":"nv_1c2f90ab","tag":"button","ref":12,…}  ours
//	aria         {"role":"button","name":"Add","ref":"e37",…}         Playwright's, for clients that ask for JSON
//	agent-e      {"role":"button","name":"Add","mmid":"37"}           the value of the attribute mmid
//	skyvern      {"id":"AAB3","tagName":"button","text":"Add",…}      the value of the attribute unique_id

var ariaRef = regexp.MustCompile(`^(?:f\d+)?e\d+$`)

var semanticNode = regexp.MustCompile(`"i":\s*"?(\w+)"?,\s*"r":\s*"([\w-]+)"(?:,\s*"n":\s*("(?:[^"\\]|\\.)*"))?`)

func readSemantic(s string) []Line {
	var out []Line
	lines := lineCounter{s: s}
	for _, m := range semanticNode.FindAllStringSubmatchIndex(s, -1) {
		one := Line{Ref: s[m[2]:m[3]], Role: s[m[4]:m[5]], First: lines.of(m[0]), Bytes: [2]int{m[0], m[1]}}
		one.Last = lines.of(m[1])
		if m[6] >= 0 {
			one.Name = jsonText(s[m[6]:m[7]])
		}
		out = append(out, one)
	}
	return out
}

func readWraithJSON(s string) []Line {
	return readObjects(s, "ref_id", func(m map[string]any) Line {
		return Line{Ref: asText(m["ref_id"]), Role: asText(m["role"]),
			Name: firstText(m, "aria_label", "label", "text", "placeholder", "value")}
	})
}

// readDomTool reads the nodes of a serialized page. A ref is the number where a node has one.
func readDomTool(s string) []Line {
	return readObjects(s, "node_id", func(m map[string]any) Line {
		l := Line{Ref: asText(m["ref"]), Role: firstText(m, "role", "tag"),
			Name: strings.TrimPrefix(firstText(m, "ariaLabel", "text", "value", "placeholder"), "• ")}
		if l.Ref == "" {
			l.Ref = asText(m["node_id"])
			if l.Role == "#text" || l.Role == "summary" || l.Name == "" {
				return Line{}
			}
		}
		return l
	})
}

// readAriaJSON reads Playwright's aria snapshot as objects, which its MCP server sends to clients that ask for JSON.
func readAriaJSON(s string) []Line {
	return readObjects(s, "ref", func(m map[string]any) Line {
		l := Line{Ref: asText(m["ref"]), Role: asText(m["role"]), Name: firstText(m, "name", "text")}
		if l.Role == "" || !ariaRef.MatchString(l.Ref) {
			return Line{}
		}
		for _, state := range []string{"checked", "disabled", "expanded", "active", "pressed", "selected"} {
			if m[state] == true {
				l.States = append(l.States, state)
			}
		}
		return l
	})
}

func readAgentE(s string) []Line {
	return readObjects(s, "mmid", func(m map[string]any) Line {
		return Line{Ref: asText(m["mmid"]), Role: firstText(m, "role", "tag"), Value: asText(m["value"]),
			Name: firstText(m, "name", "description", "title")}
	})
}

// skyvernID is the shape of Skyvern's unique ids.
var skyvernID = regexp.MustCompile(`^[A-Z][A-Z0-9]{3}$`)

func readSkyvern(s string) []Line {
	if strings.Contains(s, `"tagName"`) {
		return readObjects(s, "id", func(m map[string]any) Line {
			l := Line{Ref: asText(m["id"]), Role: asText(m["tagName"]),
				Name: firstText(m, "text", "aria-label", "placeholder", "value")}
			if !skyvernID.MatchString(l.Ref) {
				return Line{}
			}
			return l
		})
	}
	var out []Line
	for _, l := range attributeReader("unique_id", "id")(s) {
		if skyvernID.MatchString(l.Ref) {
			out = append(out, l)
		}
	}
	return out
}

// readObjects reads the plain members of each JSON object that has that key, up to what is nested in it. An
// element without a ref is left out.
func readObjects(s, key string, element func(members map[string]any) Line) []Line {
	var out []Line
	lines := lineCounter{s: s}
	for at := range objectsIn(s) {
		members, length := scalars(s[at:])
		if _, ok := members[key]; !ok {
			continue
		}
		one := element(members)
		if one.Ref == "" || strings.ContainsRune(one.Ref, utf8.RuneError) { // of broken bytes: nobody can name it
			continue
		}
		one.First, one.Bytes = lines.of(at), [2]int{at, at + length}
		one.Last = one.First + strings.Count(s[at:at+length], "\n")
		out = append(out, one)
	}
	return out
}

// objectsIn are the places where an object begins outside of a string.
func objectsIn(s string) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		inside, escaped := false, false
		for i := 0; i < len(s); i++ {
			switch c := s[i]; {
			case escaped:
				escaped = false
			case inside && c == '\\':
				escaped = true
			case c == '"':
				inside = !inside
			case c == '{' && !inside:
				if !yield(i) {
					return
				}
			}
		}
	}
}

// scalars are the members of the object that s begins with, without those that hold objects, and how many
// bytes it takes up to the first of these. Lists of plain values are left out.
func scalars(s string) (members map[string]any, length int) {
	members = map[string]any{}
	d := json.NewDecoder(strings.NewReader(s))
	d.UseNumber()
	if _, err := d.Token(); err != nil { // the opening brace
		return members, 0
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			break
		}
		value, err := d.Token()
		for open := value == json.Delim('['); open && err == nil; open = value != json.Delim(']') {
			if value, err = d.Token(); value == json.Delim('{') || value == json.Delim('[') {
				return members, length
			}
		}
		if err != nil || value == json.Delim('{') {
			break
		}
		if name, ok := key.(string); ok {
			members[name] = value
		}
		length = int(d.InputOffset())
	}
	return members, length
}

// asText is a string or a number of JSON as text, "" for anything else.
func asText(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	}
	return ""
}

// firstText is the first of these members that has a text.
func firstText(m map[string]any, names ...string) string {
	for _, n := range names {
		if s := strings.TrimSpace(asText(m[n])); s != "" {
			return s
		}
	}
	return ""
}
