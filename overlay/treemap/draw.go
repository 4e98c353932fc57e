package treemap

import (
	"image"
	"image/color"
	"image/draw"
)

// opacity of a tint over the picture, and of white under it, of 256.
const (
	tintOf256  = 140
	whiteOf256 = 90
)

var (
	plateColor = color.RGBA{20, 23, 29, 255}
	plateText  = color.RGBA{255, 255, 255, 255}
	edgeColor  = color.RGBA{70, 24, 18, 255}
	haloColor  = color.RGBA{255, 255, 255, 255}
)

// Size is that of the drawn picture in px: the screenshot with the table below it,
// which takes more width than a narrow one has.
func (t *Treemap) Size() image.Point {
	return image.Pt(max(t.size.X, tableWidth*t.k), t.size.Y+t.tableHeight())
}

// Draw is the treemap on a copy of the picture, which must have the size given to New.
func (t *Treemap) Draw(picture *image.RGBA) *image.RGBA {
	dst := image.NewRGBA(image.Rectangle{Max: t.Size()})
	grey := image.NewRGBA(image.Rectangle{Max: t.size})
	draw.Draw(grey, grey.Rect, picture, picture.Rect.Min, draw.Src)
	fade(grey)
	fill(dst, dst.Rect, paper)
	draw.Draw(dst, grey.Rect, grey, image.Point{}, draw.Src)
	for i := range t.Parts { // inner regions come after those around them
		tint(dst, grey, t.Parts[i].Rect, t.Parts[i].Tint)
	}
	for i := range t.Parts {
		r := t.Parts[i].Rect
		if i == 0 || r.Empty() {
			continue
		}
		ring(dst, r, t.k, haloColor)
		ring(dst, r.Inset(t.k), t.k, edgeColor)
	}
	for i := range t.Parts {
		p := &t.Parts[i]
		if p.Label.Empty() {
			continue
		}
		fill(dst, p.Label, haloColor)
		fill(dst, p.Label.Inset(labelRim*t.k), plateColor)
		t.bold.Draw(dst, p.Label.Min.X+labelPad*t.k, p.Label.Min.Y+labelRim*t.k+t.bold.Ascent(), p.Text, plateText)
	}
	t.drawTable(dst)
	return dst
}

// fade makes a picture grey and light.
func fade(img *image.RGBA) {
	for i := 0; i+3 < len(img.Pix); i += 4 {
		p := img.Pix[i : i+4 : i+4]
		y := (299*int(p[0]) + 587*int(p[1]) + 114*int(p[2])) / 1000
		v := uint8(y + (255-y)*whiteOf256/256)
		p[0], p[1], p[2], p[3] = v, v, v, 255
	}
}

// tint lays a colour over a part of the grey picture; what was there before goes.
func tint(dst, grey *image.RGBA, r image.Rectangle, c color.RGBA) {
	r = r.Intersect(grey.Rect)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		from, to := grey.PixOffset(r.Min.X, y), dst.PixOffset(r.Min.X, y)
		for range r.Dx() {
			v := int(grey.Pix[from])
			dst.Pix[to] = mix(v, c.R)
			dst.Pix[to+1] = mix(v, c.G)
			dst.Pix[to+2] = mix(v, c.B)
			from, to = from+4, to+4
		}
	}
}

// mix multiplies the grey with the colour, so that dark text stays dark, by the tint's
// opacity.
func mix(v int, c uint8) uint8 {
	return uint8((v*(256-tintOf256) + v*int(c)/255*tintOf256) / 256)
}

// ring draws the outline of r inside it, w px wide.
func ring(dst *image.RGBA, r image.Rectangle, w int, c color.RGBA) {
	if r.Empty() {
		return
	}
	fill(dst, image.Rect(r.Min.X, r.Min.Y, r.Max.X, r.Min.Y+w), c)
	fill(dst, image.Rect(r.Min.X, r.Max.Y-w, r.Max.X, r.Max.Y), c)
	fill(dst, image.Rect(r.Min.X, r.Min.Y, r.Min.X+w, r.Max.Y), c)
	fill(dst, image.Rect(r.Max.X-w, r.Min.Y, r.Max.X, r.Max.Y), c)
}

func fill(dst *image.RGBA, r image.Rectangle, c color.RGBA) {
	draw.Draw(dst, r, image.NewUniform(c), image.Point{}, draw.Src)
}
