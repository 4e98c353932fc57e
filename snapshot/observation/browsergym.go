package observation

import (
	"regexp"
	"strings"
)

// BrowserGym and AgentLab print Chrome's accessibility tree, a tab a level (axtree_txt, utils/obs.py); names and values
// are as Python's repr writes them:
//
//	line  = { TAB } [ "[" bid "] " ] role [ " " quoted ] [ " value=" ( quoted | number ) ]
//	        { ", " state [ "=" value ] }
//
// A bid is the value of the attribute bid, which BrowserGym writes into every frame of the page: a12.

const pythonText = `'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"`

var (
	browsergymLine = regexp.MustCompile(`^(\s*)\[([a-zA-Z]*\d+)\] ([A-Za-z]+)(?: (` + pythonText + `))?` +
		`(?: value=(` + pythonText + `|[^,]*))?(?:,(.*))?$`)
	browsergymState = regexp.MustCompile(`(?:^|,) ([A-Za-z]+(?:=(?:` + pythonText + `|[^,]*))?)`)
)

func readBrowserGym(s string) []Line {
	var out []Line
	eachLine(s, func(i, from, to int, l string) {
		m := browsergymLine.FindStringSubmatch(l)
		if m == nil {
			return
		}
		one := Line{Ref: m[2], Role: m[3], Name: pythonString(m[4]), Value: pythonString(m[5]), Depth: len(m[1]),
			First: i, Last: i, Bytes: [2]int{from, to}}
		for _, word := range browsergymState.FindAllStringSubmatch(m[6], -1) {
			one.States = append(one.States, word[1])
		}
		out = append(out, one)
	})
	return out
}

// pythonString is a text in the quotes of Python's repr, or as it is.
func pythonString(s string) string {
	if len(s) < 2 || s[0] != '\'' && s[0] != '"' {
		return s
	}
	return strings.ReplaceAll(unquote(s[1:len(s)-1]), `\'`, "'")
}
