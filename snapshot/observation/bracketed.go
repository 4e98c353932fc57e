package observation

import (
	"regexp"
	"strings"
)

// Numbered tags, ours and browser-use's. dddk (package snapshot/format/dddk) closes its tags and has the text inside:
//
//	line  = [ "↑" | "↓" | "←" | "→" ] "[" ref "]<" tag attributes ">" text "</" tag ">"
//
// browser-use (Python since autumn 2025, serializer.py) has text on the lines below, a tab a level, and after a tag what
// of it lies outside of the view:
//
//	line  = { TAB } [ "|SHADOW(open)|" | "|SHADOW(closed)|" ] [ "*" ] ( "[" | "|SCROLL[" ) id "]<" tag attributes " />"
//	        [ " (" scrolling ")" ]
//	      | { TAB } ( "|SCROLL|<" | "|IFRAME|<" | "|FRAME|<" | "<" ) tag attributes " />"    without an id
//	      | { TAB } ( "Open Shadow" | "Closed Shadow" | "Shadow End" )
//	text  = { TAB } words
//
// Before, and in the npm port, Nanobrowser and page-agent, the text stands before the end of the tag, and may go on for
// several lines:
//
//	line  = { TAB } [ "*" ] "[" index "]" [ "*" ] "<" tag attributes ">" text " />"
//
// The id is the node's backendNodeId, before autumn 2025 a running index; "*" is what is new since the step before.

var (
	bracketLine = regexp.MustCompile(`^([\t ]*)((?:\*|[↑↓←→]|\|[^|]*\||\|SCROLL)*)\[(\d+)\](\*?):?\s?<([A-Za-z][\w-]*)` +
		`((?:[^<>"']|"[^"]*"|'[^']*'|')*?)\s*(/?)>(.*)$`)
	bracketStructure = regexp.MustCompile(`^(?:\||<|\[|(?:Open|Closed) Shadow$|Shadow End$)`)
)

func readDDDK(s string) []Line       { return readBracketed(s, false) }
func readBrowserUse(s string) []Line { return readBracketed(s, true) }

// readBracketed reads numbered tags; below: text on the lines below, further in, belongs to a tag.
func readBracketed(s string, below bool) []Line {
	var out []Line
	open, depth := -1, 0 // the line that text below may belong to, and its indentation
	lent := false        // its name is that of the label before it
	unfinished := false  // its text goes on on the next line
	eachLine(s, func(i, from, to int, l string) {
		m := bracketLine.FindStringSubmatch(l)
		if m == nil {
			plain := strings.TrimSpace(l)
			if unfinished && !bracketStructure.MatchString(plain) {
				text, ended := strings.CutSuffix(plain, "/>")
				out[open].Name = strings.TrimSpace(out[open].Name + " " + unescape(text))
				out[open].Last, out[open].Bytes[1] = i, to
				unfinished = !ended
				return
			}
			unfinished = false
			if below && open >= 0 && plain != "" && indent(l) > depth && !bracketStructure.MatchString(plain) {
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
		text, _, closed := strings.Cut(m[8], "</"+m[5]+">")
		if below && m[7] != "" {
			text, closed = "", true // what comes after it is about scrolling
		}
		text, ended := strings.CutSuffix(strings.TrimSpace(text), "/>")
		one.Name = unescape(text)
		unfinished = below && !closed && !ended && one.Name != ""
		if one.Name == "" || one.Role == "select" {
			one.Name = nameOfAttributes(one.Attrs)
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
func nameOfAttributes(attrs map[string]string) string {
	for _, name := range []string{"aria-label", "placeholder", "alt", "title", "value", "name"} {
		if attrs[name] != "" {
			return attrs[name]
		}
	}
	return ""
}

// isField reports whether a tag is a field that a label before it names.
func isField(tag string) bool {
	switch tag {
	case "input", "textarea", "select":
		return true
	}
	return false
}
