package observation

import "regexp"

// BrowserGym and AgentLab print Chrome's accessibility tree, a tab a level (axtree_txt):
//
//	line  = { TAB } [ "[" bid "] " ] role " '" name "'" { ", " state }
//
// A bid is the value of the attribute bid, which BrowserGym writes into every frame of the page: a12.

var browsergymLine = regexp.MustCompile(`^(\s*)\[([a-zA-Z]*\d+)\] ([A-Za-z]+) '((?:[^'\\]|\\.|'[^,\s])*)'(.*)$`)

func readBrowserGym(s string) []Line {
	var out []Line
	eachLine(s, func(i, from, to int, l string) {
		m := browsergymLine.FindStringSubmatch(l)
		if m == nil {
			return
		}
		one := Line{Ref: m[2], Role: m[3], Name: m[4], Depth: len(m[1]), First: i, Last: i, Bytes: [2]int{from, to}}
		for _, word := range browsergymState.FindAllStringSubmatch(m[5], -1) {
			one.States = append(one.States, word[1])
		}
		out = append(out, one)
	})
	return out
}

var browsergymState = regexp.MustCompile(`, ([a-z]+(?:='[^']*'|=[^,]*)?)`)
