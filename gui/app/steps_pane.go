package app

import (
	"time"

	"fyne.io/fyne/v2"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/device"
	"github.com/refscope/refscope/gui/dumpview"
	"github.com/refscope/refscope/gui/steps"
)

// stepsPane is the drawer of [core.DrawerSteps].
type stepsPane struct {
	*steps.View
	vm    steps.VM
	shown bool
}

func newStepsPane(s *Shell) *stepsPane {
	send := s.store.Dispatch
	key := func(e *fyne.KeyEvent) { s.keys.typedKey(e, s.escape) }
	on := steps.Callbacks{
		Edit:     func(text string, caret int) { send(steps.StepsEdited{Text: text, Caret: caret}) },
		Complete: func(i int) { send(steps.StepsCompleted{Index: i}) },
		Run:      func() { s.run(steps.CmdStepsRun) },
		Stop:     func(task int) { send(core.CancelAsked{Task: task}) },
		Recall:   func(by int) { send(steps.StepsRecalled{By: by}) },
		History:  func() { s.run(steps.CmdStepsHistory) },
		Take:     func() { s.run(steps.CmdStepsTake) },
		Pretty:   func() { s.run(steps.CmdStepsPretty) },
		Copy:     func(text string) { send(core.TextCopied{Text: text}) },
		Leave:    s.escape,
		Key:      key,
	}
	return &stepsPane{View: steps.New(on, dumpview.Callbacks{
		Copy: on.Copy, Held: s.keys.held, Key: key, Rune: s.keys.typedRune, Shortcut: s.keys.typedShortcut,
	})}
}

func (p *stepsPane) object() fyne.CanvasObject { return p.Object() }

func (p *stepsPane) set(st core.State) {
	if vm := steps.ViewOf(st); !p.shown || !vm.Equal(p.vm) {
		p.shown, p.vm = true, vm
		p.Set(vm)
	}
}

// steps is the pane of the console.
func (d *drawers) steps() *stepsPane { return d.panes[steps.Drawer].(*stepsPane) }

// stepsDeed does what belongs to the window about steps, devices and acting. It reports
// whether it was such a deed.
func (s *Shell) stepsDeed(e core.Effect) bool {
	switch e.(type) {
	case steps.FocusSteps:
		s.win.Canvas().Focus(s.panes.drawers.steps().Focus())
	case steps.DropHistory:
		s.showHistory()
	case device.DropDevices:
		s.showDevices()
	default:
		return false
	}
	return true
}

// historyShown is how many runs the menu of the history lists.
const historyShown = 25

// showHistory drops the runs of the console down.
func (s *Shell) showHistory() {
	menu := fyne.NewMenu("")
	for i, l := range steps.StepsHistory(s.store.State(), time.Local) {
		if i == historyShown {
			break
		}
		menu.Items = append(menu.Items, fyne.NewMenuItem(l.Text, func() {
			s.store.Dispatch(steps.StepsPicked{Index: l.Index})
			s.store.Dispatch(core.Wanted{Effect: steps.FocusSteps{}})
		}))
	}
	s.dropDown(menu, s.panes.drawers.steps().Under())
}
