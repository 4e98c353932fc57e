package app

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/attach"
	"github.com/refscope/refscope/gui/connect"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/device"
	"github.com/refscope/refscope/gui/export"
	"github.com/refscope/refscope/gui/notes"
	"github.com/refscope/refscope/gui/palette"
	"github.com/refscope/refscope/gui/steps"
)

// dialogBox is a dialog that lies over the window, while it does.
type dialogBox interface {
	// set shows the state.
	set(st core.State)
	pop() *widget.PopUp
	// first is what has the keyboard when it opens, nil for nothing.
	first() fyne.Focusable
}

// dialogTable says how the dialogs are made. Esc is theirs to pass on where they hold
// the keyboard.
func dialogTable() map[core.Dialog]func(*Shell, core.State) dialogBox {
	return map[core.Dialog]func(*Shell, core.State) dialogBox{
		core.DialogHelp:     newHelp,
		core.DialogSessions: newChooser,
		core.DialogMarking:  newMarking,
		core.DialogUnsaved:  newLeaving,
		steps.DialogAct:     newActDialog,
		device.Dialog:       newDeviceDialog,
		attach.Dialog:       newAttachDialog,
		connect.Dialog:      newConnectDialog,
		export.DialogExport: newExports,
		palette.Dialog:      newPalette,
		notes.Dialog:        newNoting,
	}
}

// showDialog opens and closes dialogs as the state says, and gives the open one the
// state.
func (s *Shell) showDialog(st core.State) {
	if s.dialog != nil && st.Dialog != s.dialogOf {
		s.dialog.pop().Hide()
		s.dialog = nil
	}
	opened := false
	if make, ok := dialogTable()[st.Dialog]; ok && s.dialog == nil {
		s.dialog, s.dialogOf, opened = make(s, st), st.Dialog, true
	}
	if s.dialog == nil {
		return
	}
	s.dialog.set(st)
	if opened {
		s.dialog.pop().Show()
		if f := s.dialog.first(); f != nil {
			s.win.Canvas().Focus(f)
		}
	}
}
