package payload

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/gui/text"
	"github.com/refscope/refscope/snapshot/dump"
)

// View shows what a model receives: the choice, the sections, the bytes.
type View struct {
	w                    *parts.Window
	vm                   VM
	dialect, mode, model *parts.Chip
	pretty, copy, save   *parts.Chip
	text                 *parts.Chip
	facts, sum           *parts.Facts
	note                 *parts.Facts // about the chosen section
	mark                 *parts.Facts // what the text is
	sections             *parts.List
	body                 *text.View
	choices              *fyne.Container
	box                  *fyne.Container
}

// New makes the side.
func New(w *parts.Window) *View {
	p := &View{w: w, facts: parts.NewFacts(false, 14), sum: parts.NewFacts(false, 10), note: parts.NewFacts(false, 10),
		mark: parts.NewFacts(false, 10)}
	p.dialect, p.mode = w.Chip(parts.Button, "", CmdDialects), w.Chip(parts.Button, "", cmdModes)
	p.model, p.pretty = w.Chip(parts.Button, "", CmdModels), w.Chip(parts.Toggle, "Format JSON", CmdPretty)
	p.text = w.Chip(parts.Toggle, "Page text", CmdText)
	p.copy, p.save = w.Chip(parts.Button, "Copy", CmdPayloadCopy), w.Chip(parts.Button, "Save…", CmdPayloadSave)
	p.sections = parts.NewList(w.List())
	on := text.WindowCallbacks(w)
	inPage, over := on.Select, on.Hover
	on.Select = func(line int, l dump.Line) {
		if p.vm.Text { // its lines are about elements
			inPage(line, l)
			return
		}
		w.Send(SectionPicked(l.Ref))
	}
	on.Hover = func(ref int) {
		if p.vm.Text {
			over(ref)
		}
	}
	p.body = text.New(on)
	sum := parts.NewTapped(p.sum, func() { w.Send(core.TextCopied{Text: p.vm.SHA256}) })

	p.choices = container.New(&parts.Flow{Gap: 6}, p.dialect, p.mode, p.model)
	head := container.NewVBox(parts.Padded(6, 2, 10, 10, p.choices), parts.Padded(2, 0, 12, 12, p.facts),
		parts.Padded(0, 4, 12, 12, sum))
	tools := parts.Padded(4, 4, 12, 8, parts.Border(nil, nil, nil,
		container.NewHBox(container.New(parts.Slim{}, p.text), container.New(parts.Slim{}, p.pretty),
			container.New(parts.Slim{}, p.copy),
			container.New(parts.Slim{}, p.save)), p.mark))
	table := parts.Border(nil, parts.Padded(2, 3, 12, 12, p.note), nil, nil, p.sections)
	split := container.NewVSplit(table, parts.Border(tools, nil, nil, nil, p.body))
	split.Offset = 0.34
	p.box = parts.Border(head, nil, nil, nil, split)
	return p
}

// Object returns the object to lay out, Focus the one that gets the keyboard.
func (p *View) Object() fyne.CanvasObject { return p.box }
func (p *View) Focus() fyne.Focusable     { return p.body }

// Show shows the state.
func (p *View) Show(s core.State) {
	vm := ViewOf(s)
	if vm.Equal(p.vm) {
		return
	}
	p.vm = vm
	p.dialect.Set(vm.Dialect+" ▾", false, true)
	p.mode.Set(vm.Mode+" ▾", false, vm.CanMode)
	p.model.Set(vm.Model+" ▾", false, vm.CanModel)
	parts.Show(p.mode, vm.CanMode)
	parts.Show(p.model, vm.CanModel)
	p.box.Refresh() // the row may have another height
	p.pretty.Turn(vm.Pretty, vm.CanPrint)
	p.text.Turn(vm.Text, vm.CanText)
	parts.Show(p.text, vm.CanText)
	p.copy.Set("Copy", false, vm.CanSave)
	p.save.Set("Save…", false, vm.CanSave)
	p.facts.Set(vm.Facts)
	var sum []core.StatusItem
	if vm.SHA256 != "" {
		sum = []core.StatusItem{{Text: "SHA-256 " + vm.SHA256[:min(16, len(vm.SHA256))] + "…", Tone: core.ToneMuted},
			{Text: "click to copy all of it", Tone: core.ToneMuted}}
	}
	p.sum.Set(sum)
	p.mark.Set(vm.Mark)
	p.note.Set(vm.Chosen)
	p.sections.Set(core.ListVM{Rows: sectionRows(vm.Rows, vm.about)})
	p.body.Set(vm.Body)
}

// Do drops a choice down from its button.
func (p *View) Do(e core.Effect) bool {
	d, ok := e.(dropDown)
	if ok {
		p.dropDown(d.Menu)
	}
	return ok
}

func (p *View) dropDown(which menu) {
	s := p.w.State()
	now, menu, under := Of(s).Choice, fyne.NewMenu(""), p.dialect
	add := func(title string, c core.PayloadChoice) {
		menu.Items = append(menu.Items, p.w.MenuItem(title, c == now, Chosen(c)))
	}
	switch which {
	case menuMode:
		under = p.mode
		for i, m := range modes() {
			c := now
			if c.Mode = m; i == 0 {
				c.Mode = "" // the default has one spelling
			}
			add(m, c)
		}
	case menuModel:
		under = p.model
		for _, m := range append([]string{""}, s.Models...) {
			c := now
			c.Model = m
			if m == "" {
				m = "no model"
			}
			add(m, c)
		}
	default:
		for _, c := range choices(s) {
			add(title(s, c), c)
		}
	}
	p.w.DropDown(menu, under)
}

// sectionRows is the table of a payload's sections: figures, and a bar for the share of the
// bytes. Choosing one shows its lines. about names the last column.
func sectionRows(sections []Row, about string) *core.Rows {
	if len(sections) == 0 {
		return nil
	}
	rows := []core.Row{{Kind: core.RowColumns, Title: "Section", Cells: []string{"Bytes", "Characters", "Tokens",
		about}}}
	for i, s := range sections {
		how, _, _ := strings.Cut(s.How, ":") // the whole is below where the section is chosen
		rows = append(rows, core.Row{
			Title: s.Name, Cells: []string{s.Bytes, s.Chars, s.Tokens, how}, Share: s.Share,
			Pick: SectionPicked(i + 1), On: s.Selected,
		})
	}
	return core.NewRows(rows)
}
