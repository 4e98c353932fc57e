package payload

import (
	"fmt"
	"slices"
	"strings"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/sentrequest"
	"github.com/refscope/refscope/snapshot/doctor"
	"github.com/refscope/refscope/snapshot/payload"
	"github.com/refscope/refscope/snapshot/text"
)

// requestOf is the report on the payload that is chosen, nil where it is none of a request or not
// there yet.
func requestOf(s core.State, c core.PayloadChoice) *doctor.Report {
	if r := sentrequest.Of(s); c.Stored > 0 && r.Stored == c.Stored && r.Turn == s.Current {
		return r.Report
	}
	return nil
}

// requestSections are the sections of a request in the order of its bytes, which is not always
// the one in which the model reads them.
func requestSections(r *doctor.Report, body []byte) []payload.Section {
	var out []payload.Section
	for _, s := range r.Sections {
		if s.Bytes[0] < 0 || s.Bytes[1] > len(body) || s.Bytes[0] >= s.Bytes[1] {
			continue
		}
		out = append(out, payload.Section{Name: s.Name, Start: s.Bytes[0], End: s.Bytes[1],
			Chars: len([]rune(string(body[s.Bytes[0]:s.Bytes[1]]))), Tokens: s.Tokens,
			TokensHow: aboutSection(s, r.Prefix)})
	}
	slices.SortStableFunc(out, func(a, b payload.Section) int { return a.Start - b.Start })
	return out
}

// aboutSection is what is known of a section: whose it is, what is new, its pictures at the size
// that the model sees, and whether the prompt cache broke in it.
func aboutSection(s doctor.Section, prefix *doctor.Prefix) string {
	facts := []string{s.Role}
	if s.New && prefix != nil {
		facts = append(facts, "new")
	}
	if prefix != nil && prefix.Broken == s.Name {
		facts = append(facts, "the cache breaks here")
	}
	if s.Format != "" {
		facts = append(facts, s.Format)
	}
	for _, p := range s.Images {
		words := fmt.Sprintf("picture %d x %d", p.Width, p.Height)
		if p.SeenWidth != p.Width || p.SeenHeight != p.Height {
			words += fmt.Sprintf(", seen as %d x %d", p.SeenWidth, p.SeenHeight)
		}
		if p.Problem != "" {
			words = "picture: " + p.Problem
		}
		facts = append(facts, words)
	}
	return strings.Join(facts, " · ")
}

// requestFacts are about the whole request: tokens, what the prompt cache holds of it, the page.
func requestFacts(r *doctor.Report) []core.StatusItem {
	out := []core.StatusItem{{Text: r.Cost(), Tone: core.ToneMuted}}
	if p := r.Prefix; p != nil {
		out = append(out, core.StatusItem{Text: text.Thousands(p.Tokens) + " as in turn " + fmt.Sprint(p.Turn),
			Tone: core.ToneGood})
		if p.Broken != "" {
			out = append(out, core.StatusItem{Text: fmt.Sprintf("cache broken at %s, byte %s, %s lost",
				text.Line(p.Broken),
				text.Thousands(p.At), text.Count(p.Lost, "token", "tokens")), Tone: core.ToneWarn})
		}
	}
	if !r.Paired {
		out = append(out, core.StatusItem{Text: "no matching page", Tone: core.ToneWarn})
	}
	return out
}

// textToggled shows the text of the page in the request, each line with its element, in the place
// of the bytes.
func textToggled() core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		m := edit(&s)
		m.Text, m.Pretty = !m.Text, false
		return s, nil
	})
}

// CmdText shows the text of the page in the request.
const CmdText = "payload.text"

// textInView reports whether the text of the page in the request is in view.
func textInView(s core.State) bool { return Of(s).Text && canText(s) }

func canText(s core.State) bool {
	r := sentrequest.Of(s)
	return r.Sent != nil && requestOf(s, Of(s).Choice) != nil
}

// textBody is that text, and facts about how much of it is known.
func textBody(s core.State) (core.DumpVM, []core.StatusItem) {
	r := sentrequest.Of(s)
	listed := r.Report.Texts[len(r.Report.Texts)-1]
	return core.DumpVM{Version: 3, Doc: r.Sent.Doc, Selected: s.Selected.Key(), Hover: s.Hover.Key(), ByNode: true},
		[]core.StatusItem{{Text: string(listed.Format), Tone: core.ToneGood},
			{Text: fmt.Sprintf("%d of %s on the page", listed.Matched,
				text.Count(len(listed.Lines), "element", "elements")), Tone: core.ToneMuted}}
}
