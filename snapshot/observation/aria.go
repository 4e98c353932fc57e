package observation

import (
	"encoding/json"
	"regexp"
	"strings"
)

// Playwright's aria snapshot for models is YAML, two spaces a level (injected/ariaSnapshot.ts); agent-browser's and our
// own are of the same grammar:
//
//	line  = { "  " } "- " [ "<changed> " ] role [ ` "` name `"` | " /" pattern "/" ] { " [" mark "]" } [ rest ]
//	      | { "  " } "- ref=" ref " [unchanged]"
//	rest  = ": " text | " " hint " [" what "]"     hints are agent-browser's: clickable, focusable, editable
//	mark  = one { ", " one }    agent-browser has all of an element in one
//	one   = "ref=" ref | "cursor=pointer" | "level=" n | state | "box=" x "," y "," w "," h
//
// A line with quotes or colons in it lies in single quotes. The ref is on the element, as _ariaRef, in Playwright's
// own world of each frame. Playwright MCP up to 0.0.7x sends after the first text only what has changed: the roots of
// that are marked, and what lies in them and is as it was stands there by its ref alone.

var (
	ariaLine = regexp.MustCompile(`^(\s*)- (?:<changed> )?'?([A-Za-z][\w-]*)(?: ("(?:[^"\\]|\\.)*"|/[^/]*/))?` +
		`((?: ?\[[^\]]*\])*)'?(?: ([a-z]+) (\[[^\]]*\])$|:?\s*(.*)$)`)
	ariaMark = regexp.MustCompile(`\[([^\]]*)\]`)
	ariaSame = regexp.MustCompile(`^(\s*)- ref=(@?\w+) \[unchanged\]$`)
)

func readAria(s string) []Line {
	var out []Line
	eachLine(s, func(i, from, to int, l string) {
		if m := ariaSame.FindStringSubmatch(l); m != nil {
			out = append(out, Line{Ref: m[2], States: []string{unchanged}, Depth: len(m[1]) / 2, First: i, Last: i,
				Bytes: [2]int{from, to}})
			return
		}
		m := ariaLine.FindStringSubmatch(l)
		if m == nil {
			return
		}
		one := Line{Role: m[2], Depth: len(m[1]) / 2, First: i, Last: i, Bytes: [2]int{from, to}}
		for _, marks := range ariaMark.FindAllStringSubmatch(m[4], -1) {
			for mark := range strings.SplitSeq(marks[1], ", ") {
				if ref, ok := strings.CutPrefix(mark, "ref="); ok {
					one.Ref = ref
				} else if mark != "cursor=pointer" && !strings.HasSuffix(mark, "=false") {
					one.States = append(one.States, mark)
				}
			}
		}
		if one.Ref == "" {
			return
		}
		if strings.HasPrefix(strings.TrimLeft(l, " "), "- <changed> ") {
			one.States = append(one.States, changed)
		}
		// YAML doubles a quote inside single quotes.
		if strings.HasPrefix(strings.TrimPrefix(strings.TrimLeft(l, " -"), "<changed> "), "'") {
			m[3] = strings.ReplaceAll(m[3], "''", "'")
		}
		one.Name = jsonText(m[3])
		if m[5] != "" {
			one.States = append(one.States, m[5]+" "+m[6])
		}
		if rest := scalar(m[7]); one.Name == "" {
			one.Name = rest
		} else {
			one.Value = rest
		}
		out = append(out, one)
	})
	return out
}

// jsonText is a name in double quotes as JSON has it; without those, and without the strokes of a pattern, where it is
// cut off or a pattern.
func jsonText(s string) string {
	if out := scalar(s); out != s {
		return out
	}
	return strings.Trim(s, `"/`)
}

// scalar is a value of YAML as Playwright writes it: in double quotes as JSON has it, or as it is.
func scalar(s string) string {
	var out string
	if json.Unmarshal([]byte(s), &out) == nil {
		return out
	}
	return s
}
