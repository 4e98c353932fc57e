package attach

import (
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
)

// View asks for a running Chrome.
type View struct{ *parts.Form }

// New makes the dialog.
func New(w *parts.Window) View {
	var entry *parts.Entry
	do := func() { w.Send(Confirmed(entry.Text)) }
	entry = parts.NewEntry("127.0.0.1:9222, or ws://…", false, func(string) { do() }, w.Leave)
	entry.Text = Of(w.State()).Where
	return View{parts.NewForm(w, "Attach to a running Chrome", "Attach", 560, do, entry, entry)}
}

// Show shows the state.
func (v View) Show(s core.State) {
	if t := s.Busy(); t != nil && t.Kind == core.TaskLaunch {
		v.Say(t.Sentence+"…", false)
		return
	}
	if p := Of(s).Problem; p != "" {
		v.Say(p, true)
		return
	}
	v.Say("Start that Chrome with --remote-debugging-port=9222 and a --user-data-dir of its own. "+
		"Its tabs stay as they are; the Chrome of this window closes.", false)
}
