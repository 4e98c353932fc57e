package core

import (
	"context"
	"slices"

	"github.com/refscope/refscope/snapshot/text"
)

// Following controls whether turns that others write to the session come into
// view automatically (row N-13). They are always listed.
type Following int

const (
	// FollowOn: the newest turn comes into view.
	FollowOn Following = iota
	// FollowPaused: a person went back by hand; what arrives is counted. Opening the
	// newest turn, by hand or by the command, resumes.
	FollowPaused
	// FollowOff: a person switched it off.
	FollowOff
)

// toggleFollow switches following on, or off where it is on. Switched on, it goes to
// the newest turn.
func (s State) toggleFollow() (State, []Effect) {
	if s.Follow == FollowOn {
		s.Follow, s.UnseenTurns = FollowOff, 0
		return s, nil
	}
	return s.newest()
}

// newest goes to the newest turn and follows from there.
func (s State) newest() (State, []Effect) {
	s.Follow, s.UnseenTurns = FollowOn, 0
	if s.Notice != nil && (s.Notice.Command == CmdFollow || s.Notice.Command == CmdNewest) {
		s.Notice = nil
	}
	if n := len(s.Session.Turns); n > 0 {
		return s.chooseTurn(s.Session.Turns[n-1].N)
	}
	return s, nil
}

// ByHand loads a turn that a person chose. Leaving the newest one pauses following,
// because the next turn that arrives would take the chosen one away.
func (s State) ByHand(n int) (State, []Effect) {
	rows := s.Session.Turns
	if !slices.ContainsFunc(rows, func(r TurnRow) bool { return r.N == n }) {
		return s, nil
	}
	switch last := rows[len(rows)-1].N == n; {
	case last && s.Follow == FollowPaused:
		return s.newest()
	case !last && s.Follow == FollowOn:
		s.Follow, s.UnseenTurns = FollowPaused, 0
		if s.Session.Arrived > 0 {
			s.Notice = &Notice{Text: "Following is paused: an older turn is in view.",
				Hint:    "New turns are still listed.",
				Command: CmdFollow, Source: TaskSession}
		}
	}
	return s.chooseTurn(n)
}

// NotesWatch makes the number under which notes are followed of that of the turns.
const NotesWatch = 1 << 20

// follow starts to follow the session on disk, after the last turn that is known. What
// followed another session ends.
func (s State) follow() (State, []Effect) {
	if !s.Session.Kept || s.Session.File || s.Session.Opened == 0 {
		return s, nil
	}
	after := 0
	for _, r := range s.Session.Turns {
		after = max(after, r.N)
	}
	for _, d := range s.Session.Damaged {
		after = max(after, d.N)
	}
	s.Session.Watch = -s.Session.Opened
	return s, []Effect{FollowSession{s.Session.Watch, after}, FollowNotes{s.Session.Watch * NotesWatch,
		s.Session.Opened}}
}

// arrived takes turns that appeared on disk. A turn that this window took itself is
// known already, or is about to be shown by its capture.
func (s State) arrived(m TurnsArrived) (State, []Effect) {
	if m.Watch != s.Session.Watch {
		return s, nil // of a session that was left
	}
	if m.Problem != nil {
		if !m.Problem.Canceled {
			s.Notice = &Notice{Tone: ToneWarn, Text: m.Problem.Sentence, Source: TaskSession,
				Hint: "New turns are no longer followed; reopen the session to follow it again."}
		}
		return s, nil
	}
	own := false // a capture of ours is in progress, and one of these may be it
	for _, t := range s.Tasks {
		own = own || t.Kind.takesTurns()
	}
	known := map[int]bool{}
	for _, r := range s.Session.Turns {
		known[r.N] = true
	}
	fresh := slices.DeleteFunc(slices.Clone(m.Rows), func(r TurnRow) bool { return known[r.N] })
	if len(m.Damaged) > 0 {
		s.Session.Damaged = append(slices.Clip(s.Session.Damaged), m.Damaged...)
		s = s.explainDamage(len(s.Session.Damaged) - 1)
	}
	if len(fresh) == 0 {
		return s, nil
	}
	s.Session.Turns = sortedTurns(append(slices.Clone(s.Session.Turns), fresh...))
	if own {
		return s, nil
	}
	s.Session.Arrived += len(fresh)
	switch s.Follow {
	case FollowPaused:
		s.UnseenTurns += len(fresh)
		return s, nil
	case FollowOff:
		return s, nil
	}
	return s.chooseTurn(s.Session.Turns[len(s.Session.Turns)-1].N)
}

func sortedTurns(rows []TurnRow) []TurnRow {
	slices.SortStableFunc(rows, func(a, b TurnRow) int { return a.N - b.N })
	return rows
}

// SwitchVM is a switch: whether turns that come are followed, or pages are captured live.
type SwitchVM struct {
	Text          string
	On, CanToggle bool
}

// FollowChip returns the content of the switch.
func (s State) FollowChip() SwitchVM {
	v := SwitchVM{Text: "Follow", CanToggle: s.CanFollow()}
	switch {
	case !v.CanToggle:
	case s.Follow == FollowOn:
		v.Text, v.On = "● Following", true
	case s.Follow == FollowPaused && s.UnseenTurns > 0:
		v.Text = "Paused · " + text.Thousands(s.UnseenTurns) + " new"
	case s.Follow == FollowPaused:
		v.Text = "Follow paused"
	}
	return v
}

// CanFollow reports whether new turns of the session come into view.
func (s State) CanFollow() bool {
	return s.Session.Phase == PhaseReady && s.Session.Kept && !s.Session.File
}

// FollowSession reports turns after number After as they appear on disk, with
// [TurnsArrived], until [Cancel] names Watch.
type FollowSession struct{ Watch, After int }

// Number implements [Numbered].
func (e FollowSession) Number() int { return e.Watch }

// Do implements [Work].
func (e FollowSession) Do(ctx context.Context, w *Worker) Msg {
	err := w.Engine.Follow(ctx, e.After, func(row TurnRow, damage *Damage) {
		m := TurnsArrived{Watch: e.Watch}
		if damage != nil {
			m.Damaged = []Damage{*damage}
		} else {
			m.Rows = []TurnRow{row}
		}
		w.Dispatch(m)
	})
	if ctx.Err() != nil || err == nil {
		return nil
	}
	return TurnsArrived{Watch: e.Watch, Problem: w.Problem("following", err)}
}
