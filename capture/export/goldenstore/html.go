package goldenstore

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"image"
	"io"
	"slices"
	"strings"

	"github.com/refscope/refscope/capture/export/report"
	"github.com/refscope/refscope/overlay/codec"
	"github.com/refscope/refscope/overlay/webp"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/diff"
	"github.com/refscope/refscope/snapshot/golden"
	"github.com/refscope/refscope/snapshot/text"
)

//go:embed accepted.css
var styleText string

//go:embed accepted.tmpl
var markup string

// maxLines is how many lines of one difference the report shows.
const maxLines = 400

// HTML writes one file that shows the results: what is as accepted in a line each, and
// of the rest the changes in words, the pictures accepted, now and their difference with
// boxes around what changed, each text line by line, and what the rules replaced.
//
// It asks nobody for anything: the policy in its head is default-src 'none' with data:
// pictures and this one style sheet by its SHA-256; there is no script. Page text goes
// through html/template, with what cannot be seen spelled out. The same results give the
// same bytes.
func HTML(w io.Writer, title string, results []*Result) error {
	t, err := template.New("accepted").Parse(markup)
	if err != nil {
		return fmt.Errorf("golden report: its template: %w", err)
	}
	v := view{Title: text.Line(title), Style: template.CSS(styleText),
		Policy: "default-src 'none'; img-src data:; style-src " + report.SourceHash(styleText) +
			"; base-uri 'none'; form-action 'none'"}
	for i, r := range results {
		p, err := pageOf(i+1, r)
		if err != nil {
			return err
		}
		v.Pages = append(v.Pages, p)
		switch r.Outcome {
		case golden.Same:
			v.Same++
		case golden.Changed:
			v.Changed++
		default:
			v.Other++
		}
	}
	if err := t.Execute(w, v); err != nil {
		return fmt.Errorf("golden report: %w", err)
	}
	return nil
}

// view is the data of the template.
type view struct {
	Title, Policy        string
	Style                template.CSS
	Same, Changed, Other int
	Pages                []*pageView
}

type pageView struct {
	N                      int
	Name, Target, Sentence string
	Outcome                golden.Outcome
	Tone                   string
	Notes                  []string
	Changes                []lineView
	ChangesLeft            int
	Pictures               []pictureView
	Texts                  []textView
	Replaced               []golden.Replaced
	Masked                 []golden.Masked
}

type lineView struct {
	Class string
	Parts []part
}

// part is a stretch of a line; Hot is what differs from the line that it became or was.
type part struct {
	Text string
	Hot  bool
}

type textView struct {
	Name, Why string
	Gone, New int
	Lines     []lineView
	Left      int
}

type pictureView struct {
	ID, Title, Alt string
	Width, Height  int
	Data           template.URL
	Boxes          []boxView
}

// boxView is a box around what changed, in px of the picture.
type boxView struct {
	X, Y, W, H   int
	Class, Title string
}

func pageOf(n int, r *Result) (*pageView, error) {
	v := &pageView{N: n, Name: text.Line(r.Name), Target: text.Line(r.Target),
		Sentence: text.Line(r.Sentence), Outcome: r.Outcome, Tone: "bad"}
	for _, s := range r.Notes {
		v.Notes = append(v.Notes, text.Line(s))
	}
	for _, x := range r.Replaced {
		shown := golden.Replaced{Rule: text.Line(x.Rule), Count: x.Count}
		for _, e := range x.Examples {
			shown.Examples = append(shown.Examples, text.Line(e))
		}
		v.Replaced = append(v.Replaced, shown)
	}
	for _, m := range r.Masked {
		v.Masked = append(v.Masked, golden.Masked{Rule: text.Line(m.Rule), Was: text.Line(m.Was),
			Now: text.Line(m.Now)})
	}
	if r.Outcome == golden.Same {
		v.Tone = "good"
		return v, nil
	}
	if r.Comparison == nil {
		return v, nil
	}
	v.Tone = "warn"
	v.changes(r.Comparison.Diff)
	for _, t := range r.Comparison.Texts {
		v.Texts = append(v.Texts, textOf(t))
	}
	return v, v.pictures(r)
}

// changes are the lines of the report in words, without the address.
func (v *pageView) changes(d *diff.Diff) {
	if d.Empty() {
		return
	}
	for _, l := range d.ReportLines()[1:] {
		class := "fact"
		switch {
		case strings.HasPrefix(l.Text, "- "):
			class = "gone"
		case strings.HasPrefix(l.Text, "+ "):
			class = "new"
		case strings.HasPrefix(l.Text, "~ "):
			class = "changed"
		}
		v.Changes = append(v.Changes, lineView{class, []part{{Text: l.Text}}})
	}
	if left := len(v.Changes) - maxLines; left > 0 {
		v.Changes, v.ChangesLeft = v.Changes[:maxLines], left
	}
}

// textOf is a text's difference with two lines around each change.
func textOf(t golden.TextDiff) textView {
	const context = 2
	v := textView{Name: text.Line(t.Name), Why: t.Why, Gone: t.Gone, New: t.New}
	near := make([]bool, len(t.Edits))
	for i, e := range t.Edits {
		if e.Op != diff.Same {
			for j := max(0, i-context); j < min(len(t.Edits), i+context+1); j++ {
				near[j] = true
			}
		}
	}
	skipped := false
	for i, e := range t.Edits {
		if !near[i] {
			skipped = true
			continue
		}
		if skipped {
			v.Lines = append(v.Lines, lineView{"skip", []part{{Text: "⋯"}}})
		}
		skipped = false
		class := "same"
		switch e.Op {
		case diff.Gone:
			class = "gone"
		case diff.New:
			class = "new"
		}
		v.Lines = append(v.Lines, lineView{class, parts(e)})
	}
	if left := len(v.Lines) - maxLines; left > 0 {
		v.Lines, v.Left = v.Lines[:maxLines], left
	}
	return v
}

func parts(e diff.Edit) []part {
	out := []part{{Text: string(e.Op) + " "}}
	at := 0
	for _, m := range e.Marks {
		if m.Start < at || m.End > len(e.Line) {
			continue
		}
		out = append(out, part{Text: e.Line[at:m.Start]}, part{Text: e.Line[m.Start:m.End], Hot: true})
		at = m.End
	}
	return append(out, part{Text: e.Line[at:]})
}

// pictures are accepted, now and difference.
func (v *pageView) pictures(r *Result) error {
	if r.before == nil || r.now == nil {
		return nil
	}
	var e codec.Encoder
	add := func(id, title, alt string, img *image.RGBA) (*pictureView, error) {
		p := pictureView{ID: fmt.Sprintf("p%d-%s", v.N, id), Title: title, Alt: alt, Width: img.Rect.Dx(),
			Height: img.Rect.Dy()}
		format := codec.PNG
		if img.Opaque() && max(p.Width, p.Height) <= webp.MaxSide {
			format = codec.WebP
		}
		data, err := e.EncodeAs(img, format, false)
		if err != nil {
			return nil, fmt.Errorf("golden report: picture of page %q: %w", r.Name, err)
		}
		var b bytes.Buffer
		fmt.Fprintf(&b, "data:%s;base64,", format)
		b.WriteString(base64.StdEncoding.EncodeToString(data))
		p.Data = template.URL(b.String())
		v.Pictures = append(v.Pictures, p)
		return &v.Pictures[len(v.Pictures)-1], nil
	}
	for _, side := range []struct {
		id, title string
		record    *Record
		after     bool
	}{{"was", "Accepted", r.before, false}, {"is", "Now", r.now, true}} {
		if len(side.record.Picture) == 0 {
			continue
		}
		img, err := codec.DecodePNG(side.record.Picture)
		if err != nil {
			continue // the notes report it
		}
		p, err := add(side.id, side.title, "the page: "+strings.ToLower(side.title), img)
		if err != nil {
			return err
		}
		p.boxes(r.Comparison.Diff, side.record.Capture.Viewport.Width, side.after)
	}
	if r.difference != nil {
		_, err := add("diff", "Pixels that differ", "what differs in colour, the rest in grey", r.difference)
		return err
	}
	return nil
}

// boxes outline what changed, each element once, the smaller ones over the larger.
func (p *pictureView) boxes(d *diff.Diff, width float64, after bool) {
	if width <= 0 {
		return
	}
	scale := float64(p.Width) / width
	seen := map[int]bool{}
	for i := range d.Changes {
		c := &d.Changes[i]
		e, class := c.Before, "changed"
		if after {
			e = c.After
		}
		switch c.Kind {
		case diff.Added:
			class = "new"
		case diff.Removed:
			class = "gone"
		}
		if e == nil || seen[e.Node] || e.Box.Empty() {
			continue
		}
		seen[e.Node] = true
		b := e.Box.Scale(scale, scale)
		if b.Right() <= 0 || b.Bottom() <= 0 || b.X() >= float64(p.Width) || b.Y() >= float64(p.Height) {
			continue
		}
		title := text.Line(snapshot.KindOf(e.Role, e.Tag) + " " + e.Name)
		if e.Ref > 0 {
			title = fmt.Sprintf("[%d] %s", e.Ref, title)
		}
		x, y := max(0, int(b.X())), max(0, int(b.Y()))
		p.Boxes = append(p.Boxes, boxView{x, y, min(p.Width, int(b.Right())) - x, min(p.Height, int(b.Bottom())) - y,
			class,
			title})
	}
	slices.SortStableFunc(p.Boxes, func(a, b boxView) int { return cmp.Compare(b.W*b.H, a.W*a.H) })
}
