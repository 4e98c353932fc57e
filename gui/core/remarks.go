package core

import (
	"context"
	"slices"
	"strings"

	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/turn"
)

// Remarks are all notes about one turn, in short.
type Remarks struct {
	Count int
	// Verdict is the last one about the turn as a whole, "" for none.
	Verdict string
	// Text is all of them together.
	Text string
}

// remarksOf are the remarks by turn.
func remarksOf(notes []turn.Annotation) map[int]Remarks {
	out := map[int]Remarks{}
	for _, n := range notes {
		r := out[n.Turn]
		r.Count++
		if n.Ref == 0 && n.Verdict != "" {
			r.Verdict = n.Verdict
		}
		words := strings.TrimSpace(n.Verdict + " " + n.Text)
		if r.Text != "" {
			words = r.Text + " · " + words
		}
		r.Text = words
		out[n.Turn] = r
	}
	return out
}

// VerdictSign is a verdict in a sign and a word, and its tone; "" for none.
func VerdictSign(verdict string) StatusItem {
	if verdict == "" {
		return StatusItem{}
	}
	word := text.Cut(text.Line(verdict), 12)
	switch turn.Judge(verdict) {
	case turn.Good:
		return StatusItem{word, ToneGood}
	case turn.Bad:
		return StatusItem{word, ToneBad}
	case turn.Questionable:
		return StatusItem{word, ToneWarn}
	}
	return StatusItem{word, ToneNormal}
}

// SetNotes takes all notes of the session.
func (s *State) SetNotes(notes []turn.Annotation) {
	s.Session.Notes, s.Session.Remarks = notes, remarksOf(notes)
	s.Session.NotesVersion++
}

// Remarks are all comments on a turn: the note it was taken with, and later ones.
func (s State) Remarks(n int) string {
	text := ""
	if s.Current != nil && s.Current.N == n {
		text = s.Current.Note
	}
	if said := s.Session.Remarks[n].Text; said != "" {
		if text != "" {
			text += " · "
		}
		text += said
	}
	return text
}

// FollowNotes reports the notes of the session as they are and change, with
// [NotesArrived], until [Cancel] names Watch.
type FollowNotes struct{ Watch, Session int }

// Number implements [Numbered].
func (e FollowNotes) Number() int { return e.Watch }

// Do implements [Work].
func (e FollowNotes) Do(ctx context.Context, w *Worker) Msg {
	err := w.Engine.FollowNotes(ctx, func(list []turn.Annotation) {
		w.Dispatch(NotesArrived(e.Session, list))
	})
	if ctx.Err() == nil && err != nil {
		w.Log.Warn("new notes are no longer shown", "error", err)
	}
	return nil
}

// NotesArrived: these are all notes of the session now, whoever wrote them.
func NotesArrived(session int, notes []turn.Annotation) Msg {
	return Does(func(s State) (State, []Effect) {
		if session == s.Session.Opened {
			s.SetNotes(notes)
		}
		return s, nil
	})
}

// Without is the list without one number.
func Without(list []int, n int) []int {
	return slices.DeleteFunc(slices.Clone(list), func(x int) bool { return x == n })
}
