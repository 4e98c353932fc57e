package details

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
	look "github.com/refscope/refscope/gui/theme"
	"github.com/refscope/refscope/snapshot/text"
)

// maxRunes bounds a value and maxLines its lines, whatever the view-model contains.
const (
	maxRunes = 1200
	maxLines = 12
)

// lines is a wrapped text.
type lines struct {
	text    string
	style   fyne.TextStyle
	wrapped []string
	width   float32 // that it was wrapped to
	size    float32 // of the text then
}

// fit wraps the text to a width and returns the height.
func (l *lines) fit(v *View, width float32) float32 {
	if size := v.textSize(); width != l.width || size != l.size {
		l.width, l.size = width, size
		l.wrapped = parts.Wrap(text.Cut(parts.Harmless(l.text), maxRunes), max(width, 24), maxLines, v.measure(l.style))
	}
	return float32(len(l.wrapped)) * v.lineHigh()
}

// place puts the lines at a place in a colour.
func (l *lines) place(v *View, at fyne.Position, name fyne.ThemeColorName) []fyne.CanvasObject {
	out := make([]fyne.CanvasObject, len(l.wrapped))
	for i, line := range l.wrapped {
		out[i] = parts.Text(line, v.color(name), v.textSize(), l.style)
		v.put(out[i], at.AddXY(0, float32(i)*v.lineHigh()))
	}
	return out
}

// put places a text in its line and returns its width.
func (v *View) put(t fyne.CanvasObject, at fyne.Position) float32 {
	s := t.MinSize()
	t.Move(at.AddXY(0, (v.lineHigh()-s.Height)/2))
	t.Resize(s)
	return s.Width
}

// part is what all items are: a widget whose objects are placed by one function.
type part struct {
	widget.BaseWidget
	v       *View
	objects func(size fyne.Size) []fyne.CanvasObject
}

// CreateRenderer is Fyne's.
func (p *part) CreateRenderer() fyne.WidgetRenderer { return &partRenderer{p: p} }

type partRenderer struct {
	p       *part
	objects []fyne.CanvasObject
	made    fyne.Size // that the objects are for
}

func (r *partRenderer) MinSize() fyne.Size           { return fyne.Size{} }
func (r *partRenderer) Objects() []fyne.CanvasObject { return r.objects }
func (r *partRenderer) Destroy()                     {}

// Layout makes no other objects for the same size: Fyne lays out and paints again where there are others, without end.
func (r *partRenderer) Layout(size fyne.Size) {
	if r.objects == nil || size != r.made {
		r.objects, r.made = r.p.objects(size), size
	}
}

func (r *partRenderer) Refresh() {
	r.objects, r.made = r.p.objects(r.p.Size()), r.p.Size()
	for _, o := range r.objects {
		o.Refresh()
	}
}

// plainText is a muted paragraph: the sentence of an empty pane.
type plainText struct {
	part
	body lines
}

func newPlainText(v *View, text string) *plainText {
	t := &plainText{part: part{v: v}, body: lines{text: text}}
	t.objects = func(fyne.Size) []fyne.CanvasObject {
		return t.body.place(v, fyne.NewPos(padSide, 0), look.ColorMuted)
	}
	t.ExtendBaseWidget(t)
	return t
}

func (t *plainText) fit(width float32) float32 { return t.body.fit(t.v, width-2*padSide) }

// heading is above the rows that follow.
type heading struct {
	part
	title string
	line  *canvas.Rectangle
}

func newHeading(v *View, title string) *heading {
	h := &heading{part: part{v: v}, title: text.Cut(text.Line(title), 40), line: canvas.NewRectangle(nil)}
	h.objects = func(size fyne.Size) []fyne.CanvasObject {
		word := parts.Text(h.title, v.color(look.ColorMuted), v.textSize()-1, fyne.TextStyle{Bold: true})
		m := word.MinSize()
		word.Move(fyne.NewPos(padSide, size.Height-m.Height-2))
		word.Resize(m)
		h.line.FillColor = v.color(look.ColorLine)
		h.line.Move(fyne.NewPos(padSide+m.Width+gap, size.Height-m.Height/2-2))
		h.line.Resize(fyne.NewSize(max(0, size.Width-2*padSide-m.Width-gap), 1))
		return []fyne.CanvasObject{word, h.line}
	}
	h.ExtendBaseWidget(h)
	return h
}

func (h *heading) fit(float32) float32 { return h.v.lineHigh() + gap }

// note is a paragraph in a box of a tone.
type note struct {
	part
	body   lines
	tone   core.Tone
	ground *canvas.Rectangle
}

func newNote(v *View, n Note) *note {
	t := &note{part: part{v: v}, body: lines{text: n.Text}, tone: n.Tone, ground: canvas.NewRectangle(nil)}
	t.objects = func(size fyne.Size) []fyne.CanvasObject {
		ground, edge, ink := parts.NoteColors(t.tone)
		t.ground.FillColor, t.ground.StrokeColor, t.ground.StrokeWidth = v.color(ground), v.color(edge), 1
		t.ground.CornerRadius = 6
		t.ground.Move(fyne.NewPos(padSide, 0))
		t.ground.Resize(fyne.NewSize(size.Width-2*padSide, size.Height-gap))
		return append([]fyne.CanvasObject{t.ground}, t.body.place(v, fyne.NewPos(padSide+11, 6), ink)...)
	}
	t.ExtendBaseWidget(t)
	return t
}

func (t *note) fit(width float32) float32 { return t.body.fit(t.v, width-2*padSide-22) + 12 + gap }
