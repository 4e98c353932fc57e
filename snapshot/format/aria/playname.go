package aria

import (
	"slices"
	"strings"
	"unicode"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
)

// The names that Playwright gives. It reads the document, where Chrome's names have the letters that are drawn, as
// text-transform changes them; and it names what nobody can operate, such as a cell, by its content too.

// nameInTree is the accessible name of an element whose role Playwright takes for that.
func nameInTree(t *snapshot.Tree, n *snapshot.Node, role string) string {
	s := n.Name
	switch {
	case role == "iframe", n.Tag == "optgroup" && n.NameFrom == "label",
		n.Role == "comment" && role != n.Role && n.NameFrom == "content":
		return ""
	case n.Tag == "input" && n.Attr("type") == "file" && (s == "" || strings.HasPrefix(n.NameFrom, "hunted")):
		s = "Choose File"
	case s == "" || strings.HasPrefix(n.NameFrom, "hunted"):
		s = ""
		switch {
		case n.Tag == "option":
			s = dump.OptionText(t, n)
		case byContent(role), role == "cell", role == "gridcell", role == "columnheader", role == "rowheader",
			role == "tooltip":
			s = contentName(t, n)
		}
	case n.NameFrom == "content":
		s = asWritten(s, contentName(t, n))
	case s == strings.ToUpper(s) && s != strings.ToLower(s):
		for _, by := range namers(t, n) {
			s = asWritten(s, contentName(t, by))
		}
	}
	return playSquash(s)
}

// namers are the elements whose text is the name of another one, as far as nameFrom says so.
func namers(t *snapshot.Tree, n *snapshot.Node) (by []*snapshot.Node) {
	switch n.NameFrom {
	case "aria-labelledby":
		for _, id := range strings.Fields(n.Attr("aria-labelledby")) {
			if of := t.ByID(n.Frame, id); of != nil {
				by = append(by, of)
			}
		}
	case "label":
		for up := range t.Ancestors(n.I) {
			if up.Tag == "label" {
				by = append(by, up)
			}
		}
		if id := n.Attr("id"); id != "" {
			for root := range t.Roots() {
				subtree(t, root, func(l *snapshot.Node) {
					if l.Tag == "label" && l.Frame == n.Frame && l.Attr("for") == id {
						by = append(by, l)
					}
				})
			}
		}
	case "legend", "caption", "figcaption":
		for c := range t.Children(n.I) {
			if c.Tag == n.NameFrom {
				by = append(by, c)
			}
		}
	}
	return by
}

// asWritten is a name with the letters of the text that it is made of, which may differ in upper and lower case; what
// the name has beside it, such as a glyph, stays. A name that is not made of that text alone stays as it is.
func asWritten(name, written string) string {
	from := []rune(strings.Join(strings.Fields(written), ""))
	out := []rune(name)
	at := 0
	for i, r := range out {
		if at < len(from) && unicode.ToLower(r) == unicode.ToLower(from[at]) {
			out[i] = from[at]
			at++
		}
	}
	if at < len(from) {
		return name
	}
	return string(out)
}

// contentName is the name that an element has by what is in it.
func contentName(t *snapshot.Tree, n *snapshot.Node) string {
	var b strings.Builder
	writeContent(&b, t, n, 0)
	return strings.Join(strings.Fields(b.String()), " ")
}

func writeContent(b *strings.Builder, t *snapshot.Tree, n *snapshot.Node, depth int) {
	if depth > maxNameDepth {
		return
	}
	b.WriteString(n.Separators[0])
	defer func() { b.WriteString(n.Separators[1]) }()
	if n.Tag == "q" {
		n = n.Written()
	}
	t.InOrder(n, func(s string) { b.WriteString(s) }, func(c *snapshot.Node) {
		if !exposed(c) || unlaid(c) {
			return
		}
		apart := c.Block || c.Apart || c.Tag == "br"
		if apart {
			b.WriteByte(' ')
		}
		writePart(b, t, c, depth+1)
		if apart {
			b.WriteByte(' ')
		}
	})
}

// maxNameDepth is the nesting beyond which no content is looked for.
const maxNameDepth = 200

// writePart writes what an element is to the name of one around it: what a control holds, else its own name, else what
// is in it where its role lets that through.
func writePart(b *strings.Builder, t *snapshot.Tree, n *snapshot.Node, depth int) {
	role := playRole(t, n)
	switch role {
	case "textbox", "searchbox":
		if n.Tag == "input" || n.Tag == "textarea" {
			b.WriteString(dump.LiveValue(n))
		} else {
			writeContent(b, t, n, depth)
		}
		return
	case "combobox", "listbox":
		var chosen []string
		subtree(t, n, func(o *snapshot.Node) {
			if o.Role == "option" && o.States.Is("selected") {
				chosen = append(chosen, nameInTree(t, o, "option"))
			}
		})
		slices.Reverse(chosen) // subtree walks from the end
		if b.WriteString(strings.Join(chosen, " ")); len(chosen) == 0 && n.Tag == "input" {
			b.WriteString(dump.LiveValue(n))
		}
		return
	case "progressbar", "scrollbar", "slider", "spinbutton", "meter":
		for _, from := range []string{"aria-valuetext", "aria-valuenow", "value"} {
			if n.HasAttr(from) {
				b.WriteString(n.Attr(from))
				return
			}
		}
		return
	case "menu":
		return
	}
	switch {
	case n.Name != "" && n.NameFrom != "content" && !strings.HasPrefix(n.NameFrom, "hunted"):
		b.WriteString(nameInTree(t, n, role))
	case passesContent(role):
		writeContent(b, t, n, depth)
	default:
		b.WriteString(n.Attr("title"))
	}
}

// passesContent reports whether what is in an element of that role counts for the name of one around it.
func passesContent(role string) bool {
	switch role {
	case "", "caption", "cell", "code", "columnheader", "contentinfo", "definition", "deletion", "emphasis", "gridcell",
		"insertion", "list", "listitem", "mark", "paragraph", "region", "row", "rowgroup", "rowheader", "strong",
		"subscript", "superscript", "table", "term", "time", "tooltip":
		return true
	}
	return byContent(role)
}
