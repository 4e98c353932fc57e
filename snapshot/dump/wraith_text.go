package dump

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/text"
)

// How the agent text spells its lines.

// Column widths of an element's line, in characters (engines.md 1.3).
const (
	wraithRefWidth  = 6
	wraithRoleWidth = 12
)

func decimal(n int) string { return strconv.Itoa(n) }

// quote appends a text of the page in quotes.
func (w *wraith) quote(b []byte, s string) []byte {
	if w.o.Compat {
		return append(append(append(b, '"'), text.Visible(text.Squash(s))...), '"')
	}
	return text.AppendJSON(b, s)
}

// header is the line that names the page.
func (w *wraith) header() string {
	title := w.cut(-1, "title", text.Squash(w.c.Title), capWraithText)
	address := w.cut(-1, "address", text.Squash(w.c.URL), capURL)
	return "Page: " + string(w.quote(nil, title)) + " (" + text.Visible(address) + ")"
}

// warning is the line about something that covers the page, with what to press.
func (w *wraith) warning(o snapshot.Overlay) string {
	title := text.Cut(text.Squash(o.Title), capWraithText)
	s := "⚠ OVERLAY DETECTED: [" + overlayKind(o.Kind) + "] " + string(w.quote(nil, title))
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

// line appends the line of one element.
func (w *wraith) line(b []byte, it *wraithItem) []byte {
	b = pad(strconv.AppendInt(append(b, "@e"...), int64(it.n.Ref), 10), len(b), wraithRefWidth)
	b = pad(append(append(append(b, '['), it.role...), ']'), len(b), wraithRoleWidth)
	b = w.quote(b, it.text)
	b = w.attr(b, "placeholder", it.placeholder)
	b = w.attr(b, "value", it.value)
	if w.o.Compat {
		if !usable(it.n) {
			b = append(b, " [DISABLED]"...)
		}
		return b
	}
	b = w.attr(b, "label", it.label)
	b = w.attr(b, "type", it.kind)
	if l := int(it.n.States.Number("level")); it.role == "heading" && l > 0 && l < 100 {
		b = append(append(b, " level="...), decimal(l)...)
	}
	b = w.choiceList(b, it)
	if it.text == "" && it.label == "" {
		b = w.attr(b, "href", it.href)
	}
	b = w.attr(b, "src", it.src)
	b = w.attr(b, "unreadable", it.why)
	if it.frame > 0 {
		b = append(append(b, " frame=@e"...), decimal(it.frame)...)
	}
	if it.n.Shadow == "open" || it.n.Shadow == "closed" {
		b = append(append(b, " shadow="...), it.n.Shadow...)
	}
	for _, s := range stateNames(it.n) {
		b = append(append(append(b, " ["...), strings.ToUpper(s)...), ']')
	}
	if w.o.MarkCovered {
		b = w.covered(b, it.n)
	}
	return b
}

// attr appends an attribute, nothing for an empty one.
func (w *wraith) attr(b []byte, name, s string) []byte {
	if s == "" {
		return b
	}
	b = append(append(append(b, ' '), name...), '=')
	return w.quote(b, s)
}

// pad fills up the column that begins at byte start and appends the space after it.
func pad(b []byte, start, width int) []byte {
	for i := utf8.RuneCount(b[start:]); i < width; i++ {
		b = append(b, ' ')
	}
	return append(b, ' ')
}

// choiceList appends the options of a select.
func (w *wraith) choiceList(b []byte, it *wraithItem) []byte {
	for i, s := range it.options {
		if i == 0 {
			b = append(b, " options=["...)
		} else {
			b = append(b, ',')
		}
		b = w.quote(b, s)
	}
	if len(it.options) > 0 {
		b = append(b, ']')
	}
	if it.more > 0 {
		b = append(append(b, " +"...), decimal(it.more)...)
	}
	return b
}

// covered appends the tag of an element that a click would not reach.
func (w *wraith) covered(b []byte, n *snapshot.Node) []byte {
	if n.Occlusion == nil || n.Occlusion.State != snapshot.Covered {
		return b
	}
	b = append(b, " [COVERED"...)
	if ref := covererRef(w.t, n); ref > 0 {
		b = append(append(b, " by @e"...), decimal(ref)...)
	}
	return append(b, ']')
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
