package observation

import "regexp"

// wraith, ours (package snapshot/format/wraith):
//
//	line  = "@e" ref " [" role "] " [ `"` text `"` ] { " " key `="` value `"` }

var (
	wraithLine = regexp.MustCompile(`^\s*@(e\d+)\s+\[([^\]]*)\]\s*("(?:[^"\\]|\\.)*")?(.*)$`)
	wraithAttr = regexp.MustCompile(` (label|placeholder)=("(?:[^"\\]|\\.)*")`)
)

func readWraith(s string) []Line {
	var out []Line
	eachLine(s, func(i, from, to int, l string) {
		m := wraithLine.FindStringSubmatch(l)
		if m == nil {
			return
		}
		one := Line{Ref: m[1], Role: m[2], Name: jsonText(m[3]), First: i, Last: i, Bytes: [2]int{from, to}}
		for _, a := range wraithAttr.FindAllStringSubmatch(m[4], -1) {
			if a[1] == "label" || one.Name == "" {
				one.Name = jsonText(a[2])
			}
		}
		out = append(out, one)
	})
	return out
}
