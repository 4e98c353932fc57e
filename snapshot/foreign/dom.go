package foreign

import "strings"

// dom is an element or a text of a document as a file describes it. Trees share parts
// with earlier snapshots of the same document, so what is in one is never changed once
// it was read, but for uid, which is set once.
type dom struct {
	tag   string            // lower case; "" for a text
	text  string            // of a text
	attrs map[string]string // nil for none
	kids  []*dom
	uid   int // its identity in its document, from 1
}

func (d *dom) attr(name string) string { return d.attrs[name] }

func (d *dom) has(name string) bool { _, ok := d.attrs[name]; return ok }

// What Playwright writes on elements beside their own attributes.
const (
	pwPrefix   = "__playwright"
	pwShadow   = "__playwright_shadow_root_"    // on a template: it is its parent's shadow root
	pwValue    = "__playwright_value_"          // live value
	pwChecked  = "__playwright_checked_"        // "true" or "false"
	pwSelected = "__playwright_selected_"       // of an option
	pwTarget   = "__playwright_target__"        // the action's element; its value is empty or the call
	pwRect     = "__playwright_bounding_rect__" // of frames and canvases, in the frame's viewport
	pwSource   = "__playwright_src__"           // of a frame: /snapshot/ and the frame's id
	pwDialog   = "__playwright_dialog_open_"    // "true" or "modal"
	pwPopover  = "__playwright_popover_open_"
)

// shadowRoot is the element's shadow root, nil for none.
func (d *dom) shadowRoot() *dom {
	for _, k := range d.kids {
		if k.tag == "template" && k.has(pwShadow) {
			return k
		}
	}
	return nil
}

// innerText is all text below, at most max bytes and, as the tree may be any size, of
// at most 2,000 elements and texts.
func (d *dom) innerText(max int) string {
	var b strings.Builder
	left := 2_000
	var walk func(d *dom, depth int)
	walk = func(d *dom, depth int) {
		if left--; left < 0 || b.Len() > max || depth > MaxDepth {
			return
		}
		if d.tag == "" {
			b.WriteString(d.text)
			return
		}
		switch d.tag {
		case "script", "style", "noscript", "select", "textarea", "head":
			return
		}
		if block(d.tag) || d.tag == "br" {
			b.WriteByte(' ')
		}
		if d.tag == "img" {
			b.WriteString(" " + d.attr("alt") + " ")
		}
		for _, k := range d.kids {
			walk(k, depth+1)
		}
		if block(d.tag) {
			b.WriteByte(' ')
		}
	}
	walk(d, 0)
	return squash(cut(b.String(), max))
}

// block reports whether elements of the tag begin a line by their own style sheet, as
// HTML's rendering section has it; what a page's styles make of them is not known.
func block(tag string) bool {
	switch tag {
	case "html", "body", "address", "article", "aside", "blockquote", "center", "dialog", "dd", "details", "dir", "div", "dl", "dt",
		"fieldset", "figcaption", "figure", "footer", "form", "frame", "frameset", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hgroup",
		"hr", "legend", "li", "listing", "main", "menu", "nav", "ol", "optgroup", "option", "p", "pre", "search", "section", "summary",
		"table", "caption", "tbody", "thead", "tfoot", "tr", "td", "th", "ul", "xmp":
		return true
	}
	return false
}

// identity tells elements of one document apart from snapshot to snapshot.
type identity struct{ last int }

// adopt gives each element of a new tree its uid: that which it has already, where the
// snapshot refers to an earlier one for it; that of the element at its place in the
// tree before, where tag, id, name and type are the same; else a new one.
func (id *identity) adopt(now, before *dom) {
	if now.tag == "" || now.uid != 0 {
		return
	}
	if before != nil && before.uid != 0 && alike(now, before) {
		now.uid = before.uid
	} else {
		before = nil
		id.last++
		now.uid = id.last
	}
	if len(now.kids) == 0 {
		return
	}
	type key struct{ tag, id, name, kind string }
	keyOf := func(d *dom) key { return key{d.tag, d.attr("id"), d.attr("name"), d.attr("type")} }
	var free map[key][]*dom
	if before != nil {
		shared := map[*dom]bool{}
		for _, k := range now.kids {
			if k.uid != 0 {
				shared[k] = true
			}
		}
		free = map[key][]*dom{}
		for _, k := range before.kids {
			if k.tag != "" && !shared[k] {
				free[keyOf(k)] = append(free[keyOf(k)], k)
			}
		}
	}
	for _, k := range now.kids {
		if k.tag == "" || k.uid != 0 {
			continue
		}
		var was *dom
		if list := free[keyOf(k)]; len(list) > 0 {
			was, free[keyOf(k)] = list[0], list[1:]
		}
		id.adopt(k, was)
	}
}

func alike(a, b *dom) bool { return a.tag == b.tag && a.attr("id") == b.attr("id") }
