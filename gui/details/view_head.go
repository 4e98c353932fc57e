package details

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	fynetheme "fyne.io/fyne/v2/theme"

	"github.com/refscope/refscope/gui/parts"
	look "github.com/refscope/refscope/gui/theme"
	"github.com/refscope/refscope/snapshot/text"
)

// head is the element's number and name, and what can be copied as a whole.
type head struct {
	part
	badge *canvas.Rectangle
	links []*link
}

func newHead(v *View) *head {
	h := &head{part: part{v: v}, badge: canvas.NewRectangle(nil)}
	for _, c := range v.vm.Copies {
		h.links = append(h.links, newLink(v, c))
	}
	h.objects = h.place
	h.ExtendBaseWidget(h)
	return h
}

// linksWide is how wide the things to copy are in one line.
func (h *head) linksWide() float32 {
	if len(h.links) == 0 {
		return 0
	}
	w := float32(0)
	for _, l := range h.links {
		w += l.wide() + gap
	}
	return w
}

// twoLines reports whether title and things to copy have no room in one line.
func (h *head) twoLines(width float32) bool {
	return width-2*padSide-h.linksWide() < 180
}

// flow puts the things to copy beside the title, or in as many lines as they need below it. It returns how high all is.
func (h *head) flow(width float32, put func(l *link, at fyne.Position)) float32 {
	left, right := float32(padSide-linkPad), width-padSide+linkPad // the words begin where the title does
	x, y := width-padSide-h.linksWide()+gap, float32(0)
	if h.twoLines(width) && len(h.links) > 0 {
		x, y = left, h.v.lineHigh()
	}
	for _, l := range h.links {
		if y > 0 && x > left && x+l.wide() > right {
			x, y = left, y+h.v.lineHigh()
		}
		put(l, fyne.NewPos(x, y))
		x += l.wide() + gap
	}
	return y + h.v.lineHigh() + gap
}

func (h *head) fit(width float32) float32 { return h.flow(width, func(*link, fyne.Position) {}) }

func (h *head) place(size fyne.Size) []fyne.CanvasObject {
	v := h.v
	bold := fyne.TextStyle{Bold: true}
	x, room := float32(padSide), size.Width-2*padSide
	if !h.twoLines(size.Width) {
		room -= h.linksWide() + gap
	}
	out := []fyne.CanvasObject{}
	if v.vm.Number != "" {
		ref := parts.Text(v.vm.Number, v.color(look.ColorRef), v.textSize(), fyne.TextStyle{Monospace: true})
		h.badge.FillColor, h.badge.StrokeColor, h.badge.StrokeWidth = v.color(fynetheme.ColorNameInputBackground),
			v.color(look.ColorLine), 1
		h.badge.CornerRadius = 4
		w := v.put(ref, fyne.NewPos(x+7, 0)) + 14
		h.badge.Move(fyne.NewPos(x, 0))
		h.badge.Resize(fyne.NewSize(w, v.lineHigh()))
		x += w + gap
		room -= x - padSide
		out = append(out, h.badge, ref)
	}
	ours := float32(0)
	if v.vm.Ours != "" {
		ours = v.measure(fyne.TextStyle{})(v.vm.Ours) + gap
	}
	title := parts.Text(parts.Cut(text.Cut(parts.Harmless(v.vm.Title), 200), room-ours, v.measure(bold)),
		v.color(look.ColorText), v.textSize(), bold)
	x += v.put(title, fyne.NewPos(x, 0)) + gap
	out = append(out, title)
	if v.vm.Ours != "" {
		note := parts.Text(v.vm.Ours, v.color(look.ColorMuted), v.textSize(), fyne.TextStyle{})
		v.put(note, fyne.NewPos(x, 0))
		out = append(out, note)
	}
	h.flow(size.Width, func(l *link, at fyne.Position) {
		l.Move(at)
		l.Resize(fyne.NewSize(l.wide(), v.lineHigh()))
		out = append(out, l)
	})
	return out
}

// linkPad is the room at either side of a link's words, in Fyne units.
const linkPad = 4

// link is one thing to copy.
type link struct {
	copier
	word   *canvas.Text
	ground *canvas.Rectangle
}

func newLink(v *View, c CopyItem) *link {
	l := &link{
		copier: copier{part: part{v: v}, label: c.Label, text: c.Text},
		word:   canvas.NewText(text.Cut(text.Line(c.Label), 24), nil), ground: canvas.NewRectangle(nil),
	}
	l.objects = l.place
	l.ExtendBaseWidget(l)
	return l
}

func (l *link) wide() float32 { return l.v.measure(fyne.TextStyle{})(l.word.Text) + 2*linkPad }

func (l *link) place(size fyne.Size) []fyne.CanvasObject {
	v := l.v
	name := look.ColorAccent
	if v.copied == l.label {
		name = look.ColorGood
	}
	l.word.Color, l.word.TextSize = v.color(name), v.textSize()
	s := l.word.MinSize()
	l.word.Move(fyne.NewPos(linkPad, (size.Height-s.Height)/2))
	l.word.Resize(s)
	if !l.hover && !l.focused {
		return []fyne.CanvasObject{l.word}
	}
	l.ground.FillColor, l.ground.StrokeWidth = v.color(look.ColorRowHover), 0
	if l.focused {
		l.ground.StrokeColor, l.ground.StrokeWidth = v.color(look.ColorAccent), 1
	}
	l.ground.CornerRadius = 3
	l.ground.Resize(size)
	return []fyne.CanvasObject{l.ground, l.word}
}
