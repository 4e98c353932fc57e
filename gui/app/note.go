package app

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/details"
	"github.com/refscope/refscope/gui/notes"
	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/gui/turn"
)

// noting is the dialog for a note about a turn or an element of it.
type noting struct {
	send    func(core.Msg)
	draft   notes.Draft
	entry   *noteEntry
	verdict *widget.RadioGroup
	about   *widget.Check
	save    *widget.Button
	box     *widget.PopUp
}

// noteEntry is the text: Shift+Enter writes the note, Enter begins a line.
type noteEntry struct {
	widget.Entry
	escape func()
}

// TypedKey implements fyne.Focusable.
func (e *noteEntry) TypedKey(k *fyne.KeyEvent) {
	if k.Name == fyne.KeyEscape {
		e.escape()
		return
	}
	e.Entry.TypedKey(k)
}

// verdictWords are the verdicts as the dialog and the menu name them.
var verdictWords = []struct{ verdict, word string }{
	{"", "No verdict"},
	{notes.VerdictGood, "Good"},
	{notes.VerdictBad, "Bad"},
	{notes.VerdictQuestion, "Question"},
}

// newNoting makes the dialog of [core.DialogNote].
func newNoting(s *Shell, st core.State) dialogBox {
	n := &noting{send: s.store.Dispatch, draft: notes.Of(st).Draft}
	leave := func() { s.store.Dispatch(core.Escaped{}) }
	n.entry = &noteEntry{escape: leave}
	n.entry.ExtendBaseWidget(n.entry)
	n.entry.MultiLine, n.entry.Wrapping = true, fyne.TextWrapWord
	n.entry.SetMinRowsVisible(4)
	n.entry.PlaceHolder = "What should others know about it?"
	n.entry.OnChanged = func(text string) { n.change(func(d *notes.Draft) { d.Text = text }) }
	n.entry.OnSubmitted = func(string) { n.send(notes.Confirmed{}) }
	var words []string
	for _, v := range verdictWords {
		words = append(words, v.word)
	}
	n.verdict = widget.NewRadioGroup(words, nil)
	n.verdict.Horizontal, n.verdict.Required = true, true
	n.verdict.SetSelected(words[0])
	n.verdict.OnChanged = func(word string) {
		for _, v := range verdictWords {
			if v.word == word {
				n.change(func(d *notes.Draft) { d.Verdict = v.verdict })
			}
		}
	}
	title := widget.NewLabelWithStyle(fmt.Sprintf("Note about turn %d", n.draft.Turn), fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
	hint := widget.NewLabel("Enter starts a new line, Shift+Enter saves, Esc cancels. Notes are saved with the session; turns do not change.")
	hint.Importance, hint.Wrapping = widget.LowImportance, fyne.TextWrapWord
	n.save = widget.NewButton("Save note", func() { n.send(notes.Confirmed{}) })
	n.save.Importance = widget.HighImportance
	n.save.Disable()
	body := container.NewVBox(title, n.verdict, n.entry)
	if n.draft.Ref > 0 {
		n.about = widget.NewCheck("About "+details.Label(st, n.draft.Ref), func(on bool) { n.change(func(d *notes.Draft) { d.About = on }) })
		body.Add(n.about)
	}
	body.Add(hint)
	buttons := container.NewBorder(nil, nil, nil, container.NewHBox(widget.NewButton("Close", leave), n.save))
	body.Add(buttons)
	n.box = widget.NewModalPopUp(parts.Padded(8, 10, 14, 14, body), s.win.Canvas())
	n.box.Resize(fyne.NewSize(min(560, s.win.Canvas().Size().Width*0.9), n.box.MinSize().Height))
	return n
}

// change changes the draft, here and in the state.
func (n *noting) change(f func(*notes.Draft)) {
	f(&n.draft)
	n.send(notes.Changed{Draft: n.draft})
}

func (n *noting) pop() *widget.PopUp    { return n.box }
func (n *noting) first() fyne.Focusable { return n.entry }

// set lets the note be written where there is something to write.
func (n *noting) set(st core.State) {
	if notes.Of(st).Draft.Says() {
		n.save.Enable()
	} else {
		n.save.Disable()
	}
}

// showVerdicts drops the menu of verdicts down, at the Turn side's button where that is
// in view and else at the list of turns.
func (s *Shell) showVerdicts() {
	st := s.store.State()
	if st.Shown == nil {
		return
	}
	now := st.Session.Remarks[st.Shown.N].Verdict
	menu := fyne.NewMenu("")
	for _, v := range append(verdictWords[1:len(verdictWords):len(verdictWords)], struct{ verdict, word string }{"", "Remove verdict"}) {
		item := fyne.NewMenuItem(v.word, func() { s.store.Dispatch(notes.VerdictChosen{Verdict: v.verdict}) })
		item.Checked = v.verdict != "" && v.verdict == now
		menu.Items = append(menu.Items, item)
	}
	if st.Side == turn.Side {
		s.dropDown(menu, s.verdictAt)
		return
	}
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(s.panes.shot)
	widget.ShowPopUpMenuAtPosition(menu, s.win.Canvas(), at.AddXY(8, 8))
}
