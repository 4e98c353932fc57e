package parts

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	fynetheme "fyne.io/fyne/v2/theme"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/theme"
)

// Say is one sentence in one line, cut with "…" where it has no room. A row of [Facts]
// would rather leave it out.
type Say struct {
	widget.BaseWidget
	item core.StatusItem
}

// NewSay makes an empty one.
func NewSay() *Say {
	s := &Say{}
	s.ExtendBaseWidget(s)
	return s
}

// Set shows another sentence, which is safe to show.
func (s *Say) Set(item core.StatusItem) {
	if s.item != item {
		s.item = item
		s.Refresh()
	}
}

// CreateRenderer is Fyne's.
func (s *Say) CreateRenderer() fyne.WidgetRenderer {
	r := &sayRenderer{s: s, text: canvas.NewText("", nil)}
	r.Refresh()
	return r
}

type sayRenderer struct {
	s    *Say
	text *canvas.Text
}

func (r *sayRenderer) MinSize() fyne.Size {
	return fyne.NewSize(40, fyne.MeasureText("Mg", r.text.TextSize, fyne.TextStyle{}).Height)
}
func (r *sayRenderer) Layout(fyne.Size)             { r.Refresh() }
func (r *sayRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.text} }
func (r *sayRenderer) Destroy()                     {}

func (r *sayRenderer) Refresh() {
	th := r.s.Theme()
	r.text.Color = theme.RGBA(th, ToneColor(r.s.item.Tone))
	r.text.TextSize = th.Size(fynetheme.SizeNameText) - 1
	r.text.Text = Cut(r.s.item.Text, r.s.Size().Width, newRuler(r.text.TextSize).Measure(fyne.TextStyle{}))
	r.text.Resize(r.s.Size())
	r.text.Refresh()
}
