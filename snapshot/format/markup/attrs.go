package markup

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/text"
)

// The attributes of full: our annotations and the page's own.

// attributes gives the element its attributes and passes to its children whether it is
// shown.
func (w *full) attributes(h *htmlNode, at *around) {
	n := h.n
	h.attrs = make([]htmlAttr, 0, len(n.Attrs)+3)
	if !w.profile.additions {
		w.pageAttrs(h)
		w.number(h)
		h.add("data-interactive", strconv.FormatBool(len(n.Interactive) > 0))
		h.add("data-visible", strconv.FormatBool(n.Visible))
		frame := "main-frame"
		if n.Frame > 0 {
			frame = "f" + strconv.Itoa(n.Frame)
		}
		h.add("data-frame-id", frame)
		w.listener(h)
		return
	}
	w.number(h)
	if n.Ref > 0 {
		h.add("data-interactive", strconv.FormatBool(len(n.Interactive) > 0))
		h.add("data-visible", strconv.FormatBool(n.Visible))
		at.shown = n.Visible
		if n.Frame > 0 {
			h.add("data-frame-id", "f"+strconv.Itoa(n.Frame))
		}
		if n.Shadow != "" {
			h.add("data-llm-in-shadow", "true")
		}
	} else if shown, known := isShown(n); known && shown != at.shown {
		h.add("data-visible", strconv.FormatBool(shown))
		at.shown = shown
	}
	w.listener(h)
	if by := w.coveredBy(n, w.o); by != "" {
		h.add("data-covered-by", by)
	}
	if snapshot.IsFrame(n.Tag) {
		if why := w.unread(n); why != "" {
			h.add("data-unread", why)
		}
	}
	w.pageAttrs(h)
}

func (h *htmlNode) add(name, value string) {
	h.attrs = append(h.attrs, htmlAttr{name: name, value: value})
}

func (w *full) number(h *htmlNode) {
	id := dump.FrameID(h.n)
	if h.n.Frame > 0 && w.frameIDs != nil {
		id = w.frameIDs[h.n.Ref]
	}
	if h.n.Ref > 0 && id != "" {
		h.attrs = append(h.attrs, htmlAttr{name: "data-id", value: id, number: true})
	}
}

func (w *full) listener(h *htmlNode) {
	if slices.Contains(h.n.Interactive, "listener") {
		h.add("data-has-click-listener", "true")
	}
}

// isShown is the verdict on an element without a number; known is false for elements
// without one, such as head or an empty wrapper.
func isShown(n *snapshot.Node) (shown, known bool) {
	switch n.Verdict {
	case snapshot.VerdictDisplayNone, snapshot.VerdictVisibilityHidden, snapshot.VerdictContentHidden,
		snapshot.VerdictTransparent, snapshot.VerdictClipped, snapshot.VerdictTurned:
		return false, true
	}
	return true, n.Verdict.Rendered()
}

// unread explains why a frame has no content here, "" where it has.
func (w *full) unread(n *snapshot.Node) string {
	i, ok := w.frames[n.I]
	if !ok || w.Capture.Frames[i].Readable {
		return ""
	}
	if why := text.CollapseSpace(w.Capture.Frames[i].Why); why != "" {
		return why
	}
	return "no reason known"
}

// reserved reports whether the page's attribute would be taken for one of ours.
func reserved(name string) bool {
	switch name {
	case "data-id", "data-interactive", "data-visible", "data-frame-id", "data-llm-in-shadow",
		"data-has-click-listener",
		"data-covered-by", "data-unread", "data-tag":
		return true
	}
	return strings.HasPrefix(name, "page-")
}

// pageAttrs adds the page's attributes by name, form state as it is now.
func (w *full) pageAttrs(h *htmlNode) {
	n := h.n
	names := w.names[:0]
	for name := range n.Attrs {
		names = append(names, name)
	}
	live := map[string]string(nil)
	if w.profile.live {
		live = liveAttrs(n)
		for name := range live {
			if !n.HasAttr(name) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	w.names = names
	odd := 0
	for _, name := range names {
		value, now := live[name]
		if !now {
			value = n.Attrs[name]
		}
		if now && value == gone {
			continue
		}
		if name == "srcdoc" {
			value = w.srcdoc(n, value)
		}
		value = w.url(n, name, value)
		switch {
		case !attrName(name):
			odd++
			h.add("page-attr"+strconv.Itoa(odd), name)
			h.add("page-value"+strconv.Itoa(odd), value)
			continue
		case reserved(name):
			name = "page-" + name
		}
		h.attrs = append(h.attrs, htmlAttr{name: name, value: value, bare: value == ""})
	}
}

// srcdoc is a frame's document as markup. It is not printed: the document itself is printed
// in the frame, without its secrets, which are not searched for in markup.
func (w *full) srcdoc(n *snapshot.Node, s string) string {
	if n.Verdict.Kept() {
		w.Omit(n.I, dump.ReasonCut, "srcdoc: "+text.Thousands(utf8.RuneCountInString(s))+" characters of markup")
	}
	return "…"
}

// gone is the live value of an attribute that does not hold any more. No attribute has
// it: it is not UTF-8.
const gone = "\xff"

// liveAttrs are the attributes for the present state of a kept field, whatever the markup has.
func liveAttrs(n *snapshot.Node) map[string]string {
	switch n.Tag {
	case "input":
		if !n.Verdict.Kept() {
			return nil
		}
		switch dump.InputType(n) {
		case "checkbox", "radio":
			return bareNow("checked", n.States.Is("checked"), n)
		case "submit", "reset", "button", "image", "hidden", "file":
			return nil
		}
		v := dump.LiveValue(n)
		if v == n.Attr("value") {
			return nil
		}
		v = cmp.Or(v, gone)
		return map[string]string{"value": v}
	case "option":
		if n.States.Has("selected") || n.HasAttr("selected") {
			return bareNow("selected", n.States.Is("selected"), n)
		}
	}
	return nil
}

// bareNow is a bare attribute that is set or not; nil where the markup agrees.
func bareNow(name string, holds bool, n *snapshot.Node) map[string]string {
	switch {
	case holds == n.HasAttr(name):
		return nil
	case holds:
		return map[string]string{name: ""}
	}
	return map[string]string{name: gone}
}

// The places and names of full's elements: what an HTML parser would make of
// the tree, and which elements have lines inside.

// arrange makes html, head and body of the roots what a parser makes of them: head and
// body in html, only metadata in head, the rest in html-beside at the end. It answers
// with body, nil where there is none that can be written as such.
func (w *full) arrange(roots []*htmlNode) (body *htmlNode) {
	if len(roots) != 1 {
		return nil
	}
	root := roots[0]
	switch root.tag {
	case "body":
		root.name, root.block = "body", true
		return root
	case "html":
		root.name, root.block = "html", true
	default:
		return nil
	}
	var head *htmlNode
	beside := &htmlNode{name: "html-beside", block: true, size: 1}
	stray := func(k htmlKid) {
		if k.el == nil && strings.TrimSpace(k.text) == "" {
			return
		}
		beside.kids = append(beside.kids, k)
	}
	for _, k := range root.kids {
		switch {
		case k.el != nil && k.el.tag == "head" && head == nil && body == nil:
			head = k.el
		case k.el != nil && k.el.tag == "body" && body == nil:
			body = k.el
		default:
			stray(k)
		}
	}
	root.kids = nil
	if head != nil {
		head.name, head.block = "head", true
		root.kids = append(root.kids, htmlKid{el: head})
		meta := head.kids
		head.kids = nil
		for _, k := range meta {
			if k.el != nil && (k.el.tag == "title" && k.el.size == 1 || (k.el.tag == "base" || k.el.tag == "link") &&
				len(k.el.kids) == 0) {
				k.el.block = true
				head.kids = append(head.kids, k)
			} else {
				stray(k)
			}
		}
	}
	if body != nil {
		body.name, body.block = "body", true
		root.kids = append(root.kids, htmlKid{el: body})
	}
	if len(beside.kids) > 0 {
		under := root
		if body != nil {
			under = body
		}
		under.kids = append(under.kids, htmlKid{el: beside})
	}
	return body
}

// name gives every element the tag that can be at its place.
func (w *full) name(h *htmlNode, at nest) {
	if h.name == "" {
		in := inside{sound: h.sound, kids: h.size > 1}
		for _, k := range h.kids {
			in.text = in.text || k.el == nil
		}
		var attrs []htmlAttr
		h.name, attrs = spellTag(h.tag, at.fits(h.tag, in))
		h.attrs = append(h.attrs, attrs...)
	}
	if h.name == h.tag && !ownName(h.name) {
		at = at.enter(h.name)
	} else {
		at.parent = ""
	}
	for _, k := range h.kids {
		if k.el != nil {
			w.name(k.el, at)
		}
	}
}

// layout decides which elements have lines inside.
func (w *full) layout(h *htmlNode) {
	h.multi = false
	if h.use != nil {
		return
	}
	for _, k := range h.kids {
		if k.el != nil {
			w.layout(k.el)
			h.multi = h.multi || !h.keep && (k.el.block || k.el.multi)
		}
	}
	if h.name == "html" || h.name == "head" || h.name == "body" {
		h.multi = true
	}
}
