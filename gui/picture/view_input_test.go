package picture

import (
	"fmt"
	"image"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/driver/software"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/gui/parts/partstest"
	look "github.com/refscope/refscope/gui/theme"
	"github.com/refscope/refscope/snapshot"
)

// heard keeps what a view reported.
type heard struct {
	selected, gone   []int
	wheel            []float64
	picks            []pick
	under            [][2]float64
	points           []string
	cleared, escaped int
	held             []string
	zooms            []float64
	keys             []fyne.KeyName
	runes            string
}

// pick is one click on the picture.
type pick struct {
	x, y  float64
	below bool
}

// listening is a view of the page in which a selection comes back as the shell
// would send it.
func listening(t testing.TB, size fyne.Size) (*View, fyne.Window, *heard) {
	h := &heard{}
	var v *View
	on := Callbacks{
		Select: func(ref int) {
			h.selected = append(h.selected, ref)
			vm := v.vm
			vm.Selected = ref
			v.Set(vm)
		},
		Pick:   func(x, y float64, below bool) { h.picks = append(h.picks, pick{x, y, below}) },
		Under:  func(x, y float64) { h.under = append(h.under, [2]float64{x, y}) },
		Point:  func(x, y float64, in bool) { h.points = append(h.points, fmt.Sprintf("%.0f,%.0f %v", x, y, in)) },
		Clear:  func() { h.cleared++ },
		Escape: func() { h.escaped++ },
		Wheel:  func(dy float64) { h.wheel = append(h.wheel, dy) },
		Goto:   func(ref int) { h.gone = append(h.gone, ref) },
		Zoom:   func(s float64) { h.zooms = append(h.zooms, s) },
		Keys: parts.Keys{
			Held: func(k fyne.KeyName, down bool) { h.held = append(h.held, fmt.Sprint(k, " ", down)) },
			Key:  func(e *fyne.KeyEvent) { h.keys = append(h.keys, e.Name) },
			Rune: func(r rune) { h.runes += string(r) },
		},
	}
	v, w := window(t, look.Dark, size, on)
	v.Set(shot(1))
	w.Canvas().Capture()
	return v, w, h
}

// centre is where the middle of a mark is in the view.
func centre(v *View, ref int) fyne.Position { return place(v, v.mark(ref).Box) }

func place(v *View, b snapshot.Box) fyne.Position {
	x, y := b.Center()
	return fyne.NewPos(float32((x-v.cam.X)*v.cam.Scale/v.scale), float32((y-v.cam.Y)*v.cam.Scale/v.scale))
}

func key(v *View, names ...fyne.KeyName) {
	for _, n := range names {
		v.TypedKey(&fyne.KeyEvent{Name: n})
	}
}

func runes(v *View, s string) {
	for _, r := range s {
		v.TypedRune(r)
	}
}

func TestTapPicksThePointUnderThePointer(t *testing.T) {
	v, w, h := listening(t, fyne.NewSize(760, 600))
	test.TapCanvas(w.Canvas(), centre(v, 7))
	require.Len(t, h.picks, 1)
	require.InDelta(t, 200, h.picks[0].x, 1)
	require.InDelta(t, 154, h.picks[0].y, 1)
	require.False(t, h.picks[0].below)
	require.True(t, v.focused, "a click brings the keys along")
}

// TestAnAgentsOwnNumberIsTypedAsItIsShown: a hyphen that goes on with a number is part of it, and zooms else.
func TestAnAgentsOwnNumberIsTypedAsItIsShown(t *testing.T) {
	v, _, h := listening(t, fyne.NewSize(760, 600))
	vm := v.vm
	vm.Numbers = core.AgentNumbers(map[int]string{7: "9-129", 24: "e92", 3: "0-73"})
	v.Set(vm)
	zoom := v.scale
	v.askNumber()
	runes(v, "9-129")
	key(v, fyne.KeyReturn)
	v.askNumber()
	runes(v, "e92")
	key(v, fyne.KeyReturn)
	runes(v, "0-73")
	key(v, fyne.KeyReturn)
	require.Equal(t, []int{7, 24, 3}, h.gone)
	require.Equal(t, zoom, v.scale)
	runes(v, "5-")
	require.NotEqual(t, "5-", v.typed, "no number begins so")
}

func TestTapAgainAsksForWhatIsBelow(t *testing.T) {
	v, w, h := listening(t, fyne.NewSize(760, 600))
	at := place(v, snapshot.Box{450, 505, 10, 6})
	below := func() bool { return h.picks[len(h.picks)-1].below }
	test.TapCanvas(w.Canvas(), at)
	require.False(t, below())
	test.TapCanvas(w.Canvas(), at.AddXY(1, 1))
	require.True(t, below(), "the same spot")
	require.Equal(t, h.picks[0].x, h.picks[1].x, "it is asked about the very same point")
	test.TapCanvas(w.Canvas(), centre(v, 7))
	require.False(t, below(), "elsewhere it begins again")
	v.MouseDown(&desktop.MouseEvent{Modifier: fyne.KeyModifierAlt})
	v.Tapped(&fyne.PointEvent{Position: at})
	require.True(t, below(), "Alt asks for it at once")
	test.TapSecondaryAt(v, at)
	require.Len(t, h.under, 1)
	require.InDelta(t, h.picks[0].x, h.under[0][0], 1e-9)
}

func TestUnderWithoutThePointer(t *testing.T) {
	v, w, h := listening(t, fyne.NewSize(760, 600))
	v.Under()
	require.Empty(t, h.under, "nothing is chosen and the pointer is elsewhere")
	vm := v.vm
	vm.Selected = 7
	v.Set(vm)
	v.Under()
	require.Equal(t, [][2]float64{{200, 154}}, h.under, "the middle of what is chosen")
	test.MoveMouse(w.Canvas(), centre(v, 3))
	v.Under()
	require.InDelta(t, 168, h.under[1][0], 1, "the pointer goes first")
}

func TestPointIsToldInImagePx(t *testing.T) {
	v, w, h := listening(t, fyne.NewSize(760, 600))
	test.MoveMouse(w.Canvas(), centre(v, 7))
	require.Equal(t, "200,154 true", h.points[len(h.points)-1])
	v.zoomTo(8, 0, 0)
	require.NotEqual(t, "200,154 true", h.points[len(h.points)-1], "the picture moved under it")
	v.MouseOut()
	require.True(t, strings.HasSuffix(h.points[len(h.points)-1], "false"))
}

func TestTapBesideThePictureClears(t *testing.T) {
	_, w, h := listening(t, fyne.NewSize(760, 600))
	test.TapCanvas(w.Canvas(), fyne.NewPos(2, 300))
	require.Equal(t, 1, h.cleared)
	require.Empty(t, h.picks)
}

func TestCursorOverWhatCanBeChosen(t *testing.T) {
	v, _, _ := listening(t, fyne.NewSize(760, 600))
	require.Equal(t, desktop.DefaultCursor, v.Cursor())
	vm := v.vm
	vm.Hover = 7
	v.Set(vm)
	require.Equal(t, desktop.PointerCursor, v.Cursor())
}

// wheel turns the wheel in the middle of a view.
func wheel(v *View, dx, dy float32) {
	at := fyne.NewPos(v.Size().Width/2, v.Size().Height/2)
	v.Scrolled(&fyne.ScrollEvent{PointEvent: fyne.PointEvent{Position: at}, Scrolled: fyne.NewDelta(dx, dy)})
}

func TestWheelScrollsWithinThePicture(t *testing.T) {
	v, _, h := listening(t, fyne.NewSize(400, 200))
	zoom := v.Zoom()
	require.InDelta(t, (400.0-2*fitMargin)/800, zoom, 1e-9, "the width of the picture fits")
	top := v.Camera().Y
	require.InDelta(t, -fitMargin/zoom, top, 1e-9, "and it begins at the top")
	wheel(v, 0, -25)
	require.Greater(t, v.Camera().Y, top)
	require.Equal(t, zoom, v.Zoom(), "the wheel does not zoom")
	for range 100 {
		wheel(v, 0, -25)
	}
	_, y := v.imagePoint(fyne.NewPos(0, 200))
	require.InDelta(t, float64(v.picture().Y)+fitMargin/zoom, y, 1e-6, "the end of the picture is the end of scrolling")
	at := v.Camera().X
	wheel(v, 50, 0)
	require.Equal(t, at, v.Camera().X, "its whole width is in view")
	key(v, fyne.KeyPageUp)
	_, now := v.imagePoint(fyne.NewPos(0, 200))
	require.Less(t, now, y)
	runes(v, "0")
	require.InDelta(t, top, v.Camera().Y, 1e-9)
	require.NotEmpty(t, h.zooms)
}

func TestWheelGoesToThePageInActMode(t *testing.T) {
	v, _, h := listening(t, fyne.NewSize(400, 200))
	vm := v.vm
	vm.Act, vm.PageHigh = true, 800
	v.Set(vm)
	cam := v.Camera()
	wheel(v, 0, -25)
	key(v, fyne.KeyPageDown, fyne.KeyPageUp)
	require.Equal(t, []float64{100, 680, -680}, h.wheel)
	require.Equal(t, cam, v.Camera())
	v.modifiers = func() fyne.KeyModifier { return fyne.KeyModifierControl }
	wheel(v, 0, 25)
	require.Len(t, h.wheel, 3)
	require.Greater(t, v.Zoom(), cam.Scale, "Ctrl+wheel zooms here too")
}

func TestZoomKeepsTheImagePointUnderThePointer(t *testing.T) {
	for _, scale := range []float32{1, 1.5, 2} {
		v, w, h := listening(t, fyne.NewSize(700, 500))
		v.modifiers = func() fyne.KeyModifier { return fyne.KeyModifierControl }
		w.Canvas().(software.WindowlessCanvas).SetScale(scale)
		w.Canvas().Capture()
		for _, dy := range []float32{25, 25, -10, 75, -140, 3} {
			at := fyne.NewPos(333, 217)
			x0, y0 := v.imagePoint(at)
			zoom := v.Zoom()
			v.Scrolled(&fyne.ScrollEvent{PointEvent: fyne.PointEvent{Position: at}, Scrolled: fyne.NewDelta(0, dy)})
			x1, y1 := v.imagePoint(at)
			require.InDelta(t, x0, x1, 1e-3)
			require.InDelta(t, y0, y1, 1e-3)
			require.Equal(t, dy > 0, v.Zoom() > zoom)
		}
		require.NotEmpty(t, h.zooms)
	}
}

// + and - keep the place under the pointer; where the pointer is elsewhere, they keep the selection in view.
func TestZoomKeepsWhatIsLookedAt(t *testing.T) {
	v, _, _ := listening(t, fyne.NewSize(700, 500))
	at := fyne.NewPos(420, 130)
	v.MouseMoved(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: at}})
	for _, zoom := range []func(){v.ZoomIn, v.ZoomIn, v.zoomOut, v.Actual} {
		x0, y0 := v.imagePoint(at)
		zoom()
		x1, y1 := v.imagePoint(at)
		require.InDelta(t, x0, x1, 1e-3)
		require.InDelta(t, y0, y1, 1e-3)
	}
	v.MouseOut()
	vm := shot(1)
	vm.Selected = 7
	v.Set(vm)
	v.fit(false, 0)
	box := v.selectedBox()
	require.False(t, box.Empty())
	for range 8 {
		v.ZoomIn()
		require.True(t, screen(v.Camera(), box).Overlaps(image.Rectangle{Max: v.area()}), "at %g", v.Zoom())
	}
}

// The strip over a fitted picture hides nothing of its top, on any screen and in a window of another size.
func TestAFittedPictureBeginsBelowTheStrip(t *testing.T) {
	for _, scale := range []float32{1, 1.5, 2} {
		v, w, _ := listening(t, fyne.NewSize(800, 300))
		w.Canvas().(software.WindowlessCanvas).SetScale(scale)
		w.Canvas().Capture()
		for _, size := range []fyne.Size{fyne.NewSize(800, 300), fyne.NewSize(400, 250), fyne.NewSize(300, 210)} {
			w.Resize(size)
			w.Canvas().Capture()
			top := -v.Camera().Y * v.Zoom() / float64(scale)
			require.GreaterOrEqual(t, top, coverHigh-1e-6, "%v at %v", size, scale)
		}
	}
}

func TestZoomStaysWithinReason(t *testing.T) {
	v, _, _ := listening(t, fyne.NewSize(700, 500))
	for range 200 {
		v.ZoomIn()
	}
	require.Equal(t, float64(maxZoom), v.Zoom())
	for range 400 {
		v.zoomOut()
	}
	require.Equal(t, minZoom, v.Zoom())
}

func TestDragPansAndThePictureCannotGetLost(t *testing.T) {
	v, w, _ := listening(t, fyne.NewSize(700, 500))
	before := v.Camera()
	test.Drag(w.Canvas(), fyne.NewPos(300, 300), 40, -20)
	require.InDelta(t, before.X-40/before.Scale, v.Camera().X, 1e-6)
	require.InDelta(t, before.Y+20/before.Scale, v.Camera().Y, 1e-6)
	for range 50 {
		test.Drag(w.Canvas(), fyne.NewPos(300, 300), 500, 500)
	}
	where := v.frameCamera().Rect(image.Rectangle{Max: v.picture()})
	require.True(t, where.Overlaps(image.Rectangle{Max: v.area()}), "%v", where)
}

func TestCameraAcrossPictures(t *testing.T) {
	v, w, _ := listening(t, fyne.NewSize(760, 600))
	require.InDelta(t, (760.0-2*fitMargin)/800, v.Zoom(), 1e-9, "the first picture is fitted")
	v.ZoomIn()
	cam := v.Camera()
	v.Set(shot(1))
	require.Equal(t, cam, v.Camera(), "one of the same size keeps the camera")
	v.Set(shot(2))
	require.InDelta(t, (760.0-2*fitMargin)/1600, v.Zoom(), 1e-9, "one of another size is fitted")
	v.ZoomIn()
	cam = v.Camera()
	v.Set(VM{})
	v.Set(shot(2))
	require.Equal(t, cam, v.Camera(), "also with none in between")
	v.Set(VM{})
	v.Set(shot(1))
	require.InDelta(t, (760.0-2*fitMargin)/800, v.Zoom(), 1e-9, "as in another session")
	v.Set(shot(2))
	w.Resize(fyne.NewSize(400, 600))
	require.InDelta(t, (400.0-2*fitMargin)/1600, v.Zoom(), 1e-9, "a fitted picture follows the size of the view")
}

func TestKeys(t *testing.T) {
	v, _, h := listening(t, fyne.NewSize(760, 600))
	x, _ := v.imagePoint(fyne.NewPos(0, 0))
	key(v, fyne.KeyRight)
	x1, _ := v.imagePoint(fyne.NewPos(0, 0))
	require.Greater(t, x1, x, "the right arrow looks further right")
	runes(v, "0")
	require.InDelta(t, (760.0-2*fitMargin)/800, v.Zoom(), 1e-9)
	runes(v, "+")
	require.InDelta(t, (760.0-2*fitMargin)/800*1.25, v.Zoom(), 1e-9)
	runes(v, "-")
	require.InDelta(t, (760.0-2*fitMargin)/800, v.Zoom(), 1e-9)
	runes(v, "?xB")
	key(v, fyne.KeyF5, fyne.KeyB)
	require.Equal(t, "?xB", h.runes, "the letters of layers are the window's")
	v.KeyDown(&fyne.KeyEvent{Name: fyne.KeyB})
	v.KeyUp(&fyne.KeyEvent{Name: fyne.KeyB})
	v.KeyDown(&fyne.KeyEvent{Name: fyne.KeyF5})
	require.Equal(t, []string{"B true", "B false"}, h.held)
	require.Equal(t, []fyne.KeyName{fyne.KeyF5}, h.keys, "keys of characters come as characters only")
}

func TestTypedNumberGoesToTheMark(t *testing.T) {
	v, _, h := listening(t, fyne.NewSize(760, 600))
	cam := v.Camera()
	runes(v, "2")
	runes(v, "44")
	key(v, fyne.KeyBackspace, fyne.KeyReturn)
	require.Equal(t, []int{24}, h.gone)
	require.Empty(t, v.typed)

	runes(v, "1")
	require.InDelta(t, 1, v.Zoom(), 1e-9, "1 is 100 %")
	runes(v, "2")
	require.Equal(t, cam, v.Camera(), "but not when it begins a number")
	key(v, fyne.KeyReturn)
	require.True(t, v.missing)
	require.Equal(t, []int{24}, h.gone, "there is no 12")
	runes(v, "7")
	require.Equal(t, "7", v.typed)
	key(v, fyne.KeyEscape)
	require.Empty(t, v.typed)
	require.Zero(t, h.cleared, "the first Esc gives up the number")
	key(v, fyne.KeyEscape)
	require.Equal(t, 1, h.escaped)
}

func TestTabWalksTheMarksAndLeaves(t *testing.T) {
	v, _, h := listening(t, fyne.NewSize(760, 600))
	for range 20 {
		if !v.AcceptsTab() {
			break
		}
		key(v, fyne.KeyTab)
	}
	// 30 is the banner: it covers others, so it is drawn.
	require.Equal(t, []int{3, 4, 7, 8, 24, 25, 30, 31}, h.selected)
	require.False(t, v.AcceptsTab(), "after the last mark Tab leaves")
	v.KeyDown(&fyne.KeyEvent{Name: desktop.KeyShiftLeft})
	require.True(t, v.AcceptsTab())
	key(v, fyne.KeyTab)
	require.Equal(t, 30, h.selected[len(h.selected)-1])
}

func TestSelectionFromOutsideComesIntoView(t *testing.T) {
	v, w, _ := listening(t, fyne.NewSize(300, 200))
	v.zoomTo(2, 0, 0)
	require.False(t, inView(v.Camera(), v.mark(31).Box, v.area()))
	vm := v.vm
	vm.Selected = 31
	v.Set(vm)
	require.True(t, inView(v.Camera(), v.mark(31).Box, v.area()))
	require.Equal(t, 2.0, v.Zoom(), "at the zoom that there was")
	cam := v.Camera()
	vm.Selected = 0
	v.Set(vm)
	vm.Selected = 31
	v.Set(vm)
	require.Equal(t, cam, v.Camera(), "what is in view does not move")
	runes(v, "z")
	require.InDelta(t, 300.0/2, 94*v.Zoom(), 1e-9, "Z makes the mark half as wide as the view")
	w.Canvas().Capture()
}

func TestPointingDoesNotComposeAgain(t *testing.T) {
	v, _, _ := listening(t, fyne.NewSize(760, 600))
	r := test.WidgetRenderer(v).(*renderer)
	v.Refresh()
	asked := r.asked
	vm := v.vm
	vm.Hover, vm.Selected = 7, 24
	v.Set(vm)
	require.Equal(t, asked, r.asked)
	vm.Layers.Boxes = false
	v.Set(vm)
	require.NotEqual(t, asked, r.asked)
}

// TestSentenceHidesNoNumber: the sentence at the foot makes way for numbers that stand there.
func TestSentenceHidesNoNumber(t *testing.T) {
	made := 0
	for high := float32(220); high <= 600; high += 10 {
		v, _, _ := listening(t, fyne.NewSize(760, high))
		r := test.WidgetRenderer(v).(*renderer)
		words, scale := fyne.NewSize(330, 30), float32(v.scale)
		hidden := func(at fyne.Position) (n int) {
			own := image.Rect(int(at.X*scale), int(at.Y*scale), int((at.X+words.Width)*scale),
				int((at.Y+words.Height)*scale))
			for _, box := range r.numberBoxes() {
				if box.Overlaps(own) {
					n++
				}
			}
			return n
		}
		middle := fyne.NewPos((760-words.Width)/2, high-words.Height-14)
		v.vm.Cover.Text = "A banner covers the page."
		require.Greater(t, r.foot(v.Size(), words).Y, float32(coverHigh), "%g high: under the notice", high)
		v.vm.Cover.Text = ""
		at := r.foot(v.Size(), words)
		if hidden(middle) == 0 {
			require.Equal(t, middle, at, "%g high", high)
			continue
		}
		require.LessOrEqual(t, hidden(at), hidden(middle), "%g high", high)
		if hidden(at) == 0 {
			made++
		}
	}
	require.Positive(t, made)
}

// TestSentencesOnThePictureAreApart: what runs and what is pointed at stand on different places, however many numbers
// there are.
func TestSentencesOnThePictureAreApart(t *testing.T) {
	for high := float32(120); high < 700; high += 23 {
		v, _, _ := listening(t, fyne.NewSize(760, high))
		r := test.WidgetRenderer(v).(*renderer)
		v.vm.Busy, v.vm.Badge = "Opening the page", "Recorded"
		r.update()
		require.Len(t, r.heads, 2)
		require.False(t, r.heads[0].Overlaps(r.heads[1]))
		words := fyne.NewSize(330, 30)
		at := r.px(r.foot(v.Size(), words), words)
		for _, head := range r.heads {
			require.False(t, at.Overlaps(head), "%g high: %v on %v", high, at, head)
		}
	}
}

func TestOffscreenSelectionIsSaid(t *testing.T) {
	v, w, _ := listening(t, fyne.NewSize(760, 600))
	vm := v.vm
	vm.Selected = 40
	v.Set(vm)
	require.Equal(t, "40 is outside the picture: 340 px below", v.whereabouts())
	partstest.Picture(t, w, "shot-away")
}

func TestObjectsStaySmallAtAnyZoom(t *testing.T) {
	v, w, _ := listening(t, fyne.NewSize(500, 400))
	vm := v.vm
	vm.Selected, vm.Hover = 2, 30
	v.Set(vm)
	v.zoomTo(maxZoom, 0, 0)
	w.Canvas().Capture()
	for _, o := range test.WidgetRenderer(v).Objects() {
		require.LessOrEqual(t, o.Size().Width, float32(700))
		require.LessOrEqual(t, o.Size().Height, float32(600))
		if text, ok := o.(*canvas.Text); ok {
			require.LessOrEqual(t, len([]rune(text.Text)), maxPill+1)
		}
	}
}

func BenchmarkFrame(b *testing.B) {
	v, _, _ := listening(b, fyne.NewSize(1600, 900))
	r := test.WidgetRenderer(v).(*renderer)
	for i := 0; b.Loop(); i++ {
		v.cam.X = float64(i % 50)
		r.draw(1600, 900)
	}
}
