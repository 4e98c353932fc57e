package step

import (
	"net/url"
	"strings"

	"github.com/refscope/refscope/snapshot"
)

// value is what a query tells of an element; n is nil for one that the capture does not
// hold.
func (q *queryParams) value(v *view, n *snapshot.Node, l live, room *room) any {
	one := func(mode string) string {
		s := ""
		switch {
		case mode == "html":
			s = l.html
		case mode == "text" && (n == nil || n.Verdict == snapshot.VerdictSkippedTag):
			s = l.text
		case n == nil:
		case mode == "text":
			s = v.text(n)
		case mode == "href":
			s = v.href(n)
		case mode == "value":
			s = n.Value
		case mode == "tag":
			s = n.Tag
		default:
			s = n.Attr(strings.ToLower(mode[1:]))
		}
		if q.Clean {
			s = strings.Join(strings.Fields(s), " ")
		}
		return room.take(s)
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
func (v *view) href(n *snapshot.Node) string {
	h := n.Attr("href")
	if h == "" || strings.Contains(h, "[redacted") || n.Frame < 0 || n.Frame >= len(v.c.Frames) {
		return h
	}
	base, err := url.Parse(v.c.Frames[n.Frame].URL)
	if err != nil {
		return h
	}
	for i := range v.c.Nodes {
		if b := &v.c.Nodes[i]; b.Tag == "base" && b.Frame == n.Frame && b.HasAttr("href") {
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

func metadataOf(n *snapshot.Node, room *room) *metadata {
	m := &metadata{Tag: n.Tag, Box: rectOf(n.Box), Visible: n.Visible && n.Verdict.Rendered()}
	for k, a := range n.Attrs {
		if m.Attributes == nil {
			m.Attributes = map[string]string{}
		}
		m.Attributes[k] = a
		room.left = max(0, room.left-len(a))
	}
	return m
}
