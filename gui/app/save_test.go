package app_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/app/apptest"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/notes"
)

// TestSaveWhatIsEdited: one key saves the note that is being written, and does nothing where nothing is.
func TestSaveWhatIsEdited(t *testing.T) {
	s := apptest.Captured(t)
	_, effects := apptest.Step(s, core.CommandChosen{ID: "save"})
	require.Empty(t, effects)
	s, _ = apptest.Step(s, notes.Asked{})
	d := notes.Of(s).Draft
	d.Text = "the total is wrong"
	s, _ = apptest.Step(s, notes.Changed(d))
	s, effects = apptest.Step(s, core.CommandChosen{ID: "save"})
	require.Equal(t, "the total is wrong", apptest.Last[notes.Write](effects).Note.Text)
	require.NotEqual(t, notes.Dialog, s.Dialog)
}

// TestAFailedAddressGivesWay: after a page was not opened the address bar names the page in view.
func TestAFailedAddressGivesWay(t *testing.T) {
	s := apptest.Captured(t)
	was := s.Current.Capture.URL
	s, effects := apptest.Step(s, core.AddressEntered{Text: "https://nowhere.example/"})
	require.Equal(t, "https://nowhere.example/", s.Address.Text)
	s, _ = apptest.Step(s, core.Navigated{Task: apptest.Last[core.Navigate](effects).Task,
		Problem: &core.Problem{Sentence: "nowhere.example cannot be reached."}})
	require.Equal(t, was, s.Address.Text)
	require.Equal(t, core.CmdRetry, s.Notice.Command, "it can be tried again")
}

func TestPlace(t *testing.T) {
	s := apptest.Long(t, 4)
	require.Equal(t, "1 of 4", s.Place())
	s.Session.Turns, s.Session.Damaged = s.Session.Turns[:3:3], []core.Damage{{N: 4}}
	require.Equal(t, "1 (3 of 4 readable)", s.Place())
	s.Session.Turns, s.Session.Damaged = append([]core.TurnRow{{N: 0}}, s.Session.Turns...), nil
	require.Equal(t, "1 (2 of 4)", s.Place(), "its number is another than its place")
}
