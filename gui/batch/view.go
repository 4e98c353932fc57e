package batch

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
)

// View is the table, which lies over most of the window: a filter, the sums, the rows.
type View struct {
	vm     VM
	title  *widget.Label
	filter *filter
	facts  *parts.Facts
	list   *parts.List
	hint   *widget.Label
	box    fyne.CanvasObject
}

// filter is the entry above the table: Down goes into it, Enter opens its first row.
type filter struct {
	parts.Entry
	down func()
}

// TypedKey implements fyne.Focusable.
func (f *filter) TypedKey(k *fyne.KeyEvent) {
	if k.Name == fyne.KeyDown {
		f.down()
		return
	}
	f.Entry.TypedKey(k)
}

// New makes the table.
func New(w *parts.Window) *View {
	v := &View{title: parts.Head(""), facts: parts.NewFacts(false, 14)}
	v.title.Truncation = fyne.TextTruncateEllipsis
	v.list = parts.NewList(parts.ListCallbacks{Send: w.Send, Escape: w.Leave,
		Lacking: func(pictures []string) { w.Send(inView(pictures)) }})
	v.filter = &filter{down: func() { w.Focus(v.list) }}
	v.filter.Leave = w.Leave
	v.filter.PlaceHolder = "Filter: part of an address, a title, an outcome"
	v.filter.ExtendBaseWidget(v.filter)
	v.filter.SetText(of(w.State()).Filter)
	v.filter.OnChanged = func(text string) { w.Send(filtered{text}) }
	v.filter.OnSubmitted = func(string) {
		if rows := v.vm.List.Rows; rows != nil {
			w.Send(rows.List[1].Pick) // the names of the columns are the first
		}
	}
	v.hint = parts.Hint("")
	v.hint.Truncation = fyne.TextTruncateEllipsis
	top := container.NewVBox(v.title, v.filter, parts.Padded(4, 4, 12, 12, v.facts))
	bottom := parts.Border(nil, nil, nil, parts.NewPushButton("Close", false, w.Leave, w.Leave), v.hint)
	v.box = parts.Border(top, bottom, nil, nil, v.list)
	return v
}

// Object returns the object to lay out, Focus the one that gets the keyboard, Size how large it is.
func (v *View) Object() fyne.CanvasObject { return v.box }
func (v *View) Focus() fyne.Focusable     { return v.filter }
func (v *View) Size(window fyne.Size) fyne.Size {
	return fyne.NewSize(window.Width*0.92, window.Height*0.9)
}

// Show shows the state.
func (v *View) Show(s core.State) {
	vm := viewOf(s)
	if vm.Equal(v.vm) {
		return
	}
	v.vm = vm
	v.title.SetText(vm.Title)
	v.hint.SetText(vm.Hint)
	v.facts.Set(vm.Facts)
	v.list.Set(vm.List)
}
