package observation

import (
	"regexp"
	"strconv"

	"github.com/refscope/refscope/snapshot/text"
)

// Playwriter prints an outline of the page like an aria snapshot, in which a control stands by the locator of
// Playwright that finds it, and has no other number:
//
//	line = { " " } "- " ( locator | role ` "` name `" [` attribute `="` value `"]` ) [ ":" ]
//	locator = "role=" role `[name="` name `"i]` [ " >> nth=" n ]
//
// A line of another kind names no element. After the first list it prints what has changed, as diff does:
//
//	diff = "--- snapshot (previous)" "+++ snapshot (current)" { "@@ -" n [ "," n ] " +" n [ "," n ] " @@" { change } }
//	change = ( " " | "+" | "-" ) line
//
// or "No changes since last snapshot": the list stands.

var (
	playwriterDiff = regexp.MustCompile(`(?m)^--- snapshot \(previous\)\r?$`)
	diffHunk       = regexp.MustCompile(`^@@ -(\d{1,6})(?:,(\d{1,6}))? \+\d{1,6}(?:,(\d{1,6}))? @@`)

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

func readPlaywriterDiff(s string) []Line { return diffIn(s).lines }

// diffIn reads a diff of two lists, as far as it goes.
func diffIn(s string) *delta {
	out := &delta{}
	old, fresh := 0, 0 // lines of the hunk that are to come
	eachLine(s, func(i, from, to int, l string) {
		if m := diffHunk.FindStringSubmatch(l); m != nil {
			at, _ := strconv.Atoi(m[1])
			old, fresh = 1, 1
			if m[2] != "" {
				old, _ = strconv.Atoi(m[2])
			}
			if m[3] != "" {
				fresh, _ = strconv.Atoi(m[3])
			}
			if old > 0 { // else the lines come after that one
				at--
			}
			out.hunks = append(out.hunks, hunk{from: at, was: []string{}})
			return
		}
		if old+fresh == 0 || l == "" {
			return
		}
		h := &out.hunks[len(out.hunks)-1]
		if l[0] == ' ' || l[0] == '-' {
			h.was, h.deleted, old = append(h.was, l[1:]), h.deleted+1, old-1
		}
		if l[0] == ' ' || l[0] == '+' {
			lines := readPlaywriter(l[1:])
			for k := range lines {
				lines[k].First, lines[k].Last, lines[k].Bytes = i, i, [2]int{from + 1, to}
				if l[0] == '+' {
					lines[k].States = append(lines[k].States, changed)
				}
			}
			out.take(h, l[1:], lines)
			fresh--
		}
		old, fresh = max(0, old), max(0, fresh)
	})
	return out
}
