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
		strings.HasSuffix(n.NameFrom, "placeholder") && n.Tag != "input" && n.Tag != "textarea",
		role != n.Role && n.NameFrom == "content" && (n.Role == "comment" || strings.HasPrefix(n.Role, "section")):
		return ""
	case byLabels(t, n):
		s = labelName(t, n)
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
	case n.NameFrom == "aria-labelledby" && slices.ContainsFunc(namers(t, n), func(of *snapshot.Node) bool {
		return of.I != n.I && t.Contains(of.I, n.I)
	}): // what names it is around it, and it says what it holds there
		s = namersText(t, n)
	case s == strings.ToUpper(s) && s != strings.ToLower(s):
		if written := namersText(t, n, n); strings.EqualFold(written, s) {
			s = written
		}
	}
	return playSquash(s)
}

// byLabels reports whether an element has the name that its labels give it. Where they say nothing, Playwright goes on
// neither to its title nor to what is in it; one that is hidden counts. A name of which a capture does not say what
// gave it stands.
func byLabels(t *snapshot.Tree, n *snapshot.Node) bool {
	kind := n.Attr("type")
	if n.NameFrom == "aria-label" || n.NameFrom == "aria-labelledby" || n.NameFrom == "" && n.Name != "" ||
		n.Tag == "input" && (kind == "submit" || kind == "reset" || kind == "button") {
		return false
	}
	labels := t.Labels(n)
	return len(labels) > 0 &&
		(n.NameFrom != "label" || slices.ContainsFunc(labels, func(l *snapshot.Node) bool { return !exposed(l) }))
}

func labelName(t *snapshot.Tree, n *snapshot.Node) string {
	var by []string
	var all func(*snapshot.Node)
	all = func(in *snapshot.Node) { t.InOrder(in, func(s string) { by = append(by, s) }, all) }
	for _, label := range t.Labels(n) {
		switch {
		case !exposed(label):
			all(label)
		case n.NameFrom == "label":
			by = append(by, contentName(t, label, n))
		}
	}
	return strings.Join(by, " ")
}

// namersText is the text of the elements that name another one, without that of some in them.
func namersText(t *snapshot.Tree, n *snapshot.Node, without ...*snapshot.Node) string {
	var by []string
	for _, namer := range namers(t, n) {
		by = append(by, contentName(t, namer, without...))
	}
	return strings.Join(by, " ")
}

// namers are the elements whose text is the name of another one, as far as nameFrom says so.
func namers(t *snapshot.Tree, n *snapshot.Node) (by []*snapshot.Node) {
	switch n.NameFrom {
	case "aria-labelledby":
		for _, id := range strings.Fields(n.Attr("aria-labelledby")) {
			if of := t.Referred(n, id); of != nil {
				by = append(by, of)
			}
		}
	case "label":
		return t.Labels(n)
	case "legend", "caption", "figcaption":
		for c := range t.Children(n.I) {
			if c.Tag == n.NameFrom {
				by = append(by, c)
			}
		}
	}
	return by
}

// asWritten is the text that a name is made of, with the glyphs and strokes that only the name has. Where they differ
// in more than upper and lower case, the name is made by other rules, and the text counts.
func asWritten(name, written string) string {
	from := []rune(strings.Join(strings.Fields(written), ""))
	out := []rune(name)
	at, glyphs := 0, false
	for i, r := range out {
		switch {
		case at < len(from) && unicode.ToLower(r) == unicode.ToLower(from[at]):
			out[i] = from[at]
			at++
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			return written
		case r != ' ':
			glyphs = true
		}
	}
	switch {
	case at < len(from):
		return written
	case glyphs:
		return string(out)
	}
	return written
}

// contentName is the name that an element gives by what is in it, and by what it owns, to the one that is named.
func contentName(t *snapshot.Tree, n *snapshot.Node, named ...*snapshot.Node) string {
	c := contentWriter{t: t, seen: map[int]bool{n.I: true}}
	for _, of := range named {
		c.seen[of.I] = true
	}
	c.content(n)
	return strings.Join(strings.Fields(c.b.String()), " ")
}

// contentWriter writes the texts that make a name, each element once.
type contentWriter struct {
	t    *snapshot.Tree
	b    strings.Builder
	seen map[int]bool
}

func (w *contentWriter) content(n *snapshot.Node) {
	part := func(c *snapshot.Node) {
		if w.seen[c.I] || len(w.seen) > maxNameParts || isHidden(w.t, c) {
			return
		}
		w.seen[c.I] = true
		apart := c.Block || c.Apart || c.Contents || c.Tag == "br"
		if apart {
			w.b.WriteByte(' ')
		}
		w.part(c)
		if apart {
			w.b.WriteByte(' ')
		}
	}
	written := n
	if n.Tag == "q" {
		written = n.Written()
	}
	w.b.WriteString(n.Separators[0])
	w.t.InOrder(written, func(s string) { w.b.WriteString(s) }, part)
	for _, id := range strings.Fields(n.Attr("aria-owns")) {
		if o := w.t.Referred(n, id); o != nil {
			part(o)
		}
	}
	w.b.WriteString(n.Separators[1])
}

// maxNameParts is how many elements make one name at most.
const maxNameParts = 2000

// part writes what an element is to the name of one around it: what a control holds, else its own name, else what
// is in it where its role lets that through.
func (w *contentWriter) part(n *snapshot.Node) {
	role := playRole(w.t, n)
	switch role {
	case "textbox", "searchbox":
		if n.Tag == "input" || n.Tag == "textarea" {
			w.b.WriteString(dump.LiveValue(n))
		} else {
			w.content(n)
		}
		return
	case "combobox", "listbox":
		var chosen []*snapshot.Node
		subtree(w.t, n, func(o *snapshot.Node) {
			if o.Role == "option" && o.States.Is("selected") && !w.seen[o.I] {
				w.seen[o.I] = true
				chosen = append(chosen, o)
			}
		})
		for _, o := range slices.Backward(chosen) { // subtree walks from the end
			if w.b.WriteByte(' '); o.Tag == "option" {
				w.b.WriteString(dump.OptionText(w.t, o))
			} else {
				w.content(o)
			}
			w.b.WriteByte(' ')
		}
		if len(chosen) == 0 && n.Tag == "input" {
			w.b.WriteString(dump.LiveValue(n))
		}
		return
	case "progressbar", "scrollbar", "slider", "spinbutton", "meter":
		for _, from := range []string{"aria-valuetext", "aria-valuenow", "value"} {
			if n.HasAttr(from) {
				w.b.WriteString(n.Attr(from))
				return
			}
		}
		return
	case "menu":
		return
	}
	switch {
	case slices.ContainsFunc(namers(w.t, n), func(of *snapshot.Node) bool { return w.seen[of.I] }):
		switch { // what names it has said so already: it is around it or stands before it
		case n.NameFrom != "aria-labelledby":
		case n.Attr("aria-label") != "":
			w.b.WriteString(n.Attr("aria-label"))
		default:
			w.content(n)
		}
	case n.Name != "" && n.NameFrom != "content" && !strings.HasPrefix(n.NameFrom, "hunted"):
		w.b.WriteString(n.Name)
		for _, of := range namers(w.t, n) {
			w.seen[of.I] = true
		}
	case passesContent(role):
		w.content(n)
	default:
		w.b.WriteString(n.Attr("title"))
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
