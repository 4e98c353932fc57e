package domtool

import (
	"math"
	"net/url"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/text"
)

// How the tree becomes JSON. The builder's lines follow the line feeds.

// write puts the payload with the first keep nodes together.
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
	w.Add(v.n, 0, string(v.open))
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

// emitList writes those of a list that are among the first keep nodes, and end after
// them where there is one.
func (w *domtool) emitList(key string, list []*vnode, keep int, end *vnode) {
	before := `,"` + key + `":[`
	for _, c := range list {
		if c.at >= keep {
			break
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
	b := text.AppendJSON([]byte(`{"page":{"context":{"url":`), w.cutField(nil, "address", text.Squash(c.URL), dump.CapURL))
	b = text.AppendJSON(append(b, `,"title":`...), w.cutField(nil, "title", text.Squash(c.Title), capName))
	b = text.AppendJSON(append(b, `,"domain":`...), domain)
	b = strconv.AppendInt(append(b, `,"viewport":{"width":`...), int64(dump.Px(c.Viewport.Width)), 10)
	b = strconv.AppendInt(append(b, `,"height":`...), int64(dump.Px(c.Viewport.Height)), 10)
	return append(b, `}},"body":`...)
}

// meta is what follows the first keep nodes.
func (w *domtool) meta(keep int) []byte {
	count := w.tallies[keep]
	b := []byte(`,"meta":{"truncated":`)
	b = strconv.AppendBool(b, keep < len(w.order))
	b = strconv.AppendInt(append(b, `,"totalNodes":`...), int64(count.listed), 10)
	b = append(b, `,"version":"`+version+`"`...)
	if w.noBody {
		b = append(b, `,"error":"no-body"`...)
	}
	if w.o.Compat {
		return append(b, "}}}"...)
	}
	if cut := w.repeated + w.tallies[len(w.order)].elements - count.elements; cut > 0 {
		b = strconv.AppendInt(append(b, `,"omittedNodes":`...), int64(cut), 10)
	}
	b = strconv.AppendInt(append(b, `,"visibleNodes":`...), int64(count.seen), 10)
	b = strconv.AppendInt(append(b, `,"actionableNodes":`...), int64(count.usable), 10)
	b = strconv.AppendInt(append(b, `,"estimatedTokens":`...), int64(utf8.RuneCount(w.Out)/4), 10)
	for i, u := range w.unsupported[:min(len(w.unsupported), maxUnsupported)] {
		if i == 0 {
			b = append(b, `,"unsupported":[`...)
		} else {
			b = append(b, ',')
		}
		b = text.AppendJSON(append(b, `{"node_id":`...), u.id)
		b = text.AppendJSON(append(b, `,"tag":`...), u.tag)
		b = append(text.AppendJSON(append(b, `,"reason":`...), u.reason), '}')
	}
	if len(w.unsupported) > 0 {
		b = append(b, ']')
	}
	if more := len(w.unsupported) - maxUnsupported; more > 0 {
		b = strconv.AppendInt(append(b, `,"moreUnsupported":`...), int64(more), 10)
	}
	if w.o.Volatile {
		t := w.Capture.Timings
		b = strconv.AppendInt(append(b, `,"captureMs":`...), int64(math.Round(t.Walk+t.Frames+t.Listeners+t.Hit)), 10)
	}
	return append(b, "}}}"...)
}

// encode is the node up to its arrays, without the closing brace.
func (w *domtool) encode(v *vnode) []byte {
	b := make([]byte, 0, 96+len(v.text)+len(v.value)+len(v.name))
	b = text.AppendJSON(append(b, `{"node_id":`...), v.id)
	b = text.AppendJSON(append(b, `,"tag":`...), v.tag)
	b = dump.Optional(b, "role", v.role)
	b = dump.Optional(b, "ariaLabel", v.name)
	b = dump.Optional(b, "text", v.text)
	b = dump.Optional(b, "value", v.value)
	b = strconv.AppendBool(append(b, `,"visible":`...), v.visible)
	if v.actionable || v.blocked {
		b = strconv.AppendBool(append(b, `,"actionable":`...), v.actionable)
	}
	if v.overflow {
		b = append(b, `,"text_overflow":true`...)
	}
	if !w.o.Compat {
		b = w.additions(b, v)
	}
	return appendLayout(b, v)
}

// additions are the keys that the seed's VirtualNode lacks, where they hold.
func (w *domtool) additions(b []byte, v *vnode) []byte {
	if n := v.n; n != nil {
		if n.Ref > 0 {
			b = strconv.AppendInt(append(b, `,"ref":`...), int64(n.Ref), 10)
		}
		if kind := dump.InputKind(n); n.Tag == "input" && kind != "text" {
			b = dump.Optional(b, "type", kind)
		}
		if p := text.Cut(text.Squash(n.Attr("placeholder")), capName); p != v.name {
			b = dump.Optional(b, "placeholder", p)
		}
		if n.Tag == "img" && v.name == "" {
			src := text.Cut(text.Squash(dump.FileName(n.Attr("src"))), capName)
			b = dump.Optional(b, "src", src)
		}
		b = dump.StringList(b, "states", dump.StateNames(n))
		b = dump.StringList(b, "options", v.options)
		if v.more > 0 {
			b = strconv.AppendInt(append(b, `,"moreOptions":`...), int64(v.more), 10)
		}
		if v.actionable && n.Occlusion != nil && n.Occlusion.State == snapshot.Covered {
			b = strconv.AppendInt(append(b, `,"coveredBy":`...), int64(dump.CovererRef(w.t, n)), 10)
		}
	}
	b = dump.Optional(b, "host", v.host)
	b = dump.Optional(b, "mode", v.mode)
	return dump.Optional(b, "url", v.url)
}
