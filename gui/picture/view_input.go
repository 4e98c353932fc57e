package picture

import (
	"image"
	"math"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/overlay"
)

const (
	scrollStep = 2.4    // Fyne units that a unit of the wheel scrolls
	pageStep   = 4      // px of the page for a unit of the wheel: 100 for a notch
	pageShare  = 0.85   // of the view that a page key scrolls
	wheelStep  = 0.0085 // zoom is e to this for each unit of the wheel
	arrowStep  = 60     // Fyne units that an arrow key pans
	sameSpot   = 4      // Fyne units within which two clicks are on the same spot
	typedLimit = 12     // characters of a number
	asking     = " "    // in the place of a number: one is requested
)

// Scrolled scrolls the picture, or the page where input goes there; with Ctrl it zooms about
// the pointer.
func (v *View) Scrolled(e *fyne.ScrollEvent) {
	if !v.zooming() {
		if v.vm.Act && v.on.Wheel != nil {
			v.on.Wheel(-float64(e.Scrolled.DY) * pageStep)
		} else {
			v.scroll(-float64(e.Scrolled.DX)*scrollStep*v.scale, -float64(e.Scrolled.DY)*scrollStep*v.scale)
		}
		return
	}
	d := float64(e.Scrolled.DY)
	if d == 0 {
		d = float64(e.Scrolled.DX)
	}
	d = math.Max(-200, math.Min(200, d)) // one event is one step, however fast the wheel spins
	v.zoomTo(v.cam.Scale*math.Exp(d*wheelStep), v.screenX(e.Position.X), float64(e.Position.Y)*v.scale)
}

// zooming reports whether Ctrl, or Command on macOS, is held.
func (v *View) zooming() bool {
	return v.modifiers()&(fyne.KeyModifierControl|fyne.KeyModifierSuper) != 0
}

// heldKeys are the modifiers that are held; a driver without a keyboard has none.
func heldKeys() fyne.KeyModifier {
	if d, ok := fyne.CurrentApp().Driver().(desktop.Driver); ok {
		return d.CurrentKeyModifiers()
	}
	return 0
}

// Dragged pans, or moves the line between two pictures.
func (v *View) Dragged(e *fyne.DragEvent) {
	if v.slides(e) {
		return
	}
	v.pan(float64(e.Dragged.DX)*v.scale, float64(e.Dragged.DY)*v.scale)
}

// DragEnd releases the line between two pictures. Panning has no end to it.
func (v *View) DragEnd() { v.sliding, v.dragging = false, false }

// MouseDown takes the focus, so that keys follow the pointer, and looks at Alt, which
// clicks lack.
func (v *View) MouseDown(e *desktop.MouseEvent) {
	v.takeFocus()
	v.below = e.Modifier&fyne.KeyModifierAlt != 0
}

// MouseUp does nothing.
func (v *View) MouseUp(*desktop.MouseEvent) {}

// Tapped chooses what is under the pointer; with Alt, or again on the same spot, what
// lies below that. Beside the picture there is nothing to choose.
func (v *View) Tapped(e *fyne.PointEvent) {
	v.takeFocus()
	below := v.below
	v.below = false
	if !v.onPicture(e.Position) {
		v.tapped = false
		if v.on.Clear != nil {
			v.on.Clear()
		}
		return
	}
	d := e.Position.Subtract(v.tapAt)
	again := v.tapped && math.Abs(float64(d.X)) <= sameSpot && math.Abs(float64(d.Y)) <= sameSpot
	if !again {
		v.tapAt = e.Position
	}
	v.tapped = true
	if v.on.Pick != nil {
		x, y := v.imagePoint(v.tapAt)
		v.on.Pick(x, y, below || again)
	}
}

// onPicture reports whether a place in the view is on the picture.
func (v *View) onPicture(p fyne.Position) bool {
	x, y := v.imagePoint(p)
	size := v.picture()
	return x >= 0 && y >= 0 && x < float64(size.X) && y < float64(size.Y)
}

func (v *View) choose(ref int) {
	if v.on.Select != nil {
		v.on.Select(ref)
	}
}

// TappedSecondary lists what is under the pointer.
func (v *View) TappedSecondary(e *fyne.PointEvent) {
	v.takeFocus()
	v.under(e.Position)
}

// Under lists what is under the pointer, or, where that is elsewhere, at the middle of
// the selected element.
func (v *View) Under() {
	if v.over && v.onPicture(v.pointer) {
		v.under(v.pointer)
		return
	}
	if b := v.selectedBox(); !b.Empty() && v.on.Under != nil {
		x, y := b.Center()
		v.on.Under(x, y)
	}
}

func (v *View) under(p fyne.Position) {
	if v.onPicture(p) && v.on.Under != nil {
		v.on.Under(v.imagePoint(p))
	}
}

// MouseIn and MouseMoved report the point under the pointer.
func (v *View) MouseIn(e *desktop.MouseEvent) { v.MouseMoved(e) }

// MouseMoved: see MouseIn.
func (v *View) MouseMoved(e *desktop.MouseEvent) {
	v.pointer, v.over = e.Position, true
	v.point()
}

// point reports where on the picture the pointer is.
func (v *View) point() {
	if v.on.Point != nil {
		x, y := v.imagePoint(v.pointer)
		v.on.Point(x, y, v.over && v.onPicture(v.pointer))
	}
}

// MouseOut ends the preview.
func (v *View) MouseOut() {
	v.over = false
	v.point()
}

// Cursor is the pointing hand over what can be chosen.
func (v *View) Cursor() desktop.Cursor {
	if v.vm.Hover != 0 {
		return desktop.PointerCursor
	}
	return desktop.DefaultCursor
}

func (v *View) takeFocus() { parts.TakeFocus(v, v.focused) }

// Focused reports whether the view has the keyboard.
func (v *View) Focused() bool { return v.focused }

// FocusGained shows the focus ring.
func (v *View) FocusGained() { v.focused = true; v.Refresh() }

// FocusLost hides it and forgets a number half typed.
func (v *View) FocusLost() {
	v.focused, v.shift = false, false
	v.forget()
	v.Refresh()
}

// AcceptsTab keeps the Tab key for going from mark to mark. After the last mark,
// and with Shift before the first, Tab leaves the view: the keyboard is never
// caught in here.
func (v *View) AcceptsTab() bool { return v.neighbour(v.shift) != 0 }

// KeyDown follows the Shift key, which key events lack.
func (v *View) KeyDown(e *fyne.KeyEvent) { v.on.Follow(e.Name, true, &v.shift) }

// KeyUp: see KeyDown.
func (v *View) KeyUp(e *fyne.KeyEvent) { v.on.Follow(e.Name, false, &v.shift) }

// neighbour is the ref of the next mark in ref order, or of the one before; 0 at
// the end. Only marks on the picture count, and no containers.
func (v *View) neighbour(back bool) int {
	if v.vm.Scene == nil {
		return 0
	}
	found := 0
	for i := range v.vm.Scene.Marks() {
		m := &v.vm.Scene.Marks()[i]
		if len(m.Rects) == 0 || m.Status == overlay.Container || m.Status == overlay.OutOfScope {
			continue
		}
		switch {
		case !back && m.Ref > v.vm.Selected:
			return m.Ref
		case back && m.Ref < v.vm.Selected:
			found = m.Ref
		}
	}
	return found
}

// TypedKey handles the keys that type no character.
func (v *View) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyLeft:
		v.pan(arrowStep*v.scale, 0)
	case fyne.KeyRight:
		v.pan(-arrowStep*v.scale, 0)
	case fyne.KeyUp:
		v.pan(0, arrowStep*v.scale)
	case fyne.KeyDown:
		v.pan(0, -arrowStep*v.scale)
	case fyne.KeyPageUp:
		v.page(-1)
	case fyne.KeyPageDown:
		v.page(1)
	case fyne.KeyTab:
		if ref := v.neighbour(v.shift); ref != 0 {
			v.choose(ref)
		}
	case fyne.KeyReturn, fyne.KeyEnter:
		v.goTo()
	case fyne.KeyBackspace:
		if v.typed != "" { // also what asks for a number
			v.typed, v.missing = v.typed[:len(v.typed)-1], false
			v.Refresh()
		}
	case fyne.KeyEscape:
		if v.typed != "" {
			v.forget()
			v.Refresh()
		} else if v.on.Escape != nil {
			v.on.Escape()
		}
	default:
		if len(e.Name) > 1 && e.Name != fyne.KeySpace {
			v.on.PassKey(e)
		}
	}
}

// page scrolls by most of the view, or of the page's window.
func (v *View) page(by float64) {
	if v.vm.Act && v.on.Wheel != nil {
		v.on.Wheel(by * pageShare * v.vm.PageHigh)
	} else {
		v.scroll(0, by*pageShare*float64(v.area().Y))
	}
}

// TypedRune handles characters. 0 and 1 are zooms as well as digits: one that turns out to begin a number takes its
// zoom back. Only an agent's own number begins with 0.
func (v *View) TypedRune(r rune) {
	// e92 and 9-129 are agents' numbers too; letters begin one where it was asked for.
	part := v.typed != "" && !v.missing && v.vm.Numbers.Begins(strings.TrimPrefix(v.typed, asking)+string(r))
	if r >= '0' && r <= '9' && (r != '0' || v.typed != "" || v.vm.Numbers.Begins("0")) || part {
		v.digit(r)
		return
	}
	switch r {
	case '0':
		v.Fit()
	case '+', '=':
		v.ZoomIn()
	case '-':
		v.zoomOut()
	case 'z', 'Z':
		v.zoomSelection()
	default:
		v.on.PassRune(r)
	}
}

// askNumber asks for the number of a mark to go to, and takes the keyboard for it.
func (v *View) askNumber() {
	v.takeFocus()
	v.forget()
	if v.picture() != (image.Point{}) {
		v.typed = asking
	}
	v.Refresh()
}

func (v *View) digit(r rune) {
	asked := v.typed == asking
	if asked {
		v.typed = ""
	}
	if v.missing { // what was typed led nowhere: begin again
		v.forget()
	}
	switch {
	case v.typed == "" && (r == '0' || r == '1') && !asked:
		v.before = &view{v.cam, v.fitted}
		if r == '0' {
			v.Fit()
		} else {
			v.Actual()
		}
	case v.before != nil:
		back := *v.before
		v.before = nil
		v.fitted = back.fitted
		v.look(back.cam)
	}
	if len(v.typed) < typedLimit {
		v.typed += string(r)
	}
	v.Refresh()
}

// goTo goes to the number that was typed.
func (v *View) goTo() {
	if v.typed == "" || v.typed == asking {
		return
	}
	n, own := v.vm.Numbers.OfOwn(v.typed)
	if number, err := strconv.Atoi(v.typed); !own && err == nil {
		n = v.vm.Numbers.Ref(number)
	}
	v.before = nil
	if v.mark(n) == nil {
		v.missing = true
		v.Refresh()
		return
	}
	v.forget()
	v.Refresh()
	if v.on.Goto != nil {
		v.on.Goto(n)
	}
}

func (v *View) forget() { v.typed, v.missing, v.before = "", false, nil }
