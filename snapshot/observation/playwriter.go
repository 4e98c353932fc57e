package observation

import (
	"regexp"

	"github.com/refscope/refscope/snapshot/text"
)

// Playwriter prints an outline of the page like an aria snapshot, in which a control stands by the locator of
// Playwright that finds it, and has no other number:
//
//	line = { " " } "- " ( locator | role ` "` name `" [` attribute `="` value `"]` ) [ ":" ]
//	locator = "role=" role `[name="` name `"i]` [ " >> nth=" n ]
//
// A line of another kind names no element.

var (
	playwriterLine = regexp.MustCompile(`^(\s*)- (role=([a-z]+)\[name="((?:[^"\\]|\\.)*)"i?\](?: >> nth=\d+)?):?$`)
	playwriterByID = regexp.MustCompile(`^(\s*)- ([a-z]+) "((?:[^"\\]|\\.)*)" ` +
		`(\[(?:id|data-[a-z-]+|name|placeholder)="[^"]+"\](?: >> nth=\d+)?):?$`)
)

func readPlaywriter(s string) []Line {
	var out []Line
	eachLine(s, func(i, from, to int, l string) {
		one := Line{First: i, Last: i, Bytes: [2]int{from, to}, Depth: indent(l) / 2}
		if m := playwriterLine.FindStringSubmatch(l); m != nil {
			one.Ref, one.Role, one.Name = m[2], m[3], unquote(m[4])
		} else if m := playwriterByID.FindStringSubmatch(l); m != nil {
			one.Ref, one.Role, one.Name = m[4], m[2], unquote(m[3])
		} else {
			return
		}
		one.Name = text.CollapseSpace(one.Name)
		out = append(out, one)
	})
	return out
}
