package picture

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
)

// progress is work that runs, with its stage and a Cancel button. It is over
// the picture, in the place of the hints, so that nothing moves when work
// begins and ends.
type progress struct {
	vm     ProgressVM
	text   *parts.Facts
	bar    *parts.BusyBar
	cancel *parts.Chip
	box    *fyne.Container
}

func newProgress(w *parts.Window) *progress {
	p := &progress{text: parts.NewFacts(true, 10), bar: parts.NewBusyBar()}
	p.cancel = parts.NewChip(parts.Toggle, "Cancel", func() { w.Send(core.CancelAsked(p.vm.Task)) })
	p.box = container.New(progressLayout{}, p.text, container.New(fixed{96, 4}, p.bar), p.cancel)
	p.box.Hide()
	return p
}

// set shows vm.
func (p *progress) set(vm ProgressVM) {
	p.vm = vm
	parts.Show(p.box, vm.Task != 0)
	if vm.Task == 0 {
		p.bar.Stop()
		return
	}
	p.text.Set([]core.StatusItem{{Text: vm.Text, Tone: core.ToneNormal}, {Text: vm.Stage, Tone: core.ToneMuted}})
	p.cancel.Set("Cancel", true, !vm.Stopping)
	p.bar.Start()
}

// progressLayout has the button at the right end, the bar before it where there is room, and the words in what is left.
type progressLayout struct{}

// progressGap is what is free between two of its things, in Fyne units.
const progressGap = 10

// MinSize implements fyne.Layout: the button.
func (progressLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	m := objects[2].MinSize()
	return fyne.NewSize(progressGap+m.Width, max(m.Height, objects[0].MinSize().Height))
}

// Layout implements fyne.Layout.
func (progressLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	end := size.Width
	for i := 2; i > 0; i-- {
		w := objects[i].MinSize().Width
		shown := i == 2 || w+progressGap <= end
		if parts.Show(objects[i], shown); shown {
			end -= w
			objects[i].Move(fyne.NewPos(end, 0))
			objects[i].Resize(fyne.NewSize(w, size.Height))
			end -= progressGap
		}
	}
	objects[0].Move(fyne.NewPos(0, 0))
	objects[0].Resize(fyne.NewSize(max(0, end), size.Height))
}

// fixed gives its objects one size, centred.
type fixed struct{ w, h float32 }

func (f fixed) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(f.w, f.h) }
func (f fixed) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		o.Resize(fyne.NewSize(f.w, f.h))
		o.Move(fyne.NewPos((size.Width-f.w)/2, (size.Height-f.h)/2))
	}
}
