package core_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/app"
	"github.com/refscope/refscope/gui/app/apptest"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/timeline"
)

func TestFollowing(t *testing.T) {
	tests := []struct {
		name   string
		msgs   []core.Msg
		shown  int
		turns  int
		chip   string
		on     bool
		notice string
	}{
		{"at rest", nil, 3, 3, "● Following", true, ""},
		{"a new turn comes into view", []core.Msg{apptest.Arrived(4)}, 4, 4, "● Following", true, ""},
		{"two at once: the newest", []core.Msg{apptest.Arrived(4), apptest.Arrived(5)}, 5, 5, "● Following", true, ""},
		{"known turns are no news", []core.Msg{apptest.Arrived(2), apptest.Arrived(3)}, 3, 3, "● Following", true, ""},
		{"a late turn is sorted in", []core.Msg{apptest.Arrived(5), apptest.Arrived(4)}, 5, 5, "● Following", true, ""},
		{"stepping back pauses", []core.Msg{timeline.TurnStepped{By: -1}}, 2, 3, "Follow paused", false, ""},
		{"and says so where turns have arrived", []core.Msg{apptest.Arrived(4), core.TurnChosen{N: 2}}, 2, 4,
			"Follow paused", false, "Following is paused: an older turn is in view."},
		{"paused: turns are counted and listed", []core.Msg{timeline.TurnStepped{By: -1}, apptest.Arrived(4),
			apptest.Arrived(5)}, 2, 5, "Paused · 2 new", false, ""},
		{"going to the newest goes on", []core.Msg{core.TurnChosen{N: 1}, apptest.Arrived(4), core.TurnChosen{N: 4}}, 4,
			4, "● Following", true, ""},
		{"so does the command", []core.Msg{core.TurnChosen{N: 1}, apptest.Arrived(4),
			core.CommandChosen{ID: core.CmdFollow}}, 4, 4, "● Following", true, ""},
		{"and the key for the newest", []core.Msg{core.TurnChosen{N: 1}, apptest.Arrived(4),
			core.CommandChosen{ID: "turn.newest"}, apptest.Arrived(5)}, 5, 5, "● Following", true, ""},
		{"switched off: listed only", []core.Msg{core.CommandChosen{ID: core.CmdFollow}, apptest.Arrived(4)}, 3, 4,
			"Follow", false, ""},
		{"a session that was left", []core.Msg{core.TurnsArrived{Watch: -7, Rows: []core.TurnRow{{N: 4}}}}, 3, 3,
			"● Following", true, ""},
		{"the end of it is said",
			[]core.Msg{core.TurnsArrived{Watch: -1, Problem: &core.Problem{Sentence: "The folder is gone."}}}, 3, 3,
			"● Following", true, "The folder is gone."},
		{"a damaged turn is said and hides no other",
			[]core.Msg{core.TurnsArrived{Watch: -1, Damaged: []core.Damage{{N: 4, Why: "it was cut short"}}},
				apptest.Arrived(5)}, 5, 4, "● Following", true,
			"Turn 4 is damaged: it was cut short"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, _ := apptest.Step(apptest.Reviewing(t), tt.msgs...)
			s = apptest.Settle(t, s)
			require.Equal(t, tt.shown, s.Current.N)
			require.Len(t, s.Session.Turns, tt.turns)
			for i := 1; i < len(s.Session.Turns); i++ {
				require.Less(t, s.Session.Turns[i-1].N, s.Session.Turns[i].N)
			}
			chip := app.Bar(s).Follow
			require.Equal(t, tt.chip, chip.Text)
			require.Equal(t, tt.on, chip.On)
			require.Equal(t, tt.notice, app.Note(s).Text)
		})
	}
}

func TestFollowingKeepsTheSelection(t *testing.T) {
	s, _ := apptest.Step(apptest.Reviewing(t), core.Picked{Ref: 2, Source: core.PaneDump}, apptest.Arrived(4))
	s = apptest.Settle(t, s)
	require.Equal(t, core.Selection{Node: 2, Ref: 2, Source: core.PaneTurn}, s.Selected)
}

func TestOwnCaptureIsNotLoadedAgain(t *testing.T) {
	s, effects := apptest.Step(apptest.Reviewing(t), core.CaptureAsked{})
	id := effects[0].(core.Capture).Task
	s, effects = apptest.Step(s, apptest.Arrived(4)) // disk is faster than our own answer
	require.Empty(t, effects)
	s, _ = apptest.Step(s, core.Captured{Task: id, Turn: apptest.TurnOf(4)})
	require.Len(t, s.Session.Turns, 4)
	s = apptest.Settle(t, s)
	s, effects = apptest.Step(s, apptest.Arrived(4))
	require.Empty(t, effects, "the other way round")
	require.Len(t, s.Session.Turns, 4)
	require.Equal(t, 4, s.Current.N)
}

func TestWhatCannotBeFollowed(t *testing.T) {
	for name, session := range map[string]core.Session{
		"in memory":         {Name: "window", Turns: []core.TurnRow{{N: 1}}},
		"a file, read only": {Name: "x.refscope", Kept: true, ReadOnly: true, File: true, Turns: []core.TurnRow{{N: 1}}},
	} {
		t.Run(name, func(t *testing.T) {
			s, effects := apptest.Step(apptest.Begun(t, ""), core.SessionOpened{Task: 1, Session: session})
			for _, e := range effects {
				_, follows := e.(core.FollowSession)
				require.False(t, follows)
			}
			require.False(t, app.Bar(s).Follow.CanToggle)
			after, _ := apptest.Step(s, core.CommandChosen{ID: core.CmdFollow})
			require.Equal(t, s.Follow, after.Follow)
		})
	}
}
