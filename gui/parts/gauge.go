package parts

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/theme"
)

// gaugeHigh is the height of a gauge in Fyne units.
const gaugeHigh = 6

// Gauge is a bar that shows how much of a limit is used.
type Gauge struct {
	widget.BaseWidget
	wide  float32
	share float64
	tone  core.Tone
}

// NewGauge makes an empty one, that many Fyne units wide.
func NewGauge(wide float32) *Gauge {
	g := &Gauge{wide: wide}
	g.ExtendBaseWidget(g)
	return g
}

// Set shows another share, 0 to 1, in a tone.
func (g *Gauge) Set(share float64, tone core.Tone) {
	if g.share == share && g.tone == tone {
		return
	}
	g.share, g.tone = share, tone
	g.Refresh()
}

// CreateRenderer is Fyne's.
func (g *Gauge) CreateRenderer() fyne.WidgetRenderer {
	r := &gaugeRenderer{g: g, track: canvas.NewRectangle(nil), used: canvas.NewRectangle(nil)}
	r.track.CornerRadius, r.used.CornerRadius = gaugeHigh/2, gaugeHigh/2
	r.Refresh()
	return r
}

type gaugeRenderer struct {
	g           *Gauge
	track, used *canvas.Rectangle
}

func (r *gaugeRenderer) MinSize() fyne.Size           { return fyne.NewSize(r.g.wide, gaugeHigh) }
func (r *gaugeRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.track, r.used} }
func (r *gaugeRenderer) Destroy()                     {}

// Layout puts the bar into the middle of the height.
func (r *gaugeRenderer) Layout(size fyne.Size) {
	y := (size.Height - gaugeHigh) / 2
	r.track.Move(fyne.NewPos(0, y))
	r.track.Resize(fyne.NewSize(size.Width, gaugeHigh))
	r.used.Move(fyne.NewPos(0, y))
	share := float32(min(max(r.g.share, 0), 1))
	r.used.Resize(fyne.NewSize(share*size.Width, gaugeHigh))
}

func (r *gaugeRenderer) Refresh() {
	th := r.g.Theme()
	r.track.FillColor = theme.RGBA(th, theme.ColorLine)
	r.used.FillColor = theme.RGBA(th, ToneColor(r.g.tone))
	r.Layout(r.g.Size())
	r.track.Refresh()
	r.used.Refresh()
}

// BusyBar says that work goes on: a piece of it is filled, and moves on six times in a second.
//
// Fyne's own bar moves with every picture of the screen, and the whole window is painted for each. Without a graphics
// card that takes a core, which the work needs: Chrome at its start.
type BusyBar struct {
	widget.BaseWidget
	moves *fyne.Animation // nil while it rests
	step  int
}

// busySteps are the places of a bar's piece, busyRound how long it takes to go through them.
const (
	busySteps = 8
	busyRound = busySteps * time.Second / 6
)

// NewBusyBar makes one that rests.
func NewBusyBar() *BusyBar {
	b := new(BusyBar)
	b.ExtendBaseWidget(b)
	return b
}

// Start begins to move; it does nothing where the bar moves.
func (b *BusyBar) Start() {
	if b.moves != nil {
		return
	}
	b.moves = fyne.NewAnimation(busyRound, func(done float32) {
		if step := min(int(done*busySteps), busySteps-1); step != b.step {
			b.step = step
			b.Refresh()
		}
	})
	b.moves.Curve, b.moves.RepeatCount = fyne.AnimationLinear, fyne.AnimationRepeatForever
	b.moves.Start()
}

// Stop ends what Start began.
func (b *BusyBar) Stop() {
	if b.moves != nil {
		b.moves.Stop()
		b.moves = nil
	}
}

// CreateRenderer implements fyne.Widget.
func (b *BusyBar) CreateRenderer() fyne.WidgetRenderer {
	r := &busyRenderer{bar: b, track: canvas.NewRectangle(nil), piece: canvas.NewRectangle(nil)}
	r.track.CornerRadius, r.piece.CornerRadius = 2, 2
	r.Refresh()
	return r
}

// busyRenderer draws a BusyBar: its track, and the piece on it.
type busyRenderer struct {
	bar          *BusyBar
	track, piece *canvas.Rectangle
}

func (r *busyRenderer) MinSize() fyne.Size           { return fyne.NewSize(2*busySteps, 4) }
func (r *busyRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.track, r.piece} }
func (r *busyRenderer) Destroy()                     { r.bar.Stop() }

func (r *busyRenderer) Layout(size fyne.Size) {
	r.track.Resize(size)
	r.piece.Resize(fyne.NewSize(size.Width/4, size.Height))
	r.piece.Move(fyne.NewPos(size.Width*3/4*float32(r.bar.step)/(busySteps-1), 0))
}

func (r *busyRenderer) Refresh() {
	th := r.bar.Theme()
	r.track.FillColor, r.piece.FillColor = theme.RGBA(th, theme.ColorLine), theme.RGBA(th, fynetheme.ColorNamePrimary)
	r.Layout(r.bar.Size())
	canvas.Refresh(r.bar)
}
