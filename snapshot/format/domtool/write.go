package domtool

import (
	"cmp"
	"math"
	"net/url"
	"slices"
	"unicode/utf8"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/ordered"
	"github.com/refscope/refscope/snapshot/text"
)

// How the tree becomes JSON. The builder's lines follow the line feeds.

// write puts the payload with the nodes of the first keep places together.
func (w *domtool) write(keep int) {
	w.Out = slices.Grow(w.Out, 112*w.tallies[keep].listed) // about what a node takes
	w.Add(nil, 0, string(w.front))
	w.emit(w.root.children[0], keep)
	w.emitList("iframe", w.root.frames, keep, nil)
	w.emitList("shadowDom", w.root.shadows, keep, nil)
	w.Add(nil, 0, string(w.meta(keep)))
}

// glue appends to the last line.
func (w *domtool) glue(s string) {
	w.Out = append(w.Out, s...)
	w.Lines[len(w.Lines)-1].End = len(w.Out)
}

// emit writes a node on a line of its own, with its arrays after it.
func (w *domtool) emit(v *vnode, keep int) {
	open := v.open
	// the limit cut the list shorter
	if shown, first := among(v.children, keep); v.list != "" && shown < len(v.children) {
		short := *v
		short.text = v.list + showing(shown, first)
		open = w.encode(&short)
	}
	w.Add(v.n, 0, string(open))
	line := len(w.Lines) - 1
	l := w.Lines[line]
	for _, p := range v.parts {
		w.Spans = append(w.Spans, dump.Span{Start: l.Start, End: l.End, Line: line, Node: p.I})
	}
	var end *vnode
	if v.at == 0 && keep < len(w.order) {
		end = w.end(w.tallies[keep].listed)
	}
	w.emitList("children", v.children, keep, end)
	w.emitList("iframe", v.frames, keep, nil)
	w.emitList("shadowDom", v.shadows, keep, nil)
	w.glue("}")
}

// among is how many of a list have one of the first keep places, and whether they are the first of the list.
func among(list []*vnode, keep int) (n int, first bool) {
	last := -1
	for i, v := range list {
		if v.at < keep {
			n++
			last = i
		}
	}
	return n, last == n-1
}

// emitList writes those of a list that have one of the first keep places, and end after
// them where there is one.
func (w *domtool) emitList(key string, list []*vnode, keep int, end *vnode) {
	before := `,"` + key + `":[`
	for _, c := range list {
		if c.at >= keep {
			continue
		}
		w.glue(before)
		w.emit(c, keep)
		before = ","
	}
	if end != nil {
		w.glue(before)
		w.Add(nil, 0, string(end.open)+"}")
		before = ","
	}
	if before == "," {
		w.glue("]")
	}
}

// head is page.context.
func (w *domtool) head() []byte {
	c := w.Capture
	domain := ""
	if u, err := url.Parse(c.URL); err == nil {
		domain = u.Hostname()
	}
	var j ordered.Writer
	j.Open("", '{').Open("page", '{').Open("context", '{')
	j.String("url", w.cutField(nil, "address", text.CollapseSpace(c.URL), dump.CapURL))
	j.String("title", w.cutField(nil, "title", text.CollapseSpace(c.Title), capName)).String("domain", domain)
	j.Open("viewport", '{').Int("width", dump.Px(c.Viewport.Width)).Int("height", dump.Px(c.Viewport.Height))
	return j.Close("}}").Raw("body", "").Out
}

// meta is the text after the first keep nodes.
func (w *domtool) meta(keep int) []byte {
	count := w.tallies[keep]
	j := ordered.Writer{Out: []byte(`,"meta":{`)}
	j.Bool("truncated", keep < len(w.order)).Int("totalNodes", count.listed).String("version", version)
	if w.noBody {
		j.String("error", "no-body")
	}
	if !w.profile.additions {
		return j.Close("}}}").Out
	}
	j.Positive("omittedNodes", w.repeated+w.tallies[len(w.order)].elements-count.elements)
	j.Int("visibleNodes", count.seen).Int("actionableNodes", count.usable).Int("estimatedTokens",
		utf8.RuneCount(w.Out)/4)
	if len(w.unsupported) > 0 {
		j.Open("unsupported", '[')
		for _, u := range w.unsupported[:min(len(w.unsupported), maxUnsupported)] {
			j.Open("", '{').String("node_id", u.id).String("tag", u.tag).String("reason", u.reason).Close("}")
		}
		j.Close("]").Positive("moreUnsupported", len(w.unsupported)-maxUnsupported)
	}
	if w.o.Volatile {
		t := w.Capture.Timings
		j.Int("captureMs", int(math.Round(t.Walk+t.Frames+t.Listeners+t.Hit)))
	}
	return j.Close("}}}").Out
}

// encode is the node up to its arrays, without the closing brace.
func (w *domtool) encode(v *vnode) []byte {
	j := ordered.Make(96 + len(v.text) + len(v.value) + len(v.name))
	j.Open("", '{').String("node_id", v.id).String("tag", v.tag).Optional("role", v.role).Optional("ariaLabel", v.name)
	j.Optional("text", v.text).Optional("value", v.value).Bool("visible", v.visible)
	if v.actionable || v.blocked {
		j.Bool("actionable", v.actionable)
	}
	j.True("text_overflow", v.overflow)
	if w.profile.additions {
		w.additions(j, v)
	}
	writeLayout(j, v)
	return j.Out
}

// additions writes the keys that the seed's VirtualNode lacks, where they hold.
func (w *domtool) additions(j *ordered.Writer, v *vnode) {
	if n := v.n; n != nil {
		j.True("guessed", v.name != "" && dump.Guessed(n)).Positive("ref", n.Ref)
		if kind := dump.InputKind(n); n.Tag == "input" && kind != "text" {
			j.Optional("type", kind)
		}
		if p := text.Cut(text.CollapseSpace(n.Attr("placeholder")), capName); p != v.name {
			j.Optional("placeholder", p)
		}
		if n.Tag == "img" && v.name == "" {
			j.Optional("src", text.Cut(text.CollapseSpace(dump.FileName(n.Attr("src"))), capName))
		}
		j.Strings("states", dump.StateNames(n)).Strings("options", v.options).Strings("disabledOptions", v.off).
			Positive("moreOptions", v.more)
		if v.actionable && n.Occlusion != nil && n.Occlusion.State == snapshot.Covered {
			if by, what := dump.Coverer(w.t, n, dump.HasRef); by != nil {
				j.Int("coveredBy", by.Ref)
			} else {
				j.String("coveredBy", cmp.Or(what, "what is around it"))
			}
		}
	}
	j.Optional("host", v.host).Optional("mode", v.mode).Optional("url", v.url)
}
