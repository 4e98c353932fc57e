package app

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/export"
	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/overlay"
)

// marking is the dialog with the choices of a marked picture. It shows what the state
// says and reports every choice.
type marking struct {
	now     export.MarkedOptions
	view    *parts.Select
	model   *parts.Select
	checks  []*parts.Check
	filling bool // the state is being shown: nobody chose
	write   *parts.PushButton
	box     *widget.PopUp
}

// The words of the two views, in this order.
const (
	forPerson = "For a person: covered elements too, hatched"
	forModel  = "For a model: boxes and numbers only, no covered elements"
	asTaken   = "As captured"
)

// newMarking makes the dialog of [core.DialogMarking].
func newMarking(s *Shell, st core.State) dialogBox {
	m := &marking{}
	leave := func() { s.store.Dispatch(core.Escaped{}) }
	change := func(f func(o *export.MarkedOptions)) {
		if !m.filling {
			o := m.now
			f(&o)
			m.now = o // a second choice may come before the state's answer
			s.store.Dispatch(export.MarkingChanged{Options: o})
		}
	}
	m.view = parts.NewSelect([]string{forPerson, forModel}, func(v string) {
		change(func(o *export.MarkedOptions) {
			if o.View = overlay.ViewQA; v == forModel {
				o.View = overlay.ViewModel
			}
		})
	}, leave)
	m.model = parts.NewSelect(append([]string{asTaken}, st.Models...), func(v string) {
		change(func(o *export.MarkedOptions) {
			if o.Model = v; v == asTaken {
				o.Model = ""
			}
		})
	}, leave)
	check := func(text string, set func(o *export.MarkedOptions, on bool)) fyne.CanvasObject {
		c := parts.NewCheck(text, func(on bool) { change(func(o *export.MarkedOptions) { set(o, on) }) }, leave)
		m.checks = append(m.checks, c)
		return c
	}
	form := container.New(layout.NewFormLayout(),
		widget.NewLabel("Marks"), m.view,
		widget.NewLabel("Size"), m.model,
		widget.NewLabel("Numbers"), check("Count from 1; the manifest maps them to refs", func(o *export.MarkedOptions, on bool) { o.Renumber = on }),
		widget.NewLabel("Containers"), check("Draw sections, dialogs and lines of text", func(o *export.MarkedOptions, on bool) { o.Containers = on }),
		widget.NewLabel("Colours"), check("By role instead of black", func(o *export.MarkedOptions, on bool) {
			if o.Palette = overlay.PaletteBlack; on {
				o.Palette = overlay.PaletteRole
			}
		}),
		widget.NewLabel("Key"), check("Add a strip below that explains the signs", func(o *export.MarkedOptions, on bool) { o.Key = on }),
		widget.NewLabel("Also export"), container.NewHBox(
			check("Manifest (.json)", func(o *export.MarkedOptions, on bool) { o.Manifest = on }),
			check("Legend (.txt)", func(o *export.MarkedOptions, on bool) { o.Legend = on })),
	)
	m.write = parts.NewPushButton("Export…", true, func() { s.store.Dispatch(export.MarkingConfirmed{}) }, leave)
	hint := widget.NewLabel("Tab moves, Space chooses, Enter exports, Esc leaves.")
	hint.Importance = widget.LowImportance
	head := widget.NewLabelWithStyle("Marked picture", fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
	foot := container.NewBorder(nil, nil, hint, container.NewHBox(parts.NewPushButton("Close", false, leave, leave), m.write))
	m.box = widget.NewModalPopUp(parts.Padded(8, 10, 14, 14, container.NewVBox(head, form, foot)), s.win.Canvas())
	return m
}

func (m *marking) pop() *widget.PopUp    { return m.box }
func (m *marking) first() fyne.Focusable { return m.write }

// set shows the choices.
func (m *marking) set(st core.State) {
	o := export.Of(st).Marked
	m.now, m.filling = o, true
	defer func() { m.filling = false }()
	view, model := forPerson, o.Model
	if o.View == overlay.ViewModel {
		view = forModel
	}
	if model == "" {
		model = asTaken
	}
	m.view.SetSelected(view)
	m.model.SetSelected(model)
	for i, on := range []bool{o.Renumber, o.Containers, o.Palette == overlay.PaletteRole, o.Key, o.Manifest, o.Legend} {
		m.checks[i].SetChecked(on)
	}
}
