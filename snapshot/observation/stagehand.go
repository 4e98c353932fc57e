package observation

import (
	"regexp"
	"strings"
)

// Stagehand prints a hybrid of the DOM and Chrome's accessibility tree, two spaces a level (version 3.7, a11yTree):
//
//	line  = { "  " } "[" ordinal "-" node "] " [ "scrollable, " ] role [ ", file" ] [ ": " name ] { flag }
//	flag  = " [selected]" | " [checked]"
//
// What scrolls and has neither tag nor role is "scrollable" alone. The ordinal counts frames of Stagehand's session;
// the number behind it is the node's backendNodeId.

var stagehandLine = regexp.MustCompile(`^(\s*)\[(\d+-\d+)\] (scrollable, )?([A-Za-z0-9#:._-]+?)(, file)?(?:: (.*?))?` +
	`((?: \[(?:selected|checked)\])*)$`)

func readStagehand(s string) []Line {
	var out []Line
	eachLine(s, func(i, from, to int, l string) {
		m := stagehandLine.FindStringSubmatch(l)
		if m == nil {
			return
		}
		one := Line{Ref: m[2], Role: m[4], Name: m[6], Depth: len(m[1]) / 2, First: i, Last: i, Bytes: [2]int{from, to}}
		if m[3] != "" || one.Role == "scrollable" {
			one.States = append(one.States, "scrollable")
		}
		if m[5] != "" {
			one.States = append(one.States, "file")
		}
		for _, flag := range []string{"selected", "checked"} {
			if strings.Contains(m[7], flag) {
				one.States = append(one.States, flag)
			}
		}
		out = append(out, one)
	})
	return out
}
