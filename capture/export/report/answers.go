package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"

	"github.com/refscope/refscope/capture/agent/ask"
	"github.com/refscope/refscope/snapshot/doctor"
	"github.com/refscope/refscope/snapshot/text"
)

//go:embed answers.tmpl
var answersMarkup string

// answersView is what the template shows.
type answersView struct {
	Policy          string
	Style           template.CSS
	Turns, Variants string
	Sums            []answersSum
	Rows            []answersRow
}

type answersSum struct {
	Name, Answered, Hits, Input, Output string
	Tone                                tone
}

type answersRow struct {
	Turn, Variant, N, Outcome, Element, Answer string
	Tone                                       tone
}

// WriteAnswers writes one HTML file of the table of a suite. As the report of a session it asks
// nobody for anything and runs no script.
func WriteAnswers(w io.Writer, t *ask.Table) error {
	markup, err := template.New("answers").Parse(answersMarkup)
	if err != nil {
		return fmt.Errorf("answers: its template: %w", err)
	}
	turns := map[string]bool{}
	v := answersView{
		Policy: "default-src 'none'; img-src data:; style-src " + SourceHash(styleText) +
			"; base-uri 'none'; form-action 'none'",
		Style: template.CSS(styleText), Variants: text.Count(len(t.Variants), "variant", "variants"),
	}
	for _, s := range t.Variants {
		row := answersSum{Name: text.Line(s.Variant), Answered: fmt.Sprintf("%d of %d", s.Answered, s.Asked),
			Hits:  "not graded",
			Input: text.Thousands(s.Input), Output: text.Thousands(s.Output), Tone: plain}
		if s.Graded > 0 {
			row.Hits, row.Tone = fmt.Sprintf("%d of %d, %.0f %%", s.Hits, s.Graded, s.Share*100), warn
			if s.Hits == s.Graded {
				row.Tone = good
			}
		}
		v.Sums = append(v.Sums, row)
	}
	for i := range t.Rows {
		r := &t.Rows[i]
		turns[r.Turn] = true
		row := answersRow{Turn: text.Line(r.Turn), Variant: text.Line(r.Variant), N: fmt.Sprint(r.N),
			Outcome: "answered", Answer: text.Line(r.Answer), Tone: plain}
		switch g := r.Grade; {
		case !r.Answered():
			row.Outcome, row.Tone = "no answer", bad
		case g != nil && g.Outcome == doctor.Hits:
			row.Outcome, row.Element, row.Tone = string(g.Outcome), text.Line(g.Element), good
		case g != nil:
			row.Outcome, row.Element, row.Tone = string(g.Outcome), text.Line(g.Element), warn
		}
		v.Rows = append(v.Rows, row)
	}
	v.Turns = text.Count(len(turns), "turn", "turns")
	if err := markup.ExecuteTemplate(w, "answers", &v); err != nil {
		return fmt.Errorf("answers: %w", err)
	}
	return nil
}
