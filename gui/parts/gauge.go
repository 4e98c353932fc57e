package parts

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
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
