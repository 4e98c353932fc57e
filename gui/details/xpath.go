package details

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/refscope/refscope/snapshot"
)

// XPath leads to an element within its document: tags with their place among siblings of
// the same tag, as in /html/body/div[2]. It is made from the unique CSS path of the
// capture, whose steps count all siblings. Where the siblings are not all in the
// capture, or are of another namespace such as SVG, a step is *[4]: the fourth child of
// any tag. It is "" where the element has no path, and in shadow trees, into which no
// XPath leads. It looks at every element of the capture.
func XPath(c *snapshot.Capture, n *snapshot.Node) string {
	path := n.Path
	if i := strings.LastIndex(path, " |> "); i >= 0 {
		path = path[i+len(" |> "):]
	}
	if path == "" || strings.Contains(path, " >>> ") {
		return ""
	}
	steps := strings.Split(path, " > ")
	for i, s := range steps {
		if tag, nth := pathStep(s); tag == "" || nth < 1 || i == 0 && (nth != 1 || tag == "*") {
			return ""
		}
	}
	before := n.Path[:len(n.Path)-len(path)]
	families := siblings(c, before, steps)
	var b strings.Builder
	foreign := false
	for i, s := range steps {
		tag, nth := pathStep(s)
		foreign = foreign || tag == "svg" || tag == "math" || tag == "*"
		switch family := families[i]; {
		case i == 0:
			b.WriteString("/" + tag)
		case foreign || nth > len(family) || slices.Contains(family[:nth], ""):
			fmt.Fprintf(&b, "/*[%d]", nth)
		default:
			place, all := 0, 0
			for j, t := range family {
				if t == tag {
					all++
					if j < nth {
						place++
					}
				}
			}
			b.WriteString("/" + tag)
			if all > 1 {
				fmt.Fprintf(&b, "[%d]", place)
			}
		}
	}
	return b.String()
}

// siblings are, for each step of a path below before, the tags of all children of the
// step's parent in order; "" is a child that the capture lacks.
func siblings(c *snapshot.Capture, before string, steps []string) [][]string {
	out := make([][]string, len(steps))
	parents := map[string]int{}
	at := before
	for i, s := range steps {
		if i > 0 {
			parents[at] = i
			at += " > "
		}
		at += s
	}
	for p := range c.Nodes {
		path := c.Nodes[p].Path
		cut := strings.LastIndex(path, " > ")
		if cut < 0 {
			continue
		}
		i, ok := parents[path[:cut]]
		if !ok || strings.HasSuffix(path[:cut], " ") {
			continue
		}
		tag, nth := pathStep(path[cut+len(" > "):])
		if nth < 1 || nth > 1<<16 {
			continue
		}
		for len(out[i]) < nth {
			out[i] = append(out[i], "")
		}
		out[i][nth-1] = tag
	}
	return out
}

// pathStep reads a step of a path: its tag, and its place among all siblings from 1.
func pathStep(s string) (tag string, nth int) {
	tag, rest, ok := strings.Cut(s, ":nth-child(")
	if !ok {
		return s, 1
	}
	nth, err := strconv.Atoi(strings.TrimSuffix(rest, ")"))
	if err != nil {
		return tag, 0
	}
	return tag, nth
}
