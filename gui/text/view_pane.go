package text

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynelayout "fyne.io/fyne/v2/layout"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
)

// Pane is the side Text: the text in view between its head and what limits took out of it.
type Pane struct {
	head *Head
	text *View
	cut  *cutStrip
	box  *fyne.Container
}

// NewPane makes the side.
func NewPane(w *parts.Window) *Pane {
	p := &Pane{head: newHead(w.Send), text: New(WindowCallbacks(w)), cut: newCutStrip(w)}
	p.box = container.New(fitting{fynelayout.NewBorderLayout(p.head.box, p.cut.box, nil, nil), p.head}, p.head.box,
		p.cut.box, p.text)
	return p
}

// fitting is a layout that tells a head its width before it asks for its height.
type fitting struct {
	of   fyne.Layout
	head *Head
}

// MinSize implements fyne.Layout.
func (f fitting) MinSize(objects []fyne.CanvasObject) fyne.Size { return f.of.MinSize(objects) }

// Layout implements fyne.Layout.
func (f fitting) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	f.head.fit(size.Width)
	f.of.Layout(objects, size)
}

// Object is what to lay out, Focus what takes the keyboard.
func (p *Pane) Object() fyne.CanvasObject { return p.box }
func (p *Pane) Focus() fyne.Focusable     { return p.text }

// Text is the text in it.
func (p *Pane) Text() *View { return p.text }

// Show shows the state.
func (p *Pane) Show(s core.State) {
	changed := p.head.show(s)
	p.text.Set(ViewOf(s))
	if p.cut.set(CutView(s)) || changed {
		p.box.Refresh()
	}
}

// Do drops the choice of attributes down.
func (p *Pane) Do(e core.Effect) bool {
	_, ok := e.(dropAttributes)
	if ok {
		p.head.attrs.Open()
	}
	return ok
}

// cutStrip is the end of a text: what limits took out of it, and the way to try others.
type cutStrip struct {
	vm  CutVM
	say *parts.Say
	try *fyne.Container
	box *fyne.Container
}

func newCutStrip(w *parts.Window) *cutStrip {
	c := &cutStrip{say: parts.NewSay()}
	c.try = container.New(parts.Slim{}, parts.NewChip(parts.Button, "What if…", func() { w.Run(c.vm.Command) }))
	c.try.Hide()
	line := parts.Border(nil, nil, nil, c.try, container.New(parts.Slim{}, c.say))
	c.box = container.NewVBox(parts.NewHairline(), parts.Padded(3, 3, 14, 8, line))
	c.box.Hide()
	return c
}

// set shows the strip, and reports whether it came or went.
func (c *cutStrip) set(vm CutVM) bool {
	if vm == c.vm {
		return false
	}
	moved := (vm.Text == "") != (c.vm.Text == "")
	c.vm = vm
	c.say.Set(core.StatusItem{Text: vm.Text, Tone: core.ToneWarn})
	parts.Show(c.try, vm.Command != "")
	parts.Show(c.box, vm.Text != "")
	return moved
}
