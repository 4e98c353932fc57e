// Package notes is the room for comments on turns: notes and verdicts, and retracting them.
package notes

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/snapshot/turn"
)

// Verdicts that the window gives. A session may contain others.
const (
	VerdictGood     = "good"
	VerdictBad      = "bad"
	verdictQuestion = "question"
)

// model is the note being written.
type model struct {
	Draft Draft
	// Drafts are the notes that were begun and not written, by turn; replaced, never changed. They are on disk as
	// soon as something is typed, so that neither Esc nor a crash takes them. Read is the number of the session's
	// opening for which they were read.
	Drafts map[int]Draft
	Read   int
	// Loose: they could not be written, and go with the window.
	Loose bool
	// Own are the numbers of the notes that this window made and that can be taken back,
	// the last one last.
	Own []int
}

// Draft is a note that is not written yet.
type Draft struct {
	Turn int
	// Ref is the element that was chosen when the note was begun, 0 for none; About means
	// that the note is about it.
	Ref     int
	About   bool
	Verdict string
	Text    string
}

// Dialog asks for a note, see [Draft].
const Dialog core.Dialog = "note"

type (
	// Asked opens the dialog for a note about the turn in view.
	Asked struct{}
	// verdictChosen gives the turn in view a verdict; "" takes its last one back.
	verdictChosen struct{ Verdict string }
	// written answers [Write] and [Retract]: Note is what was written, Gone
	// the number of what was removed.
	written struct {
		Task    int
		Note    turn.Annotation
		Gone    int
		Problem *core.Problem
	}

	// DropVerdicts opens the menu of verdicts.
	DropVerdicts struct{}
)

// Engine is where notes about turns are kept.
type Engine interface {
	// Annotate adds a note to the session in use and returns it with its number, time
	// and author.
	Annotate(ctx context.Context, n turn.Annotation) (turn.Annotation, error)
	// Retract takes a note back.
	Retract(ctx context.Context, n int) error
	// Drafts are the notes that were begun and not written for the session at that path, KeepDrafts keeps them.
	Drafts(ctx context.Context, session string) (map[int]Draft, error)
	KeepDrafts(ctx context.Context, session string, drafts map[int]Draft) error
}

// readDrafts reads what was begun for the session in view. [draftsRead] answers.
type readDrafts struct {
	Session int
	Path    string
}

// Do implements [core.Work].
func (e readDrafts) Do(ctx context.Context, w *core.Worker) core.Msg {
	drafts, err := core.EngineOf[Engine](w).Drafts(ctx, e.Path)
	if err != nil {
		w.Log.Warn("notes that were begun cannot be read", "session", e.Path, "error", err)
		return nil
	}
	return draftsRead(e.Session, drafts)
}

// draftsRead answers [readDrafts].
//
// Apply implements [core.Msg]. What was typed meanwhile is newer.
func draftsRead(session int, d map[int]Draft) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		if session != s.Session.Opened {
			return s, nil
		}
		drafts := maps.Clone(d)
		if drafts == nil {
			drafts = map[int]Draft{}
		}
		maps.Copy(drafts, Of(s).Drafts)
		edit(&s).Drafts = drafts
		return s, nil
	})
}

// KeepDrafts keeps what was begun, on disk. Only the newest matters.
type KeepDrafts struct {
	Path   string
	Drafts map[int]Draft
}

// Pause implements [core.LatestWork].
func (KeepDrafts) Pause() time.Duration { return 0 }

// Do implements [core.Work].
func (e KeepDrafts) Do(ctx context.Context, w *core.Worker) core.Msg {
	err := core.EngineOf[Engine](w).KeepDrafts(ctx, e.Path, e.Drafts)
	if err != nil {
		w.Log.Warn("the note that is being written is not kept", "session", e.Path, "error", err)
	}
	return draftsKept(e.Path, err == nil)
}

// draftsKept answers [KeepDrafts].
func draftsKept(path string, ok bool) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		if s.Session.Path == path && Of(s).Loose == ok {
			edit(&s).Loose = !ok
		}
		return s, nil
	})
}

// closing is what goes with the window.
func closing(s core.State) string {
	if !Of(s).Loose || len(Of(s).Drafts) == 0 {
		return ""
	}
	return "A note that was begun could not be written to the disk, and is lost when the window closes."
}

// keepDraft keeps a draft, or forgets the turn's where it says nothing.
func keepDraft(s *core.State, d Draft) []core.Effect {
	old, had := Of(*s).Drafts[d.Turn]
	if !d.Says() && !had || had && old == d {
		return nil
	}
	drafts := maps.Clone(Of(*s).Drafts)
	if drafts == nil {
		drafts = map[int]Draft{}
	}
	if drafts[d.Turn] = d; !d.Says() {
		delete(drafts, d.Turn)
	}
	edit(s).Drafts = drafts
	if s.Session.Path == "" {
		return nil
	}
	return []core.Effect{KeepDrafts{s.Session.Path, drafts}}
}

// fill asks for what was begun in another session, once it is in view.
func fill(s core.State) (core.State, []core.Effect) {
	if s.Session.Opened == 0 || Of(s).Read == s.Session.Opened || s.Session.Path == "" {
		return s, nil
	}
	edit(&s).Read = s.Session.Opened
	return s, []core.Effect{readDrafts{s.Session.Opened, s.Session.Path}}
}

// Write adds a note to the session. [written] answers it and Retract.
type Write struct {
	Task int
	Note turn.Annotation
}

// Number implements [core.Numbered].
func (e Write) Number() int { return e.Task }

// Do implements [core.Work].
func (e Write) Do(ctx context.Context, w *core.Worker) core.Msg {
	n, err := core.EngineOf[Engine](w).Annotate(ctx, e.Note)
	if err != nil {
		err = fmt.Errorf("the note could not be written: %w", err)
	}
	return written{Task: e.Task, Note: n, Problem: w.Problem("note", err)}
}

// Retract takes a note back.
type Retract struct{ Task, N int }

// Number implements [core.Numbered].
func (e Retract) Number() int { return e.Task }

// Do implements [core.Work].
func (e Retract) Do(ctx context.Context, w *core.Worker) core.Msg {
	err := core.EngineOf[Engine](w).Retract(ctx, e.N)
	if err != nil {
		err = fmt.Errorf("the note could not be removed: %w", err)
	}
	return written{Task: e.Task, Gone: e.N, Problem: w.Problem("note", err)}
}

// notesRefused explains why the turn in view cannot have notes, nil where it can.
func notesRefused(s core.State) *core.Notice {
	switch {
	case s.Current == nil:
		return &core.Notice{Tone: core.ToneWarn, Text: "There is no turn in view to comment on.",
			Hint: "Capture a page first.", Source: core.TaskNote}
	case s.Session.File:
		return &core.Notice{Tone: core.ToneWarn, Text: "This session is a read-only file; notes cannot be added.",
			Hint: "Import it with refscopectl session import first.", Source: core.TaskNote}
	case !s.Session.Kept:
		return &core.Notice{Tone: core.ToneWarn, Text: "This session is in memory only; notes would be lost.",
			Hint: "Open another session first.", Command: core.CmdSessions, Source: core.TaskNote}
	case s.Current.Unsaved:
		return &core.Notice{Tone: core.ToneWarn, Text: "This turn is not saved; notes cannot be added to it.",
			Hint: "Once it can be written, capture the page again.", Command: core.CmdCapture, Source: core.TaskNote}
	}
	return nil
}

func (Asked) Apply(s core.State) (core.State, []core.Effect) {
	if s.Notice = notesRefused(s); s.Notice != nil {
		return s, nil
	}
	d := Draft{Turn: s.Current.N, Ref: s.Selected.Ref}
	if begun, ok := Of(s).Drafts[d.Turn]; ok {
		if d.Ref == 0 || begun.About {
			d.Ref = begun.Ref
		}
		d.About, d.Verdict, d.Text = begun.About, begun.Verdict, begun.Text
	}
	edit(&s).Draft = d
	s.Dialog = Dialog
	return s, nil
}

// Changed changes the draft.
func Changed(draft Draft) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		if s.Dialog == Dialog {
			d := draft
			d.Turn, d.Ref = Of(s).Draft.Turn, Of(s).Draft.Ref
			edit(&s).Draft = d
			return s, keepDraft(&s, d)
		}
		return s, nil
	})
}

// Confirmed writes the draft.
func Confirmed() core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		d := Of(s).Draft
		if s.Dialog != Dialog || !d.Says() {
			return s, nil
		}
		s.CloseDialog(Dialog)
		n := turn.Annotation{Turn: d.Turn, Verdict: d.Verdict, Text: strings.TrimSpace(d.Text)}
		if d.About {
			n.Ref = d.Ref
		}
		return writeNote(s, n)
	})
}

// Says reports whether there is anything to write.
func (d Draft) Says() bool { return d.Verdict != "" || strings.TrimSpace(d.Text) != "" }

func writeNote(s core.State, n turn.Annotation) (core.State, []core.Effect) {
	id := s.StartTask(core.TaskNote, "Writing the note")
	return s, []core.Effect{Write{id, n}}
}

func (m verdictChosen) Apply(s core.State) (core.State, []core.Effect) {
	if s.Notice = notesRefused(s); s.Notice != nil {
		return s, nil
	}
	if m.Verdict != "" {
		return writeNote(s, turn.Annotation{Turn: s.Current.N, Verdict: m.Verdict})
	}
	for _, n := range slices.Backward(s.Session.Notes) {
		if n.Turn == s.Current.N && n.Ref == 0 && n.Verdict != "" {
			return retract(s, n.N)
		}
	}
	s.Notice = &core.Notice{Text: "This turn has no verdict.", Source: core.TaskNote}
	return s, nil
}

func retract(s core.State, n int) (core.State, []core.Effect) {
	id := s.StartTask(core.TaskNote, "Removing the note")
	return s, []core.Effect{Retract{id, n}}
}

// undone takes back the last note that this window made.
func undone() core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		if len(Of(s).Own) == 0 {
			return s, nil
		}
		return retract(s, Of(s).Own[len(Of(s).Own)-1])
	})
}

func (m written) Apply(s core.State) (core.State, []core.Effect) {
	if _, ok := s.FinishTask(m.Task); !ok {
		return s, nil
	}
	if m.Problem != nil {
		s.Complain(core.TaskNote, m.Problem)
		if _, ok := Of(s).Drafts[m.Note.Turn]; ok {
			kept := " What you wrote is kept."
			if Of(s).Loose {
				kept = " What you wrote stays until the window closes."
			}
			s.Notice.Hint = strings.TrimSpace(s.Notice.Hint + kept)
			s.Notice.Command = CmdNote
		}
		return s, nil
	}
	if m.Gone > 0 {
		edit(&s).Own = core.Without(Of(s).Own, m.Gone)
		notes := slices.DeleteFunc(slices.Clone(s.Session.Notes), func(n turn.Annotation) bool { return n.N == m.Gone })
		s.SetNotes(notes)
		s.Notice = &core.Notice{Tone: core.ToneGood, Text: fmt.Sprintf("Note %d was removed.", m.Gone),
			Source: core.TaskNote}
		return s, nil
	}
	edit(&s).Own = append(slices.Clip(Of(s).Own), m.Note.N)
	var effects []core.Effect
	if d, ok := Of(s).Drafts[m.Note.Turn]; ok && d.Verdict == m.Note.Verdict &&
		strings.TrimSpace(d.Text) == m.Note.Text {
		effects = keepDraft(&s, Draft{Turn: d.Turn})
	}
	// else the follower saw it first
	if !slices.ContainsFunc(s.Session.Notes, func(n turn.Annotation) bool { return n.N == m.Note.N }) {
		s.SetNotes(append(slices.Clip(s.Session.Notes), m.Note))
	}
	about := fmt.Sprintf("turn %d", m.Note.Turn)
	if m.Note.Ref > 0 {
		about = fmt.Sprintf("%d in turn %d", m.Note.Ref, m.Note.Turn)
	}
	text := "Note added to " + about + "."
	if v := core.VerdictSign(m.Note.Verdict); v.Text != "" {
		text = "Note added to " + about + ": " + v.Text + "."
	}
	s.Notice = &core.Notice{Tone: core.ToneGood, Text: text, Command: CmdNoteUndo, Source: core.TaskNote}
	return s, effects
}

func commands(core.State) []core.Command {
	const m = "Turn"
	shown := func(s core.State) bool { return s.Current != nil }
	verdict := func(id, title, word string) core.Command {
		return core.Command{ID: id, Title: title, Menu: m, Enabled: shown, Msg: core.Send(verdictChosen{word}),
			Checked: func(s core.State) bool {
				return s.Current != nil && word != "" && s.Session.Remarks[s.Current.N].Verdict == word
			}}
	}
	return []core.Command{
		{ID: CmdNote, Title: "Add note…", Menu: m, Key: "M", Gap: true, Enabled: shown, Msg: core.Send(Asked{})},
		{ID: CmdVerdict, Title: "Set verdict…", Menu: m, Key: "V", Enabled: shown,
			Msg: core.Send(core.Wanted(DropVerdicts{}))},
		verdict("verdict.good", "Verdict: good", VerdictGood),
		verdict("verdict.bad", "Verdict: bad", VerdictBad),
		verdict("verdict.question", "Verdict: a question", verdictQuestion),
		verdict("verdict.none", "Remove verdict", ""),
		{ID: CmdNoteUndo, Title: "Undo note", Menu: m, Enabled: func(s core.State) bool { return len(Of(s).Own) > 0 },
			Msg: core.Send(undone())},
	}
}

// Room is the room for comments on turns.
func Room() core.Room {
	return core.Room{Name: "notes", Commands: commands, AfterUpdate: fill, Closing: closing,
		SessionClosed: func(s core.State) (core.State, []core.Effect) {
			*edit(&s) = model{}
			return s, nil
		}}
}

const CmdNote = "note.add"

const CmdVerdict = "note.verdict"

const CmdNoteUndo = "note.undo"

// Of is the model of the room.
func Of(s core.State) model { return core.Of[model](s) }

func edit(s *core.State) *model { return core.Edit[model](s) }
