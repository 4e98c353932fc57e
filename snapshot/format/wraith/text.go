package wraith

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/text"
)

// How the agent text spells its lines.

// Column widths of an element's line, in characters (engines.md 1.3).
const (
	refWidth  = 6
	roleWidth = 12
)

// header is the line that names the page.
func (w *wraith) header() string {
	title := w.cut(-1, "title", text.CollapseSpace(w.Capture.Title), capText)
	address := w.cut(-1, "address", text.CollapseSpace(w.Capture.URL), dump.CapURL)
	return "Page: " + string(w.profile.quote(nil, title)) + " (" + text.Visible(address) + ")"
}

// warning is the line about something that covers the page, with what to press.
func (w *wraith) warning(o snapshot.Overlay) string {
	title := text.Cut(text.CollapseSpace(o.Title), capText)
	s := "⚠ OVERLAY DETECTED: [" + overlayKind(o.Kind) + "] " + string(w.profile.quote(nil, title))
	return s + w.profile.press(w.pressed(o))
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
func (w *wraith) line(b []byte, it *item) []byte {
	b = pad(strconv.AppendInt(append(b, "@e"...), int64(it.n.Ref), 10), len(b), refWidth)
	b = pad(append(append(append(b, '['), it.role...), ']'), len(b), roleWidth)
	b = w.profile.quote(b, it.text)
	b = w.attr(b, "placeholder", it.placeholder)
	b = w.attr(b, "value", it.value)
	if !w.profile.additions {
		if !dump.Usable(it.n) {
			b = append(b, " [DISABLED]"...)
		}
		return b
	}
	b = w.attr(b, "label", it.label)
	if it.guessed() {
		b = append(b, " [GUESSED]"...)
	}
	b = w.attr(b, "type", it.kind)
	if l := int(it.n.States.Number("level")); it.role == "heading" && l > 0 && l < 100 {
		b = append(append(b, " level="...), strconv.Itoa(l)...)
	}
	b = w.choiceList(b, it)
	if it.text == "" && it.label == "" {
		b = w.attr(b, "href", it.href)
	}
	b = w.attr(b, "src", it.src)
	b = w.attr(b, "unreadable", it.why)
	if it.frame > 0 {
		b = append(append(b, " frame=@e"...), strconv.Itoa(it.frame)...)
	}
	if it.n.Shadow == "open" || it.n.Shadow == "closed" {
		b = append(append(b, " shadow="...), it.n.Shadow...)
	}
	for _, s := range dump.StateNames(it.n) {
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
	return w.profile.quote(b, s)
}

// pad fills up the column that begins at byte start and appends the space after it.
func pad(b []byte, start, width int) []byte {
	for i := utf8.RuneCount(b[start:]); i < width; i++ {
		b = append(b, ' ')
	}
	return append(b, ' ')
}

// choiceList appends the options of a select.
func (w *wraith) choiceList(b []byte, it *item) []byte {
	for i, s := range it.options {
		if i == 0 {
			b = append(b, " options=["...)
		} else {
			b = append(b, ',')
		}
		if b = w.profile.quote(b, s); it.off[i] {
			b = append(b, " disabled"...)
		}
	}
	if len(it.options) > 0 {
		b = append(b, ']')
	}
	if it.more > 0 {
		b = append(append(b, " +"...), strconv.Itoa(it.more)...)
	}
	return b
}

// covered appends the tag of an element that a click would not reach.
func (w *wraith) covered(b []byte, n *snapshot.Node) []byte {
	if n.Occlusion == nil || n.Occlusion.State != snapshot.Covered {
		return b
	}
	b = append(b, " [COVERED"...)
	if by, _ := dump.Coverer(w.t, n, dump.HasRef); by != nil {
		b = append(append(b, " by @e"...), strconv.Itoa(by.Ref)...)
	}
	return append(b, ']')
}

// guard puts a backslash before a plain line that begins like one of this
// format's.
func guard(s string) string {
	for _, p := range []string{"⚠", "Page:"} {
		if strings.HasPrefix(s, p) {
			return `\` + s
		}
	}
	return dump.Guard(s)
}
