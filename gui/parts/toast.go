package parts

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/theme"
)

// Note is the content of a [Toast]: a sentence, what to do in a further one, and buttons.
type Note struct {
	Text, Hint string
	Tone       core.Tone
	Actions    []string
}

// Toast is a sentence of the window. One about what went well lies over the content, at the bottom right, and moves
// nothing; one about what did not stands across the top and pushes the content down, so that it covers none of it.
// Which of the two it is follows from its tone.
type Toast struct {
	// Box is to be stacked over the content, Banner laid out above it.
	Box, Banner *fyne.Container
	note        Note
	ground      *canvas.Rectangle
	icon        *widget.Icon
	text        *widget.RichText
	row         *fyne.Container
	right       *fyne.Container
	close       *IconButton
	do          func(action int)
	width       float32 // of what the banner lies in
}

// NewToast makes one that shows nothing. do is called with the place of the action that was
// pressed, leave when it is put away.
func NewToast(do func(action int), leave func()) *Toast {
	t := &Toast{ground: canvas.NewRectangle(color.Transparent), icon: widget.NewIcon(nil), text: widget.NewRichText(),
		do: do}
	t.close = NewIconButton(fynetheme.CancelIcon(), "Close", leave)
	t.right = container.NewHBox()
	line := Border(nil, nil, container.New(Slim{}, t.icon), t.right, container.New(Slim{}, t.text))
	t.row = container.NewStack(t.ground, Padded(3, 3, 12, bannerSides-12, line))
	t.Box = container.New(&toastLayout{t})
	t.Banner = Padded(toastMargin/2, toastMargin/2, toastMargin, toastMargin, t.row)
	t.Box.Hide()
	t.Banner.Hide()
	return t
}

// calm reports whether the note lies at the bottom right.
func (n Note) calm() bool { return n.Tone != core.ToneBad && n.Tone != core.ToneWarn }

// Set shows a note; one without a text shows nothing.
func (t *Toast) Set(n Note) {
	t.note = n
	for _, place := range []struct {
		box *fyne.Container
		on  bool
	}{{t.Box, n.calm()}, {t.Banner, !n.calm()}} {
		place.box.Objects = nil
		on := place.on && n.Text != ""
		if on {
			place.box.Objects = []fyne.CanvasObject{t.row}
		}
		Show(place.box, on)
	}
	if n.Text == "" {
		return
	}
	t.right.RemoveAll()
	for i, title := range n.Actions {
		c := NewChip(Button, title, func() { t.do(i) })
		c.Set(title, i == 0 && !n.calm(), true)
		t.right.Add(container.New(Slim{}, c))
	}
	t.right.Add(container.New(Slim{}, t.close))
	t.text.Wrapping, t.text.Truncation = fyne.TextWrapOff, fyne.TextTruncateEllipsis
	if !n.calm() { // what went wrong is said whole
		t.text.Wrapping, t.text.Truncation = fyne.TextWrapWord, fyne.TextTruncateOff
	}
	t.Recolour(fyne.CurrentApp().Settings().Theme())
	t.Box.Refresh()
	t.Banner.Refresh()
}

// Fit gives the words of the banner their width before it is asked for its height, see [Fitting].
func (t *Toast) Fit(width float32) {
	t.width = width
	if width <= 0 || t.note.Text == "" || t.note.calm() {
		return
	}
	pad := fyne.CurrentApp().Settings().Theme().Size(fynetheme.SizeNamePadding)
	room := width - 2*toastMargin - bannerSides - t.icon.MinSize().Width - t.right.MinSize().Width - 2*pad
	t.text.Resize(fyne.NewSize(max(room, 1), t.text.Size().Height))
}

// Recolour gives it the theme's colours.
func (t *Toast) Recolour(th fyne.Theme) {
	ground, edge, ink := NoteColors(t.note.Tone)
	icon := fynetheme.InfoIcon()
	switch t.note.Tone {
	case core.ToneGood:
		icon = fynetheme.ConfirmIcon()
	case core.ToneWarn:
		icon = fynetheme.WarningIcon()
	case core.ToneBad:
		icon = fynetheme.ErrorIcon()
	}
	t.ground.FillColor, t.ground.StrokeColor, t.ground.StrokeWidth = theme.RGBA(th, ground), theme.RGBA(th, edge), 1
	t.ground.CornerRadius = 8
	t.ground.Refresh()
	t.icon.SetResource(fynetheme.NewColoredResource(icon, ink))
	style := widget.RichTextStyle{ColorName: ink, Inline: true, SizeName: fynetheme.SizeNameText}
	strong := style
	strong.TextStyle.Bold = t.note.Hint != ""
	t.text.Segments = []widget.RichTextSegment{&widget.TextSegment{Text: t.note.Text, Style: strong}}
	if t.note.Hint != "" {
		t.text.Segments = append(t.text.Segments, &widget.TextSegment{Text: "  " + t.note.Hint, Style: style})
	}
	t.text.Refresh()
	t.Fit(t.width)
}

// toastLayout puts the toast into its place.
type toastLayout struct{ t *Toast }

// toastMargin is the room around a toast, bannerSides that at both sides of what is in it, in Fyne units.
const (
	toastMargin = 10
	bannerSides = 18
)

// MinSize implements fyne.Layout: the toast claims no room.
func (toastLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }

// Layout implements fyne.Layout.
func (l toastLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	if len(objects) == 0 {
		return
	}
	row, most := objects[0], size.Width-2*toastMargin
	h := row.MinSize().Height
	px := fyne.CurrentApp().Settings().Theme().Size(fynetheme.SizeNameText)
	words := fyne.MeasureText(l.t.note.Text+"  "+l.t.note.Hint, px, fyne.TextStyle{Bold: l.t.note.Hint != ""}).Width
	w := min(words+l.t.right.MinSize().Width+80, most)
	row.Resize(fyne.NewSize(w, h))
	row.Move(fyne.NewPos(size.Width-w-toastMargin, size.Height-h-toastMargin))
}
