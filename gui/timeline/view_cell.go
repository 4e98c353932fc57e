package timeline

import (
	"image"
	"image/color"
	"slices"
	"strconv"

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

// Width is that of the list in Fyne units. The pictures have the shape of a screen,
// as they are scaled.
const (
	width       = 184
	pictureHigh = 90
)

// cell is one turn: its picture, its number and action, what changed, what is wrong, and
// comments on it.
type cell struct {
	widget.BaseWidget
	v            *View
	row          core.TurnRow
	said         core.Remarks
	damage       *core.Damage
	shown, going bool
	film         bool // it is of the strip: see film
	hits         int  // how often the words of the filter stand in its texts
}

var _ desktop.Hoverable = (*cell)(nil)

func newCell(v *View) *cell {
	c := &cell{v: v}
	c.ExtendBaseWidget(c)
	return c
}

// listed is a cell of the list. It takes what the row of the list would take, since Fyne gives a click to the innermost
// thing that takes any of its kinds. The strip takes the clicks on its cells itself.
type listed struct{ cell }

var (
	_ fyne.Tappable          = (*listed)(nil)
	_ fyne.SecondaryTappable = (*listed)(nil)
)

func newListed(v *View) *listed {
	l := &listed{cell{v: v}}
	l.ExtendBaseWidget(l)
	return l
}

// Tapped chooses the turn, and gives the list the keyboard.
func (l *listed) Tapped(*fyne.PointEvent) {
	if canvas := l.v.w.Canvas; canvas != nil {
		canvas.Focus(l.v.list)
	}
	if l.damage == nil {
		l.v.choose(l.v.place(l.row.N))
		return
	}
	l.v.choose(slices.Index(l.v.rows,
		^slices.IndexFunc(l.v.vm.Damaged, func(d core.Damage) bool { return d == *l.damage })))
}

// TappedSecondary offers what can be done with the turn.
func (l *listed) TappedSecondary(e *fyne.PointEvent) {
	if at := l.v.place(l.row.N); at >= 0 && l.damage == nil {
		l.v.menu(at, e.AbsolutePosition)
	}
}

func (c *cell) set(r core.TurnRow, said core.Remarks, shown, going bool) {
	if c.damage == nil && c.shown == shown && c.going == going && c.said == said && c.row == r {
		return
	}
	c.row, c.said, c.damage, c.shown, c.going = r, said, nil, shown, going
	c.Refresh()
}

// hit shows how often the words of the filter stand in the texts of the turn.
func (c *cell) hit(n int) {
	if c.hits != n {
		c.hits, c.row.N = n, 0 // which set then draws
	}
}

func (c *cell) setDamage(d core.Damage) {
	c.row, c.said, c.damage, c.shown, c.going = core.TurnRow{N: d.N}, core.Remarks{}, &d, false, false
	c.Refresh()
}

// MouseIn enlarges the picture.
func (c *cell) MouseIn(*desktop.MouseEvent) {
	if c.damage == nil {
		c.v.lens.show(c.row, c.said, c)
	}
}

// MouseMoved does nothing.
func (c *cell) MouseMoved(*desktop.MouseEvent) {}

// MouseOut ends what MouseIn began.
func (c *cell) MouseOut() { c.v.lens.hide() }

func (c *cell) CreateRenderer() fyne.WidgetRenderer {
	text := func() *canvas.Text { return canvas.NewText("", color.Transparent) }
	rect := func() *canvas.Rectangle { return canvas.NewRectangle(color.Transparent) }
	r := &cellRenderer{cell: c, frame: rect(), bar: rect(), paper: rect(), image: &canvas.Image{},
		dot: canvas.NewCircle(color.Transparent), note: canvas.NewCircle(color.Transparent),
		flags: plate{rect(), text()}, verdict: plate{rect(), text()},
		number: text(), action: text(), fact: text(), middle: text()}
	r.image.FillMode = canvas.ImageFillStretch
	r.image.ScaleMode = canvas.ImageScaleFastest
	r.image.Image = image.NewRGBA(image.Rect(0, 0, 1, 1))
	r.number.TextStyle.Bold = true
	r.verdict.text.TextStyle.Bold = true
	r.fact.Alignment = fyne.TextAlignTrailing
	r.middle.Alignment = fyne.TextAlignCenter
	r.Refresh()
	return r
}

// plate is a short text on a ground.
type plate struct {
	ground *canvas.Rectangle
	text   *canvas.Text
}

// set shows a text in the colours of its tone, nothing for none.
func (p plate) set(item core.StatusItem, rgba func(fyne.ThemeColorName) color.RGBA) {
	p.ground.Hide()
	p.text.Hide()
	if item.Text == "" {
		return
	}
	ground, edge, ink := parts.NoteColors(item.Tone)
	p.text.Text, p.text.Color = item.Text, rgba(ink)
	p.ground.FillColor, p.ground.StrokeColor, p.ground.StrokeWidth, p.ground.CornerRadius = rgba(ground), rgba(edge), 1,
		3
	p.ground.Show()
	p.text.Show()
}

// place puts the plate with its left or right edge at x, its top at y.
func (p plate) place(x, y, most float32, right bool) {
	if p.ground.Visible() {
		fit(p.text, p.text.Text, most-10)
	}
	m := p.text.MinSize()
	w := min(m.Width+10, most)
	if right {
		x -= w
	}
	p.ground.Move(fyne.NewPos(x, y))
	p.ground.Resize(fyne.NewSize(w, m.Height+2))
	p.text.Move(fyne.NewPos(x+5, y+1))
	p.text.Resize(m)
}

type cellRenderer struct {
	cell                         *cell
	frame, bar, paper            *canvas.Rectangle
	image                        *canvas.Image
	number, action, fact, middle *canvas.Text
	// flags are warnings about the turn over the foot of its picture, verdict what it
	// was judged over the head.
	flags, verdict plate
	// dot marks on the strip how the turn went, see [core.TurnRow.Tone], note that it has a note.
	dot, note *canvas.Circle
}

func (r *cellRenderer) MinSize() fyne.Size {
	return fyne.NewSize(width-16, pictureHigh+28)
}

func (r *cellRenderer) Layout(size fyne.Size) {
	at := func(o fyne.CanvasObject, x, y, w, h float32) {
		o.Move(fyne.NewPos(x, y))
		o.Resize(fyne.NewSize(w, h))
	}
	if r.cell.film {
		r.layoutFilm(size)
		return
	}
	at(r.frame, 1, 1, size.Width-3, size.Height-2)
	at(r.bar, 1, 7, 3, size.Height-14)
	w := size.Width - 13
	at(r.paper, 6, 5, w, pictureHigh)
	at(r.image, 6, 5, w, pictureHigh)
	at(r.middle, 6, 5, w, pictureHigh)
	fm := r.flags.text.MinSize()
	r.flags.place(9, 5+pictureHigh-fm.Height-5, w-6, false)
	r.verdict.place(size.Width-10, 8, w-6, true)
	y, h := float32(pictureHigh+6), size.Height-pictureHigh-8
	nw := r.number.MinSize().Width
	at(r.number, 9, y, nw, h)
	fw := r.fact.MinSize().Width
	fit(r.action, text.Cut(text.Line(r.actionText()), 24), w-nw-fw-18) // apart from the fact
	at(r.action, 9+nw+6, y, r.action.MinSize().Width, h)
	at(r.fact, 6, y, w-3, h)
}

// layoutFilm lays a cell of the strip out: the picture over a line with number and action.
func (r *cellRenderer) layoutFilm(size fyne.Size) {
	at := func(o fyne.CanvasObject, x, y, w, h float32) {
		o.Move(fyne.NewPos(x, y))
		o.Resize(fyne.NewSize(w, h))
	}
	w := size.Width - 6
	at(r.frame, 0, 0, size.Width, size.Height)
	at(r.bar, 0, 0, 0, 0)
	for _, o := range []fyne.CanvasObject{r.paper, r.image, r.middle} {
		at(o, 3, 3, w, filmPicture)
	}
	at(r.dot, size.Width-15, 6, 9, 9)
	at(r.note, size.Width-27, 6, 9, 9)
	r.verdict.place(5, 5, w-30, false)
	y, h := float32(filmPicture+4), size.Height-filmPicture-6
	nw, fw := r.number.MinSize().Width, r.fact.MinSize().Width
	at(r.number, 6, y, nw, h)
	fit(r.action, text.Cut(text.Line(r.actionText()), 24), w-nw-fw-17)
	at(r.action, 6+nw+5, y, r.action.MinSize().Width, h)
	at(r.fact, 3, y, w-3, h)
}

// fit shows as much of a text as there is room for, in Fyne units.
func fit(t *canvas.Text, full string, room float32) {
	t.Text = full
	for r := []rune(full); len(r) > 0 && t.MinSize().Width > room; {
		r = r[:len(r)-1]
		t.Text = string(r) + "…"
		if len(r) == 0 {
			t.Text = ""
		}
	}
}

func (r *cellRenderer) actionText() string {
	switch c := r.cell; {
	case c.damage != nil:
		return "damaged"
	case c.going:
		return "opening…"
	default:
		return Title(c.row)
	}
}

func (r *cellRenderer) Refresh() {
	c, th := r.cell, r.cell.Theme()
	rgba := func(n fyne.ThemeColorName) color.RGBA { return theme.RGBA(th, n) }
	size := th.Size(fynetheme.SizeNameCaptionText)
	for _, t := range []*canvas.Text{r.number, r.action, r.fact, r.middle, r.flags.text, r.verdict.text} {
		t.TextSize, t.Color = size, rgba(theme.ColorMuted)
	}
	r.number.Color = rgba(theme.ColorText)
	r.number.Text = strconv.Itoa(c.row.N)
	r.frame.CornerRadius, r.frame.StrokeWidth = 6, 1
	r.frame.FillColor, r.frame.StrokeColor = color.Transparent, rgba(theme.ColorLine)
	r.bar.FillColor, r.bar.CornerRadius = color.Transparent, 1.5
	r.paper.FillColor, r.paper.CornerRadius = rgba(theme.ColorStage), 3
	r.middle.Text = ""
	r.image.Hide()
	r.flags.set(core.StatusItem{}, rgba)
	r.verdict.set(core.StatusItem{}, rgba)
	if c.damage != nil {
		r.damaged(rgba(theme.ColorWarn))
	} else {
		r.fact.Text = c.row.Fact().Text
		r.flags.set(c.row.Flags(c.said), rgba)
		r.verdict.set(core.VerdictSign(c.said.Verdict), rgba)
		if c.hits > 0 {
			r.verdict.set(core.StatusItem{Text: text.Thousands(c.hits) + " ×", Tone: core.ToneWarn}, rgba)
		}
		if c.row.Thumb != nil {
			r.image.Image = c.row.Thumb
			r.image.Show()
		} else if c.row.Pageless {
			r.middle.Text = "no page"
		}
		switch {
		case c.shown:
			r.frame.FillColor, r.frame.StrokeColor = rgba(theme.ColorRowSelected), rgba(theme.ColorAccent)
			r.bar.FillColor = rgba(theme.ColorAccent)
			r.action.Color, r.fact.Color = rgba(theme.ColorText), rgba(theme.ColorText)
		case c.going:
			r.frame.StrokeColor = rgba(theme.ColorAccent)
		}
	}
	if c.film {
		r.refreshFilm(rgba)
	}
	r.Layout(c.Size())
	for _, o := range r.Objects() {
		o.Refresh()
	}
}

// refreshFilm leaves of the remarks what there is room for: a dot for what failed, one for
// what is doubtful, one for a note, and how many elements came and went.
func (r *cellRenderer) refreshFilm(rgba func(fyne.ThemeColorName) color.RGBA) {
	c := r.cell
	r.flags.set(core.StatusItem{}, rgba)
	if ch := c.row.Change; c.damage != nil || ch == nil || ch.Navigated || ch.Added+ch.Removed+ch.Changed == 0 {
		r.fact.Text = ""
	}
	sign := func(o *canvas.Circle, on bool, name fyne.ThemeColorName) {
		o.FillColor, o.StrokeColor, o.StrokeWidth = rgba(name), rgba(theme.ColorMarkHalo), 1
		if o.Show(); !on {
			o.Hide()
		}
	}
	tone, told := map[core.Tone]fyne.ThemeColorName{core.ToneBad: theme.ColorBad, core.ToneWarn: theme.ColorWarn,
		core.ToneGood: theme.ColorGood}[c.row.Tone()]
	sign(r.dot, c.damage == nil && told, tone)
	sign(r.note, c.damage == nil && (c.row.Note != "" || c.said.Count > 0), theme.ColorAccent)
}

func (r *cellRenderer) damaged(warn color.RGBA) {
	if r.cell.damage.N == 0 {
		r.number.Text = "?"
	}
	r.fact.Text = ""
	r.middle.Text = "! click to read why"
	r.action.Color, r.frame.StrokeColor = warn, warn
}

func (r *cellRenderer) Objects() []fyne.CanvasObject {
	if r.cell.film {
		return []fyne.CanvasObject{r.frame, r.paper, r.image, r.middle, r.verdict.ground, r.verdict.text, r.dot, r.note,
			r.number, r.action, r.fact}
	}
	return []fyne.CanvasObject{r.frame, r.bar, r.paper, r.image, r.middle, r.flags.ground, r.flags.text,
		r.verdict.ground, r.verdict.text, r.number, r.action, r.fact}
}

func (r *cellRenderer) Destroy() {}
