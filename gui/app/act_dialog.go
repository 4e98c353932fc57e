package app

import (
	"slices"

	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/attach"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/device"
	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/gui/steps"
	"github.com/refscope/refscope/snapshot/text"
)

// actDialog asks for what a field is given, or which option is chosen. What is typed goes
// to the step and nowhere else.
type actDialog struct {
	*form
	entry *parts.Entry // nil for a list box
	enter *parts.Check
}

// newActDialog makes the dialog of [core.DialogAct].
func newActDialog(s *Shell, st core.State) dialogBox {
	ask := steps.Of(st).Act.Ask
	leave := func() { s.store.Dispatch(core.Escaped{}) }
	d := &actDialog{}
	if ask.Options != nil {
		list := parts.NewSelect(ask.Options, func(string) {}, leave)
		list.PlaceHolder = "Choose one"
		if slices.Contains(ask.Options, ask.Holds) {
			list.SetSelected(ask.Holds)
		}
		do := func() {
			if list.Selected != "" {
				s.store.Dispatch(steps.ActConfirmed{Text: list.Selected})
			}
		}
		d.form = newForm(s, ask.Label, "Choose", 460, do, leave, list)
		d.form.focus, list.Enter = list, do
		d.form.say("The arrow keys choose, Space opens the list, Enter selects the option in the page.", false)
		return d
	}
	do := func() { s.store.Dispatch(steps.ActConfirmed{Text: d.entry.Text, Enter: d.enter.Checked}) }
	what := "Value"
	if ask.Holds != "" {
		what = text.Cut(text.Line(ask.Holds), 60)
	}
	d.entry = parts.NewEntry(what, ask.Masked, func(string) { do() }, leave)
	d.enter = parts.NewCheck("Press Enter afterwards", func(bool) {}, leave)
	d.form = newForm(s, ask.Label, "Fill", 460, do, leave, d.entry, d.enter)
	d.form.focus = d.entry
	note := "Enter fills the field in the page; an empty text clears it."
	if ask.Shape != "" {
		note = "Written as " + ask.Shape + ". " + note
	}
	if ask.Masked {
		note += " What you type is not saved, neither in the turn nor in the history."
	}
	d.form.say(note, false)
	return d
}

func (d *actDialog) set(core.State) {}

// deviceDialog asks for a window by numbers.
type deviceDialog struct{ *form }

// newDeviceDialog makes the dialog of [core.DialogDevice].
func newDeviceDialog(s *Shell, st core.State) dialogBox {
	leave := func() { s.store.Dispatch(core.Escaped{}) }
	var width, height, scale *parts.Entry
	mobile := parts.NewCheck("Phone: touch, and the page's own viewport", func(bool) {}, leave)
	do := func() {
		s.store.Dispatch(device.Typed{Width: width.Text, Height: height.Text, Scale: scale.Text, Mobile: mobile.Checked})
	}
	submit := func(string) { do() }
	width, height, scale = parts.NewEntry("1280", false, submit, leave), parts.NewEntry("720", false, submit, leave), parts.NewEntry("1", false, submit, leave)
	fields := widget.NewForm(widget.NewFormItem("Width, CSS px", width), widget.NewFormItem("Height, CSS px", height), widget.NewFormItem("Image px per CSS px", scale), widget.NewFormItem("", mobile))
	d := &deviceDialog{newForm(s, "Custom size", "Set", 480, do, leave, fields)}
	d.form.focus = width
	return d
}

func (d *deviceDialog) set(st core.State) {
	d.say(st.Device.Problem, st.Device.Problem != "")
}

// attachDialog asks for a running Chrome.
type attachDialog struct {
	*form
	entry *parts.Entry
}

// newAttachDialog makes the dialog of [core.DialogAttach].
func newAttachDialog(s *Shell, st core.State) dialogBox {
	leave := func() { s.store.Dispatch(core.Escaped{}) }
	d := &attachDialog{}
	do := func() { s.store.Dispatch(attach.Confirmed{Where: d.entry.Text}) }
	d.entry = parts.NewEntry("127.0.0.1:9222, or ws://…", false, func(string) { do() }, leave)
	d.entry.Text = attach.Of(st).Where
	d.form = newForm(s, "Attach to a running Chrome", "Attach", 560, do, leave, d.entry)
	d.form.focus = d.entry
	return d
}

func (d *attachDialog) set(st core.State) {
	if st.Busy() != nil && st.Busy().Kind == core.TaskLaunch {
		d.say(st.Busy().Sentence+"…", false)
		return
	}
	if p := attach.Of(st).Problem; p != "" {
		d.say(p, true)
		return
	}
	d.say("Start that Chrome with --remote-debugging-port=9222 and a --user-data-dir of its own. Its tabs stay as they are; the Chrome of this window closes.", false)
}
