package core

import (
	"fmt"
	"slices"
	"strings"
)

// Verdicts that the window gives. Others may stand in a session.
const (
	VerdictGood     = "good"
	VerdictBad      = "bad"
	VerdictQuestion = "question"
)

// NotesPane is what is being said.
type NotesPane struct {
	Draft NoteDraft
	// Own are the numbers of the notes that this window made and that can be taken back,
	// the last one last.
	Own []int
}

// NoteDraft is a note that is not written yet.
type NoteDraft struct {
	Turn int
	// Ref is the element that was chosen when the note was begun, 0 for none; About says
	// that the note is about it.
	Ref     int
	About   bool
	Verdict string
	Text    string
}

// DialogNote asks for a note, see [NoteDraft].
const DialogNote Dialog = "note"

type (
	// NoteAsked opens the dialog for a note about the turn in view.
	NoteAsked struct{}
	// NoteChanged changes the draft.
	NoteChanged struct{ Draft NoteDraft }
	// NoteConfirmed writes the draft.
	NoteConfirmed struct{}
	// VerdictChosen gives the turn in view a verdict; "" takes its last one back.
	VerdictChosen struct{ Verdict string }
	// NoteUndone takes back the last note that this window made.
	NoteUndone struct{}
	// NoteWritten answers [WriteNote] and [RetractNote]: Note is what was written, Gone
	// the number of what was taken back.
	NoteWritten struct {
		Task    int
		Note    Note
		Gone    int
		Problem *Problem
	}

	// WriteNote adds a note to the session.
	WriteNote struct {
		Task int
		Note Note
	}
	// RetractNote takes a note back.
	RetractNote struct{ Task, N int }
	// DropVerdicts opens the menu of verdicts.
	DropVerdicts struct{}
)

// notesRefused says why nothing can be said about the turn in view, nil where it can.
func (s State) notesRefused() *Notice {
	switch {
	case s.Shown == nil:
		return &Notice{Tone: ToneWarn, Text: "There is no turn in view to say something about.", Hint: "Capture a page first.", Source: TaskNote}
	case s.Session.ReadOnly:
		return &Notice{Tone: ToneWarn, Text: "This session is a file and read only; nothing can be said about its turns.",
			Hint: "Import it with refscopectl session import first.", Source: TaskNote}
	case !s.Session.Kept:
		return &Notice{Tone: ToneWarn, Text: "This session is in memory only; a note would be lost with it.", Hint: "Open another session first.", Command: CmdSessions, Source: TaskNote}
	}
	return nil
}

func (NoteAsked) Apply(s State) (State, []Effect) {
	if s.Notice = s.notesRefused(); s.Notice != nil {
		return s, nil
	}
	s.Notes.Draft = NoteDraft{Turn: s.Shown.N, Ref: s.Selected.Ref}
	s.Dialog = DialogNote
	return s, nil
}

func (m NoteChanged) Apply(s State) (State, []Effect) {
	if s.Dialog == DialogNote {
		m.Draft.Turn, m.Draft.Ref = s.Notes.Draft.Turn, s.Notes.Draft.Ref
		s.Notes.Draft = m.Draft
	}
	return s, nil
}

func (NoteConfirmed) Apply(s State) (State, []Effect) {
	d := s.Notes.Draft
	if s.Dialog != DialogNote || !d.Says() {
		return s, nil
	}
	s.close(DialogNote)
	n := Note{Turn: d.Turn, Verdict: d.Verdict, Text: strings.TrimSpace(d.Text)}
	if d.About {
		n.Ref = d.Ref
	}
	return s.writeNote(n)
}

// Says reports whether there is anything to write.
func (d NoteDraft) Says() bool { return d.Verdict != "" || strings.TrimSpace(d.Text) != "" }

func (s State) writeNote(n Note) (State, []Effect) {
	id := s.start(TaskNote, "Writing the note")
	return s, []Effect{WriteNote{id, n}}
}

func (m VerdictChosen) Apply(s State) (State, []Effect) {
	if s.Notice = s.notesRefused(); s.Notice != nil {
		return s, nil
	}
	if m.Verdict != "" {
		return s.writeNote(Note{Turn: s.Shown.N, Verdict: m.Verdict})
	}
	for _, n := range slices.Backward(s.Session.Notes) {
		if n.Turn == s.Shown.N && n.Ref == 0 && n.Verdict != "" {
			return s.retract(n.N)
		}
	}
	s.Notice = &Notice{Text: "This turn has no verdict.", Source: TaskNote}
	return s, nil
}

func (s State) retract(n int) (State, []Effect) {
	id := s.start(TaskNote, "Taking the note back")
	return s, []Effect{RetractNote{id, n}}
}

func (NoteUndone) Apply(s State) (State, []Effect) {
	if len(s.Notes.Own) == 0 {
		return s, nil
	}
	return s.retract(s.Notes.Own[len(s.Notes.Own)-1])
}

func (m NoteWritten) Apply(s State) (State, []Effect) {
	if _, ok := s.finish(m.Task); !ok {
		return s, nil
	}
	if m.Problem != nil {
		s.complain(TaskNote, m.Problem)
		return s, nil
	}
	if m.Gone > 0 {
		s.Notes.Own = without(s.Notes.Own, m.Gone)
		notes := slices.DeleteFunc(slices.Clone(s.Session.Notes), func(n Note) bool { return n.N == m.Gone })
		s.setNotes(notes)
		s.Notice = &Notice{Tone: ToneGood, Text: fmt.Sprintf("Note %d was taken back.", m.Gone), Source: TaskNote}
		return s, nil
	}
	s.Notes.Own = append(slices.Clip(s.Notes.Own), m.Note.N)
	if !slices.ContainsFunc(s.Session.Notes, func(n Note) bool { return n.N == m.Note.N }) { // else the follower saw it first
		s.setNotes(append(slices.Clip(s.Session.Notes), m.Note))
	}
	about := fmt.Sprintf("turn %d", m.Note.Turn)
	if m.Note.Ref > 0 {
		about = fmt.Sprintf("%d in turn %d", m.Note.Ref, m.Note.Turn)
	}
	text := "Noted about " + about + "."
	if v := VerdictSign(m.Note.Verdict); v.Text != "" {
		text = "Noted about " + about + ": " + v.Text + "."
	}
	s.Notice = &Notice{Tone: ToneGood, Text: text, Command: CmdNoteUndo, Source: TaskNote}
	return s, nil
}

func noteCommands(State) []Command {
	const m = "Turn"
	shown := func(s State) bool { return s.Shown != nil }
	verdict := func(id, title, word string) Command {
		return Command{ID: id, Title: title, Menu: m, Enabled: shown, Msg: send(VerdictChosen{word}),
			Checked: func(s State) bool {
				return s.Shown != nil && word != "" && s.Session.Remarks[s.Shown.N].Verdict == word
			}}
	}
	return []Command{
		{ID: CmdNote, Title: "Note about this turn…", Menu: m, Key: "M", Gap: true, Enabled: shown, Msg: send(NoteAsked{})},
		{ID: CmdVerdict, Title: "Choose the verdict…", Menu: m, Key: "V", Enabled: shown, Msg: send(Wanted{DropVerdicts{}})},
		verdict("verdict.good", "Verdict: good", VerdictGood),
		verdict("verdict.bad", "Verdict: bad", VerdictBad),
		verdict("verdict.question", "Verdict: a question", VerdictQuestion),
		verdict("verdict.none", "Take the verdict back", ""),
		{ID: CmdNoteUndo, Title: "Take my last note back", Menu: m, Enabled: func(s State) bool { return len(s.Notes.Own) > 0 }, Msg: send(NoteUndone{})},
	}
}

// notesRoom is what people say about turns.
func notesRoom() Room {
	return Room{Name: "notes", Commands: noteCommands, Left: func(s State) (State, []Effect) {
		s.Notes = NotesPane{}
		return s, nil
	}}
}

const CmdNote = "note.add"

const CmdVerdict = "note.verdict"

const CmdNoteUndo = "note.undo"
