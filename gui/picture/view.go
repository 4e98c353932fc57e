package picture

import (
	"image"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/snapshot"
)

// Callbacks are what the view reports. Any of them may be nil. They run on
// Fyne's goroutine.
type Callbacks struct {
	// Pick: the picture was clicked at a point in image px. below asks for what lies
	// below the chosen element: a click with Alt, or a second one on the same spot.
	Pick func(x, y float64, below bool)
	// Select: a mark was chosen by a key.
	Select func(ref int)
	// Clear: a click beside the picture. Escape: Esc was pressed with nothing of the
	// view's own left to give up.
	Clear, Escape func()
	// Goto: a number was typed and Enter pressed. The mark may not exist.
	Goto func(ref int)
	// Zoom: the zoom changed, in device px for an image px; 1 is 100 %.
	Zoom func(scale float64)
	// Withheld: so many numbers of the boxes in view have no room at this zoom.
	Withheld func(n int)
	// Wheel: the wheel turned, or a page key was pressed, over a picture whose input goes to
	// the page; dy is px of the page, downwards.
	Wheel func(dy float64)
	// Arrange: the labels of the scene are to be placed for a zoom; where it is nil, the view
	// does so itself.
	Arrange func(*overlay.Scene, overlay.Camera)
	// Under: everything at a point of the picture, in image px, is to be listed.
	Under func(x, y float64)
	// Point: the pointer is over another point of the picture, in image px; in is
	// false where it left.
	Point func(x, y float64, in bool)
	// Split: the line between two pictures was dragged to that share of the width.
	Split func(share float64)
	// Keys: Key gets none that also type a character.
	parts.Keys
}

// View is the widget. Show something with [View.Set].
type View struct {
	widget.BaseWidget

	on Callbacks
	vm VM

	cam    overlay.Camera // in device px
	scale  float64        // device px per Fyne unit
	fitted bool           // the camera follows the size of the view
	whole  bool           // it then shows all of the picture and not its width
	last   image.Point    // the size of the last picture in image px, zero before the first

	sliding, dragging bool // a drag is in progress, and moves the line between two pictures

	asked    ArrangeAsked // the last that was
	withheld int          // numbers, as reported last

	modifiers func() fyne.KeyModifier // that are held
	focused   bool
	shift     bool

	tapAt   fyne.Position // of the last click on the picture
	tapped  bool          // there was one, and the picture is still the same
	below   bool          // the click in progress is with Alt
	pointer fyne.Position // where the pointer is
	over    bool          // it is over the view
	typed   string        // number being typed
	missing bool          // there is no mark with that number
	before  *view         // camera to go back to when 1 turns out to begin a number
}

// AccessibilityLabel implements fyne.Accessible.
func (v *View) AccessibilityLabel() string { return "Picture of the page" }

// AccessibilityRole implements fyne.Accessible.
func (v *View) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleText }

// view is a camera and whether it follows the size.
type view struct {
	cam    overlay.Camera
	fitted bool
}

var (
	_ fyne.Widget            = (*View)(nil)
	_ fyne.Scrollable        = (*View)(nil)
	_ fyne.Draggable         = (*View)(nil)
	_ fyne.Tappable          = (*View)(nil)
	_ fyne.SecondaryTappable = (*View)(nil)
	_ fyne.Focusable         = (*View)(nil)
	_ fyne.Tabbable          = (*View)(nil)
	_ desktop.Hoverable      = (*View)(nil)
	_ desktop.Keyable        = (*View)(nil)
	_ desktop.Mouseable      = (*View)(nil)
	_ desktop.Cursorable     = (*View)(nil)
)

// newView makes an empty view.
func newView(on Callbacks) *View {
	v := &View{modifiers: heldKeys, on: on, scale: 1, cam: overlay.Camera{Scale: 1}, fitted: true}
	v.ExtendBaseWidget(v)
	return v
}

// Set shows vm. The first picture, and one of another size, is fitted into the
// view; another picture of the same size keeps the camera, also where none was shown in between. A selection that is
// not in view is brought there, at the zoom that there is.
func (v *View) Set(vm VM) {
	if vm == v.vm {
		return
	}
	old := v.vm
	v.vm = vm
	if size := v.picture(); size != (image.Point{}) && size != v.last {
		v.last = size
		v.Fit()
	}
	if vm.Scene != old.Scene {
		v.tapped = false
	}
	if v.fitted && vm.Pair.Mode != old.Pair.Mode {
		v.refit()
	}
	if vm.Selected != old.Selected || vm.Chosen != old.Chosen {
		v.reveal(v.selectedBox())
	}
	if vm.Found != old.Found || vm.FoundAt != old.FoundAt {
		v.reveal(vm.Found.Box(vm.FoundAt))
	}
	v.Refresh()
}

// picture is the size of the picture in image px, zero where there is none.
func (v *View) picture() image.Point {
	if v.vm.Picture == nil {
		return image.Point{}
	}
	return v.vm.Picture.Size()
}

// area is the size of the view in device px.
func (v *View) area() image.Point {
	s := v.Size()
	return image.Pt(int(math.Round(float64(s.Width)*v.scale)), int(math.Round(float64(s.Height)*v.scale)))
}

// Camera is what the view looks at.
func (v *View) Camera() overlay.Camera { return v.cam }

// Fit shows the whole width of the picture from its top, now and when the view changes its
// size.
func (v *View) Fit() { v.fit(false, math.Inf(-1)) }

// fitWhole shows the whole picture.
func (v *View) fitWhole() { v.fit(true, 0) }

// refit fits the picture again, without a jump to another part of it. One that begins in view has its margin anew.
func (v *View) refit() {
	y := v.cam.Y
	if y < 0 {
		y = math.Inf(-1)
	}
	v.fit(v.whole, y)
}

func (v *View) fit(whole bool, y float64) {
	v.fitted, v.whole = true, whole
	if whole {
		v.look(fit(v.picture(), v.fitArea(), v.scale))
	} else {
		v.look(fitWidth(v.picture(), v.fitArea(), v.scale, y))
	}
}

// Actual shows the picture at 100 %, one device px for an image px.
func (v *View) Actual() { v.zoomKept(1) }

// ZoomIn and ZoomOut change the zoom by a quarter.
func (v *View) ZoomIn() { v.zoomKept(v.cam.Scale * 1.25) }

// zoomOut: see ZoomIn.
func (v *View) zoomOut() { v.zoomKept(v.cam.Scale / 1.25) }

// LookAt brings a box in image px into the middle, at the zoom that there is where it
// fits into the view, else as large as it fits.
func (v *View) LookAt(b snapshot.Box) {
	v.fitted = false
	if area := v.fitArea(); b.W()*v.cam.Scale > float64(area.X) || b.H()*v.cam.Scale > float64(area.Y) {
		v.look(closeUp(b, area))
	} else {
		v.look(lookAt(v.cam, b, area))
	}
}

// zoomSelection shows the selected element large, in the middle.
func (v *View) zoomSelection() {
	if b := v.selectedBox(); !b.Empty() {
		v.fitted = false
		v.look(closeUp(b, v.area()))
	}
}

// zoomKept zooms about what a person looks at: the pointer where it is on the picture, else the selection where that is
// in view, else the middle.
func (v *View) zoomKept(s float64) {
	a := v.fitArea()
	x, y := float64(a.X)/2, float64(a.Y)/2
	if v.over && v.onPicture(v.pointer) {
		x, y = v.screenX(v.pointer.X), float64(v.pointer.Y)*v.scale
	} else if in := screen(v.cam, v.selectedBox()).Intersect(image.Rectangle{Max: a}); !in.Empty() {
		x, y = float64(in.Min.X+in.Max.X)/2, float64(in.Min.Y+in.Max.Y)/2
	}
	v.zoomTo(s, x, y)
}

// zoomTo zooms about a place in device px.
func (v *View) zoomTo(s, x, y float64) {
	v.fitted = false
	v.look(zoomAt(v.cam, s, x, y))
}

// scroll moves along the picture by so many device px and no further than its edges.
func (v *View) scroll(dx, dy float64) {
	c, pic, view := v.cam, v.picture(), v.fitArea()
	c.X = scrolled(c.X+dx/c.Scale, pic.X, view.X, c.Scale, v.scale)
	c.Y = scrolled(c.Y+dy/c.Scale, pic.Y, view.Y, c.Scale, v.scale)
	v.look(c)
}

// pan moves the picture by so many device px.
func (v *View) pan(dx, dy float64) {
	v.fitted = false
	c := v.cam
	c.X -= dx / c.Scale
	c.Y -= dy / c.Scale
	v.look(c)
}

// look changes the camera, reports the zoom where it is another one, and draws.
func (v *View) look(c overlay.Camera) {
	if v.picture() == (image.Point{}) {
		return
	}
	c = kept(c, v.picture(), v.area())
	if c == v.cam {
		return
	}
	zoomed := c.Scale != v.cam.Scale
	v.cam = c
	v.Refresh()
	if v.over {
		v.point() // another point is under the pointer now
	}
	if zoomed && v.on.Zoom != nil {
		v.on.Zoom(c.Scale)
	}
}

// arrange sees to it that the labels of the frame are placed for its zoom.
func (v *View) arrange() {
	want := ArrangeAsked{v.vm.Scene, v.frameCamera()}
	want.Camera.X, want.Camera.Y = 0, 0
	switch l := v.vm.Layers; {
	case want.Scene == nil || !l.Boxes && !l.Labels || v.vm.Pair.Mode != PicturesOff:
	case v.on.Arrange == nil:
		want.Scene.Arrange(want.Camera)
	case want != v.asked && !want.Scene.Arranged(want.Camera):
		v.asked = want
		v.on.Arrange(want.Scene, want.Camera)
	}
}

// countWithheld reports how many numbers have no room at this zoom. While the labels are being placed for it, the count
// before stays.
func (v *View) countWithheld() {
	n, cam := 0, v.frameCamera()
	if v.numbered() {
		if !v.vm.Scene.Arranged(cam) {
			return
		}
		n = v.vm.Scene.Withheld(cam, v.area())
	}
	if n != v.withheld && v.on.Withheld != nil {
		v.withheld = n
		v.on.Withheld(n)
	}
}

// selectedBox is the box of the selected element in image px, empty where it has none on
// the picture.
func (v *View) selectedBox() snapshot.Box {
	if m := v.mark(v.vm.Selected); m != nil && len(m.Rects) > 0 {
		return m.Box
	}
	return v.vm.Chosen.Box
}

// reveal brings a box in image px into view where it is not.
func (v *View) reveal(b snapshot.Box) {
	if b.Empty() || inView(v.cam, b, v.area()) {
		return
	}
	if b.W()*v.cam.Scale > float64(v.area().X) || b.H()*v.cam.Scale > float64(v.area().Y) {
		return // larger than the view: whatever is seen of it is right
	}
	if c := lookAt(v.cam, b, v.area()); v.fitted && !v.whole && b.X() >= 0 && b.Right() <= float64(v.picture().X) {
		v.scroll(0, (c.Y-v.cam.Y)*c.Scale) // the width is in view already
	} else {
		v.fitted = false
		v.look(c)
	}
}

// mark is the mark of a ref, nil where the picture has none.
func (v *View) mark(ref int) *overlay.Mark {
	if ref == 0 || v.vm.Scene == nil {
		return nil
	}
	return v.vm.Scene.ByRef(ref)
}

// imagePoint is the place in the picture, in image px, under a place in the view.
func (v *View) imagePoint(p fyne.Position) (x, y float64) {
	return v.cam.Image(v.screenX(p.X), float64(p.Y)*v.scale)
}
