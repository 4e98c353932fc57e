package profile

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/gui/text"
	"github.com/refscope/refscope/gui/theme"
)

// missing replaces the editor where there is no profile yet.
type missing struct {
	text *widget.RichText
	box  *fyne.Container
}

func newMissing(w *parts.Window) *missing {
	m := &missing{text: parts.NewEmpty()}
	newPage := w.Chip(parts.Button, "Make a profile", CmdProfileMake)
	newPage.Turn(true, true)
	fromSkill := w.Chip(parts.Button, "Import from ~/.cdp-skill/sites", CmdProfileImport)
	m.box = container.NewVBox(parts.Padded(48, 30, 24, 24, m.text),
		container.NewCenter(container.NewHBox(newPage, fromSkill)))
	return m
}

func (m *missing) set(vm VM) {
	parts.SayEmpty(m.text, vm.Missing+" A profile holds what agents should know of a site, and what to leave out, "+
		"withhold and wait for.")
}

// clash is the choice between two texts.
type clash struct {
	say  *widget.Label
	text *text.View
	both *parts.Chip
	box  *fyne.Container
}

func newClash(w *parts.Window) *clash {
	c := &clash{say: widget.NewLabel(""), text: text.New(text.WindowCallbacks(w))}
	c.say.Wrapping = fyne.TextWrapWord
	choose := func(title string, choice ConflictChoice) *parts.Chip {
		return parts.NewChip(parts.Button, title, func() { w.Send(Resolved(choice)) })
	}
	c.both = choose("Both, merged", KeepBoth)
	c.both.Turn(true, true)
	buttons := parts.Padded(0, 6, 10, 10, container.NewHBox(c.both, choose("Mine", KeepMine),
		choose("Theirs", TakeTheirs)))
	c.box = parts.Border(parts.Ground(theme.ColorNoteWarnGround, container.NewVBox(c.say, buttons)), nil, nil,
		nil, c.text)
	return c
}

func (c *clash) set(vm *Conflict) {
	how := "Merged, lines that both changed stand one below the other."
	if vm.Clean {
		how = "No line was changed by both: they merge cleanly."
	}
	c.say.SetText("Somebody else saved this profile meanwhile. Here – are their lines, + are yours. " + how +
		" Your choice comes into the editor; what a save replaces stays in the history.")
	c.text.Set(core.DumpVM{Version: 1, Doc: vm.Diff.Doc, Tones: vm.Diff.Tones})
}
