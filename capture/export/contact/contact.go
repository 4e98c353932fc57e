// Package contact makes the contact sheet of a data set: one HTML file to look through, with what a check found and
// examples, each as the part of its picture around its box.
//
// What comes in is a set that was read and the report of its check; [HTML] writes the file. What a set says may come
// from anybody: it goes through html/template with what cannot be seen spelled out, pictures are encoded anew, and the
// policy in the head lets the file ask nobody for anything.
package contact

import (
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"image"
	"io"
	"io/fs"

	"github.com/refscope/refscope/capture/export/report"
	"github.com/refscope/refscope/overlay/codec"
	"github.com/refscope/refscope/overlay/dataset"
	"github.com/refscope/refscope/snapshot/likeness"
	"github.com/refscope/refscope/snapshot/text"
)

//go:embed contact.css
var styleText string

//go:embed contact.tmpl
var markup string

// maxFindings is how many findings of a rule the sheet shows.
const maxFindings = 60

// thumb is the size of a part of a picture, px.
var thumb = image.Pt(320, 200)

type view struct {
	Title, Policy, Shape string
	Style                template.CSS
	Pictures, Examples   int
	Rules                []ruleView
	Shown                []cardView
}

type ruleView struct {
	Rule, What string
	Count      int
	Cards      []cardView
	More       int
}

type cardView struct {
	Where, Image, Words, Box string
	Picture                  template.URL
	Negative                 bool
	Width, Height            int
}

// HTML writes the sheet of a set in a folder, with that many of its examples, spread evenly over it.
func HTML(w io.Writer, title string, fsys fs.FS, s *dataset.Stored, r *dataset.Report, examples int) error {
	t, err := template.New("contact").Parse(markup)
	if err != nil {
		return fmt.Errorf("contact sheet: its template: %w", err)
	}
	p := &pictures{fsys: fsys}
	v := view{Title: text.Line(title), Shape: string(s.Shape), Style: template.CSS(styleText), Pictures: r.Pictures,
		Examples: r.Examples, Policy: "default-src 'none'; img-src data:; style-src " + report.SourceHash(styleText) +
			"; base-uri 'none'; form-action 'none'"}
	for _, rule := range dataset.Rules() {
		row := ruleView{Rule: string(rule.Rule), What: rule.What, Count: r.Counts[rule.Rule]}
		for i := range r.Findings {
			f := &r.Findings[i]
			if f.Rule != rule.Rule {
				continue
			}
			if len(row.Cards) == maxFindings {
				row.More++
				continue
			}
			row.Cards = append(row.Cards, p.card(f.Where, f.Image, f.Message, f.Box))
		}
		v.Rules = append(v.Rules, row)
	}
	for k := range min(examples, len(s.Items)) {
		it := &s.Items[k*len(s.Items)/min(examples, len(s.Items))]
		words := it.Instruction
		if words == "" {
			words = it.Label
		}
		var box *dataset.Box
		if it.HasBox {
			box = &it.Box
		}
		card := p.card(it.Where, it.Image, words, box)
		card.Negative = it.Negative
		v.Shown = append(v.Shown, card)
	}
	if err := t.Execute(w, v); err != nil {
		return fmt.Errorf("contact sheet: %w", err)
	}
	return nil
}

// pictures opens the pictures of a set, and keeps the last one: neighbours share it.
type pictures struct {
	fsys fs.FS
	name string
	img  image.Image
}

// card is one place of a set. One whose picture cannot be opened has none.
func (p *pictures) card(where, name, words string, box *dataset.Box) cardView {
	c := cardView{Where: text.Line(where), Image: text.Line(name), Words: text.Cut(text.Line(words), 300)}
	if box != nil {
		c.Box = box.String()
	}
	img := p.open(name)
	if img == nil {
		return c
	}
	whole := img.Bounds()
	if box == nil {
		box = &dataset.Box{0, 0, float64(whole.Dx()), float64(whole.Dy())}
	}
	part := dataset.Thumb(img, *box, thumb)
	data, err := codec.EncodeJPEG(part, 82)
	if err != nil {
		return c
	}
	c.Width, c.Height = part.Rect.Dx(), part.Rect.Dy()
	c.Picture = template.URL("data:image/jpeg;base64," + base64.StdEncoding.EncodeToString(data)) // our own bytes
	return c
}

func (p *pictures) open(name string) image.Image {
	if name == "" || name == p.name {
		return p.img
	}
	p.name, p.img = name, nil
	if data, err := fs.ReadFile(p.fsys, name); err == nil {
		if img, err := likeness.Decode(data); err == nil {
			p.img = img
		}
	}
	return p.img
}
