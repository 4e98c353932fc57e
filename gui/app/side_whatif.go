package app

import (
	"fyne.io/fyne/v2"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/text"
	"github.com/refscope/refscope/gui/whatif"
)

// whatIfPane is the side What-if.
type whatIfPane struct{ *whatif.View }

func newWhatIfPane(s *Shell, on text.Callbacks) *whatIfPane {
	return &whatIfPane{whatif.New(whatif.Callbacks{
		Send: s.store.Dispatch, Run: s.run, Escape: s.escape, Text: on, List: listCallbacks(s, on)}, s.store.State().Formats)}
}

func (p *whatIfPane) object() fyne.CanvasObject { return p.Object() }

func (p *whatIfPane) set(st core.State) { p.Set(whatif.ViewOf(st)) }
