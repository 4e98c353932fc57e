package timeline

import (
	"image/color"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/theme"
	"github.com/refscope/refscope/snapshot/text"
)

// Size of the enlarged picture in Fyne units: that of the small pictures in px.
const (
	lensWide = 320
	lensHigh = 180
)

// hoverPreview shows a turn's small picture larger, with what it is, beside the pointer.
type hoverPreview struct {
	box    *fyne.Container
	ground *canvas.Rectangle
	image  *canvas.Image
	lines  [3]*canvas.Text
}

func newLens() *hoverPreview {
	l := &hoverPreview{ground: canvas.NewRectangle(color.Transparent), image: &canvas.Image{}}
	l.image.FillMode, l.image.ScaleMode = canvas.ImageFillStretch, canvas.ImageScaleFastest
	l.box = container.NewWithoutLayout(l.ground, l.image)
	for i := range l.lines {
		l.lines[i] = canvas.NewText("", color.Transparent)
		l.box.Add(l.lines[i])
	}
	l.box.Hide()
	return l
}

// show enlarges a turn to the right of a cell.
func (l *hoverPreview) show(r core.TurnRow, said core.Remarks, c *cell) {
	if r.Thumb == nil {
		return
	}
	th := c.Theme()
	driver := fyne.CurrentApp().Driver()
	at := driver.AbsolutePositionForObject(c).AddXY(c.Size().Width+10, 0)
	high := float32(lensHigh + 12)
	size := th.Size(fynetheme.SizeNameCaptionText) + 0.5
	when := ""
	if !r.Taken.IsZero() {
		when = r.Taken.In(time.Local).Format("2006-01-02 15:04:05") + "  "
	}
	texts := []string{text.Cut(text.Line(r.Title), 56), text.Cut(text.Line(r.URL), 56),
		when + text.Cut(text.Line(r.Note+" "+said.Text), 34)}
	if q := r.Story; q != nil {
		texts[0] = text.Cut(q.Did, 56)
		if missed := r.Missed(); missed != "" {
			texts[1] = text.Cut(missed, 56)
		}
		texts[2] = text.Cut(strings.Join(core.Spent(q), " · ")+"  "+text.Line(r.Note+" "+said.Text), 56)
	}
	l.ground.FillColor, l.ground.StrokeColor, l.ground.StrokeWidth, l.ground.CornerRadius = theme.RGBA(th,
		theme.ColorPane), theme.RGBA(th, theme.ColorAccent), 1, 5
	for i, t := range l.lines {
		t.Text, t.TextSize, t.Color = texts[i], size, theme.RGBA(th, theme.ColorMuted)
		if i == 0 {
			t.Color = theme.RGBA(th, theme.ColorText)
		}
		t.Resize(t.MinSize())
		if t.Text != "" {
			high += t.MinSize().Height + 1
		}
	}
	if c.film { // above the strip
		at = at.SubtractXY(c.Size().Width+10, high+12)
	}
	if canvas := driver.CanvasForObject(c); canvas != nil {
		at.X = max(4, min(at.X, canvas.Size().Width-lensWide-20))
		at.Y = max(4, min(at.Y, canvas.Size().Height-high-8))
	}
	l.image.Image = r.Thumb
	l.ground.Move(at)
	l.ground.Resize(fyne.NewSize(lensWide+12, high+4))
	l.image.Move(at.AddXY(6, 6))
	l.image.Resize(fyne.NewSize(lensWide, lensHigh))
	y := float32(lensHigh + 9)
	for _, t := range l.lines {
		t.Move(at.AddXY(8, y))
		if t.Text != "" {
			y += t.MinSize().Height + 1
		}
	}
	l.box.Show()
	l.box.Refresh()
}

func (l *hoverPreview) hide() {
	if l.box.Visible() {
		l.box.Hide()
		l.box.Refresh()
	}
}
