package details

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/gui/sentrequest"
	look "github.com/refscope/refscope/gui/theme"
	"github.com/refscope/refscope/snapshot/audit"
	"github.com/refscope/refscope/snapshot/doctor"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/text"
)

// The measures of the pane in Fyne units.
const (
	padSide = 14
	padTop  = 9
	gap     = 8
)

// Callbacks are what the pane reports. Any of them may be nil.
type Callbacks struct {
	// Copy takes a text that a person copied and what it is ("selector", "box");
	// Without it the app's clipboard takes the text.
	Copy func(label, text string)
	// Go wants to see the element that a row is about.
	Go func(Link)
	parts.Keys
}

// Pane is what the window shows about the selected element.
type Pane struct {
	*View
	about about
}

// about is what the pane depends on; it is worked out again only where that changed, for the
// pointer moves far more often.
type about struct {
	turn   *core.Turn
	chosen core.Selection
	format dump.Format
	docs   int
	phase  core.Phase
	before *core.Turn
	back   bool
	why    Model
	shown  *core.Numbers
	sent   *doctor.Report
	told   *audit.Sent
}

// NewPane makes an empty one.
func NewPane(w *parts.Window) *Pane {
	return &Pane{View: New(Callbacks{
		Go: func(g Link) {
			if g.Command != "" {
				w.Run(g.Command)
				return
			}
			w.Send(g.Msg())
		},
		Copy: func(_, text string) { w.Send(core.TextCopied{Text: text}) },
		Keys: w.Keys,
	})}
}

// Object returns the object to lay out.
func (p *Pane) Object() fyne.CanvasObject { return p.View }

// Show shows the state.
func (p *Pane) Show(s core.State) {
	now := about{s.Current, s.Selected, s.Format, len(s.Docs), s.Browser.Phase, s.Previous, s.ShowPrevious, Of(s),
		s.Numbers(), sentrequest.Of(s).Report, sentrequest.Of(s).Audit}
	if now != p.about || s.Current == nil {
		p.about = now
		p.Set(ViewOf(s))
	}
}

// View is the widget. Make it with [New]; show something with [View.Set].
type View struct {
	widget.BaseWidget

	on     Callbacks
	vm     VM
	items  []item
	box    *fyne.Container
	stack  *stack
	scroll *container.Scroll
	copied string // label of what was copied last
}

// item is a part of the pane: it takes a width and returns its height.
type item interface {
	fyne.CanvasObject
	fit(width float32) (height float32)
}

// New makes an empty pane.
func New(on Callbacks) *View {
	v := &View{on: on}
	v.stack = &stack{v: v, width: 400}
	v.box = container.New(v.stack)
	v.scroll = container.NewVScroll(v.box)
	v.ExtendBaseWidget(v)
	v.build()
	return v
}

// Set shows vm. The place is kept while the element stays the same.
func (v *View) Set(vm VM) {
	if vm.Equal(v.vm) {
		return
	}
	same := vm.Ref == v.vm.Ref && vm.Node == v.vm.Node && vm.Title == v.vm.Title
	focused := v.focusedLabel()
	v.vm, v.copied = vm, ""
	v.build()
	if !same {
		v.scroll.ScrollToTop()
	}
	v.Refresh()
	if same && focused != "" { // the answer that came late leaves the keyboard where it was
		v.focus(focused)
	}
}

// Focus is the first row, for the keyboard to come to; nil where there is none.
func (v *View) Focus() fyne.Focusable {
	for _, it := range v.items {
		if r, ok := it.(*row); ok {
			return r
		}
	}
	return nil
}

// Focused reports whether a part of the pane has the keyboard.
func (v *View) Focused() bool { return v.focusedLabel() != "" }

// focusedLabel is the label of the row that has the keyboard, "" for none.
func (v *View) focusedLabel() string {
	for _, it := range v.items {
		if r, ok := it.(*row); ok && r.focused {
			return r.label
		}
	}
	return ""
}

// focus brings the keyboard to the row with that label.
func (v *View) focus(label string) {
	c := fyne.CurrentApp().Driver().CanvasForObject(v)
	for _, it := range v.items {
		if r, ok := it.(*row); ok && r.label == label && c != nil {
			c.Focus(r)
			return
		}
	}
}

// reveal scrolls a part of the pane into view.
func (v *View) reveal(top, height float32) {
	switch at, room := v.scroll.Offset.Y, v.scroll.Size().Height; {
	case top < at:
		v.scroll.ScrollToOffset(fyne.NewPos(0, top))
	case top+height > at+room:
		v.scroll.ScrollToOffset(fyne.NewPos(0, top+height-room))
	}
}

// build makes the items of the view-model. There are some forty of them.
func (v *View) build() {
	v.items = v.items[:0]
	switch {
	case v.vm.Title == "" && len(v.vm.Rows) == 0:
		v.items = append(v.items, newPlainText(v, text.Line(v.vm.Empty)))
	default:
		v.items = append(v.items, newHead(v))
		if v.vm.Note.Text != "" { // the highlighted note comes first
			v.items = append(v.items, newNote(v, v.vm.Note))
		}
		for i := range v.vm.Rows {
			if d := v.vm.Rows[i]; d.Head {
				v.items = append(v.items, newHeading(v, d.Label))
			} else {
				v.items = append(v.items, newRow(v, d))
			}
		}
	}
	v.box.Objects = make([]fyne.CanvasObject, len(v.items))
	for i, it := range v.items {
		v.box.Objects[i] = it
	}
}

// copy copies a text, which is spelled out already so that it is safe to paste anywhere, and lets the items show that
// they were copied.
func (v *View) copy(label, value string) {
	value = text.EscapeOnce(value)
	if v.on.Copy != nil {
		v.on.Copy(label, value)
	} else {
		fyne.CurrentApp().Clipboard().SetContent(value)
	}
	v.copied = label
	for _, it := range v.items {
		it.Refresh()
	}
}

// CreateRenderer is Fyne's.
func (v *View) CreateRenderer() fyne.WidgetRenderer {
	return &renderer{v: v, ground: canvas.NewRectangle(color.Transparent)}
}

type renderer struct {
	v      *View
	ground *canvas.Rectangle
}

func (r *renderer) MinSize() fyne.Size { return fyne.NewSize(160, 60) }

func (r *renderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.ground, r.v.scroll}
}

func (r *renderer) Destroy() {}

func (r *renderer) Layout(size fyne.Size) {
	r.v.stack.width = size.Width // before the scroll asks how high that makes it
	r.ground.Resize(size)
	r.v.scroll.Resize(size)
	r.v.box.Refresh()
}

func (r *renderer) Refresh() {
	r.ground.FillColor = look.RGBA(r.v.Theme(), look.ColorPane)
	r.ground.Refresh()
	r.v.box.Refresh()
	r.v.scroll.Refresh()
}

// stack lays the items out from top to bottom.
type stack struct {
	v     *View
	width float32
}

// MinSize is as high as the items are at the pane's width.
func (s *stack) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(0, s.place(false))
}

// Layout places the items.
func (s *stack) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	s.width = size.Width
	s.place(true)
}

func (s *stack) place(move bool) float32 {
	y := float32(padTop)
	for _, it := range s.v.items {
		h := it.fit(s.width)
		if move {
			it.Move(fyne.NewPos(0, y))
			it.Resize(fyne.NewSize(s.width, h))
		}
		y += h
	}
	return y + padTop
}

// text styles, and how wide a text is in them.

// lineHigh is how high a line is, labelWide how wide the labels of rows: they grow with the text.
func (v *View) lineHigh() float32  { return v.Theme().Size(theme.SizeNameText) * 19 / 13 }
func (v *View) labelWide() float32 { return v.Theme().Size(theme.SizeNameText) * 114 / 13 }

func (v *View) textSize() float32 { return v.Theme().Size(theme.SizeNameText) - 0.5 }

func (v *View) measure(style fyne.TextStyle) func(string) float32 {
	return func(s string) float32 { return fyne.MeasureText(s, v.textSize(), style).Width }
}

func (v *View) color(name fyne.ThemeColorName) color.Color { return look.RGBA(v.Theme(), name) }
