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

// What the HTML formats (skeleton, hybrid, full) have in common: how page text is
// written so that an HTML parser gives back the tree that was meant, HTML Living
// Standard 13.1 (writing) and 13.2 (parsing).
//
//   - & < > become &amp; &lt; &gt;, and " in an attribute &quot;, wherever they are.
//     A no-break space is &nbsp;. A line feed, tab or carriage return in an attribute
//     or outside pre is a character reference too, so that no text makes a line.
//   - What a reader cannot see (see package text) is a character reference, such as
//     &#x202e;. A parser gives the page's own character back. C1 controls and NUL
//     have no reference in HTML and are spelled \u{85}, with the page's own backslashes
//     before "u{" and before these doubled, as in package text.
//   - Attribute values are always between double quotes.
//   - A tag that a parser would not leave where it is, such as a p inside a p, an
//     html inside a frame or a td without its table, is written with "html-" before
//     its name: html-p, html-td (nest.go). A name of the page that begins with
//     html- gets one more; one that HTML cannot write is html-unknown data-tag="…".
//
// So the names of attributes and tags, and all of what is between < and >, are
// ours; a text of the page is text after parsing, whatever it is.

// appendHTML appends s as text between tags, or as an attribute's value where attr is
// set. Line feeds and tabs are kept where keep is set (inside pre).
func appendHTML(dst []byte, s string, attr, keep bool) []byte {
	if plainHTML(s) {
		return append(dst, s...)
	}
	s = strings.ToValidUTF8(s, "\uFFFD")
	prev, double := rune(0), false
	for i, r := range s {
		switch {
		case r == '&':
			dst = append(dst, "&amp;"...)
		case r == '<':
			dst = append(dst, "&lt;"...)
		case r == '>':
			dst = append(dst, "&gt;"...)
		case r == '"' && attr:
			dst = append(dst, "&quot;"...)
		case r == '\u00a0':
			dst = append(dst, "&nbsp;"...)
		case (r == '\n' || r == '\t') && keep:
			dst = append(dst, byte(r))
		case r == '\\':
			if prev != '\\' {
				double = text.Doubled(s[i:], noReference)
			}
			if dst = append(dst, '\\'); double {
				dst = append(dst, '\\')
			}
		case r < utf8.RuneSelf && r >= ' ' && r != 0x7f:
			dst = append(dst, byte(r))
		default:
			next, _ := utf8.DecodeRuneInString(s[i+utf8.RuneLen(r):])
			switch {
			case !text.Hidden(prev, r, next):
				dst = utf8.AppendRune(dst, r)
			case noReference(prev, r, next):
				dst = append(strconv.AppendInt(append(dst, `\u{`...), int64(r), 16), '}')
			case r < ' ':
				dst = append(strconv.AppendInt(append(dst, "&#"...), int64(r), 10), ';')
			default:
				dst = append(strconv.AppendInt(append(dst, "&#x"...), int64(r), 16), ';')
			}
		}
		prev = r
	}
	return dst
}

// noReference reports whether r has no character reference that gives it back, and so is
// spelled as \u{…}.
func noReference(_, r, _ rune) bool { return r == 0 || r >= 0x80 && r < 0xa0 }

// plainHTML reports whether s is printable ASCII that no rule changes.
func plainHTML(s string) bool {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c < ' ' || c > '~', c == '&', c == '<', c == '>', c == '"', c == '\\':
			return false
		}
	}
	return true
}

// htmlAttr is one attribute as it is written. Bare ones have no value.
type htmlAttr struct {
	name, value string
	bare        bool
	number      bool // value is a ref number as the format spells it: data-id
}

func (a *htmlAttr) append(dst []byte) []byte {
	dst = append(append(dst, ' '), a.name...)
	if a.bare {
		return dst
	}
	return append(appendHTML(append(dst, `="`...), a.value, true, false), '"')
}

// attrName reports whether HTML can write the attribute's name: visible ASCII without
// quotes, angle brackets, slash, equals sign and capitals. Names of frameworks such as
// @click and [class.on] pass.
func attrName(s string) bool {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c <= ' ' || c > '~', c >= 'A' && c <= 'Z':
			return false
		case c == '"', c == '\'', c == '`', c == '<', c == '>', c == '/', c == '=', c == '\\':
			return false
		}
	}
	return s != "" && len(s) <= 200
}

// htmlName reports whether s is valid as a tag's name and means nothing to us.
func htmlName(s string) bool {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c >= 'a' && c <= 'z':
		case i > 0 && (c >= '0' && c <= '9' || c == '-' || c == '_' || c == '.'):
		default:
			return false
		}
	}
	return s != "" && len(s) <= 60
}

// ownName reports whether the name is one that only we give: html-… for a tag that is not
// allowed there, t1 for a pattern of full.
func ownName(s string) bool {
	if strings.HasPrefix(s, "html-") {
		return true
	}
	return len(s) > 1 && s[0] == 't' && strings.Trim(s[1:], "0123456789") == ""
}

// spellTag is the tag's name as it is written at a place where the parser leaves it
// as it is (fits), or not. What cannot be written is in data-tag.
func spellTag(tag string, fits bool) (name string, attrs []htmlAttr) {
	switch {
	case !htmlName(tag):
		return "html-unknown", []htmlAttr{{name: "data-tag", value: tag}}
	case !fits || ownName(tag):
		return "html-" + tag, nil
	}
	return tag, nil
}

// voidTag reports whether the element has no end tag in HTML.
func voidTag(name string) bool {
	switch name {
	case "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr":
		return true
	}
	return false
}

// htmlWriter writes lines of HTML. A line is composed as a whole and then taken; lines
// of start tags and of end tags that are alone are marked, so that the cutters (snapshot/dump/trim.go)
// close what is open where they cut: a truncated text is complete HTML too.
type htmlWriter struct {
	*dump.Builder
	profile profile

	line  []byte
	parts []dump.Span // of the line in the making, from its start
}

// most tabs before a line; what is nested deeper stays at that depth.
const maxTabs = 24

// mark makes what the line has got since start the part that is about the node.
func (w *htmlWriter) mark(n *snapshot.Node, start int) {
	if n != nil {
		w.parts = append(w.parts, dump.Span{Start: start, End: len(w.line), Node: n.I})
	}
}

// take adds the composed line, which is about the node (nil for none).
func (w *htmlWriter) take(n *snapshot.Node, indent int, kind dump.LineKind) {
	line, parts := w.line, w.parts
	w.line, w.parts = w.line[:0], w.parts[:0]
	first := len(w.Lines)
	w.Add(n, min(indent, maxTabs), string(line))
	if kind != dump.LineWhole {
		w.Kinds[first] = kind
	}
	if len(parts) > 0 {
		w.place(first, parts)
	}
}

// closing adds the line of an end tag.
func (w *htmlWriter) closing(n *snapshot.Node, indent int, tag string) {
	w.AddEndTag(n, min(indent, maxTabs), tag)
}

// place turns spans of a composed text into spans of the physical lines from first on.
func (w *htmlWriter) place(first int, parts []dump.Span) {
	at := make([]dump.Span, 0, len(parts))
	base := w.Lines[first].Start + w.Lines[first].Indent // where the composed text begins
	for _, s := range parts {
		s.Start, s.End = s.Start+base, s.End+base
		i, _ := slices.BinarySearchFunc(w.Lines[first:], s.Start,
			func(l dump.Line, p int) int { return cmp.Compare(l.End, p) })
		for i += first; i < len(w.Lines) && (w.Lines[i].Start < s.End || w.Lines[i].Start == s.Start); i++ {
			l := w.Lines[i]
			at = append(at, dump.Span{Start: max(s.Start, l.Start), End: min(s.End, l.End), Line: i, Node: s.Node})
		}
	}
	slices.SortStableFunc(at, func(x, y dump.Span) int { return cmp.Compare(x.Line, y.Line) })
	w.Spans = append(w.Spans, at...)
}

// htmlNote spells a note as a comment. Only a query in it may have two hyphens, which
// could end it: in a JSON string they can be spelled out.
func htmlNote(remark string) string {
	return "<!-- " + strings.ReplaceAll(remark, "--", `-\u002d`) + " -->"
}

// text writes text between the tags of an element of that written name. A parser drops
// a line break right after the start tag of pre and textarea, so one more is written
// where the text is the first thing in it.
func (w *htmlWriter) text(name, s string, first, keep bool) {
	if first && s != "" && (s[0] == '\n' || s[0] == '\r') && (name == "pre" || name == "textarea") {
		w.line = appendHTML(w.line, "\n", false, keep)
	}
	w.line = appendHTML(w.line, s, false, keep)
}
