package core

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// kept is a session on disk with turn 1 in view.
func kept(t *testing.T) State { return long(t, 3) }

func TestNoteDialog(t *testing.T) {
	s := kept(t)
	s.Shown = turnOf(1)
	s, _ = step(s, Picked{Ref: 2, Source: PanePicture}, NoteAsked{})
	require.Equal(t, DialogNote, s.Dialog)
	require.Equal(t, NoteDraft{Turn: 1, Ref: 2}, s.Notes.Draft)
	s, effects := step(s, NoteConfirmed{})
	require.Empty(t, effects, "there is nothing to write")
	require.Equal(t, DialogNote, s.Dialog)
	s, _ = step(s, NoteChanged{NoteDraft{Turn: 99, Ref: 99, Text: " wrong "}})
	require.Equal(t, NoteDraft{Turn: 1, Ref: 2, Text: " wrong "}, s.Notes.Draft, "a draft stays about what it was begun for")
	s, effects = step(s, NoteConfirmed{})
	require.Equal(t, Note{Turn: 1, Text: "wrong"}, effects[0].(WriteNote).Note)
	require.Equal(t, DialogNone, s.Dialog)
	s, _ = step(s, NoteChanged{NoteDraft{Text: "late"}})
	require.NotEqual(t, "late", s.Notes.Draft.Text)

	s, _ = step(s, NoteAsked{}, NoteChanged{NoteDraft{About: true, Verdict: VerdictBad}})
	_, effects = step(s, NoteConfirmed{})
	require.Equal(t, Note{Turn: 1, Ref: 2, Verdict: VerdictBad}, effects[0].(WriteNote).Note)
}

func TestNotesThatCannotBe(t *testing.T) {
	tests := []struct {
		name   string
		change func(*State)
		says   string
	}{
		{"no turn", func(s *State) { s.Shown = nil }, "There is no turn in view to say something about."},
		{"a file", func(s *State) { s.Session.ReadOnly = true }, "This session is a file and read only; nothing can be said about its turns."},
		{"memory", func(s *State) { s.Session.Kept = false }, "This session is in memory only; a note would be lost with it."},
	}
	for _, tt := range tests {
		for _, m := range []Msg{NoteAsked{}, VerdictChosen{VerdictGood}, VerdictChosen{}} {
			t.Run(tt.name, func(t *testing.T) {
				s := kept(t)
				tt.change(&s)
				s, effects := step(s, m)
				require.Empty(t, effects)
				require.Equal(t, tt.says, s.Notice.Text)
				require.Equal(t, DialogNone, s.Dialog)
			})
		}
	}
}

func TestVerdictAndUndo(t *testing.T) {
	s := kept(t)
	s, effects := step(s, VerdictChosen{})
	require.Empty(t, effects)
	require.Equal(t, "This turn has no verdict.", s.Notice.Text)
	s, effects = step(s, VerdictChosen{VerdictGood})
	write := effects[0].(WriteNote)
	s, _ = step(s, NotesArrived{Session: 1, Notes: []Note{{N: 1, Turn: 1, Verdict: VerdictGood}}}, // the follower may see it first
		NoteWritten{Task: write.Task, Note: Note{N: 1, Turn: 1, Verdict: VerdictGood}})
	require.Len(t, s.Session.Notes, 1)
	require.Equal(t, Remarks{Count: 1, Verdict: "good", Text: "good"}, s.Session.Remarks[1])
	require.Equal(t, CmdNoteUndo, s.Notice.Command)
	require.Equal(t, "Noted about turn 1: ✓ good.", s.Notice.Text)

	s, _ = step(s, NotesArrived{Session: 1, Notes: append(s.Session.Notes, Note{N: 2, Turn: 1, By: "Ada", Verdict: "fail"}, Note{N: 3, Turn: 1, Ref: 4, Verdict: "pass"})})
	require.Equal(t, "fail", s.Session.Remarks[1].Verdict, "the last one about the turn counts")
	s, effects = step(s, CommandChosen{CmdNoteUndo})
	undo := effects[0].(RetractNote)
	require.Equal(t, 1, undo.N, "only what this window said")
	s, _ = step(s, NoteWritten{Task: undo.Task, Gone: 1})
	require.Len(t, s.Session.Notes, 2)
	require.Empty(t, s.Notes.Own)
	_, effects = step(s, NoteUndone{})
	require.Empty(t, effects)
	_, effects = step(s, VerdictChosen{})
	require.Equal(t, 2, effects[0].(RetractNote).N, "the verdict of another can be taken back too")

	s, effects = step(s, VerdictChosen{VerdictBad})
	s, _ = step(s, NoteWritten{Task: effects[0].(WriteNote).Task, Problem: &Problem{Sentence: "The note could not be written."}})
	require.Equal(t, ToneBad, s.Notice.Tone)
	require.Len(t, s.Session.Notes, 2)
	other, _ := step(s, NotesArrived{Session: 7, Notes: nil})
	require.Len(t, other.Session.Notes, 2, "of a session that was left")
}

func TestVerdictSigns(t *testing.T) {
	for word, want := range map[string]StatusItem{
		"": {}, "pass": {"✓ pass", ToneGood}, "wrong": {"✗ wrong", ToneBad}, "unclear": {"? unclear", ToneWarn}, "later\u202e": {`• later\u202e`, ToneNormal},
	} {
		require.Equal(t, want, VerdictSign(word), word)
	}
}
