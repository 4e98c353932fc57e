package overlay

import (
	"image"
	"image/color"
)

// differSlack is how far a channel of a px may be off, of 255: fonts are smoothed a
// little differently from one version of a browser to the next.
const differSlack = 16

// differColor marks a px that differs.
var differColor = color.RGBA{214, 0, 110, 255}

// Differ compares two pictures px by px. The picture that it gives is as large as both
// together: what is equal is grey and faint, what differs is of one strong colour, and
// so is what only one of them has. It says how many px differ, of how many.
func Differ(a, b *image.RGBA) (picture *image.RGBA, differs, of int) {
	wa, ha, wb, hb := a.Rect.Dx(), a.Rect.Dy(), b.Rect.Dx(), b.Rect.Dy()
	picture = image.NewRGBA(image.Rect(0, 0, max(wa, wb), max(ha, hb)))
	for y := range picture.Rect.Dy() {
		for x := range picture.Rect.Dx() {
			at := picture.PixOffset(x, y)
			out := picture.Pix[at : at+4 : at+4]
			if x < min(wa, wb) && y < min(ha, hb) {
				p := a.Pix[a.PixOffset(a.Rect.Min.X+x, a.Rect.Min.Y+y):]
				q := b.Pix[b.PixOffset(b.Rect.Min.X+x, b.Rect.Min.Y+y):]
				if closeTo(p[0], q[0]) && closeTo(p[1], q[1]) && closeTo(p[2], q[2]) {
					grey := (299*int(q[0]) + 587*int(q[1]) + 114*int(q[2])) / 1000
					v := uint8(255 - (255-grey)/3)
					out[0], out[1], out[2], out[3] = v, v, v, 255
					continue
				}
			}
			differs++
			out[0], out[1], out[2], out[3] = differColor.R, differColor.G, differColor.B, 255
		}
	}
	return picture, differs, picture.Rect.Dx() * picture.Rect.Dy()
}

func closeTo(a, b uint8) bool { return int(a)-int(b) <= differSlack && int(b)-int(a) <= differSlack }
