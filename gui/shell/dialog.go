package shell

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/state"
)

// dialogBox is a dialog that lies over the window, while it does.
type dialogBox interface {
	// set shows the state.
	set(st state.State)
	pop() *widget.PopUp
	// first is what has the keyboard when it opens, nil for nothing.
	first() fyne.Focusable
}

// dialogTable says how the dialogs are made. Esc is theirs to pass on where they hold
// the keyboard.
func dialogTable() map[state.Dialog]func(*Shell, state.State) dialogBox {
	return map[state.Dialog]func(*Shell, state.State) dialogBox{
		state.DialogHelp:     newHelp,
		state.DialogSessions: newChooser,
		state.DialogMarking:  newMarking,
		state.DialogNote:     newNoting,
		state.DialogExport:   newExports,
		state.DialogPalette:  newPalette,
	}
}

// showDialog opens and closes dialogs as the state says, and gives the open one the
// state.
func (s *Shell) showDialog(st state.State) {
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
