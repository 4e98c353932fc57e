package steps

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/gui/text"
)

// Callbacks are what the console reports. They run on Fyne's goroutine; none may be nil
// but Key.
type Callbacks struct {
	// Edit: the draft was changed, or the caret moved; caret is in bytes.
	Edit func(text string, caret int)
	// Complete takes a suggestion, by its place.
	Complete func(index int)
	// Run runs the draft, Stop the run that is under way.
	Run  func()
	Stop func(task int)
	// Recall goes through the history, by runs on or back; History lists it.
	Recall  func(by int)
	History func()
	// Take brings the steps of the turn in view into the editor.
	Take func()
	// Pretty changes how the answer is written, Copy takes its bytes.
	Pretty func()
	Copy   func(text string)
	// Leave is the Esc key in the editor.
	Leave func()
	// Key gets function keys that the editor has no use for.
	Key func(*fyne.KeyEvent)
}

// ViewOf is the console. Make it with [New]; show something with [View.Set].
type View struct {
	vm      VM
	on      Callbacks
	editor  *editor
	offers  *offers
	list    *container.Scroll
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
	buttons *fyne.Container
	left    *fyne.Container
	box     *fyne.Container
}

// New makes an empty console; answer are the callbacks of its answer, which is a text like
// any other of the window.
func New(on Callbacks, answer text.Callbacks) *View {
	v := &View{on: on, state: widget.NewLabel(""), facts: parts.NewFacts(false, 12), stage: parts.NewFacts(false, 12)}
	v.vm.Version = -1
	v.editor = newEditor(on, v.mark)
	v.offers = newOffers(on.Complete)
	v.list = container.NewVScroll(v.offers)
	v.state.Wrapping = fyne.TextWrapWord
	v.run = parts.NewChip(parts.Button, "Run", on.Run)
	v.stopper = container.New(parts.Slim{})
	v.stop = parts.NewChip(parts.Button, "Cancel", func() { on.Stop(v.vm.Running) })
	v.history = parts.NewChip(parts.Button, "History ▾", on.History)
	v.take = parts.NewChip(parts.Button, "Edit turn's steps", on.Take)
	v.pretty = parts.NewChip(parts.Toggle, "Format JSON", on.Pretty)
	v.copy = parts.NewChip(parts.Button, "Copy", func() { on.Copy(v.bytes()) })
	answer.Select, answer.Hover, answer.Clear = nil, nil, on.Leave
	v.answer = text.New(answer)

	slim := func(o fyne.CanvasObject) fyne.CanvasObject { return container.New(parts.Slim{}, o) }
	v.stopper.Add(v.stop)
	v.stopper.Hide()
	v.buttons = container.NewHBox(slim(v.run), v.stopper, slim(v.history), slim(v.take))
	head := parts.Padded(5, 5, 10, 8, container.NewBorder(nil, nil, v.buttons, nil, parts.Padded(0, 0, 8, 0, v.stage)))
	write := container.NewHSplit(parts.Padded(0, 0, 6, 0, v.editor), v.list)
	write.Offset = 0.56
	v.left = container.NewBorder(head, v.state, nil, nil, write)
	left := v.left
	tools := parts.Padded(5, 5, 10, 8, container.NewBorder(nil, nil, nil, container.NewHBox(slim(v.pretty), slim(v.copy)), v.facts))
	right := container.NewBorder(tools, nil, nil, nil, v.answer)
	split := container.NewHSplit(left, right)
	split.Offset = 0.54
	v.box = container.NewStack(split)
	return v
}

// Object is what is put into the window.
func (v *View) Object() fyne.CanvasObject { return v.box }

// Focus is what the keyboard goes to.
func (v *View) Focus() fyne.Focusable { return v.editor }

// Under is what the history drops down from.
func (v *View) Under() fyne.CanvasObject { return v.history }

// bytes is the answer, however it is written here.
func (v *View) bytes() string { return v.vm.Bytes }

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
		v.buttons.Refresh()
	}
}

// mark says which suggestion Tab takes, and brings it into view.
func (v *View) mark(i int) {
	v.editor.marked = i
	v.offers.set(v.vm.Items, i)
	v.list.Content.Resize(v.list.Content.MinSize().Max(fyne.NewSize(v.list.Size().Width, 0)))
	if y := float32(i) * rowHigh; y < v.list.Offset.Y || y+rowHigh > v.list.Offset.Y+v.list.Size().Height {
		v.list.Offset.Y = max(0, y-v.list.Size().Height/2)
	}
	v.list.Refresh()
}

func sameItems(a, b []StepItem) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}
