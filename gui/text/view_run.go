package text

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// tabColumns is how far a tab stop is from the next, in columns. Dumps nest
// deeply and panes are narrow.
const tabColumns = 3

// maxRunRunes bounds a run that Fyne draws: one canvas.Text is one texture, and
// textures over 16,384 px come out black.
const maxRunRunes = 256

// run is a stretch of a line of one kind at a column.
type run struct {
	col, cols int // first column and width, in cells from the line's start
	text      string
	kind      Kind
	odd       bool // the atlas cannot draw it
	at        int  // byte of the line where it begins
}

// layoutLine places the spans of a line in columns. A tab goes to the next tab
// stop. Control, direction and other invisible characters become a visible
// escape, so that a line shows everything that it holds. Words that the
// atlas cannot draw become runs of their own, at most maxRunRunes long, as wide as measure
// says (in cells, at least 1). Runs are appended to buf[:0]; the second result is
// the line's width in columns.
func layoutLine(line string, spans []Span, has func(rune) bool, measure func(string) int, buf []run) ([]run, int) {
	l := layout{out: buf[:0], measure: measure}
	for _, s := range spans {
		l.base = s.Start
		l.span(line[s.Start:s.End], s.Kind, has)
	}
	return l.out, l.col
}

type layout struct {
	out     []run
	col     int
	base    int // byte of the line where the span begins
	measure func(string) int
}

func (l *layout) span(text string, kind Kind, has func(rune) bool) {
	start, cells, odd := 0, 0, false
	flush := func(end int) {
		if end > start {
			l.add(text[start:end], kind, cells, odd, start)
		}
		start, cells = end, 0
	}
	runes := 0
	for i := 0; i < len(text); {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[i:])
		}
		switch {
		case r == '\t':
			flush(i)
			l.col += tabColumns - l.col%tabColumns
			start = i + size
		case r == utf8.RuneError && size == 1 || invisible(r):
			// A joiner or selector inside an emoji or an Arabic word belongs to it.
			if odd && start < i && joins(r) && runes < maxRunRunes {
				runes++
				break
			}
			flush(i)
			l.add(escape(r, text[i:i+size]), KindEscape, len(escape(r, text[i:i+size])), false, i)
			start, odd = i+size, false
		default:
			o := !plain(r, has) || odd && start < i && (unicode.Is(unicode.M, r) || r == ' ' && oddAfter(text[i+size:], has))
			if o != odd || odd && runes >= maxRunRunes {
				flush(i)
				odd, runes = o, 0
			}
			runes++
			cells++
		}
		i += size
	}
	flush(len(text))
}

func (l *layout) add(text string, kind Kind, cells int, odd bool, at int) {
	if odd {
		cells = max(1, l.measure(text))
	}
	l.out = append(l.out, run{l.col, cells, text, kind, odd, l.base + at})
	l.col += cells
}

// columnOf is the column of a byte of a line, from the line's runs.
func columnOf(runs []run, at int) int {
	col := 0
	for _, r := range runs {
		if at < r.at {
			break
		}
		col = r.col
		if n := at - r.at; !r.odd && n > 0 {
			col += min(utf8.RuneCountInString(r.text[:min(n, len(r.text))]), r.cols)
		} else if n > 0 {
			col += r.cols * min(n, len(r.text)) / max(1, len(r.text))
		}
	}
	return col
}

// byteOf is the byte of a line that is drawn at a column, -1 before the first run
// and beyond the last.
func byteOf(runs []run, col int) int {
	for _, r := range runs {
		if col < r.col || col >= r.col+r.cols {
			continue
		}
		if r.odd || r.kind == KindEscape {
			return r.at
		}
		n := col - r.col
		for i := range r.text {
			if n == 0 {
				return r.at + i
			}
			n--
		}
	}
	return -1
}

// oddAfter reports whether the next rune is one that the atlas lacks, so that a
// phrase in another script stays in one piece and reads in its own direction.
func oddAfter(s string, has func(rune) bool) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return !invisible(r) && !plain(r, has)
}

// plain reports whether the atlas can draw a rune as it should be: it has a glyph
// and the script needs no shaping. The atlas draws one rune after another from
// left to right, which is wrong for Arabic and Hebrew (direction, joined letters),
// the scripts of India and South-East Asia (reordering), and combining marks.
func plain(r rune, has func(rune) bool) bool {
	switch {
	case r < 0x0300:
		return r < utf8.RuneSelf || has(r)
	case r >= 0x0590 && r <= 0x109F, r >= 0x1780 && r <= 0x18AF, r >= 0x1900 && r <= 0x1CFF,
		r >= 0xA800 && r <= 0xABFF, r >= 0xFB1D && r <= 0xFDFF, r >= 0xFE70 && r <= 0xFEFF,
		r >= 0x10800 && r <= 0x11FFF, unicode.Is(unicode.M, r):
		return false
	}
	return has(r)
}

// joins reports whether the rune shapes the characters beside it: zero-width
// joiner and non-joiner, and variation selectors.
func joins(r rune) bool {
	return r == 0x200C || r == 0x200D || r >= 0xFE00 && r <= 0xFE0F
}

// invisible reports whether a rune would leave no mark of its own where it
// stands, or move its neighbours: controls, direction marks, zero-width
// characters, soft hyphens, tags, and spaces that are not the space.
func invisible(r rune) bool {
	switch {
	case r < utf8.RuneSelf:
		return r < ' ' || r == 0x7F
	case r == 0x00AD, r == 0x034F, r == 0x3164, r == 0xFFA0, r == 0x115F, r == 0x1160:
		return true
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co, unicode.Cs) || joins(r)
}

// escape is how an invisible rune is shown: \u202E, or \xFF for a byte that is
// not UTF-8.
func escape(r rune, raw string) string {
	if r == utf8.RuneError && len(raw) == 1 {
		return fmt.Sprintf(`\x%02X`, raw[0])
	}
	if r > 0xFFFF {
		return fmt.Sprintf(`\U%06X`, r)
	}
	return fmt.Sprintf(`\u%04X`, r)
}

// shown is a text with every invisible character but the tab as its escape, just
// as it is drawn: what is copied is what is seen. Joiners stay where they belong
// to the character before them.
func shown(s string) string {
	var b strings.Builder
	before := rune(0)
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		raw := s[i : i+size]
		bad := r == utf8.RuneError && size == 1 || invisible(r)
		if r == '\t' || !bad || joins(r) && before >= 0x0600 {
			b.WriteString(raw)
		} else {
			b.WriteString(escape(r, raw))
		}
		before, i = r, i+size
	}
	return b.String()
}

// columnsOf is an upper estimate of a line's width in columns that needs no font:
// runes beyond ASCII that are usually wide count as two.
func columnsOf(line string) int {
	col := 0
	for i := 0; i < len(line); {
		c := line[i]
		switch {
		case c == '\t':
			col += tabColumns - col%tabColumns
			i++
		case c >= ' ' && c < 0x7F:
			col++
			i++
		default:
			r, size := utf8.DecodeRuneInString(line[i:])
			switch {
			case r == utf8.RuneError && size == 1, invisible(r):
				col += len(escape(r, line[i:i+size]))
			case r >= 0x1100:
				col += 2
			default:
				col++
			}
			i += size
		}
	}
	return col
}
