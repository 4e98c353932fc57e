package observation

import (
	"regexp"
	"slices"
	"strings"
)

// Numbered tags, ours and browser-use's. dddk (package snapshot/format/dddk) closes its tags and has the text inside:
//
//	line  = [ "↑" | "↓" | "←" | "→" ] "[" ref "]<" tag attributes ">" text "</" tag ">"
//
// browser-use (Python since autumn 2025, serializer.py) has text on the lines below, a tab a level, and after a tag
// what of it lies outside of the view:
//
//	line  = { TAB } [ "|SHADOW(open)|" | "|SHADOW(closed)|" ] [ "*" ] ( "[" | "|SCROLL[" ) id
//	        "]<" tag attributes " />" [ " (" scrolling ")" ]
//	      | { TAB } ( "|SCROLL|<" | "|IFRAME|<" | "|FRAME|<" | "<" ) tag attributes " />"    without an id
//	      | { TAB } ( "Open Shadow" | "Closed Shadow" | "Shadow End" )
//	text  = { TAB } words
//
// Before, and in the npm port, Nanobrowser and page-agent, the text stands before the end of the tag, and may go on for
// several lines:
//
//	line  = { TAB } [ "*" ] "[" index "]" [ "*" ] "<" tag attributes ">" text " />"
//
// Openator has its first line behind other words, closes its tags, and prints no words of most elements:
//
//	line  = "[" [ index ] "]__<" tag attributes ">" [ text ] "</" tag ">"
//
// The id is the node's backendNodeId, before autumn 2025 a running index; "*" is what is new since the step before.

var (
	bracketLine = regexp.MustCompile(`^([\t ]*)((?:\*|[↑↓←→]|\|[^|]*\||\|SCROLL)*)\[(\d+)\](\*?)(?:__|:?\s?)` +
		`<([A-Za-z][\w-]*)((?:[^<>"']|"[^"]*"|'[^']*'|')*?)\s*(/?)>(.*)$`)
	bracketBehind    = regexp.MustCompile(`^([^\[\]<>]*: )\[\d*\]__<`)
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
		if behind := bracketBehind.FindStringSubmatch(l); behind != nil {
			l, from = l[len(behind[1]):], from+len(behind[1])
		}
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
			one.Name = nameOfAttributes(one.Role, one.Attrs)
		}
		lent = false
		if labels(out, i, &one) {
			one.Name, lent = out[len(out)-1].Name, true
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
		value := strings.TrimSpace(rest[a[1]:end])
		if value != "" && strings.ContainsRune(`"'`, rune(value[0])) { // words without a value may come after it
			if to := strings.IndexByte(value[1:], value[0]); to >= 0 {
				value = value[:to+2]
			}
		}
		out[rest[a[2]:a[3]]] = unescape(strings.Trim(value, `"'`))
	}
	return out
}

// nameOfAttributes is what the attributes of a tag call it. The value of a box to tick is nothing that anybody reads.
func nameOfAttributes(tag string, attrs map[string]string) string {
	box := tag == "input" && (attrs["type"] == "checkbox" || attrs["type"] == "radio")
	for _, name := range []string{"aria-label", "placeholder", "alt", "title", "value", "name"} {
		if attrs[name] != "" && !(box && name == "value") {
			return attrs[name]
		}
	}
	return ""
}

// labels reports whether the line just before line i is a label that names this one: it is a field without a name of
// its own that lies in the label, or is the one that the label is for. A label beside it may be another's.
func labels(before []Line, i int, l *Line) bool {
	k := len(before) - 1
	if k < 0 || before[k].Role != "label" || before[k].Last != i-1 || before[k].Name == "" {
		return false
	}
	for _, name := range []string{"aria-label", "placeholder", "title"} {
		if l.Attrs[name] != "" {
			return false
		}
	}
	if own := before[k].Attrs["for"]; l.Depth <= before[k].Depth && (own == "" || own != l.Attrs["id"]) {
		return false
	}
	switch l.Role {
	case "textarea", "select":
		return true
	case "input":
		return !slices.Contains([]string{"submit", "button", "reset", "image"}, l.Attrs["type"])
	}
	return false
}
