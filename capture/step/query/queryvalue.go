package query

import (
	"net/url"
	"strings"

	"github.com/refscope/refscope/capture/step/stepdef"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/text"
)

// value is what a query returns for an element; n is nil for one that the capture does not
// contain.
func (q *queryParams) value(v *stepdef.View, n *snapshot.Node, l live, budget *stepdef.OutputBudget) any {
	one := func(mode string) string {
		s := ""
		switch {
		case mode == "html":
			s = l.html
		case mode == "text" && (n == nil || n.Verdict == snapshot.VerdictSkippedTag):
			s = l.text
		case n == nil:
		case mode == "text":
			s = v.Text(n)
		case mode == "href":
			s = href(v, n)
		case mode == "value":
			s = n.Value
		case mode == "tag":
			s = n.Tag
		default:
			s = n.Attr(strings.ToLower(mode[1:]))
		}
		if q.Clean {
			s = text.CollapseSpace(s)
		}
		return budget.Take(s)
	}
	if !q.Output.keyed {
		return one(q.Output.modes[0])
	}
	out := map[string]string{}
	for _, m := range q.Output.modes {
		out[strings.TrimPrefix(m, "@")] = one(m)
	}
	return out
}

// href is the address that a link leads to, made whole as the browser does.
func href(v *stepdef.View, n *snapshot.Node) string {
	h := n.Attr("href")
	if h == "" || strings.Contains(h, "[redacted") || n.Frame < 0 || n.Frame >= len(v.Capture.Frames) {
		return h
	}
	base, err := url.Parse(v.Capture.Frames[n.Frame].URL)
	if err != nil {
		return h
	}
	for i := range v.Capture.Nodes {
		if b := &v.Capture.Nodes[i]; b.Tag == "base" && b.Frame == n.Frame && b.HasAttr("href") {
			if u, err := base.Parse(b.Attr("href")); err == nil {
				base = u
			}
			break
		}
	}
	u, err := base.Parse(strings.TrimSpace(h))
	if err != nil {
		return h
	}
	return u.String()
}

func metadataOf(n *snapshot.Node, budget *stepdef.OutputBudget) *metadata {
	m := &metadata{Tag: n.Tag, Box: stepdef.RectOf(n.Box), Visible: n.Visible && n.Verdict.Rendered()}
	for k, a := range n.Attrs {
		if m.Attributes == nil {
			m.Attributes = map[string]string{}
		}
		m.Attributes[k] = a
		budget.Spend(len(a))
	}
	return m
}
