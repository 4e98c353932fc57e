package replays

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/snapshot/dump"
)

// AskView is the dialog that asks a model again.
type AskView struct {
	vm       AskVM
	filling  bool // the state is being shown: nobody typed
	drawn    bool
	endpoint *parts.Entry
	model    *parts.Entry
	times    *parts.Select
	build    *parts.Check
	format   *parts.Select
	noImage  *parts.Check
	facts    *parts.Facts
	changes  *widget.Label
	problem  *widget.Label
	send     *parts.PushButton
	foot     *fyne.Container
	box      fyne.CanvasObject
}

// askWidth is how wide the dialog is where there is room, in Fyne units.
const askWidth = 640

// NewAsk makes the dialog.
func NewAsk(w *parts.Window) *AskView {
	v := &AskView{}
	change := func(set func(*Again)) {
		if !v.filling {
			set(&v.vm.Again) // a second change may come before the state's answer
			w.Send(askChanged{v.vm.Again})
		}
	}
	confirm := func() { w.Send(askConfirmed()) }
	entry := func(set func(*Again, string)) *parts.Entry {
		e := parts.NewEntry("", false, func(string) { confirm() }, w.Leave)
		e.OnChanged = func(text string) { change(func(a *Again) { set(a, text) }) }
		return e
	}
	v.endpoint = entry(func(a *Again, text string) { a.Endpoint = text })
	v.model = entry(func(a *Again, text string) { a.Model = text })
	var counts []string
	for _, n := range times() {
		counts = append(counts, fmt.Sprint(n))
	}
	v.times = parts.NewSelect(counts, func(string) {
		change(func(a *Again) { a.N = times()[max(0, v.times.SelectedIndex())] })
	}, w.Leave)
	var formats []string
	for _, f := range w.State().Formats {
		formats = append(formats, string(f))
	}
	v.build = parts.NewCheck("Build the request again, with the page's text as", func(on bool) {
		change(func(a *Again) { a.Build = on })
	}, w.Leave)
	v.format = parts.NewSelect(formats, func(f string) {
		change(func(a *Again) { a.Format, a.Build = dump.Format(f), true })
	}, w.Leave)
	v.noImage = parts.NewCheck("… and without the picture", func(on bool) {
		change(func(a *Again) { a.NoImage, a.Build = on, a.Build || on })
	}, w.Leave)
	v.facts, v.changes, v.problem = parts.NewFacts(false, 14), widget.NewLabel(""), widget.NewLabel("")
	v.changes.TextStyle.Monospace = true
	v.changes.Truncation = fyne.TextTruncateEllipsis
	v.problem.Wrapping, v.problem.Importance = fyne.TextWrapWord, widget.DangerImportance
	v.send = parts.NewPushButton("", true, confirm, w.Leave)
	form := container.New(layout.NewFormLayout(), widget.NewLabel("Endpoint"), v.endpoint, widget.NewLabel("Model"),
		v.model, widget.NewLabel("Times"), container.NewHBox(v.times),
		widget.NewLabel("Changes"), container.NewVBox(container.NewHBox(v.build, v.format), v.noImage))
	body := container.NewVBox(form, parts.Padded(6, 0, 8, 8, v.facts), v.changes, v.problem)
	buttons := container.NewHBox(parts.NewPushButton("Close", false, w.Leave, w.Leave), v.send)
	hint := parts.Hint("Answers become variants of the turn. Tab moves, Enter asks, Esc leaves.")
	v.foot = parts.Border(nil, nil, hint, buttons)
	v.box = parts.Border(parts.Head("Ask the model again"), v.foot, nil, nil, body)
	v.send.Submits(v.box)
	return v
}

// Object returns the object to lay out, Focus the one that gets the keyboard, Size how large it is.
func (v *AskView) Object() fyne.CanvasObject { return v.box }
func (v *AskView) Focus() fyne.Focusable     { return v.send }
func (v *AskView) Size(window fyne.Size) fyne.Size {
	return fyne.NewSize(min(askWidth, window.Width*0.9), 0)
}

// Show shows the state. What is being typed stays.
func (v *AskView) Show(s core.State) {
	v.filling = true
	defer func() { v.filling = false }()
	typed := v.vm.Again
	v.vm = askViewOf(s)
	a := v.vm.Again
	if v.drawn {
		v.vm.Again.Endpoint, v.vm.Again.Model = typed.Endpoint, typed.Model
	}
	v.endpoint.SetPlaceHolder(v.vm.Endpoint)
	v.model.SetPlaceHolder(v.vm.Model)
	if !v.drawn { // what is typed is ahead of the state
		v.drawn = true
		v.endpoint.SetText(a.Endpoint)
		v.model.SetText(a.Model)
	}
	v.times.SetSelected(fmt.Sprint(a.N))
	v.format.SetSelected(string(a.Format))
	v.build.SetChecked(a.Build)
	v.noImage.SetChecked(a.NoImage && a.Build)
	v.facts.Set(v.vm.Facts)
	v.changes.SetText(v.vm.Changes)
	parts.Show(v.changes, v.vm.Changes != "")
	v.problem.SetText(v.vm.Problem)
	parts.Show(v.problem, v.vm.Problem != "")
	other := v.send.Text != v.vm.Send
	if v.send.Set(v.vm.Send, true, v.vm.Can); other {
		v.foot.Refresh() // its width changed
	}
}
