package text

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/refscope/refscope/snapshot/text"
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
	kind      kind
	odd       bool // the atlas cannot draw it
	at        int  // byte of the line where it begins
}

// layoutLine places the spans of a line in columns. A tab goes to the next tab
// stop. Dangerous characters become a visible
// escape, so that a line shows everything that it holds. Words that the
// atlas cannot draw become runs of their own, at most maxRunRunes long, as wide as measure
// returns (in cells, at least 1). Runs are appended to buf[:0]; the second result is
// the line's width in columns.
func layoutLine(line string, spans []span, has func(rune) bool, measure func(string) int, buf []run) ([]run, int) {
	l := layout{out: buf[:0], line: line, measure: measure}
	for _, s := range spans {
		l.base = s.Start
		l.span(line[s.Start:s.End], s.Kind, has)
	}
	return l.out, l.col
}

type layout struct {
	out     []run
	col     int
	line    string
	base    int // byte of the line where the span begins
	measure func(string) int
}

func (l *layout) span(s string, kind kind, has func(rune) bool) {
	start, cells, odd := 0, 0, false
	flush := func(end int) {
		if end > start {
			l.add(s[start:end], kind, cells, odd, start)
		}
		start, cells = end, 0
	}
	runes := 0
	for i := 0; i < len(s); {
		r, size := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s[i:])
		}
		switch {
		case r == '\t':
			flush(i)
			l.col += tabColumns - l.col%tabColumns
			start = i + size
		case r == utf8.RuneError && size == 1:
			flush(i)
			l.add("\uFFFD", kindEscape, 1, !has(r), i)
			start, odd = i+size, false
		case unseen(r):
			if odd && start < i && runes < maxRunRunes && !hidden(l.around(i)) {
				runes++
				break
			}
			flush(i)
			l.add(escape(r), kindEscape, len(escape(r)), false, i)
			start, odd = i+size, false
		default:
			o := !plain(r, has) || l.attached(i+size) || odd && start < i && r == ' ' && oddAfter(s[i+size:], has)
			if o != odd || odd && runes >= maxRunRunes {
				flush(i)
				odd, runes = o, 0
			}
			runes++
			cells++
		}
		i += size
	}
	flush(len(s))
}

// around is the rune at a byte of the span, and those beside it in the line, 0 for none.
func (l *layout) around(at int) (before, r, next rune) {
	at += l.base
	if at > 0 {
		before, _ = utf8.DecodeLastRuneInString(l.line[:at])
	}
	r, size := utf8.DecodeRuneInString(l.line[at:])
	if at+size < len(l.line) {
		next, _ = utf8.DecodeRuneInString(l.line[at+size:])
	}
	return before, r, next
}

// attached reports whether what is at a byte of the span is drawn with the rune before it: a combining mark, or a
// joiner or selector in its place.
func (l *layout) attached(at int) bool {
	if l.base+at >= len(l.line) || l.line[l.base+at] < utf8.RuneSelf {
		return false
	}
	before, r, next := l.around(at)
	return unicode.Is(unicode.M, r) && !unseen(r) || joins(r) && !hidden(before, r, next)
}

func (l *layout) add(text string, kind kind, cells int, odd bool, at int) {
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
		if r.odd || r.kind == kindEscape {
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
	return !unseen(r) && !plain(r, has)
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
func joins(r rune) bool { return text.Joiner(r) || unicode.Is(unicode.Variation_Selector, r) }

// unseen reports whether a rune is dangerous or, being for private use, has a glyph only
// in the fonts of its page.
func unseen(r rune) bool { return text.Invisible(r) || unicode.Is(unicode.Co, r) }

// hidden reports whether r, between before and next (0 for none), is shown as an escape: it is unseen, and no joiner or
// selector on which the characters beside it depend. No form of an ASCII character but a keycap's is selected.
func hidden(before, r, next rune) bool {
	return unseen(r) && (!joins(r) || unicode.Is(unicode.Co, before) || before < utf8.RuneSelf && next != '\u20e3' ||
		text.Hidden(before, r, next))
}

// escape is how an unseen rune is shown, as formats spell it.
func escape(r rune) string { return fmt.Sprintf(`\u{%x}`, r) }

// shown is a line with every unseen rune but the tab as its escape, just as it is drawn:
// what is copied is what is seen. Unlike [text.Visible] it doubles no backslash, because
// the line is of a format, which did that.
func shown(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	var b strings.Builder
	before := rune(0)
	for i, r := range s {
		next, _ := utf8.DecodeRuneInString(s[i+utf8.RuneLen(r):])
		if r != '\t' && hidden(before, r, next) {
			b.WriteString(escape(r))
		} else {
			b.WriteRune(r)
		}
		before = r
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
			case unseen(r):
				col += len(escape(r))
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
