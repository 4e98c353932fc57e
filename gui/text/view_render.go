package text

import (
	"image"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/parts"
	look "github.com/refscope/refscope/gui/theme"
)

// maxWidths bounds the memory of measured texts.
const maxWidths = 4096

// renderer holds the objects of a view, from back to front: the text, texts that
// Fyne draws, the line numbers, the scroll bars, the focus ring, the sentence of
// an empty view.
type renderer struct {
	v       *View
	body    *canvas.Raster
	margin  *canvas.Raster
	thumbV  *canvas.Rectangle
	thumbH  *canvas.Rectangle
	ring    *canvas.Rectangle
	ground  *canvas.Rectangle
	empty   *widget.RichText
	texts   []*canvas.Text // pool; the first used are in view
	used    int
	bodyPix *image.RGBA
	sidePix *image.RGBA
	frame   frame
	objects []fyne.CanvasObject
}

// CreateRenderer is Fyne's.
func (v *View) CreateRenderer() fyne.WidgetRenderer {
	r := &renderer{
		v:      v,
		thumbV: canvas.NewRectangle(nil),
		thumbH: canvas.NewRectangle(nil),
		ring:   canvas.NewRectangle(nil),
		ground: canvas.NewRectangle(nil),
		empty:  parts.NewEmpty(),
	}
	r.body = parts.NewRaster(r.drawBody)
	r.margin = parts.NewRaster(r.drawMargin)
	r.body.ScaleMode = canvas.ImageScalePixels
	r.margin.ScaleMode = canvas.ImageScalePixels
	r.thumbV.CornerRadius, r.thumbH.CornerRadius = barThick/2, barThick/2
	if c := fyne.CurrentApp().Driver().CanvasForObject(v); c != nil {
		v.scale = float64(c.Scale())
	}
	r.update()
	return r
}

// MinSize is small: the pane decides.
func (r *renderer) MinSize() fyne.Size { return fyne.NewSize(80, 40) }

// Objects are the objects from back to front.
func (r *renderer) Objects() []fyne.CanvasObject { return r.objects }

// Destroy does nothing: there is nothing that outlives the objects.
func (r *renderer) Destroy() {}

// Layout gives the rasters the whole area.
func (r *renderer) Layout(size fyne.Size) {
	r.v.clamp()
	r.body.Resize(size)
	r.ring.Resize(size)
	r.ground.Resize(size)
	r.update()
}

// Refresh draws again. The widget as a whole is never passed to canvas.Refresh:
// that throws away the textures of all its objects, texts included.
func (r *renderer) Refresh() {
	r.v.clamp()
	r.update()
	r.body.Refresh()
	r.margin.Refresh()
	for _, o := range []fyne.CanvasObject{r.thumbV, r.thumbH, r.ring, r.ground} {
		o.Refresh()
	}
}

// update places every object for the current state, without drawing pixels.
func (r *renderer) update() {
	v := r.v
	v.loadFace()
	r.prepare()
	size := v.Size()
	th := v.Theme()

	r.ground.FillColor = look.RGBA(th, look.ColorPane)
	r.margin.Resize(fyne.NewSize(float32(float64(r.frame.m.gutter)/v.scale), size.Height))
	r.placeTexts(size)
	r.placeBar(r.thumbV, v.vbar(), v.grab == grabV, func(at, length float64) (fyne.Position, fyne.Size) {
		return fyne.NewPos(size.Width-barThick-barInset, float32(at)+2), fyne.NewSize(barThick, float32(length)-4)
	})
	r.placeBar(r.thumbH, v.hbar(), v.grab == grabH, func(at, length float64) (fyne.Position, fyne.Size) {
		return fyne.NewPos(float32(at)+2, size.Height-barThick-barInset), fyne.NewSize(float32(length)-4, barThick)
	})
	r.ring.StrokeWidth = 1
	r.ring.FillColor = nil
	r.ring.StrokeColor = look.RGBA(th, theme.ColorNameFocus)
	show(r.ring, v.focused)

	blank := v.ix.lines() == 0
	parts.SayEmpty(r.empty, v.vm.Empty)
	inner := fyne.NewSize(float32(math.Min(float64(size.Width)-24, 420)), 0)
	r.empty.Resize(fyne.NewSize(inner.Width, r.empty.MinSize().Height))
	h := r.empty.MinSize().Height
	r.empty.Resize(fyne.NewSize(inner.Width, h))
	r.empty.Move(fyne.NewPos((size.Width-inner.Width)/2, float32(math.Max(8, float64(size.Height-h)/2.4))))
	show(r.empty, blank)
	show(r.body, !blank)
	show(r.margin, !blank)

	r.objects = append(r.objects[:0], r.ground, r.body)
	for _, t := range r.texts[:r.used] {
		r.objects = append(r.objects, t)
	}
	r.objects = append(r.objects, r.margin, r.thumbH, r.thumbV, r.empty, r.ring)
}

func (r *renderer) placeBar(o *canvas.Rectangle, b bar, active bool, place func(at, length float64) (fyne.Position,
	fyne.Size)) {
	show(o, b.needed())
	name := look.ColorThumb
	if active {
		name = look.ColorThumbActive
	}
	o.FillColor = look.RGBA(r.v.Theme(), name)
	pos, size := place(b.thumb())
	o.Move(pos)
	o.Resize(size)
}

// prepare fills the frame from the view's state.
func (r *renderer) prepare() {
	v, f := r.v, &r.frame
	th := v.Theme()
	f.face, f.ix, f.tones, f.m = v.face, v.ix, v.vm.Tones, v.metrics()
	if v.ix.doc != nil {
		f.f = v.ix.doc.Format
	}
	f.top, f.left = int(math.Round((v.offY-padTop)*v.scale)), int(math.Round(v.offX*v.scale))
	f.selected, f.hovered = v.vm.Selected, v.vm.Hover
	f.cursor, f.from, f.to = v.ix.folds.Line(v.ix.folds.Row(v.cursor)), v.from, v.to
	f.find, f.findAt = v.vm.Find, v.vm.FindAt
	f.nowLine, f.nowSpan = f.current()
	f.measure = v.measure
	c := &f.c
	c.ground = look.RGBA(th, look.ColorPane)
	c.gutter = look.RGBA(th, look.ColorGutter)
	c.guide = look.RGBA(th, look.ColorLine)
	c.accent = look.RGBA(th, look.ColorAccent)
	c.now = look.RGBA(th, look.ColorText)
	c.selected = look.RGBA(th, look.ColorRowSelected)
	c.hover = look.RGBA(th, look.ColorRowHover)
	c.rng = look.RGBA(th, look.ColorRowRange)
	c.good, c.goodMark = look.RGBA(th, look.ColorRowGood), look.RGBA(th, look.ColorGood)
	c.bad, c.badMark = look.RGBA(th, look.ColorRowBad), look.RGBA(th, look.ColorBad)
	c.warn, c.warnMark = look.RGBA(th, look.ColorRowWarn), look.RGBA(th, look.ColorWarn)
	for k, name := range [...]fyne.ThemeColorName{
		kindText: look.ColorText, kindHead: look.ColorMuted, kindRef: look.ColorRef, kindTag: look.ColorTag,
		kindPunct: look.ColorPunct, kindString: look.ColorString, kindKey: look.ColorKey,
		kindNumber: look.ColorNumber, kindCut: look.ColorCut, kindCover: look.ColorCovered, kindEscape: look.ColorBad,
	} {
		c.kinds[k] = look.RGBA(th, name)
	}
}

// placeTexts puts objects from the pool where runs are that the atlas cannot draw.
func (r *renderer) placeTexts(size fyne.Size) {
	v, f := r.v, &r.frame
	used := r.used
	r.used = 0
	if f.face == nil || v.ix.lines() == 0 {
		return
	}
	right := int(math.Ceil(float64(size.Width) * v.scale))
	first, last := f.rows(int(math.Ceil(float64(size.Height) * v.scale)))
	for row := first; row < last; row++ {
		line := v.ix.folds.Line(row)
		if ascii(v.ix.text(line)) {
			continue
		}
		for _, run := range f.layout(line) {
			x := f.m.gutter - f.left + run.col*f.m.cell
			if !run.odd || x >= right || x+run.cols*f.m.cell <= 0 {
				continue
			}
			if r.used == len(r.texts) {
				r.texts = append(r.texts, canvas.NewText("", nil))
			}
			t := r.texts[r.used]
			r.used++
			t.Text, t.Color = run.text, f.c.kinds[run.kind]
			t.TextSize, t.TextStyle = v.textSize(), fyne.TextStyle{Monospace: true}
			h := t.MinSize().Height
			y := float64(row*f.m.row-f.top)/v.scale + (v.rowHeight()-float64(h))/2
			t.Move(fyne.NewPos(float32(float64(x)/v.scale), float32(y)))
			t.Resize(fyne.NewSize(float32(float64(run.cols*f.m.cell)/v.scale), h))
			t.Refresh()
		}
	}
	for _, t := range r.texts[min(r.used, used):used] {
		t.Text = "" // hold no page text that is not in view
	}
}

// drawBody is the generator of the text's raster; w and h are device px.
func (r *renderer) drawBody(w, h int) image.Image {
	r.rescale(w)
	r.bodyPix = reuse(r.bodyPix, w, h)
	if r.frame.face != nil {
		r.frame.body(r.bodyPix)
		r.frame.ticks(r.bodyPix, r.v.track(r.bodyPix.Rect))
	}
	return r.bodyPix
}

// drawMargin is the generator of the line numbers' raster.
func (r *renderer) drawMargin(w, h int) image.Image {
	r.sidePix = reuse(r.sidePix, w, h)
	if r.frame.face != nil {
		r.frame.margin(r.sidePix)
	}
	return r.sidePix
}

// rescale learns how many device px a Fyne unit has. Only the raster knows it:
// the canvas scale leaves out what the operating system adds on some displays.
// The same lines stay in view.
func (r *renderer) rescale(w int) {
	v := r.v
	if width := float64(r.body.Size().Width); width > 0 {
		if s := float64(w) / width; math.Abs(s-v.scale) > 0.02*v.scale {
			was, seen := v.rowHeight(), v.cursor >= 0 && v.sees(v.cursor)
			v.scale = s
			v.offY = math.Max(0, padTop+(v.offY-padTop)*v.rowHeight()/was) // rows are whole device px
			if v.clamp(); seen {
				v.reveal(v.cursor)
			}
			r.update()
		}
	}
}

// measure is the width of a text in cells when Fyne draws it.
func (v *View) measure(text string) int {
	if n, ok := v.widths[text]; ok {
		return n
	}
	if len(v.widths) >= maxWidths {
		clear(v.widths)
	}
	w := fyne.MeasureText(text, v.textSize(), fyne.TextStyle{Monospace: true}).Width
	n := int(math.Ceil(float64(w) * v.scale / float64(v.face.Advance())))
	v.widths[text] = n
	return n
}

func (v *View) textSize() float32 { return v.Theme().Size(theme.SizeNameText) }

// reuse is an image of the size, the old one where it fits. Its rows follow one
// another without gaps, as Fyne's texture upload assumes.
func reuse(img *image.RGBA, w, h int) *image.RGBA {
	if img != nil && img.Rect.Dx() == w && img.Rect.Dy() == h {
		return img
	}
	return image.NewRGBA(image.Rect(0, 0, w, h))
}

func show(o fyne.CanvasObject, on bool) {
	if on {
		o.Show()
	} else {
		o.Hide()
	}
}

func ascii(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
