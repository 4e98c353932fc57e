package app

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/dumpview"
	"github.com/refscope/refscope/gui/findings"
	"github.com/refscope/refscope/gui/parts"
)

// auditPane is the side of findings: switches over the report.
type auditPane struct {
	text                              *textPane
	vm                                findings.BarVM
	errors, warnings, notes, personal *parts.Chip
	box                               fyne.CanvasObject
}

func newAuditPane(s *Shell, on dumpview.Callbacks) *auditPane {
	p := &auditPane{text: newTextPane(on, findings.Text)}
	chip := func(text, id string) *parts.Chip { return parts.NewChip(parts.Toggle, text, func() { s.run(id) }) }
	p.errors, p.warnings, p.notes = chip("Errors", findings.CmdErrors), chip("Warnings", findings.CmdWarnings), chip("Notes", findings.CmdNotes)
	p.personal = chip("Personal data", findings.CmdPersonal)
	row := container.New(&parts.Flow{Gap: 6}, p.errors, p.warnings, p.notes, p.personal)
	p.box = container.NewBorder(parts.Padded(6, 4, 10, 10, row), nil, nil, nil, p.text.object())
	return p
}

func (p *auditPane) object() fyne.CanvasObject { return p.box }

func (p *auditPane) set(st core.State) {
	if vm := findings.Bar(st); vm != p.vm {
		p.vm = vm
		p.errors.Set(vm.Errors, !vm.Hide.Errors, true)
		p.warnings.Set(vm.Warnings, !vm.Hide.Warnings, true)
		p.notes.Set(vm.Notes, !vm.Hide.Notes, true)
		p.personal.Turn(vm.Personal, true)
	}
	p.text.set(st)
}
