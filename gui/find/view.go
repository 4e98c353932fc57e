// Package find is the search bar over a text: an entry, switches for
// case, regular expressions and for showing only the lines that match, and the count.
//
// The bar finds nothing itself: it reports what is typed, and shows the results in its
// view-model.
package find

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
)

// Bar is the widget. Make it with [New]; show something with [Bar.Set].
type Bar struct {
	widget.BaseWidget

	w      *parts.Window
	vm     VM
	entry  *entry
	cases  *parts.Chip
	regexp *parts.Chip
	filter *parts.Chip
	back   *parts.Chip
	next   *parts.Chip
	count  *parts.Say
	box    fyne.CanvasObject
}

// entry takes the keys of the bar.
type entry struct {
	widget.Entry
	b     *Bar
	shift bool
}

// AccessibilityLabel implements fyne.Accessible.
func (e *entry) AccessibilityLabel() string { return "Find in the text" }

// AccessibilityRole implements fyne.Accessible.
func (e *entry) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleText }

// New makes a bar, hidden until it is open.
func New(w *parts.Window) *Bar {
	b := &Bar{w: w, entry: &entry{}, count: parts.NewSay()}
	b.entry.b = b
	b.entry.ExtendBaseWidget(b.entry)
	b.entry.PlaceHolder = "Find"
	b.entry.OnChanged = func(text string) {
		q := b.vm.Query
		q.Text = text
		b.typed(q)
	}
	chip := func(style parts.Style, text string, do func()) *parts.Chip { return parts.NewChip(style, text, do) }
	b.cases = chip(parts.Toggle, "Aa", func() {
		q := b.vm.Query
		q.Case = !q.Case
		b.typed(q)
	})
	b.regexp = chip(parts.Toggle, ".*", func() {
		q := b.vm.Query
		q.Regexp = !q.Regexp
		b.typed(q)
	})
	b.filter = w.Chip(parts.Toggle, "Matches only", CmdFilter)
	b.back = chip(parts.Button, "‹", func() { b.step(-1) })
	b.next = chip(parts.Button, "›", func() { b.step(1) })
	closer := chip(parts.Button, "Close", b.close)
	slim := func(o fyne.CanvasObject) fyne.CanvasObject { return container.New(parts.Slim{}, o) }
	line := container.New(parts.Bar{Least: 120}, container.NewStack(), b.entry,
		slim(b.cases), slim(b.regexp), slim(b.filter), slim(b.back), slim(b.next), slim(closer))
	b.box = container.NewVBox(
		parts.Padded(4, 0, 8, 6, line),
		parts.Padded(0, 4, 14, 10, b.count),
	)
	b.ExtendBaseWidget(b)
	b.Hide()
	return b
}

// ShowState shows the state, and reports whether the bar came or went.
func (b *Bar) ShowState(s core.State) bool {
	vm, was := ViewOf(s), b.Visible()
	b.Set(vm)
	parts.Show(b, vm.Open)
	return was != vm.Open
}

// Do brings the keyboard to the bar, with what was typed selected.
func (b *Bar) Do(e core.Effect) bool {
	_, ok := e.(focus)
	if ok {
		b.w.Focus(b.entry)
		b.entry.TypedShortcut(&fyne.ShortcutSelectAll{})
	}
	return ok
}

// Set shows vm. Only where its version is another one is the entry's text taken over.
func (b *Bar) Set(vm VM) {
	if vm == b.vm {
		return
	}
	take := vm.Version != b.vm.Version
	b.vm = vm
	if take && b.entry.Text != vm.Query.Text {
		b.entry.SetText(vm.Query.Text)
	}
	b.cases.Turn(vm.Query.Case, true)
	b.regexp.Turn(vm.Query.Regexp, true)
	b.filter.Turn(vm.Filter, true)
	b.back.Turn(false, vm.Can)
	b.next.Turn(false, vm.Can)
	b.count.Set(core.StatusItem{Text: vm.Count, Tone: vm.Tone})
}

// Entry is what takes the keyboard.
func (b *Bar) Entry() fyne.Focusable { return b.entry }

// CreateRenderer is Fyne's.
func (b *Bar) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(b.box) }

func (b *Bar) typed(q Query) {
	if q != b.vm.Query {
		b.w.Send(Typed{Query: q})
	}
}

func (b *Bar) step(by int) { b.w.Send(stepped{By: by}) }

// close puts the bar away and gives the keyboard back to the text.
func (b *Bar) close() {
	b.w.Send(closed{})
	b.w.FocusSide()
}

// KeyDown follows the Shift key, which key events lack.
func (e *entry) KeyDown(k *fyne.KeyEvent) { e.follow(k.Name, true); e.Entry.KeyDown(k) }

// KeyUp: see KeyDown.
func (e *entry) KeyUp(k *fyne.KeyEvent) { e.follow(k.Name, false); e.Entry.KeyUp(k) }

// FocusLost forgets the Shift key.
func (e *entry) FocusLost() { e.shift = false; e.Entry.FocusLost() }

func (e *entry) follow(k fyne.KeyName, down bool) {
	if k == desktop.KeyShiftLeft || k == desktop.KeyShiftRight {
		e.shift = down
	}
}

// TypedKey steps with Enter, Up and Down, and leaves with Esc.
func (e *entry) TypedKey(k *fyne.KeyEvent) {
	by := 1
	if e.shift {
		by = -1
	}
	switch k.Name {
	case fyne.KeyReturn, fyne.KeyEnter, fyne.KeyF3:
		e.b.step(by)
	case fyne.KeyDown:
		e.b.step(1)
	case fyne.KeyUp:
		e.b.step(-1)
	case fyne.KeyEscape:
		e.b.close()
	default:
		if len(k.Name) > 1 && k.Name[0] == 'F' && e.b.w.Key != nil {
			e.b.w.Key(k)
			return
		}
		e.Entry.TypedKey(k)
	}
}
