package app

import (
	"fyne.io/fyne/v2"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/timeline"
)

// newTimeline makes the list of turns.
func newTimeline(s *Shell, key func(*fyne.KeyEvent)) *timeline.View {
	return timeline.New(timeline.Callbacks{
		Choose: func(n int) { s.store.Dispatch(core.TurnChosen{N: n}) },
		Damage: func(i int) { s.store.Dispatch(core.DamageChosen{Index: i}) },
		Step:   func(by int) { s.store.Dispatch(timeline.TurnStepped{By: by}) },
		Seen:   func(n int) { s.store.Dispatch(core.TurnSeen{N: n}) },
		Filter: func(text string) { s.store.Dispatch(timeline.FilterTyped{Text: text}) },
		Escape: s.escape,
		Held:   s.keys.held,
		Key:    key,
		Rune:   s.keys.typedRune,
	})
}
