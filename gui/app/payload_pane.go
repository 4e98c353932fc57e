package app

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/export"
	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/gui/payload"
	"github.com/refscope/refscope/gui/text"
	"github.com/refscope/refscope/gui/theme"
	"github.com/refscope/refscope/overlay/vision"
	"github.com/refscope/refscope/snapshot/dump"
)

// modelNames are the vision models whose rules are known.
func modelNames() []string {
	var names []string
	for _, m := range vision.Models() {
		names = append(names, m.Name)
	}
	return names
}

// payloadPane shows what a model receives: the choice, the sections, the bytes.
type payloadPane struct {
	vm                   payload.VM
	dialect, mode, model *parts.Chip
	pretty, copy, save   *parts.Chip
	facts, sum           *parts.Facts
	note                 *parts.Facts // about the chosen section
	mark                 *parts.Facts // what the text is
	sections             *sections
	body                 *text.View
	choices              *fyne.Container
	box                  *fyne.Container
}

// newPayloadPane makes the pane; on are the callbacks that every text has.
func newPayloadPane(s *Shell, on text.Callbacks) *payloadPane {
	p := &payloadPane{facts: parts.NewFacts(false, 14), sum: parts.NewFacts(false, 10), note: parts.NewFacts(false, 10), mark: parts.NewFacts(false, 10)}
	button := func(text, id string) *parts.Chip { return parts.NewChip(parts.Button, text, func() { s.run(id) }) }
	p.dialect, p.mode, p.model = button("", payload.CmdDialects), button("", payload.CmdModes), button("", payload.CmdModels)
	p.pretty = parts.NewChip(parts.Toggle, "Format JSON", func() { s.run(payload.CmdPretty) })
	p.copy, p.save = button("Copy", payload.CmdPayloadCopy), button("Save…", export.CmdPayloadSave)
	p.sections = newSections(func(i int) { s.store.Dispatch(payload.SectionPicked{Section: i}) })
	on.Select = func(_ int, l dump.Line) { s.store.Dispatch(payload.SectionPicked{Section: l.Ref}) }
	on.Hover = nil
	p.body = text.New(on)
	sum := parts.NewTapped(p.sum, func() { s.store.Dispatch(core.TextCopied{Text: p.vm.SHA256}) })

	p.choices = container.New(&parts.Flow{Gap: 6}, p.dialect, p.mode, p.model)
	head := container.NewVBox(parts.Padded(6, 2, 10, 10, p.choices), parts.Padded(2, 0, 12, 12, p.facts), parts.Padded(0, 4, 12, 12, sum))
	tools := parts.Padded(4, 4, 12, 8, container.NewBorder(nil, nil, nil, container.NewHBox(container.New(parts.Slim{}, p.pretty), container.New(parts.Slim{}, p.copy), container.New(parts.Slim{}, p.save)), p.mark))
	table := container.NewBorder(nil, parts.Padded(2, 3, 12, 12, p.note), nil, nil, container.NewVScroll(p.sections))
	split := container.NewVSplit(table, container.NewBorder(tools, nil, nil, nil, p.body))
	split.Offset = 0.34
	p.box = container.NewBorder(head, nil, nil, nil, split)
	return p
}

func (p *payloadPane) object() fyne.CanvasObject { return p.box }

func (p *payloadPane) set(st core.State) {
	vm := payload.ViewOf(st)
	if vm.Equal(p.vm) {
		return
	}
	p.vm = vm
	p.dialect.Set(vm.Dialect+" ▾", false, true)
	p.mode.Set(vm.Mode+" ▾", false, vm.CanMode)
	p.model.Set(vm.Model+" ▾", false, vm.CanModel)
	parts.Show(p.mode, vm.CanMode)
	parts.Show(p.model, vm.CanModel)
	p.choices.Refresh()
	p.pretty.Turn(vm.Pretty, vm.CanPrint)
	p.copy.Set("Copy", false, vm.CanSave)
	p.save.Set("Save…", false, vm.CanSave)
	p.facts.Set(vm.Facts)
	var sum []core.StatusItem
	if vm.SHA256 != "" {
		sum = []core.StatusItem{{Text: "SHA-256 " + vm.SHA256[:min(16, len(vm.SHA256))] + "…", Tone: core.ToneMuted}, {Text: "click copies all of it", Tone: core.ToneMuted}}
	}
	p.sum.Set(sum)
	p.mark.Set(vm.Mark)
	p.note.Set(vm.Chosen)
	p.sections.set(vm.Rows)
	p.body.Set(vm.Body)
}

// showPayloadMenu drops a choice of the payload pane down from its button.
func (s *Shell) showPayloadMenu(which payload.Menu) {
	st := s.store.State()
	now, menu, under := payload.Of(st).Choice, fyne.NewMenu(""), s.panes.sides.payload().dialect
	add := func(title string, c core.PayloadChoice) {
		item := fyne.NewMenuItem(title, func() { s.store.Dispatch(payload.Chosen{Choice: c}) })
		item.Checked = c == now
		menu.Items = append(menu.Items, item)
	}
	switch which {
	case payload.MenuMode:
		under = s.panes.sides.payload().mode
		for i, m := range payload.Modes() {
			c := now
			if c.Mode = m; i == 0 {
				c.Mode = "" // the default has one spelling
			}
			add(m, c)
		}
	case payload.MenuModel:
		under = s.panes.sides.payload().model
		for _, m := range append([]string{""}, st.Models...) {
			c := now
			c.Model = m
			if m == "" {
				m = "no model"
			}
			add(m, c)
		}
	default:
		for _, c := range payload.Choices(st) {
			add(payload.Title(st, c), c)
		}
	}
	s.dropDown(menu, under)
}

// sectionHigh is the height of a line of the table in Fyne units.
const sectionHigh = 20

// sections is the table of a payload's sections: name, share of the bytes, figures,
// and how the tokens were counted. A click chooses one.
type sections struct {
	widget.BaseWidget
	rows    []payload.Row
	chosen  func(int)
	hovered int // -1 for none
}

// AccessibilityLabel implements fyne.Accessible.
func (s *sections) AccessibilityLabel() string { return "Parts of the payload" }

// AccessibilityRole implements fyne.Accessible.
func (s *sections) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleText }

var (
	_ fyne.Tappable     = (*sections)(nil)
	_ desktop.Hoverable = (*sections)(nil)
)

func newSections(chosen func(section int)) *sections {
	t := &sections{chosen: chosen, hovered: -1}
	t.ExtendBaseWidget(t)
	return t
}

func (t *sections) set(rows []payload.Row) {
	t.rows = rows
	t.Refresh()
}

// at is the row at a height, -1 for none: the head is none.
func (t *sections) at(y float32) int {
	if i := int(y/sectionHigh) - 1; y >= sectionHigh && i < len(t.rows) {
		return i
	}
	return -1
}

// Tapped implements fyne.Tappable.
func (t *sections) Tapped(e *fyne.PointEvent) {
	if i := t.at(e.Position.Y); i >= 0 {
		t.chosen(i + 1)
	}
}

// MouseIn implements desktop.Hoverable.
func (t *sections) MouseIn(e *desktop.MouseEvent) { t.MouseMoved(e) }

// MouseMoved implements desktop.Hoverable.
func (t *sections) MouseMoved(e *desktop.MouseEvent) {
	if i := t.at(e.Position.Y); i != t.hovered {
		t.hovered = i
		t.Refresh()
	}
}

// MouseOut implements desktop.Hoverable.
func (t *sections) MouseOut() { t.hovered = -1; t.Refresh() }

// CreateRenderer is Fyne's.
func (t *sections) CreateRenderer() fyne.WidgetRenderer {
	r := &sectionsRenderer{t: t}
	r.build()
	return r
}

type sectionsRenderer struct {
	t       *sections
	objects []fyne.CanvasObject
}

func (r *sectionsRenderer) MinSize() fyne.Size {
	return fyne.NewSize(120, float32(len(r.t.rows)+1)*sectionHigh)
}
func (r *sectionsRenderer) Layout(fyne.Size)             { r.build() }
func (r *sectionsRenderer) Objects() []fyne.CanvasObject { return r.objects }
func (r *sectionsRenderer) Destroy()                     {}
func (r *sectionsRenderer) Refresh() {
	r.build()
	canvas.Refresh(r.t)
}

// build makes the objects of all rows; there are a few dozen at most.
func (r *sectionsRenderer) build() {
	t, th := r.t, r.t.Theme()
	width := t.Size().Width
	rgba := func(n fyne.ThemeColorName) color.RGBA { return theme.RGBA(th, n) }
	size := th.Size(fynetheme.SizeNameCaptionText) + 1
	// Right edges of the figures; the name takes what is left of them, the way of
	// counting what is right of them.
	bytes, chars, tokens := width*0.42, width*0.55, width*0.67
	r.objects = r.objects[:0]
	text := func(s string, x, y float32, right bool, c color.RGBA, bold bool) {
		o := canvas.NewText(s, c)
		o.TextSize, o.TextStyle.Bold = size, bold
		w := o.MinSize().Width
		if right {
			x -= w
		}
		for !right && x+w > width-4 && len(s) > 1 { // the way of counting gives way
			s = s[:len(s)*3/4]
			for len(s) > 0 && s[len(s)-1] >= 0x80 {
				s = s[:len(s)-1]
			}
			o.Text = s + "…"
			w = o.MinSize().Width
		}
		o.Move(fyne.NewPos(x, y+(sectionHigh-o.MinSize().Height)/2))
		o.Resize(o.MinSize())
		r.objects = append(r.objects, o)
	}
	line := func(y float32, row payload.Row, c, muted color.RGBA, bold bool) {
		text(row.Name, 12, y, false, c, bold)
		text(row.Bytes, bytes, y, true, c, bold)
		text(row.Chars, chars, y, true, c, bold)
		text(row.Tokens, tokens, y, true, c, bold)
		text(row.How, tokens+14, y, false, muted, false)
	}
	muted := rgba(theme.ColorMuted)
	if len(t.rows) > 0 {
		line(0, payload.Row{Name: "section", Bytes: "bytes", Chars: "chars", Tokens: "tokens", How: "how counted"}, muted, muted, false)
	}
	for i, row := range t.rows {
		y := float32(i+1) * sectionHigh
		ground := canvas.NewRectangle(color.Transparent)
		switch {
		case row.Selected:
			ground.FillColor = rgba(theme.ColorRowSelected)
		case i == t.hovered:
			ground.FillColor = rgba(theme.ColorRowHover)
		}
		ground.Move(fyne.NewPos(0, y))
		ground.Resize(fyne.NewSize(width, sectionHigh))
		bar := canvas.NewRectangle(rgba(theme.ColorAccent))
		bar.Move(fyne.NewPos(12, y+sectionHigh-3))
		bar.Resize(fyne.NewSize(max(1, float32(row.Share)*(width-24)), 2))
		r.objects = append(r.objects, ground, bar)
		line(y, row, rgba(theme.ColorText), muted, false)
	}
}
