package app

import (
	"fyne.io/fyne/v2"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/gui/text"
	"github.com/refscope/refscope/gui/turn"
)

// roomView is the view of a room: it is given the state only while it is in view, and does
// nothing where nothing changed.
type roomView interface {
	Object() fyne.CanvasObject
	Show(core.State)
	// Focus is what takes the keyboard, nil for nothing.
	Focus() fyne.Focusable
}

// roomPane is a room's view as a pane.
type roomPane struct{ roomView }

func (p roomPane) object() fyne.CanvasObject { return p.Object() }
func (p roomPane) set(st core.State)         { p.Show(st) }
func (p roomPane) focus() fyne.Focusable     { return p.Focus() }

// Recolour gives the theme's colours to what Fyne does not colour by itself.
func (p roomPane) Recolour(th fyne.Theme) {
	if v, ok := p.roomView.(interface{ Recolour(fyne.Theme) }); ok {
		v.Recolour(th)
	}
}

// listCallbacks are those that every list has; on are those of every text.
func listCallbacks(s *Shell, on text.Callbacks) parts.ListCallbacks {
	return parts.ListCallbacks{Send: s.store.Dispatch, Hover: on.Hover, Key: on.Key, Rune: on.Rune, Shortcut: on.Shortcut, Escape: on.Clear}
}

func newTurnPane(s *Shell, on text.Callbacks) roomPane {
	v := turn.New(listCallbacks(s, on), on, s.run)
	s.verdictAt = v.VerdictAt()
	return roomPane{v}
}
