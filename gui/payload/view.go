package payload

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/gui/text"
	"github.com/refscope/refscope/gui/theme"
	"github.com/refscope/refscope/snapshot/dump"
)

// View shows what a model receives: the choice, the sections, the bytes.
type View struct {
	w                    *parts.Window
	vm                   VM
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

// New makes the side.
func New(w *parts.Window) *View {
	p := &View{w: w, facts: parts.NewFacts(false, 14), sum: parts.NewFacts(false, 10), note: parts.NewFacts(false, 10), mark: parts.NewFacts(false, 10)}
	p.dialect, p.mode = w.Chip(parts.Button, "", CmdDialects), w.Chip(parts.Button, "", CmdModes)
	p.model, p.pretty = w.Chip(parts.Button, "", CmdModels), w.Chip(parts.Toggle, "Pretty", CmdPretty)
	p.copy, p.save = w.Chip(parts.Button, "Copy", CmdPayloadCopy), w.Chip(parts.Button, "Save…", CmdPayloadSave)
	p.sections = newSections(func(i int) { w.Send(SectionPicked{Section: i}) })
	on := text.WindowCallbacks(w)
	on.Select = func(_ int, l dump.Line) { w.Send(SectionPicked{Section: l.Ref}) }
	on.Hover = nil
	p.body = text.New(on)
	sum := parts.NewTapped(p.sum, func() { w.Send(core.TextCopied{Text: p.vm.SHA256}) })

	p.choices = container.New(&parts.Flow{Gap: 6}, p.dialect, p.mode, p.model)
	head := container.NewVBox(parts.Padded(6, 2, 10, 10, p.choices), parts.Padded(2, 0, 12, 12, p.facts), parts.Padded(0, 4, 12, 12, sum))
	tools := parts.Padded(4, 4, 12, 8, container.NewBorder(nil, nil, nil, container.NewHBox(container.New(parts.Slim{}, p.pretty), container.New(parts.Slim{}, p.copy), container.New(parts.Slim{}, p.save)), p.mark))
	table := container.NewBorder(nil, parts.Padded(2, 3, 12, 12, p.note), nil, nil, container.NewVScroll(p.sections))
	split := container.NewVSplit(table, container.NewBorder(tools, nil, nil, nil, p.body))
	split.Offset = 0.34
	p.box = container.NewBorder(head, nil, nil, nil, split)
	return p
}

// Object is what to lay out, Focus what takes the keyboard.
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

// Do drops a choice down from its button.
func (p *View) Do(e core.Effect) bool {
	d, ok := e.(DropDown)
	if ok {
		p.dropDown(d.Menu)
	}
	return ok
}

func (p *View) dropDown(which Menu) {
	s := p.w.State()
	now, menu, under := Of(s).Choice, fyne.NewMenu(""), p.dialect
	add := func(title string, c core.PayloadChoice) {
		menu.Items = append(menu.Items, p.w.MenuItem(title, c == now, Chosen{Choice: c}))
	}
	switch which {
	case MenuMode:
		under = p.mode
		for i, m := range Modes() {
			c := now
			if c.Mode = m; i == 0 {
				c.Mode = "" // the default has one spelling
			}
			add(m, c)
		}
	case MenuModel:
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
		for _, c := range Choices(s) {
			add(Title(s, c), c)
		}
	}
	p.w.DropDown(menu, under)
}

// sectionHigh is the height of a line of the table in Fyne units.
const sectionHigh = 20

// sections is the table of a payload's sections: name, share of the bytes, figures,
// and how the tokens were counted. A click chooses one.
type sections struct {
	widget.BaseWidget
	rows    []Row
	chosen  func(int)
	hovered int // -1 for none
}

var (
	_ fyne.Tappable     = (*sections)(nil)
	_ desktop.Hoverable = (*sections)(nil)
)

func newSections(chosen func(section int)) *sections {
	t := &sections{chosen: chosen, hovered: -1}
	t.ExtendBaseWidget(t)
	return t
}

func (t *sections) set(rows []Row) {
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
	line := func(y float32, row Row, c, muted color.RGBA, bold bool) {
		text(row.Name, 12, y, false, c, bold)
		text(row.Bytes, bytes, y, true, c, bold)
		text(row.Chars, chars, y, true, c, bold)
		text(row.Tokens, tokens, y, true, c, bold)
		text(row.How, tokens+14, y, false, muted, false)
	}
	muted := rgba(theme.ColorMuted)
	if len(t.rows) > 0 {
		line(0, Row{Name: "section", Bytes: "bytes", Chars: "chars", Tokens: "tokens", How: "how counted"}, muted, muted, false)
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
