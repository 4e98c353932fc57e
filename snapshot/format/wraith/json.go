package wraith

import (
	"cmp"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/ordered"
	"github.com/refscope/refscope/snapshot/text"
)

// The wraith-json format: DomSnapshot with its DomElements and PageMeta (W-1, W-2).
//
//	{"url":…,"title":…,"elements":[
//	{"ref_id":12,"role":"textbox","text":null,"href":null,"placeholder":"Email address","value":null,
//	 "enabled":true,"visible":true,"aria_label":null,
//	 "selector":"html > body:nth-child(2) > …","bounds":[8,40,200,21]},
//	…
//	],"meta":{"page_type":null,"main_content_preview":…,"description":…,"form_count":1,"has_login_form":false,
//	 "has_captcha":false,"interactive_element_count":3,"overlays":[["4","cookie_banner","We use cookies"]]},
//	"timestamp":null,"estimated_tokens":61}
//
// It is one JSON value; a line feed comes before and after each element and nowhere
// else. The elements are those of the agent text, in its order, with its cuts.
//
//   - All fields of the seed's structs are always there; what is unknown is null.
//   - ref_id is the ref number. enabled is false for what is disabled or inert. selector is
//     the capture's unique path. bounds are x, y, width, height in CSS px of the viewport.
//   - An overlay is the ref to press as a string ("" where none is known), kind, title.
//   - timestamp is when the capture was taken (RFC 3339), and null unless Options.Volatile or
//     Compat ask for what differs between two captures of an unchanged page.
//   - estimated_tokens are the characters of the whole agent text / 4 (W-5); under compat,
//     which does not print it, the seed's method counts bytes.
//   - Added where they hold: label, type, level, options, disabled_options (those that nobody can choose) and
//     more_options, states (see stateNames), src, frame (ref of the frame element), shadow, unreadable, covered_by (the
//     ref of what a click lands on, 0 where that has none).
//
// With MaxChars, MaxTokens or MaxNodes, elements that do not fit are cut from the end and
// counted as meta.cut_elements. Compat prints the seed's fields alone, of the elements that the
// compat text lists.

// RenderJSON renders the list as JSON.
func RenderJSON(p *dump.Page, o dump.Common) *dump.Builder {
	w := newWraith(p, o)
	w.writeJSON()
	return w.Builder
}

// writeJSON puts the snapshot together. The builder's lines follow the line feeds.
func (w *wraith) writeJSON() {
	var j ordered.Writer
	j.Open("", '{').String("url", text.CollapseSpace(w.Capture.URL)).String("title",
		text.CollapseSpace(w.Capture.Title))
	head := j.Open("elements", '[').Out
	tokens := w.estimatedTokens()
	entries := make([]string, len(w.items))
	var b []byte
	for i := range w.items {
		b = w.entry(b[:0], &w.items[i])
		entries[i] = string(b)
	}
	order := w.o.ViewFirst(len(entries), func(i int) *snapshot.Node { return w.items[i].n })
	text := func(keep int) string {
		size := len(head) + 512
		for _, i := range order[:keep] {
			size += len(entries[i]) + 2
		}
		b := append(make([]byte, 0, size), head...)
		for k, i := range slices.Sorted(slices.Values(order[:keep])) {
			b = append(append(b, '\n'), entries[i]...)
			if k < keep-1 {
				b = append(b, ',')
			}
		}
		return string(append(append(b, '\n'), w.tail(tokens, len(entries)-keep)...))
	}
	keep, limit := w.o.Budget(0).Fit(len(entries),
		func(i int) int { return utf8.RuneCountInString(entries[order[i]]) + 2 }, text)
	w.Out = make([]byte, 0, 1_024+len(head)+len(w.items)*256)
	w.Add(nil, 0, string(head))
	for k, i := range slices.Sorted(slices.Values(order[:keep])) {
		e := entries[i]
		if k < keep-1 {
			e += ","
		}
		w.Add(w.items[i].n, 0, e)
	}
	for _, i := range order[keep:] {
		w.Omit(w.items[i].n.I, dump.ReasonCut, limit.Beyond())
	}
	w.Truncated = keep < len(entries)
	w.Add(nil, 0, string(w.tail(tokens, len(entries)-keep)))
}

// estimatedTokens is the seed's estimate for the agent text of the same elements.
func (w *wraith) estimatedTokens() int {
	text := &wraith{Builder: dump.NewBuilder(w.Page), t: w.t, o: w.o, profile: w.profile, frames: w.frames,
		items: w.items}
	text.writeText()
	return w.profile.size(text.Out) / 4
}

// entry appends one DomElement.
func (w *wraith) entry(b []byte, it *item) []byte {
	n, j := it.n, ordered.Writer{Out: b}
	j.Open("", '{').Int("ref_id", n.Ref).String("role", it.role).OrNull("text", it.text).OrNull("href", it.href)
	j.OrNull("placeholder", it.placeholder).OrNull("value", it.value)
	j.Bool("enabled", dump.Usable(n)).Bool("visible", n.Visible)
	j.OrNull("aria_label", text.Cut(text.CollapseSpace(n.Attr("aria-label")), capText)).String("selector", n.Path)
	if n.Box == (snapshot.Box{}) {
		j.Raw("bounds", "null")
	} else {
		j.Hundredths("bounds", n.Box[:]...)
	}
	if w.profile.additions {
		w.additions(&j, it)
	}
	return j.Close("}").Out
}

// additions writes the fields that the seed's DomElement lacks, where they hold.
func (w *wraith) additions(j *ordered.Writer, it *item) {
	n := it.n
	j.Optional("label", it.label).True("guessed", it.guessed()).Optional("type", it.kind)
	if l := int(n.States.Number("level")); it.role == "heading" && l > 0 && l < 100 {
		j.Int("level", l)
	}
	var off []string
	for i, s := range it.options {
		if it.off[i] {
			off = append(off, s)
		}
	}
	j.Strings("options", it.options).Strings("disabled_options", off).Positive("more_options", it.more)
	j.Strings("states", dump.StateNames(n))
	j.Optional("src", it.src).Positive("frame", it.frame).Optional("shadow", n.Shadow).Optional("unreadable", it.why)
	if n.Occlusion != nil && n.Occlusion.State == snapshot.Covered {
		if by, what := dump.Coverer(w.t, n, dump.HasRef); by != nil {
			j.Int("covered_by", by.Ref)
		} else {
			j.String("covered_by", cmp.Or(what, "what is around it"))
		}
	}
}

// tail is the text after the elements.
func (w *wraith) tail(tokens, cutElements int) []byte {
	p := w.Capture.Page
	j := ordered.Writer{Out: []byte("]")}
	j.Open("meta", '{').OrNull("page_type", text.CollapseSpace(p.Type)).OrNull("main_content_preview", w.preview())
	j.OrNull("description", text.Cut(text.CollapseSpace(p.Description), capPreview)).Int("form_count", p.FormCount)
	j.Bool("has_login_form", p.HasLoginForm).Bool("has_captcha", p.HasCaptcha)
	j.Int("interactive_element_count", p.InteractiveCount).Open("overlays", '[')
	for _, o := range p.Overlays {
		press := ""
		if ref := w.pressed(o); ref > 0 {
			press = strconv.Itoa(ref)
		}
		title := text.Cut(text.CollapseSpace(o.Title), capText)
		j.Open("", '[').String("", press).String("", overlayKind(o.Kind)).String("", title).Close("]")
	}
	j.Close("]").Positive("cut_elements", cutElements).Close("}")
	if (w.o.Volatile || w.profile.timestamp) && !w.Capture.TakenAt.IsZero() {
		j.String("timestamp", w.Capture.TakenAt.UTC().Format(time.RFC3339Nano))
	} else {
		j.Raw("timestamp", "null")
	}
	if w.profile.additions {
		j.Int("estimated_tokens", tokens)
	}
	return j.Close("}").Out
}
