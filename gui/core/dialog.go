package core

// Dialog is what lies over the window and has the keyboard to itself. There is at most
// one, so opening one closes another.
type Dialog string

const (
	DialogNone     Dialog = ""
	DialogHelp     Dialog = "help"     // the list of commands
	DialogSessions Dialog = "sessions" // the list of sessions, see [Chooser]
	DialogMarking  Dialog = "marking"  // the choices of a marked picture, see [MarkedOptions]
	DialogUnsaved  Dialog = "unsaved"  // the question before the window closes with unsaved texts
)

// close closes a dialog where it is the open one.
func (s *State) CloseDialog(d Dialog) {
	if s.Dialog == d {
		s.Dialog = DialogNone
	}
}
