package export

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/overlay"
)

// MarkingView is the dialog with the choices of a marked picture. It shows what the state
// contains and reports every choice.
type MarkingView struct {
	now     MarkedOptions
	view    *parts.Select
	model   *parts.Select
	style   *parts.Select
	palette *parts.Select
	checks  []*parts.Check
	filling bool // the state is being shown: nobody chose
	write   *parts.PushButton
	box     fyne.CanvasObject
}

// The words of the two views, in this order.
const (
	forPerson = "For a person: covered elements too, hatched"
	forModel  = "For a model: boxes and numbers only, no covered elements"
	asTaken   = "As captured"
)

// The styles and palettes, each with its words at the same place.
var (
	styles     = []overlay.Style{overlay.StyleDefault, overlay.StyleFirst}
	styleWords = []string{
		"Clear: letters stay whole (refscope-2)",
		"Earlier: boxes on the edges (refscope-1)",
	}
	palettes     = []overlay.Palette{overlay.PaletteBlack, overlay.PaletteRole, overlay.PaletteTints}
	paletteWords = []string{"Black", "By role", "Neighbours differ, all of one contrast"}
)

// NewMarking makes the dialog.
func NewMarking(w *parts.Window) *MarkingView {
	m := &MarkingView{}
	change := func(f func(o *MarkedOptions)) {
		if !m.filling {
			o := m.now
			f(&o)
			m.now = o // a second choice may come before the state's answer
			w.Send(MarkingChanged(o))
		}
	}
	m.view = parts.NewSelect([]string{forPerson, forModel}, func(v string) {
		change(func(o *MarkedOptions) {
			if o.View = overlay.ViewQA; v == forModel {
				o.View = overlay.ViewModel
			}
		})
	}, w.Leave)
	m.model = parts.NewSelect(append([]string{asTaken}, w.State().Models...), func(v string) {
		change(func(o *MarkedOptions) {
			if o.Model = v; v == asTaken {
				o.Model = ""
			}
		})
	}, w.Leave)
	m.style = parts.NewSelect(styleWords, func(v string) {
		change(func(o *MarkedOptions) { o.Style = styles[slices.Index(styleWords, v)] })
	}, w.Leave)
	m.palette = parts.NewSelect(paletteWords, func(v string) {
		change(func(o *MarkedOptions) { o.Palette = palettes[slices.Index(paletteWords, v)] })
	}, w.Leave)
	check := func(text string, set func(o *MarkedOptions, on bool)) fyne.CanvasObject {
		c := parts.NewCheck(text, func(on bool) { change(func(o *MarkedOptions) { set(o, on) }) }, w.Leave)
		m.checks = append(m.checks, c)
		return c
	}
	form := container.New(layout.NewFormLayout(),
		widget.NewLabel("Marks"), m.view,
		widget.NewLabel("Size"), m.model,
		widget.NewLabel("Numbers"), check("Count from 1; the manifest maps them to refs",
			func(o *MarkedOptions, on bool) { o.Renumber = on }),
		widget.NewLabel("Containers"), check("Draw sections, dialogs and lines of text",
			func(o *MarkedOptions, on bool) { o.Containers = on }),
		widget.NewLabel("Style"), m.style,
		widget.NewLabel("Colours"), m.palette,
		widget.NewLabel("Key"), check("Add a strip below that explains the signs", func(o *MarkedOptions, on bool) {
			o.Key = on
		}),
		widget.NewLabel("Also export"), container.NewHBox(
			check("Manifest (.json)", func(o *MarkedOptions, on bool) { o.Manifest = on }),
			check("Legend (.txt)", func(o *MarkedOptions, on bool) { o.Legend = on })),
	)
	m.write = parts.NewPushButton("Export…", true, func() { w.Send(MarkingConfirmed()) }, w.Leave)
	hint := parts.Hint("Tab moves, Space chooses, Enter exports, Esc leaves.")
	foot := parts.Border(nil, nil, hint, container.NewHBox(parts.NewPushButton("Close", false, w.Leave, w.Leave),
		m.write))
	m.box = container.NewVBox(parts.Head("Marked picture"), form, foot)
	m.write.Submits(m.box)
	return m
}

// Object returns the object to lay out, Focus the one that gets the keyboard.
func (m *MarkingView) Object() fyne.CanvasObject { return m.box }
func (m *MarkingView) Focus() fyne.Focusable     { return m.write }

// Show shows the choices.
func (m *MarkingView) Show(s core.State) {
	o := Of(s).Marked
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
	m.style.SetSelected(styleWords[max(0, slices.Index(styles, o.Style))])
	m.palette.SetSelected(paletteWords[max(0, slices.Index(palettes, o.Palette))])
	for i, on := range []bool{o.Renumber, o.Containers, o.Key, o.Manifest, o.Legend} {
		m.checks[i].SetChecked(on)
	}
	parts.Enable(m.checks[2], o.View != overlay.ViewModel) // its picture has no signs to explain
}
