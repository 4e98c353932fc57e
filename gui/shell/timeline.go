package shell

import (
	"fyne.io/fyne/v2"

	"github.com/refscope/refscope/gui/state"
	"github.com/refscope/refscope/gui/timeline"
)

// newTimeline makes the list of turns.
func newTimeline(s *Shell, key func(*fyne.KeyEvent)) *timeline.View {
	return timeline.New(timeline.Callbacks{
		Choose: func(n int) { s.store.Dispatch(state.TurnChosen{N: n}) },
		Damage: func(i int) { s.store.Dispatch(state.DamageChosen{Index: i}) },
		Step:   func(by int) { s.store.Dispatch(state.TurnStepped{By: by}) },
		Seen:   func(n int) { s.store.Dispatch(state.TurnSeen{N: n}) },
		Filter: func(text string) { s.store.Dispatch(state.FilterTyped{Text: text}) },
		Escape: s.escape,
		Held:   s.keys.held,
		Key:    key,
		Rune:   s.keys.typedRune,
	})
}
