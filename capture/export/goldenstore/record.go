package goldenstore

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"strings"

	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/audit"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/golden"
	"github.com/refscope/refscope/snapshot/text"
)

// Record is one page, as it was accepted or as it is now.
type Record struct {
	golden.Side
	Picture  []byte // PNG without marks, nil for none
	Chrome   string // the browser's version
	Key      string // of the rules: [golden.Settings.Key]
	Replaced []golden.Replaced
	// Restated are the dumps that this version of Refscope prints otherwise than the one
	// that accepted the page.
	Restated []string

	formats []dump.Format

	files []file // of the folder, but for the picture and page.json
}

// Formats are the dumps that were accepted; of a page as it is now, those that were made.
func (r *Record) Formats() []dump.Format { return r.formats }

// file is one file of a page's folder.
type file struct {
	name string
	data []byte
}

// makeRecord makes the record of a capture with its picture. Where before is not nil, it is
// the accepted record, with which the capture is aligned.
func makeRecord(c *snapshot.Capture, picture []byte, s *golden.Settings, before *Record) (*Record, error) {
	r := &Record{Picture: picture, Chrome: c.Chrome, Key: s.Key}
	r.Capture, r.Replaced = s.Normaliser.Capture(c)
	if before != nil {
		r.Capture = golden.Align(before.Capture, r.Capture, s.Move, golden.Loose(c, r.Capture))
	}
	return r, r.render(s)
}

// render makes dumps, marks and audit of the record's capture.
func (r *Record) render(s *golden.Settings) error {
	r.Texts, r.files = nil, nil
	data, err := json.Marshal(r.Capture)
	if err != nil {
		return fmt.Errorf("encoding the capture: %w", err)
	}
	r.files = append(r.files, file{"capture.json", append(data, '\n')})
	page := format.NewPage(r.Capture)
	if r.formats == nil {
		r.formats = s.Formats
	}
	views := make([]audit.View, len(s.Formats))
	for i, f := range s.Formats {
		d, err := page.Render(f, format.Options{})
		if err != nil {
			return err
		}
		r.Texts = append(r.Texts, golden.Text{Name: string(f), Text: d.Text})
		r.files = append(r.files, file{string(f) + format.Extension(f), []byte(d.Text + "\n")})
		views[i].Format = f
	}
	m := r.marks()
	r.Texts = append(r.Texts, golden.Text{Name: "marks", Text: markLines(m)})
	if data, err = indented(m); err != nil {
		return fmt.Errorf("encoding the marks: %w", err)
	}
	r.files = append(r.files, file{"marks.json", data})
	report, err := audit.Run(r.Capture, audit.Options{Views: views})
	if err != nil {
		return err
	}
	r.Texts = append(r.Texts, golden.Text{Name: "audit", Text: auditLines(report)})
	if data, err = indented(report); err != nil {
		return fmt.Errorf("encoding the audit: %w", err)
	}
	r.files = append(r.files, file{"audit.json", data})
	return nil
}

// indented is JSON for people.
func indented(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	err := enc.Encode(v)
	return b.Bytes(), err
}

// marks is the manifest at the size that a picture of the capture has. The picture
// itself is not asked: the same capture gives the same marks.
func (r *Record) marks() overlay.Manifest {
	v := r.Capture.Viewport
	side := func(px float64) int { return int(min(max(px*v.Scale+0.5, 1), 1<<14)) }
	return overlay.NewScene(r.Capture, image.Pt(side(v.Width), side(v.Height)),
		overlay.Options{}).Manifest("picture.png")
}

// markLines describes of each mark what a person would call a change: that it exists, and
// whether it is drawn. The position of its label is not included.
func markLines(m overlay.Manifest) string {
	var lines []string
	for _, k := range m.Marks {
		l := fmt.Sprintf("[%d] %s %s %s", k.Ref, text.Line(k.Role), text.AppendJSON(nil, k.Name), k.Status)
		switch {
		case k.Coverer == nil:
		case k.Status == overlay.Covered:
			l += fmt.Sprintf(" by [%d]", *k.Coverer)
		default:
			l += fmt.Sprintf(", in part under [%d]", *k.Coverer)
		}
		lines = append(lines, l)
	}
	return strings.Join(lines, "\n")
}

// auditLines describes each finding in a line, and how much of what a person sees each
// format lacks, in steps, as the exact share changes with every word of the page.
func auditLines(r *audit.Report) string {
	var lines []string
	for _, f := range r.Findings {
		l := fmt.Sprintf("%s %s: %s", f.Severity, f.Rule, text.EscapeOnce(f.Sentence))
		if f.Evidence != "" {
			l += " (" + text.EscapeOnce(f.Evidence) + ")"
		}
		lines = append(lines, l)
	}
	for _, c := range r.Coverage {
		lines = append(lines,
			fmt.Sprintf("coverage of %s: it lacks %d characters, %d controls, %d pictures of what is in "+
				"view",
				c.Format, c.Text.Seen-c.Text.Has, c.Controls.Seen-c.Controls.Has, c.Pictures.Seen-c.Pictures.Has))
	}
	return strings.Join(lines, "\n")
}
