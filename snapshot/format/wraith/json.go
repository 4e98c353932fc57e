package wraith

import (
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/text"
)

// The wraith-json format: DomSnapshot with its DomElements and PageMeta (W-1, W-2).
//
//	{"url":…,"title":…,"elements":[
//	{"ref_id":12,"role":"textbox","text":null,"href":null,"placeholder":"Email address","value":null,
//	 "enabled":true,"visible":true,"aria_label":null,"selector":"html > body:nth-child(2) > …","bounds":[8,40,200,21]},
//	…
//	],"meta":{"page_type":null,"main_content_preview":…,"description":…,"form_count":1,"has_login_form":false,"has_captcha":false,
//	 "interactive_element_count":3,"overlays":[["4","cookie_banner","We use cookies"]]},"timestamp":null,"estimated_tokens":61}
//
// It is one JSON value; a line feed stands before and after each element and nowhere
// else. The elements are those of the agent text, in its order, with its cuts.
//
//   - All fields of the seed's structs are always there; what is not known is null.
//   - ref_id is the ref number. enabled is false for what is disabled or inert. selector is
//     the capture's unique path. bounds are x, y, width, height in CSS px of the viewport.
//   - An overlay is the ref to press as a string ("" where none is known), kind, title.
//   - timestamp is when the capture was taken (RFC 3339), and null unless Options.Volatile or
//     Compat ask for what differs between two captures of an unchanged page.
//   - estimated_tokens are the characters of the whole agent text / 4 (W-5); under compat,
//     which does not print it, the seed's method counts bytes.
//   - Added where they hold: label, type, level, options and more_options, states (see
//     stateNames), src, frame (ref of the frame element), shadow, unreadable, covered_by (the
//     ref of what a click lands on, 0 where that has none).
//
// With MaxChars, MaxTokens or MaxNodes, elements that do not fit are cut from the end and
// counted as meta.cut_elements. Compat prints the seed's fields alone, of the elements that the
// compat text lists.

func RenderJSON(p *dump.Page, o dump.Common) *dump.Builder {
	w := newWraith(p, o)
	w.writeJSON()
	return w.Builder
}

// writeJSON puts the snapshot together. The builder's lines follow the line feeds.
func (w *wraith) writeJSON() {
	head := text.AppendJSON([]byte(`{"url":`), text.Squash(w.Capture.URL))
	head = text.AppendJSON(append(head, `,"title":`...), text.Squash(w.Capture.Title))
	head = append(head, `,"elements":[`...)
	tokens := w.estimatedTokens()
	entries := make([]string, len(w.items))
	var b []byte
	for i := range w.items {
		b = w.entry(b[:0], &w.items[i])
		entries[i] = string(b)
	}
	text := func(keep int) string {
		size := len(head) + 512
		for _, e := range entries[:keep] {
			size += len(e) + 2
		}
		b := append(make([]byte, 0, size), head...)
		for i, e := range entries[:keep] {
			b = append(append(b, '\n'), e...)
			if i < keep-1 {
				b = append(b, ',')
			}
		}
		return string(append(append(b, '\n'), w.tail(tokens, len(entries)-keep)...))
	}
	keep, limit := w.o.Budget(0).Fit(len(entries), func(i int) int { return utf8.RuneCountInString(entries[i]) + 2 }, text)
	w.Out = make([]byte, 0, 1_024+len(head)+len(w.items)*256)
	w.Add(nil, 0, string(head))
	for i, e := range entries[:keep] {
		if i < keep-1 {
			e += ","
		}
		w.Add(w.items[i].n, 0, e)
	}
	for _, it := range w.items[keep:] {
		w.Omit(it.n.I, dump.ReasonCut, limit.Beyond())
	}
	w.Truncated = keep < len(entries)
	w.Add(nil, 0, string(w.tail(tokens, len(entries)-keep)))
}

// estimatedTokens is the seed's estimate for the agent text of the same elements.
func (w *wraith) estimatedTokens() int {
	text := &wraith{Builder: dump.NewBuilder(w.Page), t: w.t, o: w.o, frames: w.frames, items: w.items}
	text.writeText()
	if w.o.Compat {
		return len(text.Out) / 4
	}
	return utf8.RuneCount(text.Out) / 4
}

// entry appends one DomElement.
func (w *wraith) entry(b []byte, it *item) []byte {
	n := it.n
	b = strconv.AppendInt(append(b, `{"ref_id":`...), int64(n.Ref), 10)
	b = text.AppendJSON(append(b, `,"role":`...), it.role)
	b = dump.OrNull(append(b, `,"text":`...), it.text)
	b = dump.OrNull(append(b, `,"href":`...), it.href)
	b = dump.OrNull(append(b, `,"placeholder":`...), it.placeholder)
	b = dump.OrNull(append(b, `,"value":`...), it.value)
	b = strconv.AppendBool(append(b, `,"enabled":`...), dump.Usable(n))
	b = strconv.AppendBool(append(b, `,"visible":`...), n.Visible)
	aria := text.Cut(text.Squash(n.Attr("aria-label")), capText)
	b = dump.OrNull(append(b, `,"aria_label":`...), aria)
	b = text.AppendJSON(append(b, `,"selector":`...), n.Path)
	b = append(b, `,"bounds":`...)
	if n.Box == (snapshot.Box{}) {
		b = append(b, "null"...)
	} else {
		b = dump.Numbers(b, n.Box[:]...)
	}
	if !w.o.Compat {
		b = w.additions(b, it)
	}
	return append(b, '}')
}

// additions are the fields that the seed's DomElement lacks, where they hold.
func (w *wraith) additions(b []byte, it *item) []byte {
	n := it.n
	b = dump.Optional(b, "label", it.label)
	b = dump.Optional(b, "type", it.kind)
	if l := int(n.States.Number("level")); it.role == "heading" && l > 0 && l < 100 {
		b = strconv.AppendInt(append(b, `,"level":`...), int64(l), 10)
	}
	b = dump.StringList(b, "options", it.options)
	if it.more > 0 {
		b = strconv.AppendInt(append(b, `,"more_options":`...), int64(it.more), 10)
	}
	b = dump.StringList(b, "states", dump.StateNames(n))
	b = dump.Optional(b, "src", it.src)
	if it.frame > 0 {
		b = strconv.AppendInt(append(b, `,"frame":`...), int64(it.frame), 10)
	}
	b = dump.Optional(b, "shadow", n.Shadow)
	b = dump.Optional(b, "unreadable", it.why)
	if n.Occlusion != nil && n.Occlusion.State == snapshot.Covered {
		b = strconv.AppendInt(append(b, `,"covered_by":`...), int64(dump.CovererRef(w.t, n)), 10)
	}
	return b
}

// tail is what follows the elements.
func (w *wraith) tail(tokens, cutElements int) []byte {
	p := w.Capture.Page
	b := dump.OrNull([]byte(`],"meta":{"page_type":`), text.Squash(p.Type))
	b = dump.OrNull(append(b, `,"main_content_preview":`...), w.preview())
	description := text.Cut(text.Squash(p.Description), capPreview)
	b = dump.OrNull(append(b, `,"description":`...), description)
	b = strconv.AppendInt(append(b, `,"form_count":`...), int64(p.FormCount), 10)
	b = strconv.AppendBool(append(b, `,"has_login_form":`...), p.HasLoginForm)
	b = strconv.AppendBool(append(b, `,"has_captcha":`...), p.HasCaptcha)
	b = strconv.AppendInt(append(b, `,"interactive_element_count":`...), int64(p.InteractiveCount), 10)
	b = append(b, `,"overlays":[`...)
	for i, o := range p.Overlays {
		if i > 0 {
			b = append(b, ',')
		}
		press := ""
		if ref := w.pressed(o); ref > 0 {
			press = dump.Decimal(ref)
		}
		title := text.Cut(text.Squash(o.Title), capText)
		b = text.AppendJSON(append(b, '['), press)
		b = text.AppendJSON(append(b, ','), overlayKind(o.Kind))
		b = append(text.AppendJSON(append(b, ','), title), ']')
	}
	b = append(b, ']')
	if cutElements > 0 {
		b = strconv.AppendInt(append(b, `,"cut_elements":`...), int64(cutElements), 10)
	}
	b = append(b, `},"timestamp":`...)
	if (w.o.Volatile || w.o.Compat) && !w.Capture.TakenAt.IsZero() {
		b = text.AppendJSON(b, w.Capture.TakenAt.UTC().Format(time.RFC3339Nano))
	} else {
		b = append(b, "null"...)
	}
	if !w.o.Compat {
		b = strconv.AppendInt(append(b, `,"estimated_tokens":`...), int64(tokens), 10)
	}
	return append(b, '}')
}
