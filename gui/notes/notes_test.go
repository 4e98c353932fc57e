package notes_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/app/apptest"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/notes"
	"github.com/refscope/refscope/snapshot/turn"
)

// kept is a session on disk with turn 1 in view.
func kept(t *testing.T) core.State { return apptest.Long(t, 3) }

func TestNoteDialog(t *testing.T) {
	s := kept(t)
	s.Current = apptest.TurnOf(1)
	s, _ = apptest.Step(s, core.Picked{Ref: 2, Source: core.PanePicture}, notes.Asked{})
	require.Equal(t, notes.Dialog, s.Dialog)
	require.Equal(t, notes.Draft{Turn: 1, Ref: 2}, notes.Of(s).Draft)
	s, effects := apptest.Step(s, notes.Confirmed())
	require.Empty(t, effects, "there is nothing to write")
	require.Equal(t, notes.Dialog, s.Dialog)
	s, _ = apptest.Step(s, notes.Changed(notes.Draft{Turn: 99, Ref: 99, Text: " wrong "}))
	require.Equal(t, notes.Draft{Turn: 1, Ref: 2, Text: " wrong "}, notes.Of(s).Draft,
		"a draft stays about what it was begun for")
	s, effects = apptest.Step(s, notes.Confirmed())
	require.Equal(t, turn.Annotation{Turn: 1, Text: "wrong"}, effects[0].(notes.Write).Note)
	require.Equal(t, core.DialogNone, s.Dialog)
	s, _ = apptest.Step(s, notes.Changed(notes.Draft{Text: "late"}))
	require.NotEqual(t, "late", notes.Of(s).Draft.Text)

	s, _ = apptest.Step(s, notes.Asked{}, notes.Changed(notes.Draft{About: true, Verdict: notes.VerdictBad}))
	_, effects = apptest.Step(s, notes.Confirmed())
	require.Equal(t, turn.Annotation{Turn: 1, Ref: 2, Verdict: notes.VerdictBad}, effects[0].(notes.Write).Note)
}

func TestNotesThatCannotBe(t *testing.T) {
	tests := []struct {
		name   string
		change func(*core.State)
		says   string
	}{
		{"no turn", func(s *core.State) { s.Current = nil }, "There is no turn in view to comment on."},
		{"a file", func(s *core.State) { s.Session.File = true },
			"This session is a read-only file; notes cannot be added."},
		{"memory", func(s *core.State) { s.Session.Kept = false },
			"This session is in memory only; notes would be lost."},
		{"not saved", func(s *core.State) {
			t := *s.Current
			t.Unsaved, s.Current = true, &t
		}, "This turn is not saved; notes cannot be added to it."},
	}
	for _, tt := range tests {
		for _, m := range []core.Msg{notes.Asked{}, notes.VerdictChosen{Verdict: notes.VerdictGood},
			notes.VerdictChosen{}} {
			t.Run(tt.name, func(t *testing.T) {
				s := kept(t)
				tt.change(&s)
				s, effects := apptest.Step(s, m)
				require.Empty(t, effects)
				require.Equal(t, tt.says, s.Notice.Text)
				require.Equal(t, core.DialogNone, s.Dialog)
			})
		}
	}
}

func TestVerdictAndUndo(t *testing.T) {
	s := kept(t)
	s, effects := apptest.Step(s, notes.VerdictChosen{})
	require.Empty(t, effects)
	require.Equal(t, "This turn has no verdict.", s.Notice.Text)
	s, effects = apptest.Step(s, notes.VerdictChosen{Verdict: notes.VerdictGood})
	write := effects[0].(notes.Write)
	// the follower may see it first
	s, _ = apptest.Step(s, core.NotesArrived(1, []turn.Annotation{{N: 1, Turn: 1, Verdict: notes.VerdictGood}}),
		notes.Written{Task: write.Task, Note: turn.Annotation{N: 1, Turn: 1, Verdict: notes.VerdictGood}})
	require.Len(t, s.Session.Notes, 1)
	require.Equal(t, core.Remarks{Count: 1, Verdict: "good", Text: "good"}, s.Session.Remarks[1])
	require.Equal(t, notes.CmdNoteUndo, s.Notice.Command)
	require.Equal(t, "Note added to turn 1: good.", s.Notice.Text)

	s, _ = apptest.Step(s, core.NotesArrived(1, append(s.Session.Notes, turn.Annotation{N: 2, Turn: 1, By: "Ada", Verdict: "fail"},
		turn.Annotation{N: 3, Turn: 1, Ref: 4, Verdict: "pass"})))
	require.Equal(t, "fail", s.Session.Remarks[1].Verdict, "the last one about the turn counts")
	s, effects = apptest.Step(s, core.CommandChosen{ID: notes.CmdNoteUndo})
	undo := effects[0].(notes.Retract)
	require.Equal(t, 1, undo.N, "only what this window said")
	s, _ = apptest.Step(s, notes.Written{Task: undo.Task, Gone: 1})
	require.Len(t, s.Session.Notes, 2)
	require.Empty(t, notes.Of(s).Own)
	_, effects = apptest.Step(s, notes.Undone())
	require.Empty(t, effects)
	_, effects = apptest.Step(s, notes.VerdictChosen{})
	require.Equal(t, 2, effects[0].(notes.Retract).N, "the verdict of another can be taken back too")

	s, effects = apptest.Step(s, notes.VerdictChosen{Verdict: notes.VerdictBad})
	s, _ = apptest.Step(s, notes.Written{Task: effects[0].(notes.Write).Task,
		Problem: &core.Problem{Sentence: "The note could not be written."}})
	require.Equal(t, core.ToneBad, s.Notice.Tone)
	require.Len(t, s.Session.Notes, 2)
	other, _ := apptest.Step(s, core.NotesArrived(7, nil))
	require.Len(t, other.Session.Notes, 2, "of a session that was left")
}

func TestVerdictSigns(t *testing.T) {
	for word, want := range map[string]core.StatusItem{
		"": {}, "pass": {Text: "pass", Tone: core.ToneGood}, "wrong": {Text: "wrong", Tone: core.ToneBad}, "unclear": {
			Text: "unclear", Tone: core.ToneWarn}, "late\u202e": {Text: `late\u{202e}`, Tone: core.ToneNormal},
	} {
		require.Equal(t, want, core.VerdictSign(word), word)
	}
}

// TestANoteThatIsNotOnDiskIsNotSaidToBe: where what was begun could not be written, the window says so and asks before
// it closes; once it could, or where nothing was begun, it does not.
func TestANoteThatIsNotOnDiskIsNotSaidToBe(t *testing.T) {
	s := kept(t)
	s, _ = apptest.Step(s, notes.Asked{}, notes.Changed(notes.Draft{Text: "begun"}),
		notes.DraftsKept(s.Session.Path, false))
	require.Len(t, s.Unfinished(), 1)
	s.Tasks = []core.Task{{ID: 7, Kind: core.TaskNote}}
	failed, _ := apptest.Step(s, notes.Written{Task: 7, Note: turn.Annotation{Turn: 1},
		Problem: &core.Problem{Sentence: "The disk is full."}})
	require.Equal(t, "What you wrote stays until the window closes.", failed.Notice.Hint)
	other, _ := apptest.Step(s, notes.DraftsKept("elsewhere", true))
	require.Len(t, other.Unfinished(), 1)
	s, _ = apptest.Step(s, notes.DraftsKept(s.Session.Path, true))
	require.Empty(t, s.Unfinished())
}
