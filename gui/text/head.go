package text

import (
	"slices"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/sentrequest"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/payload"
	"github.com/refscope/refscope/snapshot/text"
)

// HeadVM is the head of the text: the choice of the format, and what the text costs.
// Compare with [HeadVM.Equal].
type HeadVM struct {
	Format  dump.Format
	Sent    bool // it is a format that was sent
	Formats []FormatChoice
	// Attributes are those that can be left out of the text in view, nil for none; Without is
	// how many are.
	Attributes []AttributeChoice
	Without    int
	Costs      []core.StatusItem
	// Used is the share of the limit that the text takes, 0 to 1, negative where the format has
	// no limit; Cut: the limit took something out.
	Used float64
	Cut  bool
}

// FormatChoice is one line of the choice of formats.
type FormatChoice struct {
	Format dump.Format
	// On: it is in view. Sent: an agent was sent it in this turn. Gap: a line is above it.
	On, Sent, Gap bool
}

// Equal reports whether both show the same.
func (v HeadVM) Equal(o HeadVM) bool {
	return v.Format == o.Format && v.Sent == o.Sent && v.Used == o.Used && v.Cut == o.Cut &&
		v.Without == o.Without && slices.Equal(v.Formats, o.Formats) && slices.Equal(v.Attributes, o.Attributes) &&
		slices.Equal(v.Costs, o.Costs)
}

// headOf is the head of the text.
func headOf(s core.State) HeadVM {
	sent := modelOf(s).Sent
	v := HeadVM{Format: s.Format, Sent: slices.Contains(sent, s.Format), Used: -1}
	var used, others []FormatChoice
	for _, f := range s.Used {
		if f != "" {
			used = append(used, FormatChoice{Format: f, On: f == s.Format, Sent: slices.Contains(sent, f)})
		}
	}
	for _, f := range s.Formats {
		if !slices.Contains(s.Used[:], f) {
			others = append(others, FormatChoice{Format: f, On: f == s.Format, Sent: slices.Contains(sent, f)})
		}
	}
	if len(used) > 0 && len(others) > 0 {
		others[0].Gap = true
	}
	v.Formats = append(used, others...)
	asSent := SentInView(s)
	if sentDoc(s) != nil {
		if len(v.Formats) > 0 {
			v.Formats[0].Gap = true
		}
		v.Formats = append([]FormatChoice{{Format: sentrequest.Format, On: asSent, Sent: true}}, v.Formats...)
	}
	if asSent {
		v.Format, v.Sent = sentrequest.Format, true
		for i := range v.Formats[1:] {
			v.Formats[i+1].On = false
		}
		v.Costs = sentFacts(s)
		return v
	}

	d := s.Doc(s.Format)
	if s.Current == nil || d == nil || d.Doc == nil || pageless(s) {
		return v
	}
	v.Attributes = attributeChoices(s, d)
	for _, a := range v.Attributes {
		if !a.On {
			v.Without++
		}
	}
	v.Cut = d.Doc.Truncated
	add := func(words string) { v.Costs = append(v.Costs, core.StatusItem{Text: words, Tone: core.ToneMuted}) }
	if most := format.Limit(s.Format); most > 0 {
		v.Used = min(1, float64(d.Chars)/float64(most))
		add(text.Thousands(d.Chars) + " of " + text.Count(most, "character", "characters"))
		if v.Cut {
			v.Costs[0].Tone = core.ToneWarn
		}
	}
	add(core.TokenWords(d.Tokens))
	return v
}

// sentFacts are about the text as it was sent: how it is written, what it costs, and how much of it is known on the
// page.
func sentFacts(s core.State) []core.StatusItem {
	r, d := sentrequest.Of(s), sentDoc(s)
	listed := r.Report.Texts[len(r.Report.Texts)-1]
	tied := core.StatusItem{Text: text.Thousands(listed.Matched) + " of " + text.Thousands(len(listed.Lines)) + " tied",
		Tone: core.ToneGood}
	switch {
	case !r.Report.Paired:
		tied = core.StatusItem{Text: "no page to tie it to", Tone: core.ToneMuted}
	case listed.Matched < len(listed.Lines):
		tied.Tone = core.ToneWarn
	}
	kind := text.Cut(text.Line(string(listed.Format)), 32)
	if listed.Guessed {
		kind += ", guessed"
	}
	return []core.StatusItem{{Text: kind, Tone: core.ToneNormal},
		{Text: text.Count(len(d.Doc.Lines), "line", "lines"), Tone: core.ToneMuted},
		{Text: core.TokenWords(d.Tokens), Tone: core.ToneMuted}, tied}
}

// sentIn are the text formats that the stored payloads of a turn show to have been sent.
func sentIn(t *core.Turn) []dump.Format {
	var out []dump.Format
	if t == nil {
		return nil
	}
	for _, p := range t.Payloads {
		if !p.Wire {
			continue
		}
		if f := payload.Dump(p.Dialect, p.Bytes); f != "" && !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	return out
}
