package observation

import "regexp"

// chrome-devtools-mcp prints Chrome's accessibility tree as Puppeteer takes it, ignored nodes left out, two spaces a
// level (SnapshotFormatter, version 1.11):
//
//	line  = { "  " } "uid=" uid [ " " role ] [ ` "` name `"` ] { " " key [ `="` value `"` ] } [ mark ]
//	uid   = [ "g" n ":" ] snapshot "_" n
//	mark  = " [selected in the DevTools Elements panel]"
//
// chrome-devtools-axi, which runs it, counts the texts it has given and writes that before each number. Static text has
// no role. Names and values stand as they are, with the quotes and line breaks that they have: the name is the shortest
// one with which the rest is states and values. Numbers belong to one snapshot; nothing in the page holds them.

const devtoolsUID = `(?:g\d+:)?\d+_\d+`

const devtoolsRest = `((?: [A-Za-z-]+(?:=".*?")?)*)`

var (
	devtoolsStart = regexp.MustCompile(`^\s*uid=` + devtoolsUID + `(?: |$)`)
	devtoolsLine  = regexp.MustCompile(`(?s)^(\s*)uid=(` + devtoolsUID + `)(?: ([A-Za-z]+))?(?: "(.*?)")?` +
		devtoolsRest + `(?: \[selected in the DevTools Elements panel\])?$`)
	devtoolsValue = regexp.MustCompile(`(?s)^ ([A-Za-z-]+)(?:(=)"(.*?)")?` + devtoolsRest + `$`)
	// devtoolsOpen is an end at which a value has only begun.
	devtoolsOpen = regexp.MustCompile(`" (?:[A-Za-z-]+ )*[A-Za-z-]+="$`)
	// devtoolsCut is what of a line that was cut off can be read.
	devtoolsCut = regexp.MustCompile(`^(\s*)uid=(` + devtoolsUID + `)(?: ([A-Za-z]+))?(?: "([^"]*)")?()`)
)

// devtoolsLongest bounds the last entry of a list, bytes, behind which something else may follow.
const devtoolsLongest = 16 << 10

// devtoolsEntry is an entry in its parts, nil where it does not end there.
func devtoolsEntry(s string) []string {
	if devtoolsOpen.MatchString(s) {
		return nil
	}
	return devtoolsLine.FindStringSubmatch(s)
}

func readDevTools(s string) []Line {
	type place struct {
		i, from, to int
		start       bool
	}
	var at []place
	eachLine(s, func(i, from, to int, l string) {
		at = append(at, place{i, from, from + len(l), devtoolsStart.MatchString(l)})
	})
	var out []Line
	for k := 0; k < len(at); k++ {
		if !at[k].start {
			continue
		}
		next, last := k+1, k
		for next < len(at) && !at[next].start {
			next++
		}
		m := devtoolsEntry(s[at[k].from:at[k].to])
		switch {
		case m != nil:
		case next < len(at): // what stands before the next entry is of this one
			m, last = devtoolsEntry(s[at[k].from:at[next-1].to]), next-1
		default:
			for end := k + 1; m == nil && end < next && at[end].to-at[k].from <= devtoolsLongest; end++ {
				m, last = devtoolsEntry(s[at[k].from:at[end].to]), end
			}
		}
		if m == nil {
			m, last = devtoolsCut.FindStringSubmatch(s[at[k].from:at[k].to]), k
		}
		one := Line{Ref: m[2], Role: m[3], Name: m[4], Depth: len(m[1]) / 2, First: at[k].i, Last: at[last].i,
			Bytes: [2]int{at[k].from, at[last].to}}
		if one.Role == "" {
			one.Role = "StaticText"
		}
		for a := devtoolsValue.FindStringSubmatch(m[5]); a != nil; a = devtoolsValue.FindStringSubmatch(a[4]) {
			switch {
			case a[1] == "value":
				one.Value = a[3]
			case a[2] != "":
				one.States = append(one.States, a[1]+"="+a[3])
			default:
				one.States = append(one.States, a[1])
			}
		}
		out = append(out, one)
		k = last
	}
	return out
}
