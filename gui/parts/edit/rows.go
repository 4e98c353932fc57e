package edit

import (
	"slices"
	"sort"
	"unicode/utf8"

	"github.com/refscope/refscope/snapshot/text"
)

// Measure is how wide a text is where it is drawn in one piece: a row's beginning, or one character.
type Measure func(text string) float32

// rows are how the lines wrap: where in each line its rows begin, and how many rows are before it.
type rows struct {
	width   float32
	measure Measure
	starts  [][]int
	before  []int // one more than lines: the last is how many there are
}

// Wrap lays the text out in rows of a width. Without a measure each line is one row.
func (t *Text) Wrap(width float32, measure Measure) {
	t.rows.width, t.rows.measure = width, measure
	t.rows.all(t.lines)
}

func (r *rows) all(lines []string) {
	r.starts = make([][]int, len(lines))
	for i, l := range lines {
		r.starts[i] = r.wrap(l)
	}
	r.count()
}

// replace follows lines that were put in place of those from one to another.
func (r *rows) replace(from, to int, lines []string) {
	put := make([][]int, len(lines))
	for i, l := range lines {
		put[i] = r.wrap(l)
	}
	r.starts = slices.Replace(r.starts, from, to, put...)
	r.count()
}

func (r *rows) count() {
	r.before = append(r.before[:0], 0)
	for i, s := range r.starts {
		r.before = append(r.before, r.before[i]+len(s))
	}
}

// oneRow are the starts of a line that is not wrapped.
var oneRow = []int{0}

// wrap finds where the rows of a line begin: behind a space where the row has one, else between characters.
func (r *rows) wrap(l string) []int {
	if r.measure == nil {
		return oneRow
	}
	starts := oneRow
	x, space := float32(0), 0 // space is where the last word of the row begins
	for i := 0; i < len(l); {
		size := text.Character(l[i:])
		w := r.measure(l[i : i+size])
		first := starts[len(starts)-1]
		if l[i] != ' ' && x+w > r.width && i > first { // a space hangs over
			at := i
			if space > first {
				at = space
			}
			if len(starts) == 1 {
				starts = []int{0}
			}
			starts = append(starts, at)
			x = 0
			for j := at; j < i; {
				n := text.Character(l[j:])
				x += r.measure(l[j : j+n])
				j += n
			}
		}
		x += w
		if l[i] == ' ' {
			space = i + size
		}
		i += size
	}
	return starts
}

// Rows is how many rows the text has.
func (t *Text) Rows() int { return t.rows.before[len(t.lines)] }

// RowBytes is the line of a row, and the bytes of it that are in the row.
func (t *Text) RowBytes(row int) (line, from, to int) {
	row = min(max(row, 0), t.Rows()-1)
	line = sort.SearchInts(t.rows.before, row+1) - 1
	starts, n := t.rows.starts[line], row-t.rows.before[line]
	from, to = starts[n], len(t.lines[line])
	if n+1 < len(starts) {
		to = starts[n+1]
	}
	return line, from, to
}

// Row is the row of a place.
func (t *Text) Row(p Place) int {
	return t.rows.before[p.Line] + sort.SearchInts(t.rows.starts[p.Line], p.Byte+1) - 1
}

// X is how far a place is from its row's beginning.
func (t *Text) X(p Place) float32 {
	_, from, _ := t.RowBytes(t.Row(p))
	return t.width(t.lines[p.Line][from:p.Byte])
}

func (t *Text) width(s string) float32 {
	if t.rows.measure == nil {
		return float32(utf8.RuneCountInString(s))
	}
	return t.rows.measure(s)
}

// PlaceAt is the place in a row that is nearest to x.
func (t *Text) PlaceAt(row int, x float32) Place {
	line, from, to := t.RowBytes(row)
	l := t.lines[line]
	last := length(l)
	if to < len(l) && to > from { // the end of this row is the beginning of the next
		_, size := utf8.DecodeLastRuneInString(l[from:to])
		last = to - size
	}
	at, before := min(from, last), float32(0)
	for at < last { // the width of a whole piece, as it is drawn
		_, size := utf8.DecodeRuneInString(l[at:])
		w := t.width(l[from : at+size])
		if x < (before+w)/2 {
			break
		}
		at, before = at+size, w
	}
	return Place{line, at}
}

// Down moves the cursor by rows, up where they are less than 0; extend keeps the other end of the selection. Beyond
// the first and the last row are the ends of the text.
func (t *Text) Down(by int, extend bool) {
	want, row := t.want, t.Row(t.cursor)+by
	if want < 0 {
		want = t.X(t.cursor)
	}
	switch {
	case row < 0:
		t.GoTo(Place{}, extend)
	case row >= t.Rows():
		t.GoTo(t.leads(Last), extend)
	default:
		t.GoTo(t.PlaceAt(row, want), extend)
	}
	t.want = want
}
