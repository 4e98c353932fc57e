package observation

import (
	"regexp"
	"slices"
	"strings"
)

// Agent TARS and UI-TARS list what can be operated in view by @agent-infra/mcp-server-browser (views.ts), in the order
// of the document:
//
//	line    = "[" index "] " [ "[" word { " " word } "] " ] "<" tag ">" text "</" tag ">"
//	        | "[]" text                             what nobody can operate
//	word    = kind | state | attribute `="` value `"` | "role=" role
//	text    = the name, as it is or over several lines | "[placeholder: " words "]" | "[value: " words "]"
//	        | "[" tag "]"
//
// The kind of an input is its type, text where it has none. The index is a running one.

// tarsSign is a line as no other format has it.
const tarsSign = `^\[\d+\] \[[a-z][^\n]*\] <[a-z][\w-]*>`

var (
	tarsLine  = regexp.MustCompile(`^\[(\d+)\] (?:\[((?:"[^"]*"|[^"\]])*|.*?)\] )?<([a-z][\w-]*)>(.*)$`)
	tarsValue = regexp.MustCompile(`[\w-]+="[^"]*"`)
	tarsNone  = regexp.MustCompile(`^\[(?:placeholder: (.*)|value: .*|[a-z][\w-]*)\]$`)
)

// tarsStates are the words that say how an element is.
var tarsStates = []string{"disabled", "checked", "unchecked", "selected", "required", "readonly", "multiple"}

func readAgentTARS(s string) []Line {
	var out []Line
	end := "" // with which the text of the last line ends, where it goes on
	eachLine(s, func(i, from, to int, l string) {
		m := tarsLine.FindStringSubmatch(l)
		if m == nil {
			if end != "" {
				text, ended := strings.CutSuffix(l, end)
				last := &out[len(out)-1]
				last.Name, last.Last, last.Bytes[1] = strings.TrimSpace(last.Name+" "+strings.TrimSpace(text)), i, to
				if ended {
					end = ""
				}
			}
			return
		}
		one := Line{Ref: m[1], Role: m[3], Attrs: attributesOf(m[2]), First: i, Last: i, Bytes: [2]int{from, to}}
		words := strings.Fields(tarsValue.ReplaceAllString(m[2], ""))
		for _, w := range words {
			if slices.Contains(tarsStates, w) {
				one.States = append(one.States, w)
			}
		}
		kinds := one.Role == "input" || one.Role == "button" // the first word is the type where there is one
		if kinds && len(words) > 0 && words[0] != "text" && words[0] != "button" {
			if one.Attrs == nil {
				one.Attrs = map[string]string{}
			}
			one.Attrs["type"] = words[0]
		}
		text, ended := strings.CutSuffix(m[4], "</"+m[3]+">")
		if end = "</" + m[3] + ">"; ended {
			end = ""
		}
		if none := tarsNone.FindStringSubmatch(text); none != nil {
			text = none[1]
		}
		one.Name = strings.TrimSpace(text)
		out = append(out, one)
	})
	return out
}
