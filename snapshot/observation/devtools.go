package observation

import (
	"regexp"
	"strings"
)

// chrome-devtools-mcp prints Chrome's accessibility tree as Puppeteer takes it, ignored nodes left out, two spaces a
// level (SnapshotFormatter, version 1.11):
//
//	line  = { "  " } "uid=" snapshot "_" n [ " " role ] [ ` "` name `"` ] { " " state | " " key `="` value `"` }
//
// Static text has no role. Numbers belong to one snapshot; nothing in the page holds them.

var (
	devtoolsLine  = regexp.MustCompile(`^(\s*)uid=(\d+_\d+)(?: ([A-Za-z]+))?(?: "((?:[^"\\]|\\.)*)")?(.*)$`)
	devtoolsValue = regexp.MustCompile(` ([a-z]+)(?:="((?:[^"\\]|\\.)*)")?`)
)

func readDevTools(s string) []Line {
	var out []Line
	eachLine(s, func(i, from, to int, l string) {
		m := devtoolsLine.FindStringSubmatch(l)
		if m == nil {
			return
		}
		one := Line{Ref: m[2], Role: m[3], Name: unquote(m[4]), Depth: len(m[1]) / 2, First: i, Last: i,
			Bytes: [2]int{from, to}}
		if one.Role == "" {
			one.Role = "StaticText"
		}
		for _, a := range devtoolsValue.FindAllStringSubmatch(m[5], -1) {
			switch {
			case a[1] == "value":
				one.Value = unquote(a[2])
			case strings.Contains(a[0], "="):
				one.States = append(one.States, a[1]+"="+a[2])
			default:
				one.States = append(one.States, a[1])
			}
		}
		out = append(out, one)
	})
	return out
}

// unquote is a text in quotes without its backslashes.
func unquote(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	return strings.NewReplacer(`\"`, `"`, `\\`, `\`, `\n`, "\n", `\t`, "\t").Replace(s)
}
