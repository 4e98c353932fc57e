package app

import (
	"fyne.io/fyne/v2"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/profile"
	"github.com/refscope/refscope/gui/text"
)

// profilePane is the side Profile.
type profilePane struct{ *profile.View }

func newProfilePane(s *Shell, on text.Callbacks) *profilePane {
	return &profilePane{profile.New(profile.Callbacks{
		Send: s.store.Dispatch, Run: s.run, Keyed: func(text, _ string) string { return text }, Escape: s.escape, Text: on,
		List:  listCallbacks(s, on),
		Focus: func(f fyne.Focusable) { s.win.Canvas().Focus(f) },
		Key:   func(e *fyne.KeyEvent) { s.keys.typedKey(e, s.escape) },
	})}
}

func (p *profilePane) object() fyne.CanvasObject { return p.Object() }

func (p *profilePane) set(st core.State) { p.Set(profile.ViewOf(st)) }
