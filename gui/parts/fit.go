package parts

import (
	"image/color"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"

	"github.com/refscope/refscope/snapshot/text"
)

// Ruler measures texts in one size of the type. It remembers the widths of
// characters, so that thousands of rows are wrapped in milliseconds. A sum of characters
// differs from what is drawn by their kerning, which is less than a unit in a line.
type Ruler struct {
	size   float32
	styles []widths
}

// widths are those of the characters of one style; ascii is 0 while unknown.
type widths struct {
	style  fyne.TextStyle
	ascii  [utf8.RuneSelf]float32
	others map[rune]float32
}

// newRuler measures at a text size in Fyne units.
func newRuler(size float32) *Ruler { return &Ruler{size: size} }

// Measure is how wide a text is in that style, as a function for [Wrap] and [Cut].
func (r *Ruler) Measure(style fyne.TextStyle) func(string) float32 {
	return func(s string) float32 { return r.width(s, style) }
}

func (r *Ruler) width(s string, style fyne.TextStyle) float32 {
	at := slices.IndexFunc(r.styles, func(w widths) bool { return w.style == style })
	if at < 0 {
		at = len(r.styles)
		r.styles = append(r.styles, widths{style: style, others: map[rune]float32{}})
	}
	t := &r.styles[at]
	var w float32
	for _, c := range s {
		if c < utf8.RuneSelf {
			if t.ascii[c] == 0 {
				t.ascii[c] = r.measured(c, style)
			}
			w += t.ascii[c]
			continue
		}
		one, ok := t.others[c]
		if !ok {
			one = r.measured(c, style)
			t.others[c] = one
		}
		w += one
	}
	return w
}

// measured asks the driver for the width of a character.
func (r *Ruler) measured(c rune, style fyne.TextStyle) float32 {
	const many = 8 // so that rounding does not count
	return fyne.MeasureText(strings.Repeat(string(c), many), r.size, style).Width / many
}

// Wrap breaks a text into lines no wider than width, at blanks where there are any and
// within words that are wider than a line. Such a word begins on the line before where at least
// a third of it is free, so that "13:" is not alone above the JSON that follows it. width and
// measure are in the same unit. What does not fit into lines ends in "…". There is always a line.
func Wrap(s string, width float32, lines int, measure func(string) float32) []string {
	var out []string
	line, wide := "", float32(0)
	blank := measure(" ")
	for _, word := range strings.Fields(s) {
		w := measure(word)
		if line != "" && wide+blank+w <= width {
			line, wide = line+" "+word, wide+blank+w
			continue
		}
		if room := width - wide - blank; line != "" && w > width && room >= width/3 {
			n := fitting(word, room, measure)
			line, word = line+" "+word[:n], word[n:]
			w = measure(word)
		}
		if line != "" {
			out = append(out, line)
		}
		for w > width {
			n := fitting(word, width, measure)
			if n >= len(word) {
				break
			}
			out = append(out, word[:n])
			word = word[n:]
			w = measure(word)
			if len(out) > lines {
				break
			}
		}
		line, wide = word, w
		if len(out) > lines {
			break
		}
	}
	out = append(out, line)
	if len(out) > lines {
		out = out[:lines]
		out[lines-1] = Cut(out[lines-1]+" …", width, measure)
	}
	return out
}

// fitting is how many bytes of the start of s fit into width, at least one character.
func fitting(s string, width float32, measure func(string) float32) int {
	starts := make([]int, 1, len(s)+1)
	for i := 0; i < len(s); {
		i += text.Character(s[i:])
		starts = append(starts, i)
	}
	lo, hi := 1, len(starts)-1 // characters; lo fits or has to
	for lo < hi {
		mid := (lo + hi + 1) / 2
		if measure(s[:starts[mid]]) <= width {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	if len(starts) == 1 {
		return 0
	}
	return starts[lo]
}

// Cut shortens a text to a width; what is cut ends in "…".
func Cut(s string, width float32, measure func(string) float32) string {
	if measure(s) <= width {
		return s
	}
	const dots = "…"
	s = strings.TrimSuffix(s, dots)
	if s == "" {
		return dots
	}
	n := fitting(s, width-measure(dots), measure)
	if n <= text.Character(s) && measure(s[:n]+dots) > width {
		return dots
	}
	return strings.TrimRight(s[:n], " ") + dots
}

// Text is one line of text to draw. Fyne draws a blank with the font of the character before it,
// and the one that it has for symbols has no blank and shows a box: there the line is in pieces.
func Text(s string, ink color.Color, size float32, style fyne.TextStyle) fyne.CanvasObject {
	var all []fyne.CanvasObject
	for _, piece := range pieces(s) {
		t := canvas.NewText(piece, ink)
		t.TextSize, t.TextStyle = size, style
		all = append(all, t)
	}
	if len(all) == 1 {
		return all[0]
	}
	return container.New(Row{Gap: fyne.MeasureText(" ", size, style).Width, Firm: true}, all...)
}

// pieces are the parts of a line to draw beside each other, with a blank between them.
func pieces(s string) []string {
	var out []string
	before, from := 'a', 0
	for i, r := range s {
		if r == ' ' && before > 0x7f && unicode.IsSymbol(before) {
			out, from = append(out, s[from:i]), i+1
		}
		before = r
	}
	return append(out, s[from:])
}

// Harmless is a text that a model made harmless already as it is, and any other as one
// line: what is spelled out once is not spelled out again.
func Harmless(s string) string { return text.EscapeOnce(text.CollapseSpace(s)) }
