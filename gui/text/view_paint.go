package text

import (
	"image"
	"image/color"
	"strconv"
	"unicode/utf8"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/overlay/atlas"
	"github.com/refscope/refscope/snapshot/dump"
	notes "github.com/refscope/refscope/snapshot/text"
)

// colours are the theme's colours, looked up once per refresh and not per line.
type colours struct {
	ground, gutter, guide            color.RGBA
	accent, selected, hover, rng     color.RGBA
	good, bad, warn                  color.RGBA
	goodMark, badMark, warnMark, now color.RGBA
	kinds                            [kindEscape + 1]color.RGBA
}

// metrics are sizes in device px.
type metrics struct {
	row, cell, gutter int
	baseline          int // from a row's top
	bar               int // width of the mark at a row's left edge
}

// frame is one picture of the text: everything that painting needs, and nothing
// of Fyne. Distances are device px.
type frame struct {
	face  *atlas.Face
	ix    *index
	f     dump.Format
	tones *core.LineTones
	c     colours
	m     metrics

	top, left int // how far the text is scrolled

	selected, hovered int // refs
	cursor            int // line, -1 none
	from, to          int // range of lines, to excluded

	find             *core.FoundText
	findAt           int // the current match
	nowLine, nowSpan int // its line and its place in that

	measure func(string) int // width of text that Fyne draws, in cells

	// Scratch space that lives from frame to frame.
	spans []span
	runs  []run
}

// rows are the visible rows of a picture h px high: first included, last not. Folded lines have
// none.
func (f *frame) rows(h int) (first, last int) {
	if f.m.row <= 0 {
		return 0, 0
	}
	first = max(0, f.top/f.m.row)
	last = min(f.ix.rows(), (f.top+h+f.m.row-1)/f.m.row)
	return min(first, last), last
}

// layout is the runs of a line; they are good until the next call.
func (f *frame) layout(line int) []run {
	text := f.ix.text(line)
	f.spans = tokenize(f.f, text, f.spans)
	f.runs, _ = layoutLine(text, f.spans, f.face.Has, f.measure, f.runs)
	return f.runs
}

// body paints the text area: grounds, guides, runs. Runs that the atlas cannot
// draw are left out; the widget puts objects there.
func (f *frame) body(dst *image.RGBA) {
	b := dst.Bounds()
	fill(dst, b, f.c.ground)
	first, last := f.rows(b.Dy())
	for row := first; row < last; row++ {
		line := f.ix.folds.Line(row)
		y := b.Min.Y + row*f.m.row - f.top
		if g := f.rowGround(line); g != f.c.ground {
			fill(dst, image.Rect(b.Min.X, y, b.Max.X, y+f.m.row), g)
		}
		if f.gap(line) {
			fill(dst, image.Rect(b.Min.X, y, b.Max.X, y+1), f.c.guide)
		}
		x0 := b.Min.X + f.m.gutter - f.left
		f.guides(dst, line, x0, y)
		runs := f.layout(line)
		if c := f.ix.cell(line, f.selected); c != nil && f.ix.ref(line) != f.selected {
			start := f.ix.doc.Lines[line].Start
			from, to := columnOf(runs, c.Start-start), columnOf(runs, c.End-start)
			fill(dst, image.Rect(x0+from*f.m.cell-1, y+1, x0+to*f.m.cell+1, y+f.m.row-1), f.c.rng)
		}
		f.matches(dst, line, x0, y, runs)
		for _, r := range runs {
			x := x0 + r.col*f.m.cell
			if r.odd || x+r.cols*f.m.cell <= b.Min.X {
				continue
			}
			if x >= b.Max.X {
				break
			}
			if r.kind == kindEscape { // underlined: not to be taken for text of the page
				fill(dst, image.Rect(x, y+f.m.row-2, x+r.cols*f.m.cell-1, y+f.m.row-1), f.c.kinds[kindEscape])
			}
			text, x := clip(r, x, b, f.m.cell)
			f.face.Draw(dst, x, y+f.m.baseline, text, f.c.kinds[r.kind])
		}
		f.foldedLines(dst, line, x0+(widthOf(runs)+1)*f.m.cell, y)
		f.note(dst, line, x0+(widthOf(runs)+1)*f.m.cell, y)
	}
}

// note paints the window's own words about a line: behind it, or at the right edge where the line reaches beyond that.
func (f *frame) note(dst *image.RGBA, line, x, y int) {
	words := f.tones.NoteOf(line)
	if words == "" {
		return
	}
	if f.ix.folds.Folded(line) {
		x += (foldedCells(f.ix.folds.Len(line)) + 1) * f.m.cell
	}
	b := dst.Bounds()
	most := (b.Dx() - f.m.gutter) / f.m.cell * 2 / 5 // of the view: the line itself can be read
	if words = notes.Cut(words, max(most-2, 0)); words == "" {
		return
	}
	wide := (utf8.RuneCountInString(words) + 2) * f.m.cell
	edge := max(b.Min.X+f.m.gutter, b.Max.X-wide-noteRight*f.m.cell)
	if x > edge { // the line goes on under it, and its last number may be cut; nothing of it shows behind the note
		x = edge
		under := image.Rect(x-2*f.m.cell, y, b.Max.X, y+f.m.row)
		fill(dst, under, f.c.ground)
		fill(dst, under, f.rowGround(line))
		f.face.Draw(dst, x-2*f.m.cell, y+f.m.baseline, "…", f.c.gutter)
	}
	ink := f.c.gutter
	switch f.tones.Of(line) {
	case core.ToneBad:
		ink = f.c.badMark
	case core.ToneWarn:
		ink = f.c.warnMark
	}
	fill(dst, image.Rect(x, y+1, x+wide, y+f.m.row-1), f.c.ground)
	fill(dst, image.Rect(x, y+2, x+f.m.bar, y+f.m.row-2), ink)
	f.face.Draw(dst, x+f.m.cell, y+f.m.baseline, words, ink)
}

// noteRight is the room of the scroll bar beside a note, in cells.
const noteRight = 2

// clip cuts an ASCII run at x to the cells in view and returns where the rest
// begins, so that a line of a megabyte costs no more than a short one. Other runs
// are cut by the atlas.
func clip(r run, x int, b image.Rectangle, cell int) (string, int) {
	s := r.text
	if len(s) != r.cols {
		return s, x
	}
	if n := (b.Max.X - x + cell - 1) / cell; n < len(s) {
		s = s[:max(n, 0)]
	}
	if n := min((b.Min.X-x)/cell, len(s)); n > 0 {
		return s[n:], x + n*cell
	}
	return s, x
}

// guides are hairlines at the tab stops of a line's indentation.
func (f *frame) guides(dst *image.RGBA, line, x0, y int) {
	text := f.ix.text(line)
	for i := 0; i < len(text) && i < 64; i++ {
		col := i * tabColumns
		if text[i] == ' ' {
			// Two blanks are one step in the formats that indent with blanks.
			if i%2 == 1 {
				continue
			}
			col = i
		} else if text[i] != '\t' {
			return
		}
		x := x0 + col*f.m.cell + f.m.cell/2
		fill(dst, image.Rect(x, y, x+1, y+f.m.row), f.c.guide)
	}
}

// rowGround is the colour behind a line. What a person does wins over what the
// page does.
func (f *frame) rowGround(line int) color.RGBA {
	switch {
	case line >= f.from && line < f.to:
		return f.c.rng
	case line == f.cursor || f.ix.has(line, f.selected):
		return f.c.selected
	case f.ix.has(line, f.hovered):
		return f.c.hover
	}
	switch f.tones.Of(line) {
	case core.ToneGood:
		return f.c.good
	case core.ToneBad:
		return f.c.bad
	case core.ToneWarn:
		return f.c.warn
	}
	return f.c.ground
}

// margin paints the line numbers. It is a picture of its own, above the text, so
// that text scrolled sideways passes under it.
func (f *frame) margin(dst *image.RGBA) {
	b := dst.Bounds()
	fill(dst, b, f.c.ground)
	first, last := f.rows(b.Dy())
	var digits [20]byte
	for row := first; row < last; row++ {
		line := f.ix.folds.Line(row)
		y := b.Min.Y + row*f.m.row - f.top
		if g := f.rowGround(line); g != f.c.ground {
			fill(dst, image.Rect(b.Min.X, y, b.Max.X, y+f.m.row), g)
		}
		on := line == f.cursor || f.ix.has(line, f.selected)
		mark := color.RGBA{}
		switch tone := f.tones.Of(line); {
		case on:
			mark = f.c.accent
		case tone == core.ToneGood:
			mark = f.c.goodMark
		case tone == core.ToneBad:
			mark = f.c.badMark
		case tone == core.ToneWarn:
			mark = f.c.warnMark
		}
		fill(dst, image.Rect(b.Min.X, y, b.Min.X+f.m.bar, y+f.m.row), mark)
		if f.gap(line) {
			fill(dst, image.Rect(b.Min.X, y, b.Max.X, y+1), f.c.gutter)
		}
		n := strconv.AppendInt(digits[:0], int64(f.find.Number(line)+1), 10)
		c := f.c.gutter
		if on {
			c = f.c.now
		}
		f.face.Draw(dst, b.Min.X+f.m.gutter-(len(n)+1)*f.m.cell-f.m.cell/2, y+f.m.baseline, string(n), c)
		f.triangle(dst, line, b.Min.X+f.m.gutter-f.m.cell-f.m.cell/4, y)
	}
}

// gutterWidth is the width of the line numbers in px: their digits, at least two,
// and some air, in which the triangles of sections are.
func gutterWidth(lines, cell int) int {
	return (max(2, len(strconv.Itoa(lines)))+2)*cell + cell/2
}

// ticks paints where toned and selected lines are in the whole document, along a
// scroll track.
func (f *frame) ticks(dst *image.RGBA, track image.Rectangle) {
	n := f.ix.rows()
	if n == 0 || track.Empty() {
		return
	}
	tick := func(line, high int, c color.RGBA) {
		y := track.Min.Y + f.ix.folds.Row(line)*(track.Dy()-high)/max(1, n-1)
		fill(dst, image.Rect(track.Min.X, y, track.Max.X, y+high), c)
	}
	f.tones.Each(func(line int, t core.Tone) {
		switch t {
		case core.ToneGood:
			tick(line, 2, f.c.goodMark)
		case core.ToneBad:
			tick(line, 2, f.c.badMark)
		case core.ToneWarn:
			tick(line, 2, f.c.warnMark)
		}
	})
	if f.find != nil {
		for _, line := range f.find.Lines {
			tick(line, 2, f.c.warnMark)
		}
	}
	for _, line := range f.ix.byRef[f.selected] {
		tick(line, 3, f.c.accent)
	}
}

// fill covers a rectangle with a colour, composed over what is there.
func fill(dst *image.RGBA, r image.Rectangle, c color.RGBA) {
	r = r.Intersect(dst.Rect)
	if r.Empty() || c.A == 0 {
		return
	}
	row := dst.Pix[dst.PixOffset(r.Min.X, r.Min.Y):][:4*r.Dx()]
	if c.A < 255 {
		for y := r.Min.Y; y < r.Max.Y; y++ {
			row := dst.Pix[dst.PixOffset(r.Min.X, y):][:4*r.Dx()]
			for i := 0; i < len(row); i += 4 {
				keep := 255 - uint32(c.A)
				row[i] = uint8(uint32(c.R) + uint32(row[i])*keep/255)
				row[i+1] = uint8(uint32(c.G) + uint32(row[i+1])*keep/255)
				row[i+2] = uint8(uint32(c.B) + uint32(row[i+2])*keep/255)
				row[i+3] = uint8(uint32(c.A) + uint32(row[i+3])*keep/255)
			}
		}
		return
	}
	for i := 0; i < len(row); i += 4 {
		row[i], row[i+1], row[i+2], row[i+3] = c.R, c.G, c.B, 255
	}
	for y := r.Min.Y + 1; y < r.Max.Y; y++ {
		copy(dst.Pix[dst.PixOffset(r.Min.X, y):], row)
	}
}
