package markup

import (
	"slices"

	"github.com/refscope/refscope/snapshot"
)

// Places tags so that an HTML parser keeps them there. A page's tree need not be
// one that a parser makes: scripts, slots and frames put a p inside a p or a td
// without a table, and markup of such a tree would be read as another tree. The rules
// are those of the parser's "in body", "in table" and "in select" modes (HTML Living
// Standard 13.2.6.4), on the safe side: a tag that fits always comes back, and a few
// that do not fit would have come back too.

// nest is what the open elements around a place mean to the parser.
type nest struct {
	parent string // name of the parent as written, "" for one of ours
	p      bool   // a p is open in button scope: a block would close it
	a      bool   // an a is open after the last marker: another would close it
	nobr   bool
	button bool // a button is in scope
	form   bool // a form is open anywhere
	li     bool // an li would be closed by another
	dd     bool // a dd or dt would be
}

// enter is the place inside an element of that written name.
func (c nest) enter(name string) nest {
	c.parent = name
	switch name {
	case "td", "th", "caption", "object", "applet", "marquee", "template":
		return nest{parent: name, form: c.form}
	case "table":
		c.p, c.button, c.li, c.dd = false, false, false, false
	case "button":
		c.p, c.button = false, true
	case "p":
		c.p = true
	case "a":
		c.a = true
	case "nobr":
		c.nobr = true
	case "form":
		c.form, c.li, c.dd = true, false, false
	case "li":
		c.li, c.dd = true, false
	case "dd", "dt":
		c.li, c.dd = false, true
	case "ul", "ol", "menu", "dir", "dl", "section", "article", "aside", "nav", "main", "header", "footer",
		"fieldset", "blockquote", "details", "figure", "figcaption", "center":
		c.li, c.dd = false, false
	}
	return c
}

// inside is what will be written in an element, where its own tag depends on it.
type inside struct {
	text bool // text directly in it
	kids bool // elements in it
	// sound: of a table, its parts, a select and an optgroup: everything in it, down to
	// cells and options, is what the parser allows there.
	sound bool
}

// fits reports whether the parser leaves an element of that tag where it is.
func (c nest) fits(tag string, in inside) bool {
	if voidTag(tag) && (in.text || in.kids) {
		return false
	}
	switch tag {
	case "html", "head", "body", "frameset", "frame", "image", "xmp", "plaintext", "listing", "noembed", "noframes",
		"noscript", "svg", "template", "script", "style", "keygen", "param", "bgsound", "basefont", "math":
		return false
	case "iframe", "textarea", "title": // their content is text and nothing else
		return !in.kids && (tag != "iframe" || !in.text)
	case "caption", "colgroup", "thead", "tbody", "tfoot":
		return c.parent == "table"
	case "tr":
		return c.parent == "tbody" || c.parent == "thead" || c.parent == "tfoot"
	case "td", "th":
		return c.parent == "tr"
	case "col":
		return c.parent == "colgroup"
	case "table":
		return !c.p && in.sound
	case "select":
		return in.sound
	case "optgroup":
		return c.parent != "option" && c.parent != "optgroup" && in.sound
	case "option":
		return c.parent != "option" && !in.kids
	case "a":
		return !c.a
	case "nobr":
		return !c.nobr
	case "button":
		return !c.button
	case "form":
		return !c.p && !c.form
	case "li":
		return !c.p && !c.li
	case "dd", "dt":
		return !c.p && !c.dd
	case "rb", "rt", "rtc", "rp":
		switch c.parent {
		case "dd", "dt", "li", "optgroup", "option", "p", "rb", "rp", "rt", "rtc":
			return false
		}
		return true
	case "p", "address", "article", "aside", "blockquote", "center", "details", "dialog", "dir",
		"div", "dl", "fieldset",
		"figcaption", "figure", "footer", "header", "hgroup", "main", "menu", "nav", "ol", "search",
		"section", "summary",
		"ul", "pre", "hr":
		return !c.p
	}
	if snapshot.IsHeading(tag) {
		return !c.p && !snapshot.IsHeading(c.parent)
	}
	return true
}

// holds reports whether the parser allows a child of that tag in a table, a part of
// one, a select or an optgroup. Text is allowed in none of them.
func holds(tag, child string) bool {
	switch tag {
	case "table":
		return slices.Contains([]string{"caption", "colgroup", "thead", "tbody", "tfoot"}, child)
	case "thead", "tbody", "tfoot":
		return child == "tr"
	case "tr":
		return child == "td" || child == "th"
	case "colgroup":
		return child == "col"
	case "select":
		return child == "option" || child == "optgroup"
	case "optgroup":
		return child == "option"
	}
	return true
}

// strict reports whether only some children are allowed in an element of that tag.
func strict(tag string) bool {
	switch tag {
	case "table", "thead", "tbody", "tfoot", "tr", "colgroup", "select", "optgroup":
		return true
	}
	return false
}
