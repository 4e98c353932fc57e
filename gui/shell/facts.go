package shell

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	fynetheme "fyne.io/fyne/v2/theme"

	"github.com/refscope/refscope/gui/state"
	"github.com/refscope/refscope/gui/theme"
)

// facts is a row of short coloured texts: the status bar is two of them.
type facts struct {
	widget.BaseWidget
	items []state.StatusItem
	right bool // pack to the right edge
	firm  bool // claim the room that all items need; else give way
	gap   float32
}

func newFacts(right bool, gap float32) *facts {
	f := &facts{right: right, gap: gap}
	f.ExtendBaseWidget(f)
	return f
}

// set shows other items, and reports whether they are other ones: then a firm row
// has to be laid out again with its neighbours.
func (f *facts) set(items []state.StatusItem) bool {
	if slices.Equal(f.items, items) {
		return false
	}
	f.items = items
	f.Refresh()
	return true
}

func (f *facts) CreateRenderer() fyne.WidgetRenderer {
	r := &factsRenderer{facts: f, box: container.New(row{gap: f.gap, right: f.right})}
	r.Refresh()
	return r
}

type factsRenderer struct {
	facts *facts
	box   *fyne.Container
}

func (r *factsRenderer) MinSize() fyne.Size {
	th := r.facts.Theme()
	m := fyne.NewSize(0, fyne.MeasureText("Mg", th.Size(fynetheme.SizeNameText)-1, fyne.TextStyle{}).Height)
	if r.facts.firm {
		m.Width = row{gap: r.facts.gap}.width(r.box.Objects)
	}
	return m
}

func (r *factsRenderer) Layout(size fyne.Size) { r.box.Resize(size) }

func (r *factsRenderer) Refresh() {
	th := r.facts.Theme()
	r.box.Objects = make([]fyne.CanvasObject, len(r.facts.items))
	for i, item := range r.facts.items {
		t := canvas.NewText(item.Text, theme.RGBA(th, toneColor(item.Tone)))
		t.TextSize = th.Size(fynetheme.SizeNameText) - 1
		r.box.Objects[i] = t
	}
	r.box.Refresh()
}

func (r *factsRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.box} }
func (r *factsRenderer) Destroy()                     {}
