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
	Comparison
	Policy string
	Style  template.CSS
	Labels []comparisonLabel
	// PictureA and PictureB are data: addresses of PNGs of ours.
	PictureA, PictureB template.URL
	Rows               []comparisonRow
}

// comparisonLabel is why a run ended as it did, as somebody sorted it.
type comparisonLabel struct{ Run, Label, Note string }

// comparisonRow is one place of the two runs.
type comparisonRow struct {
	*runs.Row
	Tone  tone
	First bool
}

// WriteComparison writes one HTML file of two runs: where they parted and why, both pictures
// of that turn, and every turn of the one beside its turn of the other. As the report of a
// session it asks nobody for anything and runs no script.
func WriteComparison(w io.Writer, c Comparison) error {
	t, err := template.New("comparison").Parse(comparisonMarkup)
	if err != nil {
		return fmt.Errorf("comparison: its template: %w", err)
	}
	c.NameA, c.NameB = text.Line(c.NameA), text.Line(c.NameB)
	v := comparisonView{Comparison: c,
		Policy: "default-src 'none'; img-src data:; style-src " + SourceHash(styleText) +
			"; base-uri 'none'; form-action 'none'",
		Style: template.CSS(styleText),
	}
	for i, l := range []*runs.Label{c.LabelA, c.LabelB} {
		if l != nil {
			v.Labels = append(v.Labels, comparisonLabel{[]string{v.NameA, v.NameB}[i], text.Line(l.Label),
				text.Lines(l.Note)})
		}
	}
	if c.Divergence() != nil {
		v.PictureA, v.PictureB = pngAddress(c.PictureA), pngAddress(c.PictureB)
	}
	for i := range c.Rows {
		r := &c.Rows[i]
		row := comparisonRow{Row: r, Tone: good, First: i == c.First}
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

// pngAddress is a picture as an address; "" for none.
func pngAddress(png []byte) template.URL {
	if png == nil {
		return ""
	}
	return template.URL("data:image/png;base64," + base64.StdEncoding.EncodeToString(png))
}
