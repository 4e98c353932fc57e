package text

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/snapshot/text"
)

// Head is above the text: the choice of the format, and what the text costs.
type Head struct {
	vm      HeadVM
	formats *parts.DropDown
	attrs   *parts.DropDown
	costs   *parts.Facts
	gauge   *parts.Gauge
	row     *fyne.Container
	box     *fyne.Container
}

// newHead makes one.
func newHead(send func(core.Msg)) *Head {
	h := &Head{formats: parts.NewDropDown(send), attrs: parts.NewDropDown(send), costs: parts.NewFacts(true, 12),
		gauge: parts.NewGauge(96)}
	slim := func(o fyne.CanvasObject) fyne.CanvasObject { return container.New(parts.Slim{}, o) }
	h.gauge.Hide()
	h.attrs.Hide()
	h.row = container.NewBorder(nil, nil, container.NewHBox(slim(h.formats), slim(h.attrs)), h.gauge,
		parts.Padded(0, 0, 10, 10, slim(h.costs)))
	h.box = parts.Padded(5, 5, 10, 12, h.row)
	return h
}

// Object returns the object to lay out.
func (h *Head) Object() fyne.CanvasObject { return h.box }

// Show shows the state.
func (h *Head) Show(s core.State) {
	vm := HeadOf(s)
	if vm.Equal(h.vm) {
		return
	}
	h.vm = vm
	var choices []parts.Choice
	for _, f := range vm.Formats {
		choices = append(choices, parts.Choice{Title: string(f.Format), On: f.On, Dot: f.Sent, Gap: f.Gap,
			Msg: core.FormatChosen{Format: f.Format}})
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
}
