package markup

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
)

// How full's elements become lines.

// write gives the element its lines. The patterns stand at the start of body.
func (w *full) write(h *htmlNode, indent int, body *htmlNode, ps []*pattern) {
	if !h.multi {
		w.segment(h, false)
		w.take(h.n, indent, dump.LineWhole)
		return
	}
	tag := "</" + h.name + ">"
	w.opening(h)
	w.take(h.n, indent, dump.LineOpens)
	if h == body {
		for _, p := range ps {
			w.template(p, indent+1)
		}
	}
	w.inside(h, indent+1, body, ps)
	w.closing(h.n, indent, tag)
}

// inside writes what is in an element that has lines inside: blocks on lines of their
// own, and what stands between them together on one.
func (w *full) inside(h *htmlNode, indent int, body *htmlNode, ps []*pattern) {
	var only *snapshot.Node // the first element on the line
	inline, texts := 0, 0
	lastText := false
	flush := func() {
		if lastText {
			w.line = bytes.TrimRight(w.line, " ")
		}
		if len(w.line) > 0 {
			about := h.n
			if texts == 0 && inline == 1 {
				about = only
			}
			w.take(about, indent, dump.LineWhole)
		}
		inline, texts, lastText = 0, 0, false
	}
	for _, k := range h.kids {
		switch {
		case k.el == nil:
			s := k.text
			if len(w.line) == 0 {
				s = strings.TrimLeft(s, " ")
			}
			if s != "" {
				w.text(h.name, s, false, h.keep)
				if lastText = true; strings.TrimSpace(s) != "" {
					texts++
				}
			}
		case k.el.block || k.el.multi:
			flush()
			w.write(k.el, indent, body, ps)
		default:
			if inline++; inline == 1 {
				only = k.el.n
			}
			w.segment(k.el, true)
			lastText = false
		}
	}
	flush()
}

// opening composes the start tag.
func (w *full) opening(h *htmlNode) {
	w.line = append(append(w.line, '<'), h.name...)
	for i := range h.attrs {
		w.line = h.attrs[i].append(w.line)
	}
	if voidTag(h.name) {
		w.line = append(w.line, " /"...)
	}
	w.line = append(w.line, '>')
}

// segment composes an element that has no lines inside. span is false where the whole
// line is about it.
func (w *full) segment(h *htmlNode, span bool) {
	start := len(w.line)
	if h.use != nil {
		w.use(h)
	} else {
		w.opening(h)
		for i, k := range h.kids {
			if k.el != nil {
				w.segment(k.el, true)
			} else {
				w.text(h.name, k.text, i == 0, h.keep)
			}
		}
		if !voidTag(h.name) {
			w.line = append(append(append(w.line, "</"...), h.name...), '>')
		}
	}
	if span {
		w.mark(h.n, start)
	}
}

// template writes a pattern's definition.
func (w *full) template(p *pattern, indent int) {
	w.line = append(append(w.line, `<template id="`...), p.name...)
	w.line = append(append(w.line, `" count="`...), strconv.Itoa(p.count)...)
	w.line = append(w.line, `">`...)
	if !p.body.multi {
		w.segment(p.body, false)
		w.line = append(w.line, "</template>"...)
		w.take(nil, indent, dump.LineWhole)
		return
	}
	w.take(nil, indent, dump.LineOpens)
	w.write(p.body, indent+1, nil, nil)
	w.closing(nil, indent, "</template>")
}

// use composes a use of a pattern. Its parts are about the elements that they stand
// for.
func (w *full) use(h *htmlNode) {
	p := h.use.of
	name, start := p.name, len(w.line)
	if p.inert {
		name = "template"
		w.line = append(append(append(w.line, `<template use="`...), p.name...), '"')
	} else {
		w.line = append(append(w.line, '<'), name...)
	}
	for i, v := range h.use.ids {
		if i == 0 {
			w.line = append(w.line, ` ids="`...)
		} else {
			w.line = append(w.line, ' ')
		}
		at := len(w.line)
		w.line = appendHTML(w.line, v.text, true, false)
		w.mark(v.n, at)
	}
	if len(h.use.ids) > 0 {
		w.line = append(w.line, '"')
	}
	for i, v := range h.use.values {
		at := len(w.line)
		w.attr(p.slot("v", i, len(h.use.values)), v.text)
		w.mark(v.n, at)
	}
	w.line = append(append(append(w.line, "></"...), name...), '>')
	for _, n := range h.use.unnumbered {
		w.mark(n, start)
	}
}
