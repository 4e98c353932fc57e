package report

import (
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"

	"github.com/refscope/refscope/snapshot/runs"
	"github.com/refscope/refscope/snapshot/text"
)

//go:embed comparison.tmpl
var comparisonMarkup string

// Comparison is what [WriteComparison] writes of two runs.
type Comparison struct {
	*runs.Comparison
	NameA, NameB string
	// PictureA and PictureB are the clean PNGs of the two turns of the first divergence; nil
	// where there is none.
	PictureA, PictureB []byte
}

// comparisonView is what the template shows.
type comparisonView struct {
	Policy       string
	Style        template.CSS
	NameA, NameB string
	Labels       []comparisonLabel
	Verdict      string
	Details      []string
	TurnA, TurnB int
	// PictureA and PictureB are data: addresses of PNGs of ours.
	PictureA, PictureB template.URL
	Rows               []comparisonRow
	Notes              []string
}

// comparisonLabel is why a run ended as it did, as somebody sorted it.
type comparisonLabel struct{ Run, Label, Note string }

// comparisonRow is one place of the two runs.
type comparisonRow struct {
	A, B    string // numbers of the turns, "" for none
	Tone    tone
	Word    string // "same", or the cause
	Details []string
	First   bool
}

// WriteComparison writes one HTML file of two runs: where they parted and why, both pictures
// of that turn, and every turn of the one beside its turn of the other. As the report of a
// session it asks nobody for anything and runs no script.
func WriteComparison(w io.Writer, c Comparison) error {
	t, err := template.New("comparison").Parse(comparisonMarkup)
	if err != nil {
		return fmt.Errorf("comparison: its template: %w", err)
	}
	v := comparisonView{
		Policy: "default-src 'none'; img-src data:; style-src " + SourceHash(styleText) +
			"; base-uri 'none'; form-action 'none'",
		Style: template.CSS(styleText), NameA: text.Line(c.NameA), NameB: text.Line(c.NameB), Notes: c.Notes,
		Verdict: c.Verdict(),
	}
	for i, l := range []*runs.Label{c.LabelA, c.LabelB} {
		if l != nil {
			v.Labels = append(v.Labels, comparisonLabel{[]string{v.NameA, v.NameB}[i], text.Line(l.Label),
				text.Lines(l.Note)})
		}
	}
	if d := c.Divergence(); d != nil {
		v.Details, v.TurnA, v.TurnB = d.Details, d.A, d.B
		v.PictureA, v.PictureB = pngAddress(c.PictureA), pngAddress(c.PictureB)
	}
	for i, r := range c.Rows {
		row := comparisonRow{A: turnWord(r.A), B: turnWord(r.B), Word: r.Word(), Tone: good, Details: r.Details,
			First: i == c.First}
		switch {
		case r.Cause != "":
			row.Tone = bad
		case r.A == 0 || r.B == 0:
			row.Tone = warn
		}
		v.Rows = append(v.Rows, row)
	}
	if err := t.ExecuteTemplate(w, "comparison", &v); err != nil {
		return fmt.Errorf("comparison: %w", err)
	}
	return nil
}

func turnWord(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint("turn ", n)
}

// pngAddress is a picture as an address; "" for none.
func pngAddress(png []byte) template.URL {
	if png == nil {
		return ""
	}
	return template.URL("data:image/png;base64," + base64.StdEncoding.EncodeToString(png))
}
