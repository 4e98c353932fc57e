package messages

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
)

// New makes the side: the conversation, its tools or its parameters.
func New(w *parts.Window) *parts.Table {
	return parts.NewTable(w, shows(), func(choice int) core.Msg { return chosen(show(choice)) }, viewOf)
}

// Picture is the dialog with a picture of a message, whole.
type Picture struct {
	image *canvas.Image
	box   fyne.CanvasObject
	close *parts.PushButton
}

// NewPicture makes the dialog.
func NewPicture(w *parts.Window) *Picture {
	m := of(w.State())
	im, _ := m.Pictures.Of(m.Whole)
	p := &Picture{image: canvas.NewImageFromImage(im), close: parts.NewPushButton("Close", true, w.Leave, w.Leave)}
	p.image.FillMode, p.image.ScaleMode = canvas.ImageFillContain, canvas.ImageScaleSmooth
	p.box = parts.Border(parts.Head("The picture as it was sent"),
		parts.Border(nil, nil, nil, p.close), nil, nil, p.image)
	return p
}

// Object returns the object to lay out, Focus the one that gets the keyboard, Size how large it is.
func (p *Picture) Object() fyne.CanvasObject { return p.box }
func (p *Picture) Focus() fyne.Focusable     { return p.close }
func (p *Picture) Size(window fyne.Size) fyne.Size {
	return fyne.NewSize(window.Width*0.9, window.Height*0.86)
}

// Show has nothing to change: a picture of a message stays what it is.
func (p *Picture) Show(core.State) {}
