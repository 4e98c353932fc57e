package core

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFollowing(t *testing.T) {
	tests := []struct {
		name   string
		msgs   []Msg
		shown  int
		turns  int
		chip   string
		on     bool
		notice string
	}{
		{"at rest", nil, 3, 3, "● Following F", true, ""},
		{"a new turn comes into view", []Msg{arrived(4)}, 4, 4, "● Following F", true, ""},
		{"two at once: the newest", []Msg{arrived(4), arrived(5)}, 5, 5, "● Following F", true, ""},
		{"known turns are no news", []Msg{arrived(2), arrived(3)}, 3, 3, "● Following F", true, ""},
		{"a late turn is sorted in", []Msg{arrived(5), arrived(4)}, 5, 5, "● Following F", true, ""},
		{"stepping back pauses", []Msg{TurnStepped{-1}}, 2, 3, "Follow paused F", false, ""},
		{"and says so where turns have arrived", []Msg{arrived(4), TurnChosen{2}}, 2, 4, "Follow paused F", false, "Following is paused: an older turn is in view."},
		{"paused: turns are counted and listed", []Msg{TurnStepped{-1}, arrived(4), arrived(5)}, 2, 5, "Paused · 2 new F", false, ""},
		{"going to the newest goes on", []Msg{TurnChosen{1}, arrived(4), TurnChosen{4}}, 4, 4, "● Following F", true, ""},
		{"so does the command", []Msg{TurnChosen{1}, arrived(4), CommandChosen{CmdFollow}}, 4, 4, "● Following F", true, ""},
		{"and the key for the newest", []Msg{TurnChosen{1}, arrived(4), CommandChosen{"turn.newest"}, arrived(5)}, 5, 5, "● Following F", true, ""},
		{"switched off: listed only", []Msg{CommandChosen{CmdFollow}, arrived(4)}, 3, 4, "Follow F", false, ""},
		{"a session that was left", []Msg{TurnsArrived{Watch: -7, Rows: []TurnRow{{N: 4}}}}, 3, 3, "● Following F", true, ""},
		{"the end of it is said", []Msg{TurnsArrived{Watch: -1, Problem: &Problem{Sentence: "The folder is gone."}}}, 3, 3, "● Following F", true, "The folder is gone."},
		{"a damaged turn is said and hides no other", []Msg{TurnsArrived{Watch: -1, Damaged: []Damage{{N: 4, Why: "it was cut short"}}}, arrived(5)}, 5, 4, "● Following F", true,
			"Turn 4 is damaged: it was cut short"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, _ := step(reviewing(t), tt.msgs...)
			s = settle(t, s)
			require.Equal(t, tt.shown, s.Shown.N)
			require.Len(t, s.Session.Turns, tt.turns)
			for i := 1; i < len(s.Session.Turns); i++ {
				require.Less(t, s.Session.Turns[i-1].N, s.Session.Turns[i].N)
			}
			chip := s.Bar().Follow
			require.Equal(t, tt.chip, chip.Text)
			require.Equal(t, tt.on, chip.On)
			require.Equal(t, tt.notice, s.Strip().Text)
		})
	}
}

func TestFollowingKeepsTheSelection(t *testing.T) {
	s, _ := step(reviewing(t), Picked{Ref: 2, Source: PaneDump}, arrived(4))
	s = settle(t, s)
	require.Equal(t, Selection{Node: 2, Ref: 2, Source: PaneTurn}, s.Selected)
}

func TestOwnCaptureIsNotLoadedAgain(t *testing.T) {
	s, effects := step(reviewing(t), CaptureAsked{})
	id := effects[0].(Capture).Task
	s, effects = step(s, arrived(4)) // disk is faster than our own answer
	require.Empty(t, effects)
	s, _ = step(s, Captured{Task: id, Turn: turnOf(4)})
	require.Len(t, s.Session.Turns, 4)
	s = settle(t, s)
	s, effects = step(s, arrived(4))
	require.Empty(t, effects, "the other way round")
	require.Len(t, s.Session.Turns, 4)
	require.Equal(t, 4, s.Shown.N)
}

func TestWhatCannotBeFollowed(t *testing.T) {
	for name, session := range map[string]Session{
		"in memory":         {Name: "window", Turns: []TurnRow{{N: 1}}},
		"a file, read only": {Name: "x.refscope", Kept: true, ReadOnly: true, Turns: []TurnRow{{N: 1}}},
	} {
		t.Run(name, func(t *testing.T) {
			s, effects := step(begun(t, ""), SessionOpened{Task: 1, Session: session})
			for _, e := range effects {
				_, follows := e.(FollowSession)
				require.False(t, follows)
			}
			require.False(t, s.Bar().Follow.CanToggle)
			after, _ := step(s, CommandChosen{CmdFollow})
			require.Equal(t, s.Follow, after.Follow)
		})
	}
}
