package markup

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/text"
)

// The full format: the whole document as HTML, annotated, without what is heavy, with
// repeated patterns written once; seed "DOM extraction architecture" 10 (11 in its
// text) and 8.
//
//	<html>
//		<head>
//			<title>Shop</title>
//		</head>
//		<body>
//			<template id="t1" count="3"><li><a data-id="{{id}}" … href="{{v1}}">{{v2}}</a></li></template>
//			<ul class="list">
//				<t1 ids="4" v1="/a" v2="Anvils"></t1>
//				…
//			</ul>
//			<p data-id="9" data-interactive="false" data-visible="true">Price is <b>$9</b></p>
//		</body>
//	</html>
//
// What a page renders as a block has lines of its own, indented by a tab a level (24 at
// most); inline content shares a line, where no white space may be added. Inside pre
// the lines are the page's own.
//
//   - data-id is the ref number, f1_12 in frame 1 (S-17). Elements with a number have
//     data-interactive and data-visible too, in a frame data-frame-id="f1", in a shadow
//     tree data-llm-in-shadow. Where data-visible="false", a person who scrolls there
//    does not see it. An element without a number has data-visible where that changes:
//    hidden with all in it, or shown again. data-has-click-listener marks a click
//    handler found through the browser (S-7). Options.MarkCovered adds data-covered-by.
//   - Then the page's attributes, by name. value, checked and selected are what holds
//     now. A page's attribute of one of our names, or one that begins with page-, gets
//     page- before it; one whose name HTML cannot write is page-attr1="name"
//     page-value1="value". An attribute without a value is bare.
//   - Escaping and the html- names are those of html.go. A frame that was read is
//     html-iframe with its document inside; one that was not explains why in data-unread.
//     Shadow content is in its host. html-beside holds what the page has outside
//     body or in the wrong part of it.
//   - Left out, and counted for the page as a whole: script style noscript template svg
//     meta link[rel=stylesheet], except what in them has a number or is read; what the site profile
//     or the page itself takes out (opt-out, filtered); comments, which no capture has.
//     Of a long data: URL only its media type is printed, and no srcdoc (the document
//     is in its frame, and its markup may hold what was redacted there). The capture cuts attributes
//     at 2,000 and texts at 20,000 UTF-16 units.
//   - A pattern is markup that occurs three times or more: the same tags and attributes
//     in the same order, two elements at least and 200 at most, where writing it once
//    saves a fifth. It is a template at the start of body, with the number of its
//    uses. Each use is an element of its name, or <template use="t1">
//     in tables and lists of options. Putting v1, v2 … (v where there is one) and the
//     numbers in ids, in order, in the place of {{v1}}, {{v2}} … and {{id1}}, {{id2}} …
//     ({{id}}) gives back exactly what was there. Options.NoTemplates switches it off.
//
// The limits stop at the end of a line, close what is open, and report in a comment what
// was removed: <!-- truncated: 38 nodes, 2,140 characters: 30 in <main> -->. A query and summarised
// repeats leave comments too; the count of a template is that of the page. What is nested deeper
// than 10,000 elements is cut; HTML parsers themselves stop at about 512.
//
// Compat: every element has data-interactive, data-visible and data-frame-id
// (main-frame, f1 …) after its own attributes, which are the markup's; numbers stay
// refs, where the original counts from 1. Addresses are whole. Patterns as by default: the seed's notation
// (<t1 v="$10"/>) is not HTML, since t1 would not be closed.

// full renders one capture.
type full struct {
	htmlWriter
	t       *snapshot.Tree
	o       dump.Common
	frames  map[int]int // node of a frame element → index in Capture.Frames
	removed map[string]int

	frameIDs map[int]string // Options.FrameIDs
	within   map[int]byte   // what is in the elements that are or lie in a heavy one
	names    []string       // scratch
	found    map[int]byte   // what a query leaves, nil without one
}

// Bits of full.within.
const (
	withinKept = 1 << iota // a kept element
	withinText             // text
)

// htmlNode is an element as it will be written.
type htmlNode struct {
	n     *snapshot.Node // nil for one of ours
	tag   string         // of the page, "" for one of ours
	name  string         // as written
	attrs []htmlAttr
	kids  []htmlKid

	block bool // is on lines of its own
	multi bool // has lines inside
	keep  bool // line feeds are kept: pre and what is in it
	sound bool // see inside.sound

	size    int // elements, itself included
	shape   int32
	covered bool // part of a use of a pattern
	use     *use // it is a use of a pattern
}

// htmlKid is an element, or text where there is none.
type htmlKid struct {
	el   *htmlNode
	text string
}

// RenderFull renders the whole document.
func RenderFull(p *dump.Page, o dump.Common, own Options) *dump.Builder {
	c := p.Capture
	w := &full{t: p.Tree(), o: o, frames: map[int]int{}, removed: map[string]int{}, frameIDs: own.FrameIDs}
	w.htmlWriter = htmlWriter{Builder: dump.NewBuilder(p), profile: profileOf(o)}
	w.Rules = &dump.LineRules{Note: htmlNote}
	w.Unlisted = func(*snapshot.Node) (string, string) {
		return dump.ReasonCut, "it is nested deeper than " + text.Thousands(dump.MaxDepth) + " elements"
	}
	w.lookIntoHeavy()
	w.lookForFound()
	for i := range c.Frames {
		if i > 0 && c.Frames[i].Owner >= 0 {
			w.frames[c.Frames[i].Owner] = i
		}
	}
	var roots []*htmlNode
	for n := range w.t.Roots() {
		if h := w.build(n, around{shown: true}); h != nil {
			roots = append(roots, h)
		}
	}
	body := w.arrange(roots)
	for _, h := range roots {
		w.name(h, nest{})
		w.layout(h)
	}
	var ps []*pattern
	if body != nil && !own.NoTemplates {
		if ps = patterns(body); len(ps) > 0 {
			for _, h := range roots {
				w.layout(h)
			}
		}
	}
	for _, h := range roots {
		w.write(h, 0, body, ps)
	}
	if len(roots) == 0 {
		w.Add(nil, 0, "<html></html>")
	}
	w.report()
	return w.Builder
}

// Bits of full.found.
const (
	foundIn   = 1 << iota // a query chose it, or what it lies in
	foundHere             // something that a query chose is in it
)

// lookForFound computes what a query leaves of the page: what it chose, with what is in
// that, and the tags around.
func (w *full) lookForFound() {
	if w.Page.Query == nil {
		return
	}
	w.found = make(map[int]byte)
	for p := range w.Capture.Nodes {
		n := &w.Capture.Nodes[p]
		if up := w.t.Node(n.Parent); n.Verdict.Kept() || up != nil && up.I < n.I && w.found[up.I]&foundIn != 0 {
			w.found[n.I] |= foundIn
		}
	}
	for p := range slices.Backward(w.Capture.Nodes) {
		n := &w.Capture.Nodes[p]
		if up := w.t.Node(n.Parent); up != nil && (n.Verdict.Kept() || w.found[n.I]&foundHere != 0) {
			w.found[up.I] |= foundHere
		}
	}
}

// report counts what was left out as heavy.
func (w *full) report() {
	var parts []string
	for _, tag := range [...]string{"script", "style", "noscript", "template", "svg", "meta", "link"} {
		if k := w.removed[tag]; k > 0 {
			parts = append(parts, text.Thousands(k)+" "+tag)
		}
	}
	if len(parts) > 0 {
		w.Omit(-1, dump.ReasonRole, "heavy elements removed, with what is in them: "+strings.Join(parts, ", "))
	}
}

// heavy reports whether the element is one that full removes.
func heavy(n *snapshot.Node) bool {
	switch n.Tag {
	case "script", "style", "noscript", "template", "svg", "meta":
		return true
	case "link":
		return slices.Contains(strings.Fields(strings.ToLower(n.Attr("rel"))), "stylesheet")
	}
	return false
}

// around is what an element inherits from its ancestors.
type around struct {
	depth int
	shown bool // the last data-visible that was printed, or true
	keep  bool // inside pre
	heavy bool // inside a heavy element: only what is kept, or has text in what is kept
	kept  bool // inside a kept element of that heavy one
}

// build makes the written tree of a node, nil for one that is left out.
func (w *full) build(n *snapshot.Node, at around) *htmlNode {
	passed := w.Page.Query.PassedOver(n)
	switch {
	case w.found != nil && w.found[n.I] == 0, passed && w.found[n.I]&foundHere == 0:
		return nil
	case passed && at.depth < dump.MaxDepth:
	case n.Verdict == snapshot.VerdictOptOut, n.Verdict == snapshot.VerdictFiltered, at.depth >= dump.MaxDepth:
		return nil
	case heavy(n) || at.heavy:
		at.heavy = true
		if in := w.within[n.I]; in&withinKept == 0 && !(at.kept && in&withinText != 0) {
			if heavy(n) {
				w.removed[n.Tag]++
			}
			return nil
		}
		at.kept = at.kept || n.Verdict.Kept()
	}
	h := &htmlNode{n: n, tag: n.Tag, block: standsAlone(n), size: 1, sound: strict(n.Tag)}
	h.keep = at.keep || n.Tag == "pre"
	w.attributes(h, &at)
	at.depth, at.keep = at.depth+1, h.keep
	if n.Tag == "textarea" {
		if s := dump.LiveValue(n); s != "" {
			h.kids = append(h.kids, htmlKid{text: s})
		}
		return h
	}
	w.t.InOrder(n, func(s string) {
		switch {
		case s == "" || passed || w.found != nil && w.found[n.I]&foundIn == 0 || at.heavy && !at.kept:
		case strict(h.tag) && strings.TrimSpace(s) == "":
		default:
			h.kids = append(h.kids, htmlKid{text: s})
			h.sound = false
		}
	}, func(c *snapshot.Node) {
		k := w.build(c, at)
		if k == nil {
			return
		}
		h.kids = append(h.kids, htmlKid{el: k})
		h.size += k.size
		if !holds(h.tag, k.tag) || strict(k.tag) && !k.sound || (k.tag == "option" || k.tag == "col") && k.size > 1 {
			h.sound = false
		}
	})
	h.trim()
	return h
}

// trim takes white space off the ends of a block, where it shows nothing.
func (h *htmlNode) trim() {
	if !h.block || h.keep {
		return
	}
	if len(h.kids) > 0 && h.kids[0].el == nil {
		h.kids[0].text = strings.TrimLeft(h.kids[0].text, " ")
		if h.kids[0].text == "" {
			h.kids = h.kids[1:]
		}
	}
	if last := len(h.kids) - 1; last >= 0 && h.kids[last].el == nil {
		h.kids[last].text = strings.TrimRight(h.kids[last].text, " ")
		if h.kids[last].text == "" {
			h.kids = h.kids[:last]
		}
	}
}

// lookIntoHeavy determines what to print in heavy elements. Parents come before
// their children, so two passes are enough.
func (w *full) lookIntoHeavy() {
	w.within = map[int]byte{}
	var heavies []int
	for p := range w.Capture.Nodes {
		n := &w.Capture.Nodes[p]
		_, inside := w.within[n.Parent]
		if !inside && !heavy(n) {
			continue
		}
		heavies = append(heavies, p)
		bits := byte(0)
		if n.Verdict.Kept() {
			bits |= withinKept
		}
		if text.CollapseSpace(n.Text) != "" {
			bits |= withinText
		}
		w.within[n.I] = bits
	}
	for _, p := range slices.Backward(heavies) {
		n := &w.Capture.Nodes[p]
		if up, inside := w.within[n.Parent]; inside {
			w.within[n.Parent] = up | w.within[n.I]
		}
	}
}

// standsAlone reports whether the element begins and ends a line of the page. Of one
// that is not rendered, its tag decides.
func standsAlone(n *snapshot.Node) bool {
	if n.Block || n.Verdict.Rendered() {
		return n.Block
	}
	switch n.Tag {
	case "a", "abbr", "b", "bdi", "bdo", "big", "br", "button", "cite", "code", "data", "del", "dfn", "em", "font", "i",
		"img",
		"input", "ins", "kbd", "label", "mark", "q", "rp", "rt", "ruby", "s", "samp", "select",
		"small", "span", "strike",
		"strong", "sub", "sup", "textarea", "time", "tt", "u", "var", "wbr", "slot", "nobr":
		return false
	}
	return true
}

// How full's elements become lines.

// write gives the element its lines. The patterns are at the start of body.
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
// own, and what is between them together on one.
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

// use composes a use of a pattern. Its parts are about the elements that they
// represent.
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
