package picture

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
)

// picturesRow is the row over the picture while two are held against each other: how, by
// how much, and what differs. It takes no room else.
type picturesRow struct {
	vm     PicturesVM
	modes  map[PicturesMode]*parts.Chip
	slider *slider
	next   *parts.Chip
	off    *parts.Chip
	facts  *parts.Facts
	box    *fyne.Container
}

func newPicturesRow(w *parts.Window) *picturesRow {
	r := &picturesRow{modes: map[PicturesMode]*parts.Chip{}, facts: parts.NewFacts(false, 14)}
	chips := container.NewHBox()
	for _, m := range PicturesModes() {
		r.modes[m] = parts.NewChip(parts.Toggle, m.Title(), func() { w.Send(PicturesChosen(m)) })
		chips.Add(container.New(parts.Slim{}, r.modes[m]))
	}
	r.slider = newSlider(w)
	r.next = w.Chip(parts.Toggle, "Next area", "pictures.place")
	r.off = w.Chip(parts.Toggle, "Close", cmdPicturesOff)
	right := container.NewHBox(container.New(fixed{120, 28}, r.slider), container.New(parts.Slim{}, r.next),
		container.New(parts.Slim{}, r.off))
	first := parts.Border(nil, nil, chips, right)
	r.box = container.NewVBox(parts.Padded(4, 0, 10, 10, first), parts.Padded(2, 4, 12, 10, r.facts),
		parts.NewHairline())
	r.box.Hide()
	return r
}

// set shows vm, and reports whether the row came or went.
func (r *picturesRow) set(vm PicturesVM) bool {
	was := r.vm.On
	r.vm = vm
	parts.Show(r.box, vm.On)
	if !vm.On {
		return was
	}
	for m, c := range r.modes {
		c.Turn(m == vm.Mode, true)
	}
	parts.Show(r.slider, vm.Slides)
	r.slider.show(vm.To)
	r.next.Turn(false, vm.Places > 0)
	var items []core.StatusItem
	if vm.Facts != "" {
		items = append(items, core.StatusItem{Text: vm.Facts, Tone: core.ToneNormal})
	}
	if vm.Warn != "" {
		items = append(items, core.StatusItem{Text: vm.Warn, Tone: core.ToneWarn})
	}
	r.facts.Set(items)
	r.box.Refresh()
	return !was
}

// slider is Fyne's, whose keys beyond its own are those of the window.
type slider struct {
	widget.Slider
	w     *parts.Window
	quiet bool // the state is being shown: nobody moved it
}

// AccessibilityLabel implements fyne.Accessible.
func (s *slider) AccessibilityLabel() string { return "Share of the new picture" }

// AccessibilityRole implements fyne.Accessible.
func (s *slider) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleText }

func newSlider(w *parts.Window) *slider {
	s := &slider{w: w}
	s.Max, s.Step = 1, 0.01
	s.OnChanged = func(to float64) {
		if !s.quiet {
			w.Send(picturesMoved(to))
		}
	}
	s.ExtendBaseWidget(s)
	return s
}

func (s *slider) show(to float64) {
	s.quiet = true
	s.SetValue(to)
	s.quiet = false
}

// TypedKey implements fyne.Focusable.
func (s *slider) TypedKey(e *fyne.KeyEvent) {
	switch {
	case e.Name == fyne.KeyEscape:
		s.w.Escape()
	case len(e.Name) > 1 && e.Name[0] == 'F':
		s.w.Key(e)
	default:
		s.Slider.TypedKey(e)
	}
}

// TypedRune implements fyne.Focusable.
func (s *slider) TypedRune(r rune) { s.w.Rune(r) }
