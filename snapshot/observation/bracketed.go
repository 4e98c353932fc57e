package observation

import (
	"regexp"
	"strings"
)

// Numbered tags, ours and browser-use's. dddk (package snapshot/format/dddk) closes its tags and has the text inside:
//
//	line  = [ "↑" | "↓" | "←" | "→" ] "[" ref "]<" tag attributes ">" text "</" tag ">"
//
// browser-use (Python since autumn 2025, serializer/clickable_elements; the npm port) has text on the lines below, a
// tab a level:
//
//	line  = { TAB } { "|SCROLL|" | "|SHADOW(open)|" | "|IFRAME|" } [ "*" ] "[" id "]<" tag attributes "/>"
//	text  = { TAB } words
//
// Its id is the node's backendNodeId, before autumn 2025 a running index; "*" is what is new since the step before.

var (
	bracketLine = regexp.MustCompile(`^([\t ]*)((?:\*|[↑↓←→]|\|[^|]*\|)*)\[(\d+)\](\*?):?\s?<([A-Za-z][\w-]*)` +
		`((?:[^<>"']|"[^"]*"|'[^']*'|')*?)\s*/?>(.*)$`)
	bracketAttr = regexp.MustCompile(`\b(aria-label|placeholder|alt|title|value|name)=` +
		`(?:"([^"]*)"|'([^']*)'|([^"'\s][^=<>]*?))(?:\s+[\w-]+=|\s*/?$|\s{2,}|$)`)
)

func readDDDK(s string) []Line       { return readBracketed(s, false) }
func readBrowserUse(s string) []Line { return readBracketed(s, true) }

// readBracketed reads numbered tags; below: text on the lines below, further in, belongs to a tag.
func readBracketed(s string, below bool) []Line {
	var out []Line
	open, depth := -1, 0 // the line that text below may belong to, and its indentation
	lent := false        // its name is that of the label before it
	eachLine(s, func(i, from, to int, l string) {
		m := bracketLine.FindStringSubmatch(l)
		if m == nil {
			plain := strings.TrimSpace(l)
			if below && open >= 0 && plain != "" && indent(l) > depth && !strings.HasPrefix(plain, "<") &&
				!strings.HasPrefix(plain, "[") {
				if lent {
					out[open].Name, lent = "", false
				}
				out[open].Name = strings.TrimSpace(out[open].Name + " " + plain)
				out[open].Last, out[open].Bytes[1] = i, to
				return
			}
			open = -1
			return
		}
		one := Line{Ref: m[3], Role: strings.ToLower(m[5]), Depth: len(m[1]), First: i, Last: i,
			Bytes: [2]int{from, to}}
		if strings.Contains(m[2]+m[4], "*") {
			one.States = append(one.States, "new")
		}
		one.Attrs = attributesOf(m[6])
		text, _, _ := strings.Cut(m[7], "</"+m[5]+">")
		one.Name = unescape(strings.TrimSuffix(strings.TrimSpace(text), "/>"))
		if one.Name == "" || one.Role == "select" {
			one.Name = nameOfAttributes(m[6])
		}
		lent = false
		if k := len(out) - 1; k >= 0 && out[k].Role == "label" && out[k].Last == i-1 && isField(one.Role) {
			one.Name, lent = out[k].Name, true
		}
		out = append(out, one)
		open, depth = len(out)-1, len(m[1])
	})
	return out
}

// attributeName is where an attribute of a tag begins; its value goes on to the next one, quoted or not.
var attributeName = regexp.MustCompile(`(?:^|\s)([A-Za-z][\w-]*)=`)

// attributesOf are the attributes of a tag as it is printed; nil for none.
func attributesOf(rest string) map[string]string {
	var out map[string]string
	at := attributeName.FindAllStringSubmatchIndex(rest, -1)
	for i, a := range at {
		end := len(rest)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		if out == nil {
			out = map[string]string{}
		}
		out[rest[a[2]:a[3]]] = unescape(strings.Trim(strings.TrimSpace(rest[a[1]:end]), `"'`))
	}
	return out
}

// nameOfAttributes is what the attributes of a tag call it.
func nameOfAttributes(rest string) string {
	name := ""
	for {
		at := bracketAttr.FindStringSubmatchIndex(rest)
		if at == nil {
			return name
		}
		g := bracketAttr.FindStringSubmatch(rest)
		if v := g[2] + g[3] + g[4]; v != "" && (name == "" || g[1] == "aria-label") {
			name = unescape(v)
		}
		rest = rest[at[3]:]
	}
}

// isField reports whether a tag is a field that a label before it names.
func isField(tag string) bool {
	switch tag {
	case "input", "textarea", "select":
		return true
	}
	return false
}
