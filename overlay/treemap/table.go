package treemap

import (
	"cmp"
	"fmt"
	"image"
	"image/color"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/refscope/refscope/snapshot/text"
)

// Measures of the table in px, as above, and its limit in rows.
const (
	textPx   = 12
	tablePad = 10
	rowPx    = 18
	swatch   = 12
	maxRows  = 40
	titleMax = 60 // characters of a region's title

	tableWidth = 920
)

var (
	paper    = color.RGBA{250, 250, 250, 255}
	ink      = color.RGBA{24, 27, 33, 255}
	softInk  = color.RGBA{84, 90, 102, 255} // contrast with ground over 6
	lineGrey = color.RGBA{206, 210, 217, 255}
)

// rows are the regions of the table in the order of the tree, and how many cheaper ones
// are left out with how many tokens of their own.
func (t *Treemap) rows() (rows []int, left, tokens int) {
	for i := range t.Parts {
		rows = append(rows, i)
	}
	if len(rows) <= maxRows {
		return rows, 0, 0
	}
	slices.SortStableFunc(rows, func(a, b int) int {
		return cmp.Compare(t.Map.Regions[b].All.Tokens, t.Map.Regions[a].All.Tokens)
	})
	for _, i := range rows[maxRows:] {
		tokens += t.Map.Regions[i].Own.Tokens
	}
	left = len(rows) - maxRows
	rows = rows[:maxRows]
	slices.Sort(rows)
	return rows, left, tokens
}

func (t *Treemap) tableHeight() int {
	rows, left, _ := t.rows()
	n := len(rows) + 3 // title, tints, head
	if left > 0 {
		n++
	}
	return (n*rowPx + 2*tablePad) * t.k
}

// drawTable writes the table below the picture.
func (t *Treemap) drawTable(dst *image.RGBA) {
	top, pad, row, sw, k := t.size.Y, tablePad*t.k, rowPx*t.k, swatch*t.k, t.k
	fill(dst, image.Rect(0, top, dst.Rect.Max.X, top+k), lineGrey)
	y := top + pad
	write := func(x int, s string, c color.RGBA) {
		t.text.Draw(dst, x, y+(row+t.text.Ascent())/2-2*k, s, c)
	}
	m := t.Map
	sum := fmt.Sprintf("%s: %s tokens (%s) in %s characters",
		m.Format, text.Thousands(m.Whole.Tokens), m.Encoding, text.Thousands(m.Whole.Chars))
	if m.Truncated {
		sum += "; the dump was cut, and what it lost has no tint"
	}
	t.bold.Draw(dst, pad, y+(row+t.bold.Ascent())/2-2*k, sum, ink)
	y += row
	x := pad
	intro := "tint: a region's own text, without the regions inside it:"
	write(x, intro, softInk)
	x += t.text.Width(intro) + pad
	for _, s := range steps() {
		fill(dst, image.Rect(x, y+3*k, x+sw, y+3*k+sw), edgeColor)
		fill(dst, image.Rect(x+k, y+4*k, x+sw-k, y+2*k+sw), s.color)
		write(x+sw+4*k, s.words, softInk)
		x += sw + 4*k + t.text.Width(s.words) + pad
	}
	y += row
	rows, left, tokens := t.rows()
	name := 6
	for _, i := range rows {
		name = max(name, utf8.RuneCountInString(t.title(i)))
	}
	columns := func(number any, title string, tokens, share, own, ownShare string) string {
		return fmt.Sprintf("  %3v  %s  %9s  %8s  %9s  %8s", number, padded(title, name), tokens, share, own, ownShare)
	}
	write(pad, columns("", "region", "tokens", "share", "own", "share"), softInk)
	y += row
	for _, i := range rows {
		r, p := &m.Regions[i], &t.Parts[i]
		fill(dst, image.Rect(pad, y+3*k, pad+sw, y+3*k+sw), edgeColor)
		fill(dst, image.Rect(pad+k, y+4*k, pad+sw-k, y+2*k+sw), p.Tint)
		s := columns(i, t.title(i),
			text.Thousands(r.All.Tokens), percent(r.Share), text.Thousands(r.Own.Tokens), percent(r.OwnShare))
		if p.Away != "" {
			s += "  " + p.Away
		}
		write(pad, s, ink)
		y += row
	}
	if left > 0 {
		write(pad, fmt.Sprintf("       and %d cheaper ones with %s tokens of their own", left, text.Thousands(tokens)),
			softInk)
	}
}

// title is a region's title with its depth as indent, cut.
func (t *Treemap) title(i int) string {
	r := &t.Map.Regions[i]
	return text.Cut(strings.Repeat("  ", min(r.Depth, 10))+r.Title(), titleMax)
}

func padded(s string, n int) string {
	return s + strings.Repeat(" ", max(0, n-utf8.RuneCountInString(s)))
}
