package observation

import "regexp"

// Stagehand prints a hybrid of the DOM and Chrome's accessibility tree, two spaces a level (version 3.7, a11yTree):
//
//	line  = { "  " } "[" ordinal "-" node "] " [ "scrollable, " ] role [ ": " name ]
//
// The ordinal counts frames of Stagehand's session; the number behind it is the node's backendNodeId.

var stagehandLine = regexp.MustCompile(`^(\s*)\[(\d+-\d+)\] (scrollable, )?([A-Za-z0-9-]+)(?:: (.*))?$`)

func readStagehand(s string) []Line {
	var out []Line
	eachLine(s, func(i, from, to int, l string) {
		m := stagehandLine.FindStringSubmatch(l)
		if m == nil {
			return
		}
		one := Line{Ref: m[2], Role: m[4], Name: m[5], Depth: len(m[1]) / 2, First: i, Last: i, Bytes: [2]int{from, to}}
		if m[3] != "" {
			one.States = []string{"scrollable"}
		}
		out = append(out, one)
	})
	return out
}
