package markup

import "strings"

// Where full's elements stand and how they are called: what an HTML parser would make of
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
			if k.el != nil && (k.el.tag == "title" && k.el.size == 1 || (k.el.tag == "base" || k.el.tag == "link") && len(k.el.kids) == 0) {
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

// name gives every element the tag that can stand at its place.
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
