package report

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"io"

	"github.com/refscope/refscope/overlay"
)

//go:embed report.css
var styleText string

//go:embed report.js
var scriptText string

//go:embed report.tmpl
var markup string

// page writes the parts of the file.
type page struct{ t *template.Template }

func newPage() (*page, error) {
	t, err := template.New("report").Funcs(template.FuncMap{"bytes": sizeWords, "num": grouped,
		"dict": dict}).Parse(markup)
	if err != nil {
		return nil, fmt.Errorf("report: its template: %w", err)
	}
	return &page{t}, nil
}

// dict hands several values to a template: key, value, key, value.
func dict(pairs ...any) (map[string]any, error) {
	if len(pairs)%2 != 0 {
		return nil, errors.New("dict: a key without a value")
	}
	m := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		m[fmt.Sprint(pairs[i])] = pairs[i+1]
	}
	return m, nil
}

// policy is the content security policy: nothing but data: pictures, this style sheet
// and this script.
func policy() string {
	return "default-src 'none'; img-src data:; style-src " + SourceHash(styleText) + "; script-src " +
		SourceHash(scriptText) +
		"; base-uri 'none'; form-action 'none'"
}

// SourceHash is the source expression that allows one inline style or script in a content
// security policy (CSP Level 3, 2.3.1).
func SourceHash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

func (p *page) head(w io.Writer, h *headView) error {
	h.Policy, h.Style = policy(), template.CSS(styleText)
	if err := p.t.ExecuteTemplate(w, "head", h); err != nil {
		return fmt.Errorf("report: its head: %w", err)
	}
	return nil
}

func (p *page) turn(w io.Writer, v *turnView) error { return p.t.ExecuteTemplate(w, "turn", v) }

func (p *page) foot(w io.Writer) error {
	if err := p.t.ExecuteTemplate(w, "foot", template.JS(scriptText)); err != nil {
		return fmt.Errorf("report: its end: %w", err)
	}
	return nil
}

// picture writes the definition of a picture: base64, digits and hexadecimal only. It
// is not for the template, which would look at every byte of it again.
func (p *page) picture(w io.Writer, st *stage, format overlay.Format, data []byte) error {
	if _, err := fmt.Fprintf(w, `<svg class="defs" width="0" height="0" aria-hidden="true"><defs><image id="p-%s" width="%d" height="%d" href="data:%s;base64,`,
		st.Picture, st.Width, st.Height, format); err != nil {
		return err
	}
	enc := base64.NewEncoder(base64.StdEncoding, w)
	if _, err := enc.Write(data); err != nil {
		return err
	}
	if err := enc.Close(); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\"/></defs></svg>\n")
	return err
}
