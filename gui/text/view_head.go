package text

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/gui/sentrequest"
	"github.com/refscope/refscope/snapshot/text"
)

// Head is above the text: the choice of the format, and what the text costs.
type Head struct {
	vm      HeadVM
	formats *parts.DropDown
	attrs   *parts.DropDown
	costs   *parts.Facts
	gauge   *parts.Gauge
	line    *headRow
	row     *fyne.Container
	box     *fyne.Container
}

// newHead makes one.
func newHead(send func(core.Msg)) *Head {
	h := &Head{formats: parts.NewDropDown(send), attrs: parts.NewDropDown(send), costs: parts.NewFacts(true, 12),
		gauge: parts.NewGauge(96), line: &headRow{}}
	slim := func(o fyne.CanvasObject) fyne.CanvasObject { return container.New(parts.Slim{}, o) }
	h.gauge.Hide()
	h.attrs.Hide()
	h.costs.Firm = true
	h.row = container.New(h.line, container.NewHBox(slim(h.formats), slim(h.attrs)), slim(h.costs),
		container.NewStack(h.gauge))
	h.box = parts.Padded(5, 5, headLeft, headRight, h.row)
	return h
}

// headLeft and headRight are the room beside the row.
const headLeft, headRight = 10, 12

// fit lays the row out for a width of the whole head.
func (h *Head) fit(width float32) { h.line.width = width - headLeft - headRight }

// show shows the state, and reports whether it is another one.
func (h *Head) show(s core.State) bool {
	vm := headOf(s)
	if vm.Equal(h.vm) {
		return false
	}
	h.vm = vm
	var choices []parts.Choice
	for _, f := range vm.Formats {
		choice := parts.Choice{Title: string(f.Format), On: f.On, Dot: f.Sent, Gap: f.Gap, Msg: oursChosen{f.Format}}
		if f.Format == sentrequest.Format {
			choice.Msg = SentChosen{}
		}
		choices = append(choices, choice)
	}
	h.formats.Set(string(vm.Format), vm.Sent, choices)
	var attributes []parts.Choice
	for _, a := range vm.Attributes {
		attributes = append(attributes, parts.Choice{Title: a.Title, On: a.On,
			Msg: core.AttributeToggled{Name: a.Name}})
	}
	title := "Attributes"
	if vm.Without > 0 {
		title = text.Count(vm.Without, "attribute", "attributes") + " hidden"
		attributes = append(attributes, parts.Choice{Title: "Show all", Gap: true, Msg: core.AttributeToggled{}})
	}
	h.attrs.Set(title, false, attributes)
	parts.Show(h.attrs, len(attributes) > 0)
	h.costs.Set(vm.Costs)
	tone := core.ToneGood
	if vm.Cut {
		tone = core.ToneWarn
	}
	h.gauge.Set(vm.Used, tone)
	parts.Show(h.gauge, vm.Used >= 0)
	h.row.Refresh()
	return true
}

// headRow lays out the choices, the costs and the gauge in a line; where there is no room the costs
// go to a line of their own, for they are what a reader compares.
type headRow struct{ width float32 }

// headGap is the room between two things of the row.
const headGap = 10

// rows tells where things are: the costs beside the choices or below them, and the gauge behind
// the costs where there is room: whether it is shown is up to the head, and whether what holds it is,
// up to the row.
func (r *headRow) rows(objects []fyne.CanvasObject) (below, gauge bool) {
	choices, costs := objects[0].MinSize().Width, objects[1].MinSize().Width
	below = r.width > 0 && choices+headGap+costs > r.width
	if !below {
		costs += choices + headGap
	}
	gauge = objects[2].(*fyne.Container).Objects[0].Visible()
	return below, gauge && (r.width == 0 || costs+headGap+objects[2].MinSize().Width <= r.width)
}

// MinSize implements fyne.Layout.
func (r *headRow) MinSize(objects []fyne.CanvasObject) fyne.Size {
	size := objects[0].MinSize()
	if below, _ := r.rows(objects); below {
		size.Height += objects[1].MinSize().Height
	}
	return size
}

// Layout implements fyne.Layout.
func (r *headRow) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	r.width = size.Width
	choices, costs, gauge := objects[0], objects[1], objects[2]
	below, beside := r.rows(objects)
	m := choices.MinSize()
	choices.Move(fyne.NewPos(0, 0))
	choices.Resize(m)
	at, end := fyne.NewPos(m.Width+headGap, 0), size.Width
	if below {
		at, m.Height = fyne.NewPos(0, m.Height), costs.MinSize().Height
	}
	if parts.Show(gauge, beside); beside {
		wide := gauge.MinSize().Width
		end -= wide + headGap
		gauge.Move(fyne.NewPos(end+headGap, at.Y))
		gauge.Resize(fyne.NewSize(wide, m.Height))
	}
	costs.Move(at)
	costs.Resize(fyne.NewSize(max(0, end-at.X), m.Height))
}
