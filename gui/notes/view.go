package notes

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/details"
	"github.com/refscope/refscope/gui/parts"
)

// View is the dialog for a note about a turn or an element of it.
type View struct {
	send    func(core.Msg)
	draft   Draft
	entry   *parts.Entry  // Ctrl+Enter saves the note, Enter begins a line
	verdict []*parts.Chip // of verdictWords
	save    *parts.PushButton
	box     fyne.CanvasObject
}

// verdictWords are the verdicts as the dialog and the menu name them.
var verdictWords = []struct{ verdict, word string }{
	{"", "No verdict"},
	{VerdictGood, "Good"},
	{VerdictBad, "Bad"},
	{verdictQuestion, "Question"},
}

// New makes the dialog.
func New(w *parts.Window) *View {
	n := &View{send: w.Send, draft: Of(w.State()).Draft}
	n.entry = parts.NewEntry("Comment", false, nil, w.Leave) // Shift+Enter begins a line too
	n.entry.MultiLine, n.entry.Wrapping = true, fyne.TextWrapWord
	n.entry.SetMinRowsVisible(4)
	n.entry.Done = func() { n.send(Confirmed()) }
	n.entry.SetText(n.draft.Text)
	n.entry.CursorRow = strings.Count(n.draft.Text, "\n")
	n.entry.CursorColumn = utf8.RuneCountInString(n.draft.Text[strings.LastIndexByte(n.draft.Text, '\n')+1:])
	n.entry.OnChanged = func(text string) { n.change(func(d *Draft) { d.Text = text }) }
	verdicts := container.NewHBox()
	for i, v := range verdictWords {
		n.verdict = append(n.verdict, parts.NewChip(parts.Toggle, v.word, func() {
			n.change(func(d *Draft) { d.Verdict = v.verdict })
			n.showVerdict()
		}))
		verdicts.Add(n.verdict[i])
	}
	n.showVerdict()
	title := parts.Head(fmt.Sprintf("Note about turn %d", n.draft.Turn))
	hint := parts.Hint("Enter starts a new line, Ctrl+Enter saves. Esc closes and keeps what you wrote as a draft. " +
		"Notes are saved beside the turns, which do not change.")
	hint.Wrapping = fyne.TextWrapWord
	n.save = parts.NewPushButton("Save note", true, func() { n.send(Confirmed()) }, w.Leave)
	n.save.Disable()
	body := container.NewVBox(title, verdicts, n.entry)
	if n.draft.Ref > 0 {
		about := parts.NewCheck("About "+details.Label(w.State(), n.draft.Ref), func(on bool) {
			n.change(func(d *Draft) { d.About = on })
		}, w.Leave)
		about.Checked = n.draft.About
		body.Add(about)
	}
	body.Add(hint)
	body.Add(parts.Border(nil, nil, nil,
		container.NewHBox(parts.NewPushButton("Close", false, w.Leave, w.Leave), n.save)))
	n.box = body
	return n
}

// showVerdict lights the verdict of the draft.
func (n *View) showVerdict() {
	for i, v := range verdictWords {
		n.verdict[i].Turn(v.verdict == n.draft.Verdict, true)
	}
}

// change changes the draft, here and in the state.
func (n *View) change(f func(*Draft)) {
	f(&n.draft)
	n.send(Changed(n.draft))
}

// Object returns the object to lay out, Focus the one that gets the keyboard, Size how large it is.
func (n *View) Object() fyne.CanvasObject       { return n.box }
func (n *View) Focus() fyne.Focusable           { return n.entry }
func (n *View) Size(window fyne.Size) fyne.Size { return fyne.NewSize(min(560, window.Width*0.9), 0) }

// Show lets the note be written where there is something to write.
func (n *View) Show(s core.State) { parts.Enable(n.save, Of(s).Draft.Says()) }

// VerdictMenu is the menu of verdicts about the turn in view, without entries where none is.
func VerdictMenu(w *parts.Window) *fyne.Menu {
	menu, s := fyne.NewMenu(""), w.State()
	if s.Current == nil {
		return menu
	}
	now := s.Session.Remarks[s.Current.N].Verdict
	for _, v := range verdictWords[1:] {
		menu.Items = append(menu.Items, w.MenuItem(v.word, v.verdict == now, verdictChosen{Verdict: v.verdict}))
	}
	menu.Items = append(menu.Items, w.MenuItem("Remove verdict", false, verdictChosen{}))
	return menu
}
