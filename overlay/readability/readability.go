// Package readability measures how well the marks of a picture can be read, whoever drew
// them: this project's own styles and those of eight published systems, which it can place
// and paint ([Systems]).
//
// Start with [Systems] for their rules, and with measure for the benchmark. It takes a page
// ([Page]): the clean picture, the marked one, where the page has text, and what the marks are
// meant to be. It knows nothing of how they came about. Three things are counted (score):
//
//   - numbers that an OCR engine, Tesseract, reads as they are;
//   - labels whose nearest box is their own, as an eye would assign them;
//   - pixels of the page's letters that marks paint over.
//
// [Page.Resized] is the page as a vendor's resize leaves it, for marks that are drawn
// before it.
//
// The package has no part in the programs. Its tests are the benchmark:
//
//	REFSCOPE_SLOW=1 go test ./overlay/readability -run TestReadability -v
//
// prints the table for all pages, styles and sizes. All rectangles are in px of the picture.
package readability

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"math"

	"github.com/refscope/refscope/overlay/vision"
)

// Mark is one number on a picture with what it belongs to.
type Mark struct {
	Number string
	Plate  image.Rectangle   // the ground of the number; empty where the number is not drawn
	Boxes  []image.Rectangle // the outlines, one for each line of a wrapped link
	Leader bool              // a line joins both
	Color  color.RGBA        // of plate and boxes
}

// Page is one page with its marks.
type Page struct {
	Clean, Marked *image.RGBA       // of one size, with their top left corners at 0,0
	Text          []image.Rectangle // where the page has lines of text
	Marks         []Mark
	Density       int // px of a line of the marks for one of the style, 0 as 1

	drawn *Page // the page that it was resized from, on which letters are whole or not
}

// Resized is the page with its marks at another size, as a vendor makes it that receives
// the marked picture.
func (p Page) Resized(to image.Point) Page {
	from := p.Marked.Rect.Size()
	if from == to {
		return p
	}
	x, y := float64(to.X)/float64(from.X), float64(to.Y)/float64(from.Y)
	moved := func(r image.Rectangle) image.Rectangle {
		at := func(v int, by float64) int { return int(math.Round(float64(v) * by)) }
		return image.Rect(at(r.Min.X, x), at(r.Min.Y, y), at(r.Max.X, x), at(r.Max.Y, y))
	}
	out := Page{Clean: vision.Resize(p.Clean, to), Marked: vision.Resize(p.Marked, to), drawn: &p}
	for _, r := range p.Text {
		out.Text = append(out.Text, moved(r))
	}
	for _, m := range p.Marks {
		boxes := make([]image.Rectangle, len(m.Boxes))
		for i, b := range m.Boxes {
			boxes[i] = moved(b)
		}
		m.Boxes, m.Plate = boxes, moved(m.Plate)
		out.Marks = append(out.Marks, m)
	}
	return out
}

// score is what was counted, of one page or of several.
type score struct {
	Labels int // numbers that are drawn
	Missed int // marks without a number
	Read   int // numbers that the reader reads as they are
	Digits int // digits of all numbers
	Right  int // of these, those that it reads in their place
	// Own is the number of labels that are nearer to a box of their own than to any
	// other; Alike are those that are as near to another one, of which ByColor are of
	// another colour than that.
	Own, Alike, ByColor int
	Glyphs              int // px of the page's letters
	Covered             int // of these, px that marks changed
	Hidden              int // letters that marks hide
	Buried              int // boxes of which labels of others or their own hide more than half
}

// add adds the counts of another page.
func (s *score) add(o score) {
	s.Labels, s.Missed, s.Read = s.Labels+o.Labels, s.Missed+o.Missed, s.Read+o.Read
	s.Digits, s.Right = s.Digits+o.Digits, s.Right+o.Right
	s.Own, s.Alike, s.ByColor = s.Own+o.Own, s.Alike+o.Alike, s.ByColor+o.ByColor
	s.Glyphs, s.Covered = s.Glyphs+o.Glyphs, s.Covered+o.Covered
	s.Hidden, s.Buried = s.Hidden+o.Hidden, s.Buried+o.Buried
}

// share is a part in percent; all of nothing is 100.
func share(part, all int) float64 {
	if all == 0 {
		return 100
	}
	return 100 * float64(part) / float64(all)
}

// readShare is the share of numbers that are read right, in percent.
func (s score) readShare() float64 { return share(s.Read, s.Labels) }

// ownShare is the share of labels that are nearest to their own box, in percent.
func (s score) ownShare() float64 { return share(s.Own, s.Labels) }

// coveredShare is the share of letters' px that marks paint over, in percent.
func (s score) coveredShare() float64 {
	if s.Glyphs == 0 {
		return 0
	}
	return share(s.Covered, s.Glyphs)
}

// head is the line above those of scores.
const head = "labels   read %  digits %   own box %  as near  by colour  letters covered %"

// String is the score as a line of a table.
func (s score) String() string {
	read := fmt.Sprintf("%7s  %8s", "-", "-") // there was no reader
	if s.Digits > 0 {
		read = fmt.Sprintf("%7.2f  %8.2f", s.readShare(), share(s.Right, s.Digits))
	}
	return fmt.Sprintf("%6d  %s  %10.2f  %7d  %9d  %17.3f", s.Labels, read, s.ownShare(), s.Alike,
		s.ByColor, s.coveredShare())
}

// measure counts everything. A nil reader leaves the reading out.
func measure(ctx context.Context, p Page, r *tesseract) (score, error) {
	s := assigned(p.Marks, p.Density)
	drawn := p
	if p.drawn != nil {
		drawn = *p.drawn
	}
	s.Glyphs, s.Covered = glyphs(drawn)
	s.Hidden, s.Buried = hidden(drawn), buried(p.Marks)
	if r == nil {
		return s, nil
	}
	var of []Mark
	for _, m := range p.Marks {
		if !m.Plate.Empty() {
			of = append(of, m)
		}
	}
	read, err := r.read(ctx, p.Marked, of)
	if err != nil {
		return s, err
	}
	for i, m := range of {
		s.Digits += len(m.Number)
		if read[i] == m.Number {
			s.Read++
		}
		for k := range m.Number {
			if len(read[i]) == len(m.Number) && read[i][k] == m.Number[k] {
				s.Right++
			}
		}
	}
	return s, nil
}
