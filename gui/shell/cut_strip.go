package shell

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/gui/state"
)

// cutStrip is the end of a text: what limits took out of it, and the way to try others.
type cutStrip struct {
	vm   state.CutVM
	say  *parts.Say
	try  *parts.Chip
	line *fyne.Container
}

func newCutStrip(s *Shell, hairline fyne.CanvasObject) *cutStrip {
	c := &cutStrip{say: parts.NewSay()}
	c.try = parts.NewChip(parts.Button, "What if…", func() { s.run(c.vm.Command) })
	c.line = container.NewVBox(hairline, parts.Padded(3, 3, 14, 8, container.NewBorder(nil, nil, nil, container.New(parts.Slim{}, c.try), container.New(parts.Slim{}, c.say))))
	c.line.Hide()
	return c
}

// set shows the strip, and reports whether it came or went.
func (c *cutStrip) set(vm state.CutVM) bool {
	if vm == c.vm {
		return false
	}
	moved := (vm.Text == "") != (c.vm.Text == "")
	c.vm = vm
	c.say.Set(state.StatusItem{Text: vm.Text, Tone: state.ToneWarn})
	parts.Show(c.try, vm.Command != "")
	parts.Show(c.line, vm.Text != "")
	return moved
}
