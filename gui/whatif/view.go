package whatif

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/gui/text"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/format/aria"
)

// View is the side. [View.Object] is what to lay out.
type View struct {
	win     *parts.Window
	vm      VM
	shown   bool
	setup   Setup // as the controls are, ahead of the state's answer
	version int
	filling bool // the controls are being set: nobody moved them

	format   *parts.Select
	detail   *parts.Select
	detailAt fyne.CanvasObject
	drop     *field
	query    *field
	controls []*control
	form     *fyne.Container
	bar      *parts.Facts
	whole    *parts.Chip
	reset    *parts.Chip
	copy     *parts.Chip
	list     *parts.List
	text     *text.View
	box      *container.Split
}

// New makes the view for these formats.
func New(win *parts.Window, formats []dump.Format) *View {
	v := &View{win: win, bar: parts.NewFacts(false, 12), text: text.New(text.WindowCallbacks(win)),
		list: parts.NewList(win.List())}
	none := func() fyne.CanvasObject {
		o := container.NewWithoutLayout()
		o.Hide()
		return o
	}
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = string(f)
	}
	v.format = v.choose(names, func(w *Setup, s string) { w.Format = dump.Format(s) })
	details := []string{}
	for _, d := range ariaDetails() {
		details = append(details, string(d))
	}
	v.detail = v.choose(details, func(w *Setup, s string) {
		if w.Detail = aria.Detail(s); w.Detail == aria.Full {
			w.Detail = ""
		}
	})
	v.detailAt = labelled("Detail", v.detail, none())
	v.form = container.NewVBox(labelled("Format", v.format, none()), v.detailAt)
	checks := container.NewGridWithColumns(2)
	for _, o := range Options() {
		c := &control{option: o}
		if o.Check != nil {
			c.check = parts.NewCheck(o.Title, func(on bool) { v.change(func(w *Setup) { *o.Check(w) = on }) },
				win.Escape)
			c.row = c.check
			checks.Add(c.check)
		} else {
			c.slide = &slider{name: o.Title, leave: win.Escape}
			c.slide.Max, c.slide.Step = float64(len(o.Steps)-1), 1
			c.slide.OnChanged = func(at float64) { v.change(func(w *Setup) { *o.Number(w) = o.Steps[int(at)] }) }
			c.slide.ExtendBaseWidget(c.slide)
			c.value = parts.NewFacts(false, 0)
			c.row = labelled(o.Title, container.NewThemeOverride(c.slide, trackTheme{}), c.value)
			v.form.Add(c.row)
		}
		v.controls = append(v.controls, c)
	}
	v.drop = v.field("CSS selectors, one per line", true, func(w *Setup, s string) { w.Drop = s })
	v.query = v.field("Words of the task", false, func(w *Setup, s string) { w.Query = s })
	v.form.Add(labelled("Leave out", v.drop, none()))
	v.form.Add(labelled("Task filter", v.query, none()))
	v.form.Add(checks)

	v.whole = win.Chip(parts.Toggle, "All lines", CmdWhole)
	v.reset, v.copy = win.Chip(parts.Button, "Reset", CmdReset), win.Chip(parts.Button, "Copy command", CmdCopy)
	buttons := container.NewHBox(container.New(parts.Slim{}, v.whole), container.New(parts.Slim{}, v.reset),
		container.New(parts.Slim{}, v.copy))
	head := container.NewVBox(parts.NewHairline(),
		parts.Padded(5, 5, 12, 8, container.NewVBox(v.bar, container.NewHBox(buttons))))
	v.box = container.NewVSplit(container.NewVScroll(parts.Padded(8, 8, 12, 14, v.form)),
		parts.Border(head, nil, nil, nil, container.NewStack(v.list, v.text)))
	v.box.Offset = 0.5 // the form is whole in a window of 1366 by 768
	return v
}

func (v *View) choose(options []string, set func(*Setup, string)) *parts.Select {
	return parts.NewSelect(options, func(s string) { v.change(func(w *Setup) { set(w, s) }) }, v.win.Escape)
}

func (v *View) field(hint string, lines bool, set func(*Setup, string)) *field {
	f := &field{parts.Entry{Leave: v.win.Escape}}
	f.PlaceHolder, f.MultiLine = hint, lines
	f.OnChanged = func(s string) { v.change(func(w *Setup) { set(w, s) }) }
	f.ExtendBaseWidget(f)
	if lines {
		f.SetMinRowsVisible(2)
	}
	return f
}

// change reports to the state what a person moved.
func (v *View) change(f func(*Setup)) {
	if v.filling {
		return
	}
	f(&v.setup)
	v.win.Send(Changed{Setup: v.setup})
}

// Object returns the object to lay out.
func (v *View) Object() fyne.CanvasObject { return v.box }

// Focus is nil: nothing of the side takes the keyboard on its own.
func (v *View) Focus() fyne.Focusable { return nil }

// Enter is where the keyboard comes in.
func (v *View) Enter() fyne.Focusable { return v.format }

// Show shows the state.
func (v *View) Show(s core.State) { v.Set(ViewOf(s)) }

// Set shows vm. Fields that a person writes in are overwritten only where the state asks for
// it, for what was typed may be ahead of it.
func (v *View) Set(vm VM) {
	if v.shown && vm.Equal(v.vm) {
		return
	}
	first := !v.shown || vm.Version != v.version
	v.vm, v.shown, v.version = vm, true, vm.Version
	v.filling = true
	if first {
		v.setup = vm.Setup
		v.drop.SetText(vm.Setup.Drop)
		v.query.SetText(vm.Setup.Query)
	}
	v.setup.Format = vm.Setup.Format
	if v.format.Selected != string(vm.Setup.Format) {
		v.format.SetSelected(string(vm.Setup.Format))
	}
	detail := vm.Setup.Detail
	if detail == "" {
		detail = aria.Full
	}
	if v.detail.Selected != string(detail) {
		v.detail.SetSelected(string(detail))
	}
	parts.Show(v.detailAt, vm.Setup.Format == format.Aria)
	for _, c := range v.controls {
		c.show(v.setup)
		parts.Show(c.row, c.option.Knows(vm.Setup.Format))
	}
	v.filling = false
	v.bar.Set(vm.Bar)
	v.whole.Turn(vm.Whole, vm.Ready)
	v.reset.Turn(false, vm.CanReset)
	v.copy.Turn(false, vm.Ready)
	whole := vm.Whole && vm.List.Empty == ""
	parts.Show(v.text, whole)
	parts.Show(v.list, !whole)
	v.list.Set(vm.List)
	v.text.Set(vm.Text)
	v.form.Refresh()
}
