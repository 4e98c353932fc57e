package dump

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/refscope/refscope/snapshot"
)

// How the agent text spells its lines.

// Column widths of an element's line, in characters (engines.md 1.3).
const (
	wraithRefWidth  = 6
	wraithRoleWidth = 12
)

func decimal(n int) string { return strconv.Itoa(n) }

// quote is a text of the page in quotes.
func (w *wraith) quote(s string) string {
	if w.o.Compat {
		return `"` + printable(squash(s)) + `"`
	}
	return string(AppendJSON(nil, s))
}

// header is the line that names the page.
func (w *wraith) header() string {
	title := w.cut(-1, "title", squash(w.c.Title), capWraithText)
	address := w.cut(-1, "address", squash(w.c.URL), capURL)
	return "Page: " + w.quote(title) + " (" + printable(address) + ")"
}

// warning is the line about something that covers the page, with what to press.
func (w *wraith) warning(o snapshot.Overlay) string {
	title, _, _ := cut(squash(o.Title), capWraithText)
	s := "⚠ OVERLAY DETECTED: [" + overlayKind(o.Kind) + "] " + w.quote(title)
	press := w.pressed(o)
	switch {
	case w.o.Compat && press == 0:
		return s + " @? — interact with this first"
	case w.o.Compat:
		return s + " @" + decimal(press) + " — interact with this first"
	case press == 0:
		return s + " — nothing in it to press was found"
	}
	return s + " @e" + decimal(press) + " — interact with this first"
}

// pressed is the ref of what to press to get rid of an overlay, 0 where none is known.
func (w *wraith) pressed(o snapshot.Overlay) int {
	if o.Press == nil {
		return 0
	}
	if n := w.t.Node(*o.Press); n != nil {
		return n.Ref
	}
	return 0
}

// overlayKind passes the kinds of [snapshot.Overlay] and nothing else.
func overlayKind(kind string) string {
	switch kind {
	case "cookie_banner", "consent_dialog", "modal", "popup", "notification":
		return kind
	}
	return "overlay"
}

// line is the line of one element.
func (w *wraith) line(it *wraithItem) string {
	var b strings.Builder
	pad(&b, "@e"+decimal(it.n.Ref), wraithRefWidth)
	pad(&b, "["+it.role+"]", wraithRoleWidth)
	b.WriteString(w.quote(it.text))
	attr := func(name, s string) {
		if s != "" {
			b.WriteString(" " + name + "=" + w.quote(s))
		}
	}
	attr("placeholder", it.placeholder)
	attr("value", it.value)
	if w.o.Compat {
		if !usable(it.n) {
			b.WriteString(" [DISABLED]")
		}
		return b.String()
	}
	attr("label", it.label)
	attr("type", it.kind)
	if l := int(it.n.States.Number("level")); it.role == "heading" && l > 0 && l < 100 {
		b.WriteString(" level=" + decimal(l))
	}
	w.choiceList(&b, it)
	if it.text == "" && it.label == "" {
		attr("href", it.href)
	}
	attr("src", it.src)
	attr("unreadable", it.why)
	if it.frame > 0 {
		b.WriteString(" frame=@e" + decimal(it.frame))
	}
	if it.n.Shadow == "open" || it.n.Shadow == "closed" {
		b.WriteString(" shadow=" + it.n.Shadow)
	}
	for _, s := range stateNames(it.n) {
		b.WriteString(" [" + strings.ToUpper(s) + "]")
	}
	if w.o.MarkCovered {
		w.covered(&b, it.n)
	}
	return b.String()
}

// pad writes a column and the space after it.
func pad(b *strings.Builder, s string, width int) {
	b.WriteString(s)
	for i := utf8.RuneCountInString(s); i < width; i++ {
		b.WriteByte(' ')
	}
	b.WriteByte(' ')
}

// choiceList writes the options of a select.
func (w *wraith) choiceList(b *strings.Builder, it *wraithItem) {
	for i, s := range it.options {
		if i == 0 {
			b.WriteString(" options=[")
		} else {
			b.WriteByte(',')
		}
		b.WriteString(w.quote(s))
	}
	if len(it.options) > 0 {
		b.WriteByte(']')
	}
	if it.more > 0 {
		b.WriteString(" +" + decimal(it.more))
	}
}

// covered writes the tag of an element that a click would not reach.
func (w *wraith) covered(b *strings.Builder, n *snapshot.Node) {
	if n.Occlusion == nil || n.Occlusion.State != snapshot.Covered {
		return
	}
	b.WriteString(" [COVERED")
	if ref := covererRef(w.t, n); ref > 0 {
		b.WriteString(" by @e" + decimal(ref))
	}
	b.WriteByte(']')
}

// covererRef is the ref of what lies over the element, or of the numbered element
// that it belongs to; 0 where neither is known.
func covererRef(t *snapshot.Tree, n *snapshot.Node) int {
	if n.Occlusion == nil || n.Occlusion.Coverer == nil {
		return 0
	}
	by := t.Node(*n.Occlusion.Coverer)
	if by == nil {
		return 0
	}
	if by.Ref > 0 {
		return by.Ref
	}
	for up := range t.Ancestors(by.I) {
		if up.Ref > 0 {
			return up.Ref
		}
	}
	return 0
}

// wraithGuard puts a backslash before a plain line that begins like one of this
// format's.
func wraithGuard(s string) string {
	for _, p := range []string{"⚠", "Page:"} {
		if strings.HasPrefix(s, p) {
			return `\` + s
		}
	}
	return guard(s)
}
