package timeline

import (
	"image/color"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/snapshot/text"
)

// View is the list of turns. Its Object is in the window; its Magnifier lies over all of it.
type View struct {
	w      *parts.Window
	vm     VM
	rows   []int // of vm.Rows, that the filter leaves
	list   *turns
	filter *filter
	clear  *parts.IconButton
	count  *parts.Facts
	empty  *widget.Label
	head   *fyne.Container
	lens   *hoverPreview
	film   *filmstrip
	ring   *canvas.Rectangle // around the turns while they have the keyboard
	chips  []chip
	lying  bool // the turns are a strip from left to right
	box    *fyne.Container
	// before is how far the list was scrolled when the filter began, and at which turn.
	before   float32
	beforeAt int
	// beforeFirst is the same of the strip: its first cell.
	beforeFirst int
	// typed are filters that were reported and are not in a view-model yet.
	typed []string
}

// New makes an empty list.
func New(w *parts.Window) *View {
	v := &View{w: w, empty: widget.NewLabel(""), count: parts.NewFacts(false, 10), lens: newLens()}
	v.empty.Wrapping = fyne.TextWrapWord
	v.empty.Alignment = fyne.TextAlignCenter
	v.empty.Importance = widget.LowImportance
	v.list = newTurns(v)
	v.filter = newFilter(v)
	v.clear = parts.NewIconButton(fynetheme.CancelIcon(), "Clear the filter", func() { v.filter.SetText("") })
	v.clear.Hide()
	v.film, v.chips, v.ring = newFilm(v), newChips(v), canvas.NewRectangle(color.Transparent)
	v.head, v.box = container.NewVBox(), container.NewStack()
	v.SetHorizontal(false)
	return v
}

// Object is the list itself.
func (v *View) Object() fyne.CanvasObject { return v.box }

// Show shows the state.
func (v *View) Show(s core.State) {
	if vm := ViewOf(s); !vm.Equal(v.vm) {
		v.Set(vm)
	}
}

// Do moves the keyboard to the filter.
func (v *View) Do(e core.Effect) bool {
	_, ok := e.(focusFilter)
	if ok {
		v.focusFilter()
	}
	return ok
}

// Focus is what has the keyboard while the list does.
func (v *View) Focus() fyne.Focusable {
	if v.lying {
		return v.film
	}
	return v.list
}

// Magnifier is the enlarged picture beside the turn under the pointer. It has to lie
// over the whole window and takes no clicks.
func (v *View) Magnifier() fyne.CanvasObject { return v.lens.box }

// focusFilter moves the keyboard to the filter and selects what is in it.
func (v *View) focusFilter() {
	if c := fyne.CurrentApp().Driver().CanvasForObject(v.filter); c != nil {
		c.Focus(v.filter)
		v.filter.TypedShortcut(&fyne.ShortcutSelectAll{})
	}
}

// Set shows vm. Another turn in view, or one that is about to be, is scrolled to.
// A filter that is cleared leaves the list where it was before there was one, unless
// another turn came into view meanwhile.
func (v *View) Set(vm VM) {
	old := v.vm
	v.vm = vm
	narrowed := vm.Filter != old.Filter
	if narrowed {
		v.retype(vm.Filter)
	}
	if old.Filter == "" && narrowed {
		v.before, v.beforeFirst, v.beforeAt = v.list.GetScrollOffset(), v.film.first, v.target(old)
	}
	v.narrow()
	v.empty.SetText(vm.Empty)
	some := vm.Empty == ""
	if some && len(v.rows) == 0 {
		v.empty.SetText("No turn matches the filter. Esc clears it.")
	}
	v.show()
	parts.Show(v.head, some)
	parts.Show(v.clear, vm.Filter != "")
	v.say()
	if v.lying {
		v.film.Refresh()
	} else {
		v.list.Refresh()
	}
	switch at, was := v.target(vm), v.target(old); {
	case at != was:
		v.lens.hide()
		v.reveal(at)
	case narrowed && (vm.Filter != "" || at != v.beforeAt):
		v.reveal(at)
	case narrowed && v.lying:
		v.film.scroll(v.beforeFirst)
	case narrowed:
		v.list.ScrollToOffset(v.before)
	}
}

// retype brings a filter that was not typed here into the entry. One that was typed is
// there already, and more may have been typed since.
func (v *View) retype(text string) {
	if i := slices.Index(v.typed, text); i >= 0 {
		v.typed = v.typed[i+1:]
		return
	}
	v.typed = nil
	v.filter.quiet = true
	v.filter.SetText(text)
	v.filter.quiet = false
}

// target is the turn that is to be in view.
func (v *View) target(vm VM) int {
	if vm.Going != 0 {
		return vm.Going
	}
	return vm.Shown
}

func (v *View) reveal(n int) {
	switch i := v.place(n); {
	case i < 0:
	case v.lying:
		v.film.reveal(i)
	default:
		v.list.ScrollTo(i)
	}
}

// place is where a turn is among those that the filter leaves, -1 for nowhere.
func (v *View) place(n int) int {
	return slices.IndexFunc(v.rows, func(r int) bool { return r >= 0 && v.vm.Rows[r].N == n })
}

// turn is the turn of a cell; false where that is of none that can be shown.
func (v *View) turn(i int) (core.TurnRow, bool) {
	if i < 0 || i >= len(v.rows) || v.rows[i] < 0 {
		return core.TurnRow{}, false
	}
	return v.vm.Rows[v.rows[i]], true
}

// chooseFrom chooses the first turn that can be shown from a cell on, or back.
func (v *View) chooseFrom(i, by int) {
	for ; i >= 0 && i < len(v.rows); i += by {
		if r, ok := v.turn(i); ok {
			v.w.Send(core.TurnChosen{N: r.N})
			return
		}
	}
}

// choose reports a click on a cell.
func (v *View) choose(i int) {
	if r, ok := v.turn(i); ok {
		v.w.Send(core.TurnChosen{N: r.N})
	} else if i >= 0 && i < len(v.rows) {
		v.w.Send(core.DamageChosen{Index: ^v.rows[i]})
	}
}

// menu offers what can be done with the turn of a cell.
func (v *View) menu(i int, at fyne.Position) {
	if r, ok := v.turn(i); ok {
		v.lens.hide()
		widget.ShowPopUpMenuAtPosition(fyne.NewMenu("", v.offers(r.N)...), v.w.Canvas, at)
	}
}

// offers are the entries of that menu.
func (v *View) offers(n int) []*fyne.MenuItem {
	items := []*fyne.MenuItem{v.w.MenuItem("Open turn "+text.Thousands(n), n == v.vm.Shown, core.TurnChosen{N: n})}
	if v.vm.Shown != 0 && n != v.vm.Shown {
		items = append(items, v.w.MenuItem("Compare turn "+text.Thousands(v.vm.Shown)+", in view, with turn "+
			text.Thousands(n), false, Compared(n)))
	}
	return items
}

// narrow finds the rows that the filter leaves, and puts the damaged turns between them, each in its place; those
// without a number come last.
func (v *View) narrow() {
	f := ParseTurnFilter(v.vm.Filter)
	v.rows = v.rows[:0]
	for i, r := range v.vm.Rows {
		if f.Match(r, v.vm.Remarks[r.N], v.vm.Hits) {
			v.rows = append(v.rows, i)
		}
	}
	for i, d := range v.vm.Damaged {
		at := slices.IndexFunc(v.rows, func(r int) bool { return r >= 0 && v.vm.Rows[r].N > d.N })
		if d.N == 0 || at < 0 {
			at = len(v.rows)
		}
		v.rows = slices.Insert(v.rows, at, ^i)
	}
}

// say shows how many turns there are, or fit, and what can be typed while the filter is.
func (v *View) say() {
	count := text.Count(len(v.vm.Rows), "turn", "turns")
	if v.vm.Filter != "" {
		count = text.Thousands(len(v.rows)-len(v.vm.Damaged)) + " of " + count
	}
	items := []core.StatusItem{{Text: count, Tone: core.ToneMuted}}
	if v.vm.Note != "" {
		items = []core.StatusItem{{Text: v.vm.Note, Tone: core.ToneNormal}}
	}
	if v.filter.focused {
		if v.filter.Text == "" {
			items = nil
		}
		items = append(items, core.StatusItem{Text: completions(v.filter.Text), Tone: core.ToneMuted})
	}
	v.count.Set(items)
	v.countChips()
}

// countChips shows on each chip how many turns it leaves: at least so many, and no number for none so far, while some
// turns are not read, as large ones are not before they are asked for.
func (v *View) countChips() {
	var failed, changed, noted int
	more, untold := "", ""
	if v.vm.Telling {
		untold = "+"
	}
	for _, r := range v.vm.Rows {
		if r.Failed() {
			failed++
		}
		if r.Changed() {
			changed++
		}
		if r.Note != "" || v.vm.Remarks[r.N].Count > 0 {
			noted++
		}
		if !r.Known {
			more, untold = "+", "+"
		}
	}
	least := func(n int, more string) string {
		if n == 0 && more != "" {
			return ""
		}
		return " " + text.Thousands(n) + more
	}
	for i, count := range []string{least(len(v.vm.Rows), ""), least(failed, untold), least(changed, more),
		least(noted, "")} {
		c := v.chips[i]
		c.chip.Set(c.title+count, v.vm.Filter == c.filter, len(v.vm.Rows) > 0)
	}
}

// turns is the list: its keys are those of the window, and Up and Down go to the turns
// beside the one in view.
type turns struct {
	widget.List
	v *View
}

func newTurns(v *View) *turns {
	t := &turns{v: v}
	t.Length = func() int { return len(v.rows) }
	t.CreateItem = func() fyne.CanvasObject { return newListed(v) }
	t.UpdateItem = func(i widget.ListItemID, o fyne.CanvasObject) { v.fill(i, &o.(*listed).cell) }
	t.HideSeparators = true
	t.OnSelected = func(i widget.ListItemID) {
		t.UnselectAll() // the state determines which turn is in view, not the list
		v.choose(i)
	}
	t.ExtendBaseWidget(t)
	return t
}

func (v *View) fill(i int, c *cell) {
	if r, ok := v.turn(i); ok {
		c.hit(v.vm.Hits.Count(ParseTurnFilter(v.vm.Filter), r.N))
		c.set(r, v.vm.Remarks[r.N], r.N == v.vm.Shown, r.N == v.vm.Going && r.N != v.vm.Shown)
		if !r.Asked {
			v.w.Send(core.TurnSeen{N: r.N})
		}
		return
	}
	if i < len(v.rows) {
		c.setDamage(v.vm.Damaged[^v.rows[i]])
	}
}

// Resize keeps the turn in view where it would else be cut off.
func (t *turns) Resize(size fyne.Size) {
	other := size != t.Size()
	t.List.Resize(size)
	if other {
		t.v.reveal(t.v.target(t.v.vm))
	}
}

// FocusGained and FocusLost show and hide the ring. Fyne's own would scroll to the turn that was clicked last.
func (t *turns) FocusGained() { t.v.showFocus(true) }

// FocusLost: see FocusGained.
func (t *turns) FocusLost() { t.v.showFocus(false) }

// TypedKey implements fyne.Focusable.
func (t *turns) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyDown:
		t.v.w.Send(TurnStepped{By: 1})
	case fyne.KeyUp:
		t.v.w.Send(TurnStepped{By: -1})
	case fyne.KeyHome:
		t.v.chooseFrom(0, 1)
	case fyne.KeyEnd:
		t.v.chooseFrom(len(t.v.rows)-1, -1)
	case fyne.KeyEscape:
		t.v.w.Escape()
	default:
		if len(e.Name) > 1 && e.Name != fyne.KeySpace && t.v.w.Key != nil {
			t.v.w.Key(e)
		}
	}
}

// TypedRune implements fyne.Focusable.
func (t *turns) TypedRune(r rune) {
	if t.v.w.Rune != nil {
		t.v.w.Rune(r)
	}
}

// KeyDown and KeyUp follow keys that last while they are held.
func (t *turns) KeyDown(e *fyne.KeyEvent) { t.held(e, true) }

// KeyUp: see KeyDown.
func (t *turns) KeyUp(e *fyne.KeyEvent) { t.held(e, false) }

func (t *turns) held(e *fyne.KeyEvent, down bool) {
	if len(e.Name) == 1 && t.v.w.Held != nil {
		t.v.w.Held(e.Name, down)
	}
}

// filter is the entry: Esc clears it and then leaves it, Up and Down step.
type filter struct {
	parts.Entry
	v     *View
	quiet bool // the text is being set, not typed
	// focused: it has the keyboard, and what can be typed is shown beside it.
	focused bool
}

// FocusGained shows what can be typed.
func (f *filter) FocusGained() {
	f.Entry.FocusGained()
	f.focused = true
	f.v.say()
}

// FocusLost: see FocusGained.
func (f *filter) FocusLost() {
	f.Entry.FocusLost()
	f.focused = false
	f.v.say()
}

func newFilter(v *View) *filter {
	f := &filter{v: v}
	f.Leave = func() {
		f.SetText("") // which shows all turns again
		f.leave()
	}
	f.Hint = "Find in turns, texts, messages"
	f.PlaceHolder = f.Hint
	f.OnChanged = func(text string) {
		if !f.quiet {
			v.typed = append(v.typed, text)
			v.say()
			v.w.Send(FilterTyped{Text: text})
		}
	}
	f.OnSubmitted = func(string) { f.leave() }
	f.ExtendBaseWidget(f)
	return f
}

// TypedKey implements fyne.Focusable.
func (f *filter) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyDown:
		f.v.w.Send(TurnStepped{By: 1})
	case fyne.KeyUp:
		f.v.w.Send(TurnStepped{By: -1})
	default:
		f.Entry.TypedKey(e)
	}
}

func (f *filter) leave() {
	if c := fyne.CurrentApp().Driver().CanvasForObject(f); c != nil {
		c.Unfocus()
	}
}
