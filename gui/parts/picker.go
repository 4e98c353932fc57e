package parts

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/core"
)

// PickRow is one row of a [Picker].
type PickRow struct {
	// Title is on the left, Facts on the right, the first of them first.
	Title string
	Facts []core.StatusItem
	// Key is its shortcut, drawn as caps behind the facts.
	Key  string
	Bold bool
	// Faint: it cannot be chosen now.
	Faint bool
}

// Picker is an entry that narrows the list below it. Arrows and page keys move in the
// list while the entry has the keyboard, Enter chooses, Esc leaves.
type Picker struct {
	// Entry has the keyboard.
	Entry *pickEntry
	// List is to be placed below it, Empty's place is the list's.
	List *fyne.Container

	rows   []PickRow
	cursor int // -1 for none
	list   *pickList
	empty  *widget.Label
	box    fyne.CanvasObject // where it is a dialog
	narrow func(typed string) []PickRow
}

// NewPicker makes one. narrow gives the rows for what is typed; choose is called with a
// row, or with -1 where none fits what is typed; leave is Esc.
func NewPicker(placeholder string, narrow func(typed string) []PickRow, choose func(row int, typed string),
	leave func()) *Picker {
	p := &Picker{cursor: -1, narrow: narrow, empty: widget.NewLabel("")}
	p.Entry = &pickEntry{Entry{Leave: leave}, p.move}
	p.Entry.ExtendBaseWidget(p.Entry)
	p.Entry.PlaceHolder = placeholder
	p.Entry.OnChanged = func(string) { p.Fill() }
	p.Entry.OnSubmitted = func(typed string) { choose(p.cursor, typed) }
	p.empty.Wrapping = fyne.TextWrapWord
	p.empty.Importance = widget.LowImportance
	p.list = &pickList{}
	p.list.Length, p.list.CreateItem, p.list.UpdateItem = func() int { return len(p.rows) }, newPickRow, p.fillRow
	p.list.HideSeparators = true
	p.list.ExtendBaseWidget(p.list)
	p.list.OnSelected = func(i widget.ListItemID) {
		p.list.UnselectAll()
		if i < len(p.rows) {
			choose(i, p.Entry.Text)
		}
	}
	p.List = container.NewStack(p.list, container.NewVBox(p.empty))
	return p
}

// Dialog lays the picker out with a title, a hint and buttons.
func (p *Picker) Dialog(title, hint string, buttons fyne.CanvasObject) fyne.CanvasObject {
	top := container.NewVBox(Head(title), p.Entry)
	words := Hint(hint)
	words.Wrapping = fyne.TextWrapWord // a dialog is no wider than its window
	p.box = Border(top, Border(nil, nil, nil, buttons, words), nil, nil, p.List)
	return p.box
}

// Object is the dialog to lay out, Focus what gets the keyboard, Size how large it is.
func (p *Picker) Object() fyne.CanvasObject       { return p.box }
func (p *Picker) Focus() fyne.Focusable           { return p.Entry }
func (p *Picker) Size(window fyne.Size) fyne.Size { return PickSize(window) }

// PickSize is how large a dialog with a picker is in a window.
func PickSize(window fyne.Size) fyne.Size {
	return fyne.NewSize(min(640, window.Width*0.8), min(520, window.Height*0.8))
}

// SetEmpty is the sentence in place of rows, while there are none.
func (p *Picker) SetEmpty(sentence string) {
	p.empty.SetText(sentence)
	p.point()
}

// Fill asks for the rows again and goes to the first.
func (p *Picker) Fill() {
	p.rows = p.narrow(p.Entry.Text)
	p.cursor = -1
	if len(p.rows) > 0 {
		p.cursor = 0
	}
	p.point()
}

// Refill asks for the rows again and stays at the one that the keyboard is at, where it is still there.
func (p *Picker) Refill() {
	was := ""
	if p.cursor > 0 && p.cursor < len(p.rows) {
		was = p.rows[p.cursor].Title
	}
	p.Fill()
	if i := slices.IndexFunc(p.rows, func(r PickRow) bool { return r.Title == was }); was != "" && i >= 0 {
		p.cursor = i
		p.point()
	}
}

// Rows are the rows in view.
func (p *Picker) Rows() []PickRow { return p.rows }

// Cursor is the row that Enter chooses, -1 for none.
func (p *Picker) Cursor() int { return p.cursor }

func (p *Picker) move(by int) {
	if len(p.rows) > 0 {
		p.cursor = min(max(p.cursor+by, 0), len(p.rows)-1)
		p.point()
	}
}

// point shows where the keyboard is, or the sentence in place of rows.
func (p *Picker) point() {
	Show(p.empty, p.empty.Text != "" && len(p.rows) == 0)
	if p.cursor >= 0 && p.list.Size().Height > 0 { // without room a list scrolls past the row
		p.list.ScrollTo(p.cursor)
	}
	p.list.Refresh()
}

// pickFacts is how many facts a row has at most.
const pickFacts = 3

func newPickRow() fyne.CanvasObject {
	title := widget.NewLabel("")
	title.Truncation = fyne.TextTruncateEllipsis
	facts := container.NewHBox()
	for range pickFacts {
		facts.Add(widget.NewLabel(""))
	}
	facts.Add(container.NewCenter())
	return Border(nil, nil, nil, facts, title)
}

func (p *Picker) fillRow(i widget.ListItemID, o fyne.CanvasObject) {
	if i >= len(p.rows) {
		return
	}
	r := p.rows[i]
	objects := o.(*fyne.Container).Objects
	title, facts := objects[0].(*widget.Label), objects[1].(*fyne.Container).Objects
	title.TextStyle.Bold = r.Bold
	title.Importance = widget.MediumImportance
	if r.Faint {
		title.Importance = widget.LowImportance
	}
	lead := "    "
	if i == p.cursor {
		lead = "›  "
	}
	title.SetText(lead + r.Title)
	caps := facts[pickFacts].(*fyne.Container)
	caps.Objects = nil
	if r.Key != "" {
		caps.Objects = []fyne.CanvasObject{Padded(0, 0, 0, 10, KeyCaps(r.Key))}
	}
	Show(caps, r.Key != "")
	for j, f := range facts[:pickFacts] {
		l := f.(*widget.Label)
		Show(l, j < len(r.Facts))
		if j < len(r.Facts) {
			l.Importance = Importance(r.Facts[j].Tone)
			l.SetText(r.Facts[j].Text)
		}
	}
	o.Refresh() // the texts have other widths
}

// Importance is how a label shows a tone.
func Importance(t core.Tone) widget.Importance {
	switch t {
	case core.ToneMuted:
		return widget.LowImportance
	case core.ToneGood:
		return widget.SuccessImportance
	case core.ToneWarn:
		return widget.WarningImportance
	case core.ToneBad:
		return widget.DangerImportance
	}
	return widget.MediumImportance
}

// pickList is the list of a picker. It never has the keyboard, which stays with the entry: Fyne's list knows no Esc.
type pickList struct{ widget.List }

// Disabled, Enable and Disable implement fyne.Disableable: Tab and clicks leave the keyboard where it is.
func (*pickList) Disabled() bool { return true }
func (*pickList) Enable()        {}
func (*pickList) Disable()       {}

// pickEntry is the entry of a picker.
type pickEntry struct {
	Entry
	move func(by int)
}

// TypedKey implements fyne.Focusable.
func (e *pickEntry) TypedKey(k *fyne.KeyEvent) {
	switch k.Name {
	case fyne.KeyDown:
		e.move(1)
	case fyne.KeyUp:
		e.move(-1)
	case fyne.KeyPageDown:
		e.move(10)
	case fyne.KeyPageUp:
		e.move(-10)
	default:
		e.Entry.TypedKey(k)
	}
}
