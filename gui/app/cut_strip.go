package app

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/gui/text"
)

// cutStrip is the end of a text: what limits took out of it, and the way to try others.
type cutStrip struct {
	vm   text.CutVM
	say  *parts.Say
	try  *fyne.Container
	line *fyne.Container
}

func newCutStrip(s *Shell, hairline fyne.CanvasObject) *cutStrip {
	c := &cutStrip{say: parts.NewSay()}
	c.try = container.New(parts.Slim{}, parts.NewChip(parts.Button, "What if…", func() { s.run(c.vm.Command) }))
	c.try.Hide()
	c.line = container.NewVBox(hairline, parts.Padded(3, 3, 14, 8, container.NewBorder(nil, nil, nil, c.try, container.New(parts.Slim{}, c.say))))
	c.line.Hide()
	return c
}

// set shows the strip, and reports whether it came or went.
func (c *cutStrip) set(vm text.CutVM) bool {
	if vm == c.vm {
		return false
	}
	moved := (vm.Text == "") != (c.vm.Text == "")
	c.vm = vm
	c.say.Set(core.StatusItem{Text: vm.Text, Tone: core.ToneWarn})
	parts.Show(c.try, vm.Command != "")
	parts.Show(c.line, vm.Text != "")
	return moved
}
