package profile

import (
	"fmt"
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/gui/theme"
	"github.com/refscope/refscope/snapshot/text"
)

// A row is a line that can be chosen: a part of the text, a remark of lint, a version.
type row struct {
	lead, text, tail string // lead is muted, tail muted and at the right
	tone             core.Tone
	on               bool // it is the chosen one
	enabled          bool
}

// rowHigh is the height of a row in Fyne units.
const rowHigh = 22

// maxRowRunes bounds what is drawn of a row.
const maxRowRunes = 240

// rows is a short list whose rows can be chosen by a click, or with the arrow keys and
// Enter.
type rows struct {
	widget.BaseWidget
	list    []row
	chosen  func(int)
	escape  func()
	key     func(*fyne.KeyEvent)
	hovered int // -1 for none
	cursor  int // of the keyboard
	focused bool
}

var (
	_ fyne.Tappable     = (*rows)(nil)
	_ fyne.Focusable    = (*rows)(nil)
	_ desktop.Hoverable = (*rows)(nil)
)

func newRows(chosen func(int)) *rows {
	r := &rows{chosen: chosen, hovered: -1}
	r.ExtendBaseWidget(r)
	return r
}

func (r *rows) set(list []row) {
	r.list = list
	r.cursor = max(0, min(r.cursor, len(list)-1))
	r.Refresh()
}

func (r *rows) at(y float32) int {
	if i := int(y / rowHigh); y >= 0 && i < len(r.list) {
		return i
	}
	return -1
}

func (r *rows) choose(i int) {
	if i >= 0 && i < len(r.list) && r.list[i].enabled {
		r.chosen(i)
	}
}

// Tapped implements fyne.Tappable.
func (r *rows) Tapped(e *fyne.PointEvent) {
	if i := r.at(e.Position.Y); i >= 0 {
		r.cursor = i
		r.choose(i)
	}
}

// MouseIn implements desktop.Hoverable.
func (r *rows) MouseIn(e *desktop.MouseEvent) { r.MouseMoved(e) }

// MouseMoved implements desktop.Hoverable.
func (r *rows) MouseMoved(e *desktop.MouseEvent) {
	if i := r.at(e.Position.Y); i != r.hovered {
		r.hovered = i
		r.Refresh()
	}
}

// MouseOut implements desktop.Hoverable.
func (r *rows) MouseOut() { r.hovered = -1; r.Refresh() }

// FocusGained implements fyne.Focusable.
func (r *rows) FocusGained() { r.focused = true; r.Refresh() }

// FocusLost implements fyne.Focusable.
func (r *rows) FocusLost() { r.focused = false; r.Refresh() }

// TypedRune implements fyne.Focusable.
func (r *rows) TypedRune(rune) {}

// TypedKey implements fyne.Focusable.
func (r *rows) TypedKey(k *fyne.KeyEvent) {
	switch k.Name {
	case fyne.KeyUp:
		r.cursor = max(0, r.cursor-1)
	case fyne.KeyDown:
		r.cursor = max(0, min(len(r.list)-1, r.cursor+1))
	case fyne.KeyReturn, fyne.KeyEnter, fyne.KeySpace:
		r.choose(r.cursor)
	case fyne.KeyEscape:
		r.escape()
	default:
		r.key(k)
	}
	r.Refresh()
}

// CreateRenderer is Fyne's.
func (r *rows) CreateRenderer() fyne.WidgetRenderer {
	p := &rowsRenderer{r: r}
	p.build()
	return p
}

type rowsRenderer struct {
	r       *rows
	objects []fyne.CanvasObject
}

func (p *rowsRenderer) MinSize() fyne.Size {
	return fyne.NewSize(60, float32(len(p.r.list))*rowHigh)
}
func (p *rowsRenderer) Layout(fyne.Size)             { p.build() }
func (p *rowsRenderer) Objects() []fyne.CanvasObject { return p.objects }
func (p *rowsRenderer) Destroy()                     {}
func (p *rowsRenderer) Refresh() {
	p.build()
	canvas.Refresh(p.r)
}

// build makes the objects of all rows; there are a few dozen at most.
func (p *rowsRenderer) build() {
	r, th, width := p.r, p.r.Theme(), p.r.Size().Width
	ink := func(n fyne.ThemeColorName) color.RGBA { return theme.RGBA(th, n) }
	size := th.Size(fynetheme.SizeNameText) - 1
	p.objects = p.objects[:0]
	put := func(s string, x, limit, y float32, right bool, c color.RGBA, bold bool) float32 {
		o := canvas.NewText(text.Cut(text.Line(s), maxRowRunes), c)
		o.TextSize, o.TextStyle.Bold = size, bold
		for runes := []rune(o.Text); o.MinSize().Width > limit && len(runes) > 1; {
			runes = runes[:len(runes)*7/8]
			o.Text = string(runes) + "…"
		}
		w := o.MinSize().Width
		if right {
			x -= w
		}
		o.Move(fyne.NewPos(x, y+(rowHigh-o.MinSize().Height)/2))
		o.Resize(o.MinSize())
		p.objects = append(p.objects, o)
		return w
	}
	for i, l := range r.list {
		y := float32(i) * rowHigh
		ground := canvas.NewRectangle(color.Transparent)
		switch {
		case l.on:
			ground.FillColor = ink(theme.ColorRowSelected)
		case i == r.hovered && l.enabled:
			ground.FillColor = ink(theme.ColorRowHover)
		}
		if r.focused && i == r.cursor {
			ground.StrokeColor, ground.StrokeWidth = ink(theme.ColorAccent), 1
		}
		ground.Move(fyne.NewPos(0, y))
		ground.Resize(fyne.NewSize(width, rowHigh))
		p.objects = append(p.objects, ground)
		x, end := float32(12), width-12
		if l.tail != "" {
			end -= put(l.tail, end, width/2, y, true, ink(theme.ColorMuted), false) + 8
		}
		if l.lead != "" {
			x += max(put(l.lead, x, width/3, y, false, ink(theme.ColorMuted), false)+10, 0)
		}
		put(l.text, x, end-x, y, false, ink(parts.ToneColor(l.tone)), l.on)
	}
}

// checkRows are the rows of what lint and the trial found.
func checkRows(list []Row) []row {
	out := make([]row, len(list))
	for i, l := range list {
		out[i] = row{text: mark(l.Tone) + l.Text, tone: l.Tone, enabled: l.Line > 0}
		if l.Line > 0 {
			out[i].lead = fmt.Sprintf("line %d", l.Line)
		}
	}
	return out
}

// mark is the sign of a tone, so that nothing is told by colour alone.
func mark(t core.Tone) string {
	switch t {
	case core.ToneBad:
		return "! "
	case core.ToneWarn:
		return "! "
	}
	return ""
}

// partRows are the rows of the outline.
func partRows(list []Section, line int) []row {
	out := make([]row, len(list))
	in := -1
	for i, p := range list {
		out[i] = row{text: p.Name, enabled: true}
		switch {
		case p.Line == 0:
			out[i].text, out[i].tone = "+ "+p.Name, core.ToneMuted
		case p.Size > 0:
			out[i].tail = fmt.Sprint(p.Size)
		}
		if p.Line > 0 && p.Line <= line && (in < 0 || p.Line > list[in].Line) {
			in = i
		}
	}
	if in >= 0 {
		out[in].on = true
	}
	return out
}
