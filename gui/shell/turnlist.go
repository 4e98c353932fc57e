package shell

import (
	"fmt"
	"image"
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/gui/state"
	"github.com/refscope/refscope/gui/theme"
)

// Size of a thumbnail in the list, in Fyne units.
const (
	turnWidth   = 156
	turnPicture = 70
)

// turnList is the narrow list of the session's turns, damaged ones last.
type turnList struct {
	vm    state.TurnsVM
	send  func(state.Msg)
	list  *widget.List
	empty *widget.Label
	box   fyne.CanvasObject
}

func newTurnList(send func(state.Msg)) *turnList {
	t := &turnList{send: send, empty: widget.NewLabel("")}
	t.empty.Wrapping = fyne.TextWrapWord
	t.empty.Alignment = fyne.TextAlignCenter
	t.empty.Importance = widget.LowImportance
	t.list = widget.NewList(
		func() int { return len(t.vm.Rows) + len(t.vm.Damaged) },
		func() fyne.CanvasObject { return newTurnCell() },
		func(i widget.ListItemID, o fyne.CanvasObject) { t.fill(i, o.(*turnCell)) },
	)
	t.list.HideSeparators = true
	t.list.OnSelected = func(i widget.ListItemID) {
		t.list.UnselectAll() // the state says which turn is in view, not the list
		switch {
		case i < len(t.vm.Rows):
			send(state.TurnChosen{N: t.vm.Rows[i].N})
		case i-len(t.vm.Rows) < len(t.vm.Damaged):
			send(state.DamageChosen{Index: i - len(t.vm.Rows)})
		}
	}
	wide := canvas.NewRectangle(color.Transparent)
	wide.SetMinSize(fyne.NewSize(turnWidth, 0))
	t.box = container.NewStack(wide, parts.Padded(40, 0, 6, 6, container.NewVBox(t.empty)), parts.Padded(4, 4, 4, 4, t.list))
	return t
}

func (t *turnList) fill(i int, c *turnCell) {
	if i < len(t.vm.Rows) {
		r := t.vm.Rows[i]
		c.set(r, r.N == t.vm.Shown)
		if !r.Asked {
			t.send(state.TurnSeen{N: r.N})
		}
		return
	}
	if i -= len(t.vm.Rows); i < len(t.vm.Damaged) {
		c.setDamage(t.vm.Damaged[i])
	}
}

// set shows vm and scrolls to the turn in view where that is another one.
func (t *turnList) set(vm state.TurnsVM) {
	moved := vm.Shown != t.vm.Shown
	t.vm = vm
	t.empty.SetText(vm.Empty)
	parts.Show(t.empty, vm.Empty != "")
	parts.Show(t.list, vm.Empty == "")
	t.list.Refresh()
	if moved {
		for i, r := range vm.Rows {
			if r.N == vm.Shown {
				t.list.ScrollTo(i)
			}
		}
	}
}

// turnCell is one turn: its picture, its number and action, what is in it.
type turnCell struct {
	widget.BaseWidget
	row    state.TurnRow
	damage *state.Damage
	shown  bool
}

func newTurnCell() *turnCell {
	c := &turnCell{}
	c.ExtendBaseWidget(c)
	return c
}

func (c *turnCell) set(r state.TurnRow, shown bool) {
	c.row, c.damage, c.shown = r, nil, shown
	c.Refresh()
}

func (c *turnCell) setDamage(d state.Damage) {
	c.row, c.damage, c.shown = state.TurnRow{N: d.N}, &d, false
	c.Refresh()
}

func (c *turnCell) CreateRenderer() fyne.WidgetRenderer {
	r := &turnCellRenderer{
		cell: c, frame: canvas.NewRectangle(color.Transparent), paper: canvas.NewRectangle(color.Transparent), image: &canvas.Image{},
		flagGround: canvas.NewRectangle(color.Transparent), flags: canvas.NewText("", color.Transparent),
		number: canvas.NewText("", color.Transparent), action: canvas.NewText("", color.Transparent), fact: canvas.NewText("", color.Transparent), middle: canvas.NewText("", color.Transparent),
	}
	r.image.FillMode = canvas.ImageFillStretch
	r.image.ScaleMode = canvas.ImageScaleFastest
	r.image.Image = image.NewRGBA(image.Rect(0, 0, 1, 1))
	r.number.TextStyle.Bold = true
	r.fact.Alignment = fyne.TextAlignTrailing
	r.middle.Alignment = fyne.TextAlignCenter
	r.Refresh()
	return r
}

type turnCellRenderer struct {
	cell                         *turnCell
	frame, paper                 *canvas.Rectangle
	image                        *canvas.Image
	number, action, fact, middle *canvas.Text
	// flags are warnings about the turn, on a ground over the foot of its picture.
	flagGround *canvas.Rectangle
	flags      *canvas.Text
}

func (r *turnCellRenderer) MinSize() fyne.Size {
	return fyne.NewSize(turnWidth-16, turnPicture+26)
}

func (r *turnCellRenderer) Layout(size fyne.Size) {
	r.frame.Resize(size.SubtractWidthHeight(6, 2))
	r.frame.Move(fyne.NewPos(2, 1))
	at := func(o fyne.CanvasObject, x, y, w, h float32) {
		o.Move(fyne.NewPos(x, y))
		o.Resize(fyne.NewSize(w, h))
	}
	w := size.Width - 14
	at(r.paper, 6, 5, w, turnPicture)
	at(r.image, 6, 5, w, turnPicture)
	at(r.middle, 6, 5, w, turnPicture)
	fm := r.flags.MinSize()
	at(r.flagGround, 9, 5+turnPicture-fm.Height-4, min(fm.Width+8, w-6), fm.Height+1)
	at(r.flags, 13, 5+turnPicture-fm.Height-3.5, w-14, fm.Height)
	y, h := float32(turnPicture+4), size.Height-turnPicture-6
	nw := r.number.MinSize().Width
	at(r.number, 8, y, nw, h)
	at(r.action, 8+nw+5, y, max(0, w-nw), h)
	at(r.fact, 6, y, w-3, h)
}

func (r *turnCellRenderer) Refresh() {
	c, th := r.cell, r.cell.Theme()
	rgba := func(n fyne.ThemeColorName) color.RGBA { return theme.RGBA(th, n) }
	size := th.Size(fynetheme.SizeNameCaptionText)
	for _, t := range []*canvas.Text{r.number, r.action, r.fact, r.middle, r.flags} {
		t.TextSize, t.Color = size, rgba(theme.ColorMuted)
	}
	r.number.Color = rgba(theme.ColorText)
	r.number.Text = fmt.Sprint(c.row.N)
	r.frame.CornerRadius, r.frame.StrokeWidth = 6, 1
	r.frame.FillColor, r.frame.StrokeColor = color.Transparent, rgba(theme.ColorLine)
	r.paper.FillColor, r.paper.CornerRadius = rgba(theme.ColorStage), 3
	r.image.Hide()
	r.middle.Text = ""
	r.flagGround.Hide()
	r.flags.Hide()
	if c.damage != nil {
		r.damaged(rgba(theme.ColorWarn))
	} else {
		r.action.Text = state.Plain(c.row.Action, 10)
		fact := c.row.Fact()
		r.fact.Text = fact.Text
		r.flag(c.row.Flags(), rgba)
		if c.row.Thumb != nil {
			r.image.Image = c.row.Thumb
			r.image.Show()
		}
		if c.shown {
			r.frame.FillColor, r.frame.StrokeColor = rgba(theme.ColorRowSelected), rgba(theme.ColorAccent)
			r.action.Color, r.fact.Color = rgba(theme.ColorText), rgba(theme.ColorText)
		}
	}
	r.Layout(c.Size())
	for _, o := range r.Objects() {
		o.Refresh()
	}
}

// flag shows warnings over the foot of the picture.
func (r *turnCellRenderer) flag(item state.StatusItem, rgba func(fyne.ThemeColorName) color.RGBA) {
	if item.Text == "" {
		return
	}
	ground, ink := theme.ColorNoteWarnGround, theme.ColorNoteWarnText
	switch item.Tone {
	case state.ToneBad:
		ground, ink = theme.ColorNoteBadGround, theme.ColorNoteBadText
	case state.ToneNormal:
		ground, ink = theme.ColorNoteGround, theme.ColorNoteText
	}
	r.flags.Text, r.flags.Color = item.Text, rgba(ink)
	r.flagGround.FillColor, r.flagGround.CornerRadius = rgba(ground), 3
	r.flagGround.Show()
	r.flags.Show()
}

func (r *turnCellRenderer) damaged(warn color.RGBA) {
	if r.cell.damage.N == 0 {
		r.number.Text = "?"
	}
	r.action.Text, r.fact.Text = "damaged", ""
	r.middle.Text = "click to read why"
	r.action.Color, r.frame.StrokeColor = warn, warn
}

func (r *turnCellRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.frame, r.paper, r.image, r.middle, r.flagGround, r.flags, r.number, r.action, r.fact}
}

func (r *turnCellRenderer) Destroy() {}
