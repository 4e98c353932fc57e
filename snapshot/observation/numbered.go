package observation

import "regexp"

// numberedLine is a line that begins with a number in brackets, as many agents of nobody's format have it:
//
//	[12] button "Save"        [12] <button> Save        [12]: Save
//
// What the number means is a guess.
var numberedLine = regexp.MustCompile(`(?m)^[ \t-]*\[(\d{1,6})\]:?[ \t]+<?([A-Za-z][\w-]*)>?[: ]*` +
	`(?:"((?:[^"\\]|\\.)*)"|([^\n\r]*))`)

func readNumbered(s string) []Line {
	var out []Line
	lines := lineCounter{s: s}
	for _, m := range numberedLine.FindAllStringSubmatchIndex(s, -1) {
		n := lines.of(m[0])
		one := Line{Ref: s[m[2]:m[3]], Role: s[m[4]:m[5]], First: n, Last: n, Bytes: [2]int{m[0], m[1]}}
		if m[6] >= 0 {
			one.Name = unquote(s[m[6]:m[7]])
		} else {
			one.Name = unescape(s[m[8]:m[9]])
		}
		out = append(out, one)
	}
	return out
}
