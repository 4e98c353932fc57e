package steps

import (
	"slices"

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
	if ask.Options != nil {
		list := parts.NewSelect(ask.Options, func(string) {}, w.Leave)
		list.PlaceHolder = "Choose one"
		if slices.Contains(ask.Options, ask.Holds) {
			list.SetSelected(ask.Holds)
		}
		do := func() {
			if list.Selected != "" {
				w.Send(ActConfirmed{Text: list.Selected})
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
	do := func() { w.Send(ActConfirmed{Text: entry.Text, Enter: enter.Checked}) }
	entry = parts.NewEntry(what, ask.Masked, func(string) { do() }, w.Leave)
	f := parts.NewForm(w, ask.Label, "Fill", 460, do, entry, entry, enter)
	note := "Enter fills the field in the page; an empty text clears it."
	if ask.Shape != "" {
		note = "Written as " + ask.Shape + ". " + note
	}
	if ask.Masked {
		note += " What you type is not saved, neither in the turn nor in the history."
	}
	f.Say(note, false)
	return AskView{f}
}

// Show shows nothing more: the question stays as it was asked.
func (AskView) Show(core.State) {}
