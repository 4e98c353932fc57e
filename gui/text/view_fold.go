package text

import (
	"image"
	"image/color"
	"unicode/utf8"

	"github.com/refscope/refscope/gui/core"
	words "github.com/refscope/refscope/snapshot/text"
)

// How the view shows sections: a triangle beside the number of their first line, and the
// placeholder for the lines of a folded one.

// foldedWords are the placeholder for the lines of a folded section.
func foldedWords(n int) string { return "… " + words.Count(n, "line", "lines") }

// foldedCells is their width in cells, with some air.
func foldedCells(n int) int { return utf8.RuneCountInString(foldedWords(n)) + 1 }

// refold takes over other folds of the same text. The line that the eye is on stays at its
// height.
func (v *View) refold(old core.DumpVM) {
	row, h := v.rowHeight(), float64(v.Size().Height)
	line, y := v.cursor, v.top(v.cursor)-v.offY
	if line < 0 || y < 0 || y+row > h {
		line, y = v.eye(old)
	}
	v.ix.folds = v.vm.Folds
	v.offY = v.top(line) - y
	v.clamp()
}

// overFold reports whether a place on a line is the triangle of a section, or the
// placeholder for the lines of a folded one.
func (v *View) overFold(line int, x float32) bool {
	if v.on.Fold == nil || v.ix.folds.Len(line) == 0 {
		return false
	}
	m := v.metrics()
	px := float64(x) * v.scale
	if px < float64(m.gutter) {
		return px >= float64(m.gutter-2*m.cell)
	}
	if !v.ix.folds.Folded(line) || v.face == nil {
		return false
	}
	text := v.ix.text(line)
	runs, _ := layoutLine(text, tokenize(v.vm.Doc.Format, text, nil), v.face.Has, v.measure, nil)
	from := m.gutter + (widthOf(runs)+1)*m.cell
	at := px + v.offX*v.scale
	return at >= float64(from) && at < float64(from+foldedCells(v.ix.folds.Len(line))*m.cell)
}

// widthOf is the width of a line in cells.
func widthOf(runs []run) int {
	if len(runs) == 0 {
		return 0
	}
	last := runs[len(runs)-1]
	return last.col + last.cols
}

// foldedLines paints the placeholder for the lines of a folded section.
func (f *frame) foldedLines(dst *image.RGBA, line, x, y int) {
	if !f.ix.folds.Folded(line) {
		return
	}
	s := foldedWords(f.ix.folds.Len(line))
	fill(dst, image.Rect(x, y+2, x+foldedCells(f.ix.folds.Len(line))*f.m.cell, y+f.m.row-2), f.c.guide)
	f.face.Draw(dst, x+f.m.cell/2, y+f.m.baseline, s, f.c.now)
}

// triangle paints the sign of a section at x: to the right where it is folded, else down. It is
// painted and not a character, because a bare system's fonts lack it.
func (f *frame) triangle(dst *image.RGBA, line, x, y int) {
	if f.ix.folds.Len(line) == 0 {
		return
	}
	half := max(3, f.m.cell/2-1) // of the long side
	ink := f.c.gutter
	if f.ix.folds.Folded(line) {
		ink = f.c.accent
	}
	middle := y + f.m.row/2
	for i := range half + 1 {
		bar := image.Rect(x+f.m.cell/4+i, middle-half+i, x+f.m.cell/4+i+1, middle+half-i+1)
		if !f.ix.folds.Folded(line) {
			bar = image.Rect(x+i, middle-half/2+i, x+2*half+1-i, middle-half/2+i+1)
		}
		fill(dst, bar, color.RGBA{ink.R, ink.G, ink.B, ink.A})
	}
}
