package app

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/gui/theme"
)

// strip is the line below the top bar: a notice with one thing to do. It takes no
// room while there is nothing to say.
type strip struct {
	vm     StripVM
	ground *canvas.Rectangle
	edge   *canvas.Rectangle
	text   *widget.RichText
	offer  *parts.Chip
	close  *widget.Button
	box    *fyne.Container
}

func newStrip(send func(core.Msg), run func(id string)) *strip {
	s := &strip{ground: canvas.NewRectangle(color.Transparent), edge: canvas.NewRectangle(color.Transparent), text: widget.NewRichText()}
	s.text.Truncation = fyne.TextTruncateEllipsis
	s.offer = parts.NewChip(parts.Button, "", func() { run(s.vm.Command) })
	s.close = widget.NewButtonWithIcon("", fynetheme.CancelIcon(), func() { send(core.NoticeClosed{}) })
	s.close.Importance = widget.LowImportance
	s.edge.SetMinSize(fyne.NewSize(1, 1))
	right := container.NewHBox(container.New(parts.Slim{}, s.offer), container.New(parts.Slim{}, s.close))
	line := container.NewBorder(nil, nil, nil, right, container.New(parts.Slim{}, s.text))
	s.box = container.NewBorder(nil, s.edge, nil, nil, container.NewStack(s.ground, parts.Padded(1, 1, 8, 8, line)))
	s.box.Hide()
	return s
}

// set shows vm. It reports whether the strip came or went, so that the window is
// laid out again.
func (s *strip) set(vm StripVM) bool {
	s.vm = vm
	was := s.box.Visible()
	if vm.Text == "" {
		s.box.Hide()
		return was
	}
	s.recolour(fyne.CurrentApp().Settings().Theme())
	parts.Show(s.offer, vm.Command != "")
	s.offer.Set(vm.CommandTitle, true, true)
	s.box.Show()
	s.box.Refresh()
	return !was
}

func (s *strip) recolour(th fyne.Theme) {
	ground, edge, text := theme.ColorNoteGround, theme.ColorNoteEdge, theme.ColorNoteText
	switch s.vm.Tone {
	case core.ToneGood:
		ground, edge, text = theme.ColorNoteGoodGround, theme.ColorNoteGoodEdge, theme.ColorNoteGoodText
	case core.ToneWarn:
		ground, edge, text = theme.ColorNoteWarnGround, theme.ColorNoteWarnEdge, theme.ColorNoteWarnText
	case core.ToneBad:
		ground, edge, text = theme.ColorNoteBadGround, theme.ColorNoteBadEdge, theme.ColorNoteBadText
	}
	s.ground.FillColor, s.edge.FillColor = theme.RGBA(th, ground), theme.RGBA(th, edge)
	s.ground.Refresh()
	s.edge.Refresh()
	style := widget.RichTextStyle{ColorName: text, Inline: true, SizeName: fynetheme.SizeNameText}
	strong := style
	strong.TextStyle.Bold = s.vm.Hint != ""
	segments := []widget.RichTextSegment{&widget.TextSegment{Text: s.vm.Text, Style: strong}}
	if s.vm.Hint != "" {
		segments = append(segments, &widget.TextSegment{Text: "  " + s.vm.Hint, Style: style})
	}
	s.text.Segments = segments
	s.text.Refresh()
}

// progress is work that runs, with its stage and a Cancel button. It stands over
// the picture, where the hints stand otherwise, so that nothing moves when work
// begins and ends.
type progress struct {
	vm     ProgressVM
	text   *parts.Facts
	bar    *widget.ProgressBarInfinite
	cancel *parts.Chip
	box    *fyne.Container
}

func newProgress(send func(core.Msg)) *progress {
	p := &progress{text: parts.NewFacts(true, 10), bar: widget.NewProgressBarInfinite()}
	p.bar.Stop()
	p.cancel = parts.NewChip(parts.Toggle, "Cancel", func() { send(core.CancelAsked{Task: p.vm.Task}) })
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
