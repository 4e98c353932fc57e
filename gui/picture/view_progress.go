package picture

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
)

// progress is work that runs, with its stage and a Cancel button. It is over
// the picture, in the place of the hints, so that nothing moves when work
// begins and ends.
type progress struct {
	vm     ProgressVM
	text   *parts.Facts
	bar    *widget.ProgressBarInfinite
	cancel *parts.Chip
	box    *fyne.Container
}

func newProgress(w *parts.Window) *progress {
	p := &progress{text: parts.NewFacts(true, 10), bar: widget.NewProgressBarInfinite()}
	p.bar.Stop()
	p.cancel = parts.NewChip(parts.Toggle, "Cancel", func() { w.Send(core.CancelAsked{Task: p.vm.Task}) })
	right := container.NewHBox(container.New(fixed{96, 4}, p.bar), p.cancel)
	p.box = container.NewBorder(nil, nil, nil, parts.Padded(0, 0, 10, 0, right), p.text)
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

// fixed gives its objects one size, centred.
type fixed struct{ w, h float32 }

func (f fixed) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(f.w, f.h) }
func (f fixed) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		o.Resize(fyne.NewSize(f.w, f.h))
		o.Move(fyne.NewPos((size.Width-f.w)/2, (size.Height-f.h)/2))
	}
}
