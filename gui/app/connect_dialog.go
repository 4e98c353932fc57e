package app

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/connect"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
)

// connectDialog is the page for agents.
type connectDialog struct {
	view *connect.View
	box  *widget.PopUp
}

// newConnectDialog makes the dialog of [core.DialogConnect].
func newConnectDialog(s *Shell, _ core.State) dialogBox {
	send := s.store.Dispatch
	leave := func() { send(core.Escaped{}) }
	d := &connectDialog{}
	d.view = connect.New(connect.Callbacks{
		Pick:   func(i int) { send(connect.Picked{Index: i}) },
		Copy:   func(text string) { send(core.TextCopied{Text: text}) },
		Serve:  func(on bool) { send(connect.Serving{On: on}) },
		Follow: func(id string) { send(connect.Followed{ID: id}) },
		Stop:   func(id string) { send(connect.Stopped{ID: id}) },
		Leave:  leave,
		Button: func(text string, main bool, do func()) fyne.CanvasObject {
			return parts.NewPushButton(text, main, do, leave)
		},
	})
	d.box = widget.NewModalPopUp(parts.Padded(8, 10, 14, 14, d.view.Object()), s.win.Canvas())
	size := s.win.Canvas().Size()
	d.box.Resize(fyne.NewSize(min(820, size.Width*0.9), min(640, size.Height*0.9)))
	return d
}

func (d *connectDialog) pop() *widget.PopUp    { return d.box }
func (d *connectDialog) first() fyne.Focusable { return d.view.Focus() }
func (d *connectDialog) set(st core.State)     { d.view.Set(connect.Of(st)) }
