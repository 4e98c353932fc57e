package parts

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	fynetheme "fyne.io/fyne/v2/theme"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/theme"
)

// Facts is a row of short coloured texts: the status bar is two of them.
type Facts struct {
	widget.BaseWidget
	items []core.StatusItem
	right bool // pack to the right edge
	Firm  bool // claim the room that all items need; else give way
	gap   float32
}

// NewFacts makes an empty row with a gap in Fyne units; right packs it to the right edge.
func NewFacts(right bool, gap float32) *Facts {
	f := &Facts{right: right, gap: gap}
	f.ExtendBaseWidget(f)
	return f
}

// Set shows other items, and reports whether they are other ones: then a firm row
// has to be laid out again with its neighbours.
func (f *Facts) Set(items []core.StatusItem) bool {
	if slices.Equal(f.items, items) {
		return false
	}
	f.items = items
	f.Refresh()
	return true
}

func (f *Facts) CreateRenderer() fyne.WidgetRenderer {
	r := &factsRenderer{facts: f, box: container.New(Row{Gap: f.gap, Right: f.right})}
	r.Refresh()
	return r
}

type factsRenderer struct {
	facts *Facts
	box   *fyne.Container
}

func (r *factsRenderer) MinSize() fyne.Size {
	th := r.facts.Theme()
	m := fyne.NewSize(0, fyne.MeasureText("Mg", th.Size(fynetheme.SizeNameText)-1, fyne.TextStyle{}).Height)
	if r.facts.Firm {
		m.Width = Row{Gap: r.facts.gap}.width(r.box.Objects)
	}
	return m
}

func (r *factsRenderer) Layout(size fyne.Size) { r.box.Resize(size) }

func (r *factsRenderer) Refresh() {
	th := r.facts.Theme()
	r.box.Objects = make([]fyne.CanvasObject, len(r.facts.items))
	for i, item := range r.facts.items {
		ink := theme.RGBA(th, ToneColor(item.Tone))
		plain, dot, _ := signs(item.Text)
		t := Text(plain, ink, th.Size(fynetheme.SizeNameText)-1, fyne.TextStyle{})
		r.box.Objects[i] = t
		if dot {
			r.box.Objects[i] = container.New(dotted{}, canvas.NewCircle(ink), t)
		}
	}
	r.box.Refresh()
}

func (r *factsRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.box} }
func (r *factsRenderer) Destroy()                     {}

// dotted lays a dot out in front of a text.
type dotted struct{}

// MinSize implements fyne.Layout.
func (dotted) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return objects[1].MinSize().AddWidthHeight(chipDot+signGap, 0)
}

// Layout implements fyne.Layout.
func (dotted) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	objects[0].Resize(fyne.NewSquareSize(chipDot))
	objects[0].Move(fyne.NewPos(0, (size.Height-chipDot)/2))
	objects[1].Resize(objects[1].MinSize())
	objects[1].Move(fyne.NewPos(chipDot+signGap, 0))
}
