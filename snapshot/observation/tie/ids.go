package tie

import (
	"strconv"
	"strings"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/observation"
)

// scheme is how a format's refs are held by the page or the protocol.
type scheme struct {
	why string
	// keys are the ids of a node in that scheme.
	key func(n *snapshot.Node) string
	// of is the id that a line's ref stands for, "" for none.
	of func(ref string) string
	// same reports whether the node can be what the line says: an id that may be a running index is taken for the
	// protocol's own only where nearly all lines agree with their nodes.
	same func(l *observation.Line, n *snapshot.Node) bool
}

func plain(ref string) string { return ref }

func attribute(name string) func(n *snapshot.Node) string {
	return func(n *snapshot.Node) string { return n.Attr(name) }
}

func backend(n *snapshot.Node) string {
	if n.BackendNodeID == 0 {
		return ""
	}
	return strconv.FormatInt(n.BackendNodeID, 10)
}

// afterDash is the node of Stagehand's FRAME-NODE.
func afterDash(ref string) string {
	_, node, _ := strings.Cut(ref, "-")
	return node
}

// sameTag reports whether a line that prints a tag prints that of the node.
func sameTag(l *observation.Line, n *snapshot.Node) bool { return strings.EqualFold(l.Role, n.Tag) }

// sameKind reports whether the kinds of a line's role and of the node contradict each other.
func sameKind(l *observation.Line, n *snapshot.Node) bool {
	if strings.EqualFold(l.Role, n.Tag) {
		return true
	}
	want, is := Kind(l.Role), KindOf(n)
	return want == "" || is == "" || want == is
}

var schemes = map[observation.Format]scheme{
	observation.Aria: {why: "Playwright's own ref on the element", of: plain,
		key: func(n *snapshot.Node) string { return n.AgentRefs[snapshot.Playwright] }},
	observation.Stagehand: {why: "the node's id in the browser, which Stagehand prints", key: backend, of: afterDash,
		same: sameKind},
	observation.BrowserUse: {why: "the node's id in the browser, which browser-use prints", key: backend, of: plain,
		same: sameTag},
	observation.BrowserGym: {why: "the attribute bid on the element", key: attribute("bid"), of: plain},
	observation.AgentE:     {why: "the attribute mmid on the element", key: attribute("mmid"), of: plain},
	observation.Skyvern:    {why: "the attribute unique_id on the element", key: attribute("unique_id"), of: plain},
}

// agree is the least share of lines whose node agrees with them for ids that are not certain to be the protocol's own.
const agree = 0.8

// byID ties lines by the agent's own ids; it reports whether the text is of a scheme that the page holds, so that a
// line without a node is of an element that is gone.
func (p *Page) byID(t *observation.Text) bool {
	s, ok := schemes[t.Format]
	if !ok {
		return false
	}
	places := map[string][]int{}
	for at := range p.c.Nodes {
		if key := s.key(&p.c.Nodes[at]); key != "" {
			places[key] = append(places[key], at)
		}
	}
	found, agreed := make([]int, len(t.Lines)), 0
	known := 0
	for i := range t.Lines {
		l := &t.Lines[i]
		found[i] = -1
		list := places[s.of(l.Ref)]
		if len(list) == 0 {
			continue
		}
		known++
		fitting := list
		if s.same != nil {
			fitting = nil
			for _, at := range list {
				if s.same(l, &p.c.Nodes[at]) {
					fitting = append(fitting, at)
				}
			}
		}
		if len(fitting) == 1 { // ids of two processes may be the same: then nothing is certain
			found[i] = fitting[0]
			agreed++
		}
	}
	if known == 0 || s.same != nil && float64(agreed) < agree*float64(known) {
		return false
	}
	for i, at := range found {
		if at >= 0 {
			p.set(&t.Lines[i], at, ScoreOwn, s.why)
		}
	}
	return 2*known > len(t.Lines)
}

// Held is the element on which the page itself holds a ref of an agent, and by what; -1 where it holds none, or several.
func (p *Page) Held(ref string) (node int, why string) {
	s := schemes[observation.Aria]
	node = -1
	for i := range p.c.Nodes {
		if n := &p.c.Nodes[i]; ref != "" && s.key(n) == ref {
			if node >= 0 {
				return -1, ""
			}
			node, why = n.I, s.why
		}
	}
	return node, why
}
