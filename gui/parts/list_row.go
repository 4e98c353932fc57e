package parts

import (
	"image/color"
	"regexp"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	fynetheme "fyne.io/fyne/v2/theme"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/theme"
	"github.com/refscope/refscope/snapshot/conversation"
	"github.com/refscope/refscope/snapshot/text"
)

// The measures of rows in Fyne units.
const (
	listPad = 4
	rowSide = 12 // beside a row
	rowPad  = 2  // above and below a line
	cardGap = 4  // above and below a card
	cardPad = 10
	stripe  = 3
	cellGap = 14
	chipGap = 6
	indent  = 16

	// A picture of a row, 16 by 9.
	pictureWide, pictureHigh = 80, 45

	titleLines, bodyLines = 4, 8
	// maxWords bounds what is drawn of a title or a paragraph, in characters.
	maxWords = 1600
)

// drawnRow is a row as it is drawn, from its own top.
type drawnRow struct {
	look    rowLook
	high    float32
	objects []fyne.CanvasObject
	hits    []hit
}

// hit is a place in a row that can be chosen apart from it.
type hit struct {
	x, y, w, h float32
	stop       int
}

// pen draws one row.
type pen struct {
	l    *List
	r    *core.Row
	d    *drawnRow
	draw bool // else only the height is wanted
	look rowLook
	line float32 // height of a line
}

// lay places the parts of a row at the list's width. Without draw it has its height alone.
func (l *List) lay(i int, draw bool) *drawnRow {
	p := &pen{l: l, r: l.vm.Numbers.Row(&l.rows()[i]), d: &drawnRow{}, draw: draw,
		line: float32(int(l.ruler.size*1.42 + 0.5))}
	if draw {
		p.look = l.look(i)
	}
	switch p.r.Kind {
	case core.RowCard:
		p.card()
	case core.RowHead:
		p.head()
	case core.RowColumns:
		p.columns()
	case core.RowPart:
		p.part()
	default:
		p.lineRow()
	}
	return p.d
}

func (p *pen) measure(style fyne.TextStyle) func(string) float32 { return p.l.ruler.Measure(style) }

// text draws one line.
func (p *pen) text(s string, x, y float32, style fyne.TextStyle, ink fyne.ThemeColorName) {
	if !p.draw || s == "" {
		return
	}
	t := Text(s, p.l.ink(ink), p.l.ruler.size, style)
	h := t.MinSize()
	t.Move(fyne.NewPos(x, y+(p.line-h.Height)/2))
	t.Resize(h)
	p.d.objects = append(p.d.objects, t)
}

// box draws a rectangle; one that is under what was drawn before goes first.
func (p *pen) box(x, y, w, h, radius float32, fill, edge fyne.ThemeColorName, under bool) {
	if !p.draw {
		return
	}
	b := canvas.NewRectangle(color.Transparent)
	if fill != "" {
		b.FillColor = p.l.ink(fill)
	}
	if edge != "" {
		b.StrokeColor, b.StrokeWidth = p.l.ink(edge), 1
	}
	b.CornerRadius = radius
	b.Move(fyne.NewPos(x, y))
	b.Resize(fyne.NewSize(w, h))
	if under {
		p.d.objects = append([]fyne.CanvasObject{b}, p.d.objects...)
	} else {
		p.d.objects = append(p.d.objects, b)
	}
}

// paragraph draws wrapped lines and returns the height.
func (p *pen) paragraph(s string, x, y, width float32, most int, style fyne.TextStyle,
	ink fyne.ThemeColorName) float32 {
	lines := p.wrap(s, width, most, style)
	return p.lines(lines, x, y, style, ink)
}

func (p *pen) wrap(s string, width float32, most int, style fyne.TextStyle) []string {
	s = text.Cut(Harmless(s), maxWords)
	if p.l.ruler.width(s, style) <= width {
		return []string{s}
	}
	return Wrap(s, max(width, 40), most, p.measure(style))
}

// body draws the words below a title.
func (p *pen) body(x, y, width float32, ink fyne.ThemeColorName) float32 {
	if p.r.Body == "" {
		return 0
	}
	high := float32(0)
	for s := range strings.SplitSeq(p.r.Body, "\n") {
		high += p.paragraph(s, x, y+high, width, bodyLines, fyne.TextStyle{}, ink)
	}
	return high
}

// action draws the word at the end, its right edge at x, and returns its width.
func (p *pen) action(x, y float32) float32 {
	if p.r.Action == "" {
		return 0
	}
	w := p.measure(fyne.TextStyle{})(p.r.Action)
	stop := 1 + len(p.r.Chips) + len(p.r.Sorts)
	if p.look.over == stop || p.look.cursor == stop {
		p.box(x-w-5, y, w+10, p.line, 3, theme.ColorRowHover, p.edge(stop), false)
	}
	p.text(p.r.Action, x-w, y, fyne.TextStyle{}, theme.ColorAccent)
	p.d.hits = append(p.d.hits, hit{x - w - 5, y - 2, w + 10, p.line + 4, stop})
	return w + cellGap
}

// edge is the colour around a place that has the keyboard.
func (p *pen) edge(stop int) fyne.ThemeColorName {
	if p.draw && p.look.cursor == stop {
		return theme.ColorAccent
	}
	return ""
}

// chips draws the chips like words, and the action at the end of their last line. It answers
// with the height.
func (p *pen) chips(x, y, right float32) float32 {
	mono := fyne.TextStyle{Monospace: true}
	at, top, high := x, y, p.line+4
	for k, c := range p.r.Chips {
		number, words := "", text.Cut(Harmless(c.Text), 60)
		if c.Ref > 0 {
			number = p.l.vm.Numbers.Text(c.Ref)
		}
		w := float32(14)
		nw := p.measure(mono)(number)
		ww := p.measure(mono)(words)
		if number != "" && words != "" {
			nw += 7
		}
		if w+nw+ww > right-x {
			words = Cut(words, right-x-w-nw, p.measure(mono))
			ww = p.measure(mono)(words)
		}
		if w += nw + ww; at > x && at+w > right {
			at, top = x, top+high+chipGap-2
		}
		edge := theme.ColorLine
		switch stop := k + 1; {
		case p.draw && (p.look.cursor == stop || p.look.ref > 0 && p.look.ref == c.Ref):
			edge = theme.ColorAccent
		case p.draw && p.look.over == stop:
			edge = theme.ColorMuted
		}
		p.box(at, top, w, high, 4, fynetheme.ColorNameInputBackground, edge, false)
		p.text(number, at+7, top+2, mono, theme.ColorRef)
		p.text(words, at+7+nw, top+2, mono, theme.ColorText)
		p.d.hits = append(p.d.hits, hit{at, top, w, high, k + 1})
		at += w + chipGap
	}
	if p.r.Action != "" {
		w := p.measure(fyne.TextStyle{})(p.r.Action)
		if at > x && at+w+6 > right {
			top += high + chipGap - 2
		}
		p.action(right, top+2)
	}
	return top - y + high
}

// card: a stripe, a bold title, words, chips, an action.
func (p *pen) card() {
	left, right := float32(rowSide), p.l.width-rowSide
	x, y := left+stripe+cardPad, float32(cardGap+8)
	end := right - cardPad
	titleEnd, bold := end, fyne.TextStyle{Bold: true}
	if len(p.r.Chips) == 0 {
		titleEnd -= p.action(end, y)
	}
	for _, cell := range p.r.Cells { // who, and what it cost, in a line above
		p.text(Cut(Harmless(cell), titleEnd-x, p.measure(fyne.TextStyle{})), x, y, fyne.TextStyle{}, theme.ColorMuted)
		y += p.line
	}
	y += p.paragraph(p.r.Title, x, y, titleEnd-x, titleLines, bold, ToneColor(p.r.Tone))
	y += p.body(x, y+1, end-x, theme.ColorText)
	if len(p.r.Chips) > 0 {
		y += 6 + p.chips(x, y+6, end)
	}
	y += 9
	ground, edge := theme.ColorNoteGround, fyne.ThemeColorName("")
	if p.draw {
		switch {
		case p.look.selected || p.r.On || p.look.current:
			ground, edge = theme.ColorRowSelected, theme.ColorAccent
		case p.look.cursor == 0:
			edge = theme.ColorAccent
		case p.look.over >= 0 || p.look.lit:
			edge = theme.ColorNoteEdge
		case p.look.found:
			edge = theme.ColorWarn
		}
	}
	tone := ToneColor(p.r.Tone)
	if p.r.Tone == core.ToneNormal {
		tone = theme.ColorMuted
	}
	p.box(left, cardGap, stripe, y-cardGap, 2, tone, "", true)
	p.box(left, cardGap, right-left, y-cardGap, 5, ground, edge, true)
	p.d.high = y + cardGap
}

// head: the heading of a group.
func (p *pen) head() {
	y := float32(10)
	end := p.l.width - rowSide
	end -= p.action(end, y)
	for k := len(p.r.Cells) - 1; k >= 0; k-- {
		w := p.measure(fyne.TextStyle{})(p.r.Cells[k])
		p.text(p.r.Cells[k], end-w, y, fyne.TextStyle{}, theme.ColorMuted)
		end -= w + cellGap
	}
	y += p.paragraph(p.r.Title, rowSide, y, end-rowSide, 2, fyne.TextStyle{Bold: true}, headInk(p.r.Tone))
	if p.r.Body != "" {
		y += p.body(rowSide, y, p.l.width-2*rowSide, theme.ColorMuted)
	}
	p.d.high = y + 4
}

// A picture in a message, in Fyne units; partLines bounds what is drawn of one paragraph.
const (
	partWide, partHigh = 176, 110
	partLines          = 60
)

// part: who speaks, then what is said, with a stripe along all of it.
func (p *pen) part() {
	r := p.r
	x, end, y, top := float32(rowSide+stripe+cardPad), p.l.width-rowSide, float32(1), float32(0)
	muted := fyne.TextStyle{}
	if r.Title != "" {
		y, top = 9, 7
		at := end
		for k := len(r.Cells) - 1; k >= 0; k-- {
			cell := Harmless(r.Cells[k])
			at -= p.measure(muted)(cell)
			p.text(cell, at, y, muted, theme.ColorMuted)
			at -= cellGap
		}
		title := Cut(Harmless(r.Title), max(0, at-x), p.measure(muted))
		p.text(title, x, y, muted, theme.ColorMuted)
		p.links(x+p.measure(muted)(title)+cellGap, y, at)
		y += p.line + 1
	}
	x += float32(r.Level) * indent
	ink, style := ToneColor(r.Tone), fyne.TextStyle{Bold: r.Strong}
	switch {
	case r.Picture != "":
		p.pictureAt(x, y+2, partWide, partHigh)
		p.body(x+partWide+12, y+2, end-x-partWide-12, theme.ColorText)
		p.action(end, y+partHigh-p.line)
		y += partHigh + 6
	case r.Body != "" && r.Code:
		mono, inner := fyne.TextStyle{Monospace: true}, end-x-2*cardPad
		from := y + 2
		y += 6
		for line := range strings.SplitSeq(r.Body, "\n") {
			in := strings.TrimLeft(line, " ")
			left := x + cardPad + float32(len(line)-len(in))*p.measure(mono)(" ")
			wrapped := Wrap(text.Cut(text.EscapeOnce(in), maxWords), max(inner-(left-x-cardPad), 40),
				partLines, p.measure(mono))
			if r.JSON {
				p.typed(wrapped, left, y, mono)
				y += float32(len(wrapped)) * p.line
				continue
			}
			y += p.lines(wrapped, left, y, mono, ink)
		}
		if r.Action != "" {
			p.action(end-cardPad, y)
			y += p.line
		}
		y += 4
		p.box(x, from, end-x, y-from, 4, theme.ColorNoteGround, theme.ColorLine, true)
		y += 4
	case len(r.Inline) > 0:
		y += p.inline(r.Inline, x, y, end-x, ink, r.Strong)
		if r.Action != "" {
			p.action(min(x+p.measure(muted)(r.Action), end), y)
			y += p.line
		}
		y++
	default:
		for line := range strings.SplitSeq(r.Body, "\n") {
			if r.Body != "" {
				y += p.paragraph(line, x, y, end-x, partLines, style, ink)
			}
		}
		if r.Action != "" {
			w := p.measure(muted)(r.Action)
			p.action(min(x+w, end), y)
			y += p.line
		}
		y++
	}
	p.d.high = y
	edge := theme.ColorLine
	switch {
	case r.On:
		edge = theme.ColorAccent
	case r.Tone == core.ToneBad || r.Tone == core.ToneWarn || r.Tone == core.ToneGood:
		edge = ink
	}
	p.box(rowSide, top, stripe-1, y-top, 0, edge, "", true)
	ground := fyne.ThemeColorName("")
	if p.draw {
		switch {
		case p.look.current, p.look.selected:
			ground = theme.ColorRowSelected
		case p.look.found:
			ground = theme.ColorRowWarn
		case p.look.over == 0 && r.Pick != nil:
			ground = theme.ColorRowHover
		}
	}
	if ring := p.edge(0); ground != "" || ring != "" {
		p.box(x-6, top, end-x+12, y-top, 3, ground, ring, true)
	}
}

// inline draws a paragraph in stretches of several styles, wrapped at blanks and within words that are wider than a
// line, and returns its height.
func (p *pen) inline(stretches []conversation.Stretch, x, y, width float32, ink fyne.ThemeColorName,
	strong bool) float32 {
	at, top, lines, budget := x, y, 1, maxWords
	for _, s := range stretches {
		style, tone := fyne.TextStyle{Bold: s.Bold || strong, Italic: s.Italic, Monospace: s.Code}, ink
		if s.Code {
			tone = theme.ColorString
		}
		measure := p.measure(style)
		for _, word := range strings.SplitAfter(text.Cut(text.EscapeOnce(s.Text), budget), " ") {
			budget -= len(word)
			for word != "" && lines <= partLines {
				bare := strings.TrimRight(word, " ")
				if room := x + width - at; measure(bare) <= room {
					p.text(bare, at, y, style, tone)
					at += measure(word)
					break
				} else if at > x { // to the next line
					at, y, lines = x, y+p.line, lines+1
					continue
				} else {
					n := fitting(word, max(room, 40), measure)
					p.text(word[:n], at, y, style, tone)
					at, y, lines, word = x, y+p.line, lines+1, word[n:]
				}
			}
		}
		if budget <= 0 {
			break
		}
	}
	return y + p.line - top
}

// lines draws lines that are wrapped already.
func (p *pen) lines(lines []string, x, y float32, style fyne.TextStyle, ink fyne.ThemeColorName) float32 {
	for i, line := range lines {
		p.text(line, x, y+float32(i)*p.line, style, ink)
	}
	return float32(len(lines)) * p.line
}

// links draws the chips of a part as words in a line, as far as there is room.
func (p *pen) links(x, y, end float32) {
	plain := fyne.TextStyle{}
	for k, c := range p.r.Chips {
		w := p.measure(plain)(c.Text)
		if x+w > end {
			return
		}
		ink := theme.ColorMuted
		if p.draw && (p.look.over == k+1 || p.look.cursor == k+1) {
			ink = theme.ColorAccent
			p.box(x-4, y, w+8, p.line, 3, theme.ColorRowHover, p.edge(k+1), false)
		}
		p.text(c.Text, x, y, plain, ink)
		p.d.hits = append(p.d.hits, hit{x - 4, y - 1, w + 8, p.line + 2, k + 1})
		x += w + cellGap
	}
}

// member finds the key of a line of indented JSON, and what follows it.
var member = regexp.MustCompile(`^("(?:[^"\\]|\\.)*")(: ?)(.*)$`)

// typed draws a wrapped line of indented JSON, keys and values in the colours of their types.
func (p *pen) typed(lines []string, x, y float32, style fyne.TextStyle) {
	ink := theme.ColorText
	for i, line := range lines {
		at, rest := x, line
		if m := member.FindStringSubmatch(line); m != nil && i == 0 {
			p.text(m[1], at, y, style, theme.ColorKey)
			at += p.measure(style)(m[1])
			p.text(m[2], at, y, style, theme.ColorPunct)
			at += p.measure(style)(m[2])
			rest = m[3]
		}
		if i == 0 && rest != "" { // a value goes on in the lines below
			switch c := rest[0]; {
			case c == '"':
				ink = theme.ColorString
			case strings.IndexByte("{}[]", c) >= 0:
				ink = theme.ColorPunct
			default:
				ink = theme.ColorNumber
			}
		}
		p.text(rest, at, y, style, ink)
		y += p.line
	}
}

// headInk: a heading without a tone steps back.
func headInk(t core.Tone) fyne.ThemeColorName {
	if t == core.ToneNormal {
		return theme.ColorMuted
	}
	return ToneColor(t)
}

// cells draws the figures of a row, and returns the left end of the first.
func (p *pen) cells(y, right float32, ink fyne.ThemeColorName, bold bool) float32 {
	style := fyne.TextStyle{Bold: bold}
	for k := len(p.r.Cells) - 1; k >= 0; k-- {
		s := Harmless(p.r.Cells[k])
		w := p.measure(style)(s)
		if w > p.l.wide[k] {
			s = Cut(s, p.l.wide[k]-cellGap, p.measure(style))
			w = p.measure(style)(s)
		}
		p.text(s, right-w, y, style, ink)
		right -= p.l.wide[k]
	}
	return right
}

// columns: the titles of figures, each a way to sort.
func (p *pen) columns() {
	y, right := float32(6), p.l.width-rowSide-p.l.acts
	place := func(k int, title string, x, w float32, left bool) {
		ink := theme.ColorMuted
		on := p.r.Sorted == k+1 || p.r.Sorted == -(k+1)
		if on || p.look.over == k+1 {
			ink = theme.ColorText
		}
		m, room := p.measure(fyne.TextStyle{}), w-cellGap
		if left {
			room = w
		}
		title = Cut(title, room, m)
		tw := m(title)
		at := x + w - tw
		if left {
			at = x
		}
		p.text(title, at, y, fyne.TextStyle{}, ink)
		if on && p.draw {
			icon := fynetheme.MenuDropDownIcon()
			if p.r.Sorted < 0 {
				icon = fynetheme.MenuDropUpIcon()
			}
			im := canvas.NewImageFromResource(fynetheme.NewColoredResource(icon, fynetheme.ColorNameForeground))
			im.Resize(fyne.NewSquareSize(p.line - 4))
			im.Move(fyne.NewPos(at-p.line+3, y+2))
			if left {
				im.Move(fyne.NewPos(at+tw+1, y+2))
			}
			p.d.objects = append(p.d.objects, im)
		}
		if k < len(p.r.Sorts) {
			if p.look.cursor == k+1 {
				p.box(at-4, y, tw+8, p.line, 3, "", theme.ColorAccent, false)
			}
			p.d.hits = append(p.d.hits, hit{x, 0, w, p.line + 10, k + 1})
		}
	}
	end := right
	for k := len(p.r.Cells) - 1; k >= 0; k-- {
		w := p.l.wide[k]
		place(k+1, p.r.Cells[k], end-w, w, false)
		end -= w
	}
	place(0, p.r.Title, rowSide, max(0, end-rowSide), true)
	p.d.high = y + p.line + 4
	p.box(rowSide, p.d.high-1, p.l.width-2*rowSide, 1, 0, theme.ColorLine, "", true)
}

// picture draws the small picture of a row, or the place where it will be.
func (p *pen) picture(x, y float32) { p.pictureAt(x, y, pictureWide, pictureHigh) }

func (p *pen) pictureAt(x, y, wide, high float32) {
	p.box(x, y, wide, high, 2, theme.ColorLine, "", false)
	if !p.draw || p.look.picture == nil {
		return
	}
	im := canvas.NewImageFromImage(p.look.picture)
	im.FillMode, im.ScaleMode = canvas.ImageFillContain, canvas.ImageScaleSmooth
	im.Move(fyne.NewPos(x, y))
	im.Resize(fyne.NewSize(wide, high))
	p.d.objects = append(p.d.objects, im)
}

// lineRow: a lead, a number, words, figures.
func (p *pen) lineRow() {
	r := p.r
	x, y := float32(rowSide+r.Level*indent), float32(rowPad)
	end := p.l.width - rowSide
	ink := ToneColor(r.Tone)
	acts := float32(0)
	if len(r.Chips) == 0 {
		acts = p.action(end, y)
	}
	if len(r.Cells) > 0 {
		end = p.cells(y, end-p.l.acts, theme.ColorText, false) - 4
	} else {
		end -= acts
	}
	if r.Picture != "" {
		p.picture(x, y+1)
		x += pictureWide + 10
	}
	if r.Lead != "" {
		lead := ink
		if r.Tone == core.ToneNormal {
			lead = theme.ColorMuted
		}
		p.text(r.Lead, x, y, fyne.TextStyle{Bold: r.Tone != core.ToneNormal}, lead)
		x += p.measure(fyne.TextStyle{Bold: true})(r.Lead) + 8
	}
	title := r.Title
	if r.Ref > 0 {
		number := p.l.vm.Numbers.Text(r.Ref)
		if !r.Code {
			title = strings.TrimPrefix(title, "["+number+"] ") // the number is drawn once
		}
		style := fyne.TextStyle{Monospace: true}
		p.text(number, x, y, style, theme.ColorRef)
		x += p.measure(style)(number) + 8
	}
	style := fyne.TextStyle{Monospace: r.Code, Bold: r.On && !r.Code}
	if r.Lead != "" && r.Tone != core.ToneMuted {
		ink = theme.ColorText // the sign has the tone
	}
	if r.Aside != "" {
		at := x + p.measure(style)(Harmless(title)) + 10
		p.text(Cut(Harmless(r.Aside), max(0, end-at), p.measure(fyne.TextStyle{})), at, y, fyne.TextStyle{},
			theme.ColorMuted)
	}
	y += p.paragraph(title, x, y, end-x, titleLines, style, ink)
	y += p.body(x, y, p.l.width-rowSide-x, theme.ColorMuted)
	if len(r.Chips) > 0 {
		y += 3 + p.chips(x, y+3, p.l.width-rowSide)
	}
	if r.Picture != "" {
		y = max(y, rowPad+pictureHigh+2)
	}
	y += rowPad
	if r.Share > 0 {
		p.box(rowSide, y, max(1, float32(r.Share)*(p.l.width-2*rowSide)), 2, 1, theme.ColorAccent, "", false)
		y += 3
	}
	p.d.high = y
	ground := fyne.ThemeColorName("")
	if p.draw {
		switch {
		case p.look.selected || r.On || p.look.current:
			ground = theme.ColorRowSelected
		case p.look.over == 0 && r.Pick != nil || p.look.lit:
			ground = theme.ColorRowHover
		case p.look.found:
			ground = theme.ColorRowWarn
		}
	}
	if edge := p.edge(0); ground != "" || edge != "" {
		p.box(rowSide-6, 0, p.l.width-2*rowSide+12, y, 3, ground, edge, true)
	}
}
