package importer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/redact"
)

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

// metaSecret is the kind of secret that a meta tag holds, "" for none.
func metaSecret(d *dom) string {
	return cmp.Or(redact.SecretName(d.attr("name"), redact.InHidden),
		redact.SecretName(d.attr("property"), redact.InHidden))
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
		if left--; left < 0 || b.Len() > max || depth > maxDepth {
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
// HTML's rendering section has it; what a page's styles make of them is unknown.
func block(tag string) bool {
	switch tag {
	case "html", "body", "address", "article", "aside", "blockquote", "center", "dialog", "dd", "details", "dir", "div",
		"dl", "dt",
		"fieldset", "figcaption", "figure", "footer", "form", "frame", "frameset", "h1", "h2", "h3", "h4", "h5", "h6",
		"header", "hgroup",
		"hr", "legend", "li", "listing", "main", "menu", "nav", "ol", "optgroup", "option", "p", "pre",
		"search", "section",
		"summary",
		"table", "caption", "tbody", "thead", "tfoot", "tr", "td", "th", "ul", "xmp":
		return true
	}
	return false
}

// identity identifies an element of a document across snapshots.
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

// hiddenByMarkup explains why an element is not shown, judged by its markup: what the
// page's style sheets hide is unknown here.
func hiddenByMarkup(d *dom) hidden {
	skipped := hidden{snapshot.VerdictSkippedTag, "its tag shows no text"}
	none := func(why string) hidden { return hidden{snapshot.VerdictDisplayNone, why} }
	switch d.tag {
	case "canvas":
		if strings.TrimSpace(d.attr("aria-label")) == "" && !snapshot.IsWidget(d.attr("role")) {
			return skipped
		}
	case "script", "style", "noscript", "template", "svg", "source", "track", "head", "meta", "link", "title",
		"base", "param":
		return skipped
	case "datalist":
		return none("display: none by its tag")
	case "dialog":
		if !d.has("open") && !d.has(pwDialog) {
			return none("the dialog is closed")
		}
	case "input":
		if inputType(d) == "hidden" {
			return none("type=hidden")
		}
	}
	if d.has("data-dddk-skip") || slices.Contains(strings.Fields(d.attr("class")), "dddk-skip") {
		return hidden{snapshot.VerdictOptOut, "dddk-skip"}
	}
	if v, ok := d.attrs["hidden"]; ok {
		if strings.EqualFold(v, "until-found") {
			return hidden{snapshot.VerdictContentHidden, "hidden=until-found"}
		}
		return none("the attribute hidden")
	}
	if d.has("popover") && !d.has(pwPopover) {
		return none("the popover is closed")
	}
	switch style := d.attr("style"); {
	case style == "":
	case declares(style, "display", "none"):
		return none("display: none")
	case declares(style, "visibility", "hidden"), declares(style, "visibility", "collapse"):
		return hidden{snapshot.VerdictVisibilityHidden, "visibility: hidden"}
	}
	return hidden{}
}

// declares reports whether a style attribute gives the property that value last.
func declares(style, property, value string) bool {
	is := false
	for d := range strings.SplitSeq(cut(style, 10_000), ";") {
		name, v, ok := strings.Cut(d, ":")
		if ok && strings.EqualFold(strings.TrimSpace(name), property) {
			v, _, _ = strings.Cut(strings.ToLower(v), "!")
			is = strings.TrimSpace(v) == value
		}
	}
	return is
}

// describe fills in what formats print of an element: attributes, role, name, value, states,
// evidence of interactivity, and the box where one is noted.
func (k *composer) describe(i int, d *dom, at layerPlace, hide hidden) {
	n := &k.c.Nodes[i]
	n.Role = roleOf(d)
	if hide.verdict == snapshot.VerdictSkippedTag {
		k.attributes(i, d, "")
		return
	}
	live, typed := d.attrs[pwValue]
	if !typed {
		live = d.attr("value")
	}
	f := redact.Control{Tag: d.tag, Attrs: d.attrs, Value: live}
	control := d.tag == "input" || d.tag == "textarea"
	if control {
		f.Label = at.scope.label(d)
	}
	secret := f.Secret(k.s.clean)
	k.attributes(i, d, secret)
	n.Interactive = interactive(d, at.up != nil && at.up.tag == "details")
	n.States = statesOf(d, at.up)
	if len(n.Interactive) > 0 || n.Numbered() || n.Role != "" {
		name, from := at.scope.name(d, n.Role)
		if name != "" {
			n.Name, n.NameFrom = k.s.text(name), from
			if n.Name != name {
				k.withheld(i, "name")
			}
		}
	}
	k.value(i, d, live, secret)
	n.Visible, n.InViewport = hide.verdict == "", hide.verdict == ""
	if snapshot.IsFrame(d.tag) || d.tag == "canvas" {
		if b, ok := rectOf(d.attr(pwRect), at.offset); ok {
			n.Box = b
		}
	}
	v, marked := d.attrs[pwTarget]
	marked = marked && (v == "" || v == k.p.target)
	if marked && k.p.ref != "" {
		n.NoteAgentRef(snapshot.Playwright, k.p.ref)
		k.p.ref = "" // of one element
	}
	if marked && k.p.box != nil {
		n.Box = *k.p.box
		n.InViewport = !n.Box.Intersect(k.c.Viewport.Box()).Empty()
		k.p.box = nil // of one element
	}
}

// value sets a control's live value.
func (k *composer) value(i int, d *dom, live, secret string) {
	n := &k.c.Nodes[i]
	switch d.tag {
	case "input":
		if !snapshot.IsFieldType(inputType(d)) {
			return
		}
	case "textarea":
	case "select":
		var chosen []string
		left := 10_000
		var walk func(d *dom, depth int)
		walk = func(d *dom, depth int) {
			if left--; left < 0 || depth > 3 {
				return
			}
			if d.tag == "option" && (d.attr(pwSelected) == "true" || !d.has(pwSelected) && d.has("selected")) {
				t := d.attr("label")
				if t == "" {
					t = d.innerText(200)
				}
				chosen = append(chosen, t)
			}
			for _, kid := range d.kids {
				walk(kid, depth+1)
			}
		}
		walk(d, 0)
		live = cut(strings.Join(chosen, ", "), 20_000)
	case "meter", "progress":
	default:
		live = d.attr("aria-valuetext")
		if live == "" {
			live = d.attr("aria-valuenow")
		}
	}
	if live == "" {
		return
	}
	if secret != "" {
		n.Value = redact.Mark(secret)
		k.withheld(i, "value")
		return
	}
	live = cut(live, 20_000)
	if n.Value = k.s.text(live); n.Value != live {
		k.withheld(i, "value")
	}
}

// attributes copies the element's own attributes. What holds a secret field's value is
// withheld, whatever its name is.
func (k *composer) attributes(i int, d *dom, secret string) {
	n := &k.c.Nodes[i]
	own := []string{}
	if secret != "" {
		for _, v := range []string{d.attr(pwValue), d.attr("value")} {
			if len(v) >= 3 {
				own = append(own, v)
			}
		}
	}
	for name, v := range d.attrs {
		if strings.HasPrefix(name, pwPrefix) || len(name) > 200 {
			continue
		}
		switch {
		case name == "src" && strings.HasPrefix(v, "/snapshot/"):
			continue // the trace's, not the page's
		case name == "srcdoc":
			v = fmt.Sprintf("[a document of %d characters: see the frame]", len([]rune(v)))
		case secret != "" && v != "" && (name == "value" || slices.ContainsFunc(own,
			func(o string) bool { return strings.Contains(v, o) })):
			v = redact.Mark(secret)
			k.withheld(i, "attr:"+name)
		case d.tag == "meta" && name == "content" && metaSecret(d) != "":
			v = redact.Mark(metaSecret(d))
		case redact.DataSecret(name, v) != "":
			v = redact.Mark(redact.DataSecret(name, v))
			k.withheld(i, "attr:"+name)
		default:
			v = cut(v, 2_000)
			clean := k.s.text(v)
			if clean != v {
				k.withheld(i, "attr:"+name)
			}
			v = clean
		}
		if n.Attrs == nil {
			n.Attrs = make(map[string]string, len(d.attrs))
		}
		n.Attrs[name] = v
	}
	slices.Sort(n.Redacted) // the attributes come in no order
}
