package steps

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/gui/text"
)

// View is the console.
type View struct {
	vm      VM
	shown   bool
	w       *parts.Window
	editor  *editor
	offers  *parts.List
	state   *widget.Label
	run     *parts.Chip
	stop    *parts.Chip
	stopper *fyne.Container // of stop, hidden with it
	history *parts.Chip
	take    *parts.Chip
	pretty  *parts.Chip
	copy    *parts.Chip
	facts   *parts.Facts
	stage   *parts.Facts
	answer  *text.View
	bar     *fyne.Container // the buttons, and what runs
	left    *fyne.Container
	box     *fyne.Container
}

// New makes an empty console. Its answer is a text like any other of the window.
func New(w *parts.Window) *View {
	v := &View{w: w, state: widget.NewLabel(""), facts: parts.NewFacts(false, 12), stage: parts.NewFacts(false, 12)}
	v.vm.Version = -1
	v.editor = newEditor(w, v.mark)
	offers := w.List()
	offers.Hover = nil
	offers.Send = func(m core.Msg) {
		w.Send(m)
		w.Focus(v.editor)
	}
	v.offers = parts.NewList(offers)
	v.state.Wrapping = fyne.TextWrapWord
	v.run = w.Chip(parts.Button, "Run", CmdStepsRun)
	v.stopper = container.New(parts.Slim{})
	v.stop = parts.NewChip(parts.Button, "Cancel", func() { w.Send(core.CancelAsked(v.vm.Running)) })
	v.history = w.Chip(parts.Button, "History ▾", CmdStepsHistory)
	v.take = w.Chip(parts.Button, "Edit turn's steps", CmdStepsTake)
	v.pretty = w.Chip(parts.Toggle, "Format JSON", CmdStepsPretty)
	v.copy = parts.NewChip(parts.Button, "Copy", func() { w.Send(core.TextCopied{Text: v.vm.Bytes}) })
	answer := text.WindowCallbacks(w)
	answer.Select, answer.Hover, answer.Fold, answer.Clear = nil, nil, nil, w.Escape
	v.answer = text.New(answer)

	slim := func(o fyne.CanvasObject) fyne.CanvasObject { return container.New(parts.Slim{}, o) }
	v.stopper.Add(v.stop)
	v.stopper.Hide()
	v.bar = parts.Border(nil, nil, container.NewHBox(slim(v.run), v.stopper, slim(v.history), slim(v.take)), nil,
		parts.Padded(0, 0, 8, 0, v.stage))
	head := parts.Padded(5, 5, 10, 8, v.bar)
	write := container.NewHSplit(parts.Padded(0, 0, 6, 0, v.editor), v.offers)
	write.Offset = 0.56
	v.left = parts.Border(head, v.state, nil, nil, write)
	left := v.left
	tools := parts.Padded(5, 5, 10, 8, parts.Border(nil, nil, nil,
		container.NewHBox(slim(v.pretty), slim(v.copy)), v.facts))
	right := parts.Border(tools, nil, nil, nil, v.answer)
	split := container.NewHSplit(left, right)
	split.Offset = 0.54
	v.box = container.NewStack(split)
	return v
}

// Object is what is put into the window.
func (v *View) Object() fyne.CanvasObject { return v.box }

// Focus is what the keyboard goes to.
func (v *View) Focus() fyne.Focusable { return v.editor }

// Show shows the state.
func (v *View) Show(s core.State) {
	if vm := ViewOf(s); !v.shown || !vm.Equal(v.vm) {
		v.shown = true
		v.Set(vm)
	}
}

// Do moves the keyboard to the editor, or drops the history down.
func (v *View) Do(e core.Effect) bool {
	switch e.(type) {
	case focusSteps:
		v.w.Focus(v.editor)
	case dropHistory:
		v.dropHistory()
	default:
		return false
	}
	return true
}

// historyShown is how many runs the menu of the history lists.
const historyShown = 25

// dropHistory drops the runs of the console down.
func (v *View) dropHistory() {
	menu := fyne.NewMenu("")
	for i, l := range stepsHistory(v.w.State(), time.Local) {
		if i == historyShown {
			break
		}
		menu.Items = append(menu.Items, fyne.NewMenuItem(l.Text, func() {
			v.w.Send(StepsPicked(l.Index))
			v.w.Send(core.Wanted(focusSteps{}))
		}))
	}
	v.w.DropDown(menu, v.history)
}

// Set shows vm.
func (v *View) Set(vm VM) {
	old := v.vm
	v.vm = vm
	if vm.Version != old.Version {
		v.editor.write(vm.Text, vm.Caret)
	}
	v.editor.recall = vm.Recalled
	if !sameItems(vm.Items, old.Items) {
		v.editor.offers = len(vm.Items)
		v.mark(0)
	}
	if v.state.Text != vm.State.Text || vm.State.Tone != old.State.Tone {
		v.state.Importance = parts.Importance(vm.State.Tone)
		v.state.SetText(vm.State.Text)
		v.left.Refresh() // it may have more lines now
	}
	v.run.Set("Run", true, vm.CanRun)
	v.stop.Set("Cancel", false, vm.Running != 0)
	parts.Show(v.stopper, vm.Running != 0)
	v.history.Set("History ▾", false, vm.CanRecall)
	v.take.Set("Edit turn's steps", false, vm.CanTake)
	var stage []core.StatusItem
	if vm.Running != 0 && vm.Stage != "" {
		stage = []core.StatusItem{{Text: vm.Stage + "…", Tone: core.ToneMuted}}
	}
	v.stage.Set(stage)
	v.pretty.Turn(vm.Pretty && vm.CanPretty, vm.CanPretty)
	v.copy.Set("Copy", false, vm.Bytes != "")
	v.facts.Set(vm.Facts)
	v.answer.Set(vm.Answer)
	if (vm.Running != 0) != (old.Running != 0) {
		v.bar.Refresh() // the buttons have another width
	}
}

// mark highlights the suggestion that Tab takes, and brings it into view.
func (v *View) mark(i int) {
	v.editor.marked = i
	if len(v.vm.Items) == 0 {
		v.offers.Set(core.ListVM{Empty: "no suggestions here"})
		return
	}
	rows := make([]core.Row, len(v.vm.Items))
	for k, it := range v.vm.Items {
		rows[k] = core.Row{Title: it.Label, Code: true, Aside: it.What, Pick: stepsCompleted{Index: k}, On: k == i}
	}
	v.offers.Set(core.ListVM{Rows: core.NewRows(rows)})
}

func sameItems(a, b []StepItem) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}
