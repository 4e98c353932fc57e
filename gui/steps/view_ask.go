package steps

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/snapshot/text"
)

// AskView asks for what a field is given, or which option is chosen. What is typed goes
// to the step and nowhere else.
type AskView struct{ *parts.Form }

// NewAsk makes the dialog.
func NewAsk(w *parts.Window) AskView {
	ask := Of(w.State()).Act.Ask
	if ask.Several {
		return askSeveral(w, ask)
	}
	if ask.Options != nil {
		list := parts.NewSelect(ask.Options, func(string) {}, w.Leave)
		list.PlaceHolder = "Choose one"
		if slices.Contains(ask.Options, ask.Holds) {
			list.SetSelected(ask.Holds)
		}
		do := func() {
			if list.Selected != "" {
				w.Send(actConfirmed{Text: list.Selected})
			}
		}
		list.Enter = do
		f := parts.NewForm(w, ask.Label, "Choose", 460, do, list, list)
		f.Say("The arrow keys choose, Space opens the list, Enter selects the option in the page.", false)
		return AskView{f}
	}
	what := "Value"
	if ask.Holds != "" {
		what = text.Cut(text.Line(ask.Holds), 60)
	}
	enter := parts.NewCheck("Press Enter afterwards", func(bool) {}, w.Leave)
	var entry *parts.Entry
	do := func() { w.Send(actConfirmed{Text: entry.Text, Enter: enter.Checked}) }
	entry = parts.NewEntry(what, ask.Masked, func(string) { do() }, w.Leave)
	note := "The Enter key fills the field in the page; an empty text clears it."
	if ask.Lines {
		entry.MultiLine, entry.Wrapping, entry.Done = true, fyne.TextWrapWord, do
		entry.SetMinRowsVisible(4)
		note = "Enter starts a new line, Ctrl+Enter fills the field in the page; an empty text clears it."
	}
	f := parts.NewForm(w, ask.Label, "Fill", 460, do, entry, entry, enter)
	if ask.Shape != "" {
		note = "Enter " + ask.Shape + ". " + note
	}
	if ask.Masked {
		note += " What you type is not saved, neither in the turn nor in the history."
	}
	f.Say(note, false)
	return AskView{f}
}

// NewPageDialog shows a dialog of the page. Leaving it is its Cancel.
func NewPageDialog(w *parts.Window) AskView {
	d := Of(w.State()).Act.Page
	if d == nil {
		d = &PageDialog{}
	}
	message := widget.NewLabel(d.said())
	message.Wrapping = fyne.TextWrapWord
	fields := []fyne.CanvasObject{message}
	var entry *parts.Entry
	var first fyne.Focusable
	do := func() {
		m := pageAnswered{Accept: true}
		if entry != nil {
			m.Text = entry.Text
		}
		w.Send(m)
	}
	if d.Type == "prompt" {
		entry = parts.NewEntry("Answer", false, func(string) { do() }, w.Leave)
		entry.SetText(text.Line(d.Prompt))
		entry.TypedShortcut(&fyne.ShortcutSelectAll{}) // as browsers do: what is typed replaces it
		fields, first = append(fields, entry), entry
	}
	f := parts.NewForm(w, d.Title(), "OK", 460, do, first, fields...)
	if d.Type == "alert" {
		f.Say("The page waits until this is closed.", false)
	} else {
		f.LeaveBy("Cancel")
		f.Say("The page waits for the answer. Esc means Cancel.", false)
	}
	return AskView{f}
}

// maxOptionsHigh is how many options are in view at once; the others are scrolled to.
const maxOptionsHigh = 8

// askSeveral asks for any number of options.
func askSeveral(w *parts.Window, ask ActAsk) AskView {
	var checks []*parts.Check
	do := func() {
		var m actConfirmed
		for _, c := range checks {
			if c.Checked {
				m.Options = append(m.Options, c.Text)
			}
		}
		w.Send(m)
	}
	rows := container.NewVBox()
	for _, o := range ask.Options {
		c := parts.NewCheck(o, func(bool) {}, w.Leave)
		c.Checked, c.Enter = slices.Contains(ask.Chosen, o), do
		checks = append(checks, c)
		rows.Add(c)
	}
	scroll := container.NewVScroll(rows)
	high := rows.MinSize().Height
	scroll.SetMinSize(fyne.NewSize(0, high*min(1, maxOptionsHigh/float32(len(checks)))))
	f := parts.NewForm(w, ask.Label, "Choose", 460, do, checks[0], scroll)
	f.Say("Tab moves, Space ticks, Enter selects the ticked options in the page and no others.", false)
	return AskView{f}
}

// Show shows nothing more: the question stays as it was asked.
func (AskView) Show(core.State) {}
