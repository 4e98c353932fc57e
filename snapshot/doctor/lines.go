package doctor

import (
	"encoding/json"
	"html"
	"regexp"
	"strings"

	"github.com/refscope/refscope/snapshot/redact"
)

// Formats of a page's text, as they are recognized.
const (
	formatAria       = "aria snapshot" // Playwright's, and ours
	formatDDDK       = "dddk"
	formatBrowserUse = "browser-use"
	formatWraith     = "wraith"
	formatSemantic   = "semantic"
	formatHTML       = "html"
	formatWraithJSON = "wraith-json"
	formatDomTool    = "domtool"
)

// Line is what a text says of one element.
type Line struct {
	Ref  string `json:"ref,omitempty"`  // as the format writes it, without brackets
	Role string `json:"role,omitempty"` // a role or a tag
	Name string `json:"name,omitempty"`
	// First and Last are lines of the text, from 1.
	First int `json:"first"`
	Last  int `json:"last"`
	// Node is the index of the element of the paired page, -1 where none is known for sure; Score
	// is how sure, and Why by what.
	Node  int     `json:"node"`
	Score float64 `json:"score,omitempty"`
	Why   string  `json:"why,omitempty"`
}

// PageText is a text of a request in which elements of a page are listed.
type PageText struct {
	Section string `json:"section"`
	Format  string `json:"format"`
	Lines   []Line `json:"lines"`
	Matched int    `json:"matched"` // lines with an element

	message int    // index of its message
	text    string // what was read
}

// Text is the text that was read; its lines are those of [Line].
func (t *PageText) Text() string { return t.text }

// recognize reads a text in the format that most of its lines are of; nil where fewer than two
// elements are listed. A text that lies as a value in JSON, as a tool's answer to Gemini, is
// looked for there.
func recognize(s string) *PageText {
	best := &PageText{}
	for _, read := range []func(string) (string, []Line){readBracketed, readAria, readWraith, readSemantic, readHTML,
		readWraithJSON, readDomTool} {
		if format, lines := read(s); len(lines) > len(best.Lines) {
			best.Format, best.Lines, best.text = format, lines, s
		}
	}
	if len(best.Lines) < 2 && json.Valid([]byte(s)) {
		longest := ""
		for _, leaf := range redact.Leaves([]byte(s)) {
			if !leaf.Key && len(leaf.Text) > len(longest) {
				longest = leaf.Text
			}
		}
		if len(longest) > 0 && len(longest) < len(s) {
			return recognize(longest)
		}
	}
	if len(best.Lines) < 2 {
		return nil
	}
	for i := range best.Lines {
		best.Lines[i].Node = -1
	}
	return best
}

// eachLine calls read with each line, from 1.
func eachLine(s string, read func(i int, line string)) {
	i := 0
	for line := range strings.SplitSeq(s, "\n") {
		i++
		read(i, strings.TrimRight(line, "\r"))
	}
}

// unquoted is a name in quotes as JSON has it, or as it is.
func unquoted(s string) string {
	var out string
	if json.Unmarshal([]byte(s), &out) == nil {
		return out
	}
	return strings.Trim(s, `"/`)
}

// readAria reads an aria snapshot: - button "Add" [ref=e12]: text.
func readAria(s string) (string, []Line) {
	line := regexp.MustCompile(`^\s*- '?([a-z]+)(?: ("(?:[^"\\]|\\.)*"|/[^/]*/))?((?: ?\[[^\]]*\])*)'?:?\s*(.*)$`)
	ref := regexp.MustCompile(`\[ref=([A-Za-z0-9]+)\]`)
	var out []Line
	eachLine(s, func(i int, l string) {
		m := line.FindStringSubmatch(l)
		if m == nil {
			return
		}
		r := ref.FindStringSubmatch(m[3])
		if r == nil {
			return
		}
		name := unquoted(m[2])
		if name == "" {
			name = unquoted(m[4])
		}
		out = append(out, Line{Ref: r[1], Role: m[1], Name: name, First: i, Last: i})
	})
	return formatAria, out
}

// readBracketed reads numbered tags: [12]<button>Add</button>, ours and browser-use's, whose text
// may lie on the lines below.
func readBracketed(s string) (string, []Line) {
	line := regexp.MustCompile(`^([\t ]*)(?:\*|[↑↓←→]|\|[^|]*\|)*\[(\d+)\]\*?:?\s?<([A-Za-z][\w-]*)` +
		`((?:[^<>"']|"[^"]*"|'[^']*'|')*?)\s*/?>(.*)$`)
	attr := regexp.MustCompile(`\b(aria-label|placeholder|alt|title|value|name)=(?:"([^"]*)"|'([^']*)'|([^"'\s][^=<>]*?))` +
		`(?:\s+[\w-]+=|\s*/?$|\s{2,}|$)`)
	format := formatBrowserUse
	if strings.Contains(s, "VIEWPORT:") || strings.Contains(s, "\nTITLE:") {
		format = formatDDDK
	}
	var out []Line
	open, depth := -1, 0 // the line that text below may belong to, and its indentation
	lent := false        // its name is that of the label before it
	eachLine(s, func(i int, l string) {
		m := line.FindStringSubmatch(l)
		if m == nil {
			indent := len(l) - len(strings.TrimLeft(l, "\t "))
			if plain := strings.TrimSpace(l); open >= 0 && plain != "" && indent > depth && !strings.HasPrefix(plain, "<") &&
				!strings.HasPrefix(plain, "[") && format == formatBrowserUse {
				if lent {
					out[open].Name, lent = "", false
				}
				out[open].Name = strings.TrimSpace(out[open].Name + " " + plain)
				out[open].Last = i
				return
			}
			open = -1
			return
		}
		one := Line{Ref: m[2], Role: strings.ToLower(m[3]), First: i, Last: i}
		text, _, _ := strings.Cut(m[5], "</"+m[3]+">")
		one.Name = html.UnescapeString(strings.TrimSuffix(strings.TrimSpace(text), "/>"))
		if one.Name == "" || one.Role == "select" {
			one.Name = ""
			for rest := m[4]; ; {
				a := attr.FindStringSubmatchIndex(rest)
				if a == nil {
					break
				}
				g := attr.FindStringSubmatch(rest)
				if v := g[2] + g[3] + g[4]; v != "" && (one.Name == "" || g[1] == "aria-label") {
					one.Name = html.UnescapeString(strings.TrimSpace(v))
				}
				rest = rest[a[3]:]
			}
		}
		lent = false
		if before := len(out) - 1; kind(one.Role) == "field" && before >= 0 && out[before].Role == "label" && out[before].Last == i-1 {
			one.Name, lent = out[before].Name, true
		}
		out = append(out, one)
		open, depth = len(out)-1, len(m[1])
	})
	return format, out
}

// readWraith reads @e12 [button] "Add" label="Add to cart".
func readWraith(s string) (string, []Line) {
	line := regexp.MustCompile(`^\s*@(e\d+)\s+\[([^\]]*)\]\s*("(?:[^"\\]|\\.)*")?(.*)$`)
	attr := regexp.MustCompile(` (label|placeholder)=("(?:[^"\\]|\\.)*")`)
	var out []Line
	eachLine(s, func(i int, l string) {
		m := line.FindStringSubmatch(l)
		if m == nil {
			return
		}
		one := Line{Ref: m[1], Role: m[2], Name: unquoted(m[3]), First: i, Last: i}
		for _, a := range attr.FindAllStringSubmatch(m[4], -1) {
			if a[1] == "label" || one.Name == "" {
				one.Name = unquoted(a[2])
			}
		}
		out = append(out, one)
	})
	return formatWraith, out
}

// readSemantic reads the short JSON of the semantic mode: {"i":"12","r":"btn","n":"Add"}.
func readSemantic(s string) (string, []Line) {
	node := regexp.MustCompile(`"i":\s*"?(\w+)"?,\s*"r":\s*"(\w+)"(?:,\s*"n":\s*("(?:[^"\\]|\\.)*"))?`)
	var out []Line
	at, line := 0, 1
	for _, m := range node.FindAllStringSubmatchIndex(s, -1) {
		line += strings.Count(s[at:m[0]], "\n")
		at = m[0]
		one := Line{Ref: s[m[2]:m[3]], Role: s[m[4]:m[5]], First: line, Last: line + strings.Count(s[m[0]:m[1]], "\n")}
		if m[6] >= 0 {
			one.Name = unquoted(s[m[6]:m[7]])
		}
		out = append(out, one)
	}
	return formatSemantic, out
}

// readWraithJSON reads the objects of a DomSnapshot: {"ref_id":12,"role":"button","text":"Add",…}.
func readWraithJSON(s string) (string, []Line) {
	return formatWraithJSON, readObjects(s, `"ref_id"`, func(m map[string]any) Line {
		return Line{Ref: asText(m["ref_id"]), Role: asText(m["role"]),
			Name: firstText(m, "aria_label", "label", "text", "placeholder", "value")}
	})
}

// readDomTool reads the nodes of a serialized page: {"node_id":"nv_1c2f90ab","tag":"button",…}. Its
// ref is the number where it has one.
func readDomTool(s string) (string, []Line) {
	return formatDomTool, readObjects(s, `"node_id"`, func(m map[string]any) Line {
		l := Line{Ref: asText(m["ref"]), Role: asText(m["role"]),
			Name: strings.TrimPrefix(firstText(m, "ariaLabel", "text", "value", "placeholder"), "• ")}
		if l.Ref == "" {
			l.Ref = asText(m["node_id"])
		}
		if l.Role == "" {
			l.Role = asText(m["tag"])
		}
		if l.Role == "#text" || l.Role == "summary" || l.Name == "" {
			return Line{}
		}
		return l
	})
}

// readObjects reads each JSON object whose first member is key, up to what is nested in it. An
// element without a ref is left out.
func readObjects(s, key string, element func(members map[string]any) Line) []Line {
	start := regexp.MustCompile(`\{\s*` + key + `\s*:`)
	var out []Line
	at, line := 0, 1
	for _, m := range start.FindAllStringIndex(s, -1) {
		line += strings.Count(s[at:m[0]], "\n")
		at = m[0]
		members, length := scalars(s[m[0]:])
		one := element(members)
		if one.Ref == "" {
			continue
		}
		one.First, one.Last = line, line+strings.Count(s[m[0]:m[0]+length], "\n")
		out = append(out, one)
	}
	return out
}

// scalars are the members of the object that s begins with, up to the first one that holds an
// object, and how many bytes they take. Lists of plain values are left out.
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

// readHTML reads the controls and headings of plain HTML. Its ref is data-llm-id or id.
func readHTML(s string) (string, []Line) {
	if !strings.Contains(s, "</") && !strings.Contains(s, "<input") {
		return formatHTML, nil
	}
	tag := regexp.MustCompile(`(?i)<(a|button|input|select|textarea|summary|option|h[1-6]|img)\b((?:[^<>"']|"[^"]*"|'[^']*')*)>([^<]*)`)
	attr := regexp.MustCompile(`(?i)\b(data-llm-id|id|aria-label|placeholder|alt|title|value|name)\s*=\s*(?:"([^"]*)"|'([^']*)')`)
	var out []Line
	at, line := 0, 1
	for _, m := range tag.FindAllStringSubmatchIndex(s, -1) {
		line += strings.Count(s[at:m[0]], "\n")
		at = m[0]
		one := Line{Role: strings.ToLower(s[m[2]:m[3]]), Name: html.UnescapeString(strings.TrimSpace(s[m[6]:m[7]])), First: line,
			Last: line + strings.Count(s[m[0]:m[1]], "\n")}
		id := ""
		for _, g := range attr.FindAllStringSubmatch(s[m[4]:m[5]], -1) {
			switch v := html.UnescapeString(g[2] + g[3]); strings.ToLower(g[1]) {
			case "data-llm-id":
				one.Ref = v
			case "id":
				id = v
			default:
				if one.Name == "" || strings.EqualFold(g[1], "aria-label") {
					one.Name = v
				}
			}
		}
		if one.Ref == "" {
			one.Ref = id
		}
		out = append(out, one)
	}
	return formatHTML, out
}
