package picture

import (
	"image"
	"image/color"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"github.com/refscope/refscope/gui/steps"
	look "github.com/refscope/refscope/gui/theme"
)

// Measures of the sign for a click, in Fyne units.
const (
	pointRing = 9 // radius
	pointDot  = 3
	pointArm  = 6 // beyond the ring
)

// cross is the sign for where a click goes: a ring with four arms, hollow for one that
// would go there, with a dot in it for one that went. Each line has a halo, so that it
// stands out from every page.
type cross struct {
	rings [2]*canvas.Circle // halo and line
	dot   *canvas.Circle
	arms  [8]*canvas.Rectangle // halos first
}

func newCross() *cross {
	p := &cross{dot: canvas.NewCircle(nil)}
	for i := range p.rings {
		p.rings[i] = canvas.NewCircle(color.Transparent)
	}
	for i := range p.arms {
		p.arms[i] = canvas.NewRectangle(nil)
	}
	return p
}

// place puts the sign at a place in Fyne units.
func (p *cross) place(th fyne.Theme, at fyne.Position, went bool) []fyne.CanvasObject {
	halo, line := look.RGBA(th, look.ColorMarkHalo), look.RGBA(th, look.ColorMark)
	circle := func(c *canvas.Circle, r float32) {
		c.Move(at.SubtractXY(r, r))
		c.Resize(fyne.NewSize(2*r, 2*r))
	}
	circle(p.rings[0], pointRing+1)
	circle(p.rings[1], pointRing)
	p.rings[0].StrokeColor, p.rings[0].StrokeWidth = halo, 4
	p.rings[1].StrokeColor, p.rings[1].StrokeWidth = line, 2
	for i, d := range [4][2]float32{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
		for k, wide := range [2]float32{4, 2} {
			o := p.arms[4*k+i]
			o.FillColor = [2]color.RGBA{halo, line}[k]
			from, to := at.AddXY(d[0]*pointRing, d[1]*pointRing), at.AddXY(d[0]*(pointRing+pointArm),
				d[1]*(pointRing+pointArm))
			o.Move(fyne.NewPos(min(from.X, to.X)-wide/2, min(from.Y, to.Y)-wide/2))
			o.Resize(fyne.NewSize(float32(math.Abs(float64(to.X-from.X)))+wide,
				float32(math.Abs(float64(to.Y-from.Y)))+wide))
		}
	}
	out := []fyne.CanvasObject{p.rings[0]}
	for _, o := range p.arms {
		out = append(out, o)
	}
	out = append(out, p.rings[1])
	if went {
		circle(p.dot, pointDot)
		p.dot.FillColor, p.dot.StrokeColor, p.dot.StrokeWidth = line, halo, 1
		out = append(out, p.dot)
	}
	return out
}

// placePoint shows where a click goes or went, where that is in view.
func (r *renderer) placePoint(th fyne.Theme) {
	v := r.v
	p := v.vm.Point
	if p.Kind == steps.PointNone {
		return
	}
	c := v.cam
	at := image.Pt(int(math.Round((p.X-c.X)*c.Scale)), int(math.Round((p.Y-c.Y)*c.Scale)))
	if !at.In(image.Rectangle{Max: v.area()}) {
		return
	}
	s := float32(v.scale)
	r.objects = append(r.objects, r.point.place(th, fyne.NewPos(float32(at.X)/s, float32(at.Y)/s),
		p.Kind == steps.PointLast)...)
}
